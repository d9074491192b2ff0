//! What agents put around the command of their model before they hand it to a shell: where their
//! snapshot of a shell is read first, or the directory is told afterwards.
//!
//! Only the inner text is the model's, and only that says what is going to be done; so it is what
//! hooks rewrite and judge. Then it goes back to where it was, quoted as it was. An agent is
//! believed to be the one whose wrapping this is by who calls, and not by the text: a model that
//! writes a wrapping of its own would have what is outside of it judged by nobody. A text that is
//! not byte for byte what [`Wrapping::wrap`] makes of its inner text has no wrapping.

mod claude;
mod codex;
mod gemini;
mod scanner;

use spawnhook_model::Env;

use scanner::Quoting;

/// The agents whose wrapping is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agent {
    /// Claude Code.
    Claude,
    /// Codex CLI.
    Codex,
    /// Gemini CLI.
    Gemini,
}

impl Agent {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Claude, Self::Codex, Self::Gemini];

    /// Those that have started a process with this environment. Agents say so in the environment
    /// of what they start; one that runs in another has what both say.
    pub fn of(environment: &Env) -> Vec<Self> {
        let says = |agent: &Self| match agent {
            Self::Claude => environment
                .get("CLAUDECODE")
                .is_some_and(|value| value == "1"),
            Self::Codex => environment.get("CODEX_THREAD_ID").is_some(),
            Self::Gemini => environment
                .get("GEMINI_CLI")
                .is_some_and(|value| value == "1"),
        };
        Self::ALL.into_iter().filter(says).collect()
    }
}

/// What stands around a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrapping {
    before: String,
    inside: Inside,
    after: String,
}

/// How the command stands inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inside {
    /// As one quoted word.
    Word(Quoting),
    /// As it is, on lines of its own.
    Lines,
    /// As it is, on a line with others: what ends it is added unless it ends with `&`.
    Part,
}

impl Wrapping {
    /// The wrapping that one of `agents` has put around a command, and the command.
    pub fn of(agents: &[Agent], text: &str) -> Option<(Self, String)> {
        let found = agents.iter().find_map(|agent| match agent {
            Agent::Claude => claude::unwrap(text),
            Agent::Codex => codex::unwrap(text),
            Agent::Gemini => gemini::unwrap(text),
        });
        found.filter(|(wrapping, inner)| !inner.trim().is_empty() && wrapping.wrap(inner) == text)
    }

    /// Puts it around another command.
    pub fn wrap(&self, inner: &str) -> String {
        let Self {
            before,
            inside,
            after,
        } = self;
        match inside {
            Inside::Word(quoting) => format!("{before}{}{after}", quoting.quote(inner)),
            Inside::Part if !inner.ends_with('&') => format!("{before}{inner};{after}"),
            Inside::Part | Inside::Lines => format!("{before}{inner}{after}"),
        }
    }
}

#[cfg(test)]
mod tests;
