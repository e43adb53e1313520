//! Errors as people and programs see them, and exit codes: 0 done, 1 failed, 2 wrong usage.

use std::process::ExitCode;

use serde_json::json;

use crate::output::Output;

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

/// Prints clap's own message; help and version are no errors.
pub(crate) fn usage(error: &clap::Error) -> ExitCode {
    let _ = error.print();
    if error.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS }
}

/// Prints an error with its hint on standard error.
pub(crate) fn report(error: &anyhow::Error, output: &Output) -> ExitCode {
    if is_broken_pipe(error) {
        return ExitCode::SUCCESS;
    }
    let usage = error.downcast_ref::<UsageError>();
    let (code, message, hint) = describe(error);
    if output.json {
        eprintln!("{}", json!({"error": {"code": code, "message": message, "hint": hint}}));
    } else {
        eprintln!("error: {message}");
        if let Some(hint) = hint {
            eprintln!("hint: {hint}");
        }
    }
    if usage.is_some() { ExitCode::from(2) } else { ExitCode::FAILURE }
}

/// Code, message and hint of an error.
pub(crate) fn describe(error: &anyhow::Error) -> (&'static str, String, Option<String>) {
    if let Some(usage) = error.downcast_ref::<UsageError>() {
        return ("usage", usage.message.clone(), Some(usage.hint.clone()));
    }
    if let Some(known) = error.downcast_ref::<graphwright::Error>() {
        return (known.code(), format!("{error:#}"), known.hint());
    }
    ("failed", format!("{error:#}"), None)
}

/// The reader of our output went away, as `| head` does.
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
