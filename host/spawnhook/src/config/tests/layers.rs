use std::fs;
use std::time::Duration;

use spawnhook_hooks::OnFailure;
use spawnhook_model::Stage;

use super::{Deployment, names};
use crate::config::{Component, Config, Durability, Layer, Profile};
use crate::env_policy::Inherit;

const THREE_HOOKS: &str = r#"
[[hook]]
name = "record"
component = "builtin:audit-log"
stage = "audit"

[[hook]]
name = "rules"
component = "rules.wasm"
stage = "guard"
on_failure = "skip"

[[hook]]
name = "words"
component = "~/words.wasm"
stage = "rewrite"
may = { command = true, set_env = ["WORD_*"] }
limits = { cpu = "1s", wall = "1m 30s", memory = "64MiB", profile = "interpreted" }
"#;

#[test]
fn without_files_the_built_in_config_applies() {
    let deployment = Deployment::new();
    let config = deployment.load();
    assert_eq!(config, Config::built_in(&deployment.sources));
    assert_eq!(config.limits.default_timeout.seconds(), 120.0);
    assert_eq!(config.limits.max_timeout.seconds(), 3600.0);
    assert_eq!(config.limits.output.max_lines, 2000);
    assert_eq!(config.limits.output.max_bytes, 51_200);
    assert_eq!(config.limits.spill_quota, 1_073_741_824);
    assert_eq!(config.limits.stop_grace, Duration::from_millis(250));
    assert!(config.workspace.confine_cwd);
    assert_eq!(config.workspace.root, deployment.path().join("workspace"));
    assert_eq!(
        config.audit.path,
        deployment.path().join("home/state/spawnhook/audit.jsonl")
    );
    assert_eq!(config.hooks[0].name, "audit-log");
    assert_eq!(
        config.hooks[0].component,
        Component::Builtin("audit-log".to_owned())
    );
    assert_eq!(config.hooks[0].stage, Stage::Audit);
}

#[test]
fn a_named_file_replaces_the_users() {
    let mut deployment = Deployment::new()
        .user("[shell]\nprefix = \"user\"")
        .file("named.toml", "[limits]\nmax_lines = 7");
    deployment.sources.explicit = Some(deployment.path().join("named.toml"));
    let config = deployment.load();
    assert_eq!(config.shell.prefix, "");
    assert_eq!(config.limits.output.max_lines, 7);
}

#[test]
fn a_named_file_must_exist() {
    let mut deployment = Deployment::new();
    deployment.sources.explicit = Some(deployment.path().join("absent.toml"));
    assert_eq!(
        deployment.error(),
        "can't read the config file /absent.toml"
    );
}

#[test]
fn a_file_that_exists_and_cannot_be_read_is_an_error_on_every_layer() {
    for name in ["etc/config.toml", "home/config.toml"] {
        let deployment = Deployment::new();
        fs::create_dir(deployment.path().join(name)).unwrap();
        assert_eq!(
            deployment.error(),
            format!("can't read the config file /{name}")
        );
    }
}

#[test]
fn a_file_in_the_workspace_is_read_only_if_it_is_named() {
    let mut deployment = Deployment::new().file("workspace/config.toml", "[limits]\nmax_lines = 7");
    assert_eq!(deployment.load().limits.output.max_lines, 2000);
    deployment.sources.explicit = Some(deployment.path().join("workspace/config.toml"));
    assert_eq!(deployment.load().limits.output.max_lines, 7);
}

#[test]
fn a_lower_file_changes_what_a_higher_one_set() {
    let config = Deployment::new()
        .system("[shell]\nprefix = \"a\"\n[env]\ninherit = \"all\"\nset = { A = \"1\", B = \"2\" }")
        .user("[shell]\nprefix = \"b\"\n[env]\ninherit = [\"core\", \"X_*\"]\nset = { B = \"3\" }")
        .load();
    assert_eq!(config.shell.prefix, "b");
    assert_eq!(
        config.env.inherit,
        Inherit::Globs(vec!["core".to_owned(), "X_*".to_owned()])
    );
    let set: Vec<_> = config
        .env
        .set
        .iter()
        .map(|(name, value)| (&**name, &**value))
        .collect();
    assert_eq!(set, [("A", "1"), ("B", "3")]);
}

#[test]
fn a_hook_has_what_its_table_says() {
    let deployment = Deployment::new().user(THREE_HOOKS);
    let config = deployment.load();
    let [words, rules, audit_log, record] = &config.hooks[..] else {
        panic!("{:?}", names(&config));
    };
    assert_eq!(
        words.component,
        Component::File(deployment.path().join("home/words.wasm"))
    );
    assert_eq!(words.on_failure, OnFailure::Deny);
    assert_eq!((words.may.command, words.may.cwd), (true, false));
    assert_eq!(words.may.set_env, ["WORD_*"]);
    assert_eq!(words.limits.cpu, Some(Duration::from_secs(1)));
    assert_eq!(words.limits.wall, Some(Duration::from_secs(90)));
    assert_eq!(words.limits.memory, Some(67_108_864));
    assert_eq!(words.limits.profile, Some(Profile::Interpreted));
    assert_eq!(
        rules.component,
        Component::File(deployment.path().join("home/rules.wasm"))
    );
    assert_eq!(rules.on_failure, OnFailure::Skip);
    assert_eq!(audit_log.from, Layer::BuiltIn);
    assert_eq!(record.from, Layer::User);
}

#[test]
fn the_hooks_of_the_system_run_first_in_their_stage() {
    let hook = |name: &str, stage: &str| {
        format!("[[hook]]\nname = \"{name}\"\ncomponent = \"c.wasm\"\nstage = \"{stage}\"\n")
    };
    let deployment = Deployment::new()
        .system(&(hook("z-guard", "guard") + &hook("z-audit", "audit")))
        .user(
            &(hook("a-audit", "audit") + &hook("a-guard", "guard") + &hook("a-rewrite", "rewrite")),
        );
    assert_eq!(
        names(&deployment.load()),
        [
            "a-rewrite",
            "z-guard",
            "a-guard",
            "audit-log",
            "z-audit",
            "a-audit"
        ]
    );
}

#[test]
fn a_file_that_nothing_binds_replaces_what_is_built_in() {
    let replacing = "[limits]\nmax_lines = 5000\nmax_bytes = \"1MiB\"\nmax_timeout = \"2h\"\nspill_quota = \"2GiB\"\n\
         [env]\nexclude = [\"MINE\"]\n\
         [[hook]]\nname = \"audit-log\"\ncomponent = \"mine.wasm\"\nstage = \"audit\"\n";
    for deployment in [
        Deployment::new().user(replacing),
        Deployment::new().system(replacing),
    ] {
        let config = deployment.load();
        assert_eq!(config.limits.output.max_lines, 5000);
        assert_eq!(config.limits.output.max_bytes, 1 << 20);
        assert_eq!(config.limits.max_timeout.seconds(), 7200.0);
        assert_eq!(config.limits.spill_quota, 1 << 31);
        assert_eq!(config.env.exclude, ["MINE"]);
        assert_eq!(names(&config), ["audit-log"]);
        assert!(matches!(config.hooks[0].component, Component::File(_)));
    }
}

#[test]
fn maxima_shrink_below_the_systems_file() {
    let config = Deployment::new()
        .system("[limits]\nmax_lines = 500\n")
        .user(
            "[limits]\nmax_lines = 100\nmax_bytes = 1000\nmax_timeout = \"60s\"\nspill_quota = 0\n",
        )
        .load();
    assert_eq!(config.limits.output.max_lines, 100);
    assert_eq!(config.limits.output.max_bytes, 1000);
    assert_eq!(config.limits.max_timeout.seconds(), 60.0);
    assert_eq!(config.limits.spill_quota, 0);
}

#[test]
fn the_built_in_default_timeout_follows_the_maximum_down() {
    let config = Deployment::new()
        .system("limits.max_timeout = \"60s\"")
        .user("limits.max_timeout = \"30s\"")
        .load();
    assert_eq!(config.limits.default_timeout.seconds(), 30.0);
}

#[test]
fn exclusions_of_the_system_stay() {
    let config = Deployment::new()
        .system("env.exclude = [\"A*\"]")
        .user("env.exclude = [\"B*\", \"A*\"]")
        .load();
    assert_eq!(config.env.exclude, ["A*", "B*"]);
}

#[test]
fn exclusions_that_the_system_left_built_in_stay_as_well() {
    let deployment = Deployment::new().system("").user("env.exclude = [\"B*\"]");
    let exclude = deployment.load().env.exclude;
    assert!(exclude.iter().any(|glob| glob == "*SECRET*"));
    assert_eq!(exclude.last().unwrap(), "B*");
}

#[test]
fn a_lock_leaves_the_keys_beside_it_free() {
    let config = Deployment::new()
        .system("locked = [\"limits.max_timeout\", \"env.set.A\"]")
        .user("[limits]\nmax_lines = 3\n[env]\nset = { AB = \"x\" }")
        .load();
    assert_eq!(config.limits.output.max_lines, 3);
}

#[test]
fn paths_start_where_their_kind_says() {
    let deployment = Deployment::new().user(
        "shell.path = \"~/bin/bash\"\nworkspace.root = \"./below/.\"\naudit.path = \"$XDG_STATE_HOME/a.jsonl\"",
    );
    let config = deployment.load();
    let at = |name: &str| deployment.path().join(name);
    assert_eq!(config.shell.path, Some(at("home/bin/bash")));
    assert_eq!(
        config.workspace.root.as_os_str(),
        at("workspace/below").as_os_str()
    );
    assert_eq!(config.audit.path, at("home/state/a.jsonl"));
}

#[test]
fn the_log_may_grow_more_durable_and_move_where_no_file_put_it() {
    let config = Deployment::new()
        .system("audit.durability = \"write\"")
        .user("audit = { durability = \"fsync\", path = \"/a.jsonl\" }")
        .load();
    assert_eq!(config.audit.durability, Durability::Fsync);
    assert_eq!(config.audit.path.as_os_str(), "/a.jsonl");
}

#[test]
fn rotation_is_free_where_nothing_binds_it() {
    let config = Deployment::new()
        .system("limits.max_lines = 5")
        .user("audit = { rotate_size = \"64MiB\", rotate_age = \"1w\", syslog = \"/dev/log\" }")
        .load();
    assert_eq!(config.audit.rotate_size, Some(64 << 20));
    assert_eq!(config.audit.rotate_age, Some(Duration::from_hours(168)));
    assert_eq!(config.audit.syslog, Some("/dev/log".into()));
    let config = Deployment::new().user("audit.rotate_keep = 1").load();
    assert_eq!(config.audit.rotate_keep, Some(1));
}
