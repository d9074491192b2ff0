use spawnhook::deployment::check;
use spawnhook_hooks::Snapshots;

use super::args::ConfigCommand;
use super::{ambient, stream};

pub(crate) fn main(command: ConfigCommand) -> anyhow::Result<()> {
    match command {
        ConfigCommand::Check(file) => {
            let config = ambient::config(&file)?;
            let engine = ambient::engine(Snapshots::Take)?;
            let (hooks, notices) = check(&config, &ambient::builtins(), engine)?;
            let warnings = config.warnings();
            notices
                .iter()
                .chain(&warnings)
                .for_each(|notice| stream::say(notice));
            stream::to_stdout(&format!(
                "the config is valid, and every hook loads: {hooks}\n"
            ));
        }
        ConfigCommand::Show(file) => stream::to_stdout(&ambient::config(&file)?.show()),
    }
    Ok(())
}
