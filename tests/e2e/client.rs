//! A client of a server that speaks JSON Lines: it writes lines, and everything that comes is
//! kept until somebody asks for it.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ExitStatus, Stdio};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Instant;

use serde_json::Value;

use super::case::{Case, PATIENCE};

/// A server and the client's ends of its streams.
#[derive(Debug)]
pub(crate) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    lines: Arc<Lines>,
}

/// What has come, in order. Lines that were asked for are gone.
#[derive(Debug, Default)]
struct Lines {
    waiting: Mutex<Waiting>,
    arrived: Condvar,
}

#[derive(Debug, Default)]
struct Waiting {
    lines: Vec<Value>,
    is_over: bool,
}

impl Client {
    pub(crate) fn start(case: Case<'_>) -> Self {
        let mut client = Self::without_reading(case);
        let output = client.child.stdout.take().unwrap();
        let lines = client.lines.clone();
        drop(thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                let line = line.unwrap();
                let value = serde_json::from_str(&line);
                let value = value.unwrap_or_else(|error| panic!("{error}: {line}"));
                lines.waiting.lock().unwrap().lines.push(value);
                lines.arrived.notify_all();
            }
            lines.waiting.lock().unwrap().is_over = true;
            lines.arrived.notify_all();
        }));
        client
    }

    /// Nobody reads what the server writes.
    pub(crate) fn without_reading(case: Case<'_>) -> Self {
        let mut command = case.into_command();
        command.stdin(Stdio::piped()).stderr(Stdio::inherit());
        let mut child = command.spawn().unwrap();
        Self {
            input: child.stdin.take(),
            child,
            lines: Arc::default(),
        }
    }

    pub(crate) fn pid(&self) -> String {
        self.child.id().to_string()
    }

    pub(crate) fn send(&mut self, value: &Value) -> &mut Self {
        self.send_text(&format!("{value}\n"))
    }

    pub(crate) fn send_text(&mut self, text: &str) -> &mut Self {
        let input = self.input.as_mut().unwrap();
        input.write_all(text.as_bytes()).unwrap();
        self
    }

    pub(crate) fn close_input(&mut self) -> &mut Self {
        self.input = None;
        self
    }

    pub(crate) fn close_output(&mut self) -> &mut Self {
        self.child.stdout = None;
        self
    }

    /// The first line that is so, and all before it stay.
    #[track_caller]
    pub(crate) fn next(&self, what: &str, is_meant: impl Fn(&Value) -> bool) -> Value {
        let until = Instant::now() + PATIENCE;
        let mut waiting = self.lines.waiting.lock().unwrap();
        loop {
            if let Some(at) = waiting.lines.iter().position(&is_meant) {
                return waiting.lines.remove(at);
            }
            let left = until.saturating_duration_since(Instant::now());
            assert!(
                !left.is_zero() && !waiting.is_over,
                "waited in vain for {what} among {:#?}",
                waiting.lines
            );
            waiting = self.lines.arrived.wait_timeout(waiting, left).unwrap().0;
        }
    }

    /// What has come and nobody has asked for.
    pub(crate) fn rest(&self) -> Vec<Value> {
        std::mem::take(&mut self.lines.waiting.lock().unwrap().lines)
    }

    /// Everything that nobody has asked for, once the server has closed its output.
    #[track_caller]
    pub(crate) fn rest_to_the_end(&self) -> Vec<Value> {
        let until = Instant::now() + PATIENCE;
        let mut waiting = self.lines.waiting.lock().unwrap();
        while !waiting.is_over {
            let left = until.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "the server goes on");
            waiting = self.lines.arrived.wait_timeout(waiting, left).unwrap().0;
        }
        std::mem::take(&mut waiting.lines)
    }

    pub(crate) fn ended(&mut self) -> ExitStatus {
        self.child.wait().unwrap()
    }
}

impl Drop for Client {
    /// A test that fails leaves no server.
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
