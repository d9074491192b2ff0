use std::fs;

use anyhow::Context as _;
use spawnhook::session_file::Conversation;

use super::args::ContextArguments;
use super::stream;

pub(crate) fn main(arguments: &ContextArguments) -> anyhow::Result<()> {
    let file = arguments.file.display();
    let text = fs::read_to_string(&arguments.file)
        .with_context(|| format!("cannot read the session file {file}"))?;
    let conversation =
        Conversation::parse(&text).with_context(|| format!("{file} is no session file"))?;
    if conversation.is_torn {
        stream::say(&format!(
            "the last line of {file} has no end and is left out"
        ));
    }
    let messages: Vec<_> = conversation.messages().collect();
    if !messages.is_empty() {
        stream::to_stdout(&format!("{}\n", messages.join("\n\n")));
    }
    Ok(())
}
