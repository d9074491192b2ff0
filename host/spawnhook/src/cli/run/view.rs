//! How a run is shown: as an object, as JSON Lines, as bytes, or live on a terminal.

use std::io;
use std::time::{Duration, Instant};

use spawnhook::message::status;
use spawnhook::wire::ResultObject;
use spawnhook_exec::{Streams, Text};
use spawnhook_model::{Event, Outcome};

use super::super::stream::{self, Form};
use super::super::terminal::Live;
use events::Events;

mod events;

/// How often time is looked at; also the least time between two events of output.
pub(crate) const TICK: Duration = Duration::from_millis(100);

pub(crate) enum View {
    Object,
    Events(Events),
    /// Live where there is a terminal.
    Text(Option<Live>),
}

impl View {
    pub(crate) fn new(form: Form, streams: Streams, text: Text) -> Self {
        match form {
            Form::Object => Self::Object,
            Form::Events => Self::Events(Events::new(text)),
            Form::Text => Self::Text(Live::new(streams)),
        }
    }

    /// An error means that nobody reads any more.
    pub(crate) fn event(&mut self, event: &Event) -> io::Result<()> {
        match (self, event) {
            (Self::Events(events), Event::Started { call, spawn }) => events.start(call, spawn),
            (Self::Events(events), Event::Output(chunk)) => {
                events.take(chunk);
                Ok(())
            }
            (Self::Text(Some(live)), Event::Started { .. }) => {
                live.start();
                Ok(())
            }
            (Self::Text(Some(live)), Event::Output(chunk)) => live.output(chunk),
            (Self::Text(None), Event::Output(chunk)) => stream::write(chunk),
            _ => Ok(()),
        }
    }

    pub(crate) fn tick(&mut self) -> io::Result<()> {
        match self {
            Self::Events(events) => events.flush_if_due(Instant::now()),
            Self::Text(Some(live)) => live.tick(),
            Self::Object | Self::Text(None) => Ok(()),
        }
    }

    pub(crate) fn finished(&mut self, outcome: &Outcome) {
        match self {
            Self::Object => stream::object(&ResultObject::from(outcome)),
            Self::Events(events) => {
                drop(events.end());
                stream::finished(&ResultObject::from(outcome));
            }
            Self::Text(live) => {
                drop(live.as_mut().map(Live::end));
                say_ending(outcome);
            }
        }
    }
}

/// What is not plain from the output and the exit code.
fn say_ending(outcome: &Outcome) {
    for notice in &outcome.notices {
        stream::say(notice);
    }
    if !matches!(outcome.ending, spawnhook_model::Ending::Exited(_))
        && let Some(status) = status(&outcome.ending)
    {
        stream::say(&status);
    }
}
