//! The shape of a config file: which keys there are and how each is written.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use serde::Deserialize;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{Deserializer, Error, SeqAccess, Unexpected, Visitor};
use spawnhook_exec::Leftovers;
use spawnhook_hooks::OnFailure;
use spawnhook_model::{Stage, Timeout};

use super::values::{Count, Digest, Glob, OriginGlob, Parsed, Positive, Size};
use super::{CwdPolicy, Durability, Profile};
use crate::env_policy::Inherit;

type Given<T> = Option<Parsed<T>>;

/// One file. What it does not set is none or empty.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "a table")]
pub(super) struct File {
    pub(super) locked: Vec<String>,
    pub(super) shell: ShellTable,
    pub(super) limits: LimitsTable,
    pub(super) process: ProcessTable,
    pub(super) workspace: WorkspaceTable,
    pub(super) env: EnvTable,
    pub(super) session: SessionTable,
    pub(super) audit: AuditTable,
    pub(super) hooks: HooksTable,
    #[serde(deserialize_with = "hooks")]
    pub(super) hook: Vec<HookTable>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "a table")]
pub(super) struct ShellTable {
    pub(super) path: Option<String>,
    pub(super) prefix: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "a table")]
pub(super) struct LimitsTable {
    pub(super) default_timeout: Given<Timeout>,
    pub(super) max_timeout: Given<Timeout>,
    pub(super) max_lines: Given<Count>,
    pub(super) max_bytes: Given<Positive<Size>>,
    pub(super) spill_quota: Given<Size>,
    pub(super) stop_grace: Given<Duration>,
    pub(super) leftovers: Given<Leftovers>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "a table")]
pub(super) struct ProcessTable {
    pub(super) cpu: Given<Positive<Duration>>,
    pub(super) memory: Given<Positive<Size>>,
    pub(super) file_size: Given<Positive<Size>>,
    pub(super) open_files: Given<Count>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "a table")]
pub(super) struct WorkspaceTable {
    pub(super) root: Option<String>,
    pub(super) confine_cwd: Option<bool>,
    pub(super) cwd: Given<CwdPolicy>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "a table")]
pub(super) struct EnvTable {
    #[serde(deserialize_with = "inherit")]
    pub(super) inherit: Option<Inherit>,
    pub(super) exclude: Option<Vec<Parsed<Glob>>>,
    pub(super) set: BTreeMap<String, toml::Value>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "a table")]
pub(super) struct SessionTable {
    pub(super) expose: Option<bool>,
    pub(super) prefix: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "a table")]
pub(super) struct AuditTable {
    pub(super) path: Option<String>,
    pub(super) durability: Given<Durability>,
    pub(super) rotate_size: Given<Positive<Size>>,
    pub(super) rotate_age: Given<Positive<Duration>>,
    pub(super) rotate_keep: Given<Count>,
    pub(super) syslog: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "a table")]
pub(super) struct HooksTable {
    pub(super) require_pins: Option<bool>,
    pub(super) max_cpu: Given<Positive<Duration>>,
    pub(super) max_wall: Given<Positive<Duration>>,
    pub(super) max_memory: Given<Positive<Size>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(super) struct HookTable {
    pub(super) name: String,
    pub(super) component: String,
    pub(super) sha256: Given<Digest>,
    pub(super) stage: Parsed<Stage>,
    pub(super) on_failure: Given<OnFailure>,
    #[serde(default)]
    pub(super) when: WhenTable,
    #[serde(default)]
    pub(super) may: MayTable,
    #[serde(default)]
    pub(super) limits: HookLimitsTable,
    #[serde(default)]
    pub(super) settings: toml::Table,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "a table")]
pub(super) struct WhenTable {
    pub(super) origin: Option<Vec<Parsed<OriginGlob>>>,
    pub(super) command: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "a table")]
pub(crate) struct MayTable {
    pub(super) see_env: Vec<Parsed<Glob>>,
    pub(super) set_env: Vec<Parsed<Glob>>,
    pub(super) unset_env: Vec<Parsed<Glob>>,
    pub(super) command: bool,
    pub(super) cwd: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "a table")]
pub(crate) struct HookLimitsTable {
    pub(super) cpu: Given<Positive<Duration>>,
    pub(super) wall: Given<Positive<Duration>>,
    pub(super) memory: Given<Positive<Size>>,
    pub(super) profile: Given<Profile>,
}

fn inherit<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Inherit>, D::Error> {
    deserializer.deserialize_any(InheritVisitor).map(Some)
}

struct InheritVisitor;

impl<'de> Visitor<'de> for InheritVisitor {
    type Value = Inherit;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`core`, `all` or a list of names of variables with `*` and `?`")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Inherit, E> {
        match text {
            "core" => Ok(Inherit::Core),
            "all" => Ok(Inherit::All),
            other => Err(E::invalid_value(Unexpected::Str(other), &self)),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, globs: A) -> Result<Inherit, A::Error> {
        let globs = Vec::<Parsed<Glob>>::deserialize(SeqAccessDeserializer::new(globs))?;
        Ok(Inherit::Globs(names(globs)))
    }
}

fn hooks<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<HookTable>, D::Error> {
    deserializer.deserialize_any(HooksVisitor)
}

struct HooksVisitor;

impl<'de> Visitor<'de> for HooksVisitor {
    type Value = Vec<HookTable>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of tables, each under the header `[[hook]]`")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, hooks: A) -> Result<Self::Value, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(hooks))
    }
}

/// The texts of globs.
pub(super) fn names(globs: Vec<Parsed<Glob>>) -> Vec<String> {
    globs.into_iter().map(|Parsed(Glob(glob))| glob).collect()
}
