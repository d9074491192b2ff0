use std::fmt;
use std::fs;
use std::io;

use spawnhook_model::Leftover;

use crate::output::visible;

/// A process as the system shows it at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Process {
    pub(crate) pid: i32,
    pub(crate) parent: i32,
    pub(crate) group: i32,
    /// What the system calls it: the first 15 bytes of the program's name.
    pub(crate) name: String,
    /// A zombie can't, unless other threads than its first live on.
    pub(crate) can_run: bool,
}

/// Every process that there is. One that starts or ends meanwhile may be missing.
pub(crate) fn all() -> io::Result<Vec<Process>> {
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc")? {
        let name = entry?.file_name();
        let pid = name.to_str().and_then(|name| name.parse().ok());
        found.extend(pid.and_then(one));
    }
    Ok(found)
}

/// The process with this number, if there is one.
pub(crate) fn one(pid: i32) -> Option<Process> {
    let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
    Process::parse(pid, &String::from_utf8_lossy(&stat))
}

pub(crate) fn own_pid() -> i32 {
    i32::try_from(std::process::id()).expect("invariant: pids are positive i32")
}

impl Process {
    /// Reads a line of the form that proc_pid_stat(5) documents: the name stands in parentheses
    /// and may contain some itself, then state, parent, group and so on, threads being the 20th.
    fn parse(pid: i32, stat: &str) -> Option<Self> {
        let (head, tail) = stat.rsplit_once(')')?;
        let (_, name) = head.split_once('(')?;
        let mut fields = tail.split_ascii_whitespace();
        let ended = matches!(fields.next()?, "Z" | "X");
        let parent = fields.next()?.parse().ok()?;
        let group = fields.next()?.parse().ok()?;
        let threads: i64 = fields.nth(14)?.parse().ok()?;
        Some(Self {
            pid,
            parent,
            group,
            name: name.to_owned(),
            can_run: !ended || threads > 1,
        })
    }

    /// How a result names it: by its arguments with blanks between them, or by its name if it has
    /// none.
    pub(crate) fn as_leftover(&self) -> Leftover {
        Leftover {
            pid: u32::try_from(self.pid).expect("invariant: pids are positive"),
            command: command_line(self.pid).unwrap_or_else(|| visible(&self.name).into_owned()),
        }
    }
}

impl fmt::Display for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (pid {})", visible(&self.name), self.pid)
    }
}

fn command_line(pid: i32) -> Option<String> {
    let bytes = fs::read(format!("/proc/{pid}/cmdline")).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let text = text.trim_end_matches('\0').replace('\0', " ");
    (!text.is_empty()).then(|| visible(&text).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stat(name: &str, state: &str, threads: u32) -> String {
        format!("70 ({name}) {state} 1 69 69 0 -1 4194560 9 0 0 0 0 0 0 0 20 0 {threads} 0 5 2 3 4")
    }

    #[test]
    fn a_name_with_parentheses_and_blanks_is_read_whole() {
        let process = Process::parse(70, &stat("a) R (b", "S", 1)).unwrap();
        let expected = Process {
            pid: 70,
            parent: 1,
            group: 69,
            name: "a) R (b".to_owned(),
            can_run: true,
        };
        assert_eq!(process, expected);
    }

    #[test]
    fn a_zombie_runs_only_while_it_has_other_threads() {
        for (state, threads, runs) in [("Z", 0, false), ("Z", 1, false), ("Z", 3, true)] {
            let process = Process::parse(70, &stat("x", state, threads)).unwrap();
            assert_eq!(process.can_run, runs, "{state} {threads}");
        }
    }

    #[test]
    fn a_line_that_is_cut_off_is_nobody() {
        for line in ["", "70", "70 (x", "70 (x) S 1", "70 (x) S 1 69 69"] {
            assert_eq!(Process::parse(70, line), None, "{line}");
        }
    }

    #[test]
    fn this_process_is_among_all_of_them() {
        let pid = i32::try_from(std::process::id()).unwrap();
        let parent = i32::try_from(std::os::unix::process::parent_id()).unwrap();
        let all = all().unwrap();
        let own = all.iter().find(|process| process.pid == pid).unwrap();
        assert_eq!(own.parent, parent);
    }
}
