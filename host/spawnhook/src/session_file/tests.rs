use proptest::prelude::*;

use super::*;

fn execution(command: &str, output: &str) -> BashExecution {
    BashExecution {
        role: Role::BashExecution,
        command: command.to_owned(),
        output: output.to_owned(),
        exit_code: Some(0),
        cancelled: false,
        timed_out_after: None,
        truncated: false,
        full_output_path: None,
        timestamp: 1_700_000_000_000,
        exclude_from_context: false,
    }
}

#[test]
fn a_record_has_the_fields_of_the_original() {
    let mut kept = execution("ls", "a\n");
    let text = |kept: &BashExecution| serde_json::to_string(kept).unwrap();
    insta::assert_snapshot!(text(&kept), @r#"{"role":"bashExecution","command":"ls","output":"a\n","exitCode":0,"cancelled":false,"truncated":false,"timestamp":1700000000000}"#);
    kept.exit_code = None;
    kept.cancelled = true;
    kept.truncated = true;
    kept.full_output_path = Some("/tmp/x.log".to_owned());
    kept.exclude_from_context = true;
    insta::assert_snapshot!(text(&kept), @r#"{"role":"bashExecution","command":"ls","output":"a\n","cancelled":true,"truncated":true,"fullOutputPath":"/tmp/x.log","timestamp":1700000000000,"excludeFromContext":true}"#);
}

#[test]
fn a_model_reads_command_output_and_ending() {
    let mut kept = execution("npm test", "one\ntwo\n");
    insta::assert_snapshot!(text_for_model(&kept), @r"
    Ran `npm test`
    ```
    one
    two
    ```
    ");
    kept.exit_code = Some(3);
    kept.truncated = true;
    kept.full_output_path = Some("/tmp/x.log".to_owned());
    insta::assert_snapshot!(text_for_model(&kept), @r"
    Ran `npm test`
    ```
    one
    two
    ```

    Command exited with code 3

    [Output truncated. Full output: /tmp/x.log]
    ");
    let mut kept = execution("sleep 9", "");
    kept.exit_code = None;
    kept.timed_out_after = Some(0.5);
    insta::assert_snapshot!(text_for_model(&kept), @r"
    Ran `sleep 9`
    (no output)

    Command timed out after 0.5 seconds
    ");
    kept.cancelled = true;
    insta::assert_snapshot!(text_for_model(&kept), @r"
    Ran `sleep 9`
    (no output)

    (command cancelled)
    ");
}

#[test]
fn what_is_excluded_is_kept_and_not_told() {
    let mut secret = execution("env", "A=1\n");
    secret.exclude_from_context = true;
    let lines: String = [secret, execution("ls", "a\n")]
        .iter()
        .map(|kept| format!("{}\n", serde_json::to_string(kept).unwrap()))
        .collect();
    let conversation = Conversation::parse(&lines).unwrap();
    assert_eq!(conversation.executions.len(), 2);
    let told: Vec<_> = conversation.messages().collect();
    assert_eq!(told, ["Ran `ls`\n```\na\n```"]);
}

#[test]
fn a_line_that_is_no_execution_is_named_and_a_torn_last_one_left_out() {
    let line = serde_json::to_string(&execution("ls", "")).unwrap();
    let text = format!("{line}\n{{\"role\":\"user\",\"content\":\"hi\"}}\n\n{line}\n{{\"ro");
    let conversation = Conversation::parse(&text).unwrap();
    assert_eq!(
        (conversation.executions.len(), conversation.is_torn),
        (2, true)
    );
    let error = Conversation::parse(&format!("{line}\n{{}}\n")).unwrap_err();
    assert_eq!(error.to_string(), "line 2 is no execution");
    assert_eq!(Conversation::parse("").unwrap(), Conversation::default());
}

#[test]
fn executions_are_appended_to_a_file_of_the_user_s_own() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.jsonl");
    for command in ["one", "two"] {
        let file = SessionFile::open(&path).unwrap();
        file.append(&execution(command, "")).unwrap();
    }
    let text = std::fs::read_to_string(&path).unwrap();
    let kept = Conversation::parse(&text).unwrap().executions;
    assert_eq!(kept, [execution("one", ""), execution("two", "")]);
    let mode = path.metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let error = SessionFile::open(folder.path()).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("cannot open the session file")
    );
}

proptest! {
    #[test]
    fn no_output_ends_its_own_fence(output in "[`a\n ]{0,40}") {
        let text = text_for_model(&execution("x", &output));
        let Some((_, rest)) = text.split_once('\n') else {
            panic!("{text}");
        };
        if rest != "(no output)" {
            let fence = rest.lines().next().unwrap();
            prop_assert_eq!(rest.matches(fence).count(), 2, "{}", text);
        }
    }
}
