//! Variables that decide what runs.

/// Whether a variable decides how programs are found or loaded, or what else a shell, an
/// interpreter or git runs when it starts: `PATH`, `BASH_ENV`, `LD_PRELOAD`, `HOME`.
#[must_use]
pub fn controls_the_shell(name: &str) -> bool {
    #[rustfmt::skip]
    const NAMES: [&str; 58] = [
        "AWKLIBPATH", "AWKPATH", "BASHOPTS", "BASH_ALIASES", "BASH_CMDS", "BASH_ENV",
        "BASH_LOADABLES_PATH", "CDPATH", "ENV", "EXECIGNORE", "EXINIT", "FPATH", "GCONV_PATH",
        "GIT_ALLOW_PROTOCOL", "GIT_ASKPASS", "GIT_COMMON_DIR", "GIT_DIR", "GIT_EXEC_PATH",
        "GIT_PROXY_COMMAND", "GIT_SSH", "GIT_TEMPLATE_DIR", "HOME", "INPUTRC",
        "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "LESS", "LESSCLOSE", "LESSKEY", "LESSKEYIN",
        "LESSKEYIN_SYSTEM", "LESSKEY_CONTENT", "LESSKEY_SYSTEM", "LESSOPEN", "MANOPT",
        "NODE_OPTIONS", "OPENSSL_CONF", "OPENSSL_MODULES", "PATH", "PERL5DB", "PERL5LIB",
        "PERL5OPT", "PROMPT_COMMAND", "PS0", "PS4", "PSQLRC", "PYTHONHOME", "PYTHONSTARTUP",
        "RIPGREP_CONFIG_PATH", "RUBYLIB", "RUBYOPT", "SHELLOPTS", "SSH_ASKPASS", "TAR_OPTIONS",
        "VIMINIT", "WGETRC", "XDG_CONFIG_HOME", "ZDOTDIR", "ZIPOPT",
    ];
    const PREFIXES: [&str; 5] = ["BASH_FUNC_", "DYLD_", "GIT_CONFIG", "GIT_TRACE", "LD_"];
    NAMES.binary_search(&name).is_ok() || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// Whether the value of a variable is a command that programs run.
pub(crate) fn holds_a_command(name: &str) -> bool {
    const NAMES: [&str; 7] = [
        "FCEDIT",
        "FZF_DEFAULT_COMMAND",
        "GIT_EXTERNAL_DIFF",
        "GIT_SSH_COMMAND",
        "RUSTC_WORKSPACE_WRAPPER",
        "RUSTC_WRAPPER",
        "VISUAL",
    ];
    const ENDINGS: [&str; 4] = ["BROWSER", "EDITOR", "PAGER", "_RSH"];
    NAMES.contains(&name) || ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// Whether bash takes the value of a variable for arithmetic.
pub(crate) fn is_number(name: &str) -> bool {
    matches!(
        name,
        "HISTCMD" | "OPTIND" | "RANDOM" | "SECONDS" | "SRANDOM"
    )
}

/// Splits `NAME=value`, `NAME+=value` and `NAME[…]=value` into the name and the place where the
/// value starts.
pub(crate) fn split_assignment(text: &str) -> Option<(&str, usize)> {
    let bytes = text.as_bytes();
    let length = name_length(bytes);
    if length == 0 {
        return None;
    }
    let mut at = length;
    if bytes.get(at) == Some(&b'[') {
        at = text.find("]=").or_else(|| text.find("]+="))? + 1;
    }
    if bytes.get(at) == Some(&b'+') {
        at += 1;
    }
    (bytes.get(at) == Some(&b'=')).then(|| (&text[..length], at + 1))
}

/// How many bytes at the start are the name of a variable.
pub(crate) fn name_length(bytes: &[u8]) -> usize {
    if bytes.first().is_none_or(u8::is_ascii_digit) {
        return 0;
    }
    bytes
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_')
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_are_found_and_others_are_not() {
        for name in [
            "PATH",
            "BASHOPTS",
            "XDG_CONFIG_HOME",
            "ZDOTDIR",
            "LD_PRELOAD",
            "BASH_FUNC_ls%%",
        ] {
            assert!(controls_the_shell(name), "{name}");
        }
        for name in ["USER", "IFS", "PATHS", "EDITOR"] {
            assert!(!controls_the_shell(name), "{name}");
        }
        assert!(holds_a_command("BROWSER") && holds_a_command("VISUAL"));
    }

    #[test]
    fn an_assignment_is_split_behind_its_equals_sign() {
        assert_eq!(split_assignment("A=b=c"), Some(("A", 2)));
        assert_eq!(split_assignment("A+=b"), Some(("A", 3)));
        assert_eq!(split_assignment("A[1]=b"), Some(("A", 5)));
        for text in ["=b", "1=b", "A", "A b=c", "-A=b", "A[1]"] {
            assert_eq!(split_assignment(text), None, "{text}");
        }
    }
}
