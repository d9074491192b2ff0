//! What is written to a terminal, without one: output that stays, and below it what is drawn anew.
//!
//! After a drawing the cursor stands where the output ends. So what was drawn is cleared from the
//! cursor to the end of the screen, and a terminal that has meanwhile got another size, and has
//! moved everything about, took the cursor along.

use super::super::pieces::Piece;
use super::fold::{Fold, LEFT_ROWS, Left};
use super::layout::{self, Cursor, Size};

/// From the cursor to the end of the screen.
const CLEAR_BELOW: &str = "\x1b[J";
const UP: &str = "\x1b[A";
/// Makes sure of a row below, whatever the column: unlike a line feed, this is nothing that the
/// system adds a carriage return to.
const ROW_BELOW: &str = "\x0b";
const SAVE_CURSOR: &str = "\x1b7";
const RESTORE_CURSOR: &str = "\x1b8";
/// Rows that are wider than they were thought to be end at the edge.
const NO_WRAP: &str = "\x1b[?7l";
const WRAP: &str = "\x1b[?7h";

/// A line that is longer is not cleared whole if it is started anew.
const LINE_BYTES: usize = 8 * 1024;

/// What a terminal can do and its user wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Abilities {
    /// Whether the cursor can be moved.
    pub(crate) moves: bool,
    pub(crate) colors: bool,
}

/// What is to be written, in this order.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Paint {
    /// Our own, to where the status stands.
    pub(super) before: String,
    /// To where the command's output goes.
    pub(super) output: String,
    /// Our own.
    pub(super) after: String,
}

/// Where the cursor was when something was drawn below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Drawn {
    /// In the first column: what was drawn begins in its row.
    FromStart,
    /// Behind a line without end: what was drawn begins in the next row.
    Below,
}

#[derive(Debug)]
pub(super) struct Painter {
    abilities: Abilities,
    fold: Option<Fold>,
    /// What the current line has so far, of an output that is not folded.
    line: String,
    status: Option<String>,
    drawn: Option<Drawn>,
    /// Whether what is drawn is no longer what there is to be seen.
    is_old: bool,
    size: Size,
}

impl Painter {
    pub(super) fn new(abilities: Abilities, folds: bool, size: Size) -> Self {
        Self {
            abilities,
            fold: folds.then(Fold::default),
            line: String::new(),
            status: None,
            drawn: None,
            is_old: false,
            size,
        }
    }

    pub(super) fn folds(&self) -> bool {
        self.fold.is_some()
    }

    /// Takes more of the output. If it is folded, it is seen at the next tick.
    pub(super) fn output(&mut self, piece: &Piece, size: Size) -> Paint {
        if piece.text.is_empty() && !piece.restarts_line {
            return Paint::default();
        }
        if let Some(fold) = &mut self.fold {
            fold.push(piece, size.columns);
            self.is_old = true;
            return Paint::default();
        }
        self.size = size;
        Paint {
            before: self.clear(),
            output: self.append(piece),
            after: self.draw_status(),
        }
    }

    /// Shows what there is to be seen now, with a status or without one.
    pub(super) fn tick(&mut self, status: Option<&str>, size: Size) -> Paint {
        let is_new = self.status.as_deref() != status || self.size != size;
        if !is_new && !self.is_old {
            return Paint::default();
        }
        self.is_old = false;
        self.size = size;
        self.status = status.map(str::to_owned);
        if self.fold.is_some() {
            return self.draw_folded();
        }
        Paint {
            before: self.clear(),
            after: self.draw_status(),
            ..Paint::default()
        }
    }

    /// Leaves nothing of ours, until the next tick.
    pub(super) fn hide(&mut self) -> Paint {
        self.status = None;
        self.is_old = true;
        let clear = self.clear();
        if self.folds() {
            return Paint {
                output: clear,
                ..Paint::default()
            };
        }
        Paint {
            before: clear,
            ..Paint::default()
        }
    }

    /// Leaves nothing but the output, or the end of it, and the cursor in the first column.
    pub(super) fn end(&mut self, size: Size) -> Paint {
        self.size = size;
        self.status = None;
        let clear = self.clear();
        let Some(fold) = &self.fold else {
            let open = !self.line.is_empty();
            return Paint {
                before: clear,
                after: if open { "\n" } else { "" }.to_owned(),
                ..Paint::default()
            };
        };
        let mut output = clear;
        for row in self.shown(fold.left(size.columns, LEFT_ROWS)) {
            output.push_str(&row);
            output.push('\n');
        }
        Paint {
            output,
            ..Paint::default()
        }
    }

    fn clear(&mut self) -> String {
        match self.drawn.take() {
            None => String::new(),
            Some(Drawn::Below) => CLEAR_BELOW.to_owned(),
            // What somebody types meanwhile moves the cursor.
            Some(Drawn::FromStart) => format!("\r{CLEAR_BELOW}"),
        }
    }

    fn append(&mut self, piece: &Piece) -> String {
        let mut output = String::new();
        if piece.restarts_line {
            if self.abilities.moves {
                let rows = Cursor::behind(&self.line, self.size.columns).row;
                output.push_str(&UP.repeat(rows));
                output.push('\r');
                output.push_str(CLEAR_BELOW);
            } else {
                output.push('\n');
            }
            self.line.clear();
        }
        output.push_str(&piece.text);
        match piece.text.rsplit_once('\n') {
            Some((_, line)) => line.clone_into(&mut self.line),
            None => self.line.push_str(&piece.text),
        }
        if self.line.len() > LINE_BYTES {
            let rows = layout::rows(&self.line, self.size.columns);
            self.line = rows.into_iter().last().unwrap_or_default();
        }
        output
    }

    fn draw_status(&mut self) -> String {
        let Some(status) = self.status.clone().filter(|_| self.abilities.moves) else {
            return String::new();
        };
        let status = self.dimmed(layout::fit(&status, self.size.columns - 1));
        if self.line.is_empty() {
            self.drawn = Some(Drawn::FromStart);
            return format!("{status}\r");
        }
        // Behind a full row, terminals disagree about where the cursor is.
        let cursor = Cursor::behind(&self.line, self.size.columns);
        let is_full = cursor.column >= self.size.columns || cursor.is_doubtful;
        if is_full || self.size.rows < 2 {
            return String::new();
        }
        self.drawn = Some(Drawn::Below);
        format!("{ROW_BELOW}{UP}{SAVE_CURSOR}\n{status}{RESTORE_CURSOR}")
    }

    fn draw_folded(&mut self) -> Paint {
        let Some(fold) = self.fold.as_ref().filter(|_| self.abilities.moves) else {
            return Paint::default();
        };
        let status = self.status.as_deref();
        let status = status.map(|status| self.dimmed(layout::fit(status, self.size.columns - 1)));
        // Room for the count and the status, and the last row is for who types.
        let room = self.size.rows.saturating_sub(3).max(1);
        let mut rows = self.shown(fold.left(self.size.columns, room));
        rows.extend(status);
        rows.drain(..rows.len().saturating_sub(self.size.rows));
        let back = UP.repeat(rows.len().saturating_sub(1));
        let drawing = format!("{NO_WRAP}{}{WRAP}{back}\r", rows.join("\n"));
        let mut output = self.clear();
        if !rows.is_empty() {
            output.push_str(&drawing);
            self.drawn = Some(Drawn::FromStart);
        }
        Paint {
            output,
            ..Paint::default()
        }
    }

    /// The rows that are left, below a count of the others.
    fn shown(&self, left: Left) -> Vec<String> {
        let count = match left.hidden {
            0 => None,
            1 => Some("… 1 line above".to_owned()),
            many => Some(format!("… {many} lines above")),
        };
        let count = count.map(|count| self.dimmed(layout::fit(&count, self.size.columns)));
        count.into_iter().chain(left.rows).collect()
    }

    fn dimmed(&self, text: &str) -> String {
        if self.abilities.colors {
            format!("\x1b[2m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }
}

#[cfg(test)]
mod tests;
