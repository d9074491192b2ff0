use std::path::Path;

use wit_parser::{Docs, Function, Resolve, Type, TypeDefKind, TypeId};

use super::*;

fn package() -> Resolve {
    let mut resolve = Resolve::default();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../wit");
    resolve.push_dir(folder).unwrap();
    resolve
}

#[test]
fn the_package_is_the_one_that_is_offered() {
    let resolve = package();
    let names: Vec<_> = resolve
        .packages
        .iter()
        .map(|(_, package)| package.name.to_string())
        .collect();
    assert_eq!(names, [format!("{PACKAGE}@{VERSION}")]);
}

#[test]
fn the_table_of_functions_is_that_of_the_package() {
    let resolve = package();
    let ours = IMPORTS.iter().chain([&SPAWN_HOOK, &EXIT_HOOK, &SETTINGS]);
    let mut names: Vec<_> = ours.clone().map(|interface| interface.name).collect();
    for interface in ours {
        let (_, found) = resolve
            .interfaces
            .iter()
            .find(|(_, found)| found.name.as_deref() == Some(interface.name))
            .unwrap();
        let found: Vec<_> = found
            .functions
            .iter()
            .map(|(name, function)| (name.as_str(), function_text(&resolve, function)))
            .collect();
        let table: Vec<_> = interface
            .functions
            .iter()
            .map(|(name, text)| (*name, (*text).to_owned()))
            .collect();
        assert_eq!(table, found, "{}", interface.name);
    }
    names.push("types");
    names.sort_unstable();
    let mut all: Vec<_> = resolve
        .interfaces
        .iter()
        .map(|(_, interface)| interface.name.as_deref().unwrap())
        .collect();
    all.sort_unstable();
    assert_eq!(names, all);
}

#[test]
fn everything_in_the_package_is_documented() {
    let resolve = package();
    let mut missing = Vec::new();
    let mut need = |docs: &Docs, name: String| {
        if docs
            .contents
            .as_deref()
            .unwrap_or_default()
            .trim()
            .is_empty()
        {
            missing.push(name);
        }
    };
    for (_, package) in &resolve.packages {
        need(&package.docs, package.name.to_string());
    }
    for (_, world) in &resolve.worlds {
        need(&world.docs, world.name.clone());
    }
    for (_, interface) in &resolve.interfaces {
        let name = interface.name.clone().unwrap();
        need(&interface.docs, name.clone());
        for (function, item) in &interface.functions {
            need(&item.docs, format!("{name}#{function}"));
        }
    }
    for (_, ty) in &resolve.types {
        let Some(name) = &ty.name else { continue };
        if !matches!(ty.kind, TypeDefKind::Type(_)) {
            need(&ty.docs, name.clone());
        }
        for (member, docs) in members(&ty.kind) {
            need(docs, format!("{name}.{member}"));
        }
    }
    assert!(missing.is_empty(), "no documentation: {missing:?}");
}

fn members(kind: &TypeDefKind) -> Vec<(&str, &Docs)> {
    match kind {
        TypeDefKind::Record(record) => {
            let fields = record.fields.iter();
            fields
                .map(|field| (field.name.as_str(), &field.docs))
                .collect()
        }
        TypeDefKind::Variant(variant) => {
            let cases = variant.cases.iter();
            cases.map(|case| (case.name.as_str(), &case.docs)).collect()
        }
        TypeDefKind::Enum(names) => {
            let cases = names.cases.iter();
            cases.map(|case| (case.name.as_str(), &case.docs)).collect()
        }
        _ => Vec::new(),
    }
}

fn function_text(resolve: &Resolve, function: &Function) -> String {
    let params: Vec<_> = function
        .params
        .iter()
        .map(|param| type_text(resolve, &param.ty))
        .collect();
    let params = params.join(", ");
    match &function.result {
        Some(result) => format!("func({params}) -> {}", type_text(resolve, result)),
        None => format!("func({params})"),
    }
}

fn type_text(resolve: &Resolve, ty: &Type) -> String {
    match ty {
        Type::Id(id) => named_text(resolve, *id),
        Type::Bool => "bool".to_owned(),
        Type::S32 => "s32".to_owned(),
        Type::U32 => "u32".to_owned(),
        Type::U64 => "u64".to_owned(),
        Type::String => "string".to_owned(),
        other => panic!("the package has no {other:?} so far"),
    }
}

fn named_text(resolve: &Resolve, id: TypeId) -> String {
    let text = |ty: &Type| type_text(resolve, ty);
    let braces = |kind: &str, items: Vec<String>| format!("{kind} {{ {} }}", items.join(", "));
    match &resolve.types[id].kind {
        TypeDefKind::Type(ty) => text(ty),
        TypeDefKind::List(ty) => format!("list<{}>", text(ty)),
        TypeDefKind::Option(ty) => format!("option<{}>", text(ty)),
        TypeDefKind::Tuple(tuple) => {
            let types: Vec<_> = tuple.types.iter().map(text).collect();
            format!("tuple<{}>", types.join(", "))
        }
        TypeDefKind::Result(result) => {
            let part = |ty: &Option<Type>| ty.as_ref().map_or("_".to_owned(), text);
            format!("result<{}, {}>", part(&result.ok), part(&result.err))
        }
        TypeDefKind::Record(record) => {
            let fields = record.fields.iter();
            let fields = fields.map(|field| format!("{}: {}", field.name, text(&field.ty)));
            braces("record", fields.collect())
        }
        TypeDefKind::Variant(variant) => {
            let cases = variant.cases.iter().map(|case| match &case.ty {
                Some(ty) => format!("{}({})", case.name, text(ty)),
                None => case.name.clone(),
            });
            braces("variant", cases.collect())
        }
        TypeDefKind::Enum(names) => {
            let cases = names.cases.iter().map(|case| case.name.clone());
            braces("enum", cases.collect())
        }
        other => panic!("the package has no {other:?} so far"),
    }
}

#[test]
fn names_are_taken_apart_and_versions_matched() {
    let name = Name::parse("spawnhook:hook/call@0.1.7").unwrap();
    assert_eq!((name.interface, name.version), ("call", "0.1.7"));
    assert!(name.is_supported());
    for other in [
        "spawnhook:hook/call",
        "spawnhook:hook/call@0.1",
        "spawnhook:hook/call@0.2.0",
        "spawnhook:hook/call@0.1.0-rc.1",
        "spawnhook:hooks/call@0.1.0",
    ] {
        assert!(!Name::parse(other).unwrap().is_supported(), "{other}");
    }
    assert!(Name::parse("wasi:cli/exit@0.2.12").unwrap().is_wasi());
    for other in [
        "wasi:cli/exit@0.3.0",
        "wasi:http/types@0.2.0",
        "wasi:cli/exit",
    ] {
        assert!(!Name::parse(other).unwrap().is_wasi(), "{other}");
    }
    assert_eq!(Name::parse("run"), None);
}
