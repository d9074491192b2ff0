use std::fmt;
use std::path::PathBuf;
use std::time::SystemTime;

use crate::Timeout;

/// The facts of one call; they stay the same from the request to the last audit record.
#[derive(Clone, Debug)]
pub struct Call {
    /// Names this call in every hook, event and audit record.
    pub id: String,
    /// The front end that the call came from.
    pub origin: Origin,
    /// The command as it was asked for, before the prefix and before every hook.
    pub requested: String,
    /// The operator's prefix with the newline that ends it, as it stood at the head of the
    /// command before every hook; empty if there is none.
    pub prefix: String,
    /// The root of the workspace, an absolute path.
    pub workspace: PathBuf,
    /// The time limit that applies, if one does.
    pub timeout: Option<Timeout>,
    /// When the call was accepted.
    pub started: SystemTime,
    /// What is known of the agent's session.
    pub session: Session,
}

/// The front end that a call came from.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Origin {
    /// The command line: `spawnhook run`.
    Cli,
    /// The JSON Lines server.
    Rpc,
    /// The MCP server.
    Mcp,
    /// The binary in the place of a shell.
    Shell,
    /// The hook of the agent of this name.
    Agent(String),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cli => f.write_str("cli"),
            Self::Rpc => f.write_str("rpc"),
            Self::Mcp => f.write_str("mcp"),
            Self::Shell => f.write_str("shell"),
            Self::Agent(name) => write!(f, "agent:{name}"),
        }
    }
}

/// What is known of the agent's session. Every fact is optional.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Session {
    /// The session's id.
    pub id: Option<String>,
    /// The file that the session is kept in; none for one that is not kept.
    pub file: Option<String>,
    /// Who serves the model.
    pub provider: Option<String>,
    /// The model's name.
    pub model: Option<String>,
    /// `off`, `minimal`, `low`, `medium`, `high`, `xhigh` or `max`.
    pub reasoning_level: Option<String>,
}

impl Session {
    /// The names of the facts, as hooks and session variables know them.
    pub const FACTS: [&'static str; 5] = ["id", "file", "provider", "model", "reasoning-level"];

    /// The fact of this name; none where it is unknown, as is any name not in [`Self::FACTS`].
    pub fn fact(&self, name: &str) -> Option<&str> {
        match name {
            "id" => self.id.as_deref(),
            "file" => self.file.as_deref(),
            "provider" => self.provider.as_deref(),
            "model" => self.model.as_deref(),
            "reasoning-level" => self.reasoning_level.as_deref(),
            _ => None,
        }
    }

    /// Where the fact of this name is kept; none for a name not in [`Self::FACTS`].
    pub fn fact_mut(&mut self, name: &str) -> Option<&mut Option<String>> {
        match name {
            "id" => Some(&mut self.id),
            "file" => Some(&mut self.file),
            "provider" => Some(&mut self.provider),
            "model" => Some(&mut self.model),
            "reasoning-level" => Some(&mut self.reasoning_level),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fact_that_is_named_can_be_kept_and_read() {
        let mut session = Session::default();
        for name in Session::FACTS {
            *session.fact_mut(name).unwrap() = Some(format!("{name} of the test"));
        }
        for name in Session::FACTS {
            assert_eq!(session.fact(name), Some(&*format!("{name} of the test")));
        }
        assert_eq!(session.fact("cost"), None);
    }
}
