//! The server that speaks the Model Context Protocol.

use serde_json::{Value, json};

use super::case::{Case, Machine};
use super::client::Client;

mod calls;
mod crowd;
mod handles;
mod questions;

/// A client of the protocol that does what it is told and no more.
pub(super) struct Mcp {
    client: Client,
    requests: u64,
    /// What goes along with every request, where there is no handshake.
    meta: Value,
}

impl Mcp {
    /// A client without capabilities.
    pub(super) fn start(machine: &Machine) -> Self {
        Self::with(machine, &[], json!({}))
    }

    /// A client with these capabilities, of a server with these options.
    fn with(machine: &Machine, options: &[&str], capabilities: Value) -> Self {
        Self::of(machine.case(["mcp"]).with(options), capabilities)
    }

    /// A client of the server that a case starts.
    fn of(case: Case<'_>, capabilities: Value) -> Self {
        let mut mcp = Self {
            client: Client::start(case),
            requests: 0,
            meta: json!({}),
        };
        let initialize = mcp.request(
            "initialize",
            json!({
                "protocolVersion": "2025-06-18",
                "capabilities": capabilities,
                "clientInfo": {"name": "test", "version": "1"},
            }),
        );
        let answer = mcp.answer(initialize);
        assert_eq!(answer["result"]["protocolVersion"], "2025-06-18");
        mcp.notify("notifications/initialized", json!({}));
        mcp
    }

    /// Sends a request and returns its id.
    fn request(&mut self, method: &str, mut params: Value) -> u64 {
        self.requests += 1;
        let meta = params.as_object_mut().unwrap().entry("_meta");
        let meta = meta.or_insert_with(|| json!({})).as_object_mut().unwrap();
        meta.extend(self.meta.as_object().unwrap().clone());
        self.client.send(&json!({
            "jsonrpc": "2.0", "id": self.requests, "method": method, "params": params,
        }));
        self.requests
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.client
            .send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Starts a call and returns its id.
    pub(super) fn start_call(&mut self, tool: &str, arguments: Value) -> u64 {
        self.request("tools/call", json!({"name": tool, "arguments": arguments}))
    }

    #[track_caller]
    pub(super) fn answer(&self, id: u64) -> Value {
        self.client.next(&format!("the answer to {id}"), |line| {
            line["id"] == id && line.get("method").is_none()
        })
    }

    /// Calls a tool and returns the result.
    #[track_caller]
    fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let id = self.start_call(tool, arguments);
        let answer = self.answer(id);
        assert!(answer.get("error").is_none(), "{answer}");
        answer["result"].clone()
    }

    pub(super) fn cancel(&mut self, id: u64) {
        self.notify("notifications/cancelled", json!({"requestId": id}));
    }
}

/// The text of a result.
fn text(result: &Value) -> &str {
    assert_eq!(result["content"].as_array().unwrap().len(), 1);
    result["content"][0]["text"].as_str().unwrap()
}
