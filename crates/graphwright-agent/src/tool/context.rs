//! What a tool is told beside its arguments.

use std::{
    fmt::{self, Debug, Formatter},
    sync::Arc,
};

use graphwright_answer::Event;
use graphwright_llm::Budget;
use tokio_util::sync::CancellationToken;

/// What a tool is told beside its arguments: for which thread it works, when to stop, what may be spent, and where to say
/// what happens. The model sees none of it. Clones share everything and cost little.
///
/// ```
/// use graphwright_agent::ToolContext;
/// use graphwright_answer::Event;
///
/// let context = ToolContext::new("thread-1").with_events(|event| println!("{event:?}"));
/// context.emit(Event::Step { what: "looking".to_owned() });
/// assert_eq!(context.thread(), "thread-1");
/// assert!(!context.cancellation().is_cancelled());
/// ```
#[derive(Clone)]
pub struct ToolContext {
    thread: Arc<str>,
    cancellation: CancellationToken,
    budget: Budget,
    events: Arc<dyn Fn(Event) + Send + Sync>,
}

impl ToolContext {
    /// Of a thread; nobody cancels, nothing is limited and nobody listens.
    pub fn new(thread: impl Into<Arc<str>>) -> Self {
        Self {
            thread: thread.into(),
            cancellation: CancellationToken::new(),
            budget: Budget::default(),
            events: Arc::new(|_| {}),
        }
    }

    /// The same with a token that stops the work.
    #[must_use]
    pub fn with_cancellation(self, cancellation: CancellationToken) -> Self {
        Self { cancellation, ..self }
    }

    /// The same with what model calls may use.
    #[must_use]
    pub fn with_budget(self, budget: Budget) -> Self {
        Self { budget, ..self }
    }

    /// The same with somebody who listens to what happens.
    #[must_use]
    pub fn with_events(self, events: impl Fn(Event) + Send + Sync + 'static) -> Self {
        Self { events: Arc::new(events), ..self }
    }

    /// The identifier of the thread.
    pub fn thread(&self) -> &str {
        &self.thread
    }

    /// Cancelled when the work is to stop. [`Toolbox::call`](crate::Toolbox::call) drops the tool's future then; work on other threads has
    /// to look at it.
    pub fn cancellation(&self) -> &CancellationToken {
        &self.cancellation
    }

    /// What model calls may use, and what they used.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Tells whoever listens what happens.
    pub fn emit(&self, event: Event) {
        (self.events)(event);
    }
}

impl Debug for ToolContext {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let mut fields = formatter.debug_struct("ToolContext");
        fields.field("thread", &self.thread).field("budget", &self.budget);
        fields.field("cancelled", &self.cancellation.is_cancelled()).finish_non_exhaustive()
    }
}
