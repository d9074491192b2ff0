//! When the agent goes, so does what it has started, whichever front end it talks to.

use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use serde_json::json;

use super::super::case::{Machine, wait_until};
use super::super::heart::{Heart, STILL, signal_to};

/// A descendant that no signal to a group reaches and that no polite one ends.
const WAY: &str = "setsid bash -c \"$B\" & wait";

/// What is left of an agent that was killed must be gone by then; the rest is for a busy machine
/// and for seeing that nothing beats.
const GONE: Duration = Duration::from_millis(1000 + 3000);

/// Starts a front end as an agent would that is a process of its own: `$0` is the program. What
/// the agent says to it comes from a pipe that nobody else holds.
fn agent(machine: &Machine, arguments: &[&str], says: &str) -> Child {
    let folder = machine.path("tmp").display().to_string();
    let script = format!(
        "mkfifo '{folder}/input'; exec 3<>'{folder}/input'; printf '%s' \"$SAYS\" >&3; \
         \"$0\" \"$@\" <'{folder}/input' 3>&- >/dev/null; :"
    );
    let case = machine.case(arguments).env("SAYS", says);
    // `under` would have the program take the agent's place.
    let command = case.into_command();
    let mut agent = Command::new("env");
    agent.args(["--default-signal=INT,HUP,TERM", "bash", "-c", &script]);
    agent.args(command.get_args().skip(1));
    agent
        .current_dir(command.get_current_dir().unwrap())
        .env_clear();
    for (name, value) in command.get_envs() {
        agent.env(name, value.unwrap());
    }
    agent.spawn().unwrap()
}

fn rpc(command: &str) -> String {
    json!({"id": "1", "type": "bash", "command": command}).to_string() + "\n"
}

fn mcp(command: &str) -> String {
    let initialize = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }});
    let initialized =
        json!({"jsonrpc": "2.0", "method": "notifications/initialized", "params": {}});
    let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {
        "name": "bash", "arguments": {"command": command},
    }});
    format!("{initialize}\n{initialized}\n{call}\n")
}

#[test]
fn nothing_survives_an_agent_that_is_killed() {
    let command = Heart::command(WAY);
    for (front_end, arguments, says) in [
        ("shell", vec!["-c", &command], String::new()),
        (
            "run",
            vec!["run", "--die-with-parent", "--", &command],
            String::new(),
        ),
        ("rpc", vec!["rpc"], rpc(&command)),
        ("mcp", vec!["mcp"], mcp(&command)),
    ] {
        // Again if the machine was too busy to tell how long it takes.
        let mut took = (0..3).map(|_| kill_agent(front_end, &arguments, &says));
        assert!(took.any(|took| took < GONE + 2 * STILL), "{front_end}");
    }
}

/// How long what its command has started outlives an agent, and the time to see that it does not.
fn kill_agent(front_end: &str, arguments: &[&str], says: &str) -> Duration {
    let heart = Heart::new();
    let mut agent = agent(&heart.machine, arguments, says);
    heart.wait_for_life(front_end);
    signal_to("-KILL", &agent.id().to_string());
    let killed = Instant::now();
    agent.wait().unwrap();
    heart.wait_for_death(front_end);
    let took = killed.elapsed();
    let recorded = || heart.machine.audit().last().unwrap()["ending"] == "cancelled";
    wait_until("it is recorded", recorded);
    took
}

#[test]
fn run_goes_on_when_whoever_started_it_is_gone() {
    let machine = Machine::new();
    let command = "echo > started; until [ -e go ]; do sleep 0.02; done; echo > done";
    let mut agent = agent(&machine, &["run", "--", command], "");
    let exists = |name: &str| machine.path("workspace").join(name).exists();
    wait_until("it has started", || exists("started"));
    signal_to("-KILL", &agent.id().to_string());
    agent.wait().unwrap();
    fs::write(machine.path("workspace/go"), "").unwrap();
    wait_until("it is done", || exists("done"));
}

#[test]
fn run_goes_on_under_nohup_when_its_terminal_is_gone() {
    let machine = Machine::new();
    let command = "echo > started; until [ -e go ]; do sleep 0.02; done; echo > done";
    let case = machine.run(command).under("trap '' HUP");
    let mut child = case.start();
    let exists = |name: &str| machine.path("workspace").join(name).exists();
    wait_until("it has started", || exists("started"));
    signal_to("-HUP", &child.id().to_string());
    fs::write(machine.path("workspace/go"), "").unwrap();
    wait_until("it is done", || exists("done"));
    assert!(child.wait().unwrap().success());
}

#[test]
fn nothing_survives_the_shell_itself() {
    for signal in ["-KILL", "-TERM", "-HUP"] {
        let heart = Heart::new();
        let mut shell = heart.machine.shell(&Heart::command(WAY)).start();
        heart.wait_for_life(signal);
        signal_to(signal, &shell.id().to_string());
        shell.wait().unwrap();
        heart.wait_for_death(signal);
    }
}

#[test]
fn nothing_survives_a_shell_whose_output_nobody_reads() {
    let heart = Heart::new();
    let way = "setsid bash -c \"$B\" & while :; do echo more || exit; done";
    let mut command = heart.machine.shell(&Heart::command(way)).into_command();
    let mut shell = command.spawn().unwrap();
    heart.wait_for_life("closed output");
    // As under bash: whoever writes is told, and the shell ends with it. What it has left lives on.
    drop(shell.stdout.take());
    assert_eq!(shell.wait().unwrap().signal(), Some(13));
    let beats = heart.beats();
    wait_until("it beats on", || heart.beats() > beats);
    heart.stop();
}

#[test]
fn what_a_command_leaves_outlives_the_agent_if_it_was_let_go() {
    let heart = Heart::new();
    let way = "setsid bash -c \"$B\" >/dev/null 2>&1 <&1 & echo $! > pid; until [ -s beat ]; do sleep 0.01; done";
    let mut agent = agent(&heart.machine, &["-c", &Heart::command(way)], "");
    agent.wait().unwrap();
    let beats = heart.beats();
    wait_until("it beats on", || heart.beats() > beats);
    heart.stop();
}
