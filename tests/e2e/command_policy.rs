//! `builtin:command-policy` in the program.

use serde_json::Value;

use super::case::Machine;

/// Several rules of every kind; the file is TOML, as an operator writes it.
const CONFIG: &str = r#"
[shell]
prefix = "umask 077; PATH=/usr/bin:/bin"

[[hook]]
name = "policy"
component = "builtin:command-policy"
stage = "guard"

[hook.settings]
default = "deny"
allowed = ["cat", "ls", "true", "bash"]
asked = ["id"]
writable = ["inside"]
rules = [
    { name = "no-secrets", program = "cat", arguments = ["*.env"], verdict = "deny", reason = "ask an operator" },
    { origin = "mcp", verdict = "deny" },
    { name = "sealed", writes = "*/sealed/*", verdict = "deny" },
]
"#;

fn ran(machine: &Machine, command: &str) -> Value {
    machine.json(command).object()
}

fn refused(machine: &Machine, command: &str) -> String {
    let object = machine.json(command).code(126).object();
    assert_eq!(object["ending"], "denied");
    object["message"].as_str().unwrap().to_owned()
}

#[test]
fn what_is_allowed_runs_and_its_output_goes_into_the_workspace() {
    let machine = Machine::with_config(CONFIG);
    let object = ran(
        &machine,
        "cd . && echo a > made; cat made | cat > \"copy\"; ls -1",
    );
    assert_eq!(object["output"], "copy\nmade\n");
    assert_eq!(object["hooks"][0]["result"], "unchanged");
    // an empty file is made although no program runs
    assert_eq!(ran(&machine, "> empty; ls empty")["output"], "empty\n");
}

#[test]
fn what_no_rule_allows_does_not_run_wherever_it_stands() {
    let machine = Machine::with_config(CONFIG);
    for command in [
        "touch x",
        "ls; touch x",
        "ls $(touch x)",
        "bash -c 'bash -c \"touch x\"'",
        "cat <<E\n`touch x`\nE",
        "ls | xargs touch",
        "./ls",
    ] {
        let message = refused(&machine, command);
        assert!(
            message.contains("no rule allows it; the allowed programs are cat, ls, true, bash"),
            "{message}"
        );
    }
    assert!(!machine.path("workspace/x").exists());
}

#[test]
fn a_denial_names_the_rule_and_its_reason() {
    let machine = Machine::with_config(CONFIG);
    assert_eq!(
        refused(&machine, "ls && cat prod.env"),
        "Command denied by hook `policy`: `cat prod.env`: denied by no-secrets (ask an operator)"
    );
}

#[test]
fn output_goes_nowhere_else() {
    let machine = Machine::with_config(CONFIG);
    let outside = machine.path("outside");
    for command in [
        "echo a > ../outside".to_owned(),
        format!("echo a >> {}", outside.display()),
        "cd ..; echo a > outside".to_owned(),
        "f=../outside; echo a > \"$f\"".to_owned(),
        "mkdir() { :; }; mkdir sealed; echo a > sealed/outside".to_owned(),
    ] {
        let message = refused(&machine, &command);
        assert!(message.contains("writing to "), "{command}: {message}");
    }
    assert!(!outside.exists());
}

#[test]
fn a_question_is_a_denial_where_nobody_is() {
    let machine = Machine::with_config(CONFIG);
    assert_eq!(
        refused(&machine, "true; id"),
        "Command denied by hook `policy`: `id`: to be asked about, by asked (nobody is there to be asked, so \
         the answer is no)"
    );
}

#[test]
fn what_cannot_be_told_is_asked_about_or_as_the_deployment_says() {
    for (settings, told) in [
        ("", "(nobody is there"),
        ("undecidable = \"deny\"\n", "known only at run time)"),
    ] {
        let config = CONFIG.replace(
            "default = \"deny\"\n",
            &format!("default = \"deny\"\n{settings}"),
        );
        let machine = Machine::with_config(&config);
        for command in ["x=touch; $x a", "eval \"$(cat x)\""] {
            let message = refused(&machine, command);
            assert!(message.contains("what it runs can't be told"), "{message}");
            assert!(message.contains(told), "{message}");
        }
    }
    let config = CONFIG.replace(
        "default = \"deny\"\n",
        "default = \"deny\"\nundecidable = \"allow\"\n",
    );
    let machine = Machine::with_config(&config);
    assert_eq!(ran(&machine, "x=echo; $x a")["output"], "a\n");
    refused(&machine, "$x a; touch b");
}

#[test]
fn the_prefix_is_the_operators_own() {
    let machine = Machine::with_config(CONFIG);
    let object = ran(&machine, "umask");
    assert_eq!(object["output"], "0077\n");
    assert!(
        object["command"]
            .as_str()
            .unwrap()
            .starts_with("umask 077; PATH=")
    );
    let message = refused(&machine, "ls; PATH=/tmp");
    assert!(
        message.contains("a variable that decides what runs"),
        "{message}"
    );
}

#[test]
fn the_origin_of_a_call_counts() {
    let machine =
        Machine::with_config(&CONFIG.replace("origin = \"mcp\"", "origin = [\"mcp\", \"cli\"]"));
    assert_eq!(
        refused(&machine, "true"),
        "Command denied by hook `policy`: `true`: denied by rules[1]"
    );
}

#[test]
fn it_judges_what_rewriting_hooks_made_of_a_command() {
    let rewrite = |settings: &str| {
        format!(
            "{CONFIG}\n[[hook]]\nname = \"rewrite\"\ncomponent = \"builtin:command-rewrite\"\nstage = \"rewrite\"\n\
             may = {{ command = true }}\nsettings = {settings}\n"
        )
    };
    let machine = Machine::with_config(&rewrite(
        r#"{ rules = [{ pattern = "^list", replace = "ls" }] }"#,
    ));
    assert_eq!(ran(&machine, "list -d .")["output"], ".\n");
    let machine = Machine::with_config(&rewrite(
        r#"{ rules = [{ pattern = "^list", replace = "touch x; ls" }] }"#,
    ));
    let message = refused(&machine, "list -d .");
    assert!(message.contains("`touch x`"), "{message}");
    let machine = Machine::with_config(&rewrite(r#"{ prepend = ["touch x"] }"#));
    assert!(refused(&machine, "ls").contains("`touch x`"));
    assert!(!machine.path("workspace/x").exists());
}

#[test]
fn a_guard_that_fails_stops_the_command() {
    let config = CONFIG.replace(
        "stage = \"guard\"\n",
        "stage = \"guard\"\nlimits = { memory = \"64KiB\" }\n",
    );
    let machine = Machine::with_config(&config);
    let object = machine.json("true").code(125).object();
    assert!(
        matches!(
            object["ending"].as_str().unwrap(),
            "hook-failed" | "host-failed"
        ),
        "{object}"
    );
}

#[test]
fn settings_that_are_no_policy_refuse_the_start() {
    let machine = Machine::with_config(
        &CONFIG.replace("verdict = \"deny\", reason", "verdict = \"no\", reason"),
    );
    let object = machine.json("true").code(125).object();
    let message = object["message"].as_str().unwrap();
    assert!(
        message.contains("rules[0].verdict: expected allow, ask or deny, found \"no\""),
        "{message}"
    );
}

#[test]
fn a_long_script_is_judged_within_the_limits_of_a_call() {
    let machine = Machine::with_config(CONFIG);
    let line = "ls -d . > /dev/null && echo \"$(true)\" 'text' > made\n";
    let script = line.repeat(60_000 / line.len());
    assert_eq!(
        ran(&machine, &format!(": <<'E'\n{script}E\necho done"))["output"],
        "done\n"
    );
    let message = refused(&machine, &format!("if false; then\n{script}touch x\nfi"));
    assert!(message.contains("`touch x`"), "{message}");
    let message = refused(&machine, &format!("{script}{line}\n# {}", "x".repeat(8000)));
    assert!(message.contains("too long a text"), "{message}");
}
