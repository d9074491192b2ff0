//! What a deployment lets hooks see, change and use, as its config has it.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;

use serde_json::Value;

use super::case::Machine;
use super::guests::Guest;

/// A machine whose config is `head` and one hook in stage rewrite, which is the guest or the
/// first-party hook of this name, with `more` of its keys.
fn machine(head: &str, component: &str, more: &str) -> Machine {
    let machine = Machine::new();
    let component = if component.starts_with("builtin:") {
        component.to_owned()
    } else {
        let file = machine.component(&format!("guests/{component}.wat"));
        file.display().to_string()
    };
    let config = format!(
        "{head}\n[[hook]]\nname = \"hook\"\ncomponent = \"{component}\"\nstage = \"rewrite\"\n{more}\n"
    );
    std::fs::write(machine.path("config/spawnhook/config.toml"), config).unwrap();
    machine
}

fn inject(head: &str, may: &str, settings: &str) -> Machine {
    let more = format!("may = {{ {may} }}\nsettings = {{ {settings} }}");
    machine(head, "builtin:env-inject", &more)
}

fn first_report(object: &Value) -> &Value {
    &object["hooks"][0]
}

#[track_caller]
fn fails_with(machine: &Machine, class: &str, says: &str) {
    fails_so(|| machine.json("true").code(125).object(), class, says);
}

/// A machine that stalls lets a hook use up its CPU time before anybody looks at its wall time:
/// such an attempt is worthless.
#[track_caller]
fn fails_so(attempt: impl Fn() -> Value, class: &str, says: &str) {
    let stalled = |object: &Value| {
        class == "wall-limit" && first_report(object)["failure"]["class"] == "cpu-limit"
    };
    let mut objects = (0..5).map(|_| attempt());
    let object = objects.find(|object| !stalled(object)).unwrap();
    assert_eq!(first_report(&object)["failure"]["class"], class, "{object}");
    let message = object["message"].as_str().unwrap();
    assert!(message.contains(says), "{message}");
}

#[test]
fn a_glob_covers_harmless_names_and_a_dangerous_one_is_granted_by_itself() {
    let all = |settings: &str| inject("", r#"set_env = ["*"]"#, settings);
    let object = all(r#"set = { HARMLESS = "1" }"#)
        .json("echo $HARMLESS")
        .object();
    assert_eq!(object["output"], "1\n");
    for name in [
        "PATH",
        "LD_PRELOAD",
        "BASH_ENV",
        "NODE_OPTIONS",
        "GIT_SSH_COMMAND",
    ] {
        let set = format!("set = {{ {name} = \"/nowhere\" }}");
        fails_with(&all(&set), "overstepped", "by its exact name");
    }
    let exact = inject(
        "",
        r#"set_env = ["PATH"]"#,
        r#"set = { PATH = "/nowhere" }"#,
    );
    let object = exact.json("echo $PATH").object();
    assert_eq!(object["output"], "/nowhere\n");
}

#[test]
fn unsetting_wants_a_right_of_its_own() {
    let unset = |may: &str| inject("env.inherit = \"all\"", may, r#"unset = ["GONE"]"#);
    let run = |machine: &Machine, code| {
        let case = machine.json("echo ${GONE-gone}").env("GONE", "here");
        case.code(code).object()
    };
    let granted = unset(r#"see_env = ["G*"], unset_env = ["?ONE"]"#);
    assert_eq!(run(&granted, 0)["output"], "gone\n");
    let object = run(&unset(r#"see_env = ["G*"], set_env = ["GONE"]"#), 125);
    assert_eq!(first_report(&object)["failure"]["class"], "overstepped");
    // What it does not see it cannot unset.
    assert_eq!(
        run(&unset(r#"unset_env = ["GONE"]"#), 0)["output"],
        "here\n"
    );
}

#[test]
fn values_that_are_not_utf_8_pass_round_a_hook_untouched() {
    let machine = inject(
        "env.inherit = \"all\"",
        r#"see_env = ["*"], set_env = ["*"], unset_env = ["*"]"#,
        r#"set = { MARK = "m" }"#,
    );
    let object = machine
        .json(r"printf %s $BYTES | od -An -tx1; echo $MARK")
        .env("BYTES", OsStr::from_bytes(b"a\xff\xfe\xc3("))
        .object();
    assert_eq!(object["output"], " 61 ff fe c3 28\nm\n");
    assert_eq!(first_report(&object)["changed"], serde_json::json!(["env"]));
}

#[test]
fn pins_are_wanted_of_files_and_of_the_command_line() {
    let guest = Guest::named("good");
    let digest = spawnhook::audit::sha256_hex(&guest.component);
    let pins = "hooks.require_pins = true";
    let pinned = machine(pins, "good", &format!("sha256 = \"{digest}\""));
    pinned.run("echo fine").stdout("fine\n").check();
    let unpinned = machine(pins, "good", "").json("true").code(125).object();
    let message = unpinned["message"].as_str().unwrap();
    assert!(message.contains("`hooks.require_pins`"), "{message}");
    let option = format!("--hook=rewrite:{}", pinned.path("good.wasm").display());
    let added = pinned.json("true").with(&[&option]).code(125).object();
    let message = added["message"].as_str().unwrap();
    assert!(message.contains("`hooks.require_pins`"), "{message}");
}

#[test]
fn every_limit_of_a_hook_bites() {
    for (guest, limits, class, says) in [
        ("loops", r#"cpu = "7ms""#, "cpu-limit", "7 ms of CPU time"),
        (
            "loops",
            r#"cpu = "600s", wall = "30ms""#,
            "wall-limit",
            "30 ms of wall time",
        ),
        (
            "memory-grows",
            r#"memory = "1MiB""#,
            "memory-limit",
            "its limit is 1048576",
        ),
    ] {
        let limited = machine("", guest, &format!("limits = {{ {limits} }}"));
        fails_with(&limited, class, says);
    }
}

#[test]
fn every_maximum_of_the_deployment_bites() {
    for (guest, most, class, says) in [
        (
            "loops",
            r#"max_cpu = "7ms""#,
            "cpu-limit",
            "7 ms of CPU time",
        ),
        (
            "loops",
            r#"max_wall = "5ms""#,
            "wall-limit",
            "5 ms of wall time",
        ),
        (
            "memory-grows",
            r#"max_memory = "1MiB""#,
            "memory-limit",
            "its limit is 1048576",
        ),
    ] {
        let head = format!("hooks = {{ {most} }}");
        fails_with(&machine(&head, guest, ""), class, says);
        // The same for a hook of the command line.
        let machine = Machine::with_config(&head);
        let file = machine.component(&format!("guests/{guest}.wat"));
        let option = format!("--hook=rewrite:{}", file.display());
        let attempt = || machine.json("true").with(&[&option]).code(125).object();
        fails_so(attempt, class, says);
    }
}

#[test]
fn a_hook_is_called_for_what_its_deployment_says() {
    let settings = r#"settings = { set = { MARK = "m" } }"#;
    let may = r#"may = { set_env = ["MARK"] }"#;
    for (when, command, called) in [
        (r#"origin = ["cli"]"#, "echo ${MARK-none}", true),
        (r#"origin = ["mcp", "agent:*"]"#, "echo ${MARK-none}", false),
        (r#"command = "^echo""#, "echo ${MARK-none}", true),
        (r#"command = "^npm""#, "echo ${MARK-none}", false),
        (
            r#"origin = ["cli"], command = "none""#,
            "echo ${MARK-none}",
            true,
        ),
    ] {
        let more = format!("when = {{ {when} }}\n{may}\n{settings}");
        let machine = machine("", "builtin:env-inject", &more);
        let object = machine.json(command).object();
        let (output, result) = if called {
            ("m\n", "changed")
        } else {
            ("none\n", "not-called")
        };
        assert_eq!(object["output"], output, "{when}");
        assert_eq!(first_report(&object)["result"], result, "{when}");
    }
}

#[test]
fn what_an_audit_hook_is_not_called_for_is_recorded_by_the_host() {
    let machine = Machine::with_config(
        "[[hook]]\nname = \"audit-log\"\ncomponent = \"builtin:audit-log\"\nstage = \"audit\"\n\
         when.origin = [\"mcp\"]\n",
    );
    let object = machine.json("true").object();
    assert_eq!(first_report(&object)["result"], "not-called");
    let records = machine.audit();
    assert_eq!(records.len(), 1);
    assert_eq!(records[0]["event"], "exit");
    assert_eq!(records[0]["hook"], "audit-log");
}
