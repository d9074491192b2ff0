use std::fmt;

use serde_json::Value;
use sha2::{Digest as _, Sha256};
use wasmparser::Parser;
use wasmtime::Engine;

use super::LoadFault;
use crate::interfaces::SETTINGS;
use crate::{FileKind, HookSpec};

/// The SHA-256 of a component.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Digest([u8; 32]);

impl Digest {
    pub(crate) fn of(component: &[u8]) -> Self {
        Self(Sha256::digest(component).into())
    }

    pub(crate) fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Checks size, digest and kind of a file, and returns its digest.
pub(super) fn check(spec: &HookSpec) -> Result<Digest, LoadFault> {
    let bytes = spec.component.len() as u64;
    if bytes > spec.limits.component_bytes {
        return Err(LoadFault::TooLarge {
            bytes,
            limit: spec.limits.component_bytes,
        });
    }
    let known = spec.part_of_program.map(Digest);
    let found = known.unwrap_or_else(|| Digest::of(&spec.component));
    if let Some(pinned) = &spec.sha256 {
        check_digest(pinned, &found.to_string())?;
    }
    match identify(&spec.component) {
        FileKind::Component => Ok(found),
        FileKind::CoreModule => Err(LoadFault::CoreModule),
        FileKind::Precompiled => Err(LoadFault::Precompiled),
        FileKind::Other => Err(LoadFault::NotWasm {
            starts_with: start(&spec.component),
        }),
    }
}

/// Checks that settings are an object, and that somebody takes them.
pub(super) fn check_settings(settings: &str, taken: bool) -> Result<(), LoadFault> {
    let not_an_object = |reason: String| Err(LoadFault::SettingsNotAnObject(reason));
    match serde_json::from_str(settings) {
        Ok(Value::Object(object)) if taken || object.is_empty() => Ok(()),
        Ok(Value::Object(object)) => Err(LoadFault::SettingsUnused {
            keys: object.keys().cloned().collect(),
            interface: SETTINGS.id(),
        }),
        Ok(other) => not_an_object(format!("found {}", kind(&other))),
        Err(error) => not_an_object(error.to_string()),
    }
}

/// What a value is; the value itself may be a secret.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// What a file is, by its first bytes.
pub(crate) fn identify(bytes: &[u8]) -> FileKind {
    if Engine::detect_precompiled(bytes).is_some() {
        FileKind::Precompiled
    } else if Parser::is_component(bytes) {
        FileKind::Component
    } else if Parser::is_core_wasm(bytes) {
        FileKind::CoreModule
    } else {
        FileKind::Other
    }
}

fn check_digest(pinned: &str, found: &str) -> Result<(), LoadFault> {
    let is_digest = pinned.len() == 64 && pinned.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !is_digest {
        Err(LoadFault::InvalidDigest(pinned.escape_debug().to_string()))
    } else if pinned.eq_ignore_ascii_case(found) {
        Ok(())
    } else {
        Err(LoadFault::WrongDigest {
            pinned: pinned.to_ascii_lowercase(),
            found: found.to_owned(),
        })
    }
}

fn start(bytes: &[u8]) -> String {
    bytes[..bytes.len().min(16)].escape_ascii().to_string()
}
