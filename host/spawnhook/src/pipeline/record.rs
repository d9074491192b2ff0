//! What is written to the audit log of a call: by its hooks, and by the host in their place.

use std::sync::Arc;

use spawnhook_hooks::{AuditLog, Recorded};
use spawnhook_model::{Ending, HookReport, HookResult, Stage};

use super::ended::Ended;
use super::{Pipeline, of_hook};
use crate::audit::{CallAudit, Phase, sha256_hex};

impl Pipeline {
    /// The record before the spawn; nothing is spawned without it.
    pub(super) async fn record_spawn(&mut self) -> Result<(), Ending> {
        self.record_before(Phase::spawn).await
    }

    /// The one record of a command that an agent runs itself; it is not told to without it.
    pub(super) async fn record_hand_over(&mut self) -> Result<(), Ending> {
        self.record_before(Phase::handed_over).await
    }

    async fn record_before(
        &mut self,
        phase: fn(String, String, &[HookReport]) -> Phase,
    ) -> Result<(), Ending> {
        let command_sha256 = sha256_hex(&self.spawn.command);
        let phase = phase(self.call.id.clone(), command_sha256, &self.hooks);
        let audit = Arc::new(CallAudit::new(self.host.audit.clone(), phase));
        let log: Arc<dyn AuditLog> = audit.clone();
        let chain = &self.host.chain;
        let recorded = chain.record_spawn(&self.call, &self.spawn, &log).await;
        let (reports, failed) = match recorded {
            Recorded::Proceed { reports } => (reports, None),
            Recorded::Failed {
                hook,
                failure,
                reports,
            } => (reports, Some(Ending::HookFailed { hook, failure })),
        };
        if failed.is_none() {
            self.record_in_place_of(owing(&reports, &audit), &audit)
                .await;
        }
        self.hooks.extend(reports);
        self.take_from(&audit);
        failed.map_or(Ok(()), Err)
    }

    pub(super) async fn record_exit(&mut self, ended: &Ended) {
        let phase = Phase::exit(
            self.call.id.clone(),
            sha256_hex(&self.spawn.command),
            &self.hooks,
            &ended.ending,
        );
        let audit = Arc::new(CallAudit::new(self.host.audit.clone(), phase));
        let log: Arc<dyn AuditLog> = audit.clone();
        let chain = &self.host.chain;
        let reports = chain
            .record_exit(&self.call, &self.spawn, &ended.facts, &log)
            .await;
        let owing: Vec<String> = chain
            .hooks()
            .iter()
            .filter(|hook| hook.stage() == Stage::Audit && !audit.has_recorded(hook.name()))
            .map(|hook| hook.name().to_owned())
            .collect();
        self.record_in_place_of(owing, &audit).await;
        self.take_from(&audit);
        for report in reports {
            if let HookResult::Failed(failure) | HookResult::Skipped(failure) = &report.result {
                let what = format!("failed after the end of the command: {failure}");
                self.notices.push(of_hook(&report.name, &what));
            }
            self.notice_all(report);
        }
    }

    fn take_from(&mut self, audit: &CallAudit) {
        self.audit = audit.head().or(self.audit.take());
        for notice in audit.take_notices() {
            // What goes wrong with one record does so with the next.
            if !self.notices.contains(&notice) {
                self.notices.push(notice);
            }
        }
    }

    /// Writes the records that hooks owe, so that no call lacks one.
    async fn record_in_place_of(&mut self, hooks: Vec<String>, audit: &Arc<CallAudit>) {
        for hook in hooks {
            let audit = audit.clone();
            let written =
                tokio::task::spawn_blocking(move || audit.record_in_place_of(&hook)).await;
            match written {
                Ok(Ok(())) => {}
                Ok(Err(error)) => self.notices.push(error),
                Err(error) => self.notices.push(error.to_string()),
            }
        }
    }
}

/// The hooks that were left out and owe a record.
fn owing(reports: &[HookReport], audit: &CallAudit) -> Vec<String> {
    reports
        .iter()
        .filter(|report| matches!(report.result, HookResult::Skipped(_)))
        .filter(|report| !audit.has_recorded(&report.name))
        .map(|report| report.name.clone())
        .collect()
}
