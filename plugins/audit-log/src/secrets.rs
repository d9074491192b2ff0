//! Finding secrets in shell text. Each finder goes through the text once, without regular
//! expressions: to compile those would cost a fresh instance more than all the rest.
//!
//! What is found is the secret alone: its name, its quotes and the marks around it stay.

mod name;
mod named;
mod pem;
mod token;
mod url;
mod word;

use std::ops::Range;

/// Appends the byte ranges of all secrets, in no order; they may overlap.
pub(crate) fn find(text: &str, found: &mut Vec<Range<usize>>) {
    named::find(text, found);
    pem::find(text, found);
    token::find(text, found);
    url::find(text, found);
}

#[cfg(test)]
mod tests;
