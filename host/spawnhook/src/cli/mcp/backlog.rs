/// Cleaned output of a command that is still to be asked for: the end of it, however much there
/// is. Positions are bytes from the start of all that was ever written.
#[derive(Debug, Default)]
pub(super) struct Backlog {
    text: String,
    /// The position of the first byte of the text.
    start: u64,
}

/// What a reader gets.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) text: String,
    /// Bytes before the text that are not kept any more.
    pub(super) skipped_bytes: u64,
    /// The position after the text.
    pub(super) cursor: u64,
}

impl Backlog {
    /// Bytes that are kept at least, if there are as many: five times what one reader gets.
    pub(super) const BYTES: usize = 256 * 1024;

    pub(super) fn push(&mut self, text: &str) {
        self.text.push_str(text);
        // Not at every write, since what is left has to be moved.
        if self.text.len() > 2 * Self::BYTES {
            let cut = self.text.ceil_char_boundary(self.text.len() - Self::BYTES);
            self.text.drain(..cut);
            self.start += position(cut);
        }
    }

    /// The position after the last byte.
    pub(super) fn end(&self) -> u64 {
        self.start + position(self.text.len())
    }

    /// At most `most` bytes from a position on. One that lies ahead gets nothing.
    pub(super) fn read(&self, cursor: u64, most: usize) -> Piece {
        let from = cursor.clamp(self.start, self.end());
        let at = usize::try_from(from - self.start).expect("invariant: it is within the text");
        let at = self.text.ceil_char_boundary(at);
        let end = self
            .text
            .floor_char_boundary((at + most).min(self.text.len()));
        Piece {
            text: self.text[at..end].to_owned(),
            skipped_bytes: self.start.saturating_sub(cursor),
            cursor: self.start + position(end),
        }
    }

    /// The last bytes, from the first character that is whole.
    pub(super) fn tail(&self, most: usize) -> &str {
        let at = self.text.len().saturating_sub(most);
        &self.text[self.text.ceil_char_boundary(at)..]
    }
}

fn position(bytes: usize) -> u64 {
    u64::try_from(bytes).expect("invariant: it is a length in memory")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_reader_reads_on_from_its_cursor() {
        let mut backlog = Backlog::default();
        backlog.push("äöü");
        let piece = backlog.read(0, 3);
        assert_eq!((&*piece.text, piece.cursor), ("ä", 2));
        let piece = backlog.read(piece.cursor, 100);
        assert_eq!((&*piece.text, piece.cursor), ("öü", 6));
        assert_eq!(backlog.read(99, 100).text, "");
        assert_eq!(backlog.tail(3), "ü");
    }

    #[test]
    fn what_is_kept_is_bounded_and_a_late_reader_is_told_what_it_missed() {
        let mut backlog = Backlog::default();
        let line = "0123456789\n".repeat(1000);
        for _ in 0..200 {
            backlog.push(&line);
            assert!(backlog.text.len() <= 2 * Backlog::BYTES);
        }
        assert_eq!(backlog.end(), 2_200_000);
        let piece = backlog.read(11, 5);
        assert_eq!(piece.skipped_bytes + 11, piece.cursor - 5);
        assert!(piece.skipped_bytes + 11 <= 2_200_000 - position(Backlog::BYTES));
    }

    proptest! {
        #[test]
        fn pieces_make_up_the_whole(text in "[aä🦀\n]{0,200}", most in 4_usize..40) {
            let mut backlog = Backlog::default();
            backlog.push(&text);
            let (mut read, mut cursor) = (String::new(), 0);
            while cursor < backlog.end() {
                let piece = backlog.read(cursor, most);
                prop_assert!(piece.text.len() <= most && piece.cursor > cursor);
                read.push_str(&piece.text);
                cursor = piece.cursor;
            }
            prop_assert_eq!(read, text);
        }
    }
}
