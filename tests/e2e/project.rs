//! What the project says of itself is true.

use std::fs;
use std::path::Path;

use super::case::{Machine, in_tests};

fn read(name: &str) -> String {
    fs::read_to_string(in_tests("..").join(name)).unwrap()
}

/// The commands of the README's first code blocks.
fn readme_commands() -> Vec<String> {
    let readme = read("README.md");
    let mut commands = Vec::new();
    let mut in_block = false;
    for line in readme.lines() {
        if line.starts_with("```") {
            in_block = line == "```sh";
        } else if in_block {
            commands.push(line.to_owned());
        }
    }
    commands
}

#[test]
fn the_check_runs_the_test_command_of_the_readme() {
    let commands = readme_commands();
    assert!(commands[0].contains("-- run -- "), "{commands:?}");
    assert!(commands[1].starts_with("cargo test"), "{commands:?}");
    let check = read(".ci/run");
    assert!(
        check.lines().any(|line| line.trim() == commands[1]),
        "{}",
        commands[1]
    );
}

#[test]
fn every_file_of_tests_is_part_of_the_binary() {
    let binary = read("tests/e2e.rs");
    for entry in fs::read_dir(in_tests("e2e")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        assert!(binary.contains(&format!("mod {name};")), "{name}");
    }
}

#[test]
fn the_readme_tells_every_option_of_run_and_of_the_servers() {
    let readme = read("README.md");
    for command in ["run", "rpc", "mcp", "context"] {
        let (help, _) = Machine::new().case([command, "--help"]).texts();
        let options = help
            .split_whitespace()
            .filter(|word| word.starts_with("--") && word.len() > 2);
        for option in options {
            let option = option.trim_matches(|c: char| !c.is_ascii_lowercase() && c != '-');
            assert!(readme.contains(option) || option == "--help", "{option}");
        }
    }
}

#[test]
fn the_reference_of_the_config_has_every_key() {
    let reference = read("host/CONFIG.md");
    let (shown, _) = Machine::new().case(["config", "show"]).texts();
    for line in shown.lines().filter(|line| !line.starts_with("[[")) {
        let key = line.trim_start_matches("# ").split(' ').next().unwrap();
        assert!(
            key.is_empty() || reference.contains(&format!("`{key}`")),
            "{key}"
        );
    }
}

/// They are part of the repository, and the ordinary tests run all of it.
#[test]
fn what_fuzzers_keep_is_small() {
    let targets = read("tests/fuzz/Cargo.toml");
    let mut found = Vec::new();
    for corpus in fs::read_dir(in_tests("fuzz/corpus")).unwrap() {
        let corpus = corpus.unwrap();
        let files: Vec<_> = fs::read_dir(corpus.path()).unwrap().collect();
        assert!((1..=200).contains(&files.len()), "{corpus:?}");
        for file in files {
            let file = file.unwrap();
            assert!(file.metadata().unwrap().len() <= 4096, "{file:?}");
        }
        found.push(corpus.file_name().into_string().unwrap());
    }
    found.sort();
    let targets = targets
        .lines()
        .filter_map(|line| line.strip_prefix("path = \"targets/"));
    let mut targets: Vec<_> = targets.map(|rest| rest.trim_end_matches(".rs\"")).collect();
    targets.sort_unstable();
    assert_eq!(found, targets);
}

/// A longer file has more than one responsibility.
#[test]
fn no_source_file_is_longer_than_three_hundred_lines() {
    let mut folders = vec![in_tests("../host"), in_tests("e2e"), in_tests("../plugins")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.ends_with("target") {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                assert_short(&path);
            }
        }
    }
}

fn assert_short(path: &Path) {
    let lines = fs::read_to_string(path).unwrap().lines().count();
    assert!(lines <= 300, "{} has {lines} lines", path.display());
}
