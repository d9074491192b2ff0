//! What is wrong in a file is said with file, line, column, key, value and what was expected.

use super::Deployment;

#[test]
fn the_text_is_no_toml() {
    let deployment = Deployment::new().user("[limits\nmax_lines = 1");
    insta::assert_snapshot!(deployment.error(), @"/home/config.toml:1:8: unclosed table, expected `]`");
}

#[test]
fn a_key_stands_twice() {
    let deployment = Deployment::new().user("shell.prefix = \"a\"\nshell.prefix = \"b\"");
    insta::assert_snapshot!(deployment.error(), @"/home/config.toml:2:7: duplicate key: `prefix`");
}

#[test]
fn a_key_is_unknown() {
    let deployment = Deployment::new().user("[limits]\nmax_lines = 1\n  limit = 5");
    insta::assert_snapshot!(deployment.error(), @"/home/config.toml:3:3: unknown key `limits.limit`, expected one of `default_timeout`, `max_timeout`, `max_lines`, `max_bytes`, `spill_quota`, `stop_grace`, `leftovers`");
}

#[test]
fn a_table_is_unknown() {
    let deployment = Deployment::new().user("[limit]\nmax_lines = 1");
    insta::assert_snapshot!(deployment.error(), @"/home/config.toml:1:2: unknown key `limit`, expected one of `locked`, `shell`, `limits`, `process`, `workspace`, `env`, `session`, `audit`, `hooks`, `hook`");
}

#[test]
fn a_table_is_a_value() {
    let deployment = Deployment::new().user("limits = 5");
    insta::assert_snapshot!(deployment.error(), @"/home/config.toml:1:10: `limits`: invalid type: integer `5`, expected a table");
}

#[test]
fn a_text_is_a_number() {
    let deployment = Deployment::new().user("shell.prefix = 5");
    insta::assert_snapshot!(deployment.error(), @"/home/config.toml:1:16: `shell.prefix`: invalid type: integer `5`, expected a string");
}

#[test]
fn a_switch_is_a_text() {
    let deployment = Deployment::new().user(r#"workspace.confine_cwd = "yes""#);
    insta::assert_snapshot!(deployment.error(), @r#"/home/config.toml:1:25: `workspace.confine_cwd`: invalid type: string "yes", expected a boolean"#);
}

#[test]
fn a_timeout_is_no_duration() {
    let deployment = Deployment::new().user(r#"limits.default_timeout = "5 parsecs""#);
    insta::assert_snapshot!(deployment.error(), @r#"/home/config.toml:1:26: `limits.default_timeout`: invalid value: string "5 parsecs", expected a duration above zero and at most 2147483.647 s, such as "120s" or "1h 30m""#);
}

#[test]
fn a_timeout_is_a_bare_number() {
    let deployment = Deployment::new().user("limits.max_timeout = 120");
    insta::assert_snapshot!(deployment.error(), @r#"/home/config.toml:1:22: `limits.max_timeout`: invalid value: integer `120`, expected a duration above zero and at most 2147483.647 s, such as "120s" or "1h 30m""#);
}

#[test]
fn a_timeout_is_zero() {
    let deployment = Deployment::new().user(r#"limits.max_timeout = "0s""#);
    insta::assert_snapshot!(deployment.error(), @r#"/home/config.toml:1:22: `limits.max_timeout`: invalid value: string "0s", expected a duration above zero and at most 2147483.647 s, such as "120s" or "1h 30m""#);
}

#[test]
fn a_timeout_is_longer_than_any_timer() {
    let deployment = Deployment::new().user(r#"limits.max_timeout = "2147483648s""#);
    insta::assert_snapshot!(deployment.error(), @r#"/home/config.toml:1:22: `limits.max_timeout`: invalid value: string "2147483648s", expected a duration above zero and at most 2147483.647 s, such as "120s" or "1h 30m""#);
}

#[test]
fn a_duration_is_negative() {
    let deployment = Deployment::new().user(r#"limits.stop_grace = "-1s""#);
    insta::assert_snapshot!(deployment.error(), @r#"/home/config.toml:1:21: `limits.stop_grace`: invalid value: string "-1s", expected a duration such as "250ms" or "1m 30s""#);
}

#[test]
fn a_size_has_no_known_unit() {
    let deployment = Deployment::new().user(r#"limits.max_bytes = "5 apples""#);
    insta::assert_snapshot!(deployment.error(), @r#"/home/config.toml:1:20: `limits.max_bytes`: invalid value: string "5 apples", expected a number of bytes above zero such as 65536 or "64MiB""#);
}

#[test]
fn a_size_is_negative() {
    let deployment = Deployment::new().user("limits.spill_quota = -1");
    insta::assert_snapshot!(deployment.error(), @r#"/home/config.toml:1:22: `limits.spill_quota`: invalid value: integer `-1`, expected a number of bytes such as 65536 or "64MiB""#);
}

#[test]
fn a_count_is_zero() {
    let deployment = Deployment::new().user("limits.max_lines = 0");
    insta::assert_snapshot!(deployment.error(), @"/home/config.toml:1:20: `limits.max_lines`: invalid value: integer `0`, expected an integer above zero");
}

#[test]
fn a_word_is_none_of_the_choices() {
    let deployment = Deployment::new().user(r#"audit.durability = "hard""#);
    insta::assert_snapshot!(deployment.error(), @r#"/home/config.toml:1:20: `audit.durability`: invalid value: string "hard", expected `write`, `fsync` or `none`"#);
}

#[test]
fn a_glob_has_brackets() {
    let deployment = Deployment::new().user(r#"env.exclude = ["*KEY*", "[AB]*"]"#);
    insta::assert_snapshot!(deployment.error(), @r#"/home/config.toml:1:25: `env.exclude`: invalid value: string "[AB]*", expected the name of a variable, in which `*` stands for any characters and `?` for one"#);
}

#[test]
fn inherit_is_neither_a_word_nor_globs() {
    let deployment = Deployment::new().user(r#"env.inherit = "none""#);
    insta::assert_snapshot!(deployment.error(), @r#"/home/config.toml:1:15: `env.inherit`: invalid value: string "none", expected `core`, `all` or a list of names of variables with `*` and `?`"#);
}

#[test]
fn a_variable_has_a_bad_name() {
    let deployment = Deployment::new().user(r#"env.set = { "A-B" = "x" }"#);
    insta::assert_snapshot!(deployment.error(), @"/home/config.toml:1:21: `env.set.A-B`: expected a name of letters, digits and `_` that starts with no digit");
}

#[test]
fn a_variable_is_no_text() {
    let deployment = Deployment::new().user("env.set = { A = 5 }");
    insta::assert_snapshot!(deployment.error(), @r#"/home/config.toml:1:17: `env.set.A`: invalid value: integer, expected text without NUL, { file = "…" } or { env = "…" }"#);
}

#[test]
fn a_session_prefix_is_no_name() {
    let deployment = Deployment::new().user(r#"session.prefix = "PI-""#);
    insta::assert_snapshot!(deployment.error(), @r#"/home/config.toml:1:18: `session.prefix`: invalid value: string "PI-", expected letters, digits and `_`, no digit first"#);
}

#[test]
fn a_path_is_empty() {
    let deployment = Deployment::new().user(r#"audit.path = """#);
    insta::assert_snapshot!(deployment.error(), @r#"/home/config.toml:1:14: `audit.path`: "": a path is neither empty nor contains NUL"#);
}

#[test]
fn a_path_starts_with_a_variable() {
    let deployment = Deployment::new().user(r#"audit.path = "$HOME/a.jsonl""#);
    insta::assert_snapshot!(deployment.error(), @r#"/home/config.toml:1:14: `audit.path`: "$HOME/a.jsonl": only `~/` and `$XDG_STATE_HOME/` are expanded at the head of a path; write it out, or put `./` before it"#);
}
