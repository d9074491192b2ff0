//! From a core module to a component that imports nothing but the interfaces of the hooks.

use std::{
    error::Error,
    fs, io,
    path::{Path, PathBuf},
};

use wasmparser::{Parser, Payload, Validator, WasmFeatures};
use wit_component::ComponentEncoder;
use wit_parser::Resolve;

/// Where the interfaces that a hook may import are.
const PACKAGE: &str = "spawnhook:hook/";
/// The worlds that a hook may be built for.
const WORLDS: [&str; 2] = ["spawn-plugin", "audit-plugin"];

type Source = Box<dyn Error + Send + Sync>;

/// Why a module has not become a component.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// A file could not be read.
    #[error("{} can't be read", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// The component could not be written.
    #[error("{} can't be written", path.display())]
    Write {
        /// The component.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// The interfaces could not be read.
    #[error("the interfaces in {} can't be read", path.display())]
    Interfaces {
        /// The folder of the interfaces.
        path: PathBuf,
        /// What is wrong with them.
        #[source]
        source: Source,
    },
    /// The module is none, or not one of a hook.
    #[error("{} can't be encoded as a component", path.display())]
    Module {
        /// The module.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        source: Source,
    },
    /// The module imports something that a host does not offer.
    #[error("{} imports {import:?}, expected nothing outside {PACKAGE}*; build it without WASI", path.display())]
    Import {
        /// The module.
        path: PathBuf,
        /// The name of the import.
        import: String,
    },
    /// The component fits none of the worlds.
    #[error("{} fits none of the worlds {}", path.display(), WORLDS.join(", "))]
    World {
        /// The module.
        path: PathBuf,
        /// Why it doesn't fit the last of them.
        #[source]
        source: Source,
    },
}

/// Encodes `module` as `component`, validates it against the worlds in the folder `wit` and returns
/// the names of its imports. Nothing is written where a check fails.
///
/// # Errors
///
/// See [`EncodeError`].
pub fn encode(module: &Path, component: &Path, wit: &Path) -> Result<Vec<String>, EncodeError> {
    let path = module.to_owned();
    let bytes = fs::read(module).map_err(|source| EncodeError::Read { path, source })?;
    let bytes = encode_bytes(&bytes).map_err(|source| EncodeError::Module {
        path: module.to_owned(),
        source,
    })?;
    let imports = check(module, &bytes, wit)?;
    let path = component.to_owned();
    fs::write(component, bytes).map_err(|source| EncodeError::Write { path, source })?;
    Ok(imports)
}

/// The imports of a component that is as it must be. `module` names it in errors.
fn check(module: &Path, component: &[u8], wit: &Path) -> Result<Vec<String>, EncodeError> {
    let imports = imports(component).map_err(|source| EncodeError::Module {
        path: module.to_owned(),
        source: source.into(),
    })?;
    if let Some(import) = imports.iter().find(|import| !import.starts_with(PACKAGE)) {
        return Err(EncodeError::Import {
            path: module.to_owned(),
            import: import.clone(),
        });
    }
    check_world(module, component, wit)?;
    Ok(imports)
}

fn encode_bytes(module: &[u8]) -> Result<Vec<u8>, Source> {
    Ok(ComponentEncoder::default()
        .validate(true)
        .module(module)?
        .encode()?)
}

/// The names that a valid component imports.
fn imports(component: &[u8]) -> Result<Vec<String>, wasmparser::BinaryReaderError> {
    Validator::new_with_features(WasmFeatures::default()).validate_all(component)?;
    let mut depth = 0_usize;
    let mut imports = Vec::new();
    for payload in Parser::new(0).parse_all(component) {
        match payload? {
            Payload::ModuleSection { .. } | Payload::ComponentSection { .. } => depth += 1,
            Payload::End(_) => depth = depth.saturating_sub(1),
            Payload::ComponentImportSection(section) if depth == 0 => {
                for import in section {
                    imports.push(import?.name.name.to_owned());
                }
            }
            _ => {}
        }
    }
    Ok(imports)
}

fn check_world(module: &Path, component: &[u8], wit: &Path) -> Result<(), EncodeError> {
    let not_read = |source: Source| EncodeError::Interfaces {
        path: wit.to_owned(),
        source,
    };
    let mut resolve = Resolve::default();
    let (package, _) = resolve
        .push_path(wit)
        .map_err(|error| not_read(error.into()))?;
    let mut result = Ok(());
    for name in WORLDS {
        let world = resolve
            .select_world(&[package], Some(name))
            .map_err(|error| not_read(error.into()))?;
        match wit_component::targets(&resolve, world, component, false) {
            Ok(()) => return Ok(()),
            Err(source) => {
                result = Err(EncodeError::World {
                    path: module.to_owned(),
                    source: source.into(),
                });
            }
        }
    }
    result
}

#[cfg(test)]
mod tests;
