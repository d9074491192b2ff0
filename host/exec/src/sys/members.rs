use std::fmt;
use std::fs;
use std::io;

use spawnhook_model::Leftover;

use crate::output::visible;

/// A live process of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    pub(crate) pid: i32,
    /// What the system calls it: the first 15 bytes of the program's name.
    pub(crate) name: String,
}

impl fmt::Display for Member {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (pid {})", visible(&self.name), self.pid)
    }
}

/// The processes of the group that can still run. A zombie cannot; kill(2) would count it.
pub(crate) fn of_group(group: i32) -> io::Result<Vec<Member>> {
    let found = running(|status| status.group == group)?;
    Ok(found
        .into_iter()
        .map(|(pid, status)| Member {
            pid,
            name: status.name,
        })
        .collect())
}

/// The processes of the session that can still run, with their command lines. None if the system
/// does not tell.
pub(crate) fn of_session(session: i32) -> Vec<Leftover> {
    let found = running(|status| status.session == session).unwrap_or_default();
    found
        .into_iter()
        .filter_map(|(pid, status)| {
            Some(Leftover {
                pid: u32::try_from(pid).ok()?,
                command: command_line(pid).unwrap_or(status.name),
            })
        })
        .collect()
}

/// The arguments with blanks between them; none for a process without any, as those of the kernel.
fn command_line(pid: i32) -> Option<String> {
    let bytes = fs::read(format!("/proc/{pid}/cmdline")).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let text = text.trim_end_matches('\0').replace('\0', " ");
    (!text.is_empty()).then(|| visible(&text).into_owned())
}

fn running(wanted: impl Fn(&Status) -> bool) -> io::Result<Vec<(i32, Status)>> {
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc")? {
        let name = entry?.file_name();
        let Some(pid) = name.to_str().and_then(|name| name.parse::<i32>().ok()) else {
            continue;
        };
        // A process that ends while it is being looked at is not wanted either.
        let Ok(stat) = fs::read(format!("/proc/{pid}/stat")) else {
            continue;
        };
        if let Some(status) = Status::parse(&String::from_utf8_lossy(&stat))
            && status.runs
            && wanted(&status)
        {
            found.push((pid, status));
        }
    }
    Ok(found)
}

#[derive(Debug, PartialEq, Eq)]
struct Status {
    name: String,
    group: i32,
    session: i32,
    runs: bool,
}

impl Status {
    /// Reads a line of the form that proc_pid_stat(5) documents: the name stands in parentheses
    /// and may contain some itself, then state, parent, group and so on, threads being the 20th.
    fn parse(stat: &str) -> Option<Self> {
        let (head, tail) = stat.rsplit_once(')')?;
        let (_, name) = head.split_once('(')?;
        let fields: Vec<&str> = tail.split_ascii_whitespace().collect();
        let ended = matches!(*fields.first()?, "Z" | "X");
        let threads: i64 = fields.get(17)?.parse().ok()?;
        Some(Self {
            name: name.to_owned(),
            group: fields.get(2)?.parse().ok()?,
            session: fields.get(3)?.parse().ok()?,
            // The first thread may have ended before the others.
            runs: !ended || threads > 1,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stat(name: &str, state: &str, threads: u32) -> String {
        format!("70 ({name}) {state} 1 69 69 0 -1 4194560 9 0 0 0 0 0 0 0 20 0 {threads} 0 5 2 3 4")
    }

    #[test]
    fn a_name_with_parentheses_and_blanks_is_read_whole() {
        let status = Status::parse(&stat("a) R (b", "S", 1)).unwrap();
        let name = "a) R (b".to_owned();
        assert_eq!(
            status,
            Status {
                name,
                group: 69,
                session: 69,
                runs: true
            }
        );
    }

    #[test]
    fn a_zombie_runs_only_while_it_has_other_threads() {
        for (state, threads, runs) in [("Z", 0, false), ("Z", 1, false), ("Z", 3, true)] {
            let status = Status::parse(&stat("x", state, threads)).unwrap();
            assert_eq!(status.runs, runs, "{state} {threads}");
        }
    }

    #[test]
    fn a_line_that_is_cut_off_is_nobody() {
        for line in ["", "70", "70 (x", "70 (x) S 1", "70 (x) S 1 69 69"] {
            assert_eq!(Status::parse(line), None, "{line}");
        }
    }
}
