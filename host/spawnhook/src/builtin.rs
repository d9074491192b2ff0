//! The first-party components.

use std::fs;
use std::io;
use std::path::PathBuf;

use bytes::Bytes;

/// A first-party component inside the program.
struct Embedded {
    name: &'static str,
    bytes: &'static [u8],
    sha256: [u8; 32],
}

const EMBEDDED: &[Embedded] = &include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// Where the components named `builtin:NAME` come from.
#[derive(Clone, Debug, Default)]
pub enum Builtins {
    /// The program itself.
    #[default]
    Embedded,
    /// `NAME.wasm` in this folder; to try fresh builds of them.
    Folder(PathBuf),
}

/// Why there is no component of a name.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuiltinError {
    /// No component has this name.
    #[error("there is no component `builtin:{name}`; there are {}", names())]
    Unknown {
        /// The name.
        name: String,
    },
    /// The folder of [`Builtins::Folder`] does not have it.
    #[error("cannot read the component `builtin:{name}` from {}", path.display())]
    Read {
        /// The name.
        name: String,
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
}

impl Builtins {
    /// The bytes of the component `builtin:NAME`.
    ///
    /// # Errors
    ///
    /// If there is none of this name, or its file cannot be read.
    pub fn component(&self, name: &str) -> Result<Bytes, BuiltinError> {
        let embedded = find(name).ok_or_else(|| BuiltinError::Unknown {
            name: name.to_owned(),
        })?;
        match self {
            Self::Embedded => Ok(Bytes::from_static(embedded.bytes)),
            Self::Folder(folder) => {
                let path = folder.join(format!("{name}.wasm"));
                fs::read(&path)
                    .map(Bytes::from)
                    .map_err(|source| BuiltinError::Read {
                        name: name.to_owned(),
                        path,
                        source,
                    })
            }
        }
    }

    /// The SHA-256 of the component `builtin:NAME` if it is part of the program.
    pub fn sha256(&self, name: &str) -> Option<[u8; 32]> {
        match self {
            Self::Embedded => find(name).map(|embedded| embedded.sha256),
            Self::Folder(_) => None,
        }
    }
}

fn find(name: &str) -> Option<&'static Embedded> {
    EMBEDDED.iter().find(|embedded| embedded.name == name)
}

fn names() -> String {
    let names = EMBEDDED.iter().map(|embedded| embedded.name);
    let names: Vec<_> = names.map(|name| format!("`builtin:{name}`")).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use sha2::{Digest as _, Sha256};

    use super::*;

    #[test]
    fn a_component_inside_the_program_has_its_digest() {
        let names: Vec<_> = EMBEDDED.iter().map(|embedded| embedded.name).collect();
        let expected = [
            "audit-log",
            "command-policy",
            "command-rewrite",
            "env-inject",
        ];
        assert_eq!(names, expected);
        for name in names {
            let bytes = Builtins::Embedded.component(name).unwrap();
            let found: [u8; 32] = Sha256::digest(&bytes).into();
            assert_eq!(Builtins::Embedded.sha256(name), Some(found));
        }
        assert_eq!(Builtins::Embedded.sha256("none"), None);
        assert_eq!(Builtins::Folder("/".into()).sha256("audit-log"), None);
    }
}
