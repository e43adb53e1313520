//! The agent: a model that calls tools until it can answer.

mod approval;
mod calls;
pub(crate) mod closing;
pub(crate) mod evidence;
mod limits;
mod output;
pub(crate) mod review;
mod room;
mod run;
mod session;
mod sub_agent;
mod trace;
mod turn;
mod window;
mod written_calls;

use std::sync::Arc;

use graphwright_llm::{ChatModel, ToolChoice, ToolSpec};
use tracing::Instrument;

pub use approval::{ApproveCall, Verdict};
pub use limits::AgentLimits;
pub use output::Output;
pub use run::{CallRecord, Run, Step};
pub use sub_agent::SubAgent;
pub use window::Window;

use self::{closing::Closing, review::Review, session::Session};
use crate::{AgentError, ContextProvider, Result, ToolContext, Toolbox, thread::ThreadStore};

/// A model with instructions and tools, which it calls until it can answer.
///
/// Cloning is cheap: clones share everything. One agent serves any number of runs at the same time.
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
    /// What the model is told of the tools, built once for all steps of all runs.
    specs: Arc<[ToolSpec]>,
    first_choice: ToolChoice,
    limits: AgentLimits,
    temperature: Option<f64>,
    approval: Option<Arc<dyn ApproveCall>>,
    threads: Option<Arc<dyn ThreadStore>>,
    providers: Vec<Arc<dyn ContextProvider>>,
    window: Window,
    stands_alone: bool,
    numbers_results: bool,
    traces_content: bool,
    review: Option<Arc<dyn Review>>,
    strict: bool,
}

impl Agent {
    /// Creates an agent without tools, whose conversations are not kept.
    ///
    /// Without [`with_threads`](Self::with_threads), each run begins with an empty conversation.
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
            providers: Vec::new(),
            window: Window::default(),
            stands_alone: false,
            numbers_results: false,
            traces_content: false,
            review: None,
            strict: false,
        }
    }

    /// Sets the name that traces show; `agent` by default.
    #[must_use]
    pub fn with_name(self, name: impl Into<Arc<str>>) -> Self {
        Self { name: name.into(), ..self }
    }

    /// Sets the instructions for the model; none by default.
    #[must_use]
    pub fn with_instructions(self, instructions: impl Into<Arc<str>>) -> Self {
        Self { instructions: instructions.into(), ..self }
    }

    /// Sets the tools, in place of those it had.
    #[must_use]
    pub fn with_tools(self, tools: Toolbox) -> Self {
        Self { specs: tools.specs().into(), tools: Arc::new(tools), ..self }
    }

    /// Sets the tool choice for the first reply of a run, such as that it must call some tool;
    /// [`ToolChoice::Auto`] by default.
    ///
    /// A model that ignores the choice is asked once more, for JSON that names the call.
    #[must_use]
    pub fn with_first_choice(self, first_choice: ToolChoice) -> Self {
        Self { first_choice, ..self }
    }

    /// Sets the limits of a run.
    #[must_use]
    pub fn with_limits(self, limits: AgentLimits) -> Self {
        Self { limits, ..self }
    }

    /// Sets the sampling temperature; the provider's default otherwise.
    #[must_use]
    pub fn with_temperature(self, temperature: f64) -> Self {
        Self { temperature: Some(temperature), ..self }
    }

    /// Sets who approves calls of tools that [need approval](crate::ToolHints::needs_approval).
    /// Without it, such calls are refused.
    #[must_use]
    pub fn with_approval(self, approval: Arc<dyn ApproveCall>) -> Self {
        Self { approval: Some(approval), ..self }
    }

    /// Sets the store that keeps conversations, each under the thread that [`ToolContext::thread`]
    /// names.
    #[must_use]
    pub fn with_threads(self, threads: Arc<dyn ThreadStore>) -> Self {
        Self { threads: Some(threads), ..self }
    }

    /// Adds a provider of context: what it finds for a message is put before it, after what the providers before it found.
    ///
    /// Such context has no number, so an answer cannot [cite](Self::with_numbered_results) it.
    #[must_use]
    pub fn with_context(mut self, provider: Arc<dyn ContextProvider>) -> Self {
        self.providers.push(provider);
        self
    }

    /// Sets the window: how much of a long conversation the model sees.
    #[must_use]
    pub fn with_window(self, window: Window) -> Self {
        Self { window, ..self }
    }

    /// Rewrites a question within a conversation ("and in Go?") to stand alone before it is answered, if what it may refer to is
    /// no longer among the messages that the model sees.
    ///
    /// This takes one more model call. The event
    /// [`Rewritten`](graphwright_answer::Event::Rewritten) and [`Run::question`] show the rewritten
    /// question.
    #[must_use]
    pub fn with_questions_that_stand_alone(self) -> Self {
        Self { stands_alone: true, ..self }
    }

    /// Puts a number before each tool result that the model sees, so that its answer can cite
    /// results. Numbers count from 1 through the whole conversation.
    #[must_use]
    pub fn with_numbered_results(self) -> Self {
        Self { numbers_results: true, ..self }
    }

    /// Adds the arguments and results of tools to spans and the log. They are left out by default.
    #[must_use]
    pub fn with_content_in_traces(self) -> Self {
        Self { traces_content: true, ..self }
    }

    /// Leaves out of an [answer](crate::AgentAnswerer) what the results of the tools do not support. Otherwise it is marked.
    #[must_use]
    pub fn strict(self) -> Self {
        Self { strict: true, ..self }
    }

    pub(crate) fn threads(&self) -> Option<&Arc<dyn ThreadStore>> {
        self.threads.as_ref()
    }

    pub(crate) fn limits(&self) -> &AgentLimits {
        &self.limits
    }

    pub(crate) fn is_strict(&self) -> bool {
        self.strict
    }

    /// Sets who judges an answer before it is given, and adds to the instructions.
    #[must_use]
    pub(crate) fn with_review(self, review: Arc<dyn Review>, instructions: &str) -> Self {
        let instructions = format!("{}\n\n{instructions}", self.instructions).trim().into();
        Self { review: Some(review), instructions, ..self }
    }

    /// Returns the model.
    pub fn model(&self) -> &Arc<dyn ChatModel> {
        &self.model
    }

    /// Returns the tools.
    pub fn tools(&self) -> &Toolbox {
        &self.tools
    }

    /// Works on a message until the model answers.
    ///
    /// For an output type other than `String`, the answer is requested as JSON and checked.
    ///
    /// # Errors
    /// Fails if the model fails, if a limit other than the one on steps is reached, or if the work
    /// is cancelled. Errors of tools are not errors of the run: the model reads them and goes on.
    /// With [threads](Self::with_threads), everything said before the error is kept, and
    /// [`resume`](Self::resume) goes on from there.
    pub async fn run<T: Output>(&self, message: &str, context: &ToolContext) -> Result<Run<T>> {
        let work = Box::pin(async {
            let mut session = Session::open(self, context).await?;
            session.ask(message).await?;
            session.finish().await
        });
        self.within_limits(context, work).await
    }

    /// Works on a message like [`run`](Self::run), but does not yet keep the answer in the thread.
    pub(crate) async fn run_open(&self, message: &str, context: &ToolContext) -> Result<(Run, Closing)> {
        let work = Box::pin(async {
            let mut session = Session::open(self, context).await?;
            session.ask(message).await?;
            session.finish_open().await
        });
        self.within_limits(context, work).await
    }

    /// Continues a run like [`resume`](Self::resume), but does not yet keep the answer in the thread.
    pub(crate) async fn resume_open(&self, context: &ToolContext) -> Result<(Run, Closing)> {
        let work = Box::pin(async {
            let mut session = Session::open(self, context).await?;
            session.take_up().await?;
            session.finish_open().await
        });
        self.within_limits(context, work).await
    }

    /// Continues a run that was interrupted, for example because the process ended.
    ///
    /// Calls whose results were lost are made again if their tools only read or are idempotent. For
    /// other calls, the model is told that it is not known whether they took effect.
    ///
    /// # Errors
    /// Fails like [`run`](Self::run), and with [`NothingToResume`](AgentError::NothingToResume) if
    /// the thread has no unfinished run.
    pub async fn resume<T: Output>(&self, context: &ToolContext) -> Result<Run<T>> {
        let work = Box::pin(async {
            let mut session = Session::open(self, context).await?;
            session.take_up().await?;
            session.finish().await
        });
        self.within_limits(context, work).await
    }

    /// Returns the question of the interrupted run in the context's thread, or
    /// [`NothingToResume`](AgentError::NothingToResume).
    pub(crate) async fn unanswered(&self, context: &ToolContext) -> Result<String> {
        Session::open(self, context).await?.unanswered()
    }

    /// Runs the work in a span, until it ends, its time is over or the context is cancelled.
    async fn within_limits<T>(
        &self,
        context: &ToolContext,
        work: impl Future<Output = Result<T>>,
    ) -> Result<T> {
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
