use spawnhook_policy::{ExplainedPart, Facts, Judgement, Policy, Verdict};

const FACTS: Facts<'_> = Facts {
    origin: "cli",
    workspace: "/project",
    cwd: "/project/sub",
};

/// Behind all of these, `denied` is denied.
const SETTINGS: [&str; 4] = [
    r#"{"allowed": ["git", "ls", "find", "tar", "sed", "awk"], "denied": ["denied"]}"#,
    r#"{"default": "allow", "denied": ["denied"]}"#,
    r#"{"default": "allow", "denied": ["denied"], "undecidable": "deny", "shell": "sh"}"#,
    r#"{"default": "deny", "denied": ["denied"], "writable": ["inside"], "rules": [
        {"program": "git", "arguments": ["pu*", "?"], "flags": ["-f", "--force*"], "verdict": "ask"}]}"#,
];

/// A text, behind a byte that says by which policy and in which shell. Its judgement must be sound
/// in itself, and what is put behind it or around it must not hide anything.
pub fn policy(bytes: &[u8]) {
    let Some((first, text)) = bytes.split_first() else {
        return;
    };
    let settings = SETTINGS[usize::from(*first) % SETTINGS.len()];
    let policy = Policy::from_json(settings).expect("invariant: the settings are a policy");
    let text = String::from_utf8_lossy(text);
    let judge = |text: &str| policy.judge(text, "", &FACTS);
    let judgement = judge(&text);
    check(&judgement);
    if !judgement.analysis.undecidable.is_empty() {
        return;
    }
    if !text.ends_with('\\') {
        let followed = judge(&format!("{text}\ndenied"));
        let refused =
            followed.verdict == Verdict::Deny || !followed.analysis.undecidable.is_empty();
        assert!(refused, "hides what follows: {text:?}");
        let grouped = judge(&format!("(ls\n{text}\n)"));
        assert!(
            grouped.verdict >= judgement.verdict,
            "is hidden in a group: {text:?}"
        );
        let substituted = judge(&format!("ls $(ls\n{text}\n)"));
        assert!(
            substituted.verdict >= judgement.verdict,
            "is hidden in a substitution: {text:?}"
        );
    }
    let preceded = judge(&format!("denied\n{text}"));
    assert!(
        preceded.verdict == Verdict::Deny,
        "hides what stands before: {text:?}"
    );
}

/// What holds for every judgement.
fn check(judgement: &Judgement) {
    let strictest = judgement
        .findings
        .iter()
        .map(|finding| finding.verdict)
        .max();
    assert_eq!(judgement.verdict, strictest.unwrap_or(Verdict::Allow));
    assert_eq!(
        judgement.reason().is_empty(),
        judgement.verdict == Verdict::Allow
    );
    let explained = judgement.explain();
    let shown: usize = explained.parts.iter().map(count).sum();
    assert_eq!(
        shown,
        judgement.analysis.parts.len(),
        "a part is not explained"
    );
}

fn count(part: &ExplainedPart) -> usize {
    1 + part.inside.iter().map(count).sum::<usize>()
}
