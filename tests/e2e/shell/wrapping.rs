//! What agents put around the command of their model is no part of what is judged.

use super::super::case::{Case, Machine};

const CONFIG: &str = r#"
[[hook]]
name = "rewrite"
component = "builtin:command-rewrite"
stage = "rewrite"
may = { command = true }
settings = { rules = [{ pattern = "^echo it's", replace = "echo it was" }] }

[[hook]]
name = "policy"
component = "builtin:command-policy"
stage = "guard"

[hook.settings]
default = "deny"
allowed = ["echo"]
"#;

/// What Claude Code hands to a shell for a command.
fn claude(machine: &Machine, command: &str) -> String {
    let folder = machine.path("tmp");
    let folder = folder.display();
    let command = command.replace('\'', r#"'"'"'"#);
    format!(
        "source {folder}/shell-snapshots/snapshot-bash-1-x.sh 2>/dev/null || true && \
         shopt -u extglob 2>/dev/null || true && eval '{command}' < /dev/null && pwd -P >| {folder}/cwd"
    )
}

fn wrapped<'a>(machine: &'a Machine, command: &str) -> Case<'a> {
    machine.shell(&claude(machine, command))
}

#[test]
fn the_command_of_a_model_is_rewritten_and_judged_and_the_whole_runs_and_is_recorded() {
    let machine = Machine::with_config(CONFIG);
    wrapped(&machine, "echo it's \"$0\"")
        .env("CLAUDECODE", "1")
        .stdout("it was /bin/bash\n")
        .check();
    let cwd = std::fs::read_to_string(machine.path("tmp/cwd")).unwrap();
    assert_eq!(cwd.trim(), machine.workspace().to_str().unwrap());
    let entry = &machine.audit()[0]["entry"];
    assert_eq!(entry["command"], claude(&machine, "echo it was \"$0\""));
    assert_eq!(entry["requested"], claude(&machine, "echo it's \"$0\""));
}

#[test]
fn what_is_inside_is_denied_as_it_would_be_by_itself() {
    let machine = Machine::with_config(CONFIG);
    for command in ["touch x", "echo 'a'; touch x #", "touch x' < /dev/null '"] {
        let (_, stderr) = wrapped(&machine, command)
            .env("CLAUDECODE", "1")
            .code(126)
            .texts();
        assert!(stderr.contains("denied by hook `policy`"), "{stderr}");
        assert!(!stderr.contains("source"), "{stderr}");
    }
    assert!(!machine.path("workspace/x").exists());
    // The record is of what would have run.
    let entry = &machine.audit()[0]["entry"];
    assert_eq!(entry["command"], claude(&machine, "touch x"));
}

#[test]
fn a_model_cannot_pass_for_an_agent() {
    let machine = Machine::with_config(CONFIG);
    // Without an agent that says that it is one, the whole is judged.
    let (_, stderr) = wrapped(&machine, "echo inside").code(126).texts();
    assert!(stderr.contains("denied by hook `policy`"), "{stderr}");

    // Nor can a command say so to a shell that it starts.
    let policy = "default = \"allow\"\ndenied = [\"source\"]";
    let machine = Machine::with_config(&CONFIG.replace("default = \"deny\"", policy));
    let bash = machine.link("bash").display().to_string();
    let text = claude(&machine, "echo inside");
    let words = ["env", "CLAUDECODE=1", &bash, "-c", &text];
    let script = machine.path("workspace/script");
    std::fs::write(script, shlex::try_join(words).unwrap()).unwrap();
    let (stdout, stderr) = machine
        .case(["script"])
        .program(machine.link("bash"))
        .env("CLAUDECODE", "1")
        .code(126)
        .texts();
    assert_eq!(stdout, "");
    assert!(stderr.contains("denied by hook `policy`"), "{stderr}");
}

#[test]
fn a_command_of_gemini_is_judged_without_its_braces() {
    let machine = Machine::with_config(CONFIG);
    let gemini = |command: &str| {
        let file = machine.path("tmp/pids");
        machine
            .shell(&format!(
                "shopt -u promptvars nullglob extglob nocaseglob dotglob; {{ {command}; }}; \
                 __code=$?; pgrep -g 0 >{} 2>&1; exit $__code;",
                file.display()
            ))
            .env("GEMINI_CLI", "1")
    };
    let (_, stderr) = gemini("touch x").code(126).texts();
    assert!(stderr.contains("denied by hook `policy`"), "{stderr}");
    gemini("echo it's; (exit 3)")
        .code(3)
        .stdout("it was\n")
        .check();
    assert!(machine.path("tmp/pids").exists());
}
