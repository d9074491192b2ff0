//! `plugin new`. That its projects build and pass their tests takes compilers and is in the check.

use std::fs;

use super::case::Machine;

#[test]
fn a_project_is_named_as_its_folder_and_nothing_is_overwritten() {
    let machine = Machine::new();
    for language in ["rust", "js", "python"] {
        let name = format!("{language}-hook");
        let new = ["plugin", "new", "--lang", language, &name];
        let (stdout, _) = machine.case(new).texts();
        assert!(stdout.contains(&format!("{name}/README.md")), "{stdout}");
        let readme = machine.path(&format!("workspace/{name}/README.md"));
        let text = fs::read_to_string(&readme).unwrap();
        let block = text.split("```").nth(1).unwrap();
        assert_eq!(block.lines().count(), 4, "sh and three commands: {block}");
        fs::write(&readme, "mine").unwrap();
        let (_, stderr) = machine.case(new).code(125).texts();
        assert!(
            stderr.contains(&name) && stderr.contains("overwritten"),
            "{stderr}"
        );
        assert_eq!(fs::read_to_string(&readme).unwrap(), "mine");
    }
}

#[test]
fn a_name_that_is_none_is_refused() {
    let machine = Machine::new();
    for name in ["../up", "Upper", "with space"] {
        let (_, stderr) = machine
            .case(["plugin", "new", "--lang", "js", name])
            .code(125)
            .texts();
        assert!(stderr.contains(name), "{stderr}");
    }
}

#[test]
fn the_interface_that_comes_with_a_project_is_the_one_of_the_host() {
    let machine = Machine::new();
    machine
        .case(["plugin", "new", "--lang", "python", "hook"])
        .texts();
    for entry in fs::read_dir(super::case::in_tests("../wit")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap();
        let vendored = machine.path("workspace/hook/wit").join(name);
        assert_eq!(
            fs::read(&path).unwrap(),
            fs::read(vendored).unwrap(),
            "{}",
            path.display()
        );
    }
}
