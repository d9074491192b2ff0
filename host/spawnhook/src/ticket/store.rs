use std::fs::{self, DirBuilder, File, Metadata, OpenOptions};
use std::io::{ErrorKind, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use spawnhook_exec::random_u64;

use super::contents::Contents;
use super::{GOOD_FOR, Ticket, TicketError};
use crate::audit::sha256_hex;

/// How many hex digits of the digest a ticket is named by: 128 bits, so that nobody finds a second
/// content for a name.
const NAME_DIGITS: usize = 32;
/// More than the largest command and environment take.
const MOST_BYTES: u64 = 32 * 1024 * 1024;
/// How many characters of a command an error shows.
const SHOWN: usize = 80;

/// Writes a ticket into a directory that is its user's alone, which is made where there is none,
/// and removes what has expired there. Returns its path.
///
/// # Errors
///
/// If the directory belongs to somebody else or is open to others, or the system refuses.
pub fn issue(directory: &Path, ticket: &Ticket) -> Result<PathBuf, TicketError> {
    let made = DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(directory);
    made.map_err(TicketError::io(directory))?;
    check_directory(directory, directory)?;
    sweep(directory);
    let nonce = random_u64().expect("the system has random numbers");
    let contents = Contents::new(ticket, nonce, now() + millis(GOOD_FOR));
    let bytes = serde_json::to_vec(&contents).expect("a ticket is plain data");
    let path = directory.join(&sha256_hex(&bytes)[..NAME_DIGITS]);
    let file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&path);
    let written = file.and_then(|mut file| file.write_all(&bytes));
    written.map_err(TicketError::io(&path))?;
    Ok(path)
}

/// Takes a ticket for a command in a directory. It is gone afterwards, good or not.
///
/// # Errors
///
/// If it is not there (any more), not private, not as it was issued, expired, or for another
/// command or directory.
pub fn redeem(path: &Path, command: &str, cwd: &Path) -> Result<Ticket, TicketError> {
    let file = open(path)?;
    // Of two that try it at once one finds that it is gone.
    fs::remove_file(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => TicketError::Missing { path: path.into() },
        _ => TicketError::io(path)(error),
    })?;
    check(read(file, path)?, command, cwd)
}

/// Looks whether a ticket would be good, and leaves it.
///
/// # Errors
///
/// As [`redeem`].
pub fn peek(path: &Path, command: &str, cwd: &Path) -> Result<Ticket, TicketError> {
    check(read(open(path)?, path)?, command, cwd)
}

/// The path of a ticket that is good for a command of an agent; none if there is none.
pub fn find(directory: &Path, agent: &str, command: &str, cwd: &Path) -> Option<PathBuf> {
    let entries = fs::read_dir(directory).ok()?.flatten();
    let mut paths = entries.map(|entry| entry.path());
    paths.find(|path| peek(path, command, cwd).is_ok_and(|ticket| ticket.agent == agent))
}

fn open(path: &Path) -> Result<File, TicketError> {
    let missing = || TicketError::Missing { path: path.into() };
    let directory = path.parent().ok_or_else(missing)?;
    check_directory(directory, path)?;
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(
            (rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK)
                .bits()
                .cast_signed(),
        )
        .open(path)
        .map_err(|error| match error.kind() {
            ErrorKind::NotFound => missing(),
            _ => TicketError::io(path)(error),
        })?;
    let metadata = file.metadata().map_err(TicketError::io(path))?;
    if !metadata.is_file() {
        return Err(not_private(path, path, "is no plain file"));
    }
    check_private(&metadata, path, path)?;
    Ok(file)
}

/// What is in it, and when it expires.
fn read(file: File, path: &Path) -> Result<(Ticket, u64), TicketError> {
    let mut bytes = Vec::new();
    let taken = file.take(MOST_BYTES).read_to_end(&mut bytes);
    taken.map_err(TicketError::io(path))?;
    let altered = || TicketError::Altered { path: path.into() };
    let name = path.file_name().unwrap_or_default();
    if name != &sha256_hex(&bytes)[..NAME_DIGITS] {
        return Err(altered());
    }
    let contents: Contents = serde_json::from_slice(&bytes).map_err(|_| altered())?;
    let expires = contents.expires;
    Ok((contents.ticket().ok_or_else(altered)?, expires))
}

fn check(
    (ticket, expires): (Ticket, u64),
    command: &str,
    cwd: &Path,
) -> Result<Ticket, TicketError> {
    // one from the future comes from a clock that was set back
    if !(now()..=now() + millis(GOOD_FOR)).contains(&expires) {
        return Err(TicketError::Expired);
    }
    if ticket.settled.spawn.command != command {
        let given = command.chars().take(SHOWN).collect();
        return Err(TicketError::OtherCommand { given });
    }
    if !is_same_directory(&ticket.cwd, cwd) {
        return Err(TicketError::OtherCwd {
            expected: ticket.cwd,
            given: cwd.into(),
        });
    }
    Ok(ticket)
}

/// By what it is, since there are many paths to one.
fn is_same_directory(expected: &Path, given: &Path) -> bool {
    match (expected.metadata(), given.metadata()) {
        (Ok(expected), Ok(given)) => (expected.dev(), expected.ino()) == (given.dev(), given.ino()),
        _ => false,
    }
}

fn check_directory(directory: &Path, ticket: &Path) -> Result<(), TicketError> {
    let metadata = directory
        .symlink_metadata()
        .map_err(|error| match error.kind() {
            ErrorKind::NotFound => TicketError::Missing {
                path: ticket.into(),
            },
            _ => TicketError::io(directory)(error),
        })?;
    if !metadata.is_dir() {
        return Err(not_private(ticket, directory, "is no directory"));
    }
    check_private(&metadata, directory, ticket)
}

fn check_private(metadata: &Metadata, path: &Path, ticket: &Path) -> Result<(), TicketError> {
    if metadata.uid() != rustix::process::geteuid().as_raw() {
        return Err(not_private(ticket, path, "belongs to another user"));
    }
    if metadata.mode() & 0o077 != 0 {
        return Err(not_private(ticket, path, "is open to others"));
    }
    Ok(())
}

fn not_private(ticket: &Path, path: &Path, what: &'static str) -> TicketError {
    TicketError::NotPrivate {
        ticket: ticket.into(),
        path: path.into(),
        what,
    }
}

/// Whatever cannot be removed is no good in any case.
fn sweep(directory: &Path) {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    for entry in entries {
        let modified = entry.metadata().and_then(|metadata| metadata.modified());
        let age = modified.map(|modified| modified.elapsed().unwrap_or_default());
        if age.is_ok_and(|age| age > GOOD_FOR) {
            drop(fs::remove_file(entry.path()));
        }
    }
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    millis(since.unwrap_or_default())
}

fn millis(duration: std::time::Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
