//! The program as its users have it: one binary of end-to-end tests.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test's name says what it does, and tests start programs in an environment of their own"
)]

mod e2e {
    #[path = "../guests/guest.rs"]
    mod guests;

    mod agent_hook;
    mod agent_hook_failures;
    mod agent_hook_setup;
    mod agent_hook_ticket;
    mod ask;
    mod audit;
    mod audit_crashes;
    mod audit_report;
    mod audit_rotation;
    mod audit_show;
    mod audit_syslog;
    mod audit_verify;
    mod cache;
    mod case;
    mod client;
    mod command_policy;
    mod config;
    mod conformance;
    mod cwd;
    mod differential;
    mod env;
    mod events;
    mod examples;
    mod front_ends;
    mod heart;
    mod hooks;
    mod hostile;
    mod loading;
    mod mcp;
    mod output;
    mod plugin;
    mod plugin_fuzz;
    mod plugin_new;
    mod plugin_run;
    mod plugin_test;
    mod policy;
    mod project;
    mod rights;
    mod rpc;
    mod run;
    mod server;
    mod shell;
    mod streams;
    mod survivors;
    mod terminal;
}
