//! Nothing that a command has started outlives its end, however it has detached itself. Every case
//! first proves by a file that grows that its process lives.

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;
use spawnhook_model::Ending;

use super::harness::*;
use super::host::HOST_ARGUMENT;
use crate::{Canceller, DEFAULT_STOP_GRACE, Leftovers};

/// How much later than its grace a stop may be over: 500 ms, and what a busy machine may add.
const SETTLED_WITHIN: Duration = Duration::from_millis(500 + 3000);

/// What a process does to get away. `BEAT` is the text of a process that tells its pid and then
/// that it lives; what it is started by has to come back.
const CASES: [(&str, &str); 11] = [
    ("plain child", r#"bash -c "$BEAT" &"#),
    ("grandchild", r#"(bash -c "$BEAT" & wait) &"#),
    ("setsid", r#"setsid bash -c "$BEAT" &"#),
    ("double fork", r#"(setsid bash -c "$BEAT" &)"#),
    ("job control", r#"set -m; bash -c "$BEAT" &"#),
    ("nohup", r#"nohup bash -c "$BEAT" >/dev/null 2>&1 &"#),
    (
        "tree that ignores SIGTERM",
        r#"trap '' TERM; bash -c "(trap '' TERM; $BEAT) & trap '' TERM; wait" &"#,
    ),
    (
        "stopped",
        r#"setsid bash -c "$BEAT" & grow; kill -STOP $(cat pids)"#,
    ),
    (
        "endless forks",
        r#"setsid python3 -c "$GENERATIONS" "$PWD" & sleep 0.05"#,
    ),
    (
        "nothing of its own",
        r#"(cd /; exec <&- >&- 2>&-; exec -c -a kworker/0:0 setsid bash -c "$BEAT") &"#,
    ),
    (
        "stopped supervisor",
        r#"setsid bash -c "$BEAT" & grow; kill -STOP $PPID"#,
    ),
];

/// Two hundred processes, each the parent of the next; none lives for longer than two
/// milliseconds or so, except the last.
const GENERATIONS: &str = "
import os, time
for generation in range(200):
    if os.fork():
        os._exit(0)
    open('pids', 'a').write(f'{os.getpid()}\\n')
    open('heartbeat', 'a').write('\\n')
    time.sleep(0.002)
while True:
    open('heartbeat', 'a').write('\\n')
    time.sleep(0.01)
";

/// A command that starts the process of a case, sees it live, and does `then`.
fn script(directory: &Path, start: &str, then: &str) -> String {
    let directory = directory.display();
    format!(
        "export BEAT='echo $$ >>{directory}/pids; while :; do echo >>{directory}/heartbeat; \
         /bin/sleep 0.01; done'\n\
         GENERATIONS=\"{GENERATIONS}\"\n\
         grow() {{ while [ \"$(stat -c %s heartbeat 2>/dev/null || echo 0)\" -lt 3 ]; do \
         sleep 0.01; done; }}\n\
         {start}\ngrow\n{then}\n"
    )
}

struct Trial {
    directory: tempfile::TempDir,
    name: &'static str,
}

impl Trial {
    fn new(name: &'static str) -> Self {
        let directory = tempfile::tempdir().unwrap();
        Self { directory, name }
    }

    fn path(&self) -> &Path {
        self.directory.path()
    }

    fn script(&self, start: &str, then: &str) -> String {
        script(self.path(), start, then)
    }

    fn lives(&self) -> bool {
        self.beats() >= 3
    }

    fn beats(&self) -> u64 {
        fs::metadata(self.path().join("heartbeat")).map_or(0, |file| file.len())
    }

    /// Those that have told their pid, and those whose arguments name the directory, as they all
    /// do: one may not have come to telling.
    fn living(&self) -> Vec<i32> {
        let pids = fs::read_to_string(self.path().join("pids")).unwrap();
        let mut pids: Vec<i32> = pids.lines().map(pid_in).collect();
        let all = crate::sys::processes::all().unwrap().into_iter();
        pids.extend(
            all.map(|process| process.pid)
                .filter(|pid| self.is_argument_of(*pid)),
        );
        pids.retain(|pid| runs(*pid));
        pids
    }

    fn is_argument_of(&self, pid: i32) -> bool {
        let arguments = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&arguments).contains(self.path().to_str().unwrap())
    }

    fn assert_dead(&self) {
        assert!(self.lives(), "{}: it never lived", self.name);
        assert_eq!(self.living(), [] as [i32; 0], "{}", self.name);
        let beats = self.beats();
        let slept = Command::new("sleep").arg("0.06").status().unwrap();
        assert!(slept.success());
        assert_eq!(self.beats(), beats, "{}", self.name);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_survives_a_cancellation() {
    for (name, start) in CASES {
        let trial = Trial::new(name);
        let spawn = spawn_in(trial.path(), &trial.script(start, "sleep 1000"));
        let (canceller, cancel) = Canceller::new();
        let running = tokio::spawn(run_with(spawn, cancel));
        wait_until(name, || trial.lives()).await;
        let start = Instant::now();
        canceller.cancel();
        let (ran, _) = running.await.unwrap();
        let took = start.elapsed();
        assert_eq!(ran.ending, Ending::Cancelled { shell: None }, "{name}");
        assert!(
            took < DEFAULT_STOP_GRACE + SETTLED_WITHIN,
            "{name}: {took:?}"
        );
        assert_eq!(ran.notices, [] as [String; 0], "{name}");
        trial.assert_dead();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_survives_a_time_limit() {
    const LIMIT: f64 = 1.0;
    for (name, start) in CASES {
        let trial = Trial::new(name);
        let mut spawn = spawn_in(trial.path(), &trial.script(start, "sleep 1000"));
        spawn.timeout = timeout(LIMIT);
        let start = Instant::now();
        let (ran, _) = run(spawn).await;
        let took = start.elapsed();
        assert_eq!(ran.ending.name(), "timed-out", "{name}");
        let most = Duration::from_secs_f64(LIMIT) + DEFAULT_STOP_GRACE + SETTLED_WITHIN;
        assert!(took < most, "{name}: {took:?}");
        trial.assert_dead();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_survives_the_end_of_a_command_whose_leftovers_are_killed() {
    for (name, start) in CASES {
        let trial = Trial::new(name);
        let mut spawn = spawn_in(trial.path(), &trial.script(start, "exit 7"));
        spawn.leftovers = Leftovers::Kill;
        let (ran, _) = run(spawn).await;
        assert_eq!(ran.ending, Ending::Exited(7), "{name}");
        assert_eq!(ran.leftovers, [], "{name}");
        trial.assert_dead();
    }
}

const LOST: &str = "The command's supervisor was killed, and the command with it; this was the \
                    command's own doing, or somebody's outside.";

#[tokio::test]
async fn nothing_survives_its_supervisor() {
    let trial = Trial::new("kill -9 $PPID");
    let then = "echo before; kill -9 $PPID; sleep 1000";
    let command = trial.script(r#"setsid bash -c "$BEAT" &"#, then);
    let (ran, text) = run(spawn_in(trial.path(), &command)).await;
    assert_eq!((ran.ending, &*text), (Ending::Signaled(9), "before\n"));
    assert_eq!(ran.notices, [LOST]);
    trial.assert_dead();
}

/// A host as a program of its own, in a group of its own.
struct Host(Child);

impl Host {
    fn start(trial: &Trial, command: &str) -> Self {
        let mut host = Command::new(std::env::current_exe().unwrap());
        host.args([HOST_ARGUMENT.as_ref(), trial.path().as_os_str()])
            .arg(command)
            .stdin(Stdio::null())
            .process_group(0);
        Self(host.spawn().unwrap())
    }

    fn pid(&self) -> Pid {
        Pid::from_raw(i32::try_from(self.0.id()).unwrap())
    }
}

#[test]
fn nothing_survives_the_host_however_it_ends() {
    for (signal, whole_group) in [
        (Signal::SIGTERM, false),
        (Signal::SIGINT, false),
        (Signal::SIGHUP, false),
        (Signal::SIGKILL, false),
        (Signal::SIGKILL, true),
        (Signal::SIGINT, true),
    ] {
        for (name, start) in CASES {
            let trial = Trial::new(name);
            let mut host = Host::start(&trial, &trial.script(start, "sleep 1000"));
            wait_until_sync(name, || trial.lives());
            if whole_group {
                killpg(host.pid(), signal).unwrap();
            } else {
                kill(host.pid(), signal).unwrap();
            }
            let start = Instant::now();
            host.0.wait().unwrap();
            wait_until_sync(name, || trial.living().is_empty());
            let took = start.elapsed();
            assert!(took < SETTLED_WITHIN, "{name}, {signal}: {took:?}");
            trial.assert_dead();
        }
    }
}

#[test]
fn nothing_survives_supervisor_and_spawner_if_the_host_has_forked_it() {
    let trial = Trial::new("both killed");
    let then = "read -r _ _ _ spawner _ </proc/$PPID/stat; kill -9 $spawner $PPID; sleep 1000";
    let command = trial.script(r#"setsid bash -c "$BEAT" &"#, then);
    let mut host = Host::start(&trial, &command);
    // The host exits as its command does.
    assert_eq!(host.0.wait().unwrap().code(), Some(137));
    trial.assert_dead();
}

#[test]
fn commands_go_on_and_others_start_when_the_spawner_dies() {
    let trial = Trial::new("spawner killed");
    let kill = "read -r _ _ _ spawner _ </proc/$PPID/stat; kill -9 $spawner;";
    let command = format!("{kill} echo $PPID >pids; echo >heartbeat; exit 3");
    let mut host = Host::start(&trial, &command);
    assert_eq!(host.0.wait().unwrap().code(), Some(3));
    // The host runs this one afterwards.
    let again = fs::read_to_string(trial.path().join("again")).unwrap();
    assert_eq!(again, "again\n");
    wait_until_sync("the supervisor is gone", || trial.living().is_empty());
}
