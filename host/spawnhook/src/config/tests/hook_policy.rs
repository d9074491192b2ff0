//! What holds for all hooks of a deployment, and for which commands one is called.

use std::time::Duration;

use super::{Deployment, hook};
use crate::config::HookEntry;

const PIN: &str = "sha256 = \"0000000000000000000000000000000000000000000000000000000000000000\"";

fn first(deployment: &Deployment) -> HookEntry {
    deployment.load().hooks.swap_remove(0)
}

#[test]
fn pins_are_wanted_of_files_alone() {
    let pinned = format!("hooks.require_pins = true\n{}", hook("a", PIN));
    let builtin =
        "[[hook]]\nname = \"b\"\ncomponent = \"builtin:env-inject\"\nstage = \"rewrite\"\n";
    let config = Deployment::new().user(&format!("{pinned}{builtin}")).load();
    assert!(config.hook_policy.require_pins);
    assert_eq!(config.hooks.len(), 3);
}

#[test]
fn a_hook_without_a_pin_is_refused_where_pins_are_wanted() {
    let deployment =
        Deployment::new().user(&format!("hooks.require_pins = true\n{}", hook("a", "")));
    insta::assert_snapshot!(deployment.error(), @"/home/config.toml:4:13: `hook.component`: `hooks.require_pins` wants the sha256 of every file; `spawnhook plugin inspect` tells it");
    let below = Deployment::new()
        .system("hooks.require_pins = true")
        .user(&hook("a", ""));
    insta::assert_snapshot!(below.error(), @"/home/config.toml:3:13: `hook.component`: `hooks.require_pins` wants the sha256 of every file; `spawnhook plugin inspect` tells it");
    let above = Deployment::new()
        .system(&hook("a", ""))
        .user("hooks.require_pins = true");
    insta::assert_snapshot!(above.error(), @r#"/home/config.toml:1:22: `hooks.require_pins`: the hook "a" of /etc/config.toml:1 has no sha256; add it there, or remove this"#);
}

#[test]
fn pins_that_the_system_wants_stay_wanted() {
    let deployment = Deployment::new()
        .system("hooks.require_pins = true")
        .user("hooks.require_pins = false");
    insta::assert_snapshot!(deployment.error(), @"/home/config.toml:1:22: `hooks.require_pins`: true is set by /etc/config.toml:1, and can't be taken back here; remove it");
    let locked = Deployment::new()
        .system("locked = [\"hooks\"]")
        .user("hooks.max_cpu = \"1s\"");
    insta::assert_snapshot!(locked.error(), @"/home/config.toml:1:1: `hooks`: locked by /etc/config.toml:1, so it can't be set here; remove it");
}

#[test]
fn a_limit_above_its_maximum_is_refused() {
    for (most, limit, problem) in [
        (
            "max_cpu = \"10ms\"",
            "limits.cpu = \"11ms\"",
            "11ms is above `hooks.max_cpu`, 10ms",
        ),
        (
            "max_wall = \"1s\"",
            "limits.wall = \"2s\"",
            "2s is above `hooks.max_wall`, 1s",
        ),
        (
            "max_memory = \"1MiB\"",
            "limits.memory = \"2MiB\"",
            "2MiB is above `hooks.max_memory`, 1MiB",
        ),
    ] {
        let hook = hook("a", limit);
        let error = Deployment::new()
            .user(&format!("hooks.{most}\n{hook}"))
            .error();
        assert!(error.contains(problem), "{error}");
        let error = Deployment::new()
            .system(&format!("hooks.{most}"))
            .user(&hook)
            .error();
        assert!(error.contains(problem), "{error}");
    }
}

#[test]
fn maxima_only_shrink() {
    let deployment = Deployment::new()
        .system("hooks.max_cpu = \"10ms\"")
        .user("hooks.max_cpu = \"20ms\"");
    insta::assert_snapshot!(deployment.error(), @"/home/config.toml:1:17: `hooks.max_cpu`: 20ms is above 10ms, set by /etc/config.toml:1, and a maximum only shrinks; lower it or remove it");
}

#[test]
fn a_default_above_its_maximum_is_lowered_with_it() {
    let file = format!(
        "hooks = {{ max_cpu = \"10ms\", max_memory = \"128MiB\" }}\n{}{}",
        hook("a", ""),
        hook("b", "limits.profile = \"interpreted\""),
    );
    let config = Deployment::new().user(&file).load();
    let limits = |name: &str| {
        config
            .hooks
            .iter()
            .find(|hook| hook.name == name)
            .unwrap()
            .limits
    };
    assert_eq!(limits("a").cpu, Some(Duration::from_millis(10)));
    assert_eq!(limits("a").memory, None);
    assert_eq!(limits("b").cpu, Some(Duration::from_millis(10)));
    assert_eq!(limits("b").memory, Some(128 << 20));
    assert!(
        config
            .show()
            .contains("limits.cpu = \"10ms\"  # lowered with hooks.max_cpu\n")
    );
}

/// A hook of the system that failed for want of time could be one whose failures are skipped.
#[test]
fn a_maximum_leaves_the_hooks_of_higher_layers_alone() {
    let deployment = Deployment::new()
        .system(&hook("a", "limits.cpu = \"1s\""))
        .user("hooks.max_cpu = \"1ms\"");
    assert_eq!(first(&deployment).limits.cpu, Some(Duration::from_secs(1)));
}

#[test]
fn a_condition_is_checked() {
    let error = |more: &str| Deployment::new().user(&hook("a", more)).error();
    insta::assert_snapshot!(error("when.origin = [\"web\"]"), @r#"/home/config.toml:5:16: `hook.when.origin`: invalid value: string "web", expected `cli`, `rpc`, `mcp`, `shell` or `agent:NAME`, in whose name `*` stands for any characters"#);
    insta::assert_snapshot!(error("when.origin = []"), @"/home/config.toml:5:15: `hook.when.origin`: no origin at all: the hook would never be called; name one, or remove it");
    insta::assert_snapshot!(error("when.command = \"npm\""), @"/home/config.toml:5:16: `hook.when.command`: a hook in stage `guard` that a wording can switch off is none; remove it, and let the hook itself look at the command");
    let rewrite = hook("a", "when.command = \"a(\"").replace("guard", "rewrite");
    insta::assert_snapshot!(Deployment::new().user(&rewrite).error(), @r#"/home/config.toml:5:16: `hook.when.command`: "a(" is not a regular expression: unclosed group"#);
}

#[test]
fn what_a_hook_may_is_shown_in_words() {
    let rewrite = "[[hook]]\nname = \"r\"\ncomponent = \"r.wasm\"\nstage = \"rewrite\"\n\
        may = { see_env = [\"A\", \"B_*\"], set_env = [\"C\", \"D*\"], unset_env = [\"A\"], command = true }\n\
        when = { origin = [\"cli\", \"agent:*\"], command = \"^npm \" }\n";
    let shown = Deployment::new()
        .user(&format!("{rewrite}{}", hook("g", "may.see_env = [\"*\"]")))
        .load()
        .show();
    let words: Vec<&str> = shown
        .lines()
        .filter(|line| line.starts_with("#   "))
        .collect();
    insta::assert_snapshot!(words.join("\n"), @r#"
    #   is called for commands from cli or agent:* and that match "^npm " only
    #   sees the command, the directory, the names of all variables, and the values of the variables A and B_*
    #   may refuse the command, change the command, set C and D* (globs: harmless ones only) and unset A; changes nothing else
    #   sees the command, the directory, the names of all variables, and the values of every variable
    #   may refuse the command or have a person asked; changes nothing
    #   sees the command, the directory, the names of all variables, and the values of no variable
    #   records the command and how it ended; changes and refuses nothing
    "#);
}
