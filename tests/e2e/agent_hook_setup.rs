//! Putting the program into the settings of agents, and taking it out again.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};

use super::agent_hook::POLICY;
use super::case::Machine;

const SETTINGS: [(&str, &str); 5] = [
    ("claude", ".claude/settings.json"),
    ("codex", ".codex/hooks.json"),
    ("gemini", ".gemini/settings.json"),
    ("cursor", ".cursor/hooks.json"),
    ("copilot", ".copilot/hooks/spawnhook.json"),
];

const OTHERS: &str = "{\n  \"model\": \"opus\",\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\"matcher\": \"Bash\", \"hooks\": [{\"type\": \"command\", \"command\": \"x\"}]}\n    ]\n  }\n}\n";

fn setup(machine: &Machine, words: &[&str], code: i32) -> (String, String) {
    let patient: &[&str] = match words[0] {
        "install" => &["--within", "60"],
        _ => &[],
    };
    let case = machine.case(["agent-hook"]).and(words).and(patient);
    case.code(code).texts()
}

#[test]
fn an_install_is_proved_shown_and_undone_for_every_agent() {
    let machine = Machine::with_config(POLICY);
    for (agent, file) in SETTINGS {
        let path = machine.path("home").join(file);
        let (shown, _) = setup(&machine, &["status", agent], 1);
        assert_eq!(shown.matches("not installed").count(), 2, "{shown}");
        let (difference, _) = setup(&machine, &["install", agent, "--dry-run"], 0);
        assert!(difference.contains("+++ "), "{difference}");
        assert!(!path.exists(), "a dry run changes nothing");
        let (told, _) = setup(&machine, &["install", agent], 0);
        assert!(told.contains("proved: it denies"), "{told}");
        let record = machine.audit().pop().unwrap();
        assert_eq!(record["refused_by"], "agent-hook");
        assert_eq!(record["entry"]["command"], ": spawnhook self-test");
        let (shown, _) = setup(&machine, &["status", agent], 0);
        assert!(shown.contains("works: it denies"), "{shown}");
        drop(setup(&machine, &["uninstall", agent], 0));
        assert!(
            !path.exists() && !path.parent().unwrap().exists(),
            "{agent}"
        );
        let (told, _) = setup(&machine, &["uninstall", agent], 0);
        assert!(told.starts_with("not installed in "), "{told}");
    }
}

#[test]
fn a_file_of_others_is_edited_by_itself_and_comes_back_to_the_byte() {
    let machine = Machine::new();
    let home = machine.path("home");
    let (kept, link) = (
        home.join("dotfiles.json"),
        home.join(".claude/settings.json"),
    );
    fs::create_dir(home.join(".claude")).unwrap();
    fs::write(&kept, OTHERS).unwrap();
    fs::set_permissions(&kept, Permissions::from_mode(0o640)).unwrap();
    symlink(&kept, &link).unwrap();
    for options in [&[] as &[&str], &["--own-process", "--approve"]] {
        let words = [&["install", "claude"], options].concat();
        drop(setup(&machine, &words, 0));
        let text = fs::read_to_string(&kept).unwrap();
        assert!(text.starts_with(&OTHERS[..OTHERS.len() - 15]), "{text}");
        assert_eq!(text.matches("agent-hook").count(), 1, "{text}");
        assert_eq!(text.contains("--own-process"), !options.is_empty());
        assert_eq!(kept.metadata().unwrap().mode() & 0o777, 0o640);
        assert!(link.symlink_metadata().unwrap().is_symlink());
    }
    drop(setup(&machine, &["uninstall", "claude"], 0));
    assert_eq!(fs::read_to_string(&kept).unwrap(), OTHERS);
    assert_eq!(kept.metadata().unwrap().mode() & 0o777, 0o640);
}

#[test]
fn what_was_changed_since_is_kept() {
    let machine = Machine::new();
    let path = machine.path("home/.claude/settings.json");
    fs::create_dir(path.parent().unwrap()).unwrap();
    fs::write(&path, OTHERS).unwrap();
    drop(setup(&machine, &["install", "claude"], 0));
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("opus", "sonnet")).unwrap();
    let (told, _) = setup(&machine, &["uninstall", "claude"], 0);
    assert!(told.starts_with("removed from "), "{told}");
    let expected = OTHERS.replace("opus", "sonnet");
    assert_eq!(fs::read_to_string(&path).unwrap(), expected);
}

#[test]
fn a_project_has_settings_of_its_own() {
    let machine = Machine::new();
    drop(setup(
        &machine,
        &["install", "copilot", "--scope", "project"],
        0,
    ));
    let path = machine.workspace().join(".github/hooks/spawnhook.json");
    let file: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    let hook = &file["hooks"]["preToolUse"][0];
    assert!(hook["exec"].as_str().unwrap().starts_with('/'), "{hook}");
    assert_eq!(hook["timeoutSec"], 66, "more than it may take");
    drop(setup(
        &machine,
        &["uninstall", "copilot", "--scope", "project"],
        0,
    ));
    assert!(!machine.workspace().join(".github").exists());
}

#[test]
fn cursor_is_asked_where_it_can_ask_unless_something_has_to_be_rewritten() {
    let events = |machine: &Machine, options: &[&str]| {
        drop(setup(
            machine,
            &[&["install", "cursor"], options].concat(),
            0,
        ));
        let file = fs::read(machine.path("home/.cursor/hooks.json")).unwrap();
        let file: serde_json::Value = serde_json::from_slice(&file).unwrap();
        file["hooks"].as_object().unwrap().len()
    };
    assert_eq!(events(&Machine::with_config(POLICY), &[]), 1);
    assert_eq!(events(&Machine::with_config(POLICY), &["--own-process"]), 2);
    let prefixed = Machine::with_config("[shell]\nprefix = \"set -e\"\n");
    assert_eq!(events(&prefixed, &[]), 2);
}

#[test]
fn what_does_not_work_is_not_installed() {
    let machine = Machine::new();
    let loops = machine.component("guests/loops.wat");
    let hook = format!("guard:{}", loops.display());
    let (_, stderr) = setup(&machine, &["install", "claude", "--hook", &hook], 125);
    assert!(stderr.contains("was left as it was: "), "{stderr}");
    assert!(!machine.path("home/.claude").exists());
    // with a comment in it Claude Code would run no hook
    let path = machine.path("home/.claude/settings.json");
    fs::create_dir(path.parent().unwrap()).unwrap();
    fs::write(&path, "{} // mine").unwrap();
    let (_, stderr) = setup(&machine, &["install", "claude"], 125);
    assert!(stderr.contains("it is not JSON"), "{stderr}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "{} // mine");
}

#[test]
fn a_hook_that_was_installed_and_is_broken_or_disabled_is_told() {
    let machine = Machine::new();
    drop(setup(&machine, &["install", "claude"], 0));
    let path = machine.path("home/.claude/settings.json");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replacen('{', "{ \"disableAllHooks\": true,", 1)).unwrap();
    let (_, stderr) = setup(&machine, &["status", "claude"], 125);
    assert!(stderr.contains("disableAllHooks"), "{stderr}");
    let (_, stderr) = setup(&machine, &["install", "claude", "--approve"], 125);
    assert!(
        stderr.contains("was left as it was: `disableAllHooks`"),
        "{stderr}"
    );
    fs::write(&path, &text).unwrap();
    fs::write(machine.path("config/spawnhook/config.toml"), "what = 1").unwrap();
    let (_, stderr) = setup(&machine, &["status", "claude"], 125);
    assert!(stderr.contains("did not deny the call"), "{stderr}");
}
