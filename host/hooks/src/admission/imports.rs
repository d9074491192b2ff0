use spawnhook_model::Stage;
use wasmtime::Engine;
use wasmtime::component::Component;
use wasmtime::component::types::{ComponentInstance, ComponentItem};

use super::LoadFault;
use crate::ImportStatus;
use crate::interfaces::{IMPORTS, Interface, Name, PACKAGE, VERSION, signature};

/// Checks that everything a component imports is offered in its stage.
pub(super) fn check(engine: &Engine, component: &Component, stage: Stage) -> Result<(), LoadFault> {
    let ty = component.component_type();
    let problems: Vec<_> = ty
        .imports(engine)
        .flat_map(|(name, import)| problems(engine, name, &import.ty, stage))
        .collect();
    if problems.is_empty() {
        Ok(())
    } else {
        Err(LoadFault::Imports(problems))
    }
}

/// Whether a component asks for any part of WASI.
pub(super) fn include_wasi(engine: &Engine, component: &Component) -> bool {
    let ty = component.component_type();
    let mut names = ty.imports(engine).map(|(name, _)| name);
    names.any(|name| Name::parse(name).is_some_and(|name| name.is_wasi()))
}

/// Whether an interface is offered, by its name alone.
pub(crate) fn status(name: &str) -> ImportStatus {
    match Name::parse(name) {
        Some(parsed) if parsed.is_wasi() => ImportStatus::Powerless,
        Some(parsed) if parsed.is_supported() => match find(parsed.interface) {
            Some(interface) if interface.audit_only => ImportStatus::NeedsStageAudit,
            Some(_) => ImportStatus::Offered,
            None if parsed.interface == "types" => ImportStatus::Offered,
            None => ImportStatus::Refused,
        },
        _ => ImportStatus::Refused,
    }
}

fn problems(engine: &Engine, name: &str, item: &ComponentItem, stage: Stage) -> Vec<String> {
    match (status(name), item) {
        (ImportStatus::NeedsStageAudit, _) if stage != Stage::Audit => vec![format!(
            "{name} is offered in stage audit alone, and this hook stands in stage {stage}"
        )],
        (
            ImportStatus::Offered | ImportStatus::NeedsStageAudit,
            ComponentItem::ComponentInstance(instance),
        ) => Name::parse(name)
            .and_then(|parsed| find(parsed.interface))
            .map(|interface| function_problems(engine, name, &interface, instance))
            .unwrap_or_default(),
        (ImportStatus::Powerless, ComponentItem::ComponentInstance(_)) => Vec::new(),
        _ => vec![refusal(engine, name, item)],
    }
}

/// The functions of an interface that are not offered as the component wants them.
pub(super) fn function_problems(
    engine: &Engine,
    name: &str,
    interface: &Interface,
    instance: &ComponentInstance,
) -> Vec<String> {
    let functions = instance.exports(engine).filter_map(|(function, item)| {
        let ComponentItem::ComponentFunc(ty) = item.ty else {
            return None;
        };
        Some((function.to_owned(), signature(&ty)))
    });
    functions
        .filter_map(|(function, found)| {
            let offered = interface.functions;
            match offered.iter().find(|(name, _)| *name == function) {
                None => Some(format!(
                    "{name}#{function} is not offered; the interface has {}",
                    list(offered.iter().map(|(name, _)| *name))
                )),
                Some((_, expected)) if *expected != found => Some(format!(
                    "{name}#{function} has the wrong type: expected {expected}, found {found}"
                )),
                Some(_) => None,
            }
        })
        .collect()
}

fn refusal(engine: &Engine, name: &str, item: &ComponentItem) -> String {
    let reason = match Name::parse(name) {
        Some(Name {
            package: PACKAGE,
            version,
            ..
        }) if !Name::parse(name).is_some_and(|name| name.is_supported()) => {
            format!("version {version} is not supported, this host has {VERSION}")
        }
        Some(Name {
            package: PACKAGE, ..
        }) => format!(
            "there is no such interface, only {}",
            list(IMPORTS.iter().map(|interface| interface.name))
        ),
        _ => format!(
            "offered are {PACKAGE}@{VERSION}, and with nothing behind them wasi:cli, wasi:clocks, \
             wasi:filesystem, wasi:io, wasi:random and wasi:sockets in version 0.2"
        ),
    };
    match wanted(engine, item) {
        Some(functions) => format!("{name} (for {functions}): {reason}"),
        None => format!("{name}: {reason}"),
    }
}

/// The functions that are wanted of an import.
fn wanted(engine: &Engine, item: &ComponentItem) -> Option<String> {
    let ComponentItem::ComponentInstance(instance) = item else {
        return None;
    };
    let names = functions(engine, instance);
    (!names.is_empty()).then(|| list(names.iter().map(String::as_str)))
}

/// The names of an instance's functions.
pub(crate) fn functions(engine: &Engine, instance: &ComponentInstance) -> Vec<String> {
    instance
        .exports(engine)
        .filter(|(_, item)| matches!(item.ty, ComponentItem::ComponentFunc(_)))
        .map(|(name, _)| name.to_owned())
        .collect()
}

fn find(interface: &str) -> Option<Interface> {
    IMPORTS
        .into_iter()
        .find(|offered| offered.name == interface)
}

fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}
