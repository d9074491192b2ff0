use spawnhook::Host;

use super::args::ConfigCommand;
use super::{ambient, stream};

pub(crate) fn main(command: ConfigCommand) -> anyhow::Result<()> {
    match command {
        ConfigCommand::Check(file) => {
            let host = Host::builder(ambient::config(&file)?, ambient::environment())
                .builtins(ambient::builtins())
                .build()?;
            stream::to_stdout(&format!(
                "the config is valid, and every hook loads: {}\n",
                host.hook_count()
            ));
        }
        ConfigCommand::Show(file) => stream::to_stdout(&ambient::config(&file)?.show()),
    }
    Ok(())
}
