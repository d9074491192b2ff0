//! Guards that ask, with and without somebody to answer.

use super::case::Machine;
use super::terminal::on_a_terminal;

/// A guard that asks about everything, and one more behind it.
const CONFIG: &str = r#"
[[hook]]
name = "first"
component = "builtin:command-policy"
stage = "guard"
settings = { rules = [{ program = "touch", verdict = "ask", reason = "it leaves a file" }] }

[[hook]]
name = "second"
component = "builtin:command-policy"
stage = "guard"
settings = { allowed = ["true"], asked = ["touch"] }
"#;

const REWRITE: &str = r#"
[[hook]]
name = "rewrite"
component = "builtin:command-rewrite"
stage = "rewrite"
may = { command = true }
settings = { prepend = ["set -e"] }

[[hook]]
name = "inject"
component = "builtin:env-inject"
stage = "rewrite"
may = { set_env = ["MARK"] }
settings = { set = { MARK = "hidden" } }
"#;

const QUESTION: &str = "in this run: ";

fn ran(machine: &Machine) -> bool {
    machine.path("workspace/ran").exists()
}

#[test]
fn a_person_reads_the_command_the_reason_and_what_hooks_changed() {
    let machine = Machine::with_config(&format!("{CONFIG}{REWRITE}"));
    let case = machine.run("touch ran # \u{1b}[2K\u{202e}");
    let (code, shown) = on_a_terminal(case, &[(QUESTION, "y\n"), (QUESTION, "y\n")]);
    assert!(ran(&machine) && code == 0, "{shown}");
    let workspace = machine.workspace();
    let shown = shown.replace(workspace.to_str().unwrap(), "WORKSPACE");
    let first = shown.split("spawnhook: hook `second`").next().unwrap();
    insta::assert_snapshot!(first.trim_end(), @r"
    spawnhook: hook `first` asks about this command in WORKSPACE

        set -e
        touch ran # \u{1b}[2K\u{202e}

    Why: `touch ran # \u{1b}[2K\u{202e}`: to be asked about, by rules[0] (it leaves a file)
    Hooks changed what was asked for:
        command
          + set -e
            touch ran # \u{1b}[2K\u{202e}
        env
          + MARK
    Run it? [y]es, [N]o, [a]ll questions about this command, in this run: y
    ");
}

#[test]
fn each_guard_asks_unless_the_answer_is_for_all() {
    for (steps, questions) in [
        (&[(QUESTION, "yes\n"), (QUESTION, "Y\n")][..], 2),
        (&[(QUESTION, "a\n")], 1),
        (&[(QUESTION, "what?\n"), ("answer y, n or a: ", "a\n")], 1),
    ] {
        let machine = Machine::with_config(CONFIG);
        let (code, shown) = on_a_terminal(machine.run("touch ran"), steps);
        assert_eq!(code, 0, "{shown}");
        assert!(ran(&machine));
        assert_eq!(shown.matches("Run it?").count(), questions, "{shown}");
    }
}

#[test]
fn anything_but_a_yes_is_a_no() {
    for answer in ["n\n", "\n", "\u{4}", "y\u{4}\u{4}"] {
        let machine = Machine::with_config(CONFIG);
        let (code, shown) = on_a_terminal(machine.run("touch ran"), &[(QUESTION, answer)]);
        assert_eq!(code, 126, "{answer:?}: {shown}");
        assert!(!ran(&machine), "{answer:?}");
        assert!(
            shown.ends_with(
                "\nspawnhook: Command denied by hook `first`: `touch ran`: to be asked about, by \
                 rules[0] (it leaves a file) (the answer was no)\n"
            ),
            "{shown}"
        );
    }
}

#[test]
fn an_interrupt_cancels() {
    let machine = Machine::with_config(CONFIG);
    let (code, shown) = on_a_terminal(machine.run("touch ran"), &[(QUESTION, "\u{3}")]);
    assert_eq!(code, 130, "{shown}");
    assert!(!ran(&machine));
    assert!(shown.ends_with("\nspawnhook: Command aborted\n"), "{shown}");
}

#[test]
fn what_was_typed_before_the_question_is_no_answer() {
    let machine = Machine::with_config(CONFIG);
    let steps = [("", "y\ny\ny\n"), (QUESTION, "\u{4}")];
    let (code, shown) = on_a_terminal(machine.run("touch ran"), &steps);
    assert_eq!(code, 126, "{shown}");
    assert!(!ran(&machine));
}

#[test]
fn data_on_stdin_are_no_answer() {
    let machine = Machine::with_config(CONFIG);
    let case = machine.run("touch ran").under("exec < <(yes)");
    let (code, shown) = on_a_terminal(case, &[]);
    assert_eq!(code, 126, "{shown}");
    assert!(
        shown.contains("(nobody is there to be asked, so the answer is no)"),
        "{shown}"
    );
    assert!(!ran(&machine));
}

#[test]
fn where_nobody_can_be_asked_the_answer_is_no() {
    let machine = Machine::with_config(CONFIG);
    machine
        .run("touch ran")
        .code(126)
        .stderr(
            "spawnhook: Command denied by hook `first`: `touch ran`: to be asked about, by rules[0] (it \
             leaves a file) (nobody is there to be asked, so the answer is no)\n",
        )
        .check();
    assert!(!ran(&machine));
}
