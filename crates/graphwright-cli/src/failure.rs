//! Reports errors to people and programs. Exit codes: 0 done, 1 failed, 2 wrong usage.

use std::{backtrace::BacktraceStatus, process::ExitCode};

use graphwright::text::without_credentials;
use serde::Serialize;
use serde_json::json;

use crate::{
    hints,
    output::{self, Output},
};

/// A mistake in how the command was called.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub(crate) struct UsageError {
    pub(crate) message: String,
    pub(crate) hint: String,
}

impl UsageError {
    pub(crate) fn new(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { message: message.into(), hint: hint.into() }
    }
}

/// Prints clap's own message. Help and version are not errors.
pub(crate) fn usage(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        // It is this program's own text, in clap's colours.
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    output::remark(&without_credentials(&error.render().to_string()));
    ExitCode::from(2)
}

/// Prints an error with its hint on standard error.
pub(crate) fn report(error: &anyhow::Error, output: &Output) -> ExitCode {
    if is_broken_pipe(error) {
        return ExitCode::SUCCESS;
    }
    let described = Description::new(error);
    if output.json {
        output::remark_object(&json!({"error": described}));
    } else {
        output::remark(&labelled("error", &described.message));
        if let Some(hint) = described.hint {
            output::remark(&labelled("hint", &hint));
        }
    }
    if error.is::<UsageError>() { ExitCode::from(2) } else { ExitCode::FAILURE }
}

/// Reports panics through the output, as a panic's words may be those of a document.
///
/// On the threads that our libraries name after themselves run parsers, drivers and the engine. A
/// panic there becomes an error of the work, which says it in our words; the log has its own (`-v`).
pub(crate) fn watch_for_defects() {
    std::panic::set_hook(Box::new(|panic| {
        let thread = std::thread::current();
        if thread.name().is_some_and(|name| name.starts_with("graphwright-")) {
            tracing::debug!(%panic, "a library stopped");
            return;
        }
        // It is empty unless RUST_BACKTRACE asks for it.
        let trace = std::backtrace::Backtrace::capture();
        let trace = match trace.status() {
            BacktraceStatus::Captured => format!("\n{trace}"),
            _ => String::new(),
        };
        output::remark(&labelled("error", &format!("this is a defect of graphwright: {panic}{trace}")));
    }));
}

/// Puts a label before a text. Its further lines are indented, so that none looks like a label.
pub(crate) fn labelled(label: &str, text: &str) -> String {
    let indent = " ".repeat(label.len() + 2);
    format!("{label}: {}", text.trim_end().replace('\n', &format!("\n{indent}")))
}

/// Description of an error for programs.
#[derive(Debug, Serialize)]
pub(crate) struct Description {
    code: &'static str,
    message: String,
    hint: Option<String>,
}

impl Description {
    pub(crate) fn new(error: &anyhow::Error) -> Self {
        let told = Self::told(error);
        let safe = |text: String| without_credentials(&text).into_owned();
        Self { message: safe(told.message), hint: told.hint.map(safe), ..told }
    }

    fn told(error: &anyhow::Error) -> Self {
        if let Some(usage) = error.downcast_ref::<UsageError>() {
            return Self { code: "usage", message: usage.message.clone(), hint: Some(usage.hint.clone()) };
        }
        if let Some(known) = error.downcast_ref::<graphwright::Error>() {
            let message = match known.position() {
                Some(place) => format!("line {}, column {}: {known}", place.line, place.column),
                None => known.to_string(),
            };
            return Self { code: known.code(), message, hint: known.hint().map(hints::worded) };
        }
        if let Some(known) = error.downcast_ref::<graphwright_eval::Error>() {
            return Self {
                code: "failed",
                message: known.to_string(),
                hint: known.hint().map(hints::worded),
            };
        }
        Self { code: "failed", message: format!("{error:#}"), hint: None }
    }
}

/// Returns whether the reader of our output has gone, as with `| head`.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<std::io::Error>()
            .is_some_and(|cause| cause.kind() == std::io::ErrorKind::BrokenPipe)
            || cause
                .downcast_ref::<serde_json::Error>()
                .is_some_and(|cause| cause.io_error_kind() == Some(std::io::ErrorKind::BrokenPipe))
    })
}
