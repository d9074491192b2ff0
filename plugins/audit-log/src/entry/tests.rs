use insta::assert_snapshot;
use proptest::prelude::*;
use serde_json::Value;
use spawnhook_sdk::settings;

use super::*;

fn options() -> Options {
    let settings = r#"{"env_values": ["LANG", "DB_URL", "ABSENT"]}"#;
    settings::read(settings, Options::read).expect("the settings have no problem")
}

fn spawn(command: &str) -> SpawnContext {
    let mut spawn = SpawnContext {
        command: command.to_owned(),
        cwd: "/project".to_owned(),
        env: Vec::new(),
    };
    spawn.set_env("LANG", "C");
    spawn.set_env("HOME", "/home");
    spawn.set_env("DB_URL", "db://me:hunter2@host");
    spawn
}

fn call() -> Call {
    Call {
        requested: "deploy --token hunter2".to_owned(),
        workspace: "/project".to_owned(),
        origin: "mcp".to_owned(),
        timeout_ms: Some(120_000),
        env_names: vec!["DB_URL".to_owned(), "HOME".to_owned(), "LANG".to_owned()],
        session: vec![("model", "large".to_owned())],
    }
}

fn exit() -> Exit {
    Exit {
        duration_ms: 17,
        output_bytes: Some(1024),
        output_lines: Some(3),
        truncated: false,
        leftover_processes: 1,
    }
}

fn nothing_spawned() -> Exit {
    Exit {
        duration_ms: 0,
        output_bytes: None,
        output_lines: None,
        truncated: false,
        leftover_processes: 0,
    }
}

fn pretty(entry: &str) -> String {
    let value: Value = serde_json::from_str(entry).expect("an entry is JSON");
    serde_json::to_string_pretty(&value).expect("a value can be written")
}

#[test]
fn an_entry_before_the_spawn_says_what_will_run_and_masks_secrets() {
    let entry = spawn_entry(&spawn("set -e\ndeploy --token hunter2"), call(), &options());
    assert_snapshot!(pretty(&entry), @r#"
    {
      "command": "set -e\ndeploy --token ***",
      "cwd": "/project",
      "env": {
        "DB_URL": "db://me:***@host",
        "LANG": "C"
      },
      "env_names": [
        "DB_URL",
        "HOME",
        "LANG"
      ],
      "origin": "mcp",
      "requested": "deploy --token ***",
      "session": {
        "model": "large"
      },
      "timeout_ms": 120000,
      "workspace": "/project"
    }
    "#);
}

#[test]
fn an_entry_after_the_exit_says_how_it_ended() {
    let status = ExitStatus::Exited(0);
    let entry = exit_entry(&spawn("true"), &status, &exit(), call, &options());
    assert_snapshot!(entry, @r#"{"status":{"kind":"exited","code":0},"duration_ms":17,"output_bytes":1024,"output_lines":3,"truncated":false,"leftover_processes":1}"#);
}

#[test]
fn every_status_has_its_kind() {
    let statuses = [
        ExitStatus::Exited(3),
        ExitStatus::Signaled(9),
        ExitStatus::TimedOut(None),
        ExitStatus::TimedOut(Some(0)),
        ExitStatus::Cancelled(Some(1)),
        ExitStatus::Denied("no --token hunter2".to_owned()),
        ExitStatus::HookFailed("trap".to_owned()),
        ExitStatus::SpawnFailed("no shell".to_owned()),
    ];
    let kinds = statuses.map(|status| {
        let entry = exit_entry(&spawn("true"), &status, &exit(), call, &options());
        let value: Value = serde_json::from_str(&entry).expect("an entry is JSON");
        value["status"].to_string()
    });
    assert_snapshot!(kinds.join("\n"), @r#"
    {"code":3,"kind":"exited"}
    {"kind":"signaled","signal":9}
    {"code":null,"kind":"timed-out"}
    {"code":0,"kind":"timed-out"}
    {"code":1,"kind":"cancelled"}
    {"kind":"denied","reason":"no --token ***"}
    {"kind":"hook-failed","reason":"trap"}
    {"kind":"spawn-failed","reason":"no shell"}
    "#);
}

#[test]
fn an_entry_of_a_refused_command_says_all_of_it() {
    let status = ExitStatus::Denied("not on Fridays".to_owned());
    let entry = exit_entry(
        &spawn("deploy"),
        &status,
        &nothing_spawned(),
        call,
        &options(),
    );
    assert_snapshot!(pretty(&entry), @r#"
    {
      "command": "deploy",
      "cwd": "/project",
      "duration_ms": 0,
      "env": {
        "DB_URL": "db://me:***@host",
        "LANG": "C"
      },
      "env_names": [
        "DB_URL",
        "HOME",
        "LANG"
      ],
      "leftover_processes": 0,
      "origin": "mcp",
      "output_bytes": null,
      "output_lines": null,
      "requested": "deploy --token ***",
      "session": {
        "model": "large"
      },
      "status": {
        "kind": "denied",
        "reason": "not on Fridays"
      },
      "timeout_ms": 120000,
      "truncated": false,
      "workspace": "/project"
    }
    "#);
}

#[test]
fn a_huge_command_is_cut_and_the_entry_says_by_how_much() {
    let command = format!("cat <<E\n{}E\n", "word\n".repeat(200_000));
    let mut call = call();
    call.env_names = (0..5000).map(|index| format!("VARIABLE_{index}")).collect();
    let entry = spawn_entry(&spawn(&command), call, &options());
    assert!(entry.len() < ENTRY_BYTES, "{}", entry.len());
    let value: Value = serde_json::from_str(&entry).expect("an entry is JSON");
    let kept = value["command"].as_str().expect("the command is a text");
    assert!(kept.starts_with("cat <<E\nword\n") && kept.ends_with("word\nE\n"));
    let left_out = value["left_out"]["command_bytes"]
        .as_u64()
        .expect("bytes are left out");
    assert!(kept.contains(&format!("…[{left_out} bytes left out]…")));
    let names = value["env_names"]
        .as_array()
        .expect("the names are a list")
        .len();
    assert_eq!(value["left_out"]["env_names"], 5000 - names);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn an_entry_stays_below_its_size_whatever_goes_into_it(
        piece in r#"[a\x00-\x1f"\\ é😀]{1,8}"#,
        lengths in prop::collection::vec(0..150_000usize, 7),
        names in 0..4000usize,
    ) {
        let text = |index: usize| piece.repeat(lengths[index] / piece.len());
        let mut spawn = spawn(&text(0));
        spawn.cwd = text(1);
        for name in ["LANG", "DB_URL", "ABSENT"] {
            spawn.set_env(name, text(2));
        }
        let call = || Call {
            requested: text(3),
            workspace: text(4),
            origin: text(5),
            timeout_ms: Some(u64::MAX),
            env_names: (0..names).map(|index| format!("{piece}{index}")).collect(),
            session: ["id", "file", "provider", "model", "reasoning-level"]
                .map(|fact| (fact, text(6)))
                .into(),
        };
        let status = ExitStatus::HookFailed(text(6));
        let entry = exit_entry(&spawn, &status, &nothing_spawned(), call, &options());
        prop_assert!(entry.len() < ENTRY_BYTES);
        prop_assert!(serde_json::from_str::<Value>(&entry).is_ok());
    }
}
