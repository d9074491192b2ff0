use anyhow::Context as _;
use spawnhook::authoring::scaffold::create;

use super::Verdict;
use super::arguments::NewArguments;
use crate::cli::ambient::NO_CURRENT_DIRECTORY;
use crate::cli::stream;

pub(super) fn main(arguments: &NewArguments) -> anyhow::Result<Verdict> {
    let current = std::env::current_dir().context(NO_CURRENT_DIRECTORY)?;
    create(&current, &arguments.name, arguments.lang.into())?;
    let name = &arguments.name;
    stream::to_stdout(&format!(
        "{name} is a hook that builds and passes its test; {name}/README.md has the commands\n"
    ));
    Ok(Verdict::Good)
}
