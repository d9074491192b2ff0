//! Where an agent keeps its hooks, and what stands there for ours. No I/O.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde_json::{Value, json};

use crate::cli::agent_hook::dialect::Agent;

/// How many seconds longer the agent waits for an answer than it takes at most.
const SLACK_SECONDS: u64 = 5;

/// Whose sessions a hook is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Scope {
    /// Those of everybody in this project
    Project,
    /// All of this user's
    User,
}

/// The folder of an agent in a home or in a project.
pub(super) fn folder(agent: Agent, scope: Scope) -> &'static str {
    match (agent, scope) {
        (Agent::Claude, _) => ".claude",
        (Agent::Codex, _) => ".codex",
        (Agent::Gemini, _) => ".gemini",
        (Agent::Cursor, _) => ".cursor",
        (Agent::Copilot, Scope::Project) => ".github",
        (Agent::Copilot, Scope::User) => ".copilot",
    }
}

/// The variable that names another folder than that in the home.
pub(super) fn folder_variable(agent: Agent) -> Option<&'static str> {
    match agent {
        Agent::Claude => Some("CLAUDE_CONFIG_DIR"),
        Agent::Codex => Some("CODEX_HOME"),
        Agent::Copilot => Some("COPILOT_HOME"),
        Agent::Gemini | Agent::Cursor => None,
    }
}

/// The settings file in its folder.
pub(super) fn file(agent: Agent, folder: &Path) -> PathBuf {
    folder.join(match agent {
        Agent::Claude | Agent::Gemini => "settings.json",
        Agent::Codex | Agent::Cursor => "hooks.json",
        Agent::Copilot => "hooks/spawnhook.json",
    })
}

/// What stands at the top of a file that has only hooks in it.
pub(super) fn version(agent: Agent) -> Option<u64> {
    matches!(agent, Agent::Cursor | Agent::Copilot).then_some(1)
}

/// Whether its settings are JSON with comments. Most agents take them for broken.
pub(super) fn takes_comments(agent: Agent) -> bool {
    agent == Agent::Gemini
}

/// A command line, for an agent that starts programs or for one that has a shell do it.
pub(super) struct Line {
    pub(super) words: Vec<String>,
    pub(super) quoted: String,
    /// In fewer seconds it answers.
    pub(super) within: u64,
}

/// An event, and what stands in the list of its hooks.
pub(super) type Entry = (&'static str, Value);

/// What is to stand in the file. `rewrites` says whether a command may become another.
pub(super) fn entries(agent: Agent, line: &Line, rewrites: bool) -> Vec<Entry> {
    let (program, arguments) = line
        .words
        .split_first()
        .expect("a command line has a program");
    let quoted = &line.quoted;
    let timeout = line.within + SLACK_SECONDS;
    match agent {
        // what goes wrong with the hook blocks, in builds that know the word
        Agent::Claude => vec![(
            "PreToolUse",
            json!({ "matcher": "Bash", "hooks": [{
                "type": "command", "command": program, "args": arguments,
                "timeout": timeout, "onFailure": "block",
            }] }),
        )],
        Agent::Codex => vec![(
            "PreToolUse",
            json!({ "matcher": "^Bash$", "hooks": [{
                "type": "command", "command": quoted, "timeout": timeout,
            }] }),
        )],
        Agent::Gemini => vec![(
            "BeforeTool",
            json!({ "matcher": "^run_shell_command$", "hooks": [{
                "name": "spawnhook", "type": "command", "command": quoted,
                "timeout": timeout * 1000,
            }] }),
        )],
        Agent::Cursor => cursor(quoted, timeout, rewrites),
        Agent::Copilot => vec![(
            "preToolUse",
            json!({
                "type": "command", "exec": program, "args": arguments, "matcher": "bash",
                "timeoutSec": timeout,
            }),
        )],
    }
}

/// Of its two events one cannot ask and the other cannot rewrite.
fn cursor(quoted: &str, timeout: u64, rewrites: bool) -> Vec<Entry> {
    let decide = json!({ "command": quoted, "timeout": timeout, "failClosed": true });
    let rewrite = json!({
        "command": quoted, "matcher": "Shell", "timeout": timeout, "failClosed": true,
    });
    let mut entries = vec![("beforeShellExecution", decide)];
    if rewrites {
        entries.push(("preToolUse", rewrite));
    }
    entries
}

/// What the agent starts for a hook, if this program stands in it as the hook of this agent.
pub(super) fn words(agent: Agent, handler: &Value) -> Option<Started> {
    let text = |name: &str| handler.get(name).and_then(Value::as_str);
    let started = match (text("exec").or(text("command")), handler.get("args")) {
        (Some(program), Some(Value::Array(arguments))) => {
            let arguments = arguments.iter().filter_map(Value::as_str);
            let words = std::iter::once(program).chain(arguments);
            Started::Words(words.map(str::to_owned).collect())
        }
        (Some(line), _) => Started::Line(line.to_owned()),
        (None, _) => Started::Line(text("bash")?.to_owned()),
    };
    is_ours(agent, &started.words()).then_some(started)
}

fn is_ours(agent: Agent, words: &[String]) -> bool {
    let [program, command, name, ..] = words else {
        return false;
    };
    let program = Path::new(program)
        .file_name()
        .and_then(|name| name.to_str());
    program.is_some_and(|name| name.starts_with("spawnhook"))
        && command == "agent-hook"
        && name == agent.name()
}

/// How an agent starts a hook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Started {
    /// The program by itself.
    Words(Vec<String>),
    /// By a shell.
    Line(String),
}

impl Started {
    pub(super) fn words(&self) -> Vec<String> {
        match self {
            Self::Words(words) => words.clone(),
            Self::Line(line) => shlex::split(line).unwrap_or_default(),
        }
    }
}
