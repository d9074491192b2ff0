//! What a supervisor and its host say to each other, and how it is written: a byte for the kind,
//! then numbers in the machine's own order, then text to the end or with its length before it.

use spawnhook_model::Leftover;

use crate::lifecycle::Exit;

/// How many processes a supervisor names.
const MAX_NAMED: usize = 50;
/// How many bytes of a command line it sends.
const MAX_COMMAND_BYTES: usize = 150;

/// What the host wants done. Nothing but these goes this way, and the end of the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// SIGTERM to the group of the shell.
    Terminate,
    /// SIGKILL to every descendant, until there is none.
    Kill,
    /// This signal to the group of the shell.
    Signal(i32),
    /// The command has ended: tell what is left, and let it live until the host is gone. The
    /// reading ends of the output come with it, if there is one that is open.
    LeaveForSession,
    /// The same, but let it live on.
    LeaveForGood,
    /// The host has written its part of the output: what follows goes to the file that comes with
    /// this, if one does, as far as it has room.
    Record { room: u64 },
}

/// What a supervisor tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Report {
    /// It is there, with this pid, and is going to fork the shell.
    Started { supervisor: i32 },
    /// The shell could not be executed, for this number of an error. The last report.
    Failed { errno: i32 },
    /// The shell has ended, and there are other descendants.
    Exited(Exit),
    /// The shell has ended, and there is no descendant any more. The last report.
    ExitedAlone(Exit),
    /// There is no descendant any more. The last report.
    Empty,
    /// The answer to [`Order::Kill`], if these did not end in time.
    Remaining(Vec<Leftover>),
    /// The answer to [`Order::LeaveForSession`] and [`Order::LeaveForGood`].
    Left(Vec<Leftover>),
}

impl Order {
    pub(crate) fn encode(self) -> Vec<u8> {
        match self {
            Self::Terminate => vec![b'T'],
            Self::Kill => vec![b'K'],
            Self::Signal(signal) => number(b'N', signal),
            Self::LeaveForSession => vec![b'S'],
            Self::LeaveForGood => vec![b'G'],
            Self::Record { room } => [&b"R"[..], &room.to_ne_bytes()].concat(),
        }
    }

    /// None for what no host sends.
    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        match bytes {
            b"T" => Some(Self::Terminate),
            b"K" => Some(Self::Kill),
            b"S" => Some(Self::LeaveForSession),
            b"G" => Some(Self::LeaveForGood),
            [b'N', signal @ ..] => Some(Self::Signal(i32::from_ne_bytes(signal.try_into().ok()?))),
            [b'R', room @ ..] => Some(Self::Record {
                room: u64::from_ne_bytes(room.try_into().ok()?),
            }),
            _ => None,
        }
    }
}

impl Report {
    /// Whether the supervisor leaves after it.
    pub(crate) fn is_last(&self) -> bool {
        matches!(
            self,
            Self::Failed { .. } | Self::ExitedAlone(_) | Self::Empty
        )
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        match self {
            Self::Started { supervisor } => number(b'S', *supervisor),
            Self::Failed { errno } => number(b'F', *errno),
            Self::Exited(Exit::Code(code)) => number(b'C', *code),
            Self::Exited(Exit::Signal(signal)) => number(b'G', *signal),
            Self::ExitedAlone(Exit::Code(code)) => number(b'c', *code),
            Self::ExitedAlone(Exit::Signal(signal)) => number(b'g', *signal),
            Self::Empty => vec![b'E'],
            Self::Remaining(processes) => list(b'R', processes),
            Self::Left(processes) => list(b'L', processes),
        }
    }

    /// None for what no supervisor sends.
    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let (kind, rest) = bytes.split_first()?;
        let number = || Some(i32::from_ne_bytes(rest.try_into().ok()?));
        Some(match kind {
            b'S' => Self::Started {
                supervisor: number()?,
            },
            b'F' => Self::Failed { errno: number()? },
            b'C' => Self::Exited(Exit::Code(number()?)),
            b'G' => Self::Exited(Exit::Signal(number()?)),
            b'c' => Self::ExitedAlone(Exit::Code(number()?)),
            b'g' => Self::ExitedAlone(Exit::Signal(number()?)),
            b'E' if rest.is_empty() => Self::Empty,
            b'R' => Self::Remaining(processes(rest)?),
            b'L' => Self::Left(processes(rest)?),
            _ => return None,
        })
    }
}

fn number(kind: u8, number: i32) -> Vec<u8> {
    let mut bytes = vec![kind];
    bytes.extend(number.to_ne_bytes());
    bytes
}

fn list(kind: u8, processes: &[Leftover]) -> Vec<u8> {
    let mut bytes = vec![kind];
    for process in processes.iter().take(MAX_NAMED) {
        let command = &process.command;
        let command = &command[..command.floor_char_boundary(MAX_COMMAND_BYTES)];
        bytes.extend(process.pid.to_ne_bytes());
        let length = u32::try_from(command.len()).expect("invariant: it was cut");
        bytes.extend(length.to_ne_bytes());
        bytes.extend(command.as_bytes());
    }
    bytes
}

fn processes(mut bytes: &[u8]) -> Option<Vec<Leftover>> {
    let mut processes = Vec::new();
    while !bytes.is_empty() {
        let (pid, rest) = bytes.split_first_chunk()?;
        let (length, rest) = rest.split_first_chunk()?;
        let length = usize::try_from(u32::from_ne_bytes(*length)).ok()?;
        let (command, rest) = rest.split_at_checked(length)?;
        processes.push(Leftover {
            pid: u32::from_ne_bytes(*pid),
            command: String::from_utf8(command.to_vec()).ok()?,
        });
        bytes = rest;
    }
    Some(processes)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::sys::socket::MAX_BYTES;

    fn leftovers(most: usize) -> impl Strategy<Value = Vec<Leftover>> {
        let leftover =
            (any::<u32>(), "[a-zä]{0,70}").prop_map(|(pid, command)| Leftover { pid, command });
        prop::collection::vec(leftover, 0..most)
    }

    fn report() -> impl Strategy<Value = Report> {
        prop_oneof![
            any::<i32>().prop_map(|supervisor| Report::Started { supervisor }),
            any::<i32>().prop_map(|errno| Report::Failed { errno }),
            any::<i32>().prop_map(|code| Report::Exited(Exit::Code(code))),
            any::<i32>().prop_map(|signal| Report::Exited(Exit::Signal(signal))),
            any::<i32>().prop_map(|code| Report::ExitedAlone(Exit::Code(code))),
            any::<i32>().prop_map(|signal| Report::ExitedAlone(Exit::Signal(signal))),
            Just(Report::Empty),
            leftovers(MAX_NAMED).prop_map(Report::Remaining),
            leftovers(MAX_NAMED).prop_map(Report::Left),
        ]
    }

    #[test]
    fn every_order_arrives_as_it_was_sent() {
        for order in [
            Order::Terminate,
            Order::Kill,
            Order::Signal(28),
            Order::LeaveForSession,
            Order::LeaveForGood,
            Order::Record { room: u64::MAX - 1 },
        ] {
            assert_eq!(Order::decode(&order.encode()), Some(order));
        }
    }

    #[test]
    fn a_crowd_with_long_names_fits_one_message() {
        let crowd = vec![
            Leftover {
                pid: 1,
                command: "ä".repeat(100_000),
            };
            10_000
        ];
        let bytes = Report::Left(crowd).encode();
        assert!(bytes.len() < MAX_BYTES, "{}", bytes.len());
        let Some(Report::Left(named)) = Report::decode(&bytes) else {
            panic!("{bytes:?}");
        };
        assert_eq!(named.len(), MAX_NAMED);
    }

    proptest! {
        #[test]
        fn every_report_arrives_as_it_was_sent(report in report()) {
            prop_assert_eq!(Report::decode(&report.encode()), Some(report));
        }

        #[test]
        fn no_bytes_are_too_odd_to_be_looked_at(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            Report::decode(&bytes);
            Order::decode(&bytes);
        }
    }
}
