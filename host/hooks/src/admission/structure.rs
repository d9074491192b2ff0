use wasmparser::{ComponentInstance, Instance, Parser, Payload, Validator};
use wasmtime::component::Component;

use super::LoadFault;
use crate::limits::{INSTANCES, MEMORIES, TABLES};
use crate::text::{SHOWN_BYTES, one_line};

/// Instances that nested components may multiply to. Composition tools nest two or three levels
/// with a handful each; the compiler writes every one of them out.
const EXPANSION: u64 = 4096;

/// Checks that a component is well-formed and not made to keep the compiler busy.
///
/// The compiler checks as it goes, so that it works on parts of a file whose rest may be
/// malformed; a whole check before it starts keeps it from that.
pub(super) fn check(bytes: &[u8]) -> Result<(), LoadFault> {
    Validator::new().validate_all(bytes).map_err(invalid)?;
    let mut parts = Parts::default();
    for payload in Parser::new(0).parse_all(bytes) {
        parts.count(&payload.map_err(invalid)?).map_err(invalid)?;
    }
    at_most("core instances", parts.core_instances, INSTANCES as u64)?;
    at_most("instances of nested components", parts.expansion, EXPANSION)
}

/// Checks what the compiler found the component to need.
pub(super) fn check_resources(component: &Component) -> Result<(), LoadFault> {
    let Some(required) = component.resources_required() else {
        return Err(LoadFault::Invalid(
            "it instantiates a module that it imports; build it as one component".to_owned(),
        ));
    };
    at_most("memories", required.num_memories.into(), MEMORIES as u64)?;
    at_most("tables", required.num_tables.into(), TABLES as u64)
}

/// What a component is made of, its nested components included.
#[derive(Debug)]
struct Parts {
    core_instances: u64,
    /// An upper bound of the instances of components: a chain of nested ones multiplies.
    expansion: u64,
    /// Component instances in each component that is being read, the outermost first.
    open: Vec<u64>,
}

impl Default for Parts {
    fn default() -> Self {
        Self {
            core_instances: 0,
            expansion: 1,
            open: Vec::new(),
        }
    }
}

impl Parts {
    fn count(&mut self, payload: &Payload<'_>) -> wasmparser::Result<()> {
        match payload {
            Payload::Version { .. } => self.open.push(0),
            Payload::InstanceSection(section) => {
                for instance in section.clone() {
                    self.core_instances +=
                        u64::from(matches!(instance?, Instance::Instantiate { .. }));
                }
            }
            Payload::ComponentInstanceSection(section) => {
                for instance in section.clone() {
                    let nested = matches!(instance?, ComponentInstance::Instantiate { .. });
                    if let Some(open) = self.open.last_mut() {
                        *open += u64::from(nested);
                    }
                }
            }
            Payload::End(_) => {
                let instances = self.open.pop().unwrap_or(0);
                self.expansion = self.expansion.saturating_mul(instances + 1);
            }
            _ => {}
        }
        Ok(())
    }
}

fn at_most(part: &'static str, count: u64, limit: u64) -> Result<(), LoadFault> {
    if count > limit {
        return Err(LoadFault::TooManyParts { part, count, limit });
    }
    Ok(())
}

fn invalid(error: wasmparser::BinaryReaderError) -> LoadFault {
    LoadFault::Invalid(one_line(&error.to_string(), SHOWN_BYTES))
}
