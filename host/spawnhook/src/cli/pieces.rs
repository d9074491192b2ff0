use spawnhook_exec::{Cleaner, Text};

/// A line longer than this is told as it comes, even if it is started anew.
const LINE_BYTES: usize = 4096;

/// Cleaned output in pieces, for readers who have been told what came before.
#[derive(Debug, Default)]
pub(crate) struct Pieces {
    cleaner: Cleaner,
    /// The current line from its start, or what came since.
    text: String,
    /// As much of the current line as was told.
    told: String,
}

/// What is new.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    /// Whether the current line is started anew, as a progress bar does, so that this stands in
    /// the place of what was told of it.
    pub(crate) restarts_line: bool,
    /// The text that follows.
    pub(crate) text: String,
}

impl Pieces {
    /// At the start of an output, with a policy for its text.
    pub(crate) fn new(policy: Text) -> Self {
        Self {
            cleaner: Cleaner::with_policy(policy),
            ..Self::default()
        }
    }

    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.cleaner.push(bytes, &mut self.text);
    }

    /// Ends the output.
    pub(crate) fn finish(&mut self) {
        self.cleaner.finish(&mut self.text);
    }

    /// Bytes that may be new.
    pub(crate) fn len(&self) -> usize {
        self.text.len()
    }

    /// What was not told yet, as a text that can only grow: what was told cannot be taken back, so
    /// a line that is started anew is one more line.
    pub(crate) fn take_appended(&mut self) -> String {
        let piece = self.take();
        if piece.restarts_line {
            format!("\n{}", piece.text)
        } else {
            piece.text
        }
    }

    /// What was not told yet.
    pub(crate) fn take(&mut self) -> Piece {
        let new = self.text.strip_prefix(&self.told);
        let piece = Piece {
            restarts_line: new.is_none(),
            text: new.unwrap_or(&self.text).to_owned(),
        };
        let line = self.text.rfind('\n').map_or(0, |newline| newline + 1);
        self.text.drain(..line);
        if self.text.len() > LINE_BYTES {
            self.text.clear();
        }
        self.told.clone_from(&self.text);
        piece
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(chunks: &[&str]) -> Vec<(bool, String)> {
        let mut pieces = Pieces::default();
        let mut told = Vec::new();
        for chunk in chunks {
            pieces.push(chunk.as_bytes());
            let piece = pieces.take();
            told.push((piece.restarts_line, piece.text));
        }
        told
    }

    #[test]
    fn text_is_told_once() {
        assert_eq!(
            told(&["one\ntw", "o", "\n", ""]),
            [
                (false, "one\ntw".into()),
                (false, "o".into()),
                (false, "\n".into()),
                (false, String::new())
            ]
        );
    }

    #[test]
    fn a_line_that_is_started_anew_stands_in_the_place_of_what_was_told() {
        assert_eq!(
            told(&["a\n10%", "\r", "20%", "\r30%\nend"]),
            [
                (false, "a\n10%".into()),
                (false, String::new()),
                (true, "20%".into()),
                (true, "30%\nend".into())
            ]
        );
    }

    #[test]
    fn no_line_is_kept_that_is_too_long() {
        let mut pieces = Pieces::default();
        pieces.push(&[b'x'; LINE_BYTES + 1]);
        assert_eq!(pieces.take().text.len(), LINE_BYTES + 1);
        assert_eq!(pieces.len(), 0);
    }
}
