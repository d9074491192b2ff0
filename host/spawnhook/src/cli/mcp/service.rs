use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ErrorData, Implementation, JsonObject,
    ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use spawnhook::calls::Calls;
use spawnhook::request::ExecRequest;
use spawnhook_model::{Origin, OutputLimits};

use super::arguments::{self, Bash, Kill, Output};
use super::attendance::{Questions, Suspended, Visit};
use super::job::Job;
use super::jobs::Jobs;
use super::question::Attendant;
use super::{answer, tools};

/// The tools of one client.
pub(super) struct Service {
    /// By their handles.
    pub(super) calls: Calls<String>,
    pub(super) jobs: Jobs,
    pub(super) suspended: Suspended,
    /// Where commands run that name no directory.
    cwd: PathBuf,
    /// How long a call may run until it is answered with a handle.
    patience: Duration,
    tools: Vec<Tool>,
}

impl Service {
    pub(super) fn new(calls: Calls<String>, cwd: PathBuf, patience: Duration) -> Self {
        let tools = tools::tools(&calls.host().config().limits, patience);
        Self {
            calls,
            jobs: Jobs::default(),
            suspended: Suspended::default(),
            cwd,
            patience,
            tools,
        }
    }

    pub(super) fn output_limits(&self) -> OutputLimits {
        self.calls.host().config().limits.output
    }

    async fn bash(
        &self,
        arguments: JsonObject,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, String> {
        let bash = Bash::parse(arguments).map_err(|error| error.to_string())?;
        let patience = if bash.background {
            Duration::ZERO
        } else {
            self.patience
        };
        let (job, questions) = self.start(bash)?;
        let visit = Visit {
            job,
            questions,
            patience,
        };
        Ok(self.attend(visit, context).await)
    }

    fn start(&self, bash: Bash) -> Result<(Arc<Job>, Questions), String> {
        let cwd = match bash.cwd {
            Some(cwd) => self.cwd.join(cwd),
            None => self.cwd.clone(),
        };
        let mut request = ExecRequest::new(bash.command.clone(), Origin::Mcp);
        request.cwd = Some(cwd.clone());
        let most = self.calls.host().config().limits.max_timeout.seconds();
        request.timeout = bash.timeout.or(bash.background.then_some(most));
        let (attendant, questions) = Attendant::new();
        request.ask = Some(Arc::new(attendant));
        let job = self.jobs.add(bash.command, cwd);
        let follow = |execution| job.clone().follow(execution);
        let started = self.calls.start(job.handle.clone(), request, follow);
        if let Err(error) = started {
            self.jobs.forget(&job);
            return Err(error.to_string());
        }
        Ok((job, questions))
    }

    async fn output(
        &self,
        arguments: JsonObject,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResult, String> {
        let output = Output::parse(arguments).map_err(|error| error.to_string())?;
        let job = self.job(&output.handle)?;
        let asked = Duration::try_from_secs_f64(output.wait.unwrap_or(0.0));
        let asked = asked.map_err(|error| format!("`wait` is no number of seconds: {error}"))?;
        tokio::select! {
            () = context.ct.cancelled() => {}
            () = tokio::time::sleep(asked.min(self.patience)) => {}
            _ = job.finished() => {}
        }
        Ok(answer::output(&job, output.cursor, self.output_limits()))
    }

    async fn kill(&self, arguments: JsonObject) -> Result<CallToolResult, String> {
        let kill = Kill::parse(arguments).map_err(|error| error.to_string())?;
        let job = self.job(&kill.handle)?;
        self.calls.cancel(&job.handle);
        // Answered once nothing of it runs any more.
        job.finished().await.ok();
        Ok(answer::output(&job, None, self.output_limits()))
    }

    fn list(&self, arguments: JsonObject) -> Result<CallToolResult, String> {
        arguments::none(arguments).map_err(|error| error.to_string())?;
        let jobs = self.jobs.all();
        Ok(answer::list(jobs.iter().map(|job| &**job)))
    }

    fn job(&self, handle: &str) -> Result<Arc<Job>, String> {
        self.jobs.find(handle).ok_or_else(|| {
            format!("`handle`: there is no command `{handle}`; `bash_list` tells which there are")
        })
    }
}

impl ServerHandler for Service {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("spawnhook", env!("CARGO_PKG_VERSION")))
            .with_instructions(
                "Runs shell commands. Every command passes the deployment's hooks and is recorded; \
                 nothing that it starts outlives this server.",
            )
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools.clone()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.tools.iter().find(|tool| tool.name == name).cloned()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if let Some(state) = &request.request_state {
            return self.resume(state, request.input_responses, context).await;
        }
        let arguments = request.arguments.unwrap_or_default();
        let answered = match &*request.name {
            "bash" => self.bash(arguments, context).await,
            "bash_output" => self.output(arguments, &context).await.map(Into::into),
            "bash_kill" => self.kill(arguments).await.map(Into::into),
            "bash_list" => self.list(arguments).map(Into::into),
            name => {
                let error = format!("there is no tool `{name}`");
                return Err(ErrorData::invalid_params(error, None));
            }
        };
        Ok(answered.unwrap_or_else(|error| answer::refused(error).into()))
    }
}
