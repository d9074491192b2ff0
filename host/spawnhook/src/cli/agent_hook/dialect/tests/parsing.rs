//! What is read of what agents say.

use std::path::Path;

use proptest::prelude::*;

use super::*;

type Facts<'a> = (Option<&'a str>, Option<&'a str>, Option<&'a str>);

fn facts(session: &Session) -> Facts<'_> {
    (
        session.id.as_deref(),
        session.file.as_deref(),
        session.model.as_deref(),
    )
}

fn every_input() -> [(Agent, Value); 7] {
    [
        (Agent::Claude, claude()),
        (Agent::Codex, codex()),
        (Agent::Gemini, gemini()),
        (Agent::Cursor, cursor_shell()),
        (Agent::Cursor, cursor_tool()),
        (Agent::Copilot, copilot()),
        (Agent::Copilot, copilot_as_claude()),
    ]
}

#[test]
fn a_command_comes_with_its_directory_and_the_facts_of_its_session() {
    let expected: [(&str, Facts<'_>); 7] = [
        ("/w", (Some("s"), Some("/t.jsonl"), None)),
        ("/w", (Some("s"), None, Some("m"))),
        ("/w/below", (Some("s"), Some("/t"), None)),
        ("/w/below", (Some("s"), None, Some("m"))),
        ("/w/below", (Some("s"), None, Some("m"))),
        ("/w", (Some("s"), None, None)),
        ("/w", (Some("s"), None, None)),
    ];
    for ((agent, input), (cwd, session)) in every_input().into_iter().zip(expected) {
        let call = shell(agent, &input);
        assert_eq!(call.command, "ls", "{input}");
        assert_eq!(call.cwd.as_deref(), Some(Path::new(cwd)), "{input}");
        assert_eq!(facts(&call.session), session, "{input}");
    }
}

#[test]
fn the_agents_own_limit_is_in_seconds_and_none_in_the_background() {
    assert_eq!(shell(Agent::Claude, &claude()).timeout, Some(5.0));
    let mut input = claude();
    input["tool_input"]["run_in_background"] = true.into();
    assert_eq!(shell(Agent::Claude, &input).timeout, None);
}

#[test]
fn a_directory_is_changed_where_the_tool_has_an_argument_for_it() {
    let arguments = every_input().map(|(agent, input)| shell(agent, &input).event.cwd_argument());
    let cursor = Some("working_directory");
    assert_eq!(
        arguments,
        [None, None, Some("dir_path"), None, cursor, None, None]
    );
}

#[test]
fn other_tools_and_other_events_are_nothing_to_us() {
    for (agent, input) in every_input() {
        for (name, other) in [
            ("tool_name", "Read"),
            ("toolName", "view"),
            ("hook_event_name", "PostToolUse"),
        ] {
            let mut input = input.clone();
            if input.get(name).is_none() {
                continue;
            }
            input[name] = other.into();
            let parsed = agent.parse(input.to_string().as_bytes());
            assert!(matches!(parsed, Ok(Input::NotOurs)), "{input}");
        }
    }
    let mut after = copilot();
    after["toolResult"] = json!({ "resultType": "success" });
    let parsed = Agent::Copilot.parse(after.to_string().as_bytes());
    assert!(matches!(parsed, Ok(Input::NotOurs)));
}

#[test]
fn input_may_end_with_a_newline_or_not() {
    for (agent, input) in every_input() {
        for text in [
            format!("{input}\n"),
            format!("{input:#}"),
            input.to_string(),
        ] {
            assert!(matches!(agent.parse(text.as_bytes()), Ok(Input::Shell(_))));
        }
    }
}

fn problem(agent: Agent, input: &[u8]) -> String {
    match agent.parse(input) {
        Err(problem) => problem.to_string(),
        Ok(_) => panic!("{}", String::from_utf8_lossy(input)),
    }
}

#[test]
fn what_nobody_can_judge_is_an_error() {
    for agent in Agent::value_variants() {
        for input in ["", " \n", "{", "[]", "\"ls\"", "null", "{}{}", "\u{feff}{}"] {
            problem(*agent, input.as_bytes());
        }
        problem(*agent, &[0xff, 0xfe]);
        problem(*agent, "[".repeat(100_000).as_bytes());
    }
    let claude = |change: fn(&mut Value)| {
        let mut input = claude();
        change(&mut input);
        problem(Agent::Claude, input.to_string().as_bytes())
    };
    insta::assert_snapshot!(
        claude(|input| input["tool_input"]["command"] = json!(["ls"])),
        @r#"the input of the tool: `command` must be a string, and is ["ls"]"#
    );
    insta::assert_snapshot!(
        claude(|input| input["tool_input"] = json!({})),
        @"the input of the tool: `command` is missing: a string is needed"
    );
    insta::assert_snapshot!(
        claude(|input| input["tool_input"] = json!("ls")),
        @"`tool_input` must be a JSON object"
    );
    insta::assert_snapshot!(
        claude(|input| input["tool_name"] = Value::Null),
        @"the input of the hook: `tool_name` is missing: a string is needed"
    );
}

proptest! {
    /// No text makes a hook of a command silent but one that is about something else.
    #[test]
    fn a_command_is_read_whatever_it_is(command in ".*") {
        for (agent, mut input) in every_input() {
            if input.get("toolArgs").is_some() {
                input["toolArgs"] = json!({ "command": command }).to_string().into();
            } else if input.get("command").is_some() {
                input["command"] = command.clone().into();
            } else {
                input["tool_input"]["command"] = command.clone().into();
            }
            prop_assert_eq!(&shell(agent, &input).command, &command);
        }
    }

    #[test]
    fn nothing_that_is_no_json_is_read(bytes in proptest::collection::vec(any::<u8>(), 0..100)) {
        prop_assume!(serde_json::from_slice::<Value>(&bytes).is_err());
        for agent in Agent::value_variants() {
            prop_assert!(agent.parse(&bytes).is_err());
        }
    }
}
