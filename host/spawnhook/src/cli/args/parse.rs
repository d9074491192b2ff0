//! From a command line to its arguments, and what can be told of one that is wrong.

use std::ffi::OsString;

use clap::Parser;

use super::{AgentHookCommand, Arguments, Command, RunArguments};

/// As [`Parser::try_parse_from`]. What agents start for every command is understood without the
/// others being described, which takes longer than to load a hook.
///
/// # Errors
///
/// As it has them.
pub(crate) fn parse(arguments: Vec<OsString>) -> Result<Arguments, clap::Error> {
    match often_used(arguments.get(1..).unwrap_or_default()) {
        Some(command) => Ok(Arguments { command }),
        None => Arguments::try_parse_from(arguments),
    }
}

/// None where there is anything to say about the arguments.
fn often_used(arguments: &[OsString]) -> Option<Command> {
    match arguments.first()?.to_str()? {
        "run" => RunParser::try_parse_from(arguments)
            .ok()
            .map(|run| Command::Run(run.arguments)),
        "agent-hook" => AgentHookParser::try_parse_from(arguments)
            .ok()
            .map(|hook| Command::AgentHook(hook.command)),
        _ => None,
    }
}

#[derive(Debug, Parser)]
struct RunParser {
    #[command(flatten)]
    arguments: RunArguments,
}

#[derive(Debug, Parser)]
struct AgentHookParser {
    #[command(subcommand)]
    command: AgentHookCommand,
}

/// Whether a command line that could not be parsed may be that of the hook of an agent: also one
/// without a word, which is what old builds of Claude Code make of one with `args`.
pub(crate) fn is_hook(arguments: &[OsString]) -> bool {
    let managed = ["install", "uninstall", "status"];
    let mut own = arguments.iter().skip(1);
    own.next().is_none_or(|first| first == "agent-hook")
        && own
            .next()
            .is_none_or(|second| managed.iter().all(|name| second != name))
}

/// Whether a command line that could not be parsed still asks for an object on stdout.
pub(crate) fn asks_for_object(arguments: &[OsString]) -> bool {
    let own = arguments
        .iter()
        .skip(1)
        .take_while(|argument| *argument != "--");
    let mut own = own.peekable();
    own.next_if(|first| *first == "run").is_some()
        && own.any(|argument| argument == "--json" || argument == "--events")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn the_definition_of_the_arguments_is_sound() {
        use clap::CommandFactory as _;
        Arguments::command().debug_assert();
    }

    #[test]
    fn what_is_often_used_is_understood_as_it_is_among_all() {
        let told = |parsed: Result<Arguments, clap::Error>| match parsed {
            Ok(arguments) => format!("{arguments:?}"),
            Err(error) => error.to_string(),
        };
        for (is_quick, line) in [
            (true, "spawnhook run true"),
            (
                true,
                "spawnhook run --json --timeout 2.5 --env A=b --config x -- echo --json",
            ),
            (
                true,
                "spawnhook run --hook guard:x.wasm --streams separate a b",
            ),
            (true, "spawnhook agent-hook claude --own-process --within 3"),
            (true, "spawnhook agent-hook status gemini"),
            (false, "spawnhook run"),
            (false, "spawnhook run --json --events -- x"),
            (false, "spawnhook run --jsn -- x"),
            (false, "spawnhook run --streams both -- x"),
            (false, "spawnhook run --help"),
            (false, "spawnhook agent-hook"),
            (false, "spawnhook agent-hook clawed"),
            (false, "spawnhook agent-hook codex --help"),
            (false, "spawnhook rpc"),
            (false, "spawnhook --version"),
            (false, "spawnhook"),
        ] {
            let words = words(line);
            assert_eq!(often_used(&words[1..]).is_some(), is_quick, "{line}");
            let among_all = Arguments::try_parse_from(&words);
            assert_eq!(told(parse(words)), told(among_all), "{line}");
        }
    }

    #[test]
    fn an_object_is_asked_for_before_the_command_alone() {
        let asks = |line: &str| asks_for_object(&words(line));
        assert!(asks("spawnhook run --bad --json -- x"));
        assert!(asks("spawnhook run --events"));
        assert!(!asks("spawnhook run -- x --json"));
        assert!(!asks("spawnhook config show --json"));
    }
}
