//! The generated halves of the two worlds. Not part of the interface of this crate: the export
//! macros need to reach it from the hook's own crate.
//!
//! `audit-plugin` is what `spawn-plugin` has and more, and two worlds that export the same
//! interface can't be generated in one crate. So the second world generated here is the
//! difference, and an audit hook exports both.

pub mod spawn {
    wit_bindgen::generate!({
        path: "../../wit",
        world: "spawn-plugin",
        additional_derives: [PartialEq, Eq],
        generate_unused_types: true,
        pub_export_macro: true,
        export_macro_name: "export_spawn_plugin",
        default_bindings_module: "spawnhook_sdk::bindings::spawn",
    });
}

pub mod audit {
    wit_bindgen::generate!({
        path: "../../wit",
        inline: "
            package spawnhook:sdk;

            world audit-difference {
                import spawnhook:hook/exit@0.1.0;
                import spawnhook:hook/audit-log@0.1.0;
                export spawnhook:hook/exit-hook@0.1.0;
            }
        ",
        world: "spawnhook:sdk/audit-difference",
        generate_all,
        with: { "spawnhook:hook/types@0.1.0": crate::bindings::spawn::spawnhook::hook::types },
        pub_export_macro: true,
        export_macro_name: "export_audit_difference",
        default_bindings_module: "spawnhook_sdk::bindings::audit",
    });
}
