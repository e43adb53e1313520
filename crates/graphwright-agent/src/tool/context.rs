//! The context in which a tool works.

use std::{
    fmt::{self, Debug, Formatter},
    sync::Arc,
};

use graphwright_answer::Event;
use graphwright_llm::Budget;
use tokio_util::sync::CancellationToken;

/// The context of a tool call: the thread it works for, its cancellation, its budget, and the
/// listener for events.
///
/// The model sees none of it. Cloning is cheap: clones share everything.
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
    /// Creates a context for a thread, with no cancellation, no limits and no listener.
    pub fn new(thread: impl Into<Arc<str>>) -> Self {
        Self {
            thread: thread.into(),
            cancellation: CancellationToken::new(),
            budget: Budget::default(),
            events: Arc::new(|_| {}),
        }
    }

    /// Sets the token that stops the work.
    #[must_use]
    pub fn with_cancellation(self, cancellation: CancellationToken) -> Self {
        Self { cancellation, ..self }
    }

    /// Sets the budget for model calls.
    #[must_use]
    pub fn with_budget(self, budget: Budget) -> Self {
        Self { budget, ..self }
    }

    /// Sets the listener for events, in place of the one it had.
    #[must_use]
    pub fn with_events(self, events: impl Fn(Event) + Send + Sync + 'static) -> Self {
        Self { events: Arc::new(events), ..self }
    }

    /// Returns the identifier of the thread.
    pub fn thread(&self) -> &str {
        &self.thread
    }

    /// Returns the token that is cancelled when the work is to stop.
    ///
    /// [`Toolbox::call`](crate::Toolbox::call) then drops the tool's future. Work on other threads
    /// has to check the token itself.
    pub fn cancellation(&self) -> &CancellationToken {
        &self.cancellation
    }

    /// Returns the budget: what model calls may use, and what they used so far.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Sends an event to the listener.
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
