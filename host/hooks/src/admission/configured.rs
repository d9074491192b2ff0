//! Hooks that begin their calls with their settings read.

use std::time::Duration;

use super::compile::{compile_instrumented, compile_snapshot};
use super::{LOAD_BUDGET, LoadFault, Mold, no_call};
use crate::hook::Loaded;
use crate::{Snapshots, call, snapshot};

const CONFIGURED: &str = "configured";

/// The time for reading settings from which on a snapshot pays: a tenth of a call of a small hook.
const PAYS_FROM: Duration = Duration::from_micros(5);

/// The hook from a snapshot that was kept, if there is one. Whoever took it had the hook accept
/// these settings.
pub(super) fn kept(mold: &Mold<'_>) -> Result<Option<Loaded>, LoadFault> {
    let shared = mold.shared;
    if shared.snapshots == Snapshots::Never || mold.spec.secret_settings {
        return Ok(None);
    }
    let kept = shared.cache.load(&shared.engine, &mold.key(CONFIGURED));
    kept.map(|component| mold.load(&component, true))
        .transpose()
}

/// The hook from a snapshot that is taken now; none if it does not pay or there can be none.
/// `configuring` is how long it takes to read the settings, if nothing else comes into that.
pub(super) fn take(mold: &Mold<'_>, configuring: Option<Duration>) -> Option<Loaded> {
    let wanted = mold.shared.snapshots == Snapshots::Take && !mold.spec.secret_settings;
    if !wanted || configuring.is_none_or(|configuring| configuring < PAYS_FROM) {
        return None;
    }
    // In a thread of its own, where a panic over a form that nobody foresaw harms nobody.
    std::thread::scope(|scope| scope.spawn(|| try_take(mold)).join().ok().flatten())
}

fn try_take(mold: &Mold<'_>) -> Option<Loaded> {
    let prepared = snapshot::prepare(&mold.spec.component).ok()?;
    let instrumented = compile_instrumented(mold.shared, &prepared.component).ok()?;
    let loaded = mold.load(&instrumented, false).ok()?;
    let ticking = loaded.ticking();
    let visit = call::start(&loaded, no_call(), LOAD_BUDGET).ok()?;
    let snapshot = snapshot::take(&prepared, visit).ok()?;
    drop(ticking);
    let snapshot = compile_snapshot(mold.shared, &mold.key(CONFIGURED), &snapshot).ok()?;
    mold.load(&snapshot, true).ok()
}
