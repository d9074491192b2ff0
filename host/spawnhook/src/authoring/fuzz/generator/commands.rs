use std::collections::BTreeSet;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::Value;

use super::super::case::Class;
use crate::authoring::fixtures::Fixtures;

/// Words that commands of agents are made of.
const WORDS: [&str; 40] = [
    "git",
    "push",
    "--force",
    "commit",
    "-m",
    "status",
    "npm",
    "install",
    "run",
    "test",
    "cargo",
    "build",
    "cd",
    "ls",
    "-la",
    "rm",
    "-rf",
    "cat",
    "grep",
    "-r",
    "echo",
    "sudo",
    "curl",
    "python3",
    "-c",
    "find",
    ".",
    "-name",
    "*.rs",
    "xargs",
    "sed",
    "s/a/b/",
    "make",
    "docker",
    "/etc/passwd",
    "~/.ssh",
    "../..",
    "&>/dev/null",
    "2>&1",
    "$HOME",
];

/// Sizes of huge commands, in bytes: up to what one argument of a program can have.
const HUGE: std::ops::Range<usize> = (16 << 10)..(128 << 10);

/// What commands are made of.
#[derive(Clone, Debug)]
pub(super) struct Vocabulary {
    words: Vec<String>,
    commands: Vec<String>,
}

impl Vocabulary {
    pub(super) fn new(fixtures: &Fixtures) -> Self {
        let commands: Vec<String> = fixtures
            .tests
            .iter()
            .map(|test| test.command.clone())
            .filter(|command| command.len() < 4096)
            .collect();
        let mut words: BTreeSet<String> = WORDS.map(str::to_owned).into();
        words.extend(
            commands
                .iter()
                .flat_map(|text| text.split_whitespace())
                .map(str::to_owned),
        );
        for settings in &fixtures.settings {
            texts(settings, &mut words);
        }
        Self {
            words: words.into_iter().collect(),
            commands,
        }
    }
}

/// The texts in a value.
fn texts(value: &Value, words: &mut BTreeSet<String>) {
    match value {
        Value::String(text) if text.len() < 256 && !text.contains('\0') => {
            words.insert(text.clone());
        }
        Value::Array(values) => values.iter().for_each(|value| texts(value, words)),
        Value::Object(members) => members.values().for_each(|value| texts(value, words)),
        _ => {}
    }
}

pub(super) fn command(class: Class, vocabulary: &Vocabulary) -> BoxedStrategy<String> {
    match class {
        Class::Empty => empty(),
        Class::Words | Class::Variables => words(vocabulary),
        Class::Script => script(vocabulary),
        Class::Unicode => unicode(vocabulary),
        Class::Heredoc => heredoc(vocabulary),
        Class::Huge => huge(vocabulary),
        Class::Secrets => secrets(vocabulary),
    }
}

fn empty() -> BoxedStrategy<String> {
    prop_oneof![
        Just(String::new()),
        "[ \t\n\r]{1,8}",
        "[ \n]{0,2}#[ a-z']{0,20}\n?",
        Just("\u{a0}\u{3000}".to_owned()),
    ]
    .boxed()
}

fn word(vocabulary: &Vocabulary) -> BoxedStrategy<String> {
    prop_oneof![
        6 => select(vocabulary.words.clone()),
        2 => "[a-zA-Z0-9_./=-]{1,12}",
        2 => "'[^'\0]{0,16}'",
        2 => r#""[^"\\$`\x00]{0,16}(\$[A-Z]{1,4}|\$\{[A-Z]{1,4}:-x\}|\\")?""#,
        1 => r"[a-z]{1,3}\\[ a-z'\n]",
        1 => r"\$\([a-z ]{1,8}\)|`[a-z ]{1,8}`|\$\(\(1 \+ 2\)\)",
    ]
    .boxed()
}

fn words(vocabulary: &Vocabulary) -> BoxedStrategy<String> {
    let line = vec(word(vocabulary), 1..7).prop_map(|words| words.join(" "));
    let assigned = ("[A-Z_]{1,6}=[a-z0-9']{0,6} ", line.clone())
        .prop_map(|(assignment, line)| assignment + &line);
    if vocabulary.commands.is_empty() {
        return prop_oneof![4 => line, 1 => assigned].boxed();
    }
    let known = select(vocabulary.commands.clone());
    let longer = (known.clone(), word(vocabulary)).prop_map(|(line, word)| line + " " + &word);
    prop_oneof![4 => line, 1 => assigned, 1 => known, 2 => longer].boxed()
}

fn script(vocabulary: &Vocabulary) -> BoxedStrategy<String> {
    let script = words(vocabulary).prop_recursive(4, 24, 3, |inner| {
        let two = (inner.clone(), inner.clone());
        let separator = select(vec![
            " && ", " || ", "; ", " | ", "\n", " &\n", "\r\n", " \\\n&& ",
        ]);
        prop_oneof![
            4 => (two.clone(), separator).prop_map(|((a, b), with)| a + with + &b),
            1 => inner.clone().prop_map(|a| format!("({a})")),
            1 => inner.clone().prop_map(|a| format!("{{ {a}\n}}")),
            1 => inner.clone().prop_map(|a| format!("echo \"$({a}\n)\"")),
            1 => two.clone().prop_map(|(a, b)| format!("if {a}\nthen\n{b}\nfi")),
            1 => inner.clone().prop_map(|a| format!("for x in 1 2; do\n{a}\ndone > /tmp/out 2>&1")),
            1 => inner.clone().prop_map(|a| format!("case $x in a|b) {a}\n;; *) ;; esac")),
            1 => inner.clone().prop_map(|a| format!("f() {{\n{a}\n}}; f")),
            1 => inner.clone().prop_map(|a| format!("bash -c '{}'", a.replace('\'', r"'\''"))),
            1 => two.prop_map(|(a, b)| format!("{a} # {}\n{b}", b.replace('\n', " "))),
        ]
    });
    let cut = (script.clone(), any::<prop::sample::Index>()).prop_map(|(text, index)| {
        text.chars()
            .take(index.index(text.chars().count() + 1))
            .collect()
    });
    prop_oneof![6 => script.clone(), 1 => cut, 1 => script.prop_map(|text| text + "\\")].boxed()
}

/// One character, or what is seen as one.
fn letter() -> BoxedStrategy<String> {
    let known = vec![
        "\u{1f600}",
        "\u{1f469}\u{200d}\u{1f469}\u{200d}\u{1f467}",
        "\u{1f1e9}\u{1f1ea}",
        "e\u{301}",
        "ä",
        "ß",
        "İ",
        "\u{fb01}",
        "Ω",
        "ж",
        "中",
        "한",
        "\u{5d0}",
        "\u{627}",
        "\u{202e}",
        "\u{200b}",
        "\u{feff}",
        "\u{a0}",
        "\u{2028}",
        "\u{ff07}",
        "\u{2019}",
        "\u{10ffff}",
        "\u{1b}[31m",
        "\u{7f}",
        "\u{85}",
    ];
    let any = any::<char>().prop_filter_map("NUL is in no command", |character| {
        (character != '\0').then(|| character.to_string())
    });
    prop_oneof![6 => select(known).prop_map(str::to_owned), 2 => any].boxed()
}

fn unicode(vocabulary: &Vocabulary) -> BoxedStrategy<String> {
    let piece = prop_oneof![
        3 => letter(),
        2 => word(vocabulary),
        3 => "[a-z ]{1,10}",
        1 => Just(" ".to_owned()),
    ];
    vec(piece, 1..60).prop_map(|pieces| pieces.concat()).boxed()
}

fn heredoc(vocabulary: &Vocabulary) -> BoxedStrategy<String> {
    let operator = select(vec![
        ("<<EOF", "EOF"),
        ("<<-EOF", "\tEOF"),
        ("<<'EOF'", "EOF"),
        ("<< \"E F\"", "E F"),
        ("<<\\EOF", "EOF"),
        ("<<EOF", "EOF "),
        ("<<<EOF", "EOF"),
    ]);
    let body = vec(words(vocabulary), 0..5).prop_map(|lines| lines.join("\n"));
    let end = select(vec!["", "\n", "\nls", "\n\n# done\n", "\r\n"]);
    (words(vocabulary), operator, body, end, any::<bool>())
        .prop_map(|(command, (operator, mark), body, end, closed)| {
            let mark = if closed { mark } else { "" };
            format!("{command} {operator}\n{body}\n{mark}{end}")
        })
        .boxed()
}

fn huge(vocabulary: &Vocabulary) -> BoxedStrategy<String> {
    let unit = prop_oneof![
        2 => words(vocabulary).prop_map(|text| text + "\n"),
        1 => select(vec!["a", " ", "\n", "'", "\"", "(", "$(", "{ ", "\\", "a'b\"", "é", "x=1;", "a b "])
            .prop_map(str::to_owned),
        1 => letter(),
    ];
    (words(vocabulary), unit, HUGE)
        .prop_map(|(command, unit, bytes)| {
            let times = bytes / unit.len().max(1);
            command + " " + &unit.repeat(times)
        })
        .boxed()
}

fn secrets(vocabulary: &Vocabulary) -> BoxedStrategy<String> {
    let secret = super::variables::secret();
    let around = select(vec![
        ("curl -H 'Authorization: Bearer ", "' https://example.org"),
        ("curl https://user:", "@example.org/path?token=1"),
        ("export API_TOKEN=", ""),
        ("AWS_SECRET_ACCESS_KEY='", "' aws s3 ls"),
        ("mysql -uroot -p", " -e 'select 1'"),
        ("echo ", " | docker login --password-stdin"),
        ("printf '%s' \"", "\" > key.pem"),
    ]);
    (words(vocabulary), around, secret)
        .prop_map(|(command, (before, after), secret)| {
            format!("{before}{secret}{after}; {command}")
        })
        .boxed()
}
