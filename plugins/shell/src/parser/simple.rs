//! Simple commands.

use super::{Parsed, Parser, word::Token};
use crate::{
    Assignment, Construct, Dialect, Piece, Step, Word, Words,
    undecidable::excerpt,
    variables::{self, split_assignment},
};

/// A simple command while it is read.
struct Simple {
    part: usize,
    start: usize,
    words: Vec<Word>,
}

impl Parser<'_, '_> {
    /// The name, if it turns out to be the definition of a function.
    pub(super) fn simple(&mut self) -> Parsed<Option<String>> {
        let part = self.reserve();
        let outer = self.parent.replace(part);
        let mut simple = Simple {
            part,
            start: self.at,
            words: Vec::new(),
        };
        while self.simple_item(&mut simple)? {}
        self.parent = outer;
        if self.peek() == Some(b'(') {
            return self.simple_function(simple).map(Some);
        }
        if self.at == simple.start {
            return self.fail(Construct::Syntax, self.at);
        }
        let text = self.slice(simple.start, self.at);
        self.sink.parts[part].text = excerpt(text);
        self.sink.parts[part].words = Words::new(simple.words);
        for index in 0..self.sink.parts[part].assignments.len() {
            let assignment = self.sink.parts[part].assignments[index].clone();
            self.judge_variable(&assignment, part);
        }
        self.classify(part, true);
        Ok(None)
    }

    /// Reads one word or redirection; false at the end.
    #[inline(never)]
    fn simple_item(&mut self, simple: &mut Simple) -> Parsed<bool> {
        self.skip_blanks();
        match self.peek() {
            None | Some(b'\n' | b';' | b'|' | b'(' | b')') => return Ok(false),
            Some(b'&') if self.peek_at(1) != Some(b'>') => return Ok(false),
            _ => {}
        }
        if self.redirection(simple.part)? {
            return Ok(true);
        }
        let start = self.at;
        if self.dialect == Dialect::Common && matches!(self.reserved(), "{" | "}") {
            // to some shells the end of a group wherever it stands
            return self.fail(Construct::Dialect, start);
        }
        let token = self.word()?;
        match split_assignment(self.slice(start, self.at)) {
            Some((name, _)) if simple.words.is_empty() => {
                let value = assigned(&token);
                if self.text[start + name.len()..].starts_with('[') {
                    self.saw_arithmetic(name);
                }
                self.sink.parts[simple.part].assignments.push(Assignment {
                    name: name.to_owned(),
                    value,
                });
            }
            // bash reads on behind blanks, to the end of the index
            None if simple.words.is_empty() && self.opens_an_index(start) => {
                return self.fail(Construct::Syntax, start);
            }
            _ => simple.words.push(token.word),
        }
        Ok(true)
    }

    /// Whether a name with a bracket behind it starts here.
    fn opens_an_index(&self, start: usize) -> bool {
        let text = &self.text.as_bytes()[start..self.end];
        let name = variables::name_length(text);
        name > 0 && text.get(name) == Some(&b'[')
    }

    #[inline(never)]
    fn simple_function(&mut self, mut simple: Simple) -> Parsed<String> {
        let only_a_name = self.sink.parts.len() == simple.part + 1
            && self.sink.parts[simple.part].assignments.is_empty()
            && self.sink.parts[simple.part].redirections.is_empty()
            && simple.words.len() == 1;
        let name = simple.words.pop();
        let (true, Some(name @ Word::Literal(_))) = (only_a_name, name) else {
            return self.fail(Construct::Syntax, simple.start);
        };
        self.sink.parts.pop();
        self.function_parentheses(name, simple.start)
    }

    /// Looks at what a variable is given.
    #[inline(never)]
    pub(crate) fn judge_variable(&mut self, assignment: &Assignment, part: usize) {
        let Assignment { name, value } = assignment;
        let value = value.literal().map(str::to_owned);
        if variables::is_number(name) {
            self.saw_arithmetic(name);
        }
        // an empty CDPATH makes `cd` certain instead of uncertain
        let harmless = match value.as_deref() {
            Some("") => name == "CDPATH",
            // to the output, and not to a file
            Some("0" | "1" | "2" | "true" | "false") => name.starts_with("GIT_TRACE"),
            // letters that only say how it looks
            Some(letters) if name == "LESS" => {
                letters.bytes().all(|byte| b"-FRSXimnr".contains(&byte))
            }
            _ => false,
        };
        if variables::controls_the_shell(name) && !harmless {
            self.sink.undecidable(Construct::Variable, name, Some(part));
        } else if variables::holds_a_command(name) {
            match value {
                Some(text) => self.inner(&text, Dialect::Common, Step::Variable, part, true),
                None => self.sink.undecidable(Construct::Variable, name, Some(part)),
            }
        }
    }
}

/// The value in a word that is an assignment.
fn assigned(token: &Token) -> Word {
    let value = |text: &str| split_assignment(text).map(|(_, start)| text[start..].to_owned());
    match &token.word {
        Word::Literal(text) => value(text).map_or_else(|| Word::unknown(false), Word::Literal),
        Word::Mixed(pieces) => match pieces.first() {
            Some(Piece::Literal(text)) => match value(text) {
                Some(text) => {
                    let mut pieces = pieces.clone();
                    pieces[0] = Piece::Literal(text);
                    Word::Mixed(pieces)
                }
                None => Word::unknown(false),
            },
            _ => Word::unknown(false),
        },
    }
}
