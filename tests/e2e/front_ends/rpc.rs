use serde_json::{Value, json};

use super::super::case::{Machine, wait_until};
use super::super::client::Client;
use super::{Command, FrontEnd};

/// One server for all commands.
pub(super) struct Rpc<'a> {
    machine: &'a Machine,
    client: Client,
}

impl<'a> Rpc<'a> {
    pub(super) fn new(machine: &'a Machine) -> Self {
        let client = Client::start(machine.case(["rpc"]));
        Self { machine, client }
    }
}

impl FrontEnd for Rpc<'_> {
    fn run(&mut self, command: &Command) -> Option<Value> {
        let mut request = json!({"id": "1", "type": "bash", "command": command.text});
        if let Some(cwd) = command.cwd {
            request["cwd"] = json!(cwd);
        }
        self.client.send(&request);
        if command.is_cancelled {
            wait_until("it has started", || {
                self.machine.path("workspace/started").exists()
            });
            self.client
                .send(&json!({"id": "2", "type": "abort_bash", "bashId": "1"}));
        }
        let mut end = self
            .client
            .next("its end", |line| line["type"] == "bash_execution_end");
        self.client.next("the answer", |line| {
            line["type"] == "response" && line["id"] == "1"
        });
        Some(end["result"].take())
    }
}
