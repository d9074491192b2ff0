//! Redirections.

use super::{Parsed, Parser};
use crate::{
    Construct, Dialect, Operator, Part, Redirection, Role, Word, Words, undecidable::excerpt,
};

impl Parser<'_, '_> {
    /// Reads the redirection that starts here, if one does. `part` is what it belongs to.
    #[inline(never)]
    pub(super) fn redirection(&mut self, part: usize) -> Parsed<bool> {
        let length = self.descriptor_length();
        if self.sees("&>") && self.dialect == Dialect::Common {
            // to some shells the end of one command and the start of another
            return self.fail(Construct::Dialect, self.at);
        }
        let (operator, symbol) = match &self.rest()[length..] {
            [b'&', b'>', b'>', ..] if length == 0 => (Operator::Append, 3),
            [b'&', b'>', ..] if length == 0 => (Operator::Write, 2),
            [b'<' | b'>', b'(', ..] => return Ok(false),
            [b'<', b'<', b'<', ..] => (Operator::HereString, 3),
            [b'<', b'<', ..] => (Operator::HereDocument, 2),
            [b'<', b'>', ..] => (Operator::ReadWrite, 2),
            [b'<' | b'>', b'&', ..] => (Operator::Duplicate, 2),
            [b'>', b'>', ..] => (Operator::Append, 2),
            [b'>', b'|', ..] => (Operator::Write, 2),
            [b'<', ..] => (Operator::Read, 1),
            [b'>', ..] => (Operator::Write, 1),
            _ => return Ok(false),
        };
        let descriptor = self.slice(self.at, self.at + length).to_owned();
        let output = self.rest()[length] == b'>';
        self.at += length + symbol;
        if operator == Operator::HereDocument {
            self.here_document(descriptor, part)?;
            return Ok(true);
        }
        self.skip_blanks();
        let target = self.word()?.word;
        if target.literal() == Some("!") && self.dialect == Dialect::Common {
            // to some shells a part of the operator
            return self.fail(Construct::Dialect, self.at);
        }
        let operator = match operator {
            Operator::Duplicate if output && !is_descriptor(&target) => Operator::Write,
            other => other,
        };
        self.add_redirection(part, operator, descriptor, target);
        Ok(true)
    }

    pub(super) fn add_redirection(
        &mut self,
        part: usize,
        operator: Operator,
        descriptor: String,
        target: Word,
    ) {
        self.sink.parts[part].redirections.push(Redirection {
            operator,
            descriptor: (!descriptor.is_empty()).then_some(descriptor),
            target,
        });
    }

    /// How long the digits or the `{name}` are that stand before an operator; 0 if none do.
    fn descriptor_length(&self) -> usize {
        let rest = self.rest();
        let length = match rest.first() {
            Some(b'0'..=b'9') => rest.iter().take_while(|byte| byte.is_ascii_digit()).count(),
            Some(b'{') => {
                let name = crate::variables::name_length(&rest[1..]);
                if name == 0 || rest.get(name + 1) != Some(&b'}') {
                    return 0;
                }
                name + 2
            }
            _ => return 0,
        };
        match rest.get(length) {
            Some(b'<' | b'>') => length,
            _ => 0,
        }
    }

    /// Reads the redirections of a compound command, which are a part of their own.
    #[inline(never)]
    pub(super) fn trailing_redirections(&mut self) -> Parsed {
        self.skip_blanks();
        let start = self.at;
        let part = self.reserve();
        while self.redirection(part)? {
            self.skip_blanks();
        }
        if self.at == start {
            self.sink.parts.pop();
        } else {
            self.sink.parts[part].text = excerpt(self.slice(start, self.at));
        }
        match self.peek() {
            None | Some(b'\n' | b';' | b'&' | b'|' | b')') => Ok(()),
            Some(_) if !self.reserved().is_empty() => Ok(()),
            Some(_) => self.fail(Construct::Syntax, self.at),
        }
    }

    /// A part whose members come later, so that it stands before those inside it.
    #[inline(never)]
    pub(super) fn reserve(&mut self) -> usize {
        self.sink.parts.push(Part {
            parent: self.parent,
            place: self.place.clone(),
            role: Role::Bare,
            words: Words::new(Vec::new()),
            assignments: Vec::new(),
            redirections: Vec::new(),
            text: String::new(),
        });
        self.sink.parts.len() - 1
    }
}

/// Whether a target behind `>&` is a descriptor and not a file.
fn is_descriptor(target: &Word) -> bool {
    target.literal().is_some_and(|text| {
        let digits = text.strip_suffix('-').unwrap_or(text);
        digits.bytes().all(|byte| byte.is_ascii_digit()) && !text.is_empty()
    })
}
