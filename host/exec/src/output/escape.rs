/// Where the text is in a control sequence of ECMA-48. Nothing of a sequence is kept, so one that
/// never ends costs no memory.
///
/// The states are those that terminals have, with two differences that keep a stray introducer
/// from swallowing what follows: a character that does not belong to a sequence ends it and is
/// text again, and a string ends with its line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Escape {
    /// In the text.
    #[default]
    None,
    /// After ESC.
    Start,
    /// After ESC and an intermediate character.
    Intermediate,
    /// In a control sequence, before its final character.
    Control,
    /// In an operating system command (title, link), which BEL ends too.
    Command,
    /// In a device control string, or one of its kin.
    String,
    /// In a string, after the ESC that may start its terminator.
    StringEnd,
}

/// What a character is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Part of a sequence.
    Sequence,
    /// Part of the text.
    Text,
}

const ESC: char = '\u{1b}';
const CAN: char = '\u{18}';
const SUB: char = '\u{1a}';
const STRING_TERMINATOR: char = '\u{9c}';

impl Escape {
    /// The state after a character, and what the character is.
    pub(super) fn next(self, character: char) -> (Self, Role) {
        match self {
            Self::None => Self::outside(character),
            Self::Start => Self::after_escape(character),
            Self::Intermediate => match character {
                ' '..='/' => (Self::Intermediate, Role::Sequence),
                '0'..='~' => (Self::None, Role::Sequence),
                _ => Self::outside(character),
            },
            Self::Control => match character {
                ' '..='?' => (Self::Control, Role::Sequence),
                '@'..='~' => (Self::None, Role::Sequence),
                _ => Self::outside(character),
            },
            Self::Command if character == '\u{7}' => (Self::None, Role::Sequence),
            Self::Command | Self::String if character == '\n' => (Self::None, Role::Text),
            Self::Command | Self::String => (self.in_string(character), Role::Sequence),
            Self::StringEnd if character == '\\' => (Self::None, Role::Sequence),
            Self::StringEnd => Self::after_escape(character),
        }
    }

    /// A sequence starts with ESC, or with one of the C1 characters.
    fn outside(character: char) -> (Self, Role) {
        let state = match character {
            ESC => Self::Start,
            '\u{9b}' => Self::Control,
            '\u{9d}' => Self::Command,
            '\u{90}' | '\u{98}' | '\u{9e}' | '\u{9f}' => Self::String,
            _ => return (Self::None, Role::Text),
        };
        (state, Role::Sequence)
    }

    fn after_escape(character: char) -> (Self, Role) {
        let state = match character {
            '[' => Self::Control,
            ']' => Self::Command,
            'P' | 'X' | '^' | '_' => Self::String,
            ' '..='/' => Self::Intermediate,
            '0'..='~' => Self::None,
            _ => return Self::outside(character),
        };
        (state, Role::Sequence)
    }

    fn in_string(self, character: char) -> Self {
        match character {
            ESC => Self::StringEnd,
            CAN | SUB | STRING_TERMINATOR => Self::None,
            _ => self,
        }
    }
}
