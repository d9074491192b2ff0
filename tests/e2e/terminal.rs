//! Cases on a terminal of their own.

use std::process::{Command, Stdio};

use super::case::{Case, in_tests};

/// Runs a case on a terminal, types `steps` when what stands before them is shown, and returns the
/// exit code and what was shown.
pub(crate) fn on_a_terminal(case: Case<'_>, steps: &[(&str, &str)]) -> (i32, String) {
    let command = case.into_command();
    let mut python = Command::new("python3");
    python
        .arg(in_tests("terminal.py"))
        .arg(serde_json::to_string(steps).unwrap())
        .arg(command.get_program())
        .args(command.get_args())
        .current_dir(command.get_current_dir().unwrap())
        .env_clear()
        .stdin(Stdio::null());
    for (name, value) in command.get_envs() {
        python.env(name, value.unwrap());
    }
    let output = python.output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(error, "", "of the terminal");
    let shown = String::from_utf8(output.stdout).unwrap().replace('\r', "");
    (output.status.code().unwrap(), shown)
}
