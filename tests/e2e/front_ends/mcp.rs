use serde_json::{Value, json};

use super::super::case::{Machine, wait_until};
use super::super::mcp::Mcp;
use super::{Command, FrontEnd};

/// One server for all commands.
pub(super) struct Calls<'a> {
    machine: &'a Machine,
    mcp: Mcp,
}

impl<'a> Calls<'a> {
    pub(super) fn new(machine: &'a Machine) -> Self {
        let mcp = Mcp::start(machine);
        Self { machine, mcp }
    }
}

impl FrontEnd for Calls<'_> {
    /// A call that its client has given up is not answered.
    fn run(&mut self, command: &Command) -> Option<Value> {
        let mut arguments = json!({"command": command.text});
        if let Some(cwd) = command.cwd {
            arguments["cwd"] = json!(cwd);
        }
        let id = self.mcp.start_call("bash", arguments);
        if command.is_cancelled {
            wait_until("it has started", || {
                self.machine.path("workspace/started").exists()
            });
            self.mcp.cancel(id);
            return None;
        }
        let mut answer = self.mcp.answer(id);
        Some(answer["result"]["structuredContent"].take())
    }
}
