//! What a file may not loosen is said with both places.

use super::{Deployment, hook};

#[test]
fn a_hook_of_the_system_is_defined_again() {
    let deployment = Deployment::new()
        .system(&hook("a", ""))
        .user(&hook("a", ""));
    insta::assert_snapshot!(deployment.error(), @r#"/home/config.toml:2:8: `hook.name`: "a" is a hook of /etc/config.toml:1, which can't be redefined here; choose another name"#);
}

#[test]
fn a_built_in_hook_is_defined_below_the_systems_file() {
    let deployment = Deployment::new().system("").user(&hook("audit-log", ""));
    insta::assert_snapshot!(deployment.error(), @r#"/home/config.toml:2:8: `hook.name`: "audit-log" is a built-in hook, which /etc/config.toml leaves in place; choose another name"#);
}

#[test]
fn a_maximum_grows_below_the_systems_file() {
    let deployment = Deployment::new()
        .system("limits.max_lines = 100")
        .user("limits.max_lines = 200");
    insta::assert_snapshot!(deployment.error(), @"/home/config.toml:1:20: `limits.max_lines`: 200 is above 100, set by /etc/config.toml:1, and a maximum only shrinks; lower it or remove it");
}

#[test]
fn a_maximum_grows_that_the_systems_file_left_alone() {
    let deployment = Deployment::new()
        .system("")
        .user(r#"limits.max_timeout = "2h""#);
    insta::assert_snapshot!(deployment.error(), @"/home/config.toml:1:22: `limits.max_timeout`: 2h is above 1h, built in and left so by /etc/config.toml, and a maximum only shrinks; lower it or remove it");
}

#[test]
fn a_quota_grows_below_the_systems_file() {
    let deployment = Deployment::new()
        .system(r#"limits.spill_quota = "1MiB""#)
        .user(r#"limits.spill_quota = "1GB""#);
    insta::assert_snapshot!(deployment.error(), @"/home/config.toml:1:22: `limits.spill_quota`: 1000000000B is above 1MiB, set by /etc/config.toml:1, and a maximum only shrinks; lower it or remove it");
}

#[test]
fn the_default_timeout_is_above_the_maximum() {
    let deployment =
        Deployment::new().user(r#"limits = { default_timeout = "2m", max_timeout = "1m" }"#);
    insta::assert_snapshot!(deployment.error(), @"/home/config.toml:1:30: `limits.default_timeout`: 2m is above `limits.max_timeout`, 1m; lower it");
}

#[test]
fn the_maximum_falls_below_a_default_of_the_system() {
    let deployment = Deployment::new()
        .system(r#"limits.default_timeout = "5m""#)
        .user(r#"limits.max_timeout = "1m""#);
    insta::assert_snapshot!(deployment.error(), @"/home/config.toml:1:22: `limits.max_timeout`: 1m is below `limits.default_timeout`, 5m set by /etc/config.toml:1; set that one lower as well");
}

#[test]
fn a_locked_key_is_set() {
    let deployment = Deployment::new()
        .system(r#"locked = ["shell", "limits.max_timeout"]"#)
        .user(r#"limits.max_timeout = "1m""#);
    insta::assert_snapshot!(deployment.error(), @"/home/config.toml:1:22: `limits.max_timeout`: locked by /etc/config.toml:1, so it can't be set here; remove it");
}

#[test]
fn a_key_of_a_locked_table_is_set() {
    let deployment = Deployment::new()
        .system(r#"locked = ["shell", "env"]"#)
        .user(r#"env.set.A = "x""#);
    insta::assert_snapshot!(deployment.error(), @"/home/config.toml:1:1: `env`: locked by /etc/config.toml:1, so it can't be set here; remove it");
}

#[test]
fn a_hook_is_added_where_hooks_are_locked() {
    let deployment = Deployment::new()
        .system(r#"locked = ["hook"]"#)
        .user(&hook("a", ""));
    insta::assert_snapshot!(deployment.error(), @"/home/config.toml:1:1: `hook`: locked by /etc/config.toml:1, so it can't be set here; remove it");
}

#[test]
fn a_lock_names_no_key() {
    let deployment = Deployment::new().system(r#"locked = ["env", "limits.max_time"]"#);
    insta::assert_snapshot!(deployment.error(), @r#"/etc/config.toml:1:18: `locked`: invalid value: string "limits.max_time", expected a table or key of this config, such as "env", "limits.max_timeout" or "hook""#);
}

#[test]
fn a_lock_stands_in_the_lowest_file() {
    let deployment = Deployment::new().user(r#"locked = ["env"]"#);
    insta::assert_snapshot!(deployment.error(), @"/home/config.toml:1:10: `locked`: no file stands below this one; it belongs in the system's file");
}

#[test]
fn the_log_that_the_systems_file_places_is_moved() {
    let deployment = Deployment::new()
        .system(r#"audit.path = "/var/log/a.jsonl""#)
        .user(r#"audit.path = "/dev/null""#);
    insta::assert_snapshot!(deployment.error(), @r#"/home/config.toml:1:14: `audit.path`: "/dev/null": the log is at /var/log/a.jsonl, set by /etc/config.toml:1, and can't be moved here; remove it"#);
}

#[test]
fn the_log_is_less_durable_than_the_systems_file_says() {
    let deployment = Deployment::new()
        .system(r#"audit.durability = "fsync""#)
        .user(r#"audit.durability = "write""#);
    insta::assert_snapshot!(deployment.error(), @"/home/config.toml:1:20: `audit.durability`: `write` is weaker than `fsync`, set by /etc/config.toml:1, and can only grow stronger here; remove it");
}

#[test]
fn the_log_that_the_systems_file_left_alone_is_switched_off() {
    let deployment = Deployment::new()
        .system("")
        .user(r#"audit.durability = "none""#);
    insta::assert_snapshot!(deployment.error(), @"/home/config.toml:1:20: `audit.durability`: `none` is weaker than `write`, built in and left so by /etc/config.toml, and can only grow stronger here; remove it");
}

#[test]
fn a_limit_of_processes_grows() {
    let deployment = Deployment::new()
        .system("[process]\nmemory = \"1GiB\"")
        .user("[process]\ncpu = \"9s\"\nmemory = \"2GiB\"");
    insta::assert_snapshot!(deployment.error(), @"/home/config.toml:3:10: `process.memory`: 2GiB is above 1GiB, set by /etc/config.toml:2, and a maximum only shrinks; lower it or remove it");
}

#[test]
fn leftovers_are_left_more() {
    let deployment = Deployment::new()
        .system("limits.leftovers = \"session\"")
        .user("limits.leftovers = \"keep\"");
    insta::assert_snapshot!(deployment.error(), @r#"/home/config.toml:1:20: `limits.leftovers`: "keep" is above "session", set by /etc/config.toml:1, and a maximum only shrinks; lower it or remove it"#);
}

#[test]
fn below_the_system_no_fewer_files_are_kept() {
    let deployment = Deployment::new()
        .system("audit.rotate_keep = 10")
        .user("audit.rotate_keep = 9");
    insta::assert_snapshot!(deployment.error(), @"/home/config.toml:1:21: `audit.rotate_keep`: 9 files are fewer than 10, set by /etc/config.toml:1, and no fewer can be kept here; remove it");
    let deployment = Deployment::new().system("").user("audit.rotate_keep = 9");
    insta::assert_snapshot!(deployment.error(), @"/home/config.toml:1:21: `audit.rotate_keep`: 9 files are fewer than all, built in and left so by /etc/config.toml, and no fewer can be kept here; remove it");
    let deployment = Deployment::new()
        .system("audit.rotate_keep = 10")
        .user("audit.rotate_keep = 11");
    assert_eq!(deployment.load().audit.rotate_keep, Some(11));
}

#[test]
fn below_the_system_no_file_is_shorter_where_old_ones_are_removed() {
    let deployment = Deployment::new()
        .system("audit = { rotate_keep = 10, rotate_size = \"1MiB\" }")
        .user("audit.rotate_size = \"1KiB\"");
    insta::assert_snapshot!(deployment.error(), @"/home/config.toml:1:21: `audit.rotate_size`: 1KiB: /etc/config.toml:1 says how many files are kept, so how much is in one can't be changed here; remove it");
    let deployment = Deployment::new()
        .system("audit = { rotate_keep = 10, rotate_size = \"1MiB\" }")
        .user("audit.rotate_age = \"1d\"");
    insta::assert_snapshot!(deployment.error(), @"/home/config.toml:1:20: `audit.rotate_age`: 24h: /etc/config.toml:1 says how many files are kept, so how much is in one can't be changed here; remove it");
}

#[test]
fn below_the_system_what_it_says_of_rotation_and_syslog_stays() {
    let deployment = Deployment::new()
        .system("audit.rotate_age = \"7d\"")
        .user("audit.rotate_age = \"8d\"");
    insta::assert_snapshot!(deployment.error(), @"/home/config.toml:1:20: `audit.rotate_age`: 192h: it is 168h, set by /etc/config.toml:1, and can't be changed here; remove it");
    let deployment = Deployment::new()
        .system("audit.syslog = \"/dev/log\"")
        .user("audit.syslog = \"/dev/null\"");
    insta::assert_snapshot!(deployment.error(), @r#"/home/config.toml:1:16: `audit.syslog`: "/dev/null": /etc/config.toml:1 says where records go besides, and it can't be changed here; remove it"#);
}
