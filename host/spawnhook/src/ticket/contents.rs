//! A ticket as it stands in its file.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use spawnhook_model::{
    Failure, FailureClass, Field, HookReport, HookResult, Session, SpawnContext, Stage,
};

use super::{DeploymentNames, Settled, Ticket};

/// Paths and variables are texts of the system, which need not be UTF-8.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Contents {
    /// Random, so that no two tickets have one name.
    pub(super) nonce: u64,
    /// Milliseconds of Unix time.
    pub(super) expires: u64,
    agent: String,
    call: String,
    requested: String,
    prefix: String,
    command: String,
    cwd: OsString,
    env: Vec<(OsString, OsString)>,
    reports: Vec<Report>,
    questions: Vec<(String, String)>,
    agent_cwd: OsString,
    timeout: Option<f64>,
    session: Vec<(String, String)>,
    start_directory: OsString,
    config: Option<OsString>,
    hooks: Vec<OsString>,
}

/// What a rewrite hook did.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Report {
    name: String,
    micros: u64,
    result: String,
    failure: Option<(String, String)>,
    changed: Vec<String>,
    notices: Vec<String>,
}

impl Contents {
    pub(super) fn new(ticket: &Ticket, nonce: u64, expires: u64) -> Self {
        let settled = &ticket.settled;
        let env = settled.spawn.env.iter();
        let facts = Session::FACTS.into_iter();
        let session = facts.filter_map(|name| Some((name, ticket.session.fact(name)?)));
        Self {
            nonce,
            expires,
            agent: ticket.agent.clone(),
            call: settled.call.clone(),
            requested: settled.requested.clone(),
            prefix: settled.prefix.clone(),
            command: settled.spawn.command.clone(),
            cwd: settled.spawn.cwd.clone().into(),
            env: env
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
            reports: settled.reports.iter().map(Report::new).collect(),
            questions: settled.questions.clone(),
            agent_cwd: ticket.cwd.clone().into(),
            timeout: ticket.timeout,
            session: session
                .map(|(name, fact)| (name.to_owned(), fact.to_owned()))
                .collect(),
            start_directory: ticket.deployment.start_directory.clone().into(),
            config: ticket.deployment.config.clone().map(OsString::from),
            hooks: ticket.deployment.hooks.clone(),
        }
    }

    /// None if a name in it is not known here.
    pub(super) fn ticket(self) -> Option<Ticket> {
        let mut session = Session::default();
        for (name, fact) in self.session {
            *session.fact_mut(&name)? = Some(fact);
        }
        let reports = self.reports.into_iter().map(Report::report);
        Some(Ticket {
            agent: self.agent,
            cwd: PathBuf::from(self.agent_cwd),
            settled: Settled {
                call: self.call,
                requested: self.requested,
                prefix: self.prefix,
                spawn: SpawnContext {
                    command: self.command,
                    cwd: PathBuf::from(self.cwd),
                    env: self.env.into_iter().collect(),
                },
                reports: reports.collect::<Option<_>>()?,
                questions: self.questions,
            },
            timeout: self.timeout,
            session,
            deployment: DeploymentNames {
                start_directory: PathBuf::from(self.start_directory),
                config: self.config.map(PathBuf::from),
                hooks: self.hooks,
            },
        })
    }
}

impl Report {
    fn new(report: &HookReport) -> Self {
        let failure = match &report.result {
            HookResult::Skipped(failure) => {
                Some((failure.class.name().to_owned(), failure.message.clone()))
            }
            _ => None,
        };
        Self {
            name: report.name.clone(),
            micros: u64::try_from(report.took.as_micros()).unwrap_or(u64::MAX),
            result: report.result.name().to_owned(),
            failure,
            changed: report
                .changed
                .iter()
                .map(|field| field.name().to_owned())
                .collect(),
            notices: report.notices.clone(),
        }
    }

    fn report(self) -> Option<HookReport> {
        let result = match (self.result.as_str(), self.failure) {
            ("not-called", None) => HookResult::NotCalled,
            ("unchanged", None) => HookResult::Unchanged,
            ("changed", None) => HookResult::Changed,
            ("skipped", Some((class, message))) => HookResult::Skipped(Failure {
                class: FailureClass::ALL
                    .into_iter()
                    .find(|known| known.name() == class)?,
                message,
            }),
            _ => return None,
        };
        let fields = [Field::Command, Field::Cwd, Field::Env];
        let field = |name: String| fields.into_iter().find(|field| field.name() == name);
        Some(HookReport {
            name: self.name,
            stage: Stage::Rewrite,
            took: Duration::from_micros(self.micros),
            result,
            changed: self.changed.into_iter().map(field).collect::<Option<_>>()?,
            notices: self.notices,
        })
    }
}
