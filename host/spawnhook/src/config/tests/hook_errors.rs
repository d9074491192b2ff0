//! What is wrong with a hook is said where it stands.

use super::{Deployment, hook};

#[test]
fn a_key_of_a_hook_is_unknown() {
    let deployment = Deployment::new().user(&hook("a", r#"unless = { origin = "cli" }"#));
    insta::assert_snapshot!(deployment.error(), @"/home/config.toml:5:1: unknown key `hook.unless`, expected one of `name`, `component`, `sha256`, `stage`, `on_failure`, `when`, `may`, `limits`, `settings`");
}

#[test]
fn a_hook_stands_under_a_single_header() {
    let deployment = Deployment::new().user("[hook]\nname = \"a\"");
    insta::assert_snapshot!(deployment.error(), @"/home/config.toml:1:1: `hook`: invalid type: map, expected an array of tables, each under the header `[[hook]]`");
}

#[test]
fn a_key_of_a_hook_is_missing() {
    let deployment = Deployment::new().user("[[hook]]\nname = \"a\"\nstage = \"guard\"");
    insta::assert_snapshot!(deployment.error(), @"/home/config.toml:1:1: `hook`: the key `component` is missing");
}

#[test]
fn a_right_is_no_glob() {
    let deployment = Deployment::new().user(&hook("a", r#"may.see_env = ["A=B"]"#));
    insta::assert_snapshot!(deployment.error(), @r#"/home/config.toml:5:16: `hook.may.see_env`: invalid value: string "A=B", expected the name of a variable, in which `*` stands for any characters and `?` for one"#);
}

#[test]
fn a_hook_has_a_bad_name() {
    let deployment = Deployment::new().user(&hook("a b", ""));
    insta::assert_snapshot!(deployment.error(), @r#"/home/config.toml:2:8: `hook.name`: invalid value: string "a b", expected 1 to 64 of `A-Z a-z 0-9 _ -`"#);
}

#[test]
fn a_built_in_component_has_no_name() {
    let deployment = Deployment::new()
        .user("[[hook]]\nname = \"a\"\ncomponent = \"builtin:\"\nstage = \"guard\"");
    insta::assert_snapshot!(deployment.error(), @r#"/home/config.toml:3:13: `hook.component`: invalid value: string "builtin:", expected a name after the colon"#);
}

#[test]
fn a_stage_is_unknown() {
    let deployment = Deployment::new()
        .user("[[hook]]\nname = \"a\"\ncomponent = \"a.wasm\"\nstage = \"before\"");
    insta::assert_snapshot!(deployment.error(), @r#"/home/config.toml:4:9: `hook.stage`: invalid value: string "before", expected `rewrite`, `guard` or `audit`"#);
}

#[test]
fn a_digest_is_too_short() {
    let deployment = Deployment::new().user(&hook("a", r#"sha256 = "abc""#));
    insta::assert_snapshot!(deployment.error(), @r#"/home/config.toml:5:10: `hook.sha256`: invalid value: string "abc", expected the 64 hex digits of a SHA-256"#);
}

#[test]
fn a_limit_of_a_hook_is_zero() {
    let deployment = Deployment::new().user(&hook("a", r#"limits.cpu = "0ms""#));
    insta::assert_snapshot!(deployment.error(), @r#"/home/config.toml:5:14: `hook.limits.cpu`: invalid value: string "0ms", expected a duration above zero such as "250ms" or "1m 30s""#);
}

#[test]
fn a_guard_has_a_right_to_change() {
    let deployment = Deployment::new().user(&hook("a", "may.command = true"));
    insta::assert_snapshot!(deployment.error(), @"/home/config.toml:5:15: `hook.may.command`: a hook in stage `guard` can change nothing; remove the right, or put the hook in stage `rewrite`");
}

#[test]
fn two_hooks_of_a_file_have_one_name() {
    let deployment = Deployment::new().user(&hook("a", "").repeat(2));
    insta::assert_snapshot!(deployment.error(), @r#"/home/config.toml:7:8: `hook.name`: "a" is the name of the hook at /home/config.toml:1 too; choose another name"#);
}

#[test]
fn a_referenced_file_is_missing() {
    let deployment = Deployment::new().user(&hook("a", r#"settings.token = { file = "absent" }"#));
    insta::assert_snapshot!(deployment.error(), @"/home/config.toml:5:27: `hook.settings.token.file`: can't read the file /home/absent: No such file or directory (os error 2)");
}

#[test]
fn a_referenced_variable_is_not_set() {
    let deployment =
        Deployment::new().user(&hook("a", r#"settings.list = [1, { env = "ABSENT" }]"#));
    insta::assert_snapshot!(deployment.error(), @"/home/config.toml:5:29: `hook.settings.list.env`: the variable `ABSENT` is not set");
}

#[test]
fn a_setting_is_no_number_of_json() {
    let deployment = Deployment::new().user(&hook("a", "settings.x = nan"));
    insta::assert_snapshot!(deployment.error(), @"/home/config.toml:5:14: `hook.settings.x`: NaN: expected a number that JSON has, which is finite");
}
