//! What a person sees while an answer is made.

use std::{
    fmt::Write,
    sync::{Mutex, MutexGuard, PoisonError},
};

use graphwright::Event;

use crate::{output::Output, render::shorten};

/// Letters of a call or its result on one line.
const LINE: usize = 100;

/// Shows events as they come, and remembers them for `/trace`.
#[derive(Debug)]
pub(super) struct Screen {
    output: Output,
    events: bool,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// What was written since the last call of a tool.
    written: String,
    trace: String,
}

impl Screen {
    /// `events`: each event is a line of JSON.
    pub(super) fn new(output: Output, events: bool) -> Self {
        Self { output, events, state: Mutex::default() }
    }

    pub(super) fn prints_events(&self) -> bool {
        self.events
    }

    /// Before an answer.
    pub(super) fn begin(&self) {
        *self.state() = State::default();
    }

    /// Whoever reads the output may have gone; the answer's own line tells.
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
            | Event::Step { .. }
            | Event::Fallback { .. } => {
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

    /// What of the answer's text has not been written yet: all of it, unless its first part came as it was made.
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

    /// What happened since the last question.
    pub(super) fn trace(&self) -> String {
        let trace = self.state().trace.clone();
        if trace.is_empty() { "No tool was called.".to_owned() } else { trace }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An event on a line; pieces of texts have none.
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
        Event::Fallback { reason } => Some(format!("  {reason}")),
        Event::Nested { agent, inner } => line(inner).map(|line| format!("  {agent}:{line}")),
        _ => None,
    }
}
