use super::case::Machine;

#[test]
fn a_hook_that_cannot_be_loaded_stops_the_start() {
    let machine = Machine::with_config(
        "[[hook]]\nname = \"gone\"\ncomponent = \"gone.wasm\"\nstage = \"guard\"\non_failure = \"skip\"\n",
    );
    let object = machine.json("touch ran").code(125).object();
    assert_eq!(object["ending"], "host-failed");
    let message = object["message"].as_str().unwrap();
    assert!(
        message.contains("`gone`") && message.contains("gone.wasm"),
        "{message}"
    );
    assert!(!machine.path("workspace/ran").exists());
}

#[test]
fn a_digest_that_is_pinned_must_be_the_component_s() {
    let machine = Machine::with_config(&format!(
        "[[hook]]\nname = \"pinned\"\ncomponent = \"builtin:env-inject\"\nstage = \"rewrite\"\nsha256 = \"{}\"\n",
        "0".repeat(64)
    ));
    let object = machine.json("true").code(125).object();
    let message = object["message"].as_str().unwrap();
    assert!(
        message.contains("`pinned`") && message.contains(&"0".repeat(64)),
        "{message}"
    );
}

#[test]
fn every_problem_of_settings_is_told_at_once() {
    let machine = Machine::with_config(
        r#"
        [[hook]]
        name = "wrong"
        component = "builtin:command-rewrite"
        stage = "rewrite"
        may = { command = true }
        settings = { prepnd = [], append = 3, rules = [{ pattern = "(", replace = "" }] }
        "#,
    );
    let object = machine.json("true").code(125).object();
    let message = object["message"].as_str().unwrap();
    for part in ["`wrong`", "prepnd", "append", "rules[0].pattern"] {
        assert!(message.contains(part), "{part} in {message}");
    }
}
