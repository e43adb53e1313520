//! Translates the engine's errors to [`StoreError`].

use std::{io, path::Path, time::Duration};

use graphwright_core::StoreError;
use graphwright_cypher::LONG_RANGE;
use kglite::api::{
    KgError,
    durable::wal_path,
    io::{LeaseHolder, LeaseRefusal},
    session::{OpenError, WriteError},
};

use crate::{
    rewrite::{FAILS, REFUSES},
    translate::Translated,
    values::unsupported,
};

/// The parts of a call that its error messages need.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Context<'a> {
    pub(crate) limit: Option<Duration>,
    pub(crate) translated: Option<&'a Translated>,
}

pub(crate) fn from_engine(error: KgError, context: Context<'_>) -> StoreError {
    match error {
        KgError::CypherSyntax { message, line, col } => StoreError::Syntax {
            message: first_line(&message),
            position: line
                .zip(col)
                .zip(context.translated)
                .map(|((line, column), translated)| translated.position(line, column)),
        },
        KgError::CypherTimeout { limit_ms, .. } => {
            StoreError::TimedOut { limit: context.limit.unwrap_or_else(|| Duration::from_millis(limit_ms)) }
        }
        KgError::Cancelled => StoreError::Cancelled,
        KgError::ConstraintViolation { message, .. } | KgError::ConstraintCreationFailed { message, .. } => {
            StoreError::Constraint { message }
        }
        KgError::Argument(message) if message.starts_with("execute_read called with a mutation") => {
            StoreError::ReadOnly { context: "read()".to_owned() }
        }
        KgError::DurabilityFailed { message } => StoreError::Io { message, source: None },
        KgError::FileIo(source) => StoreError::Io {
            message: format!("the engine cannot use its file: {source}"),
            source: Some(source),
        },
        KgError::Schema { message, .. } => StoreError::Syntax { message, position: None },
        KgError::CypherExecution { message, .. } => from_execution(message),
        KgError::Internal { message, .. } => StoreError::Engine { message },
        other => StoreError::Evaluation { message: other.to_string() },
    }
}

/// Translates an error of the engine's execution.
///
/// The engine has one category for what it does not know, what it does not do, and what fails on
/// the values, so the message decides.
fn from_execution(message: String) -> StoreError {
    if let Some(construct) = ours(&message, REFUSES) {
        return unsupported(construct.to_owned(), "compute it outside of the query");
    }
    if let Some(reason) = ours(&message, FAILS) {
        return StoreError::Evaluation { message: reason.to_owned() };
    }
    if message.contains(LONG_RANGE) {
        return StoreError::Evaluation { message: LONG_RANGE.to_owned() };
    }
    if message.contains("safety ceiling") {
        let message = "this needs more than 10 million rows on the way to its answer; narrow it".to_owned();
        return StoreError::Evaluation { message };
    }
    if message.starts_with("Cannot delete node") {
        return StoreError::Constraint { message };
    }
    if message.starts_with("LOAD CSV is not enabled") {
        return unsupported("LOAD CSV", "read files by importing them");
    }
    if message.starts_with("Unknown function") || message.starts_with("Unknown procedure") {
        let message = message.split(". ").next().unwrap_or_default().to_owned();
        return StoreError::Syntax { message, position: None };
    }
    if message.starts_with("SET") && message.ends_with("expects a map expression") {
        return unsupported("SET = with a node or relationship", "write properties(…) of it");
    }
    if message.starts_with("Cannot SET node id") {
        return unsupported("SET of a node to the properties of a node", "set the properties one by one");
    }
    if message.contains("primary label") {
        return unsupported("removing the first label of a node", "delete the node and make it anew");
    }
    if has_signed_year(&message) {
        return unsupported("a year with a sign", "years go from 0000 to 9999");
    }
    if unread(&message).contains("-Q") {
        let hint = "write date({year: …, quarter: …, dayOfQuarter: …})";
        return unsupported("a date by its quarter as text", hint);
    }
    if message.contains("exceed the supported i32 range") {
        return unsupported("a duration of more than 2147483647 months or days", "count in seconds");
    }
    if message.starts_with("point(): Cartesian points") || message.starts_with("point(): 3D points") {
        return unsupported("a point that is not on the surface of the Earth", "pass it as a parameter");
    }
    match message.split_once("not supported") {
        Some((construct, hint)) => unsupported(
            construct.trim().trim_end_matches(" is").trim_end_matches(" are").to_owned(),
            hint.trim_start_matches([';', ':', '.', ' ']).to_owned(),
        ),
        None => StoreError::Evaluation { message },
    }
}

/// Returns whether the engine could not read a text that begins like `-999999999-01-01`.
fn has_signed_year(message: &str) -> bool {
    let digits = unread(message).strip_prefix(['+', '-']).unwrap_or_default();
    digits.chars().take_while(char::is_ascii_digit).count() >= 4
}

/// Returns the text of a date or time that the engine could not read, and what follows.
fn unread(message: &str) -> &str {
    message.split_once("cannot parse '").map_or("", |(_, text)| text)
}

/// Finds the text of a guard that a rewrite added, within the engine's message.
fn ours<'a>(message: &'a str, mark: &str) -> Option<&'a str> {
    let (_, rest) = message.split_once(mark)?;
    Some(rest.split_once('\'').map_or(rest, |(text, _)| text))
}

/// Keeps the first line. Those that follow show the text as the engine got it.
fn first_line(message: &str) -> String {
    message.lines().next().unwrap_or_default().to_owned()
}

/// Keeps the first sentence. What follows is for those who know the engine's files.
fn first_sentence(message: &str) -> String {
    let sentence = message.split(". ").next().unwrap_or_default();
    sentence.split(": it does not").next().unwrap_or_default().to_owned()
}

/// Translates the failure of a write to `place` that was not published.
pub(crate) fn from_write(error: WriteError<StoreError>, place: &Path) -> StoreError {
    match error {
        WriteError::Closure(error) => error,
        WriteError::Retired => StoreError::Engine { message: "the store has been closed".to_owned() },
        WriteError::Fork(message) | WriteError::Durability(message) => StoreError::Io {
            message: format!("cannot write to {}: {message}", place.display()),
            source: None,
        },
        WriteError::Ontology(error) => from_engine(*error, Context::default()),
        WriteError::CapturedOps(_) => unsupported("this change", "use a write statement"),
        other => StoreError::Engine { message: format!("{other:?}") },
    }
}

/// Translates the reason why the store of a checkpoint could not be opened.
pub(crate) fn from_open(error: OpenError, checkpoint: &Path) -> StoreError {
    match error {
        OpenError::Lease(refusal) => from_lease(refusal, checkpoint),
        OpenError::Open(source) => from_io(source, checkpoint),
        OpenError::Session { message, .. } => {
            let address = directory_of(checkpoint).display().to_string();
            let damage = StoreError::Corrupt { address, message: message.clone(), repairable: false };
            os_error(&message).map_or(damage, |source| from_io(source, &wal_path(checkpoint)))
        }
    }
}

pub(crate) fn from_lease(refusal: LeaseRefusal, checkpoint: &Path) -> StoreError {
    match refusal.holder {
        Some(holder) => {
            StoreError::Locked { path: directory_of(checkpoint).to_owned(), holder: describe(&holder) }
        }
        None => from_io(refusal.error, directory_of(checkpoint)),
    }
}

fn directory_of(checkpoint: &Path) -> &Path {
    checkpoint.parent().unwrap_or(checkpoint)
}

/// Translates an error from reading or writing a file or folder of the store.
pub(crate) fn from_io(source: io::Error, path: &Path) -> StoreError {
    let text = source.to_string();
    // The engine wraps errors of the system, and keeps their number in the text.
    let system = os_error(&text).map_or(source.kind(), |system| system.kind());
    let unavailable = |message: &str, hint: &str| StoreError::Unavailable {
        address: path.display().to_string(),
        message: message.to_owned(),
        hint: hint.to_owned(),
    };
    match system {
        io::ErrorKind::InvalidData if is_of_newer_engine(&text) => {
            unavailable("a newer version of Graphwright wrote it, or it is damaged", NEWER)
        }
        io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof => {
            let (address, message) = (path.display().to_string(), first_sentence(&text));
            StoreError::Corrupt { address, message, repairable: false }
        }
        io::ErrorKind::PermissionDenied => unavailable("permission denied", PERMISSION),
        io::ErrorKind::ReadOnlyFilesystem => unavailable("its disk can only be read", PERMISSION),
        io::ErrorKind::NotADirectory => {
            unavailable("a part of the path is a file", "name a folder; a file can be imported into one")
        }
        _ => StoreError::Io {
            message: match os_error(&text) {
                Some(system) => format!("cannot use {}: {system}", path.display()),
                None => format!("cannot use {}: {text}", path.display()),
            },
            source: Some(source),
        },
    }
}

/// Returns whether the engine says that it knows neither the version of a file nor the coding of what is in it.
fn is_of_newer_engine(text: &str) -> bool {
    text.contains("upgrade kglite") || text.contains("unknown binary codec version")
}

/// What to do about a file of a newer version.
pub(crate) const NEWER: &str = "use the newer version, or export there and import here";
const PERMISSION: &str = "let this user read and write it, or choose another";

/// Finds the error of the operating system that a text of the engine ends with.
fn os_error(text: &str) -> Option<io::Error> {
    let (_, number) = text.rsplit_once("(os error ")?;
    number.split_once(')')?.0.parse().ok().map(io::Error::from_raw_os_error)
}

fn describe(holder: &LeaseHolder) -> String {
    match (holder.pid, holder.label.as_deref()) {
        (Some(pid), Some(label)) => format!("process {pid} ({label})"),
        (Some(pid), None) => format!("process {pid}"),
        _ => "another process".to_owned(),
    }
}
