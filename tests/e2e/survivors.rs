//! Nothing of a command survives its end: however it detached itself, and whatever became of the
//! host.

use std::fs;
use std::os::unix::process::CommandExt as _;
use std::process::Child;
use std::thread;
use std::time::{Duration, Instant};

use super::case::wait_until;
use super::heart::{Heart, signal_to};

/// Settling takes at most the grace and 500 ms; the rest is for a busy machine.
const SETTLES: Duration = Duration::from_millis(250 + 500 + 3000);

/// How descendants detach themselves. `$B` beats.
const WAYS: [(&str, &str); 9] = [
    (
        "keeps forking",
        "f() { echo >> \"$W/beat\"; [ $1 -gt 0 ] && { sleep 0.02; f $(($1 - 1)) & }; }; f 200; sleep 100",
    ),
    ("plain child", "bash -c \"$B\" & wait"),
    ("grandchild", "bash -c 'bash -c \"$B\" & wait' & wait"),
    ("setsid", "setsid bash -c \"$B\" & wait"),
    (
        "double fork",
        "(setsid bash -c '(bash -c \"$B\" &) ; exit' &) ; sleep 100",
    ),
    ("jobs of set -m", "set -m; bash -c \"$B\" & sleep 100"),
    ("nohup", "nohup bash -c \"$B\" >/dev/null 2>&1 & sleep 100"),
    (
        "stopped",
        "bash -c 'trap \"\" TERM; bash -c \"$B\" & sleep 0.5; kill -STOP $$' & wait",
    ),
    (
        "nothing to know it by",
        "setsid env -i B=\"$B\" W=\"$W\" bash -c 'cd /; exec -a other bash -c \"$B\"' <&- >&- 2>&- & sleep 100",
    ),
];

/// Each way in a thread of its own: most of them wait.
fn each_way(check: impl Fn(&str, &str) + Sync) {
    for part in WAYS.chunks(3) {
        thread::scope(|scope| {
            for (name, way) in part {
                scope.spawn(|| check(name, way));
            }
        });
    }
}

#[test]
fn nothing_survives_a_timeout() {
    each_way(|name, way| {
        // Again if the machine was too busy to tell how long it takes.
        let took = (0..3).map(|_| time_out(name, way));
        let soon = |took: &Duration| *took < Duration::from_millis(1500) + SETTLES;
        assert!(took.into_iter().any(|took| soon(&took)), "{name}");
    });
}

/// How long a command takes with a limit of 1.5 s.
fn time_out(name: &str, way: &str) -> Duration {
    let heart = Heart::new();
    let started = Instant::now();
    let command = Heart::command(way);
    let case = heart.machine.json(&command).with(&["--timeout", "1.5"]);
    let object = case.code(124).object();
    let took = started.elapsed();
    assert_eq!(object["ending"], "timed-out", "{name}");
    assert!(heart.beats() > 2, "{name} never lived");
    heart.assert_dead(name);
    took
}

#[test]
fn nothing_survives_a_signal_to_the_host() {
    for signal in ["-INT", "-TERM", "-HUP"] {
        each_way(|name, way| {
            let heart = Heart::new();
            let child = heart.machine.json(&Heart::command(way)).start();
            heart.wait_for_life(name);
            signal_to(signal, &child.id().to_string());
            assert_eq!(ended(child), Some(130), "{name} {signal}");
            heart.assert_dead(name);
        });
    }
}

#[test]
fn nothing_survives_the_death_of_the_host() {
    each_way(|name, way| {
        let heart = Heart::new();
        let child = heart.machine.json(&Heart::command(way)).start();
        heart.wait_for_life(name);
        signal_to("-KILL", &child.id().to_string());
        assert_eq!(ended(child), None, "{name}");
        heart.wait_for_death(name);
    });
}

#[test]
fn nothing_survives_a_kill_or_an_interrupt_of_the_host_s_whole_group() {
    for signal in ["-KILL", "-INT"] {
        each_way(|name, way| {
            let heart = Heart::new();
            let mut command = heart.machine.json(&Heart::command(way)).into_command();
            let child = command.process_group(0).spawn().unwrap();
            heart.wait_for_life(name);
            signal_to(signal, &format!("-{}", child.id()));
            ended(child);
            heart.wait_for_death(&format!("{name} after {signal}"));
        });
    }
}

#[test]
fn nothing_survives_the_death_of_its_supervisor() {
    for (name, kill) in [
        ("supervisor", "kill -9 $PPID"),
        (
            "supervisor and spawner",
            "kill -9 $(cut -d' ' -f4 /proc/$PPID/stat) $PPID",
        ),
    ] {
        let heart = Heart::new();
        let way = format!("setsid bash -c \"$B\" & sleep 0.5; {kill}; sleep 100");
        let object = heart.machine.json(&Heart::command(&way)).code(137).object();
        assert_eq!(object["ending"], "signaled", "{name}");
        assert!(heart.beats() > 2, "{name}: it never lived");
        heart.assert_dead(name);
    }
}

#[test]
fn leftovers_end_with_the_command_where_they_are_to_be_killed() {
    for (name, way) in [
        ("child", "bash -c \"$B\" & sleep 0.5"),
        (
            "setsid",
            "setsid bash -c \"$B\" >/dev/null 2>&1 & sleep 0.5",
        ),
    ] {
        let heart = Heart::new();
        let case = heart.machine.json(&Heart::command(way));
        let object = case.with(&["--leftovers", "kill"]).object();
        assert_eq!(object["ending"], "exited", "{name}");
        assert!(heart.beats() > 2, "{name} never lived");
        heart.assert_dead(name);
    }
}

#[test]
fn leftovers_live_on_where_they_are_kept_and_are_named() {
    let heart = Heart::new();
    let way = "bash -c \"$B\" & echo $! > pid; sleep 0.5";
    let object = heart.machine.json(&Heart::command(way)).object();
    let pid = fs::read_to_string(heart.machine.path("workspace/pid")).unwrap();
    let pid: u32 = pid.trim().parse().unwrap();
    let named = object["leftovers"].as_array().unwrap();
    assert!(named.iter().any(|left| left["pid"] == pid), "{named:?}");
    let beats = heart.beats();
    wait_until("it beats on", || heart.beats() > beats);
    signal_to("-KILL", &pid.to_string());
}

/// The exit code, once the host has ended; none if a signal ended it.
fn ended(child: Child) -> Option<i32> {
    child.wait_with_output().unwrap().status.code()
}
