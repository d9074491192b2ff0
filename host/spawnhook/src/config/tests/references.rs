use serde_json::json;

use super::Deployment;

const SETTINGS: &str = r#"
[[hook]]
name = "h"
component = "h.wasm"
stage = "guard"
[hook.settings]
since = 2026-01-02
ratio = 0.5
url = "https://example.org"
token = { file = "token" }
nested = [{ env = "NESTED" }, { env = "NESTED", more = 1 }]
[hook.settings.inner]
deep = { file = "~/token" }
"#;

#[test]
fn settings_become_json_with_their_references_resolved() {
    let config = Deployment::new()
        .file("home/token", "s3cret\n")
        .variable("NESTED", "hidden")
        .user(SETTINGS)
        .load();
    assert_eq!(
        config.hooks[0].settings,
        json!({
            "inner": {"deep": "s3cret"},
            "nested": ["hidden", {"env": "NESTED", "more": 1}],
            "ratio": 0.5,
            "since": "2026-01-02",
            "token": "s3cret",
            "url": "https://example.org",
        })
    );
    assert_eq!(
        config.hooks[0].masked_settings,
        json!({
            "inner": {"deep": "***"},
            "nested": ["***", {"env": "NESTED", "more": 1}],
            "ratio": 0.5,
            "since": "2026-01-02",
            "token": "***",
            "url": "https://example.org",
        })
    );
}

#[test]
fn one_newline_at_the_end_of_a_file_is_no_part_of_the_value() {
    for (content, value) in [
        ("a", "a"),
        ("a\n", "a"),
        ("a\r\n", "a"),
        ("a\n\n", "a\n"),
        ("", ""),
    ] {
        let config = Deployment::new()
            .file("home/value", content)
            .user("env.set.A = { file = \"value\" }")
            .load();
        assert_eq!(config.env.set, [("A".to_owned(), value.to_owned())]);
    }
}

#[test]
fn neither_show_nor_debug_tells_a_secret() {
    let config = Deployment::new()
        .file("home/token", "s3cret\n")
        .variable("NESTED", "s3cret")
        .user(&format!(
            "env.set = {{ A = {{ file = \"token\" }}, B = {{ env = \"NESTED\" }} }}\n{SETTINGS}"
        ))
        .load();
    for text in [
        config.show(),
        format!("{config:?}"),
        format!("{:?}", config.env),
        format!("{:?}", config.hooks),
    ] {
        assert!(!text.contains("s3cret"), "{text}");
    }
}

#[test]
fn a_value_in_the_open_replaces_a_secret_and_its_mask() {
    let config = Deployment::new()
        .variable("SOURCE", "s3cret")
        .system("env.set.A = { env = \"SOURCE\" }")
        .user("env.set.A = \"open\"")
        .load();
    assert!(config.show().contains("env.set.A = \"open\""));
}
