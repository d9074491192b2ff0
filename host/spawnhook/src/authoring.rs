//! For authors of hooks: a hook alone, with the limits and rights of production.
//!
//! A [`Setup`] says which component is tried and as what; a [`Workbench`] has it loaded and makes
//! single calls of it. Everything else is built on these: fixtures that are kept beside the hook
//! ([`fixtures`]), cases that are made up ([`fuzz`]), measures ([`measure`]) and new projects
//! ([`scaffold`]).

mod decision;
pub mod fixtures;
pub mod fuzz;
mod input;
mod invariants;
pub mod junit;
pub mod measure;
pub mod needs;
pub mod scaffold;
mod setup;
mod shell_syntax;
mod workbench;

pub use crate::difference::difference;
pub use decision::Decision;
pub use input::Input;
pub use invariants::{Invariant, Invariants, Violation};
pub use setup::Setup;
pub use shell_syntax::ShellSyntax;
pub use workbench::{Observation, Workbench, WorkbenchError};
