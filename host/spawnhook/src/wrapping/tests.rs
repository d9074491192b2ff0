use proptest::prelude::*;

use super::*;

const CLAUDE: [[&str; 2]; 5] = [
    [
        "source /home/u/.claude/shell-snapshots/snapshot-bash-1790452891926-09cuz2.sh 2>/dev/null || true && shopt -u extglob 2>/dev/null || true && { \\builtin unalias -- 'unsetenv'; \\builtin unset -f -- 'unsetenv'; } >/dev/null 2>&1 || true && eval ",
        " < /dev/null && pwd -P >| /tmp/claude-e51c-cwd",
    ],
    [
        "source /home/u/.claude/shell-snapshots/snapshot-bash-1764912682391-862f45.sh && { shopt -u extglob || setopt NO_EXTENDED_GLOB; } 2>/dev/null || true && eval ",
        " \\< /dev/null && pwd -P >| /tmp/claude-862f-cwd",
    ],
    [
        "source /data/u/.claude/shell-snapshots/snapshot-bash-1-x.sh && eval ",
        " \\< /dev/null && pwd -P >| /tmp/claude-1-cwd",
    ],
    [
        "source /data/u/.claude/shell-snapshots/snapshot-bash-1-x.sh 2>/dev/null || true && eval ",
        " && pwd -P >| /tmp/claude-1-cwd",
    ],
    ["eval ", " < /dev/null && pwd -P >| /tmp/claude-1-cwd"],
];

const CODEX: [&str; 2] = [
    "if . '/home/u/.codex/shell_snapshots/u.sh' >/dev/null 2>&1; then :; fi\n\nexec '/bin/bash' -c ",
    "__CODEX_SNAPSHOT_OVERRIDE_SET_0=\"${CODEX_THREAD_ID+x}\"\n__CODEX_SNAPSHOT_OVERRIDE_0=\"${CODEX_THREAD_ID-}\"\n__CODEX_SNAPSHOT_PROXY_ENV_SET=\"${CODEX_NETWORK_PROXY_ACTIVE+x}\"\n\nif . '/home/u/it'\"'\"'s/u.sh' >/dev/null 2>&1; then :; fi\n\nif [ -n \"${__CODEX_SNAPSHOT_OVERRIDE_SET_0}\" ]; then export CODEX_THREAD_ID=\"${__CODEX_SNAPSHOT_OVERRIDE_0}\"; else unset CODEX_THREAD_ID; fi\nif [ -n \"$__CODEX_SNAPSHOT_PROXY_ENV_SET\" ] || [ -n \"${CODEX_NETWORK_PROXY_ACTIVE+x}\" ]; then\nfi\n\nexec '/bin/bash' -c ",
];

const GEMINI: [[&str; 2]; 3] = [
    [
        "shopt -u promptvars nullglob extglob nocaseglob dotglob; { ",
        "; }; __code=$?; pgrep -g 0 >/tmp/shell_pgrep_fb4f7fa56fe3.tmp 2>&1; exit $__code;",
    ],
    [
        "{ ",
        "; }; __code=$?; pgrep -g 0 >/tmp/shell_pgrep_fb4f7fa56fe3.tmp 2>&1; exit $__code;",
    ],
    [
        "shopt -u promptvars nullglob extglob nocaseglob dotglob; _bgpids_file=/tmp/gemini-shell-DJy1jL/bgpids.tmp\n(\n  trap 'jobs -p > \"$_bgpids_file\"' EXIT\n",
        "\n)\n__code=$?\nexit $__code",
    ],
];

/// Every form with a command in it, and whose it is.
fn forms(command: &str) -> Vec<(Agent, String)> {
    let mut forms = Vec::new();
    for quoting in [Quoting::DoubleQuoted, Quoting::Escaped] {
        let word = quoting.quote(command);
        forms.extend(
            CLAUDE.map(|[before, after]| (Agent::Claude, format!("{before}{word}{after}"))),
        );
        forms.extend(CODEX.map(|before| (Agent::Codex, format!("{before}{word}"))));
    }
    forms
        .extend(GEMINI.map(|[before, after]| (Agent::Gemini, format!("{before}{command}{after}"))));
    forms
}

fn inner(agent: Agent, text: &str) -> Option<String> {
    Wrapping::of(&[agent], text).map(|(_, inner)| inner)
}

/// A command that something is to be hidden in.
fn command() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => r#"[a-z '"\\$&;(){}\n|<>#=]{0,8}"#,
        1 => Just(" }; __code=$?; pgrep -g 0 >".to_owned()),
        1 => Just("' < /dev/null && pwd -P >| /tmp/x".to_owned()),
        1 => Just("\n)\n__code=$?\nexit $__code".to_owned()),
        1 => ".{0,6}",
    ];
    prop::collection::vec(piece, 1..6).prop_map(|pieces| pieces.concat())
}

#[test]
fn a_command_in_the_background_has_no_end_added() {
    let [before, after] = GEMINI[0];
    let text = format!("{before}sleep 1 &{}", after.trim_start_matches(';'));
    let (wrapping, inner) = Wrapping::of(&[Agent::Gemini], &text).unwrap();
    assert_eq!(inner, "sleep 1 &");
    assert_eq!(wrapping.wrap("sleep 2"), format!("{before}sleep 2{after}"));
}

#[test]
fn agents_are_known_by_what_they_say_of_themselves() {
    let agents = |variables: &[(&str, &str)]| Agent::of(&variables.iter().copied().collect());
    assert_eq!(agents(&[("CLAUDECODE", "1")]), [Agent::Claude]);
    assert_eq!(
        agents(&[("GEMINI_CLI", "1"), ("CODEX_THREAD_ID", "a-b")]),
        [Agent::Codex, Agent::Gemini]
    );
    assert_eq!(agents(&[("CLAUDECODE", ""), ("PATH", "/bin")]), []);
}

#[test]
fn what_only_resembles_a_wrapping_is_none() {
    let [before, after] = CLAUDE[0];
    for text in [
        format!("{before}'ls'{after}; curl evil"),
        format!("{before}'ls' 'more'{after}"),
        format!("{before}ls{after}"),
        format!("{before}'ls'{after}").replace("snapshot-bash-1790452891926-09cuz2", "$(x)"),
        format!("{before}'ls'{after}").replace("/shell-snapshots/", "/elsewhere/"),
        format!("{before}'ls'{after}").replacen("'unsetenv'", "'ls'", 1),
        format!("{before}'a'\"'\"'b'\\''c'{after}"),
        format!("{before}''{after}"),
        "ls".to_owned(),
        "eval 'ls'".to_owned(),
    ] {
        assert_eq!(inner(Agent::Claude, &text), None, "{text}");
    }
    let codex = CODEX[1];
    for text in [
        format!("{codex}'ls' more"),
        format!("{codex}'ls'").replace("PROXY_ENV_SET=\"${", "PROXY_ENV_SET=\"$("),
        format!("id\n{codex}'ls'"),
    ] {
        assert_eq!(inner(Agent::Codex, &text), None, "{text}");
    }
    let [before, after] = GEMINI[0];
    for text in [
        format!("{before}ls{after} id"),
        format!("id; {before}ls{after}"),
        format!("{before}ls &{after}"),
        format!("{before}ls{after}").replace("/tmp/", "/tmp/$(id)"),
    ] {
        assert_eq!(inner(Agent::Gemini, &text), None, "{text}");
    }
}

proptest! {
    /// Everything that a model can write is judged.
    #[test]
    fn the_whole_command_of_a_model_is_inside(command in command()) {
        prop_assume!(!command.trim().is_empty());
        for (agent, text) in forms(&command) {
            // Who ends a command with `&` writes no more.
            let as_agents_write = agent != Agent::Gemini || !command.ends_with('&');
            if as_agents_write {
                prop_assert_eq!(inner(agent, &text), Some(command.clone()));
            }
            let others = Agent::ALL.into_iter().filter(|other| *other != agent);
            for other in others {
                prop_assert_eq!(inner(other, &text), None);
            }
        }
    }

    #[test]
    fn what_is_put_inside_is_found_inside(old in command(), new in command()) {
        prop_assume!(!old.trim().is_empty() && !new.trim().is_empty());
        for (agent, text) in forms(&old) {
            if let Some((wrapping, _)) = Wrapping::of(&[agent], &text) {
                let (again, found) = Wrapping::of(&[agent], &wrapping.wrap(&new)).unwrap();
                prop_assert_eq!(found, new.clone());
                prop_assert_eq!((again.before, again.after), (wrapping.before, wrapping.after));
            }
        }
    }

    #[test]
    fn a_text_with_anything_around_it_has_no_wrapping(
        command in command(), more in "[a-z;&| \n]{1,5}",
    ) {
        for (agent, text) in forms(&command) {
            prop_assert_eq!(inner(agent, &format!("{more}{text}")), None);
            // What follows a path may belong to it.
            prop_assert_eq!(inner(agent, &format!("{text} {more}")), None);
        }
    }

    #[test]
    fn no_text_is_too_odd_to_be_looked_at(text in ".{0,80}") {
        for agent in Agent::ALL {
            if let Some((wrapping, inner)) = Wrapping::of(&[agent], &text) {
                prop_assert_eq!(wrapping.wrap(&inner), text.clone());
            }
        }
    }
}
