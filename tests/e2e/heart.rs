//! Commands that are seen to live and to die: each writes to a file as long as it runs.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::case::{Machine, wait_until};

/// Writes a beat every 20 ms, for two minutes at most or until there is a file `stop`, whatever it
/// is told.
const BEAT: &str = "trap '' TERM HUP INT; for i in $(seq 6000); do [ -e \"$W/stop\" ] && exit; \
                    echo >> \"$W/beat\"; sleep 0.02; done";

/// How long a heart must have been still. It beats every 20 ms, and the machine may be busy.
pub(crate) const STILL: Duration = Duration::from_millis(600);

/// A heart in a folder of its own.
pub(crate) struct Heart {
    pub(crate) machine: Machine,
}

impl Heart {
    pub(crate) fn new() -> Self {
        Self {
            machine: Machine::new(),
        }
    }

    pub(crate) fn file(&self) -> PathBuf {
        self.machine.path("workspace/beat")
    }

    pub(crate) fn beats(&self) -> u64 {
        fs::metadata(self.file()).map_or(0, |file| file.len())
    }

    pub(crate) fn command(way: &str) -> String {
        format!("export W=$PWD B={}; {way}", shlex::try_quote(BEAT).unwrap())
    }

    pub(crate) fn wait_for_life(&self, way: &str) {
        wait_until(&format!("{way} beats"), || self.beats() > 2);
    }

    /// Ends it, whatever it lives in.
    pub(crate) fn stop(&self) {
        fs::write(self.machine.path("workspace/stop"), "").unwrap();
        self.wait_for_death("the heart");
    }

    pub(crate) fn assert_dead(&self, what: &str) {
        let beats = self.beats();
        let since = Instant::now();
        while since.elapsed() < STILL {
            thread::sleep(Duration::from_millis(20));
        }
        assert_eq!(self.beats(), beats, "{what} lives on");
    }

    /// Waits until it has stopped, for those who need not be told when.
    pub(crate) fn wait_for_death(&self, what: &str) {
        wait_until(&format!("{what} has stopped"), || {
            let beats = self.beats();
            thread::sleep(STILL);
            self.beats() == beats
        });
    }
}

pub(crate) fn signal_to(signal: &str, target: &str) {
    let killed = Command::new("kill")
        .args([signal, "--", target])
        .stderr(Stdio::null())
        .status();
    assert!(killed.unwrap().success(), "kill {signal} {target}");
}
