//! Questions to the person at the terminal.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, IsTerminal as _, Write as _};
use std::sync::{Arc, Mutex, PoisonError};

use rustix::termios::{QueueSelector, tcflush};
use spawnhook::{Answer, Ask, Question};
use spawnhook_exec::BoxFuture;
use spawnhook_model::SpawnContext;

use super::stream;

mod prompt;

use prompt::Reply;

/// Asks at the terminal that controls this process, never on a stream that data may come from.
#[derive(Debug)]
pub(crate) struct TerminalAsk {
    /// What may run whoever asks about it.
    agreed: Mutex<Vec<SpawnContext>>,
}

impl TerminalAsk {
    /// None where nobody sits at a terminal.
    pub(crate) fn new() -> Option<Self> {
        (io::stdin().is_terminal() && io::stderr().is_terminal()).then(|| Self {
            agreed: Mutex::default(),
        })
    }

    fn agreed(&self) -> std::sync::MutexGuard<'_, Vec<SpawnContext>> {
        self.agreed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ask for TerminalAsk {
    fn ask<'a>(&'a self, question: Question<'a>) -> BoxFuture<'a, Answer> {
        Box::pin(async move {
            if self.agreed().contains(question.spawn) {
                return Answer::Yes;
            }
            let text = prompt::text(&question);
            let mut line = OpenLine(true);
            let answer = tokio::task::spawn_blocking(move || question_at_terminal(&text)).await;
            line.0 = false;
            match answer {
                Ok(Ok(Reply::Always)) => {
                    self.agreed().push(question.spawn.clone());
                    Answer::Yes
                }
                Ok(Ok(Reply::Yes)) => Answer::Yes,
                Ok(Ok(Reply::No)) => Answer::No,
                Ok(Err(_)) | Err(_) => Answer::Nobody("the terminal cannot be asked".to_owned()),
            }
        })
    }
}

/// The line of a question, which is ended if nobody answers any more.
struct OpenLine(bool);

impl Drop for OpenLine {
    fn drop(&mut self) {
        if self.0 {
            stream::to_stderr("\n");
        }
    }
}

fn question_at_terminal(text: &str) -> io::Result<Reply> {
    let mut terminal = OpenOptions::new().read(true).write(true).open("/dev/tty")?;
    // what was typed before the question was there is no answer to it
    tcflush(&terminal, QueueSelector::IFlush)?;
    terminal.write_all(text.as_bytes())?;
    let terminal = Arc::new(terminal);
    loop {
        let line = read_line(&terminal)?;
        match Reply::read(&line) {
            Some(answer) => {
                if !line.ends_with('\n') {
                    (&*terminal).write_all(b"\n")?;
                }
                return Ok(answer);
            }
            None => (&*terminal).write_all(prompt::AGAIN.as_bytes())?,
        }
    }
}

fn read_line(terminal: &Arc<File>) -> io::Result<String> {
    let mut line = String::new();
    BufReader::new(&**terminal).read_line(&mut line)?;
    Ok(line)
}
