use proptest::prelude::*;

use super::Deployment;
use super::strategies::config;
use crate::config::{Config, Provenance};

/// Two layers, with a lock, a list, a secret and a hook.
fn layers() -> Deployment {
    Deployment::new()
        .system(
            "locked = [\"audit\", \"limits.max_lines\"]\n\n[limits]\nmax_timeout = \"1m\"\n\n[env]\nexclude = [\"*KEY*\"]\n",
        )
        .user(
            "env.set.TOKEN = { env = \"FROM\" }\n[[hook]]\nname = \"words\"\n\
             component = \"words.wasm\"\nstage = \"rewrite\"\nmay.command = true\n\
             limits = { cpu = \"1s\" }\n[hook.settings]\nwords = [\"a\"]\n",
        )
        .variable("FROM", "secret")
}

fn shown(deployment: &Deployment) -> String {
    deployment.without_folder(&deployment.load().show())
}

#[test]
fn every_line_says_where_its_value_came_from() {
    insta::assert_snapshot!(shown(&layers()), @r#"
    # shell.path is unset  # built-in
    shell.prefix = ""  # built-in
    limits.default_timeout = "1m"  # lowered with limits.max_timeout
    limits.max_timeout = "1m"  # /etc/config.toml:4
    limits.max_lines = 2000  # built-in, locked
    limits.max_bytes = 51200  # built-in
    limits.spill_quota = "1GiB"  # built-in
    limits.stop_grace = "250ms"  # built-in
    # limits.leftovers is unset  # built-in
    # process.cpu is unset  # built-in
    # process.memory is unset  # built-in
    # process.file_size is unset  # built-in
    # process.open_files is unset  # built-in
    workspace.root = "/workspace"  # built-in
    workspace.confine_cwd = true  # built-in
    workspace.cwd = "request"  # built-in
    env.inherit = "core"  # built-in
    env.exclude = ["*KEY*"]  # /etc/config.toml:7
    env.set.TOKEN = "***"  # /home/config.toml:1
    session.expose = true  # built-in
    session.prefix = "PI_"  # built-in
    audit.path = "/home/state/spawnhook/audit.jsonl"  # built-in, locked
    audit.durability = "write"  # built-in, locked
    # audit.rotate_size is unset  # built-in, locked
    # audit.rotate_age is unset  # built-in, locked
    # audit.rotate_keep is unset  # built-in, locked
    # audit.syslog is unset  # built-in, locked
    hooks.require_pins = false  # built-in
    # hooks.max_cpu is unset  # built-in
    # hooks.max_wall is unset  # built-in
    # hooks.max_memory is unset  # built-in

    [[hook]]  # /home/config.toml:2
    #   sees the command, the directory, the names of all variables, and the values of no variable
    #   may refuse the command and change the command; changes nothing else
    name = "words"  # /home/config.toml:3
    component = "/home/words.wasm"  # /home/config.toml:4
    stage = "rewrite"  # /home/config.toml:5
    on_failure = "deny"  # built-in
    may.see_env = []  # built-in
    may.set_env = []  # built-in
    may.unset_env = []  # built-in
    may.command = true  # /home/config.toml:6
    may.cwd = false  # built-in
    limits.cpu = "1s"  # /home/config.toml:7
    settings = { words = ["a"] }  # /home/config.toml:8

    [[hook]]  # built-in
    #   sees the command, the directory, the names of all variables, and the values of no variable
    #   records the command and how it ended; changes and refuses nothing
    name = "audit-log"  # built-in
    component = "builtin:audit-log"  # built-in
    stage = "audit"  # built-in
    on_failure = "deny"  # built-in
    may.see_env = []  # built-in
    may.set_env = []  # built-in
    may.unset_env = []  # built-in
    may.command = false  # built-in
    may.cwd = false  # built-in
    settings = {}  # built-in
    "#);
}

proptest! {
    #[test]
    fn loading_what_is_shown_gives_the_same_config(config in config()) {
        let shown = config.show();
        let deployment = Deployment::new().user(&shown);
        let loaded = match Config::load(&deployment.sources) {
            Ok(loaded) => loaded,
            Err(error) => panic!("{error}\n{shown}"),
        };
        let loaded = Config { provenance: Provenance::default(), ..loaded };
        prop_assert_eq!(loaded, config);
    }
}
