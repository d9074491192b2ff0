use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::case::Machine;

const SECRETS: [&str; 8] = [
    "ANTHROPIC_API_KEY",
    "AWS_SECRET_ACCESS_KEY",
    "GITHUB_TOKEN",
    "npm_config__authToken",
    "DB_PASSWORD",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "SSH_AUTH_SOCK",
    "my_secret",
];

#[test]
fn no_variable_that_is_named_like_a_secret_reaches_the_command() {
    let machine = Machine::new();
    let mut case = machine.json("env");
    for name in SECRETS {
        case = case.env(name, "hunter2");
    }
    let object = case.env("LC_ALL", "C").object();
    let output = object["output"].as_str().unwrap();
    assert!(!output.contains("hunter2"), "{output}");
    assert!(output.contains("LC_ALL=C"), "{output}");
    let removed = object["env_removed"].as_array().unwrap();
    for name in SECRETS {
        assert!(removed.iter().any(|removed| removed == name), "{name}");
    }
}

#[test]
fn what_the_deployment_sets_and_the_request_asks_for_is_there() {
    let machine = Machine::with_config(
        "[env]\ninherit = [\"core\", \"EXTRA_*\"]\nset = { API_KEY = \"set\" }\n",
    );
    machine
        .run("echo $API_KEY $EXTRA_ONE $ASKED_TOKEN")
        .with(&["--env", "ASKED_TOKEN=asked"])
        .env("EXTRA_ONE", "extra")
        .stdout("set extra asked\n")
        .check();
}

#[test]
fn a_variable_that_the_request_gives_back_is_not_called_removed() {
    let machine = Machine::new();
    let object = machine
        .json("echo $TOKEN")
        .with(&["--env", "TOKEN=asked"])
        .env("TOKEN", "of the host")
        .object();
    assert_eq!(object["output"], "asked\n");
    assert_eq!(object["env_removed"], serde_json::json!([]));
}

#[test]
fn session_variables_are_those_of_the_session_and_never_inherited() {
    let machine = Machine::new();
    machine
        .run("env | grep ^PI_ | sort")
        .with(&["--session", "id=s1", "--session", "model=m"])
        .env("PI_SESSION_ID", "stale")
        .env("PI_PROVIDER", "stale")
        .stdout("PI_MODEL=m\nPI_SESSION_ID=s1\n")
        .check();
}

#[test]
fn exclusions_beat_what_is_inherited_and_what_is_removed_is_named() {
    let machine = Machine::with_config(
        "[env]\ninherit = [\"core\", \"MY_*\", \"GITHUB_TOKEN\"]\nexclude = [\"*token*\", \"my_secret\"]\n",
    );
    let object = machine
        .json("env | grep -c '^MY_\\|TOKEN'")
        .env("MY_OWN", "kept")
        .env("MY_SECRET", "gone")
        .env("my_other", "gone")
        .env("GITHUB_TOKEN", "gone")
        .object();
    assert_eq!(object["output"], "1\n");
    assert_eq!(
        object["env_removed"],
        serde_json::json!(["GITHUB_TOKEN", "MY_SECRET", "my_other"])
    );
}

#[test]
fn a_stale_session_variable_is_named_among_the_removed() {
    let machine = Machine::with_config("env = { inherit = \"all\" }\n");
    let object = machine
        .json("true")
        .with(&["--session", "model=m"])
        .env("PI_PROVIDER", "stale")
        .env("PI_MODEL", "stale")
        .object();
    assert_eq!(object["env_removed"], serde_json::json!(["PI_PROVIDER"]));
}

#[test]
fn functions_and_startup_files_of_the_host_do_not_reach_the_command() {
    let machine = Machine::new();
    fs::write(machine.path("home/evil"), "echo hijacked\n").unwrap();
    machine
        .run("type -t ls_of_the_host; true")
        .env("BASH_ENV", machine.path("home/evil"))
        .env("BASH_FUNC_ls_of_the_host%%", "() { echo hijacked; }")
        .check();
}

/// A machine whose toolchains live where only variables tell.
fn moved(machine: &Machine, variable: &str, folder: &str) -> (String, PathBuf) {
    let path = machine.path(folder);
    fs::create_dir_all(&path).unwrap();
    (variable.to_owned(), path)
}

#[test]
fn cargo_finds_its_moved_home() {
    let machine = Machine::new();
    let (variable, home) = moved(&machine, "CARGO_HOME", "moved-cargo");
    fs::write(
        home.join("config.toml"),
        "[alias]\nfrom-the-moved-home = \"version\"\n",
    )
    .unwrap();
    let mut case = machine
        .json("cargo from-the-moved-home")
        .env(&variable, &home);
    for (name, value) in rustup_of_this_machine() {
        case = case.env(&name, value);
    }
    let object = case.object();
    assert!(
        object["output"].as_str().unwrap().starts_with("cargo 1."),
        "{object}"
    );
}

/// Where rustup keeps the toolchain that runs this test, since the case has another home.
fn rustup_of_this_machine() -> BTreeMap<String, PathBuf> {
    let rustc = Command::new("rustc")
        .args(["--print", "sysroot"])
        .output()
        .unwrap();
    let sysroot = PathBuf::from(String::from_utf8(rustc.stdout).unwrap().trim());
    let is_rustup = sysroot
        .parent()
        .is_some_and(|folder| folder.ends_with("toolchains"));
    if !is_rustup {
        return BTreeMap::new();
    }
    let home = sysroot.ancestors().nth(2).unwrap().to_owned();
    let toolchain = PathBuf::from(sysroot.file_name().unwrap());
    [
        ("RUSTUP_HOME".to_owned(), home),
        ("RUSTUP_TOOLCHAIN".to_owned(), toolchain),
    ]
    .into()
}

#[test]
fn npm_finds_its_moved_prefix_and_node_its_modules() {
    let machine = Machine::new();
    let (variable, prefix) = moved(&machine, "NPM_CONFIG_PREFIX", "moved-npm");
    let object = machine
        .json("npm prefix --global")
        .env(&variable, &prefix)
        .object();
    assert_eq!(
        object["output"].as_str().unwrap().trim(),
        prefix.to_str().unwrap(),
        "{object}"
    );
    let (variable, modules) = moved(&machine, "NODE_PATH", "moved-modules");
    fs::write(modules.join("moved.js"), "module.exports = 'moved'").unwrap();
    machine
        .run("node -p 'require(\"moved\")'")
        .env(&variable, &modules)
        .stdout("moved\n")
        .check();
}

#[test]
fn nvm_finds_its_moved_home() {
    let machine = Machine::new();
    let (variable, home) = moved(&machine, "NVM_DIR", "moved-nvm");
    fs::write(
        home.join("nvm.sh"),
        "nvm() { echo nvm of the moved home; }\n",
    )
    .unwrap();
    machine
        .run(". \"$NVM_DIR/nvm.sh\" && nvm use")
        .env(&variable, &home)
        .stdout("nvm of the moved home\n")
        .check();
}

#[test]
fn git_finds_its_moved_config() {
    let machine = Machine::new();
    let (variable, folder) = moved(&machine, "GIT_CONFIG_GLOBAL", "moved-git");
    let config = folder.join("config");
    fs::write(&config, "[user]\nname = Moved\nemail = moved@example.com\n").unwrap();
    machine
        .run("git init -q . && git commit -q --allow-empty -m x && git log --format=%an")
        .env(&variable, &config)
        .stdout("Moved\n")
        .check();
}

#[test]
fn a_python_venv_is_the_one_that_is_active() {
    let machine = Machine::new();
    let venv = machine.path("venv");
    let made = Command::new("python3")
        .args(["-m", "venv", "--without-pip"])
        .arg(&venv)
        .status();
    assert!(made.unwrap().success());
    machine
        .run("python3 -c 'import sys, os; print(sys.prefix == os.environ[\"VIRTUAL_ENV\"])'")
        .env("VIRTUAL_ENV", &venv)
        .env("PATH", path_with(&venv.join("bin")))
        .stdout("True\n")
        .check();
}

/// A launcher that finds its runtime by `JAVA_HOME` alone, as those of Maven and Gradle do.
#[test]
fn java_finds_its_moved_home() {
    let machine = Machine::new();
    let (variable, home) = moved(&machine, "JAVA_HOME", "moved-java");
    script(
        &home.join("bin/java"),
        "#!/bin/sh\necho java of the moved home\n",
    );
    script(
        &machine.path("bin/mvn"),
        "#!/bin/sh\nexec \"$JAVA_HOME/bin/java\" \"$@\"\n",
    );
    machine
        .run("mvn --version")
        .env(&variable, &home)
        .env("PATH", path_with(&machine.path("bin")))
        .stdout("java of the moved home\n")
        .check();
}

fn script(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

fn path_with(folder: &Path) -> String {
    let path = std::env::var("PATH").unwrap();
    format!("{}:{path}", folder.display())
}
