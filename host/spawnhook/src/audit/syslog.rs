//! A syslog daemon that gets every record as well, so that a copy is out of reach of whoever can
//! write the log.

use std::io;
use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};

use syslog::{Facility, Formatter3164, Logger, LoggerBackend};

/// The socket of a daemon.
#[derive(Clone, Debug)]
pub(super) struct Syslog {
    path: PathBuf,
}

/// Why a daemon did not get a record.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SyslogError {
    /// Nobody is there.
    #[error("cannot reach syslog at {}", path.display())]
    Connect {
        /// The socket.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// It does not take the record.
    #[error("cannot send a record of {length} bytes to syslog at {}", path.display())]
    Send {
        /// The socket.
        path: PathBuf,
        /// The length of the record.
        length: usize,
        /// Why.
        #[source]
        source: syslog::Error,
    },
}

impl Syslog {
    pub(super) fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
        }
    }

    /// Sends a line, or fails at once: a daemon that is stuck holds up no command. It is connected
    /// anew for each, so that one that was started again is found.
    pub(super) fn send(&self, line: &str) -> Result<(), SyslogError> {
        let path = || self.path.clone();
        let socket = self.connect().map_err(|source| SyslogError::Connect {
            path: path(),
            source,
        })?;
        let formatter = Formatter3164 {
            // Commands are not for every eye.
            facility: Facility::LOG_AUTHPRIV,
            hostname: None,
            process: "spawnhook".to_owned(),
            pid: std::process::id(),
        };
        let mut logger = Logger::new(LoggerBackend::Unix(socket), formatter);
        logger.info(line).map_err(|source| SyslogError::Send {
            path: path(),
            length: line.len(),
            source,
        })
    }

    fn connect(&self) -> io::Result<UnixDatagram> {
        let socket = UnixDatagram::unbound()?;
        socket.connect(&self.path)?;
        socket.set_nonblocking(true)?;
        Ok(socket)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::causes::one_line;

    #[test]
    fn a_daemon_gets_the_line_with_priority_and_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let daemon = UnixDatagram::bind(&path).unwrap();
        let line = format!("{{\"text\":\"{}\"}}", "é".repeat(40_000));
        Syslog::new(&path).send(&line).unwrap();
        let mut bytes = vec![0; 1 << 17];
        let length = daemon.recv(&mut bytes).unwrap();
        let message = std::str::from_utf8(&bytes[..length]).unwrap();
        // 10 is authpriv and 6 is informational, RFC 5424 section 6.2.1.
        assert!(message.starts_with("<86>"), "{}", &message[..40]);
        let tail = format!(" spawnhook[{}]: {line}", std::process::id());
        assert!(message.ends_with(&tail), "{}", &message[..40]);
    }

    #[test]
    fn a_daemon_that_is_gone_or_stuck_is_an_error_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let syslog = Syslog::new(&path);
        let gone = one_line(&syslog.send("{}").unwrap_err());
        assert!(gone.starts_with("cannot reach syslog at "), "{gone}");
        let _daemon = UnixDatagram::bind(&path).unwrap();
        // It reads nothing, and its queue is finite.
        let stuck = (0..100_000).find_map(|_| syslog.send("{}").err());
        let stuck = one_line(&stuck.unwrap());
        assert!(
            stuck.starts_with("cannot send a record of 2 bytes to syslog at "),
            "{stuck}"
        );
    }
}
