//! The builtins of shells.

/// Builtins that start nothing and change nothing but the shell itself.
pub(crate) fn changes_only_the_shell(name: &str) -> bool {
    const NAMES: [&str; 44] = [
        ":",
        "[",
        "break",
        "caller",
        "cd",
        "continue",
        "declare",
        "dirs",
        "disown",
        "echo",
        "exit",
        "export",
        "false",
        "fg",
        "getopts",
        "hash",
        "help",
        "jobs",
        "let",
        "local",
        "logout",
        "mapfile",
        "popd",
        "printf",
        "pushd",
        "pwd",
        "read",
        "readarray",
        "readonly",
        "return",
        "set",
        "shift",
        "shopt",
        "suspend",
        "test",
        "times",
        "trap",
        "true",
        "type",
        "typeset",
        "ulimit",
        "umask",
        "unset",
        "wait",
    ];
    NAMES.binary_search(&name).is_ok()
}

/// Builtins whose arguments are names of variables, with or without values.
pub(crate) fn declares(name: &str) -> bool {
    matches!(
        name,
        "declare" | "export" | "local" | "readonly" | "typeset"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_found() {
        for name in [
            ":", "[", "cd", "echo", "hash", "unset", "wait", "mapfile", "test",
        ] {
            assert!(changes_only_the_shell(name), "{name}");
        }
        for name in ["kill", "eval", "source", "exec", "git"] {
            assert!(!changes_only_the_shell(name), "{name}");
        }
    }
}
