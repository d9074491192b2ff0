mod budget;
mod limiter;

pub(crate) use self::budget::{Budget, OverBudget};
pub(crate) use self::limiter::{Limiter, Refused, Resource};

/// Core instances of one component: toolchains make two to four, CPython's some thirty.
pub(crate) const INSTANCES: usize = 64;
/// Linear memories of one component: one for each language in it, and one for an adapter.
pub(crate) const MEMORIES: usize = 8;
/// Tables of one component: one for each module, with room for composed components.
pub(crate) const TABLES: usize = 32;
/// Elements of all tables together: CPython's function table has some 10 000.
pub(crate) const TABLE_ELEMENTS: usize = 100_000;
/// Handles of resources that live at one time, in the component and in the host.
pub(crate) const HANDLES: usize = 256;
/// Bytes that a hook gets from `wasi:random` at once.
pub(crate) const RANDOM_BYTES: u64 = 64 << 10;
