mod accepted;
mod compile;
mod configured;
mod error;
mod exports;
mod file;
pub(crate) mod imports;
mod many;
mod structure;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::time::{Duration, UNIX_EPOCH};

use sha2::{Digest as _, Sha256};
use spawnhook_model::{Call, Origin, Session, Stage};
use wasmtime::component::Component;

use crate::call::{self, SettingsError};
use crate::engine::Shared;
use crate::failure::of_thread;
use crate::hook::Loaded;
use crate::limits::Budget;
use crate::rights::Grants;
use crate::text::{SHOWN_BYTES, one_line};
use crate::threads::{Needs, run_once};
use crate::{Hook, HookSpec, Snapshots};

pub(crate) use self::compile::{compile, compile_here};
pub use self::error::{HookLoadError, LoadFault};
pub(crate) use self::exports::check as exports_interface;
pub(crate) use self::file::{Digest, identify};
pub(crate) use self::many::admit_all;

/// The time that a hook may take to start and to read its settings when it is loaded. More than
/// for a call: nobody waits for a command yet.
const LOAD_BUDGET: Budget = Budget {
    cpu: Duration::from_secs(1),
    wall: Duration::from_secs(10),
};

/// Admits a hook step by step; each step relies on those before it.
pub(crate) fn admit(shared: &Arc<Shared>, spec: HookSpec) -> Result<Hook, HookLoadError> {
    let (name, origin) = (spec.name.clone(), spec.origin.clone());
    admit_spec(shared, spec).map_err(|fault| HookLoadError {
        hook: name,
        origin,
        fault,
    })
}

fn admit_spec(shared: &Arc<Shared>, spec: HookSpec) -> Result<Hook, LoadFault> {
    if spec.stage != Stage::Rewrite && spec.when.depends_on_command() {
        return Err(LoadFault::When(spec.stage));
    }
    Grants::new(&spec.rights, spec.stage).map_err(LoadFault::Rights)?;
    let sha256 = file::check(&spec)?;
    let mold = Mold {
        shared,
        spec: &spec,
        sha256,
    };
    let loaded = match configured::kept(&mold)? {
        Some(configured) => configured,
        None => {
            let vetted = spec.part_of_program.is_some();
            let component = compile(shared, &spec.component, &sha256, vetted)?;
            let plain = mold.load(&component, false)?;
            if accepted::before(&mold) {
                plain
            } else {
                let (plain, configuring) = try_out(plain)?;
                accepted::note(&mold);
                configured::take(&mold, configuring).unwrap_or(plain)
            }
        }
    };
    Ok(Hook::new(loaded))
}

/// What a hook is made of, whichever form its component has.
struct Mold<'a> {
    shared: &'a Arc<Shared>,
    spec: &'a HookSpec,
    sha256: Digest,
}

impl Mold<'_> {
    /// Names what was found of the component with these settings.
    fn key(&self, what: &str) -> [u8; 32] {
        let mut digest = Sha256::new_with_prefix(what);
        digest.update(b"\0");
        digest.update(self.sha256.bytes());
        digest.update(self.spec.settings.as_bytes());
        digest.finalize().into()
    }

    /// The hook with this component, once its imports and exports were found to be right.
    fn load(&self, component: &Component, configured: bool) -> Result<Loaded, LoadFault> {
        let (shared, spec) = (self.shared, self.spec);
        imports::check(&shared.engine, component, spec.stage)?;
        let with_wasi = imports::include_wasi(&shared.engine, component);
        let component = shared
            .linkers
            .get(&shared.engine, spec.stage, with_wasi)
            .and_then(|linker| linker.instantiate_pre(component))
            .map_err(|error| LoadFault::Imports(vec![shown(&error)]))?;
        let exports = exports::find(&shared.engine, &component)?;
        file::check_settings(&spec.settings, exports.settings.is_some())?;
        Ok(Loaded {
            shared: Arc::clone(shared),
            name: spec.name.clone(),
            stage: spec.stage,
            origin: spec.origin.clone(),
            sha256: self.sha256.to_string(),
            settings: spec.settings.clone(),
            on_failure: spec.on_failure,
            when: spec.when.clone(),
            grants: Grants::new(&spec.rights, spec.stage).map_err(LoadFault::Rights)?,
            limits: spec.limits.clone(),
            component,
            needs: match with_wasi {
                true => Needs::NoRuntime,
                false => Needs::Nothing,
            },
            exports,
            configured,
            failures: AtomicU32::new(0),
        })
    }
}

/// Admits a hook that was admitted before, with settings that it has not seen.
pub(crate) fn readmit(loaded: Loaded) -> Result<Hook, HookLoadError> {
    let (name, origin) = (loaded.name.clone(), loaded.origin.clone());
    file::check_settings(&loaded.settings, loaded.exports.settings.is_some())
        .and_then(|()| try_out(loaded))
        .map(|(loaded, _)| Hook::new(loaded))
        .map_err(|fault| HookLoadError {
            hook: name,
            origin,
            fault,
        })
}

/// An error of the runtime with its causes; names in it are the component's.
fn shown(error: &wasmtime::Error) -> String {
    one_line(&format!("{error:#}"), SHOWN_BYTES)
}

/// Starts an instance and hands it its settings. Where snapshots are taken it tells how long it
/// takes to read them, unless the instance asks the host for something meanwhile; by a second time,
/// since the first has all the memory of the code to fetch.
fn try_out(loaded: Loaded) -> Result<(Loaded, Option<Duration>), LoadFault> {
    let tried = run_once(LOAD_BUDGET.wall, move || {
        let ticking = loaded.ticking();
        let start = || call::start(&loaded, no_call(), LOAD_BUDGET);
        let configuring = start().and_then(|_| {
            if loaded.shared.snapshots != Snapshots::Take {
                return Ok(None);
            }
            let visit = start()?;
            Ok(visit.is_untouched().then_some(visit.configuring))
        });
        drop(ticking);
        configuring.map(|configuring| (loaded, configuring))
    });
    match tried {
        Ok(Ok(tried)) => Ok(tried),
        Ok(Err(SettingsError::Start(failure))) => Err(LoadFault::Start(failure)),
        Ok(Err(SettingsError::Configure(failure))) => Err(LoadFault::Configure(failure)),
        Ok(Err(SettingsError::Problems(problems))) => Err(LoadFault::Settings(problems)),
        Err(error) => Err(LoadFault::Start(of_thread(error))),
    }
}

/// What a hook is told about the call while there is none.
pub(crate) fn no_call() -> Arc<Call> {
    Arc::new(Call {
        id: "load".to_owned(),
        origin: Origin::Cli,
        requested: String::new(),
        prefix: String::new(),
        workspace: PathBuf::from("/"),
        timeout: None,
        started: UNIX_EPOCH,
        session: Session::default(),
    })
}
