//! Translates the errors of the driver and the server to [`StoreError`].

use std::{fmt, io};

use graphwright_core::{Position, StoreError};
use graphwright_cypher::LONG_RANGE;
use neo4j::{Neo4jError, error::ServerError};

use crate::{Address, ConnectOptions, Credentials, address::Encryption};

/// A failure that ends an attempt: of the driver, which may be tried again, or ours.
#[derive(Debug)]
pub(crate) enum Failure {
    Driver(Box<Neo4jError>),
    Store(StoreError),
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<Neo4jError> for Failure {
    fn from(error: Neo4jError) -> Self {
        Self::Driver(Box::new(error))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Driver(error) => error.fmt(formatter),
            Self::Store(error) => error.fmt(formatter),
        }
    }
}

/// Marks an error as that of a statement that only reads.
///
/// The driver takes the end of every statement without a transaction of its own for a commit, whose
/// loss would matter.
pub(crate) fn read_failure(mut error: Neo4jError) -> Neo4jError {
    if let Neo4jError::Disconnect { during_commit, .. } = &mut error {
        *during_commit = false;
    }
    error
}

/// Translates an error in the middle of work.
pub(crate) fn from_driver(error: Neo4jError, options: &ConnectOptions, text: Option<&str>) -> StoreError {
    let address = &options.address;
    match error {
        Neo4jError::ServerError { error, .. } => from_server(&error, options, text),
        Neo4jError::Disconnect { during_commit: true, message, .. } => unknown_commit(&message),
        Neo4jError::Disconnect { message, source, .. } => StoreError::Disconnected {
            address: address.to_string(),
            message: source.map_or_else(|| cluster_message(message), |source| source.to_string()),
        },
        Neo4jError::Timeout { message, .. } => unavailable(
            address,
            message,
            "see whether the server answers; allow more connections if many calls run at once",
        ),
        Neo4jError::InvalidConfig { message, .. } => StoreError::Evaluation { message },
        other => StoreError::Engine { message: other.to_string() },
    }
}

/// Rewords the driver's messages about a cluster for people who do not know how it asks its way.
fn cluster_message(message: String) -> String {
    if message == "routing options depleted" {
        return "no member of the cluster takes such calls now".to_owned();
    }
    match message.strip_prefix("unable to retrieve routing information; last error: ") {
        Some(last) => {
            let cause = last.rsplit_once("caused by: ").map_or(last, |(_, cause)| cause);
            format!("no member of the cluster answers ({cause})")
        }
        None => message,
    }
}

/// Creates the error of a lost answer to a commit.
pub(crate) fn unknown_commit(cause: &str) -> StoreError {
    StoreError::CommitUnknown { message: cause.to_owned() }
}

fn from_server(error: &ServerError, options: &ConnectOptions, text: Option<&str>) -> StoreError {
    let message = error.message().to_owned();
    let parts = (error.category(), error.title());
    match parts {
        ("Statement", _) if message.contains(LONG_RANGE) => {
            StoreError::Evaluation { message: LONG_RANGE.to_owned() }
        }
        ("Statement", "SyntaxError") => syntax(&message, text),
        ("Statement", "AccessMode") => StoreError::ReadOnly { context: "read()".to_owned() },
        ("Procedure", "ProcedureNotFound") => match missing_procedure(&message) {
            Some(name) => unknown_call(&format!("the procedure `{name}`")),
            None => StoreError::Syntax { message, position: None },
        },
        ("Schema", "IndexNotFound" | "ConstraintNotFound") => StoreError::NotFound { what: message },
        ("Schema", _) | ("Statement", "ConstraintVerificationFailed") => StoreError::Constraint { message },
        ("Security", "Forbidden") => {
            let hint = "ask who runs the server for the right, or connect as another user";
            unavailable(&options.address, message, hint)
        }
        ("Security" | "Database", _) => from_refusal(error, options),
        ("Transaction", "TransactionTimedOut" | "TransactionTimedOutClientConfiguration") => {
            StoreError::Engine { message: format!("the server's own time limit ended it: {message}") }
        }
        ("Statement", "ArithmeticError") if message == "/ by zero" => {
            StoreError::Evaluation { message: "division by zero".to_owned() }
        }
        _ if error.classification() == "ClientError" && error.category() == "Statement" => {
            StoreError::Evaluation { message }
        }
        ("Procedure", _) => StoreError::Evaluation { message },
        _ => StoreError::Engine { message: format!("{message} ({})", error.code()) },
    }
}

fn syntax(message: &str, text: Option<&str>) -> StoreError {
    if let Some(name) = message.strip_prefix("Unknown function '").and_then(|rest| rest.split('\'').next())
        && name.contains('.')
    {
        return unknown_call(&format!("the function `{name}`"));
    }
    let position = text.and_then(|text| position_in(message, text));
    // The rest is the line with a mark below the place, which the position tells.
    let message = message.split(" (line ").next().unwrap_or_default().trim_end().to_owned();
    StoreError::Syntax { message, position }
}

/// Creates the error of a missing function or procedure, which is there when the server has the
/// library.
fn unknown_call(what: &str) -> StoreError {
    StoreError::Unsupported {
        store: crate::KIND.into(),
        construct: format!("{what}, which the server does not have,"),
        hint: "install the library on the server (APOC for apoc.…), or write it in plain Cypher".to_owned(),
    }
}

fn missing_procedure(message: &str) -> Option<&str> {
    message.split_once('`')?.1.split_once('`').map(|(name, _)| name)
}

/// Reads `(line 2, column 1 (offset: 10))`, which counts characters.
fn position_in(message: &str, text: &str) -> Option<Position> {
    let place = message.rsplit_once("(line ")?.1;
    let (line, rest) = place.split_once(", column ")?;
    let (column, rest) = rest.split_once(" (offset: ")?;
    let characters: usize = rest.split_once(')')?.0.parse().ok()?;
    let offset = text.char_indices().nth(characters).map_or(text.len(), |(offset, _)| offset);
    Some(Position { line: line.parse().ok()?, column: column.parse().ok()?, offset })
}

/// Translates an error while connecting, in words for the person who wrote the address.
pub(crate) fn from_connecting(error: Neo4jError, options: &ConnectOptions) -> StoreError {
    let address = &options.address;
    match error {
        Neo4jError::ServerError { error, .. } => from_refusal(&error, options),
        Neo4jError::Disconnect { message, source, .. } => {
            let (message, hint) = lost(source.as_ref(), &message, address);
            unavailable(address, message, &hint)
        }
        Neo4jError::Timeout { .. } => no_answer(address),
        Neo4jError::InvalidConfig { message, .. } if message.contains("server version not supported") => {
            unavailable(
                address,
                "the server is too old, or no Neo4j".to_owned(),
                "Graphwright needs Neo4j 5.13 or newer",
            )
        }
        Neo4jError::InvalidConfig { message, .. } if message.contains("HTTP") => unavailable(
            address,
            "a web server answers there".to_owned(),
            "name the port of Bolt, which is 7687 unless the server's settings say otherwise",
        ),
        other => unavailable(address, other.to_string(), "see whether the address is that of a Neo4j server"),
    }
}

/// Translates the server's refusal of who we are or what we ask for.
fn from_refusal(error: &ServerError, options: &ConnectOptions) -> StoreError {
    let address = &options.address;
    match (error.category(), error.title()) {
        ("Security", "Unauthorized" | "CredentialsExpired" | "TokenExpired") => {
            let (what, hint) = match options.credentials {
                Credentials::None => {
                    ("calls of nobody", "set NEO4J_USERNAME and NEO4J_PASSWORD, or NEO4J_BEARER_TOKEN")
                }
                Credentials::Basic { .. } => (
                    "user and password",
                    "check NEO4J_USERNAME and NEO4J_PASSWORD; a first password must be changed before it is used",
                ),
                Credentials::Bearer(_) => {
                    ("the token", "get a new one for NEO4J_BEARER_TOKEN: tokens hold for a while only")
                }
            };
            unavailable(address, format!("the server does not accept {what}"), hint)
        }
        ("Security", "AuthenticationRateLimit") => unavailable(
            address,
            "the server refuses to try further passwords for a while".to_owned(),
            "wait a few seconds, and check the password",
        ),
        ("Database", "DatabaseNotFound") => unavailable(
            address,
            format!("there is no database `{}`", options.database.as_deref().unwrap_or_default()),
            "check NEO4J_DATABASE; without it the user's home database is opened",
        ),
        _ => unavailable(address, error.message().to_owned(), "ask who runs the server"),
    }
}

fn lost(source: Option<&io::Error>, message: &str, address: &Address) -> (String, String) {
    let encrypted = address.encryption != Encryption::None;
    let text = source.map(ToString::to_string).unwrap_or_default();
    let kind = source.map(io::Error::kind);
    if text.contains("invalid peer certificate") {
        let hint = "if it is self-signed and you trust the network, use +ssc in place of +s";
        return (format!("the server's certificate is not trusted ({text})"), hint.to_owned());
    }
    match kind {
        Some(io::ErrorKind::ConnectionRefused) => (
            "nothing answers at this port".to_owned(),
            "start the server, or correct the port (Bolt's is 7687)".to_owned(),
        ),
        Some(io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock) => {
            ("the server does not answer".to_owned(), silent_hint())
        }
        Some(_) if encrypted => (
            format!("an encrypted connection could not be made ({text})"),
            "if the server does not encrypt, leave +s and +ssc out of the address".to_owned(),
        ),
        Some(io::ErrorKind::UnexpectedEof | io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe) => (
            "the server closed the connection at once".to_owned(),
            "if it wants encrypted connections only, use bolt+s:// or neo4j+s://".to_owned(),
        ),
        Some(_) => (text, silent_hint()),
        None => (message.to_owned(), silent_hint()),
    }
}

fn silent_hint() -> String {
    "check host and port, and whether a firewall is between".to_owned()
}

fn no_answer(address: &Address) -> StoreError {
    unavailable(address, "the server does not answer".to_owned(), &silent_hint())
}

pub(crate) fn unknown_host(address: &Address, cause: &io::Error) -> StoreError {
    let message = format!("the host `{}` is not known ({cause})", address.host);
    unavailable(address, message, "check the name of the host")
}

pub(crate) fn too_old(address: &Address, agent: &str, least: (u32, u32)) -> StoreError {
    let hint = format!("Graphwright needs Neo4j {}.{} or newer", least.0, least.1);
    unavailable(address, format!("the server is too old ({agent})"), &hint)
}

pub(crate) fn unusable(address: &Address, message: &str) -> StoreError {
    unavailable(address, message.to_owned(), "correct the address")
}

fn unavailable(address: &Address, message: String, hint: &str) -> StoreError {
    StoreError::Unavailable { address: address.to_string(), message, hint: hint.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_in_characters() {
        let text = "MATCH (é)\nRETRUN n";
        let message = "Invalid input 'RETRUN' (line 2, column 1 (offset: 10))\n\"RETRUN n\"\n ^";
        let position = position_in(message, text).unwrap();
        assert_eq!((position.line, position.column, position.offset), (2, 1, 11));
        let StoreError::Syntax { message, .. } = syntax(message, Some(text)) else {
            panic!("no syntax error");
        };
        assert_eq!(message, "Invalid input 'RETRUN'");
    }

    #[test]
    fn functions_of_libraries_are_refused_by_name() {
        let error = syntax("Unknown function 'apoc.text.join' (line 1, column 8 (offset: 7))", None);
        assert_eq!(error.code(), "unsupported");
        let error = syntax("Unknown function 'foo' (line 1, column 8 (offset: 7))", None);
        assert_eq!(error.code(), "syntax");
    }
}
