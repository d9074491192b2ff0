//! A component as an instance of it is once it has read its settings.
//!
//! Reading settings is the same work in every call; what comes of it is state in memories and
//! globals. The snapshot is a component whose instances begin with that state.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use wasmtime::Store;
use wasmtime::component::{ComponentNamedList, Instance, Lift, WasmList};
use wasmtime_wizer::{ComponentContext, ComponentInstanceState, Wizer};

use crate::call::{CallState, Visit};

/// A component that was prepared for a snapshot.
pub(crate) struct Prepared<'a> {
    wizer: Wizer,
    context: ComponentContext<'a>,
    /// The same component, with ways to look into its instances.
    pub(crate) component: Vec<u8>,
}

/// Prepares a component.
///
/// # Errors
///
/// If it has a form of which there is no snapshot: nested components, modules that are
/// instantiated twice, instructions that change tables.
pub(crate) fn prepare(component: &[u8]) -> wasmtime::Result<Prepared<'_>> {
    let wizer = Wizer::new();
    let (context, component) = wizer.instrument_component(component)?;
    Ok(Prepared {
        wizer,
        context,
        component,
    })
}

/// The component whose instances begin as the one of this visit stands now; none if what it knows
/// is more than its settings.
pub(crate) fn take(prepared: &Prepared<'_>, mut visit: Visit<'_>) -> wasmtime::Result<Vec<u8>> {
    if !visit.is_untouched() {
        wasmtime::bail!("the hook asks the host for facts of a call while it reads its settings");
    }
    // Memories go to the host by the list, and are bounded by the limit of memory.
    visit.store.set_hostcall_fuel(usize::MAX);
    let mut instance = Inside {
        store: &mut visit.store,
        instance: visit.instance,
    };
    let snapshot = prepared
        .wizer
        .snapshot_component(&prepared.context, &mut instance);
    match pin!(snapshot).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(snapshot) => snapshot,
        Poll::Pending => unreachable!("nothing in it waits"),
    }
}

/// The state of an instance, by the functions that were put into it.
struct Inside<'a> {
    store: &'a mut Store<CallState>,
    instance: Instance,
}

impl Inside<'_> {
    fn get<T>(&mut self, instance: &str, function: &str) -> T
    where
        T: Lift + Send + Sync + 'static,
        (T,): ComponentNamedList + Lift,
    {
        let store = &mut *self.store;
        let export = self
            .instance
            .get_export_index(&mut *store, None, instance)
            .and_then(|instance| {
                self.instance
                    .get_export_index(&mut *store, Some(&instance), function)
            })
            .expect("invariant: the functions were put in before");
        let function = self
            .instance
            .get_typed_func::<(), (T,)>(&mut *store, export);
        let function = function.expect("invariant: they have these types");
        let returned = function.call(&mut *store, ());
        returned.expect("invariant: they only read").0
    }
}

impl ComponentInstanceState for Inside<'_> {
    async fn call_func_ret_list_u8(
        &mut self,
        instance: &str,
        function: &str,
        contents: impl FnOnce(&[u8]) + Send,
    ) {
        let list: WasmList<u8> = self.get(instance, function);
        contents(list.as_le_slice(&*self.store));
    }

    async fn call_func_ret_s32(&mut self, instance: &str, function: &str) -> i32 {
        self.get(instance, function)
    }

    async fn call_func_ret_s64(&mut self, instance: &str, function: &str) -> i64 {
        self.get(instance, function)
    }

    async fn call_func_ret_f32(&mut self, instance: &str, function: &str) -> u32 {
        self.get::<f32>(instance, function).to_bits()
    }

    async fn call_func_ret_f64(&mut self, instance: &str, function: &str) -> u64 {
        self.get::<f64>(instance, function).to_bits()
    }
}
