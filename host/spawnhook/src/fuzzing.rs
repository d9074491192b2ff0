//! What fuzzers call, with bytes that mean anything; each function panics where the code is wrong.

mod audit;
mod config;
#[cfg(test)]
mod tests;

pub use audit::audit;
pub use config::config;
