/// The variables that commands need to work at all: the person, the place, the language, and the
/// homes of toolchains, so that a tool whose home was moved is still found.
///
/// Left out on purpose: sockets of agents and desktops, proxies and indexes (their URLs carry
/// passwords), options that load code into other programs (`LD_*`, `NODE_OPTIONS`, `RUBYOPT`,
/// `PERL5OPT`, `JAVA_TOOL_OPTIONS`, `PYTHONSTARTUP`), the job server of a make around us
/// (`MAKEFLAGS`), what points git at another repository
/// (`GIT_DIR`, `GIT_WORK_TREE`, `GIT_INDEX_FILE`), and interactive programs (`EDITOR`, `PAGER`).
#[rustfmt::skip]
pub const CORE: &[&str] = &[
    // who and where
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "PWD", "HOSTNAME", "TMPDIR", "XDG_*",
    // language and time
    "LANG", "LANGUAGE", "LC_*", "TZ", "TZDIR",
    // how output looks
    "TERM", "TERMINFO", "TERMINFO_DIRS", "COLORTERM", "NO_COLOR", "FORCE_COLOR", "CLICOLOR",
    "CLICOLOR_FORCE",
    // whether a machine looks on
    "CI",
    // certificates, without which no download works behind a company's own authority
    "SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS",
    "GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "NIX_SSL_CERT_FILE",
    // git: who commits, and its own config
    "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL",
    "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_CEILING_DIRECTORIES",
    "GIT_EXEC_PATH", "GIT_TEMPLATE_DIR", "GIT_LFS_SKIP_SMUDGE",
    // C and C++
    "CC", "CXX", "CPP", "AR", "AS", "LD", "NM", "RANLIB", "STRIP", "CFLAGS", "CXXFLAGS", "CPPFLAGS",
    "LDFLAGS", "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "PKG_CONFIG",
    "PKG_CONFIG_PATH", "PKG_CONFIG_LIBDIR", "PKG_CONFIG_SYSROOT_DIR", "ACLOCAL_PATH",
    "CMAKE_PREFIX_PATH", "CMAKE_GENERATOR", "CMAKE_BUILD_PARALLEL_LEVEL", "CMAKE_TOOLCHAIN_FILE",
    "CCACHE_DIR", "SCCACHE_DIR", "VCPKG_ROOT", "CONAN_HOME", "CUDA_HOME", "CUDA_PATH",
    // Rust
    "CARGO_HOME", "CARGO_TARGET_DIR", "CARGO_BUILD_JOBS", "CARGO_BUILD_TARGET", "CARGO_INCREMENTAL",
    "CARGO_NET_OFFLINE", "CARGO_TERM_COLOR", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN", "RUSTC",
    "RUSTC_WRAPPER", "RUSTFLAGS", "RUSTDOCFLAGS", "RUST_BACKTRACE",
    // Go
    "GOPATH", "GOROOT", "GOBIN", "GOCACHE", "GOMODCACHE", "GOENV", "GOFLAGS", "GOOS", "GOARCH",
    "GOTOOLCHAIN", "GOWORK", "GOPRIVATE", "CGO_ENABLED", "CGO_CFLAGS", "CGO_CXXFLAGS",
    "CGO_LDFLAGS",
    // JavaScript
    "NODE_PATH", "NODE_ENV", "NVM_DIR", "NVM_BIN", "NVM_INC", "FNM_DIR", "FNM_MULTISHELL_PATH",
    "VOLTA_HOME", "N_PREFIX", "NPM_CONFIG_PREFIX", "NPM_CONFIG_CACHE", "npm_config_prefix",
    "npm_config_cache", "PNPM_HOME", "YARN_CACHE_FOLDER", "YARN_GLOBAL_FOLDER", "COREPACK_HOME",
    "BUN_INSTALL", "DENO_DIR", "DENO_INSTALL", "PLAYWRIGHT_BROWSERS_PATH",
    // Python
    "VIRTUAL_ENV", "PYTHONPATH", "PYTHONHOME", "PYTHONUSERBASE", "PYTHONPYCACHEPREFIX",
    "PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED", "PYTHONIOENCODING", "PYTHONUTF8", "PYENV_ROOT",
    "PYENV_VERSION", "PIP_CACHE_DIR", "PIPX_HOME", "PIPX_BIN_DIR", "PIPENV_VENV_IN_PROJECT",
    "POETRY_HOME", "POETRY_CACHE_DIR", "POETRY_VIRTUALENVS_IN_PROJECT", "UV_CACHE_DIR",
    "UV_PYTHON", "UV_PYTHON_INSTALL_DIR", "UV_PROJECT_ENVIRONMENT", "UV_TOOL_DIR",
    "UV_TOOL_BIN_DIR", "CONDA_PREFIX", "CONDA_DEFAULT_ENV", "CONDA_EXE", "CONDA_PYTHON_EXE",
    "CONDA_SHLVL", "CONDA_PREFIX_*", "CONDA_ENVS_PATH", "CONDA_PKGS_DIRS", "MAMBA_EXE",
    "MAMBA_ROOT_PREFIX",
    // Java, Kotlin, Scala
    "JAVA_HOME", "JDK_HOME", "JRE_HOME", "CLASSPATH", "MAVEN_HOME", "M2_HOME", "ANT_HOME",
    "GRADLE_HOME", "GRADLE_USER_HOME", "KOTLIN_HOME", "SCALA_HOME", "SDKMAN_DIR", "JENV_ROOT",
    "COURSIER_CACHE",
    // Android
    "ANDROID_HOME", "ANDROID_SDK_ROOT", "ANDROID_NDK_HOME", "ANDROID_USER_HOME",
    // Ruby
    "RBENV_ROOT", "RBENV_VERSION", "GEM_HOME", "GEM_PATH", "BUNDLE_PATH", "BUNDLE_GEMFILE",
    "BUNDLE_USER_HOME", "BUNDLE_APP_CONFIG", "RUBYLIB", "RUBY_ROOT", "rvm_path",
    // .NET
    "DOTNET_ROOT", "DOTNET_CLI_HOME", "DOTNET_CLI_TELEMETRY_OPTOUT", "DOTNET_NOLOGO",
    "NUGET_PACKAGES", "MSBuildSDKsPath",
    // PHP, Perl, Haskell, OCaml, Elixir, Erlang, Swift, Zig, Lua, R, Julia, Dart
    "COMPOSER_HOME", "COMPOSER_CACHE_DIR", "PERL5LIB", "PERL_LOCAL_LIB_ROOT", "PERLBREW_ROOT",
    "GHCUP_INSTALL_BASE_PREFIX", "CABAL_DIR", "STACK_ROOT", "OPAMROOT", "OPAMSWITCH",
    "OPAM_SWITCH_PREFIX", "CAML_LD_LIBRARY_PATH", "OCAML_TOPLEVEL_PATH", "MIX_HOME", "MIX_ENV",
    "HEX_HOME", "ERL_LIBS", "SWIFTLY_HOME_DIR", "SWIFTLY_BIN_DIR", "ZIG_GLOBAL_CACHE_DIR",
    "LUA_PATH", "LUA_CPATH", "R_HOME", "R_LIBS", "R_LIBS_USER", "JULIA_DEPOT_PATH",
    "JULIA_PROJECT", "PUB_CACHE", "FLUTTER_ROOT",
    // managers of versions and packages
    "ASDF_DIR", "ASDF_DATA_DIR", "MISE_DATA_DIR", "MISE_CONFIG_DIR", "MISE_CACHE_DIR",
    "NIX_PATH", "NIX_PROFILES", "NIX_USER_PROFILE_DIR", "NIX_STORE", "GUIX_PROFILE",
    "GUIX_LOCPATH", "LOCPATH", "HOMEBREW_PREFIX", "HOMEBREW_CELLAR", "HOMEBREW_REPOSITORY",
    "BAZELISK_HOME",
    // what makes builds repeatable
    "SOURCE_DATE_EPOCH",
];

/// Names that look like those of credentials, or of ways to somebody's agent.
///
/// Narrower than it could be where the wide form hits what commands need: `*AUTH*` would take
/// `GIT_AUTHOR_NAME`, `*SESSION*` would take `XDG_SESSION_ID`, `*PASS*` would take `BYPASS`,
/// `*PRIVATE*` would take `GOPRIVATE`.
#[rustfmt::skip]
pub const EXCLUDE: &[&str] = &[
    // named as what they are
    "*KEY*", "*SECRET*", "*TOKEN*", "*PASSWORD*", "*PASSWD*", "*PASSPHRASE*", "*PASSCODE*",
    "*CREDENTIAL*", "*COOKIE*", "*JWT*", "*BEARER*", "*OAUTH*", "*AUTHORIZATION*",
    // by their last word
    "*_AUTH", "*_PASS", "*_PWD", "*_PAT", "*_SESSION", "OP_SESSION_*",
    // in the midst of a name, as in SSH_AUTH_SOCK
    "*_AUTH_*", "XAUTHORITY", "ICEAUTHORITY",
    // addresses that carry a password or are one
    "*DATABASE_URL*", "*_DSN", "*CONNECTION_STRING*", "*CONNECTIONSTRING*", "*WEBHOOK*",
    // ways to agents and tickets
    "*ASKPASS*", "*AGENT_INFO", "SSH_AGENT_*", "DBUS_*", "VSCODE_*IPC*", "KRB5CCNAME",
];
