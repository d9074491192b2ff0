//! What fuzzers call, with bytes that mean anything; each function panics where the code is wrong.

mod answer;
mod chain;
mod guests;
mod load;
mod returned;
#[cfg(test)]
mod tests;

pub use answer::answer;
pub use chain::chain;
pub use load::load;
pub use returned::returned;
