use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use spawnhook_model::{Failure, FailureClass};
use wasmtime::ResourceLimiter;
use wasmtime::component::ResourceTable;
use wasmtime_wasi::WasiCtx;

use super::Subject;
use crate::hook::Loaded;
use crate::limits::{HANDLES, Limiter, Refused};
use crate::log::Log;
use crate::text::{SHOWN_BYTES, one_line};
use crate::wasi::{self, Steps};

/// The largest entry of the audit log, in bytes: what the interface promises.
pub(super) const ENTRY_BYTES: usize = 64 << 10;

/// What the host keeps for one call.
pub(crate) struct CallState {
    pub(super) subject: Subject,
    hook: String,
    log: Arc<Mutex<Log>>,
    limiter: Limiter,
    /// Made when the guest first asks for it, which the usual one never does.
    wasi: Option<WasiCtx>,
    table: ResourceTable,
    steps: Steps,
    /// Whether a fact of the call was asked for.
    pub(super) asked: bool,
    appended: Appended,
}

/// Whether an audit hook has recorded its call.
#[derive(Debug)]
enum Appended {
    NotYet,
    Refused(String),
    Written,
}

impl CallState {
    pub(super) fn new(hook: &Loaded, subject: Subject) -> Self {
        let mut table = ResourceTable::new();
        table.set_max_capacity(HANDLES);
        Self {
            subject,
            hook: hook.name.clone(),
            log: Arc::new(Mutex::new(Log::new(hook.limits.log_bytes))),
            limiter: Limiter::new(hook.limits.memory_bytes),
            wasi: None,
            table,
            steps: Steps::default(),
            asked: false,
            appended: Appended::NotYet,
        }
    }

    pub(super) fn limiter(&mut self) -> &mut dyn ResourceLimiter {
        &mut self.limiter
    }

    /// The growth that was refused, if one was.
    pub(crate) fn refused(&self) -> Option<Refused> {
        self.limiter.refused()
    }

    /// Whether the guest has asked the host for nothing and told it nothing, so that its state
    /// follows from its settings alone.
    pub(crate) fn is_untouched(&self) -> bool {
        !self.asked && self.wasi.is_none() && self.steps.is_untouched() && self.log().is_empty()
    }

    pub(crate) fn log(&self) -> MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn memory_bytes(&self) -> u64 {
        self.limiter.memory_bytes()
    }

    pub(super) fn notices(&self) -> Option<String> {
        self.log().notice()
    }

    pub(crate) fn wasi(&mut self) -> (&mut WasiCtx, &mut ResourceTable) {
        let call = &self.subject.call;
        let wasi = self
            .wasi
            .get_or_insert_with(|| wasi::context(&call.id, call.started, &self.log));
        (wasi, &mut self.table)
    }

    pub(crate) fn clock(&mut self) -> (&mut Steps, &mut ResourceTable) {
        (&mut self.steps, &mut self.table)
    }

    /// Takes the one entry that an audit hook writes in a call.
    pub(super) fn append(&mut self, entry: &str) -> Result<(), String> {
        if matches!(self.appended, Appended::Written) {
            return Err("this call has its one entry already".to_owned());
        }
        let written = check_entry(entry).and_then(|()| match &self.subject.log {
            Some(log) => log.append(&self.hook, entry),
            None => Err("there is no audit log before the first call".to_owned()),
        });
        self.appended = match &written {
            Ok(()) => Appended::Written,
            Err(reason) => Appended::Refused(reason.clone()),
        };
        written
    }

    /// Whether an audit hook that returned well has recorded its call, as it must.
    pub(super) fn check_recorded(&self) -> Result<(), Failure> {
        let message = match (&self.subject.log, &self.appended) {
            (None, _) | (_, Appended::Written) => return Ok(()),
            (Some(_), Appended::NotYet) => {
                "returned without an entry for the audit log; call audit-log.append".to_owned()
            }
            (Some(_), Appended::Refused(reason)) => {
                format!("returned although its entry was not written: {reason}")
            }
        };
        Err(Failure {
            class: FailureClass::NotRecorded,
            message: one_line(&message, SHOWN_BYTES),
        })
    }
}

fn check_entry(entry: &str) -> Result<(), String> {
    if entry.len() > ENTRY_BYTES {
        return Err(format!(
            "the entry has {} bytes; the limit is {ENTRY_BYTES}",
            entry.len()
        ));
    }
    match serde_json::from_str(entry) {
        Ok(serde_json::Value::Object(_)) => Ok(()),
        Ok(_) => Err("the entry is no JSON object".to_owned()),
        Err(error) => Err(format!("the entry is no JSON: {error}")),
    }
}
