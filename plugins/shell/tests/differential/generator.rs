//! Random scripts.

use spawnhook_shell::Dialect;

pub(crate) const PROGRAMS: [&str; 12] = [
    "paa", "pbb", "pcc", "pdd", "pee", "pff", "pgg", "phh", "pii", "pjj", "pkk", "pll",
];

pub(crate) fn is_program(name: &str) -> bool {
    PROGRAMS.contains(&name)
}

/// How deep commands nest.
const MAX_DEPTH: u32 = 4;

pub(crate) struct Generator {
    state: u64,
    dialect: Dialect,
}

impl Generator {
    pub(crate) fn new(seed: u64, dialect: Dialect) -> Self {
        let state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        Self { state, dialect }
    }

    /// One of this many, by a xorshift generator.
    fn one_of(&mut self, count: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        usize::try_from((self.state >> 20) % count as u64).expect("a remainder fits")
    }

    fn pick<'a>(&mut self, texts: &[&'a str]) -> &'a str {
        texts[self.one_of(texts.len())]
    }

    pub(crate) fn script(&mut self) -> String {
        let lines = 1 + self.one_of(4);
        let lines: Vec<String> = (0..lines).map(|_| self.line()).collect();
        lines.join("\n")
    }

    /// A script with a few characters put in, taken out or doubled.
    pub(crate) fn damaged_script(&mut self) -> String {
        let mut chars: Vec<char> = self.script().chars().collect();
        for _ in 0..=self.one_of(3) {
            let at = self.one_of(chars.len());
            match self.one_of(3) {
                0 => drop(chars.remove(at)),
                1 => chars.insert(at, chars[at]),
                _ => {
                    let inserted: Vec<char> = "'\"\\`$(){}[]<>|&;#!\n \t=*?~:+-/,.%@^01paa"
                        .chars()
                        .collect();
                    let inserted = inserted[self.one_of(inserted.len())];
                    chars.insert(at, inserted);
                }
            }
            if chars.is_empty() {
                break;
            }
        }
        chars.into_iter().collect()
    }

    fn line(&mut self) -> String {
        match self.one_of(12) {
            0 => format!("{} # {} $({})", self.list(0), self.name(), self.name()),
            1 => self.here_document(),
            2 => {
                let (function, body) = (self.pick(&["fun", "other"]), self.list(1));
                format!("{function}() {{ {body}; }}\n{function} x")
            }
            3 => format!("x={} y=\"{}\"", self.word(1), self.text(1)),
            4 => format!("{}\\\n {}", self.name(), self.word(1)),
            _ => self.list(0),
        }
    }

    fn here_document(&mut self) -> String {
        let (name, inner) = (self.name(), self.name());
        let dialect = std::mem::replace(&mut self.dialect, Dialect::Common);
        let list = self.list(2);
        self.dialect = dialect;
        match self.one_of(7) {
            5 => format!("cat <<E\n`echo \\\"; {inner}; echo \\\"`\nE"),
            6 => format!("cat <<E\n${{x:-\"`{inner}`\"}} \"\\`{name}\\`\"\nE"),
            0 => format!("cat <<E\n{name} $({inner})\nE"),
            1 => format!("cat <<'E'\n{name} $({inner})\nE\n{name}"),
            2 => format!("cat <<-E | cat; {name}\n\t`{inner}` \\$(x)\n\tE"),
            3 => format!("sh <<'E'\n{list}\nE"),
            _ => format!("cat <<\"E\" <<F\n{name}\nE\n$({inner})\nF"),
        }
    }

    fn list(&mut self, depth: u32) -> String {
        let mut text = self.command(depth);
        for _ in 0..self.one_of(3) {
            let joint = self.pick(&["; ", " && ", " || ", " | ", "\n", " & ", " |\n", "&&"]);
            text.push_str(joint);
            text.push_str(&self.command(depth));
        }
        text
    }

    fn command(&mut self, depth: u32) -> String {
        if depth >= MAX_DEPTH {
            return self.simple(depth);
        }
        let inner = depth + 1;
        match self.one_of(30) {
            0 => format!("( {} )", self.list(inner)),
            1 => format!("{{ {}; }}", self.list(inner)),
            2 => format!(
                "if {}; then {}; else {}; fi",
                self.list(inner),
                self.list(inner),
                self.list(inner)
            ),
            3 => format!(
                "for i in a {}; do {}; done",
                self.word(inner),
                self.list(inner)
            ),
            4 => format!(
                "while {}; do {}; break; done",
                self.list(inner),
                self.list(inner)
            ),
            5 => format!(
                "case {} in a|x) {};; *) {};; esac",
                self.word(inner),
                self.list(inner),
                self.list(inner)
            ),
            6 => format!("{{ ! {}; }}", self.simple(inner)),
            7 => self.wrapped(inner),
            8 => self.inner_text(inner),
            9 => format!("{} > out 2>&1", self.simple(inner)),
            10 => format!("{{ {}; }} < /dev/null >> out", self.list(inner)),
            11 | 12 if self.dialect == Dialect::Bash => self.bash_only(inner),
            13 => format!("find . -name one-file -exec {} {{}} \\;", self.name()),
            14 => format!("echo a b | xargs -n1 {}", self.name()),
            15 => format!("trap '{}' EXIT", self.name()),
            16 => format!(
                "until {}; do {}; break; done",
                self.list(inner),
                self.name()
            ),
            _ => self.simple(inner),
        }
    }

    fn wrapped(&mut self, depth: u32) -> String {
        let wrapper = self.pick(&[
            "env",
            "env A=1",
            "env -u B",
            "nohup",
            "nice -n 5",
            "timeout 3",
            "timeout -k 1 3s",
            "setsid -w",
            "stdbuf -oL",
            "command",
            "command env",
            "nice",
        ]);
        format!("{wrapper} {}", self.simple(depth))
    }

    fn inner_text(&mut self, depth: u32) -> String {
        let shells: &[&str] = match self.dialect {
            Dialect::Bash => &["bash -c", "eval", "env bash -xc", "bash -c --"],
            Dialect::Common => &["sh -c", "eval", "env sh -xc", "sh -c --"],
        };
        let shell = self.pick(shells);
        let list = self.list(depth);
        let quoted = format!("'{}'", list.replace('\'', "'\\''"));
        format!("{shell} {quoted}")
    }

    fn bash_only(&mut self, depth: u32) -> String {
        match self.one_of(9) {
            0 => format!("[[ -n {} && a == a* ]]", self.word(depth)),
            1 => format!("(( {} + 1 ))", self.pick(&["1", "x", "$(echo 2)"])),
            2 => format!("cat <({}) > /dev/null", self.list(depth)),
            3 => format!("a=(1 {} 2)", self.word(depth)),
            4 => format!("{} <<< {}", self.name(), self.word(depth)),
            5 => format!("time {}", self.simple(depth)),
            6 => format!("{} &> out", self.simple(depth)),
            7 => format!("for ((i = 0; i < 2; i++)); do {}; done", self.list(depth)),
            _ => format!("function fun {{ {}; }}; fun", self.list(depth)),
        }
    }

    fn simple(&mut self, depth: u32) -> String {
        let mut text = match self.one_of(12) {
            0 => format!("X={} ", self.word(depth)),
            1 => "> out ".to_owned(),
            _ => String::new(),
        };
        text.push_str(&match self.one_of(10) {
            0 => format!("echo {}", self.name()),
            1 => self.disguised(),
            2 => self.pick(&["true", "false", ":", "test a"]).to_owned(),
            _ => self.name().to_owned(),
        });
        for _ in 0..self.one_of(3) {
            text.push(' ');
            text.push_str(&self.word(depth));
        }
        text
    }

    fn name(&mut self) -> &'static str {
        PROGRAMS[self.one_of(PROGRAMS.len())]
    }

    fn disguised(&mut self) -> String {
        let name = self.name();
        let (head, tail) = name.split_at(1);
        match self.one_of(6) {
            0 => format!("\\{name}"),
            1 => format!("'{head}'{tail}"),
            2 => format!("\"{name}\""),
            3 => format!("{head}\\\n{tail}"),
            4 if self.dialect == Dialect::Bash => format!("$'\\x70'{tail}"),
            _ => format!("{head}\"\"{tail}"),
        }
    }

    fn word(&mut self, depth: u32) -> String {
        if depth >= MAX_DEPTH {
            return self.name().to_owned();
        }
        match self.one_of(17) {
            12 => format!("\"`echo \\\"{}\\\"`\"", self.name()),
            13 => format!("a{{{},$({})}}", self.name(), self.name()),
            14 => format!("\"${{x:-\"$({})\"}}\"", self.name()),
            0 => format!("$( {})", self.list(depth + 1)),
            1 => format!("\"a $( {}) b\"", self.list(depth + 1)),
            2 => format!("`{}`", self.name()),
            3 => format!("'$({})'", self.name()),
            4 => format!("\"{}\"", self.text(depth)),
            5 => format!("${{x:-$({})}}", self.name()),
            6 => "$((1 + 2))".to_owned(),
            7 => format!("\"\\$({})\"", self.name()),
            8 => "*".to_owned(),
            9 => format!("a#{}", self.name()),
            10 => format!("\\`{}\\`", self.name()),
            11 => format!("\"${{y:+`{}`}}\"", self.name()),
            _ => self.name().to_owned(),
        }
    }

    fn text(&mut self, depth: u32) -> String {
        let name = self.name();
        match self.one_of(6) {
            0 => format!("{name}; {name}"),
            1 => format!("it's $x {name}"),
            2 => format!("$({})", self.simple(depth + 1)),
            3 => format!("a\n{name}\n"),
            4 => format!("`{name}` \\\"{name}\\\""),
            _ => format!("({name})"),
        }
    }
}
