//! What tools answer: text for the model, and an object for programs.

use rmcp::model::{CallToolResult, ContentBlock};
use schemars::JsonSchema;
use serde::Serialize;
use spawnhook::message::{message, status};
use spawnhook::wire::{NoOutcome, ResultObject, Running};
use spawnhook_exec::truncate_tail;
use spawnhook_model::OutputLimits;

use super::job::{End, Job};

/// What `bash` answers.
#[derive(Serialize, JsonSchema)]
pub(super) struct BashObject {
    #[serde(flatten)]
    result: ResultObject,
    /// What `bash_output` and `bash_kill` know the command by, if it is still running.
    handle: Option<String>,
}

/// What `bash_output` and `bash_kill` answer.
#[derive(Serialize, JsonSchema)]
pub(super) struct OutputObject {
    handle: String,
    /// Whether the command is still running.
    running: bool,
    /// What it has written from the cursor on, without control characters.
    output: String,
    /// Where to read on.
    cursor: u64,
    /// Bytes between the cursor that was asked for and the output, which are not kept any more.
    skipped_bytes: u64,
    /// What `bash` would have answered, once the command has ended.
    result: Option<ResultObject>,
}

/// What `bash_list` answers.
#[derive(Serialize, JsonSchema)]
pub(super) struct ListObject {
    calls: Vec<ListedObject>,
}

/// A command that can be asked about.
#[derive(Serialize, JsonSchema)]
struct ListedObject {
    handle: String,
    /// As it was asked for.
    command: String,
    cwd: String,
    /// How it ended; null while it is running.
    ending: Option<&'static str>,
    /// Since it was asked for.
    seconds: f64,
    /// Bytes that it has written.
    output_bytes: u64,
}

/// A failed command is an error, and so is a call that the host could not carry out.
pub(super) fn finished(end: &End) -> CallToolResult {
    let (text, result) = match end {
        Ok(outcome) => (message(outcome), ResultObject::from(&**outcome)),
        Err(error) => (error.clone(), lost(error)),
    };
    let is_error = result.is_error();
    let handle = None;
    answer(text, &BashObject { result, handle }, is_error)
}

/// A command that is still running, and what the client can do about it.
pub(super) fn running(job: &Job, limits: OutputLimits) -> CallToolResult {
    let tail = truncate_tail(&job.tail(2 * limits.max_bytes), limits).text;
    let seconds = job.asked.elapsed().as_secs();
    let handle = &job.handle;
    let note = format!(
        "[Still running after {seconds} seconds, as `{handle}`: `bash_output` tells what it \
         writes and how it ends, `bash_kill` ends it]"
    );
    let text = match tail.trim() {
        "" => note.clone(),
        _ => format!("{tail}\n\n{note}"),
    };
    let object = BashObject {
        result: ResultObject::running(Running {
            spawned: job.spawned().map(|spawned| (spawned.call, spawned.spawn)),
            output: tail,
            took: job.asked.elapsed(),
            message: text.clone(),
        }),
        handle: Some(handle.clone()),
    };
    answer(text, &object, false)
}

/// What a command has written from `cursor` on, or since it was last asked.
pub(super) fn output(job: &Job, cursor: Option<u64>, limits: OutputLimits) -> CallToolResult {
    // Before its output, which nothing is added to once it has ended.
    let end = job.ended();
    let piece = job.read(cursor, limits.max_bytes);
    let mut parts = Vec::new();
    if piece.skipped_bytes > 0 {
        let skipped = piece.skipped_bytes;
        parts.push(format!(
            "[{skipped} bytes before this are not kept any more]"
        ));
    }
    if !piece.text.is_empty() {
        parts.push(piece.text.clone());
    }
    parts.push(match &end {
        _ if piece.cursor < job.progress().bytes => "[There is more: ask again]".to_owned(),
        None => "[Still running]".to_owned(),
        Some(Ok(outcome)) => {
            status(&outcome.ending).unwrap_or_else(|| "Command exited with code 0".to_owned())
        }
        Some(Err(error)) => error.clone(),
    });
    let result = end.map(|end| match end {
        Ok(outcome) => ResultObject::from(&*outcome),
        Err(error) => lost(&error),
    });
    let object = OutputObject {
        handle: job.handle.clone(),
        running: result.is_none(),
        output: piece.text,
        cursor: piece.cursor,
        skipped_bytes: piece.skipped_bytes,
        result,
    };
    answer(parts.join("\n\n"), &object, false)
}

pub(super) fn list<'a>(jobs: impl Iterator<Item = &'a Job>) -> CallToolResult {
    let calls: Vec<_> = jobs.map(listed).collect();
    let lines: Vec<_> = calls
        .iter()
        .map(|call| {
            let ending = call.ending.unwrap_or("running");
            let first = call.command.lines().next().unwrap_or_default();
            format!("{}: {ending}, {:.0} s: {first}", call.handle, call.seconds)
        })
        .collect();
    let text = match lines.as_slice() {
        [] => "No command is running.".to_owned(),
        lines => lines.join("\n"),
    };
    answer(text, &ListObject { calls }, false)
}

/// A call that cannot be carried out as it was made.
pub(super) fn refused(error: impl ToString) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(error.to_string())])
}

fn listed(job: &Job) -> ListedObject {
    ListedObject {
        handle: job.handle.clone(),
        command: job.requested.clone(),
        cwd: job.cwd.display().to_string(),
        ending: job.ended().map(|end| match end {
            Ok(outcome) => outcome.ending.name(),
            Err(_) => NoOutcome::HostFailed.name(),
        }),
        seconds: (job.asked.elapsed().as_secs_f64() * 10.0).round() / 10.0,
        output_bytes: job.progress().bytes,
    }
}

fn lost(error: &str) -> ResultObject {
    ResultObject::without_outcome(NoOutcome::HostFailed, error.to_owned())
}

fn answer(text: String, object: &impl Serialize, is_error: bool) -> CallToolResult {
    let content = vec![ContentBlock::text(text)];
    let mut answer = if is_error {
        CallToolResult::error(content)
    } else {
        CallToolResult::success(content)
    };
    let object = serde_json::to_value(object).expect("invariant: it is plain data");
    answer.structured_content = Some(object);
    answer
}
