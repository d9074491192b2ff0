use spawnhook_exec::{LaterOutput, visible};
use spawnhook_model::Output;

use crate::pump::Pump;

/// Has what the command's leftovers write later go on into the file of its output, if one is
/// wanted. Returns whether it does.
pub(super) fn keep(later: LaterOutput, pump: &mut Pump) -> bool {
    let file = pump.hand_over();
    if let Some(file) = &file {
        later.keep_in(file);
    }
    file.is_some()
}

/// What is said about an output that goes on.
pub(super) fn notice(kept: bool, output: &Output) -> String {
    let what_follows = match &output.full_output {
        Some(file) if kept => format!("goes on into {}", visible(&file.display().to_string())),
        _ => "is not shown".to_owned(),
    };
    format!(
        "A background process kept the output open after the command had ended; what it writes \
         later {what_follows}."
    )
}
