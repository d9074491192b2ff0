use spawnhook_model::Env;

use super::*;
use crate::config::Sources;

fn ask(hooks: &str, command: &str) -> Result<Answer, ExplainError> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("config.toml");
    std::fs::write(&file, format!("workspace.root = \"/project\"\n{hooks}")).unwrap();
    let config = Config::load(&Sources {
        system: None,
        user: None,
        explicit: Some(file),
        state_home: folder.path().to_owned(),
        start_directory: "/project".into(),
        home: None,
        env: Env::new(),
    });
    let inquiry = Inquiry {
        command: command.to_owned(),
        origin: Origin::Cli,
        cwd: "/project".to_owned(),
    };
    explain(&config.unwrap(), &inquiry)
}

fn explained(hooks: &str, command: &str) -> Answer {
    ask(hooks, command).unwrap()
}

const STRICT: &str = r#"
    [[hook]]
    name = "strict"
    component = "builtin:command-policy"
    stage = "guard"
    [hook.settings]
    default = "deny"
    allowed = ["git", "ls"]
    writable = ["inside"]
    rules = [{ name = "no-force", program = "git", flags = "--force", verdict = "deny", reason = "shared" }]
"#;

#[test]
fn an_answer_is_a_tree_with_a_verdict_and_a_rule_for_each_part() {
    let command =
        "git status && env A=1 sh -c 'ls > out; $x' | touch \"$(ls /)\" > /etc/x\ngit push --force";
    insta::assert_snapshot!(explained(STRICT, command), @r#"
    hook `strict`: deny
      allow  git status                                 allowed
      allow  env A=1 sh -c 'ls > out; $x'               wrapper      and-or, pipeline
      allow  └─ sh -c ls > out; $x                      wrapper      wrapped
      allow     ├─ ls > out                             allowed      text
      allow     │  └─ writes out                        writable
                └─ $x                                                text
      ask          └─ a program known only at run time  undecidable
      deny   touch "$(ls /)" > /etc/x                   default      and-or, pipeline
      deny   ├─ writes /etc/x                           default
      allow  └─ ls /                                    allowed      substitution
      deny   git push --force                           no-force
    because `touch "$(ls /)" > /etc/x`: no rule allows it; writing to /etc/x by `touch "$(ls /)" > /etc/x`: no rule allows it; `git push --force`: denied by no-force (shared); the allowed programs are git, ls
    "#);
}

#[test]
fn without_a_policy_it_is_that_of_a_hook_without_settings() {
    insta::assert_snapshot!(explained("", "cd src; cargo test"), @"
    no `builtin:command-policy` is configured; its default policy: ask
      allow  cd src      builtin
      ask    cargo test  default
    because `cargo test`: no rule allows it
    ");
}

#[test]
fn characters_that_a_terminal_obeys_are_shown() {
    let command = "ls \u{1b}[2K\u{202e}\n# \u{7}\nls 'a\nb' 表 | wc; echo 'a very long text that goes on and on, and then on again, until nobody reads it'";
    insta::assert_snapshot!(explained(STRICT, command), @r"
    hook `strict`: deny
      allow  ls \u{1b}[2K\u{202e}                                          allowed
      allow  ls 'a\nb' 表                                                  allowed  pipeline
      deny   wc                                                            default  pipeline
      allow  echo 'a very long text that goes on and on, and then on aga…  builtin
    because `wc`: no rule allows it; the allowed programs are git, ls
    ");
}

#[test]
fn each_hook_with_a_policy_answers_and_the_strictest_decides() {
    let hooks = format!(
        r#"{STRICT}
        [[hook]]
        name = "ask"
        component = "builtin:command-policy"
        stage = "guard"
        settings = {{ allowed = ["ls"] }}
        [[hook]]
        name = "servers"
        component = "builtin:command-policy"
        stage = "guard"
        when = {{ origin = ["mcp"] }}
        [[hook]]
        name = "prefix"
        component = "builtin:command-rewrite"
        stage = "rewrite"
        may = {{ command = true }}
        settings = {{ prepend = ["set -e"] }}"#
    );
    let answer = explained(&hooks, "git status");
    assert_eq!(answer.verdict, Verdict::Ask);
    insta::assert_snapshot!(answer, @"
    hook `strict`: allow
      allow  git status  allowed

    hook `ask`: ask
      ask    git status  default
    because `git status`: no rule allows it; the allowed programs are ls

    hook `servers` is not called for it

    not run here, and may change the command first: `prefix`

    of all: ask
    ");
}

#[test]
fn bad_settings_are_told_with_the_hook() {
    let config = "[[hook]]\nname = \"p\"\ncomponent = \"builtin:command-policy\"\nstage = \"guard\"\n\
                  settings = { default = \"no\", allow = [] }";
    let error = ask(config, "ls").unwrap_err().to_string();
    insta::assert_snapshot!(error, @r#"hook `p`: bad settings: default: expected allow, ask or deny, found "no"; allow: unknown setting, expected one of rules, denied, asked, allowed, writable, default, undecidable, shell"#);
}

#[test]
fn what_could_not_be_read_is_told() {
    insta::assert_snapshot!(explained(STRICT, "ls; git 'log"), @"
    hook `strict`: ask
      allow  ls                                      allowed
             …
      ask    └─ syntax that is not understood: 'log  undecidable
    because `'log`: what it runs can't be told (syntax that is not understood)
    ");
}
