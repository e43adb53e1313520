//! Shows a person what happens while an answer is made.

use std::{
    fmt::Write,
    sync::{Mutex, MutexGuard, PoisonError},
};

use graphwright::Event;

use crate::{output::Output, render::shorten};

/// Maximum length of a call or its result on one line, in characters.
const LINE: usize = 100;

/// Shows events as they come, and keeps them for `/trace`.
#[derive(Debug)]
pub(super) struct Screen {
    output: Output,
    events: bool,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Text written since the last tool call.
    written: String,
    trace: String,
}

impl Screen {
    /// Creates a screen. With `events`, each event is printed as a line of JSON.
    pub(super) fn new(output: Output, events: bool) -> Self {
        Self { output, events, state: Mutex::default() }
    }

    pub(super) fn prints_events(&self) -> bool {
        self.events
    }

    /// Prepares for the next answer.
    pub(super) fn begin(&self) {
        *self.state() = State::default();
    }

    /// Shows an event. Ignores failures: if the reader has gone, printing the answer itself fails
    /// later.
    pub(super) fn show(&self, event: &Event) {
        self.remember(event);
        if self.events {
            if !matches!(event, Event::Done { .. }) {
                let _ = self.output.line(event);
            }
            return;
        }
        if self.output.json {
            return;
        }
        match event {
            Event::Token { text } => {
                self.state().written.push_str(text);
                let _ = self.output.piece(text);
            }
            Event::ToolCall { .. }
            | Event::Rewritten { .. }
            | Event::Restarted { .. }
            | Event::Step { .. }
            | Event::Fallback { .. }
            | Event::GaveUp { .. } => {
                let written = std::mem::take(&mut self.state().written);
                if !written.is_empty() && !written.ends_with('\n') {
                    let _ = self.output.piece("\n");
                }
                if let Some(line) = line(event) {
                    self.output.note(&line);
                }
            }
            _ => {}
        }
    }

    fn remember(&self, event: &Event) {
        if let Some(line) = line(event) {
            let mut state = self.state();
            state.trace.push_str(&line);
            state.trace.push('\n');
        }
    }

    /// Returns what remains to be written of the answer: all of it, unless its first part was
    /// streamed.
    pub(super) fn rest(&self, text: &str, answer: &str) -> String {
        let written = std::mem::take(&mut self.state().written);
        if written.trim().is_empty() {
            return text.to_owned();
        }
        match text.strip_prefix(answer.trim_end()) {
            Some(rest) if written.trim() == answer.trim() => format!("\n{}", rest.trim_start_matches('\n')),
            _ => format!("\n\nAs far as the graph bears it out:\n{text}"),
        }
    }

    /// Returns what happened since the last question.
    pub(super) fn trace(&self) -> String {
        let trace = self.state().trace.clone();
        if trace.is_empty() { "No tool was called.".to_owned() } else { trace }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Formats an event on one line. Pieces of text have none.
fn line(event: &Event) -> Option<String> {
    match event {
        Event::ToolCall { name, arguments, .. } => {
            Some(format!("  calls {name} {}", shorten(&arguments.to_string(), LINE)))
        }
        Event::ToolResult { name, text, is_error, .. } => {
            let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
            let mut told = String::new();
            let _ = write!(
                told,
                "  {name} {} {}",
                if *is_error { "failed:" } else { "->" },
                shorten(first, LINE)
            );
            Some(told)
        }
        Event::Rewritten { rewritten, .. } => Some(format!("  asked as: {rewritten}")),
        Event::Step { what } => Some(format!("  {what}")),
        Event::Fallback { reason } | Event::GaveUp { reason } | Event::Restarted { reason } => {
            Some(format!("  {reason}"))
        }
        Event::Nested { agent, inner } => line(inner).map(|line| format!("  {agent}:{line}")),
        _ => None,
    }
}
