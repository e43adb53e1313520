//! Agents: a model that calls tools until it can answer.

mod approval;
mod calls;
mod limits;
mod output;
mod question;
mod room;
mod run;
mod session;
mod sub_agent;
mod trace;
mod turn;
mod window;

use std::sync::Arc;

use graphwright_llm::{ChatModel, ToolChoice, ToolSpec};
use tracing::Instrument;

pub use approval::{ApproveCall, Verdict};
pub use limits::AgentLimits;
pub use output::Output;
pub use run::{CallRecord, Run, Step};
pub use sub_agent::SubAgent;
pub use window::Window;

use self::session::Session;
use crate::{AgentError, Result, ToolContext, Toolbox, thread::ThreadStore};

/// A model with instructions and tools, which it calls until it can answer.
///
/// Clones share everything and cost little; one agent serves any number of runs at the same time.
///
/// ```
/// use std::sync::Arc;
/// use graphwright_agent::{Agent, ToolContext};
/// use graphwright_llm::ScriptedModel;
///
/// # tokio::runtime::Runtime::new()?.block_on(async {
/// let model = ScriptedModel::replies(["It is 42."]);
/// let agent = Agent::new(Arc::new(model)).with_instructions("You are terse.");
/// let run = agent.run::<String>("What is it?", &ToolContext::new("thread-1")).await?;
/// assert_eq!(run.output, "It is 42.");
/// # Ok::<_, graphwright_agent::AgentError>(())
/// # }).unwrap();
/// # Ok::<_, std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Agent {
    name: Arc<str>,
    model: Arc<dyn ChatModel>,
    instructions: Arc<str>,
    tools: Arc<Toolbox>,
    /// What the model is told of them, once for all steps of all runs.
    specs: Arc<[ToolSpec]>,
    first_choice: ToolChoice,
    limits: AgentLimits,
    temperature: Option<f64>,
    approval: Option<Arc<dyn ApproveCall>>,
    threads: Option<Arc<dyn ThreadStore>>,
    window: Window,
    stands_alone: bool,
    numbers_results: bool,
    traces_content: bool,
}

impl Agent {
    /// Of a model, without tools. Its runs stand alone: they are not kept.
    pub fn new(model: Arc<dyn ChatModel>) -> Self {
        Self {
            name: "agent".into(),
            model,
            instructions: "".into(),
            tools: Arc::default(),
            specs: Arc::default(),
            first_choice: ToolChoice::Auto,
            limits: AgentLimits::default(),
            temperature: None,
            approval: None,
            threads: None,
            window: Window::default(),
            stands_alone: false,
            numbers_results: false,
            traces_content: false,
        }
    }

    /// The same under a name, for traces.
    #[must_use]
    pub fn with_name(self, name: impl Into<Arc<str>>) -> Self {
        Self { name: name.into(), ..self }
    }

    /// The same with instructions for the model.
    #[must_use]
    pub fn with_instructions(self, instructions: impl Into<Arc<str>>) -> Self {
        Self { instructions: instructions.into(), ..self }
    }

    /// The same with these tools in place of those it had.
    #[must_use]
    pub fn with_tools(self, tools: Toolbox) -> Self {
        Self { specs: tools.specs().into(), tools: Arc::new(tools), ..self }
    }

    /// The same with a rule for its first reply, as that it must call some tool. A model that does not keep the rule is asked again, for JSON
    /// that names the call.
    #[must_use]
    pub fn with_first_choice(self, first_choice: ToolChoice) -> Self {
        Self { first_choice, ..self }
    }

    /// The same with other limits.
    #[must_use]
    pub fn with_limits(self, limits: AgentLimits) -> Self {
        Self { limits, ..self }
    }

    /// The same at a sampling temperature; the provider's default otherwise.
    #[must_use]
    pub fn with_temperature(self, temperature: f64) -> Self {
        Self { temperature: Some(temperature), ..self }
    }

    /// The same with somebody who approves the calls of tools that [need it](crate::ToolHints::needs_approval). Without, they are refused.
    #[must_use]
    pub fn with_approval(self, approval: Arc<dyn ApproveCall>) -> Self {
        Self { approval: Some(approval), ..self }
    }

    /// The same with a place where conversations are kept, by the thread that [`ToolContext::thread`] names.
    #[must_use]
    pub fn with_threads(self, threads: Arc<dyn ThreadStore>) -> Self {
        Self { threads: Some(threads), ..self }
    }

    /// The same with another rule for how much of a long conversation the model sees.
    #[must_use]
    pub fn with_window(self, window: Window) -> Self {
        Self { window, ..self }
    }

    /// The same, but a question within a conversation ("and in Go?") is first rewritten to stand alone, for one more call of the model.
    /// The event [`Rewritten`](graphwright_answer::Event::Rewritten) and [`Run::question`] show it.
    #[must_use]
    pub fn with_questions_that_stand_alone(self) -> Self {
        Self { stands_alone: true, ..self }
    }

    /// The same, but the model sees a number before each result, counted through the conversation from 1, so that its answer can cite them.
    #[must_use]
    pub fn with_numbered_results(self) -> Self {
        Self { numbers_results: true, ..self }
    }

    /// The same, but spans and the log carry the arguments and the results of tools, which they do not by default.
    #[must_use]
    pub fn with_content_in_traces(self) -> Self {
        Self { traces_content: true, ..self }
    }

    /// The model.
    pub fn model(&self) -> &Arc<dyn ChatModel> {
        &self.model
    }

    /// The tools.
    pub fn tools(&self) -> &Toolbox {
        &self.tools
    }

    /// Lets the agent work on a message until it answers. A type of output other than `String` is asked for, and checked, as JSON.
    ///
    /// # Errors
    /// If the model fails, a limit other than that of steps is reached, or the work is cancelled. What tools do wrong is for the model to mend.
    /// With [threads](Self::with_threads), what was said so far is kept, and [`resume`](Self::resume) goes on from there.
    pub async fn run<T: Output>(&self, message: &str, context: &ToolContext) -> Result<Run<T>> {
        self.within_limits(context, async {
            let mut session = Session::open(self, context).await?;
            session.ask(message).await?;
            session.finish().await
        })
        .await
    }

    /// Goes on with a run that was interrupted, as by the end of the process. Calls whose results were lost are made again if their tools only
    /// read or are idempotent; of others the model is told that it is not known whether they took effect.
    ///
    /// # Errors
    /// Those of [`run`](Self::run), and [`NothingToResume`](AgentError::NothingToResume) where the thread has no unfinished run.
    pub async fn resume<T: Output>(&self, context: &ToolContext) -> Result<Run<T>> {
        self.within_limits(context, async {
            let mut session = Session::open(self, context).await?;
            session.take_up().await?;
            session.finish().await
        })
        .await
    }

    /// The question of the run that was interrupted in the context's thread, or [`NothingToResume`](AgentError::NothingToResume).
    pub(crate) async fn unanswered(&self, context: &ToolContext) -> Result<String> {
        Session::open(self, context).await?.unanswered()
    }

    async fn within_limits<T>(
        &self,
        context: &ToolContext,
        work: impl Future<Output = Result<Run<T>>>,
    ) -> Result<Run<T>> {
        let name = &*self.name;
        let span = tracing::info_span!(
            "invoke_agent",
            otel.name = format!("invoke_agent {name}"),
            gen_ai.operation.name = "invoke_agent",
            gen_ai.agent.name = name,
            gen_ai.conversation.id = context.thread(),
        );
        let timed = async {
            match self.limits.time {
                None => work.await,
                Some(time) => tokio::time::timeout(time, work)
                    .await
                    .unwrap_or_else(|_| Err(AgentError::OutOfTime { limit: time })),
            }
        };
        let run = context.cancellation().run_until_cancelled(timed.instrument(span)).await;
        run.unwrap_or(Err(AgentError::Cancelled))
    }
}

#[cfg(test)]
mod tests;
