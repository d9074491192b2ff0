//! Reads a text and puts what it finds into the sink. There is no tree: a command is told as soon
//! as it is read, so that what stands before an error is told too.

mod arithmetic;
mod command;
mod compound;
mod cursor;
mod expansion;
mod function;
mod here_document;
mod list;
mod redirection;
mod simple;
mod test;
mod word;

use crate::{Construct, Dialect, MAX_DEPTH, Step, sink::Sink, undecidable::excerpt};

pub(crate) use here_document::Pending;

/// The text is not read any further; why is in the sink.
#[derive(Debug)]
pub(crate) struct Stop;

pub(crate) type Parsed<T = ()> = Result<T, Stop>;

/// Where a text, or one inside another, is read.
pub(crate) struct Parser<'text, 'sink> {
    text: &'text str,
    /// Where it is read now, and where it ends.
    at: usize,
    end: usize,
    pub(crate) dialect: Dialect,
    pub(crate) sink: &'sink mut Sink,
    /// The way to the commands that are read now.
    pub(crate) place: Vec<Step>,
    /// The part whose words or commands are read now.
    pub(crate) parent: Option<usize>,
    pub(crate) depth: usize,
    /// The depth at which a function that is defined is defined for certain, if it is anywhere.
    defines_at: Option<usize>,
    /// Here-documents whose bodies start at the next line.
    pending: Vec<Pending>,
    /// A here-document of an enclosing list waits for its body.
    outer_pending: bool,
    /// Parts that run the body of a here-document as shell text.
    pub(crate) waiting: Vec<usize>,
}

impl<'text, 'sink> Parser<'text, 'sink> {
    pub(crate) fn top(text: &'text str, dialect: Dialect, sink: &'sink mut Sink) -> Self {
        Self {
            text,
            at: 0,
            end: text.len(),
            dialect,
            sink,
            place: Vec::new(),
            parent: None,
            depth: 0,
            defines_at: Some(0),
            pending: Vec::new(),
            outer_pending: false,
            waiting: Vec::new(),
        }
    }

    /// Reads all of it.
    pub(crate) fn run(&mut self) {
        if self.text.contains('\0') {
            let text = self.text.replace('\0', "");
            self.sink.undecidable(Construct::Syntax, &text, self.parent);
        } else if !self.sink.admit(self.text.len()) {
            self.sink
                .undecidable(Construct::Size, self.text, self.parent);
        } else {
            let names = ["PATH", "BASH_CMDS"];
            self.sink.decisive |= names.iter().any(|name| self.text.contains(name));
            // what is wrong is in the sink already
            let _: Parsed = self.whole();
        }
    }

    fn whole(&mut self) -> Parsed {
        self.list()?;
        if self.at < self.end || !self.pending.is_empty() {
            return self.fail(Construct::Syntax, self.at);
        }
        Ok(())
    }

    /// Reads a text that a part of this one runs. `shell`: by a shell of its own, which knows no
    /// function of this one.
    #[inline(never)]
    pub(crate) fn inner(
        &mut self,
        text: &str,
        dialect: Dialect,
        step: Step,
        part: usize,
        shell: bool,
    ) {
        let mut place = self.sink.parts[part].place.clone();
        place.push(step);
        let functions = shell.then(|| std::mem::take(&mut self.sink.functions));
        self.within(text, dialect, place, Some(part), shell);
        if let Some(functions) = functions {
            self.sink.functions = functions;
        }
    }

    /// Reads a text whose commands stand at a place of this one.
    #[inline(never)]
    fn within(
        &mut self,
        text: &str,
        dialect: Dialect,
        place: Vec<Step>,
        parent: Option<usize>,
        shell: bool,
    ) {
        if self.depth >= MAX_DEPTH {
            return self.sink.undecidable(Construct::Depth, text, parent);
        }
        let mut inner = Parser::top(text, dialect, self.sink);
        inner.place = place;
        inner.parent = parent;
        inner.depth = self.depth + 1;
        inner.defines_at = shell.then_some(inner.depth);
        inner.run();
    }

    /// Reads one level deeper.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            return self.fail(Construct::Depth, self.at);
        }
        self.depth += 1;
        let read = read(self)?;
        self.depth -= 1;
        Ok(read)
    }

    /// Reads commands that stand a step further from the top.
    fn step<T>(&mut self, step: Step, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.place.push(step);
        let read = read(self)?;
        self.place.pop();
        Ok(read)
    }

    /// Gives up at a place of the text.
    #[inline(never)]
    fn fail<T>(&mut self, construct: Construct, from: usize) -> Parsed<T> {
        let mut from = from.min(self.end);
        while !self.text.is_char_boundary(from) {
            from -= 1;
        }
        let rest = excerpt(&self.text[from..]);
        let text = if rest.is_empty() { "at the end" } else { &rest };
        self.sink.undecidable(construct, text, self.parent);
        Err(Stop)
    }
}
