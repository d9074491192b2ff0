//! What fuzzers call, with bytes that mean anything; each function panics where the code is wrong.

mod lifecycle;
mod output;
#[cfg(test)]
mod tests;

pub use lifecycle::lifecycle;
pub use output::output;
