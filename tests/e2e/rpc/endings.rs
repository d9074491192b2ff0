//! Aborts, and the ends of the server.

use std::time::{Duration, Instant};

use serde_json::json;

use super::super::case::wait_until;
use super::super::client::Client;
use super::super::heart::Heart;
use super::super::server::nothing_survives;
use super::{answer, rpc};

/// Settling takes at most the grace and 500 ms; the rest is for a busy machine.
const SETTLES: Duration = Duration::from_millis(250 + 500 + 3000);

#[test]
fn an_abort_ends_the_command_of_its_id_or_all() {
    let heart = Heart::new();
    let mut client = rpc(&heart.machine);
    let way = Heart::command("setsid bash -c \"$B\" & wait");
    client.send(&json!({"id": "heart", "type": "bash", "command": way}));
    for id in ["1", "2"] {
        client
            .send(&json!({"id": id, "type": "bash", "command": format!("touch {id}; sleep 100")}));
        wait_until("it runs", || {
            heart.machine.path(&format!("workspace/{id}")).exists()
        });
    }
    heart.wait_for_life("it");
    let since = Instant::now();
    client.send(&json!({"id": "x", "type": "abort_bash", "bashId": "heart"}));
    assert_eq!(answer(&client, "x")["data"]["aborted"], 1);
    let aborted = answer(&client, "heart");
    assert!(since.elapsed() < SETTLES);
    assert_eq!(aborted["success"], true);
    assert_eq!(aborted["data"]["cancelled"], true);
    assert!(
        !aborted["data"]
            .as_object()
            .unwrap()
            .contains_key("exitCode")
    );
    heart.assert_dead("it");
    client.send(&json!({"id": "x", "type": "abort_bash"}));
    assert_eq!(answer(&client, "x")["data"]["aborted"], 2);
    for id in ["1", "2"] {
        assert_eq!(answer(&client, id)["data"]["cancelled"], true);
    }
}

#[test]
fn an_abort_gets_through_to_a_server_whose_output_nobody_reads() {
    let heart = Heart::new();
    let mut client = Client::without_reading(heart.machine.case(["rpc"]));
    let flood = Heart::command("bash -c \"$B\" & yes");
    client.send(&json!({"id": "1", "type": "bash", "command": flood}));
    for id in 0..2000 {
        client.send(&json!({"id": id, "type": "abort_bash", "bashId": "nobody"}));
    }
    heart.wait_for_life("it");
    client.send(&json!({"type": "abort_bash"}));
    heart.wait_for_death("it");
    client.close_input();
    assert!(client.ended().success());
    let records = heart.machine.audit();
    assert_eq!(records.last().unwrap()["ending"], "cancelled");
}

#[test]
fn nothing_survives_the_end_of_the_server() {
    nothing_survives(|machine, command| {
        let mut client = Client::without_reading(machine.case(["rpc"]));
        client.send(&json!({"type": "bash", "command": command}));
        client
    });
}
