//! Settings that a hook has accepted before.

use super::Mold;
use crate::Snapshots;

const ACCEPTED: &str = "accepted";

/// Whether the hook has accepted these settings in an earlier start, so that it need not be asked
/// again: what it says of them follows from its component and them alone. Where snapshots are taken
/// it is asked all the same, since it is measured then.
pub(super) fn before(mold: &Mold<'_>) -> bool {
    let shared = mold.shared;
    shared.snapshots != Snapshots::Take
        && !mold.spec.secret_settings
        && shared.cache.has_mark(&shared.engine, &mold.key(ACCEPTED))
}

/// Has it not asked again in later starts.
pub(super) fn note(mold: &Mold<'_>) {
    if !mold.spec.secret_settings {
        mold.shared
            .cache
            .mark(&mold.shared.engine, &mold.key(ACCEPTED));
    }
}
