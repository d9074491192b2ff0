use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use insta::assert_snapshot;

use super::harness::*;

#[tokio::test]
async fn a_configured_shell_that_does_not_exist_is_not_replaced() {
    let error = error_of(Some(Path::new("/no/such/shell")), spawn("true")).await;
    assert_snapshot!(error, @"Custom shell path not found: /no/such/shell");
}

#[tokio::test]
async fn a_shell_that_cannot_be_executed_is_named() {
    let error = error_of(Some(Path::new("/etc/passwd")), spawn("true")).await;
    assert_snapshot!(error, @"the shell /etc/passwd cannot be executed");
}

#[tokio::test]
async fn a_shell_without_its_interpreter_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let shell = directory.path().join("shell");
    fs::copy("/bin/sh", &shell).unwrap();
    fs::write(&shell, "#!/no/such/interpreter\n").unwrap();
    let error = error_of(Some(&shell), spawn("true")).await;
    let expected = format!("the shell {} could not be started", shell.display());
    assert_eq!(error.to_string(), expected);
}

#[tokio::test]
async fn a_variable_over_the_limit_of_the_system_is_named_with_its_size() {
    let mut spawn = spawn("true");
    spawn.env.set("BIG", "x".repeat(131_072));
    let error = error_of(None, spawn).await;
    assert_snapshot!(error, @r#"the system cannot pass on that much: the command has 4 bytes and the environment 131120, of which the variable "BIG" has 131076; a variable may have 131071 bytes with its name, everything together a quarter of the limit of the stack (ulimit -s)"#);
}

#[tokio::test]
async fn an_environment_over_the_limit_of_the_system_is_told_with_its_size() {
    let mut spawn = spawn("true");
    for number in 100..200 {
        spawn.env.set(format!("V{number}"), "x".repeat(100_000));
    }
    let error = error_of(None, spawn).await.to_string();
    assert!(
        error.contains(" the environment 10000643, of which the variable \"V199\" has 100005;"),
        "{error}"
    );
}

#[tokio::test]
async fn a_nul_byte_is_refused_with_its_place() {
    let error = error_of(None, spawn("echo a\0b")).await;
    assert_snapshot!(error, @"the command contains a NUL byte at offset 6; remove it");
    let mut spawn = spawn("true");
    spawn.env.set("V", OsStr::from_bytes(b"\0"));
    let error = error_of(None, spawn).await;
    assert_snapshot!(error, @r#"the variable "V" contains a NUL byte at offset 0; remove it"#);
}

#[tokio::test]
async fn a_name_that_no_variable_can_have_is_refused() {
    for name in ["", "A=B"] {
        let mut spawn = spawn("true");
        spawn.env.set(name, "x");
        let error = error_of(None, spawn).await.to_string();
        let expected = format!(
            "the environment has a variable named {name:?}; a name must not be empty or contain ="
        );
        assert_eq!(error, expected);
    }
}
