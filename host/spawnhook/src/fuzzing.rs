//! What fuzzers call, with bytes that mean anything; each function panics where the code is wrong.

mod audit;
mod config;
mod policy;
#[cfg(test)]
mod tests;

pub use audit::audit;
pub use config::config;
pub use policy::policy;
