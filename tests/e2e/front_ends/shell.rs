use std::process::Stdio;

use serde_json::Value;

use super::super::case::{Machine, wait_until};
use super::super::heart::signal_to;
use super::{Command, FrontEnd};

/// `spawnhook -c`, once for each command.
pub(super) struct Shell<'a> {
    machine: &'a Machine,
}

impl<'a> Shell<'a> {
    pub(super) fn new(machine: &'a Machine) -> Self {
        Self { machine }
    }
}

impl FrontEnd for Shell<'_> {
    /// A shell tells nothing but how its command ended.
    fn run(&mut self, command: &Command) -> Option<Value> {
        // Without `--` a command with a dash in front would be an option, as of any shell.
        let case = self.machine.case(["-c", "--", &command.text]);
        let mut shell = case.into_command();
        if let Some(cwd) = command.cwd {
            shell.current_dir(self.machine.workspace().join(cwd));
        }
        shell.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = shell.spawn().unwrap();
        if command.is_cancelled {
            wait_until("it has started", || {
                self.machine.path("workspace/started").exists()
            });
            signal_to("-TERM", &child.id().to_string());
        }
        child.wait().unwrap();
        None
    }
}
