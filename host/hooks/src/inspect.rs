use wasmtime::Engine;
use wasmtime::component::types::{self, ComponentItem};

use crate::admission::{Digest, LoadFault, compile, exports_interface, identify, imports};
use crate::engine::Shared;
use crate::interfaces::{EXIT_HOOK, SETTINGS, SPAWN_HOOK};

/// What a file is and what it wants, whether or not it could be loaded as a hook.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Inspection {
    /// What the file is.
    pub kind: FileKind,
    /// The hex SHA-256 of the file.
    pub sha256: String,
    /// The size of the file.
    pub size_bytes: u64,
    /// The worlds of our package that the component fits: `spawn-plugin`, `audit-plugin`.
    pub worlds: Vec<&'static str>,
    /// What the component imports. Empty if it is no component, as is [`Self::exports`].
    pub imports: Vec<ImportedInterface>,
    /// The names of what the component exports.
    pub exports: Vec<String>,
}

/// What a file is, by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A component, as hooks are.
    Component,
    /// A core module, from which a component can be made.
    CoreModule,
    /// Machine code that was made from either.
    Precompiled,
    /// Not WebAssembly.
    Other,
}

/// One import of a component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedInterface {
    /// The name of the interface, with its version.
    pub name: String,
    /// The functions that the component wants of it.
    pub functions: Vec<String>,
    /// Whether it would get it.
    pub status: ImportStatus,
}

/// Whether an import is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportStatus {
    /// In every stage.
    Offered,
    /// In every stage, with nothing behind it.
    Powerless,
    /// In stage audit alone.
    NeedsStageAudit,
    /// Nowhere: a hook that imports it is not loaded.
    Refused,
}

/// Why a component could not be looked into.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InspectError {
    /// It is broken, or uses a proposal that is switched off.
    #[error("the component is not valid: {0}")]
    Invalid(String),
    /// It is made of more parts than the compiler is given.
    #[error("{0}")]
    Refused(String),
}

pub(crate) fn inspect(shared: &Shared, bytes: &[u8]) -> Result<Inspection, InspectError> {
    let engine = &shared.engine;
    let kind = identify(bytes);
    let sha256 = Digest::of(bytes);
    let mut inspection = Inspection {
        kind,
        sha256: sha256.to_string(),
        size_bytes: bytes.len() as u64,
        worlds: Vec::new(),
        imports: Vec::new(),
        exports: Vec::new(),
    };
    if kind == FileKind::Component {
        let component = compile(shared, bytes, &sha256, false).map_err(|fault| match fault {
            LoadFault::Invalid(reason) => InspectError::Invalid(reason),
            other => InspectError::Refused(other.to_string()),
        })?;
        let ty = component.component_type();
        inspection.imports = imported(engine, &ty);
        inspection.exports = ty
            .exports(engine)
            .map(|(name, _)| name.to_owned())
            .collect();
        inspection.worlds = worlds(engine, &ty, &inspection.imports);
    }
    Ok(inspection)
}

fn imported(engine: &Engine, ty: &types::Component) -> Vec<ImportedInterface> {
    ty.imports(engine)
        .map(|(name, import)| ImportedInterface {
            name: name.to_owned(),
            functions: match &import.ty {
                ComponentItem::ComponentInstance(instance) => imports::functions(engine, instance),
                _ => Vec::new(),
            },
            status: imports::status(name),
        })
        .collect()
}

fn worlds(
    engine: &Engine,
    ty: &types::Component,
    imports: &[ImportedInterface],
) -> Vec<&'static str> {
    let exports = |interface| exports_interface(engine, ty, interface);
    let is_hook = matches!(exports(&SPAWN_HOOK), Ok(true))
        && exports(&EXIT_HOOK).is_ok()
        && exports(&SETTINGS).is_ok();
    let wants = |status| imports.iter().any(|import| import.status == status);
    if !is_hook || wants(ImportStatus::Refused) {
        Vec::new()
    } else if wants(ImportStatus::NeedsStageAudit) {
        vec!["audit-plugin"]
    } else {
        vec!["spawn-plugin", "audit-plugin"]
    }
}
