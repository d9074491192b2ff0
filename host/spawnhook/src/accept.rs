//! From a request to the facts and the context of a call: everything that is settled before any
//! hook.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use spawnhook_exec::{Invocation, Leftovers, Stdin, Streams, Text, random_u64};
use spawnhook_model::{Call, HookReport, Origin, SpawnContext, Timeout};

use crate::ask::Ask;
use crate::causes::one_line;
use crate::config::CwdPolicy;
use crate::env_policy::{self, Inherited};
use crate::host::Parts;
use crate::request::{ExecRequest, Keep, RequestError, check_command, check_env};
use crate::ticket::Settled;
use crate::wrapping::Wrapping;

/// A request that can run, as far as the host is concerned.
pub(crate) struct Accepted {
    pub(crate) call: Arc<Call>,
    pub(crate) spawn: SpawnContext,
    pub(crate) invocation: Invocation,
    /// What goes around the command again, once hooks have agreed to it.
    pub(crate) wrapping: Option<Wrapping>,
    pub(crate) env_removed: Vec<String>,
    pub(crate) handling: Handling,
    pub(crate) notices: Vec<String>,
    pub(crate) ask: Option<Arc<dyn Ask>>,
    pub(crate) before: Before,
}

/// What another process has done about a command.
pub(crate) enum Before {
    /// Nothing.
    Nothing,
    /// Its rewrite stage, with these reports.
    Rewritten(Vec<HookReport>),
    /// It was to have done something, but for this reason nobody can rely on it.
    Refused(String),
}

/// A command as it comes to its first hook of this process.
struct Begun {
    id: String,
    requested: String,
    prefix: String,
    spawn: SpawnContext,
    wrapping: Option<Wrapping>,
    env_removed: Vec<String>,
    before: Before,
}

/// How a command's streams, its output and what it leaves are treated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Handling {
    pub(crate) stdin: Stdin,
    pub(crate) streams: Streams,
    pub(crate) text: Text,
    pub(crate) keep: Keep,
    pub(crate) leftovers: Leftovers,
}

impl Parts {
    pub(crate) fn accept(&self, request: ExecRequest) -> Result<Accepted, RequestError> {
        check_command(&request.command)?;
        check_env(&request.env)?;
        let (timeout, lowered) = self.timeout(request.timeout)?;
        let (leftovers, forbidden) = self.leftovers(request.leftovers, &request.origin);
        let begun = match request.ticket.clone() {
            None => self.begin(&request, Before::Nothing)?,
            Some(Err(error)) => self.begin(&request, Before::Refused(one_line(&error)))?,
            Some(Ok(settled)) => self.go_on(*settled),
        };
        let call = Arc::new(Call {
            id: begun.id,
            origin: request.origin,
            requested: begun.requested,
            prefix: begun.prefix,
            workspace: self.config.workspace.root.clone(),
            timeout: Some(timeout),
            started: SystemTime::now(),
            session: request.session,
        });
        let mut notices = self.take_start_notices();
        notices.extend(lowered.into_iter().chain(forbidden));
        Ok(Accepted {
            call,
            spawn: begun.spawn,
            invocation: request.invocation,
            wrapping: begun.wrapping,
            env_removed: begun.env_removed,
            handling: Handling {
                stdin: request.stdin,
                streams: request.streams,
                text: request.text,
                keep: request.keep,
                leftovers,
            },
            notices,
            ask: request.ask.or_else(|| self.ask.clone()),
            before: begun.before,
        })
    }

    fn begin(&self, request: &ExecRequest, before: Before) -> Result<Begun, RequestError> {
        let cwd = self.requested_cwd(request.cwd.as_deref())?;
        let inherited = self.environment_of(request);
        let prefix = match self.config.shell.prefix.as_str() {
            "" => String::new(),
            prefix => format!("{prefix}\n"),
        };
        let wrapped = Wrapping::of(&request.wrapped_by, &request.command);
        let (wrapping, inner) = wrapped.unzip();
        let command = inner.as_ref().unwrap_or(&request.command);
        Ok(Begun {
            id: new_id(),
            requested: request.command.clone(),
            spawn: SpawnContext {
                command: format!("{prefix}{command}"),
                cwd,
                env: inherited.env,
            },
            wrapping,
            prefix,
            env_removed: inherited.removed,
            before,
        })
    }

    /// Where another process has left off.
    fn go_on(&self, settled: Settled) -> Begun {
        Begun {
            id: settled.call,
            requested: settled.requested,
            prefix: settled.prefix,
            env_removed: env_policy::removed(&self.environment, &settled.spawn.env),
            spawn: settled.spawn,
            wrapping: None,
            before: Before::Rewritten(settled.reports),
        }
    }

    /// What the policy lets through, then the session's variables, then the request's own.
    fn environment_of(&self, request: &ExecRequest) -> Inherited {
        let mut inherited = env_policy::inherit(&self.config.env, &self.environment);
        env_policy::session_variables(&self.config.session, &request.session, &mut inherited.env);
        for (name, value) in &request.env {
            match value {
                Some(value) => inherited.env.set(name, value),
                None => inherited.env.unset(name),
            };
        }
        inherited.removed = env_policy::removed(&self.environment, &inherited.env);
        inherited
    }

    /// The limit that applies, and a notice if it is lower than what was asked for.
    fn timeout(&self, asked: Option<f64>) -> Result<(Timeout, Option<String>), RequestError> {
        let limits = &self.config.limits;
        let Some(seconds) = asked else {
            return Ok((limits.default_timeout, None));
        };
        let asked = Timeout::from_seconds(seconds)?;
        let most = limits.max_timeout;
        Ok(if asked > most {
            let notice = format!(
                "timeout lowered from {asked} to {most} seconds, the most that this deployment allows"
            );
            (most, Some(notice))
        } else {
            (asked, None)
        })
    }

    /// What becomes of leftovers, and a notice if it is not what was asked for.
    fn leftovers(&self, asked: Option<Leftovers>, origin: &Origin) -> (Leftovers, Option<String>) {
        let most = self.config.limits.leftovers.unwrap_or(Leftovers::Keep);
        let wanted = asked.unwrap_or(match origin {
            // as a shell would: an agent with its own process is in the place of one
            Origin::Cli | Origin::Shell | Origin::Agent(_) => Leftovers::Keep,
            _ => Leftovers::Session,
        });
        let notice = asked.filter(|asked| *asked > most).map(|asked| {
            format!("leftovers are not left to `{asked}`, since this deployment says `{most}`")
        });
        (wanted.min(most), notice)
    }

    /// The directory of a request, checked before any hook sees it.
    pub(crate) fn requested_cwd(&self, asked: Option<&Path>) -> Result<PathBuf, RequestError> {
        let workspace = &self.config.workspace;
        let cwd = match asked {
            None => workspace.root.clone(),
            Some(asked) => workspace.root.join(asked),
        };
        if workspace.cwd == CwdPolicy::Fixed && cwd != workspace.root {
            return Err(RequestError::CwdFixed {
                root: workspace.root.clone(),
                asked: cwd,
            });
        }
        self.open_cwd(&cwd)?;
        Ok(cwd)
    }
}

/// 16 random hex digits.
fn new_id() -> String {
    let number = random_u64().expect("the system has random numbers");
    format!("{number:016x}")
}
