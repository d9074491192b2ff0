//! Whatever bash does, the program in its place does as well, in the eyes of who calls it.

use std::fs;
use std::io::{Seek as _, Write as _};
use std::path::Path;
use std::process::{ExitStatus, Output};

use super::super::case::{Case, Machine};

/// A call of a shell, and what it has on its standard input.
struct Call {
    arguments: Vec<&'static str>,
    input: &'static str,
}

fn call(arguments: &[&'static str]) -> Call {
    Call {
        arguments: arguments.to_vec(),
        input: "",
    }
}

fn command(text: &'static str) -> Call {
    call(&["-c", text])
}

impl Call {
    fn reading(self, input: &'static str) -> Self {
        Self { input, ..self }
    }

    fn outcome(&self, machine: &Machine, program: &Path) -> (ExitStatus, String, String) {
        let mut input = tempfile::tempfile().unwrap();
        input.write_all(self.input.as_bytes()).unwrap();
        input.rewind().unwrap();
        let case: Case<'_> = machine.case(&self.arguments).program(program);
        let Output {
            status,
            stdout,
            stderr,
        } = case.into_command().stdin(input).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        (status, text(stdout), text(stderr))
    }
}

/// Each in workspaces of their own.
fn are_as_under(shell: &str, calls: Vec<Call>) {
    for call in calls {
        let [ours, theirs] = [Machine::new(), Machine::new()];
        for machine in [&ours, &theirs] {
            prepare(&machine.workspace());
        }
        let real = Path::new("/bin").join(shell);
        let theirs = call.outcome(&theirs, &real);
        let ours = call.outcome(&ours, &ours.link(shell));
        assert_eq!(ours, theirs, "{:?}", call.arguments);
    }
}

fn prepare(workspace: &Path) {
    let write = |name: &str, text: &str| fs::write(workspace.join(name), text).unwrap();
    write(
        "script",
        "echo \"$0 $# $2 ${BASH_SOURCE[0]} $LINENO\"\nread line\necho \"$line\"\nexit 4\n",
    );
    write(
        "Makefile",
        "all:\n\t@echo made by $(MAKE_VERSION) in $$(pwd | wc -l); exit 3\n",
    );
    write(
        "package.json",
        r#"{"name": "p", "version": "1.0.0", "scripts": {"test": "node -e 'console.log(process.env.npm_lifecycle_event); process.exit(5)'"}}"#,
    );
}

#[test]
fn codes_and_signals_are_the_command_s() {
    are_as_under(
        "bash",
        vec![
            command("true"),
            command("exit 7"),
            command("no-such-program"),
            command("if"),
            command("/"),
            command("kill -KILL $$"),
            command("kill -TERM $$"),
            command("kill -SEGV $$"),
            command("kill -INT $$; echo not here"),
            command("{ sh -c 'kill -9 $$'; } 2>/dev/null; echo $?"),
            command("trap 'exit 9' EXIT; false"),
            command(""),
            command(" \n"),
        ],
    );
}

#[test]
fn streams_are_the_caller_s() {
    are_as_under(
        "bash",
        vec![
            command("echo out; echo err >&2; printf 'a\\0\\377\\r'"),
            command("cat; echo end").reading("one\ntwo"),
            command("read first; echo \"<$first>\"; cat").reading("one\ntwo\nthree"),
            command("head -c 3000000 /dev/zero | cat | md5sum"),
            command("yes | head -2; echo ${PIPESTATUS[0]}"),
            command("exec 2>&1; echo both >&2; ls no-such-file"),
            command("cat <&0 | tr a-z A-Z").reading("low"),
        ],
    );
}

#[test]
fn options_and_parameters_are_those_of_bash() {
    are_as_under(
        "bash",
        vec![
            call(&["-ec", "false; echo not here"]),
            call(&["-euo", "pipefail", "-c", "false | true"]),
            call(&["-c", "-u", "echo $unset"]),
            call(&["-xc", "echo traced"]),
            call(&["-O", "nullglob", "-c", "echo none*"]),
            call(&["--noprofile", "--norc", "-c", "echo $-"]),
            call(&["-lc", "shopt -p login_shell; echo \"$HOME\" | wc -l"]),
            call(&[
                "-c",
                "echo $0 $# \"$2\" \"$@\"",
                "name",
                "a",
                "b  c",
                "it's",
                "",
            ]),
            call(&["-c", "echo $0; exit 2", "only-a-name"]),
            call(&["--version"]),
        ],
    );
}

#[test]
fn scripts_are_run_from_files_and_from_standard_input() {
    are_as_under(
        "bash",
        vec![
            call(&["script", "a", "b c"]).reading("line\n"),
            call(&["-e", "./script"]).reading("line\n"),
            call(&["no-such-script"]),
            call(&[]).reading("echo one\nx=2\necho $x; exit 3\n"),
            call(&["-s", "a", "b"]).reading("echo $2 $#\n"),
            call(&[]).reading(""),
        ],
    );
}

#[test]
fn a_link_named_sh_is_the_sh_of_the_system() {
    are_as_under(
        "sh",
        vec![
            command("echo 'a\\nb'; [ a = a ] && echo same"),
            command("[[ a == a ]]"),
            call(&["-ec", "false; echo not here"]),
        ],
    );
}

#[test]
fn programs_behave_as_under_bash() {
    are_as_under(
        "bash",
        vec![
            command(
                "git init -q . && git add -A && git -c user.name=n -c user.email=e commit -qm m && git log --format=%s && git status --short && git push",
            ),
            command("make"),
            command("make -s no-such-target"),
            command("npm test --silent"),
            command("python3 -c 'import sys; print(sys.stdin.read()[::-1]); sys.exit(6)'")
                .reading("abc"),
            command("python3 - a b").reading("import sys\nprint(sys.argv)\n"),
            command("node -e 'process.stdin.pipe(process.stdout)'").reading("through node"),
        ],
    );
}

#[test]
fn npm_finds_its_own_variables_where_every_sh_is_the_program() {
    let machine = Machine::new();
    prepare(&machine.workspace());
    machine
        .case(["-c", "npm test --silent"])
        .program(machine.link("bash"))
        .env("PATH", machine.path_with_links())
        .code(5)
        .stdout("test\n")
        .check();
    let records = machine.audit();
    let commands: Vec<&str> = records
        .iter()
        .filter_map(|record| record["entry"]["command"].as_str())
        .collect();
    assert!(
        commands
            .iter()
            .any(|command| command.starts_with("node -e")),
        "{commands:?}"
    );
}
