//! How a run is shown: as an object, as JSON Lines, as bytes, or live on a terminal.

use std::io;
use std::time::{Duration, Instant};

use spawnhook::message::status;
use spawnhook::wire::ResultObject;
use spawnhook_exec::{Streams, Text};
use spawnhook_model::{Ending, Event, Outcome};

use super::super::ambient;
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
    pub(crate) fn new(form: Form, streams: Streams, text: Text, fold: bool) -> Self {
        match form {
            Form::Object => Self::Object,
            Form::Events => Self::Events(Events::new(text)),
            Form::Text => Self::Text(Live::new(streams, ambient::terminal(), fold)),
        }
    }

    /// Whether what is printed has all of the output in it.
    pub(crate) fn shows_all(&self) -> bool {
        match self {
            Self::Text(live) => !live.as_ref().is_some_and(Live::folds),
            Self::Object | Self::Events(_) => false,
        }
    }

    /// Whether there is anything to do for an event, or for the passing of time.
    pub(crate) fn has_to_show(&self, event: Option<&Event>) -> bool {
        match self {
            Self::Object => false,
            Self::Text(None) => matches!(event, Some(Event::Output(_))),
            Self::Text(Some(_)) | Self::Events(_) => true,
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
            (Self::Text(Some(live)), Event::Started { call, .. }) => {
                live.start(call.timeout);
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
                for notice in &outcome.notices {
                    stream::say(notice);
                }
                let summary = live.as_ref().and_then(|live| live.summary(outcome));
                if let Some(text) = summary.or_else(|| not_plain(outcome)) {
                    stream::say(&text);
                }
            }
        }
    }
}

/// What the exit code does not tell of an ending.
fn not_plain(outcome: &Outcome) -> Option<String> {
    match &outcome.ending {
        Ending::Exited(_) => None,
        ending => status(ending),
    }
}
