use std::time::UNIX_EPOCH;

use wasmtime::component::{HasSelf, Linker};

use super::CallState;
use super::bindings::{audit_log, call, exit, log};

/// Offers the interfaces that every hook can import.
pub(crate) fn offer(linker: &mut Linker<CallState>) -> wasmtime::Result<()> {
    call::add_to_linker::<CallState, HasSelf<_>>(linker, |state| state)?;
    log::add_to_linker::<CallState, HasSelf<_>>(linker, |state| state)
}

/// Offers the interfaces that a hook of stage audit can import besides.
pub(crate) fn offer_audit(linker: &mut Linker<CallState>) -> wasmtime::Result<()> {
    exit::add_to_linker::<CallState, HasSelf<_>>(linker, |state| state)?;
    audit_log::add_to_linker::<CallState, HasSelf<_>>(linker, |state| state)
}

impl call::Host for CallState {
    fn id(&mut self) -> String {
        self.asked().call.id.clone()
    }

    fn origin(&mut self) -> String {
        self.asked().call.origin.to_string()
    }

    fn requested(&mut self) -> String {
        self.asked().call.requested.clone()
    }

    fn prefix(&mut self) -> String {
        self.asked().call.prefix.clone()
    }

    fn workspace(&mut self) -> String {
        self.asked().call.workspace.to_string_lossy().into_owned()
    }

    fn env_names(&mut self) -> Vec<String> {
        let names = self.asked().spawn.env.names();
        names
            .filter_map(|name| name.to_str().map(str::to_owned))
            .collect()
    }

    fn timeout_ms(&mut self) -> Option<u64> {
        self.asked()
            .call
            .timeout
            .map(|timeout| saturating_ms(timeout.duration()))
    }

    fn started_ms(&mut self) -> u64 {
        let started = self.asked().call.started.duration_since(UNIX_EPOCH);
        saturating_ms(started.unwrap_or_default())
    }

    fn session(&mut self, name: String) -> Option<String> {
        self.asked().call.session.fact(&name).map(str::to_owned)
    }
}

impl exit::Host for CallState {
    fn duration_ms(&mut self) -> u64 {
        self.exit(|exit| saturating_ms(exit.duration))
    }

    fn output_bytes(&mut self) -> Option<u64> {
        self.exit(|exit| exit.output_bytes)
    }

    fn output_lines(&mut self) -> Option<u64> {
        self.exit(|exit| exit.output_lines)
    }

    fn truncated(&mut self) -> bool {
        self.exit(|exit| exit.truncated)
    }

    fn leftover_processes(&mut self) -> u32 {
        self.exit(|exit| exit.leftover_processes)
    }
}

impl log::Host for CallState {
    fn write(&mut self, level: log::Level, message: String) {
        let level = match level {
            log::Level::Debug => "debug",
            log::Level::Info => "info",
            log::Level::Warn => "warn",
            log::Level::Error => "error",
        };
        self.log().message(level, &message);
    }
}

impl audit_log::Host for CallState {
    fn append(&mut self, entry: String) -> Result<(), String> {
        CallState::append(self, &entry)
    }
}

impl CallState {
    /// What the call is about, of which the guest asks something.
    fn asked(&mut self) -> &super::Subject {
        self.asked = true;
        &self.subject
    }

    /// A fact of the ending; zero or none while there is no ending.
    fn exit<T: Default>(&mut self, fact: impl FnOnce(&crate::ExitFacts) -> T) -> T {
        self.asked().exit.as_deref().map(fact).unwrap_or_default()
    }
}

fn saturating_ms(duration: std::time::Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
