//! The first-party components.

use std::fs;
use std::io;
use std::path::PathBuf;

use bytes::Bytes;

/// The first-party components inside the program, by name.
const EMBEDDED: [(&str, &[u8]); 4] = [
    (
        "audit-log",
        include_bytes!("../../../plugins/dist/audit-log.wasm"),
    ),
    (
        "command-policy",
        include_bytes!("../../../plugins/dist/command-policy.wasm"),
    ),
    (
        "command-rewrite",
        include_bytes!("../../../plugins/dist/command-rewrite.wasm"),
    ),
    (
        "env-inject",
        include_bytes!("../../../plugins/dist/env-inject.wasm"),
    ),
];

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
        let Some((_, embedded)) = EMBEDDED.iter().find(|(known, _)| *known == name) else {
            return Err(BuiltinError::Unknown {
                name: name.to_owned(),
            });
        };
        match self {
            Self::Embedded => Ok(Bytes::from_static(embedded)),
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
}

fn names() -> String {
    EMBEDDED
        .map(|(name, _)| format!("`builtin:{name}`"))
        .join(", ")
}
