//! What agents say to their hooks and what they understand of the answers. No I/O.

use std::path::PathBuf;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use spawnhook_model::Session;

mod claude;
mod codex;
mod copilot;
mod cursor;
mod gemini;
mod input;

pub(super) use input::BadInput;

/// The agents whose hooks this program can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Agent {
    /// Claude Code
    Claude,
    /// Codex CLI
    Codex,
    /// Gemini CLI
    Gemini,
    /// Cursor
    Cursor,
    /// GitHub Copilot CLI
    Copilot,
}

/// What an agent has told.
pub(super) enum Input {
    /// It wants to run a command.
    Shell(Box<ShellCall>),
    /// Something else, which hooks of commands have no opinion about.
    NotOurs,
}

/// A command that an agent wants to run.
pub(super) struct ShellCall {
    pub(super) command: String,
    /// Where; the agent's own directory if it says nothing.
    pub(super) cwd: Option<PathBuf>,
    /// The agent's own limit, in seconds.
    pub(super) timeout: Option<f64>,
    pub(super) session: Session,
    /// The root of the workspace, if the agent says.
    pub(super) workspace: Option<PathBuf>,
    /// The tool's input as it came, `command` among it.
    pub(super) arguments: Map<String, Value>,
    pub(super) event: Box<dyn Event>,
}

/// What an event of a dialect can be answered.
pub(super) trait Event {
    /// Whether the agent asks its user when it is told to.
    fn asks(&self) -> bool {
        true
    }

    /// Whether the agent runs another command when it is told to.
    fn rewrites(&self) -> bool {
        true
    }

    /// Whether an answer is the agent's last question about the command.
    fn is_last(&self) -> bool {
        true
    }

    /// The argument of the tool that says where the command runs, if there is one.
    fn cwd_argument(&self) -> Option<&'static str> {
        None
    }

    /// The document that says so; none where silence does.
    fn document(&self, answer: &Answer) -> Option<Value>;
}

/// What hooks have to say about a command.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) decision: Decision,
    /// For people and models; not empty unless the decision is [`Decision::Defer`] or
    /// [`Decision::Allow`] and nothing was rewritten.
    pub(super) reason: String,
    /// The whole input of the tool, if another command is to run than the one that was asked about.
    pub(super) arguments: Option<Map<String, Value>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decision {
    /// No opinion: the agent's own rules hold.
    Defer,
    /// It may run, without the agent's asking.
    Allow,
    /// The agent's user is to be asked.
    Ask,
    /// It must not run.
    Deny,
}

/// What is printed, and how the hook exits.
#[derive(Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
pub(super) struct Reply {
    pub(super) stdout: String,
    pub(super) stderr: String,
    pub(super) code: u8,
}

/// Every agent takes this exit code for a denial, if stderr says why.
pub(crate) const DENIES: u8 = 2;

impl Agent {
    /// As the command line and origins have it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::Cursor => "cursor",
            Self::Copilot => "copilot",
        }
    }

    /// As its maker has it.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Claude => "Claude Code",
            Self::Codex => "Codex",
            Self::Gemini => "Gemini CLI",
            Self::Cursor => "Cursor",
            Self::Copilot => "Copilot",
        }
    }

    /// The variable of its hooks that has the root of the workspace.
    pub(super) fn workspace_variable(self) -> Option<&'static str> {
        match self {
            Self::Claude => Some("CLAUDE_PROJECT_DIR"),
            Self::Gemini => Some("GEMINI_PROJECT_DIR"),
            Self::Codex | Self::Cursor | Self::Copilot => None,
        }
    }

    /// Reads what it has told.
    pub(super) fn parse(self, input: &[u8]) -> Result<Input, BadInput> {
        let object = input::object(input)?;
        match self {
            Self::Claude => claude::parse(object),
            Self::Codex => codex::parse(object),
            Self::Gemini => gemini::parse(object),
            Self::Cursor => cursor::parse(object),
            Self::Copilot => copilot::parse(object),
        }
    }

    /// A denial of something that nobody knows what it is.
    pub(super) fn denial(self, reason: &str) -> Reply {
        let answer = Answer::deny(reason);
        let event: &dyn Event = match self {
            Self::Claude => &claude::PreToolUse::default(),
            Self::Codex => &codex::PreToolUse,
            Self::Gemini => &gemini::BeforeTool,
            Self::Cursor => &cursor::BeforeShellExecution,
            // its two dialects have no denial in common but this
            Self::Copilot => {
                return Reply {
                    code: DENIES,
                    ..Reply::of(None, &answer)
                };
            }
        };
        Reply::of(event.document(&answer), &answer)
    }
}

impl Answer {
    pub(super) fn deny(reason: &str) -> Self {
        Self {
            decision: Decision::Deny,
            reason: reason.to_owned(),
            arguments: None,
        }
    }
}

impl Reply {
    /// A document and nothing else, and exit code 0: the one form of a denial that every agent
    /// honours on every system. The reason stands on stderr as well.
    pub(super) fn of(document: Option<Value>, answer: &Answer) -> Self {
        Self {
            stdout: document.map_or_else(String::new, |document| format!("{document}\n")),
            stderr: match answer.decision {
                Decision::Deny => format!("spawnhook: {}\n", answer.reason),
                _ => String::new(),
            },
            code: 0,
        }
    }
}

/// `hookSpecificOutput` as Claude Code has it, and as others have taken it over.
fn hook_specific_output(
    decision: Option<&str>,
    reason: &str,
    arguments: Option<&Map<String, Value>>,
) -> Value {
    let mut output = Map::new();
    output.insert("hookEventName".to_owned(), "PreToolUse".into());
    if let Some(decision) = decision {
        output.insert("permissionDecision".to_owned(), decision.into());
        if !reason.is_empty() {
            output.insert("permissionDecisionReason".to_owned(), reason.into());
        }
    }
    if let Some(arguments) = arguments {
        output.insert("updatedInput".to_owned(), arguments.clone().into());
    }
    serde_json::json!({ "hookSpecificOutput": output })
}

#[cfg(test)]
mod tests;
