//! The program in the place of a shell.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use serde_json::json;

use super::case::{Case, Machine};

mod comparison;
mod endings;
mod signals;
mod wrapping;

impl Machine {
    /// The program under another name, in a folder of its own.
    fn link(&self, name: &str) -> PathBuf {
        let folder = self.path("links");
        fs::create_dir_all(&folder).unwrap();
        let link = folder.join(name);
        if !link.is_symlink() {
            symlink(env!("CARGO_BIN_EXE_spawnhook"), &link).unwrap();
        }
        link
    }

    /// A case of `-c COMMAND`.
    fn shell(&self, command: &str) -> Case<'_> {
        self.case(["-c", command])
    }

    /// A PATH in which links come before what they are named as.
    fn path_with_links(&self) -> String {
        for name in ["sh", "bash"] {
            self.link(name);
        }
        let path = std::env::var("PATH").unwrap();
        format!("{}:{path}", self.path("links").display())
    }
}

#[test]
fn what_runs_is_recorded_with_the_session_that_the_environment_tells_of() {
    let machine = Machine::new();
    machine
        .shell("echo $PI_MODEL; exit 3")
        .env("PI_MODEL", "m-1")
        .env("PI_SESSION_ID", "s-1")
        .code(3)
        .stdout("m-1\n")
        .check();
    let records = machine.audit();
    let entry = &records[0]["entry"];
    assert_eq!(
        (&entry["origin"], &entry["session"], &entry["command"]),
        (
            &json!("shell"),
            &json!({"id": "s-1", "model": "m-1"}),
            &json!("echo $PI_MODEL; exit 3")
        )
    );
    // What the command writes goes past the program.
    assert_eq!(records[1]["entry"]["output_bytes"], json!(null));
    assert_eq!(records.len(), 2);
}

#[test]
fn hooks_rewrite_and_refuse() {
    let machine = Machine::with_config(
        r#"
        [[hook]]
        name = "strict"
        component = "builtin:command-rewrite"
        stage = "rewrite"
        may = { command = true }
        settings = { prepend = ["echo first"] }

        [[hook]]
        name = "no-push"
        component = "builtin:command-policy"
        stage = "guard"
        settings = { default = "allow", rules = [{ program = "git", arguments = ["push"], verdict = "deny", reason = "no" }] }
        "#,
    );
    machine
        .shell("echo second")
        .stdout("first\nsecond\n")
        .check();
    for command in ["git push", "\"$@\""] {
        let case = machine.shell(command).and(&["name", "git", "push"]);
        let (stdout, stderr) = case.code(126).texts();
        assert_eq!(stdout, "");
        assert!(
            stderr.starts_with("spawnhook: Command denied by hook `no-push`"),
            "{stderr}"
        );
    }
    let script = machine.path("workspace/script");
    fs::write(&script, "git push\n").unwrap();
    let case = machine.case::<[&str; 0]>([]).program(machine.link("sh"));
    let mut command = case.into_command();
    let denied = command
        .stdin(fs::File::open(script).unwrap())
        .output()
        .unwrap();
    assert_eq!(denied.status.code(), Some(126));
}

#[test]
fn a_script_on_standard_input_is_no_longer_than_a_command() {
    let machine = Machine::new();
    let script = machine.path("workspace/script");
    fs::write(&script, "echo ran\n".repeat(120_000)).unwrap();
    let case = machine.case::<[&str; 0]>([]).program(machine.link("sh"));
    let mut command = case.into_command();
    let refused = command.stdin(fs::File::open(script).unwrap()).output();
    let refused = refused.unwrap();
    assert_eq!(refused.status.code(), Some(125));
    assert_eq!(refused.stdout, b"");
    let told = String::from_utf8(refused.stderr).unwrap();
    assert!(told.contains("more than 1048576 bytes"), "{told}");
}

#[test]
fn the_limit_is_the_most_that_the_deployment_allows() {
    let limits =
        |most: &str| format!("[limits]\ndefault_timeout = \"100ms\"\nmax_timeout = \"{most}\"\n");
    Machine::with_config(&limits("60s"))
        .shell("sleep 1; echo slept")
        .stdout("slept\n")
        .check();
    Machine::with_config(&limits("200ms"))
        .shell("sleep 60")
        .code(124)
        .stderr("spawnhook: Command timed out after 0.2 seconds\n")
        .check();
}

#[test]
fn a_link_that_comes_first_on_the_path_is_no_shell_of_its_own() {
    let machine = Machine::new();
    for (link, shell) in [("bash", "bash"), ("sh", "sh"), ("spawnhook-sh", "bash")] {
        machine
            .case(["-c", "readlink /proc/$$/exe; :"])
            .program(machine.link(link))
            .env("PATH", machine.path_with_links())
            .stdout(&format!(
                "{}\n",
                fs::canonicalize(format!("/bin/{shell}")).unwrap().display()
            ))
            .check();
    }
}

#[test]
fn a_config_that_has_the_program_for_its_own_shell_is_refused() {
    let machine = Machine::new();
    let link = machine.link("bash");
    let config = format!("[shell]\npath = \"{}\"\n", link.display());
    fs::write(machine.path("config/spawnhook/config.toml"), config).unwrap();
    machine
        .shell("true")
        .code(125)
        .stderr(&format!(
            "spawnhook: the shell that is configured, {}, is this program itself: give the path of \
             a real shell\n",
            link.display()
        ))
        .check();
}

#[test]
fn shells_inside_a_command_have_its_variables_and_are_judged_as_well() {
    let machine = Machine::with_config(
        r#"
        [[hook]]
        name = "no-push"
        component = "builtin:command-policy"
        stage = "guard"
        settings = { default = "allow", undecidable = "allow", rules = [{ program = "git", arguments = ["push"], verdict = "deny", reason = "no" }] }
        "#,
    );
    let nested = |command: &str| {
        machine
            .case(["-c", command])
            .program(machine.link("bash"))
            .env("PATH", machine.path_with_links())
    };
    nested("export A_TOKEN=x; f() { echo f; }; export -f f; bash -c 'echo $A_TOKEN; f'")
        .stdout("x\nf\n")
        .check();
    let (stdout, stderr) = nested("x=git; sh -c \"$x push\"; echo code $?").texts();
    assert_eq!(stdout, "code 126\n");
    assert!(stderr.contains("no-push"), "{stderr}");
}

#[test]
fn a_shell_that_its_parent_leaves_behind_lives_on_inside_a_command() {
    let machine = Machine::new();
    machine
        .case([
            "-c",
            "(bash -c 'until [ -e go ]; do sleep 0.01; done; echo > done' >/dev/null 2>&1 &); echo out; exit",
        ])
        .program(machine.link("bash"))
        .env("PATH", machine.path_with_links())
        .stdout("out\n")
        .check();
    fs::write(machine.path("workspace/go"), "").unwrap();
    super::case::wait_until("it is done", || machine.path("workspace/done").exists());
}

#[test]
fn a_directory_outside_of_the_workspace_is_refused_and_not_replaced() {
    let machine = Machine::new();
    let inside = machine.workspace().join("inside");
    fs::create_dir(&inside).unwrap();
    let config = format!("[workspace]\nroot = {inside:?}\n");
    fs::write(machine.path("config/spawnhook/config.toml"), config).unwrap();
    let (stdout, stderr) = machine.shell("pwd").code(125).texts();
    assert_eq!(stdout, "");
    assert!(stderr.contains("is outside the workspace"), "{stderr}");
}

#[test]
fn what_is_no_command_line_of_a_shell_is_told() {
    let machine = Machine::new();
    machine
        .case(["-Z", "x"])
        .code(125)
        .stderr("spawnhook: -Z: no option of a shell that commands can be passed through\n")
        .check();
    let (_, help) = machine.case(["-e", "file"]).code(125).texts();
    assert!(help.contains("through a link named spawnhook-sh"), "{help}");
}
