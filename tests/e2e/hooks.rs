use std::fmt::Write as _;
use std::fs;

use serde_json::{Value, json};

use super::case::Machine;

/// The three first-party hooks and a guard.
fn machine() -> Machine {
    let machine = Machine::new();
    let guard = machine.component("hooks/no-push.wat");
    let config = format!(
        r#"
        [[hook]]
        name = "rewrite"
        component = "builtin:command-rewrite"
        stage = "rewrite"
        may = {{ command = true }}
        [hook.settings]
        prepend = ["set -o pipefail"]
        append = [": the end"]
        rules = [{{ pattern = "(?m)^npm ", replace = "npm --offline " }}]

        [[hook]]
        name = "inject"
        component = "builtin:env-inject"
        stage = "rewrite"
        may = {{ see_env = ["GONE"], set_env = ["MARK", "SESSION"], unset_env = ["GONE"] }}
        settings = {{ set = {{ MARK = "m" }}, unset = ["GONE"], set_from_session = {{ SESSION = "id" }} }}

        [[hook]]
        name = "guard"
        component = "{}"
        stage = "guard"
        "#,
        guard.display()
    );
    fs::write(machine.path("config/spawnhook/config.toml"), config).unwrap();
    machine
}

/// A backslash at the very end stands for itself, and has to go on doing so before a newline.
fn rewritten(command: &str) -> String {
    if command.ends_with('\\') {
        return format!("set -o pipefail\n{command}\\\n: the end");
    }
    let newline = if command.ends_with('\n') { "" } else { "\n" };
    format!("set -o pipefail\n{command}{newline}: the end")
}

/// A shell of a test: writes the bytes that it is given into a file, and runs them.
fn recording_shell(machine: &Machine) -> String {
    use std::os::unix::fs::PermissionsExt as _;
    let path = machine.path("recording-shell");
    let ran = machine.path("ran");
    let text = format!(
        "#!/bin/bash\nif [ $# -gt 2 ]; then printf %s \"${{@:3}}\" | tr -d '\\n' > {0}.parts; fi\n\
         printf %s \"$2\" > {0}\nexec bash \"$@\"\n",
        ran.display()
    );
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path.display().to_string()
}

#[test]
fn the_command_that_runs_is_the_one_that_is_recorded_and_told() {
    let machine = machine();
    let config = machine.path("config/spawnhook/config.toml");
    let shell = recording_shell(&machine);
    let text = fs::read_to_string(&config).unwrap();
    fs::write(&config, format!("[shell]\npath = \"{shell}\"\n{text}")).unwrap();
    let mut heredoc = "cat <<'END'\n".to_owned();
    for line in 0..200 {
        writeln!(heredoc, "{line}: \"$HOME\" '$(id)' `x` \\ !").unwrap();
    }
    heredoc.push_str("END");
    let long = format!("printf %s {} | wc -c", "x".repeat(100_000));
    for (command, output) in [
        (&*heredoc, None),
        (&*long, Some("100000\n")),
        ("! false", Some("")),
        ("echo 'Gruß 🦀 \u{202e}'", None),
        ("echo 'a\tb' \\", Some("a\tb \\\n")),
        ("echo one\r\necho two\r\n", None),
        (
            "echo no newline at the end",
            Some("no newline at the end\n"),
        ),
        ("# a comment", Some("")),
    ] {
        let object = machine.json(command).object();
        let expected = rewritten(command);
        let ran = fs::read_to_string(machine.path("ran")).unwrap();
        assert_eq!(object["command"], expected, "{command}");
        assert_eq!(ran, expected);
        let records = machine.audit();
        for record in &records[records.len() - 2..] {
            assert_eq!(record["command_sha256"], digest(&expected));
        }
        let spawn = &records[records.len() - 2]["entry"];
        if expected.len() < 32_000 {
            assert_eq!(spawn["command"], expected);
            assert_eq!(spawn["requested"], command);
        }
        assert_eq!(object["requested"], command);
        if let Some(output) = output {
            assert_eq!(object["output"], output, "{command}");
        }
    }
}

fn digest(text: &str) -> String {
    spawnhook::audit::sha256_hex(text)
}

#[test]
fn heredocs_come_out_as_they_went_in() {
    let machine = machine();
    let body: String = (0..200)
        .map(|n| format!("{n} \"q\" 'q' $HOME \\n `x`\n"))
        .collect();
    let object = machine.json(&format!("cat <<'END'\n{body}END\n")).object();
    assert_eq!(object["output"], body);
}

#[test]
fn each_hook_is_reported_with_what_it_changed() {
    let machine = machine();
    let object = machine
        .json("npm --version >/dev/null; echo $MARK $SESSION ${GONE-gone}")
        .with(&["--session", "id=s1", "--env", "GONE=here"])
        .object();
    assert_eq!(object["output"], "m s1 gone\n");
    assert!(
        object["command"]
            .as_str()
            .unwrap()
            .contains("npm --offline --version")
    );
    let seen: Vec<Value> = object["hooks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|hook| json!([hook["name"], hook["stage"], hook["result"], hook["changed"]]))
        .collect();
    assert_eq!(
        seen,
        [
            json!(["rewrite", "rewrite", "changed", ["command"]]),
            json!(["inject", "rewrite", "changed", ["env"]]),
            json!(["guard", "guard", "unchanged", []]),
            json!(["audit-log", "audit", "unchanged", []]),
        ]
    );
}

#[test]
fn a_denial_is_a_result_and_is_recorded_as_a_refusal() {
    let machine = machine();
    let object = machine.json("touch ran; git push").code(126).object();
    assert_eq!(object["ending"], "denied");
    assert_eq!(object["exit_code"], json!(null));
    assert_eq!(
        object["message"],
        "Command denied by hook `guard`: pushing is for people"
    );
    assert!(!machine.path("workspace/ran").exists());
    let records = machine.audit();
    assert_eq!(records.len(), 1);
    assert_eq!(records[0]["event"], "refused");
    assert_eq!(records[0]["ending"], "denied");
    assert_eq!(records[0]["entry"]["requested"], "touch ran; git push");
    machine
        .run("git push")
        .code(126)
        .stderr("spawnhook: Command denied by hook `guard`: pushing is for people\n")
        .check();
}

#[test]
fn a_question_is_a_denial_where_nobody_can_answer() {
    let object = machine().json("git tag").code(126).object();
    assert_eq!(
        object["message"],
        "Command denied by hook `guard`: may it tag? (nobody is there to be asked, so the answer \
         is no)"
    );
}

#[test]
fn an_empty_command_stays_refused_whatever_hooks_would_add() {
    let machine = machine();
    let object = machine.json("").code(125).object();
    assert_eq!(object["ending"], "invalid");
    assert!(machine.audit_lines().is_empty());
}

#[test]
fn the_prefix_stays_at_the_head() {
    let machine = machine();
    let config = machine.path("config/spawnhook/config.toml");
    let text = fs::read_to_string(&config).unwrap();
    fs::write(&config, format!("[shell]\nprefix = \"export A=1\"\n{text}")).unwrap();
    let object = machine.json("echo $A").object();
    assert_eq!(object["output"], "1\n");
    assert_eq!(
        object["command"],
        "export A=1\nset -o pipefail\necho $A\n: the end"
    );
    assert_eq!(object["requested"], "echo $A");
}

#[test]
fn a_hook_can_be_added_on_the_command_line() {
    let machine = Machine::new();
    let guard = machine.component("hooks/no-push.wat");
    let option = format!("--hook=guard:{}", guard.display());
    machine
        .run("echo fine")
        .with(&[&option])
        .stdout("fine\n")
        .check();
    let object = machine.json("git push").with(&[&option]).code(126).object();
    assert_eq!(object["ending"], "denied");
}

#[test]
fn an_ordinary_wasi_guest_runs_and_finds_nothing() {
    let machine = Machine::new();
    let option = format!(
        "--hook=guard:{}",
        super::case::in_tests("guests/wasip2.wasm").display()
    );
    machine
        .run("echo fine")
        .with(&[&option])
        .stdout("fine\n")
        .check();
    let object = machine
        .json("echo deny-me")
        .with(&[&option])
        .code(126)
        .object();
    let message = object["message"].as_str().unwrap();
    assert!(
        message.contains("variables: 0, arguments: 0, file: failed"),
        "{message}"
    );
}

#[test]
fn a_panic_leaves_its_message() {
    let machine = Machine::new();
    let guest = super::case::in_tests("guests/wasip2.wasm");
    let option = format!("--hook=guard:{}", guest.display());
    let object = machine
        .json("echo panic-me")
        .with(&[&option])
        .code(125)
        .object();
    assert_eq!(object["hooks"][0]["failure"]["class"], "panicked");
    let message = object["message"].as_str().unwrap();
    assert!(message.contains("asked to panic"), "{message}");
}
