//! What was shown of an answer while it was written.

use std::sync::{Arc, Mutex, PoisonError};

use graphwright_answer::Event;

use crate::ToolContext;

/// Listens to what is shown, so that the rest of the answer can be shown at its end.
#[derive(Debug)]
pub(super) struct Listening {
    context: ToolContext,
    shown: Arc<Mutex<String>>,
}

impl Listening {
    pub(super) fn begin(context: &ToolContext) -> Self {
        let shown: Arc<Mutex<String>> = Arc::default();
        let (ears, outer) = (Arc::clone(&shown), context.clone());
        let context = context.clone().with_events(move |event| {
            let mut shown = ears.lock().unwrap_or_else(PoisonError::into_inner);
            match &event {
                Event::Token { text } => shown.push_str(text),
                Event::ToolCall { .. } => shown.clear(),
                _ => {}
            }
            drop(shown);
            outer.emit(event);
        });
        Self { context, shown }
    }

    /// Returns the context in which it listens.
    pub(super) fn context(&self) -> &ToolContext {
        &self.context
    }

    /// Shows what is left of an answer; all of it if it does not begin with what was shown.
    pub(super) fn show_rest(&self, answer: &str) {
        let shown = std::mem::take(&mut *self.shown.lock().unwrap_or_else(PoisonError::into_inner));
        let rest = answer.strip_prefix(shown.trim());
        if rest.is_none() {
            self.context.emit(Event::Restarted { reason: "what was shown is written anew".to_owned() });
        }
        let rest =
            rest.map_or(answer, |rest| if shown.is_empty() { rest } else { rest.trim_start_matches('\n') });
        self.context.emit(Event::Token { text: rest.to_owned() });
    }
}
