//! A word of a command as far as it is known before the text runs.

/// A word after the removal of its quotes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Word {
    /// The word is this text, whatever happens.
    Literal(String),
    /// Some of it is known only at run time.
    Mixed(Vec<Piece>),
}

/// A piece of a word.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Piece {
    /// This text.
    Literal(String),
    /// Any text: an expansion, a home directory.
    Unknown {
        /// Whether it may become several words, or none.
        splits: bool,
    },
    /// Any text of a file's name: a glob. Several words, each with all the pieces of this one.
    Glob,
}

impl Word {
    /// A word of which nothing is known.
    #[must_use]
    pub fn unknown(splits: bool) -> Self {
        Self::Mixed(vec![Piece::Unknown { splits }])
    }

    /// The text of the word, if all of it is known.
    #[must_use]
    pub fn literal(&self) -> Option<&str> {
        match self {
            Self::Literal(text) => Some(text),
            Self::Mixed(_) => None,
        }
    }

    /// The known text that the word starts with; may be empty.
    #[must_use]
    pub fn head(&self) -> &str {
        match self {
            Self::Literal(text) => text,
            Self::Mixed(pieces) => match pieces.first() {
                Some(Piece::Literal(text)) => text,
                _ => "",
            },
        }
    }

    /// Whether an expansion in it may make several words of it, or none.
    #[must_use]
    pub fn splits(&self) -> bool {
        let Self::Mixed(pieces) = self else {
            return false;
        };
        pieces.contains(&Piece::Unknown { splits: true })
    }

    /// Whether it is one word whatever happens.
    #[must_use]
    pub fn is_single(&self) -> bool {
        match self {
            Self::Literal(_) => true,
            Self::Mixed(pieces) => !self.splits() && !pieces.contains(&Piece::Glob),
        }
    }
}

impl Word {
    /// What is known of a word that has a `[…]` which is a glob.
    pub(crate) fn up_to_bracket(&self) -> Self {
        let head = self.head().split('[').next().unwrap_or_default();
        let mut builder = Builder::default();
        builder.push_str(head);
        builder.piece(Piece::Glob);
        if self.splits() {
            builder.unknown(true);
        }
        builder.build()
    }
}

/// Puts a word together.
#[derive(Debug, Default)]
pub(crate) struct Builder {
    pieces: Vec<Piece>,
    literal: String,
}

impl Builder {
    pub(crate) fn push_str(&mut self, text: &str) {
        self.literal.push_str(text);
    }

    pub(crate) fn push(&mut self, char: char) {
        self.literal.push(char);
    }

    pub(crate) fn unknown(&mut self, splits: bool) {
        self.piece(Piece::Unknown { splits });
    }

    pub(crate) fn piece(&mut self, piece: Piece) {
        if !self.literal.is_empty() {
            self.pieces
                .push(Piece::Literal(std::mem::take(&mut self.literal)));
        }
        self.pieces.push(piece);
    }

    /// The known text since the last unknown piece.
    pub(crate) fn tail(&self) -> &str {
        &self.literal
    }

    pub(crate) fn build(mut self) -> Word {
        if self.pieces.is_empty() {
            return Word::Literal(self.literal);
        }
        if !self.literal.is_empty() {
            self.pieces.push(Piece::Literal(self.literal));
        }
        Word::Mixed(self.pieces)
    }
}
