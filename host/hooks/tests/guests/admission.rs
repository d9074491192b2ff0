use std::path::Path;

use proptest::prelude::*;
use spawnhook_hooks::{
    Chain, EngineOptions, FileKind, HookEngine, HookLoadError, HookSpec, ImportStatus,
};
use spawnhook_model::Stage;

use crate::support::Guest;

fn refused(change: impl FnOnce(&mut HookSpec)) -> HookLoadError {
    let mut spec = Guest::named("good").spec();
    spec.origin = "good.wasm".to_owned();
    change(&mut spec);
    HookEngine::new().unwrap().load(spec).unwrap_err()
}

#[test]
fn a_file_that_is_too_large_is_refused() {
    insta::assert_snapshot!(
        refused(|spec| spec.limits.component_bytes = 100),
        @r#"hook `good` (good.wasm): the component has 654 bytes; the limit is 100: build it for size, or, if it carries an interpreter, set limits.profile = "interpreted""#
    );
}

#[test]
fn a_file_that_is_not_the_pinned_one_is_refused() {
    let digest = "0123456789abcdef".repeat(4);
    let error = refused(|spec| spec.sha256 = Some(digest.clone())).to_string();
    let mut engine_spec = Guest::named("good").spec();
    engine_spec.sha256 = None;
    let hook = HookEngine::new().unwrap().load(engine_spec).unwrap();
    assert_eq!(
        error,
        format!(
            "hook `good` (good.wasm): the component has the SHA-256 {}, but {digest} is pinned: \
             restore the file, or pin the new one if the change is meant",
            hook.sha256()
        )
    );
    let mut pinned = Guest::named("good").spec();
    pinned.sha256 = Some(hook.sha256().to_ascii_uppercase());
    HookEngine::new().unwrap().load(pinned).unwrap();
}

#[test]
fn a_digest_that_is_none_is_refused() {
    insta::assert_snapshot!(refused(|spec| spec.sha256 = Some("abc\n".to_owned())), @r#"hook `good` (good.wasm): sha256 = "abc\n" is not a SHA-256: write its 64 hex digits"#);
}

#[test]
fn a_file_that_is_no_webassembly_is_refused() {
    insta::assert_snapshot!(refused(|spec| spec.component = b"echo hello\n".as_slice().into()), @r#"hook `good` (good.wasm): this is not WebAssembly: it starts with "echo hello\n", where a component has "\0asm""#);
    insta::assert_snapshot!(refused(|spec| spec.component = b"".as_slice().into()), @r#"hook `good` (good.wasm): this is not WebAssembly: it starts with "", where a component has "\0asm""#);
}

#[test]
fn a_file_that_ends_early_is_refused() {
    let error = refused(|spec| spec.component.truncate(200));
    assert_eq!(error.fault.name(), "invalid");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn a_damaged_file_is_an_error_and_never_a_panic(
        at in any::<prop::sample::Index>(),
        byte: u8,
    ) {
        let mut spec = Guest::named("good").spec();
        let mut bytes = spec.component.to_vec();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        spec.component = bytes.into();
        match HookEngine::new().unwrap().load(spec) {
            Ok(hook) => prop_assert_eq!(hook.name(), "good"),
            Err(error) => prop_assert!(error.to_string().starts_with("hook `good`")),
        }
    }
}

#[test]
fn machine_code_is_refused() {
    let mut config = wasmtime::Config::new();
    config.wasm_component_model(true);
    let engine = wasmtime::Engine::new(&config).unwrap();
    let artifact = engine.precompile_component(b"\0asm\x0d\0\x01\0").unwrap();
    insta::assert_snapshot!(refused(|spec| spec.component = artifact.into()), @r#"hook `good` (good.wasm): this is a precompiled artifact, which could do anything: give the component that it was made from"#);
}

#[test]
fn settings_that_are_no_object_are_refused() {
    insta::assert_snapshot!(refused(|spec| spec.settings = "[1]".to_owned()), @r#"hook `good` (good.wasm): the settings are not the text of a JSON object: found an array"#);
    insta::assert_snapshot!(refused(|spec| spec.settings = "{".to_owned()), @r#"hook `good` (good.wasm): the settings are not the text of a JSON object: EOF while parsing an object at line 1 column 1"#);
}

#[test]
fn two_hooks_of_one_name_make_no_chain() {
    let engine = HookEngine::new().unwrap();
    let hook = engine.load(Guest::named("good").spec()).unwrap();
    insta::assert_snapshot!(Chain::new(vec![hook.clone(), hook]).unwrap_err(), @r#"two hooks are named `good`: give one of them another name"#);
}

#[test]
fn hooks_are_called_stage_by_stage() {
    let engine = HookEngine::new().unwrap();
    let load = |name: &str| engine.load(Guest::named(name).spec()).unwrap();
    let hooks = ["audit-records", "good-guard", "good"].map(load).to_vec();
    let chain = Chain::new(hooks).unwrap();
    let stages: Vec<_> = chain.hooks().iter().map(|hook| hook.stage()).collect();
    assert_eq!(stages, Stage::ALL);
}

#[test]
fn a_file_tells_what_it_wants() {
    let engine = HookEngine::new().unwrap();
    let inspect = |name: &str| {
        engine
            .inspect(&Guest::named(name).spec().component)
            .unwrap()
    };
    let status = |name: &str, import: &str| {
        let imports = inspect(name).imports;
        let found = imports
            .into_iter()
            .find(|found| found.name.contains(import));
        let found = found.unwrap();
        (found.status, found.functions.join(" "))
    };
    let good = inspect("good");
    assert_eq!(good.kind, FileKind::Component);
    assert_eq!(good.worlds, ["spawn-plugin", "audit-plugin"]);
    assert_eq!(good.exports, ["spawnhook:hook/spawn-hook@0.1.0"]);
    assert_eq!(inspect("audit-records").worlds, ["audit-plugin"]);
    assert_eq!(
        status("audit-records", "audit-log"),
        (ImportStatus::NeedsStageAudit, "append".to_owned())
    );
    assert_eq!(
        status("panics", "hook/log"),
        (ImportStatus::Offered, "write".to_owned())
    );
    assert_eq!(
        status("exits", "wasi:cli/exit"),
        (ImportStatus::Powerless, "exit".to_owned())
    );
    assert_eq!(
        status("imports-http", "wasi:http"),
        (ImportStatus::Refused, "send".to_owned())
    );
    assert!(inspect("imports-http").worlds.is_empty());
    assert_eq!(inspect("core-module").kind, FileKind::CoreModule);
    assert_eq!(engine.inspect(b"hello").unwrap().kind, FileKind::Other);
    assert!(engine.inspect(b"\0asm\x0d\0\x01\0broken").is_err());
}

/// A component in a component, and so on.
fn nested(depth: usize) -> Vec<u8> {
    const HEADER: &[u8] = b"\0asm\x0d\0\x01\0";
    let mut component = HEADER.to_vec();
    for _ in 0..depth {
        let mut outer = HEADER.to_vec();
        outer.push(4); // the number of sections that hold a component
        let mut length = component.len();
        while length >= 0x80 {
            outer.push(u8::try_from(length & 0x7f).unwrap() | 0x80);
            length >>= 7;
        }
        outer.push(u8::try_from(length).unwrap());
        outer.append(&mut component);
        component = outer;
    }
    component
}

#[test]
fn components_that_are_nested_deep_are_refused() {
    for (depth, fault) in [(100, "exports"), (10_000, "invalid")] {
        let error = refused(|spec| spec.component = nested(depth).into());
        assert_eq!(error.fault.name(), fault, "{error}");
    }
}

/// The marks in a cache, which say what was accepted.
fn marks(cache: &Path) -> usize {
    let entries = std::fs::read_dir(cache).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .filter(|path| path.extension().is_some_and(|found| found == "mark"))
        .count()
}

#[test]
fn settings_are_tried_once_and_only_good_ones_are_remembered() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache");
    let file = "../../plugins/dist/command-rewrite.wasm";
    let component = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap();
    let load = |settings: &str, secret: bool| {
        let engine = HookEngine::with(EngineOptions {
            cache: Some(cache.clone()),
            ..EngineOptions::default()
        });
        let mut spec = HookSpec::new("rewrite", Stage::Rewrite, component.clone());
        settings.clone_into(&mut spec.settings);
        spec.secret_settings = secret;
        engine.unwrap().load(spec).map(drop)
    };
    for _ in 0..2 {
        assert!(load(r#"{"prepend": ["set -e"]}"#, false).is_ok());
        assert!(load(r#"{"prepend": 5}"#, false).is_err());
        assert!(load(r#"{"prepend": ["set -u"]}"#, true).is_ok());
        assert_eq!(marks(&cache), 1);
    }
}

#[test]
fn of_hooks_that_are_loaded_together_the_first_that_cannot_be_is_told() {
    let engine = HookEngine::new().unwrap();
    let spec = |name: &str, file: &[u8]| HookSpec::new(name, Stage::Guard, file.to_vec());
    let good = Guest::named("good").component;
    let loaded = |specs| {
        let hooks = engine.load_all(specs).map_err(|error| error.hook)?;
        Ok(hooks
            .iter()
            .map(|hook| hook.name().to_owned())
            .collect::<Vec<_>>())
    };
    let names = ["a", "b", "c", "d", "e"];
    let specs = names.map(|name| spec(name, &good));
    assert_eq!(
        loaded(specs.to_vec()),
        Ok(names.map(str::to_owned).to_vec())
    );
    assert_eq!(loaded(Vec::new()), Ok(Vec::new()));
    let mut specs = specs.to_vec();
    specs[1] = spec("b", b"no component");
    specs[3] = spec("d", b"");
    assert_eq!(loaded(specs), Err("b".to_owned()));
}
