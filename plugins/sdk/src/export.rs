//! What the export macros expand to. Not part of the interface of this crate.

use std::{cell::OnceCell, panic, sync::Once};

use crate::{Settings, log, settings};

/// The one hook of a component, from its `configure` on.
pub struct Instance<Hook>(OnceCell<Hook>);

impl<Hook: Default> Instance<Hook> {
    #[must_use]
    pub const fn new() -> Self {
        Self(OnceCell::new())
    }

    pub fn configure(
        &self,
        text: &str,
        configure: impl FnOnce(&mut Hook, &mut Settings<'_>),
    ) -> Result<(), Vec<String>> {
        report_panics();
        let mut hook = Hook::default();
        settings::read(text, |settings| configure(&mut hook, settings))?;
        if self.0.set(hook).is_err() {
            return Err(vec!["settings: expected to be handed over once".to_owned()]);
        }
        Ok(())
    }

    /// # Panics
    ///
    /// If the host calls a hook before it has handed over the settings. A hook that ran without
    /// them would let pass what it was told to stop.
    pub fn with<Output>(&self, run: impl FnOnce(&Hook) -> Output) -> Output {
        report_panics();
        run(self
            .0
            .get()
            .expect("invariant: the host calls `configure` first"))
    }
}

impl<Hook: Default> Default for Instance<Hook> {
    fn default() -> Self {
        Self::new()
    }
}

/// A trap tells the host nothing but an address. In a native build there is no host to be told.
fn report_panics() {
    static ONCE: Once = Once::new();
    if cfg!(not(target_arch = "wasm32")) {
        return;
    }
    ONCE.call_once(|| panic::set_hook(Box::new(|panic| log::error(panic.to_string()))));
}

/// Exports a type that implements [`SpawnHook`](crate::SpawnHook) as the hook of this component.
#[macro_export]
macro_rules! export_spawn_hook {
    ($hook:ty) => {
        $crate::__export_hook!($hook, $crate::SpawnHook, |hook: &$hook, spawn| {
            $crate::SpawnHook::before_spawn(hook, spawn)
        });

        #[cfg(target_arch = "wasm32")]
        $crate::bindings::spawn::export_spawn_plugin!(
            __SpawnhookComponent with_types_in $crate::bindings::spawn
        );
    };
}

/// Exports a type that implements [`AuditHook`](crate::AuditHook) as the hook of this component.
#[macro_export]
macro_rules! export_audit_hook {
    ($hook:ty) => {
        $crate::__export_hook!(
            $hook,
            $crate::AuditHook,
            |hook: &$hook, spawn: $crate::SpawnContext| {
                // A refusal would say that the command is to blame.
                if let ::core::result::Result::Err(reason) =
                    $crate::AuditHook::before_spawn(hook, &spawn)
                {
                    ::core::panic!("{reason}");
                }
                ::core::result::Result::Ok(spawn)
            }
        );

        impl $crate::bindings::audit::exports::spawnhook::hook::exit_hook::Guest
            for __SpawnhookComponent
        {
            fn after_exit(
                spawn: $crate::SpawnContext,
                status: $crate::ExitStatus,
            ) -> ::core::result::Result<(), ::std::string::String> {
                __SPAWNHOOK_INSTANCE.with(|instance| {
                    instance
                        .with(|hook: &$hook| $crate::AuditHook::after_exit(hook, &spawn, &status))
                })
            }
        }

        #[cfg(target_arch = "wasm32")]
        $crate::bindings::spawn::export_spawn_plugin!(
            __SpawnhookComponent with_types_in $crate::bindings::spawn
        );
        #[cfg(target_arch = "wasm32")]
        $crate::bindings::audit::export_audit_difference!(
            __SpawnhookComponent with_types_in $crate::bindings::audit
        );
    };
}

/// The part that both kinds of hook share.
#[doc(hidden)]
#[macro_export]
macro_rules! __export_hook {
    ($hook:ty, $kind:path, $before_spawn:expr) => {
        ::std::thread_local! {
            static __SPAWNHOOK_INSTANCE: $crate::export::Instance<$hook> =
                const { $crate::export::Instance::new() };
        }

        struct __SpawnhookComponent;

        // A native build, as for unit tests, has nobody else to call it.
        #[cfg(not(target_arch = "wasm32"))]
        const _: fn($crate::SpawnContext) -> ::core::result::Result<$crate::SpawnContext, $crate::Refusal> =
            <__SpawnhookComponent as $crate::bindings::spawn::exports::spawnhook::hook::spawn_hook::Guest>::before_spawn;

        impl $crate::bindings::spawn::exports::spawnhook::hook::settings::Guest
            for __SpawnhookComponent
        {
            fn configure(
                settings: ::std::string::String,
            ) -> ::core::result::Result<(), ::std::vec::Vec<::std::string::String>> {
                __SPAWNHOOK_INSTANCE.with(|instance| {
                    instance.configure(&settings, |hook, settings| {
                        <$hook as $kind>::configure(hook, settings);
                    })
                })
            }
        }

        impl $crate::bindings::spawn::exports::spawnhook::hook::spawn_hook::Guest
            for __SpawnhookComponent
        {
            fn before_spawn(
                spawn: $crate::SpawnContext,
            ) -> ::core::result::Result<$crate::SpawnContext, $crate::Refusal> {
                __SPAWNHOOK_INSTANCE
                    .with(|instance| instance.with(|hook| ($before_spawn)(hook, spawn)))
            }
        }
    };
}
