//! What holds for every server, whatever it speaks.

use std::os::unix::process::ExitStatusExt as _;

use super::case::Machine;
use super::client::Client;
use super::heart::{Heart, signal_to};

/// How the client or the system ends a server, and what its exit code is then.
type EndingOfServer = (&'static str, fn(&mut Client), Option<i32>);

const ENDINGS: [EndingOfServer; 6] = [
    (
        "end of input",
        |client| {
            client.close_input();
        },
        Some(0),
    ),
    (
        "closed output",
        |client| {
            client.close_output();
        },
        Some(0),
    ),
    (
        "TERM",
        |client| signal_to("-TERM", &client.pid()),
        Some(143),
    ),
    ("HUP", |client| signal_to("-HUP", &client.pid()), Some(129)),
    ("INT", |client| signal_to("-INT", &client.pid()), Some(130)),
    ("KILL", |client| signal_to("-KILL", &client.pid()), None),
];

/// A command that runs, and one that has ended and left something behind: both end with the
/// server that `start` starts.
pub(crate) fn nothing_survives(start: impl Fn(&Machine, &str) -> Client) {
    let ways = [
        "setsid bash -c \"$B\" & wait",
        "(setsid bash -c \"$B\" >/dev/null 2>&1 &)",
    ];
    for (name, end, code) in ENDINGS {
        let hearts = [Heart::new(), Heart::new()];
        let started = hearts.iter().zip(ways);
        let mut clients: Vec<_> = started
            .map(|(heart, way)| start(&heart.machine, &Heart::command(way)))
            .collect();
        for heart in &hearts {
            heart.wait_for_life(name);
        }
        for (client, heart) in clients.iter_mut().zip(&hearts) {
            end(client);
            let status = client.ended();
            assert_eq!(status.code(), code, "{name}");
            assert_eq!(status.signal().is_some(), code.is_none(), "{name}");
            heart.wait_for_death(name);
        }
        if code.is_some() {
            let records = hearts[0].machine.audit();
            assert_eq!(records.last().unwrap()["ending"], "cancelled", "{name}");
        }
    }
}
