use std::fmt;
use std::fs;
use std::io;

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
    let mut members = Vec::new();
    for entry in fs::read_dir("/proc")? {
        let name = entry?.file_name();
        let Some(pid) = name.to_str().and_then(|name| name.parse::<i32>().ok()) else {
            continue;
        };
        // A process that ends while it is being looked at is no member either.
        let Ok(stat) = fs::read(format!("/proc/{pid}/stat")) else {
            continue;
        };
        if let Some(status) = Status::parse(&String::from_utf8_lossy(&stat))
            && status.group == group
            && status.runs
        {
            let name = status.name;
            members.push(Member { pid, name });
        }
    }
    Ok(members)
}

#[derive(Debug, PartialEq, Eq)]
struct Status {
    name: String,
    group: i32,
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
