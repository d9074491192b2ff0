//! Judges the commands that a shell text would run, by rules.
//!
//! ```
//! use spawnhook_policy::{Facts, Policy, Verdict};
//!
//! let settings = r#"{"allowed": ["git", "npm"]}"#;
//! let policy = Policy::from_json(settings).unwrap();
//! let facts = Facts { origin: "cli", workspace: "/project", cwd: "/project" };
//! assert_eq!(policy.judge("git status && npm test", "", &facts).verdict, Verdict::Allow);
//! let judgement = policy.judge("git status && touch x", "", &facts);
//! assert_eq!(
//!     judgement.reason(),
//!     "`touch x`: no rule allows it; the allowed programs are git, npm"
//! );
//! ```
//!
//! [`Policy::judge`] is what the hook `command-policy` does; [`Judgement::explain`] shows it part
//! by part.

mod evaluate;
mod explain;
mod folders;
mod glob;
mod judgement;
mod policy;
mod rule;
mod shown;
mod verdict;

pub use explain::{ExplainedPart, ExplainedTarget, ExplainedUnknown, Explanation};
pub use judgement::{Finding, Judgement, Subject};
pub use policy::Policy;
pub use verdict::Verdict;

/// What a judgement needs to know beside the text.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    /// Where the command came from: `cli`, `rpc`, `mcp`, `shell` or `agent:<name>`.
    pub origin: &'a str,
    /// The workspace's root: an absolute path.
    pub workspace: &'a str,
    /// The working directory: an absolute path.
    pub cwd: &'a str,
}
