//! The program as its users have it: one binary of end-to-end tests.

#![expect(
    missing_docs,
    clippy::disallowed_methods,
    reason = "a test's name says what it does, and tests start programs in an environment of their own"
)]

mod e2e {
    mod audit;
    mod case;
    mod config;
    mod env;
    mod hooks;
    mod hostile;
    mod output;
    mod plugin;
    mod project;
    mod run;
}
