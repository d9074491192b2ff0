use insta::assert_snapshot;

use super::*;

fn words(line: &[&str]) -> Vec<OsString> {
    line.iter().map(OsString::from).collect()
}

fn call(line: &[&str]) -> Call {
    shell(&words(line)).unwrap().unwrap()
}

fn error(line: &[&str]) -> String {
    shell(&words(line)).unwrap().unwrap_err().to_string()
}

fn text(text: &str) -> Script {
    Script::Text(text.into(), None)
}

#[test]
fn a_link_is_a_shell_and_the_program_s_own_name_is_none_without_options() {
    for (name, shell) in [
        ("sh", Shell::Sh),
        ("/usr/local/bin/bash", Shell::Bash),
        ("-sh", Shell::Sh),
        ("spawnhook-sh", Shell::Bash),
    ] {
        assert_eq!(call(&[name, "run"]).shell, shell, "{name}");
        assert_eq!(call(&[name, "run"]).script, Script::File("run".into()));
    }
    assert_eq!(call(&["-bash", "-c", "x"]).options, ["-l"]);
    for line in [
        &["spawnhook"][..],
        &["spawnhook", "run", "-c", "x"],
        &["spawnhook", "--help"],
        &["spawnhook", "-h"],
        &["spawnhook", "-V"],
        &["spawnhook", "--no-such"],
        &["spawnhook", "-"],
        &["bashful", "run"],
        &[],
    ] {
        assert_eq!(shell(&words(line)), None, "{line:?}");
    }
}

#[test]
fn a_command_comes_behind_all_options() {
    for (line, options) in [
        (&["-c", "x"][..], &[][..]),
        (&["-lc", "x"], &["-l"]),
        (&["-c", "-l", "x"], &["-l"]),
        (&["-l", "-c", "x"], &["-l"]),
        (
            &["--noprofile", "--norc", "-c", "x"],
            &["--noprofile", "--norc"],
        ),
        (&["-euo", "pipefail", "-c", "x"], &["-eu", "-o", "pipefail"]),
        (
            &["-ceo", "pipefail", "+O", "extglob", "--", "x"],
            &["-e", "-o", "pipefail", "+O", "extglob"],
        ),
        (&["-c", "+e", "x"], &["+e"]),
        (&["-ic", "x"], &["-i"]),
    ] {
        let call = call(&[&["spawnhook"], line].concat());
        assert_eq!(
            (call.options, call.script),
            (words(options), text("x")),
            "{line:?}"
        );
    }
}

#[test]
fn what_follows_a_command_is_its_name_and_its_parameters() {
    let call = call(&["spawnhook", "-c", "x", "name", "-e", "b c"]);
    assert_eq!(call.script, Script::Text("x".into(), Some("name".into())));
    assert_eq!(call.parameters, words(&["-e", "b c"]));
    assert_eq!(call.options, words(&[]));
}

#[test]
fn a_file_has_parameters_and_standard_input_too() {
    let file = call(&["sh", "-e", "file", "-x"]);
    assert_eq!(file.script, Script::File("file".into()));
    assert_eq!(
        (file.options, file.parameters),
        (words(&["-e"]), words(&["-x"]))
    );
    assert_eq!(call(&["sh", "--", "-x"]).script, Script::File("-x".into()));
    assert_eq!(call(&["sh"]).script, Script::StandardInput);
    let input = call(&["sh", "-s", "a", "b"]);
    assert_eq!(
        (input.script, input.parameters),
        (Script::StandardInput, words(&["a", "b"]))
    );
}

#[test]
fn a_question_needs_no_script() {
    assert_eq!(call(&["bash", "--version"]).script, Script::Question);
}

#[test]
fn what_is_no_shell_is_refused_by_name() {
    assert_snapshot!(error(&["sh", "-c"]), @"-c: there is no command behind it");
    assert_snapshot!(error(&["sh", "--rcfile", "x"]), @"--rcfile: no option of a shell that commands can be passed through");
    assert_snapshot!(error(&["sh", "-eZ"]), @"-Z: no option of a shell that commands can be passed through");
    assert_snapshot!(error(&["sh", "+c", "x"]), @"+c: no option of a shell that commands can be passed through");
    assert_snapshot!(error(&["sh", "-eo"]), @"-o: the name of an option is missing behind it");
    assert_snapshot!(error(&["spawnhook", "-e", "file"]), @"no command; give a command with -c; for script files and scripts on standard input call spawnhook through a link named spawnhook-sh, sh or bash");
}
