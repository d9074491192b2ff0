use wasmtime::Engine;
use wasmtime::component::InstancePre;
use wasmtime::component::types::{self, ComponentInstance, ComponentItem};

use super::LoadFault;
use super::imports::function_problems;
use crate::call::{CallState, ExitHookIndices, SettingsIndices, SpawnHookIndices};
use crate::hook::Exports;
use crate::interfaces::{EXIT_HOOK, Interface, Name, PACKAGE, SETTINGS, SPAWN_HOOK, VERSION};

/// Finds what a component exports of our package, once its types were compared.
pub(super) fn find(
    engine: &Engine,
    component: &InstancePre<CallState>,
) -> Result<Exports, LoadFault> {
    let ty = component.component().component_type();
    let has = |interface: &Interface| check(engine, &ty, interface);
    if !has(&SPAWN_HOOK)? {
        return Err(missing(engine, &ty));
    }
    let found = |error: wasmtime::Error| LoadFault::Exports(format!("{error:#}"));
    let wants_exit = has(&EXIT_HOOK)?;
    let has_settings = has(&SETTINGS)?;
    Ok(Exports {
        spawn_hook: SpawnHookIndices::new(component).map_err(found)?,
        exit_hook: wants_exit
            .then(|| ExitHookIndices::new(component))
            .transpose()
            .map_err(found)?,
        settings: has_settings
            .then(|| SettingsIndices::new(component))
            .transpose()
            .map_err(found)?,
    })
}

/// Whether a component exports an interface, with the types that it has.
pub(crate) fn check(
    engine: &Engine,
    ty: &types::Component,
    interface: &Interface,
) -> Result<bool, LoadFault> {
    let exported = ty.exports(engine).find(|(name, _)| {
        Name::parse(name)
            .is_some_and(|name| name.package == PACKAGE && name.interface == interface.name)
    });
    let Some((name, export)) = exported else {
        return Ok(false);
    };
    if !Name::parse(name).is_some_and(|name| name.is_supported()) {
        return Err(LoadFault::Exports(format!(
            "exports {name}, but this host supports {}: build the hook against version {VERSION}",
            interface.id()
        )));
    }
    match &export.ty {
        ComponentItem::ComponentInstance(instance) => {
            compare(engine, name, interface, instance).map(|()| true)
        }
        _ => Err(LoadFault::Exports(format!(
            "exports {name}, but not as an interface"
        ))),
    }
}

fn compare(
    engine: &Engine,
    name: &str,
    interface: &Interface,
    instance: &ComponentInstance,
) -> Result<(), LoadFault> {
    for (function, expected) in interface.functions {
        if instance.get_export(engine, function).is_none() {
            return Err(LoadFault::Exports(format!(
                "exports {name} without {function}: {expected}"
            )));
        }
    }
    let of_ours = |problem: &String| {
        let known = interface.functions.iter();
        known
            .map(|(function, _)| format!("{name}#{function} "))
            .any(|start| problem.starts_with(&start))
    };
    let problems = function_problems(engine, name, interface, instance);
    match problems.into_iter().find(of_ours) {
        Some(problem) => Err(LoadFault::Exports(format!("exports {problem}"))),
        None => Ok(()),
    }
}

fn missing(engine: &Engine, ty: &types::Component) -> LoadFault {
    let names: Vec<_> = ty.exports(engine).map(|(name, _)| name).collect();
    let exported = if names.is_empty() {
        "nothing".to_owned()
    } else {
        names.join(", ")
    };
    LoadFault::Exports(format!(
        "does not export {}, which every hook does; it exports {exported}",
        SPAWN_HOOK.id()
    ))
}
