use super::Deployment;

/// The warnings about a config of the user, a line each.
fn warnings(config: &str) -> String {
    let deployment = Deployment::new().user(config);
    let warnings = deployment.load().warnings().join("\n");
    let folder = deployment.sources.user.unwrap();
    warnings.replace(folder.parent().unwrap().to_str().unwrap(), "HOME")
}

#[test]
fn what_keeps_secrets_back_is_not_warned_about() {
    for config in [
        "",
        "env.inherit = \"all\"",
        "env.inherit = [\"core\", \"MY_*\", \"HTTPS_PROXY\"]",
        // it has no effect, since exclusions win
        "env.inherit = [\"GITHUB_TOKEN\"]",
        // nothing of it is inherited
        "env.exclude = []",
        "env = { inherit = [\"core\", \"EDITOR\"], exclude = [] }",
        "env = { inherit = \"all\", exclude = [\"*\"] }",
        "env.set = { MARK = \"x\" }",
        "[[hook]]\nname = \"h\"\ncomponent = \"h.wasm\"\nstage = \"guard\"\nmay = { see_env = [\"PATH\", \"MY_*\"] }",
    ] {
        assert_eq!(warnings(config), "", "{config}");
    }
}

#[test]
fn what_commands_inherit_by_narrowed_exclusions_is_warned_about() {
    let all =
        warnings("[env]\ninherit = \"all\"\nexclude = [\"*KEY*\", \"*_TOKEN\", \"*secret*\"]");
    let some =
        warnings("[env]\ninherit = [\"core\", \"MY_*\"]\nexclude = [\"*_AUTH*\", \"*KEY*\"]");
    insta::assert_snapshot!(format!("{all}\n{some}"), @r#"
    commands get variables named like secrets: env.inherit (HOME/config.toml:2) has "all", and env.exclude (HOME/config.toml:3) no longer has "*TOKEN*", "*PASSWORD*", "*PASSWD*", "*PASSPHRASE*" and 27 more
    commands get variables named like secrets: env.inherit (HOME/config.toml:2) has "MY_*", and env.exclude (HOME/config.toml:3) no longer has "*SECRET*", "*TOKEN*", "*PASSWORD*", "*PASSWD*" and 19 more
    "#);
}

#[test]
fn secrets_that_every_command_gets_are_warned_about() {
    let set = warnings("[env.set]\nMARK = \"x\"\napi_key = \"x\"\nDB_PASSWORD = \"x\"");
    insta::assert_snapshot!(set, @r#"every command gets "DB_PASSWORD", "api_key", named like a secret, from env.set (HOME/config.toml:4)"#);
}

#[test]
fn hooks_that_see_secrets_are_warned_about() {
    let hook = |see: &str| {
        format!(
            "[[hook]]\nname = \"h\"\ncomponent = \"h.wasm\"\nstage = \"guard\"\nmay = {{ see_env = {see} }}\n"
        )
    };
    let everything = warnings(&hook("[\"*\"]"));
    let narrowed = format!(
        "[env]\ninherit = [\"MY_*\"]\nexclude = []\n{}",
        hook("[\"MY_T*\", \"OTHER\"]")
    );
    let set = format!("[env.set]\nAPI_KEY = \"x\"\n{}", hook("[\"API_*\"]"));
    insta::assert_snapshot!(format!("{everything}\n{}\n{}", warnings(&narrowed), warnings(&set)), @r#"
    hook `h` (HOME/config.toml:1) sees the values of all variables of every command: `may.see_env` has "*"
    commands get variables named like secrets: env.inherit (HOME/config.toml:2) has "MY_*", and env.exclude (HOME/config.toml:3) no longer has "*KEY*", "*SECRET*", "*TOKEN*", "*PASSWORD*" and 22 more
    hook `h` (HOME/config.toml:4) sees the values of variables named like secrets ("*KEY*", "*SECRET*", "*TOKEN*", "*PASSWORD*" and 22 more): `may.see_env` has "MY_T*"
    every command gets "API_KEY", named like a secret, from env.set (HOME/config.toml:2)
    hook `h` (HOME/config.toml:3) sees the values of variables named like secrets ("API_KEY"): `may.see_env` has "API_*"
    "#);
}
