use proptest::prelude::*;
use serde_json::json;

use super::super::places::{Line, entries};
use super::*;

const AGENTS: [Agent; 5] = [
    Agent::Claude,
    Agent::Codex,
    Agent::Gemini,
    Agent::Cursor,
    Agent::Copilot,
];

fn ours(agent: Agent) -> Vec<Entry> {
    let words = ["/opt/a b/spawnhook", "agent-hook", agent.name()];
    let line = Line {
        words: words.map(str::to_owned).to_vec(),
        quoted: shlex::try_join(words).unwrap(),
        within: 5,
    };
    entries(agent, &line, true)
}

fn added(agent: Agent, text: &str) -> String {
    add(text, agent, &ours(agent)).unwrap()
}

fn value(text: &str) -> Value {
    parse(text, Agent::Gemini)
        .unwrap()
        .to_serde_value()
        .unwrap()
}

#[test]
fn our_entry_comes_last_and_nothing_else_is_touched() {
    let text = r#"{ "model": "pro", // mine
	"hooks": {"BeforeTool": [{"matcher": "x",
	  "hooks": [ { "type":"command", "command":"./x.sh" } ] } /* last */ ], "Stop": [] }
}"#;
    insta::assert_snapshot!(added(Agent::Gemini, text), @r#"
    { "model": "pro", // mine
    	"hooks": {"BeforeTool": [{"matcher": "x",
    	  "hooks": [ { "type":"command", "command":"./x.sh" } ] },
    			{
    				"matcher": "^run_shell_command$",
    				"hooks": [
    					{
    						"name": "spawnhook",
    						"type": "command",
    						"command": "'/opt/a b/spawnhook' agent-hook gemini",
    						"timeout": 10000
    					}
    				]
    			} /* last */ ], "Stop": [] }
    }
    "#);
}

#[test]
fn each_agent_gets_absolute_paths_and_its_own_unit_of_time() {
    let shown = |agent| serde_json::to_string(&ours(agent)).unwrap();
    insta::assert_snapshot!(shown(Agent::Claude), @r#"[["PreToolUse",{"matcher":"Bash","hooks":[{"type":"command","command":"/opt/a b/spawnhook","args":["agent-hook","claude"],"timeout":10,"onFailure":"block"}]}]]"#);
    insta::assert_snapshot!(shown(Agent::Codex), @r#"[["PreToolUse",{"matcher":"^Bash$","hooks":[{"type":"command","command":"'/opt/a b/spawnhook' agent-hook codex","timeout":10}]}]]"#);
    insta::assert_snapshot!(shown(Agent::Gemini), @r#"[["BeforeTool",{"matcher":"^run_shell_command$","hooks":[{"name":"spawnhook","type":"command","command":"'/opt/a b/spawnhook' agent-hook gemini","timeout":10000}]}]]"#);
    insta::assert_snapshot!(shown(Agent::Cursor), @r#"[["beforeShellExecution",{"command":"'/opt/a b/spawnhook' agent-hook cursor","timeout":10,"failClosed":true}],["preToolUse",{"command":"'/opt/a b/spawnhook' agent-hook cursor","matcher":"Shell","timeout":10,"failClosed":true}]]"#);
    insta::assert_snapshot!(shown(Agent::Copilot), @r#"[["preToolUse",{"type":"command","exec":"/opt/a b/spawnhook","args":["agent-hook","copilot"],"matcher":"bash","timeoutSec":10}]]"#);
}

#[test]
fn an_empty_file_becomes_a_whole_one() {
    for agent in AGENTS {
        for text in ["", " \n", "{}", "{\"hooks\": {}}"] {
            let file = value(&added(agent, text));
            assert_eq!(file.get("version").is_some(), version(agent).is_some());
            assert_eq!(
                find(&file.to_string(), agent).unwrap().len(),
                ours(agent).len()
            );
        }
    }
}

#[test]
fn ours_are_found_however_they_are_started_and_others_are_not() {
    let found = |agent, handler: Value| {
        let text = json!({ "hooks": { "E": [handler] } }).to_string();
        !find(&text, agent).unwrap().is_empty()
    };
    let line = |line: &str| json!({ "command": line });
    assert!(found(
        Agent::Cursor,
        line("/x/spawnhook agent-hook cursor --approve")
    ));
    assert!(found(
        Agent::Copilot,
        json!({ "bash": "/x/spawnhook agent-hook copilot" })
    ));
    assert!(!found(Agent::Cursor, line("/x/spawnhook agent-hook codex")));
    assert!(!found(
        Agent::Cursor,
        line("/x/spawnhook run agent-hook cursor")
    ));
    assert!(!found(Agent::Cursor, line("other agent-hook cursor")));
    assert!(!found(Agent::Cursor, line("'")));
    assert!(!found(
        Agent::Cursor,
        json!("/x/spawnhook agent-hook cursor")
    ));
}

#[test]
fn of_a_group_only_ours_is_removed() {
    let text = r#"{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"command":"a"},{"command":"/x/spawnhook agent-hook claude"},{"command":"b"}]}]}}"#;
    assert_eq!(
        remove(text, Agent::Claude).unwrap().unwrap(),
        r#"{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"command":"a"},{"command":"b"}]}]}}"#
    );
    assert_eq!(remove(text, Agent::Codex).unwrap(), None);
}

#[test]
fn a_file_that_cannot_be_edited_is_an_error_that_says_what_to_mend() {
    let error = |text: &str| {
        add(text, Agent::Claude, &ours(Agent::Claude))
            .unwrap_err()
            .to_string()
    };
    insta::assert_snapshot!(error("[]"), @"the file must be an object; mend it first");
    insta::assert_snapshot!(error("{\"hooks\": []}"), @"`hooks` must be an object; mend it first");
    insta::assert_snapshot!(error("{\"hooks\": {\"PreToolUse\": 1}}"), @"`hooks.PreToolUse` must be an array; mend it first");
    assert!(error("{\"a\": 1").starts_with("it is not JSON: "));
    for not_json in ["{'a': 1}", "{\"a\": 1,}", "{} // mine"] {
        assert!(
            error(not_json).starts_with("it is not JSON: "),
            "{not_json}"
        );
    }
}

/// Settings with hooks of others in them.
fn settings() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "[ -~]{0,12}".prop_map(Value::from),
    ];
    let handler = "[a-z ./]{1,12}".prop_map(|line| json!({ "type": "command", "command": line }));
    let group = proptest::collection::vec(handler, 1..3)
        .prop_map(|hooks| json!({ "matcher": "Bash", "hooks": hooks }));
    let events = prop_oneof![
        Just("PreToolUse"),
        Just("preToolUse"),
        Just("BeforeTool"),
        Just("Stop")
    ];
    let hooks =
        proptest::collection::btree_map(events, proptest::collection::vec(group, 1..3), 0..4);
    (
        proptest::collection::btree_map("[a-z]{1,6}", leaf, 0..4),
        hooks,
    )
        .prop_map(|(others, hooks)| {
            let mut settings = json!(others);
            if !hooks.is_empty() {
                settings["hooks"] = json!(hooks);
            }
            settings
        })
}

/// Whether all of `part` stands in `whole`, in this order.
fn is_within(part: &str, whole: &str) -> bool {
    let mut rest = whole.chars();
    part.chars().all(|wanted| rest.any(|found| found == wanted))
}

proptest! {
    #[test]
    fn what_is_added_is_all_that_changes_and_can_be_removed(settings in settings(), pretty: bool) {
        let text = if pretty { format!("{settings:#}\n") } else { settings.to_string() };
        for agent in AGENTS {
            let after = added(agent, &text);
            prop_assert!(is_within(&text, &after), "{after}");
            prop_assert_eq!(find(&after, agent).unwrap().len(), ours(agent).len());
            let mut without = value(&remove(&after, agent).unwrap().unwrap());
            if settings.get("version").is_none() {
                without.as_object_mut().unwrap().shift_remove("version");
            }
            prop_assert_eq!(without.to_string(), settings.to_string());
        }
    }
}
