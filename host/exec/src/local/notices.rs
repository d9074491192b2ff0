use spawnhook_model::Leftover;

use crate::lifecycle::{Certainty, Finish};
use crate::output::visible;
use crate::spawner::KILL_LIMIT;

/// What is said about processes that should be dead and may not be, or were killed by somebody else.
pub(super) fn certainty_notice(certainty: Certainty, remaining: &[Leftover]) -> Option<String> {
    let names: Vec<String> = remaining
        .iter()
        .map(|process| format!("{} (pid {})", visible(&process.command), process.pid))
        .collect();
    match certainty {
        Certainty::Gone => None,
        Certainty::Remaining => Some(format!(
            "SIGKILL did not end all of the command within {} s, because it waits for a device or \
             belongs to another user; still there: {}.",
            KILL_LIMIT.as_secs(),
            names.join(", ")
        )),
        Certainty::Unknown => Some(
            "The command's supervisor did not answer; whether all of the command has ended is not \
             known."
                .to_owned(),
        ),
        Certainty::Lost => Some(
            "The command's supervisor was killed, and the command with it; this was the command's \
             own doing, or somebody's outside."
                .to_owned(),
        ),
    }
}

/// What is said about an output that somebody still holds.
pub(super) fn held_open_notice(finish: Finish) -> &'static str {
    match finish {
        Finish::Exited(_) => {
            "A background process kept the output open after the command had ended; what it \
             writes later is not shown."
        }
        Finish::Stopped(_) => {
            "A process that the command did not start kept the output open when the command was \
             stopped; what it writes later is not shown."
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_survives_a_kill_is_named() {
        let process = |pid, command: &str| Leftover {
            pid,
            command: command.to_owned(),
        };
        let remaining = [process(70, "mount"), process(71, "a\nb")];
        insta::assert_snapshot!(
            certainty_notice(Certainty::Remaining, &remaining).unwrap(),
            @r"SIGKILL did not end all of the command within 2 s, because it waits for a device or belongs to another user; still there: mount (pid 70), a\nb (pid 71)."
        );
    }
}
