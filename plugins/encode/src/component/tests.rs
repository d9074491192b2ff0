use insta::assert_snapshot;

use super::*;

const WIT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../wit");

fn checked(text: &str) -> Result<Vec<String>, String> {
    let component = wat::parse_str(text).expect("the text is a component");
    check(Path::new("hook.wasm"), &component, Path::new(WIT)).map_err(|error| error.to_string())
}

#[test]
fn a_component_that_imports_wasi_is_refused_by_the_name_of_the_import() {
    let error = checked(
        r#"(component
            (import "spawnhook:hook/log@0.1.0" (instance))
            (import "wasi:cli/environment@0.2.3" (instance)))"#,
    );
    assert_snapshot!(error.unwrap_err(), @r#"hook.wasm imports "wasi:cli/environment@0.2.3", expected nothing outside spawnhook:hook/*; build it without WASI"#);
}

#[test]
fn imports_of_a_component_inside_are_its_own_affair() {
    let component = wat::parse_str(
        r#"(component
            (import "spawnhook:hook/log@0.1.0" (instance))
            (component (import "inside" (instance)))
            (core module (import "core" "function" (func))))"#,
    )
    .expect("the text is a component");
    assert_eq!(imports(&component).unwrap(), ["spawnhook:hook/log@0.1.0"]);
}

#[test]
fn a_component_without_the_exports_of_a_hook_fits_no_world() {
    assert_snapshot!(checked("(component)").unwrap_err(), @"hook.wasm fits none of the worlds spawn-plugin, audit-plugin");
}

#[test]
fn what_is_no_module_is_named() {
    let error = encode(
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")),
        Path::new("never-written.wasm"),
        Path::new(WIT),
    )
    .unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("Cargo.toml can't be encoded as a component"),
        "{error}"
    );
    assert!(error.source().is_some());
    assert!(!Path::new("never-written.wasm").exists());
}

#[test]
fn a_module_that_is_missing_is_named() {
    let error = encode(
        Path::new("missing.wasm"),
        Path::new("never.wasm"),
        Path::new(WIT),
    );
    assert_snapshot!(error.unwrap_err(), @"missing.wasm can't be read");
}
