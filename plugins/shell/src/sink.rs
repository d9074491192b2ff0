//! Where everything goes that is found in a text and in the texts inside it.

use std::collections::BTreeSet;

use crate::{Analysis, Construct, MAX_BYTES, Part, Role, Undecidable, undecidable::excerpt};

/// How many bytes all texts of an analysis may have together: a text inside another is read again.
const TOTAL_BYTES: usize = 4 * MAX_BYTES;

/// How many constructs are named; the first one decides as much as the last.
const MAX_UNDECIDABLE: usize = 64;

#[derive(Debug, Default)]
pub(crate) struct Sink {
    pub(crate) parts: Vec<Part>,
    undecidable: Vec<Undecidable>,
    /// The functions that are defined for certain where the text is now.
    pub(crate) functions: BTreeSet<String>,
    /// Something may take a function away again.
    pub(crate) unsets: bool,
    /// The bytes of all texts so far.
    bytes: usize,
    /// Arithmetic on variables was seen.
    pub(crate) arithmetic: Option<String>,
    /// A literal bracket was seen, and the head of a literal substitution: arithmetic on a
    /// variable with the value `a[$(…)]` runs what stands there.
    pub(crate) bracket: bool,
    pub(crate) dollar: bool,
    /// A name was seen that arithmetic must not assign to.
    pub(crate) decisive: bool,
}

impl Sink {
    pub(crate) fn undecidable(&mut self, construct: Construct, text: &str, part: Option<usize>) {
        if self.undecidable.len() < MAX_UNDECIDABLE {
            self.undecidable.push(Undecidable {
                construct,
                text: excerpt(text),
                part,
            });
        }
    }

    /// Whether this many bytes more may be read.
    pub(crate) fn admit(&mut self, bytes: usize) -> bool {
        self.bytes = self.bytes.saturating_add(bytes);
        bytes <= MAX_BYTES && self.bytes <= TOTAL_BYTES
    }

    pub(crate) fn finish(mut self) -> Analysis {
        if self.unsets {
            for part in &mut self.parts {
                if part.role == Role::Function {
                    part.role = Role::Program;
                }
            }
        }
        let dormant = self.bracket && self.dollar || self.decisive;
        if let (Some(text), true) = (self.arithmetic.take(), dormant) {
            self.undecidable(Construct::Arithmetic, &text, None);
        }
        Analysis {
            parts: self.parts,
            undecidable: self.undecidable,
        }
    }
}
