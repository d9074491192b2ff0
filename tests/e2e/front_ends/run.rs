use serde_json::Value;

use super::super::case::{Machine, wait_until};
use super::super::heart::signal_to;
use super::{Command, FrontEnd};

/// `spawnhook run`, once for each command.
pub(super) struct Run<'a> {
    machine: &'a Machine,
}

impl<'a> Run<'a> {
    pub(super) fn new(machine: &'a Machine) -> Self {
        Self { machine }
    }
}

impl FrontEnd for Run<'_> {
    fn run(&mut self, command: &Command) -> Option<Value> {
        let mut case = self.machine.json(&command.text);
        if let Some(cwd) = command.cwd {
            case = case.with(&["--cwd", cwd]);
        }
        let child = case.start();
        if command.is_cancelled {
            wait_until("it has started", || {
                self.machine.path("workspace/started").exists()
            });
            signal_to("-INT", &child.id().to_string());
        }
        let output = child.wait_with_output().unwrap();
        Some(serde_json::from_slice(&output.stdout).unwrap())
    }
}
