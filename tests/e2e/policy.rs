//! `policy explain`.

use super::case::Machine;

const CONFIG: &str = "[[hook]]\nname = \"strict\"\ncomponent = \"builtin:command-policy\"\nstage = \"guard\"\n\
     settings = { allowed = [\"git\"], asked = [\"ls\"], default = \"deny\", rules = [\n\
     { origin = \"mcp\", program = \"git\", verdict = \"deny\" }] }\n";

fn explain<'a>(machine: &'a Machine, words: &[&str]) -> super::case::Case<'a> {
    machine.case(["policy", "explain"]).and(words)
}

#[test]
fn the_exit_code_is_the_verdict() {
    let machine = Machine::with_config(CONFIG);
    explain(&machine, &["--", "git", "status"])
        .stdout("hook `strict`: allow\n  allow  git status  allowed\n")
        .check();
    explain(&machine, &["--", "ls"])
        .code(1)
        .stdout(
            "hook `strict`: ask\n  ask    ls  asked\nbecause `ls`: to be asked about, by asked\n",
        )
        .check();
    explain(&machine, &["--", "touch x"])
        .code(126)
        .stdout(
            "hook `strict`: deny\n  deny   touch x  default\n\
             because `touch x`: no rule allows it; the allowed programs are git\n",
        )
        .check();
}

#[test]
fn a_policy_is_that_of_the_named_config_and_origin() {
    let machine = Machine::new();
    std::fs::write(machine.path("other.toml"), CONFIG).unwrap();
    let (stdout, _) = explain(&machine, &["--", "git status"]).code(1).texts();
    assert!(
        stdout.starts_with("no `builtin:command-policy` is configured"),
        "{stdout}"
    );
    let file = machine.path("other.toml");
    let file = file.to_str().unwrap();
    let from = |origin: &str| {
        ["--config", file, "--origin", origin, "--", "git status"].map(str::to_owned)
    };
    for (origin, code) in [("cli", 0), ("agent:x", 0), ("mcp", 126)] {
        let words = from(origin);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        drop(explain(&machine, &words).code(code).texts());
    }
}

#[test]
fn an_object_has_the_tree() {
    let machine = Machine::with_config(CONFIG);
    let object = explain(&machine, &["--json", "--", "git log | env ls > /etc/x; $y"])
        .code(126)
        .object();
    assert_eq!(object["verdict"], "deny");
    let policy = &object["policies"][0];
    assert_eq!(policy["hook"], "strict");
    let parts = &policy["parts"];
    assert_eq!(parts[0]["rule"], "allowed");
    assert_eq!(parts[1]["inside"][0]["verdict"], "ask");
    assert_eq!(parts[1]["writes"][0]["file"], "/etc/x");
    assert_eq!(
        parts[2]["undecidable"][0]["construct"],
        "a program known only at run time"
    );
}

#[test]
fn what_cannot_be_explained_is_an_error() {
    let machine = Machine::with_config(&CONFIG.replace("default = \"deny\"", "default = \"no\""));
    explain(&machine, &["--", "ls"])
        .code(125)
        .stderr(
            "spawnhook: hook `strict`: bad settings: default: expected allow, ask or deny, found \"no\"\n",
        )
        .check();
}

/// The guard and the explanation are one piece of code, of which one half is built for another
/// target.
#[test]
fn the_guard_says_what_the_explanation_says() {
    let machine = Machine::with_config(CONFIG);
    for command in [
        "git status",
        "ls; git log",
        "touch x",
        "git log > /etc/x",
        "eval \"$x\"",
        "ls '",
    ] {
        let explained = explain(&machine, &["--json", "--", command]);
        let explained = explained.into_command().output().unwrap();
        let explained: serde_json::Value = serde_json::from_slice(&explained.stdout).unwrap();
        let run = machine.json(command).into_command().output().unwrap();
        let run: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
        let reason = explained["policies"][0]["reason"].as_str().unwrap();
        let message = run["message"].as_str().unwrap();
        match reason {
            "" => assert_eq!(run["hooks"][0]["result"], "unchanged", "{run}"),
            reason => assert!(message.contains(reason), "{message}\n{reason}"),
        }
    }
}
