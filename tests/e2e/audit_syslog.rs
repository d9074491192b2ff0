use std::os::unix::net::UnixDatagram;

use super::case::{Machine, PATIENCE};

fn machine() -> Machine {
    let machine = Machine::new();
    let config = format!("audit.syslog = {:?}\n", machine.path("log"));
    std::fs::write(machine.path("config/spawnhook/config.toml"), config).unwrap();
    machine
}

#[test]
fn a_syslog_daemon_gets_every_line_of_the_log() {
    let machine = machine();
    let daemon = UnixDatagram::bind(machine.path("log")).unwrap();
    daemon.set_read_timeout(Some(PATIENCE)).unwrap();
    let object = machine.json("true").object();
    assert_eq!(object["notices"].as_array().unwrap().len(), 0, "{object}");
    let mut bytes = vec![0; 1 << 17];
    for line in machine.audit_lines() {
        let length = daemon.recv(&mut bytes).unwrap();
        let message = std::str::from_utf8(&bytes[..length]).unwrap();
        assert!(message.starts_with("<86>"), "{message}");
        assert!(message.ends_with(&format!("]: {line}")), "{message}");
    }
}

#[test]
fn a_daemon_that_is_gone_costs_one_notice() {
    let machine = machine();
    let object = machine.json("echo ran").object();
    assert_eq!(object["output"], "ran\n");
    let notices = object["notices"].as_array().unwrap();
    assert_eq!(notices.len(), 1, "{notices:?}");
    let notice = notices[0].as_str().unwrap();
    assert!(notice.starts_with("cannot reach syslog at "), "{notice}");
    machine.case(["audit", "verify"]).texts();
}

#[test]
fn a_daemon_that_is_stuck_holds_up_no_command() {
    let machine = machine();
    let daemon = UnixDatagram::bind(machine.path("log")).unwrap();
    let sender = UnixDatagram::unbound().unwrap();
    sender.connect(machine.path("log")).unwrap();
    sender.set_nonblocking(true).unwrap();
    while sender.send(b"x").is_ok() {}
    let object = machine.json("true").object();
    let notices = object["notices"].as_array().unwrap();
    assert!(!notices.is_empty());
    let notice = notices[0].as_str().unwrap();
    assert!(notice.starts_with("cannot send a record of "), "{notice}");
    drop(daemon);
}
