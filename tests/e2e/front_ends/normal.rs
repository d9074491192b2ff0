//! What is told and recorded of a command, without what is another thing in every run.

use serde_json::{Value, json};

use super::Machine;

/// Without numbers, times, hashes and the id.
pub(super) fn records(machine: &Machine, records: Vec<Value>) -> Vec<Value> {
    let records = records.into_iter().map(|mut record| {
        for member in ["seq", "time", "call", "prev"] {
            assert!(remove(&mut record, member), "{member}: {record}");
        }
        for member in ["origin", "duration_ms"] {
            remove(&mut record["entry"], member);
        }
        nowhere(machine, &record)
    });
    records.collect()
}

/// As records of a command are of which nobody knows what it wrote.
pub(super) fn without_output(records: &[Value]) -> Vec<Value> {
    let mut records = records.to_vec();
    for entry in records.iter_mut().map(|record| &mut record["entry"]) {
        if entry.get("output_bytes").is_some() {
            entry["output_bytes"] = Value::Null;
            entry["output_lines"] = Value::Null;
            entry["truncated"] = json!(false);
        }
    }
    records
}

/// Without times, hashes, pids, and the path of a file.
pub(super) fn object(machine: &Machine, mut object: Value) -> Value {
    for member in ["id", "wall_time_seconds", "audit", "handle"] {
        remove(&mut object, member);
    }
    for hook in object["hooks"].as_array_mut().unwrap() {
        remove(hook, "micros");
    }
    for leftover in object["leftovers"].as_array_mut().unwrap() {
        remove(leftover, "pid");
    }
    if let Some(path) = object["full_output_path"].as_str().map(str::to_owned) {
        object["full_output_path"] = json!("FILE");
        let message = object["message"].as_str().unwrap().replace(&path, "FILE");
        object["message"] = json!(message);
    }
    nowhere(machine, &object)
}

fn remove(object: &mut Value, member: &str) -> bool {
    object
        .as_object_mut()
        .and_then(|members| members.remove(member))
        .is_some()
}

/// With `WORKSPACE` for the folder that it is about.
fn nowhere(machine: &Machine, value: &Value) -> Value {
    let workspace = machine.workspace().display().to_string();
    let text = value.to_string().replace(&workspace, "WORKSPACE");
    serde_json::from_str(&text).unwrap()
}
