use serde_json::json;

use super::case::Machine;

const BOTH: &str = "echo out; echo err >&2; sleep 0.3; echo more";

#[test]
fn separate_streams_go_where_the_command_sent_them() {
    let machine = Machine::new();
    machine
        .case(["run", "--streams", "separate", "--", BOTH])
        .stdout("out\nmore\n")
        .stderr("err\n")
        .check();
}

#[test]
fn an_object_has_separate_streams_by_themselves_besides_the_whole() {
    let machine = Machine::new();
    let flood = "seq 3000; printf 'e\\033[1mrr' >&2";
    let case = machine.case(["run", "--json", "--streams=separate", "--", flood]);
    let object = case.object();
    assert_eq!(object["truncation"]["total_lines"], 3001);
    let streams = &object["streams"];
    assert_eq!(
        streams["stderr"],
        json!({"output": "err", "truncation": null})
    );
    assert_eq!(streams["stdout"]["truncation"]["total_lines"], 3000);
    assert!(
        streams["stdout"]["output"]
            .as_str()
            .unwrap()
            .ends_with("\n3000")
    );
}

#[test]
fn merged_streams_have_no_parts() {
    let object = Machine::new().json(BOTH).object();
    assert_eq!(object["output"], "out\nerr\nmore\n");
    assert_eq!(object.get("streams"), None);
}

#[test]
fn an_event_names_its_stream() {
    let machine = Machine::new();
    let case = machine.case(["run", "--events", "--streams=separate", "--", BOTH]);
    let lines = case.lines();
    let of = |name: &str| -> String {
        let own = lines.iter().filter(|line| line["stream"] == name);
        own.map(|line| line["text"].as_str().unwrap()).collect()
    };
    assert_eq!(
        (of("stdout").as_str(), of("stderr").as_str()),
        ("out\nmore\n", "err\n")
    );
    let lines = machine.case(["run", "--events", "--", BOTH]).lines();
    assert_eq!(lines[1]["stream"], "merged");
}

#[test]
fn raw_text_keeps_what_clean_text_drops() {
    let machine = Machine::new();
    let command = r"printf 'a\033[1mb\r\n'";
    let object = machine
        .case(["run", "--json", "--text=raw", "--", command])
        .object();
    assert_eq!(object["output"], "a\u{1b}[1mb\r\n");
    let lines = machine
        .case(["run", "--events", "--text=raw", "--", command])
        .lines();
    assert_eq!(lines[1]["text"], "a\u{1b}[1mb\r\n");
    assert_eq!(machine.json(command).object()["output"], "ab\n");
}

#[test]
fn raw_text_is_not_for_terminals() {
    Machine::new()
        .case(["run", "--text=raw", "--", "true"])
        .code(125)
        .stdout("")
        .stderr(
            "spawnhook: --text raw: give --json or --events with it; without them what the command \
             writes passes as it is, but for a terminal, which only shows clean text\n",
        )
        .check();
}

#[test]
fn what_a_server_writes_later_goes_on_into_the_file_that_the_result_names() {
    let machine = Machine::new();
    let server = "echo early; (until [ -e go ]; do sleep 0.01; done; echo late; echo >done) &";
    let object = machine.json(server).object();
    assert_eq!(
        (&object["output"], &object["truncated"]),
        (&json!("early\n"), &json!(false))
    );
    let path = object["full_output_path"].as_str().unwrap();
    assert_eq!(
        object["notices"],
        json!([format!(
            "A background process kept the output open after the command had ended; what it writes \
             later goes on into {path}."
        )])
    );
    assert_eq!(std::fs::read_to_string(path).unwrap(), "early\n");
    machine
        .json("echo >go; until [ -e done ]; do sleep 0.01; done")
        .object();
    assert_eq!(std::fs::read_to_string(path).unwrap(), "early\nlate\n");
}
