use spawnhook::deployment::check;

use super::args::ConfigCommand;
use super::{ambient, stream};

pub(crate) fn main(command: ConfigCommand) -> anyhow::Result<()> {
    match command {
        ConfigCommand::Check(file) => {
            let hooks = check(&ambient::config(&file)?, &ambient::builtins())?;
            stream::to_stdout(&format!(
                "the config is valid, and every hook loads: {hooks}\n"
            ));
        }
        ConfigCommand::Show(file) => stream::to_stdout(&ambient::config(&file)?.show()),
    }
    Ok(())
}
