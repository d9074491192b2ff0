//! How rules judge.

use insta::assert_snapshot;
use proptest::prelude::*;
use spawnhook_policy::{Facts, Judgement, Policy, Verdict};
use spawnhook_sdk::settings;

const FACTS: Facts<'_> = Facts {
    origin: "cli",
    workspace: "/project",
    cwd: "/project/sub",
};

fn policy(text: &str) -> Policy {
    settings::read(text, Policy::read).unwrap_or_else(|problems| panic!("{problems:?}"))
}

fn judge(settings: &str, command: &str) -> Judgement {
    policy(settings).judge(command, "", &FACTS)
}

fn verdict(settings: &str, command: &str) -> Verdict {
    judge(settings, command).verdict
}

#[test]
fn without_settings_everything_but_builtins_is_asked_about() {
    assert_eq!(verdict("{}", "git status"), Verdict::Ask);
    assert_eq!(verdict("{}", "echo > /project/x"), Verdict::Ask);
    assert_eq!(verdict("{}", "cd x && echo y"), Verdict::Allow);
    assert_eq!(verdict("{}", ""), Verdict::Allow);
}

#[test]
fn the_first_rule_that_matches_decides() {
    let settings = r#"{"default": "deny", "rules": [
        {"program": "git", "arguments": ["push"], "verdict": "ask"},
        {"program": ["git", "gh"], "verdict": "allow"},
        {"program": "git", "verdict": "deny"}
    ]}"#;
    assert_eq!(verdict(settings, "git push"), Verdict::Ask);
    assert_eq!(verdict(settings, "git status"), Verdict::Allow);
    assert_eq!(verdict(settings, "gh pr list"), Verdict::Allow);
    assert_eq!(verdict(settings, "ls"), Verdict::Deny);
}

#[test]
fn the_strictest_part_decides() {
    let settings = r#"{"allowed": ["a"], "asked": ["b"], "denied": ["c"]}"#;
    assert_eq!(verdict(settings, "a; a"), Verdict::Allow);
    assert_eq!(verdict(settings, "a; b; a"), Verdict::Ask);
    assert_eq!(verdict(settings, "a; b; c; a"), Verdict::Deny);
}

#[test]
fn a_rule_may_be_about_an_origin() {
    let settings = r#"{"rules": [
        {"origin": ["mcp", "agent:*"], "verdict": "deny"},
        {"program": "ls", "verdict": "allow"}
    ]}"#;
    let from = |origin| {
        let facts = Facts { origin, ..FACTS };
        policy(settings).judge("ls", "", &facts).verdict
    };
    assert_eq!(from("cli"), Verdict::Allow);
    assert_eq!(from("mcp"), Verdict::Deny);
    assert_eq!(from("agent:claude"), Verdict::Deny);
}

#[test]
fn the_operators_prefix_is_not_judged_and_only_at_the_head() {
    let policy = policy(r#"{"allowed": ["ls"], "default": "deny"}"#);
    let prefix = "source ~/.env\n";
    let judged = |command: &str| policy.judge(command, prefix, &FACTS).verdict;
    assert_eq!(judged("source ~/.env\nls"), Verdict::Allow);
    assert_eq!(judged("source ~/.env\ntouch x"), Verdict::Deny);
    assert_eq!(judged("ls\nsource ~/.env\n"), Verdict::Deny);
    assert_eq!(judged("source ~/.env \nls"), Verdict::Deny);
}

#[test]
fn what_is_undecidable_gets_its_own_verdict() {
    for (text, expected) in [
        ("ask", Verdict::Ask),
        ("deny", Verdict::Deny),
        ("allow", Verdict::Allow),
    ] {
        let settings = format!(r#"{{"allowed": ["ls"], "undecidable": "{text}"}}"#);
        assert_eq!(verdict(&settings, "ls; $x"), expected);
    }
}

#[test]
fn a_rule_that_may_match_is_no_permission_and_at_most_a_question() {
    let settings = r#"{"default": "deny", "rules": [
        {"program": "git", "flags": "--force", "verdict": "deny"},
        {"program": "git", "arguments": ["log"], "verdict": "allow"},
        {"program": "git", "arguments": ["add"], "verdict": "allow"}
    ]}"#;
    assert_eq!(verdict(settings, "git log main"), Verdict::Allow);
    assert_eq!(verdict(settings, "git log \"$x\""), Verdict::Ask);
    assert_eq!(verdict(settings, "git log \"release-$x\""), Verdict::Allow);
    assert_eq!(verdict(settings, "git \"$x\""), Verdict::Deny);
    assert_eq!(verdict(settings, "git log --force"), Verdict::Deny);
}

#[test]
fn a_name_means_a_program_of_the_system_and_a_path_that_path() {
    let settings = r#"{"default": "deny", "allowed": ["git", "/opt/x/*"]}"#;
    for allowed in ["git", "/usr/bin/git", "/usr/local/bin/git", "/opt/x/y"] {
        assert_eq!(verdict(settings, allowed), Verdict::Allow, "{allowed}");
    }
    for denied in [
        "./git",
        "/tmp/git",
        "~/git",
        "/usr/bin/../x/git",
        "opt/x/y",
        "y",
    ] {
        assert_ne!(verdict(settings, denied), Verdict::Allow, "{denied}");
    }
}

#[test]
fn where_output_goes_is_judged_apart() {
    let settings = r#"{"default": "deny", "allowed": ["ls"], "rules": [
        {"writes": "/project/sealed/*", "verdict": "ask"},
        {"writes": "inside", "verdict": "allow"}
    ]}"#;
    for command in [
        "ls > x",
        "ls > ../x",
        "ls 2> /dev/null",
        "ls >&2",
        "cd .. && ls > x",
        "cd /project; ls >> a/b",
    ] {
        assert_eq!(verdict(settings, command), Verdict::Allow, "{command}");
    }
    assert_eq!(verdict(settings, "ls > ../sealed/x"), Verdict::Ask);
    for command in [
        "ls > ../../x",
        "ls > /workspace/x",
        "cd /; ls > x",
        "ls > $x",
        "ls > /project",
    ] {
        assert_eq!(verdict(settings, command), Verdict::Deny, "{command}");
    }
}

#[test]
fn a_reason_names_the_part_and_the_rule() {
    let settings = r#"{"default": "deny", "allowed": ["git", "npm"], "rules": [
        {"name": "no-force", "program": "git", "arguments": ["push"], "flags": ["--force"],
         "verdict": "deny", "reason": "ask a maintainer"}
    ]}"#;
    let reasons = [
        "git status; touch x; git push --force",
        "npm test > /etc/x",
        "eval \"$x\"",
        "a; b; c; d; e",
        "git status",
    ];
    let reasons = reasons.map(|command| judge(settings, command).reason());
    assert_snapshot!(reasons.join("\n"), @r#"
    `touch x`: no rule allows it; `git push --force`: denied by no-force (ask a maintainer); the allowed programs are git, npm
    writing to /etc/x by `npm test > /etc/x`: no rule allows it
    `eval "$x"`: what it runs can't be told (shell text known only at run time)
    `a`: no rule allows it; `b`: no rule allows it; `c`: no rule allows it; and more; the allowed programs are git, npm
    "#);
}

#[test]
fn an_explanation_is_a_tree_of_the_parts() {
    let settings = r#"{"allowed": ["git"], "writable": ["inside"]}"#;
    let judgement = judge(settings, "env git log \"$(date)\" > x; $y");
    let explained = serde_json::to_string_pretty(&judgement.explain()).expect("it is JSON");
    assert_snapshot!(explained, @r#"
    {
      "verdict": "ask",
      "reason": "`date`: no rule allows it; `$y`: what it runs can't be told (a program known only at run time); the allowed programs are git",
      "parts": [
        {
          "text": "env git log \"$(date)\" > x",
          "place": [],
          "role": "wrapper",
          "verdict": "allow",
          "rule": "wrapper",
          "writes": [
            {
              "file": "x",
              "verdict": "allow",
              "rule": "writable"
            }
          ],
          "inside": [
            {
              "text": "date",
              "place": [
                "substitution"
              ],
              "role": "program",
              "verdict": "ask",
              "rule": "default"
            },
            {
              "text": "git log …",
              "place": [
                "wrapped"
              ],
              "role": "program",
              "verdict": "allow",
              "rule": "allowed"
            }
          ]
        },
        {
          "text": "$y",
          "place": [],
          "role": "program",
          "verdict": null,
          "rule": null,
          "undecidable": [
            {
              "construct": "a program known only at run time",
              "text": "$y",
              "verdict": "ask"
            }
          ]
        }
      ],
      "undecidable": []
    }
    "#);
}

#[test]
fn all_problems_of_settings_are_told_at_once() {
    let problems = settings::read(
        r#"{
            "default": "maybe",
            "shell": "fish",
            "allowed": "git",
            "writable": ["in", 1],
            "rules": [
                {"program": "", "verdict": "allow"},
                {"programs": ["a"]},
                {"arguments": ["x"], "verdict": "deny"},
                {"writes": "sub/dir", "verdict": "deny", "wirtes": 1}
            ],
            "denyed": []
        }"#,
        Policy::read,
    );
    let problems = problems.expect_err("there are problems").join("\n");
    assert_snapshot!(problems, @r#"
    rules[0].program: expected a glob of 1 to 256 bytes, found ""
    rules[1].verdict: expected a value, found none
    rules[2].program: expected a program whose arguments are meant, found none
    rules[3].writes: expected inside, outside or a glob of absolute paths, found "sub/dir"
    rules[3].wirtes: unknown setting, expected one of program, programs, name, arguments, flags, writes, origin, reason, verdict
    allowed: expected a list, found "git"
    writable[0]: expected inside, outside or a glob of absolute paths, found "in"
    writable[1]: expected a string, found 1
    default: expected allow, ask or deny, found "maybe"
    shell: expected bash, or sh for any other shell, found "fish"
    denyed: unknown setting, expected one of rules, denied, asked, allowed, writable, default, undecidable, shell
    "#);
}

proptest! {
    #[test]
    fn no_text_is_too_much_and_the_verdict_is_the_strictest(text in any::<String>(), tail in "[a-c;&|()$ ]{0,20}") {
        let settings = r#"{"allowed": ["a"], "denied": ["b"], "rules": [
            {"program": "c", "arguments": ["a*", "?"], "flags": "-x", "verdict": "allow"}
        ]}"#;
        let judgement = judge(settings, &format!("{text}{tail}"));
        let strictest = judgement.findings.iter().map(|finding| finding.verdict).max();
        prop_assert_eq!(judgement.verdict, strictest.unwrap_or(Verdict::Allow));
        prop_assert_eq!(judgement.reason().is_empty(), judgement.verdict == Verdict::Allow);
        let explained = judgement.explain();
        prop_assert_eq!(explained.verdict, judgement.verdict);
    }

    #[test]
    fn another_command_never_makes_a_line_less_strict(
        first in "[abc]( [abc$]){0,3}", second in "[abc]( [abc$]){0,3}",
    ) {
        let settings = r#"{"allowed": ["a"], "denied": ["b"]}"#;
        let alone = verdict(settings, &first).max(verdict(settings, &second));
        prop_assert_eq!(verdict(settings, &format!("{first}; {second}")), alone);
        prop_assert_eq!(verdict(settings, &format!("{first} | {second}")), alone);
        prop_assert_eq!(verdict(settings, &format!("{first} \"$({second})\"")), alone);
    }
}
