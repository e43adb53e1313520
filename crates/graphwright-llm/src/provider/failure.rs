//! Translates what goes wrong to [`LlmError`].

use std::{
    error::Error,
    io::{self, ErrorKind},
    time::Duration,
};

use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;

use super::wire::Trouble;
use crate::{LlmError, ModelName};

/// The most characters of a provider's message that are repeated.
const LONGEST_MESSAGE: usize = 500;

/// The shortest key that is taken out of messages.
///
/// A shorter one, as a server of one's own may take, is a word that may stand in any message.
const SHORTEST_SECRET: usize = 8;

/// The phrases by which providers say that a request is too long.
const TOO_LONG: [&str; 10] = [
    "context_length_exceeded",
    "exceed_context_size",
    "maximum context length",
    "prompt is too long",
    "input is too long",
    "exceeds the maximum number of tokens",
    "exceeds the available context size",
    "exceeds the context length",
    "exceeds the context window",
    "request_too_large",
];

/// The phrases by which providers say that a key is wrong, where the status does not.
const BAD_KEY: [&str; 3] = ["API_KEY_INVALID", "invalid_api_key", "Incorrect API key"];

/// The model and address that an error comes from.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) name: ModelName,
    pub(super) address: String,
    /// The secrets that must not be repeated, though the provider may say them.
    pub(super) secrets: Vec<SecretString>,
}

impl Source {
    /// Translates the answer with a status that is no success.
    pub(super) fn by_status<'a>(
        &self,
        status: u16,
        body: &str,
        header: impl Fn(&str) -> Option<&'a str>,
    ) -> LlmError {
        let retry_after = retry_after(header).or_else(|| told_wait(body));
        let provider = self.name.provider.to_string();
        let message = self.provider_message(body);
        let says = |words: &str| body.contains(words);
        match status {
            // Some servers take it for their own failure.
            400 | 413 | 422 | 500 if TOO_LONG.iter().any(|words| says(words)) => {
                LlmError::ContextLength { model: self.name.to_string() }
            }
            401 | 403 => LlmError::Authentication { provider, message },
            400 if BAD_KEY.iter().any(|words| says(words)) => LlmError::Authentication { provider, message },
            // The model's own mistake, told by a server that checks its reply.
            400 if says("failed_generation") => self.bad_reply(message),
            // Waiting does not help where the account is empty.
            429 if says("insufficient_quota") => self.refused(message),
            429 => LlmError::RateLimited { provider, retry_after },
            // A busy server that names a time is asked again then.
            500.. | 408 | 409 if retry_after.is_some() => LlmError::RateLimited { provider, retry_after },
            500.. | 408 | 409 => self.unavailable(&format!("status {status}: {message}")),
            404 => {
                let Self { name, address, .. } = self;
                let asked = format!("asked {address} for {}; are both right?", name.model);
                let message = self.without_secrets(&format!("status 404: {message} ({asked})"));
                LlmError::NotFound { provider, message }
            }
            _ => self.refused(format!("status {status}: {message}")),
        }
    }

    /// Translates an error that comes inside a stream, which has a type instead of a status.
    pub(super) fn by_event(&self, body: &Value) -> LlmError {
        let text = body.to_string();
        // Some put a status there.
        let code = ["/error/code", "/code", "/error/status_code"];
        let status = code.iter().find_map(|path| body.pointer(path)?.as_u64());
        if let Some(status) = status.and_then(|status| u16::try_from(status).ok()).filter(|code| *code >= 400)
        {
            return self.by_status(status, &text, |_| None);
        }
        let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
        if says(&TOO_LONG) {
            return LlmError::ContextLength { model: self.name.to_string() };
        }
        if says(&["rate_limit", "RESOURCE_EXHAUSTED"]) {
            let provider = self.name.provider.to_string();
            return LlmError::RateLimited { provider, retry_after: told_wait(&text) };
        }
        let message = self.provider_message(&text);
        if says(&["invalid_request", "INVALID_ARGUMENT", "content_filter"]) {
            return self.refused(message);
        }
        self.unavailable(&message)
    }

    pub(super) fn trouble(&self, trouble: Trouble) -> LlmError {
        match trouble {
            Trouble::Told(body) => self.by_event(&body),
            Trouble::Bad(message) => self.bad_reply(message),
        }
    }

    pub(super) fn void_reply(&self) -> LlmError {
        self.bad_reply(format!("{} answers with no reply; is the address right?", self.address))
    }

    pub(super) fn broken_off(&self, silent: bool) -> LlmError {
        self.unavailable(if silent {
            "the stream broke off before it said anything; is the address right?"
        } else {
            "the stream broke off before the reply was whole"
        })
    }

    /// Translates the failure of a connection that could not be opened or ended too early.
    pub(super) fn disconnected(&self, error: &(dyn Error + 'static)) -> LlmError {
        let cause = root_cause(error);
        let ended =
            cause.downcast_ref::<io::Error>().is_some_and(|cause| cause.kind() == ErrorKind::UnexpectedEof);
        self.unavailable(&if ended { format!("the reply broke off: {cause}") } else { cause.to_string() })
    }

    fn unavailable(&self, message: &str) -> LlmError {
        let message = format!("{} ({})", self.without_secrets(message), self.address);
        LlmError::Unavailable { provider: self.name.provider.to_string(), message }
    }

    pub(super) fn bad_reply(&self, message: impl AsRef<str>) -> LlmError {
        LlmError::BadReply { model: self.name.to_string(), message: self.without_secrets(message.as_ref()) }
    }

    pub(super) fn refused(&self, message: impl AsRef<str>) -> LlmError {
        let message = self.without_secrets(message.as_ref());
        LlmError::Refused { provider: self.name.provider.to_string(), message }
    }

    /// Finds the provider's own words inside an error body.
    fn provider_message(&self, body: &str) -> String {
        let body = self.without_secrets(body);
        let parsed: Option<Value> = serde_json::from_str(&body).ok();
        // Gemini wraps the error of a stream in a list.
        let parsed = parsed.as_ref().map(|body| body.get(0).unwrap_or(body));
        let message = parsed.and_then(|body| {
            let paths = ["/error/message", "/message", "/error", "/detail", "/error/code"];
            paths.iter().find_map(|path| body.pointer(path)?.as_str())
        });
        let message = message.unwrap_or(&body).trim();
        if message.is_empty() {
            "no reason given".to_owned()
        } else {
            message.chars().take(LONGEST_MESSAGE).collect()
        }
    }

    /// Takes the keys out of a text: some servers repeat the key that they refuse.
    fn without_secrets(&self, text: &str) -> String {
        let secrets = self.secrets.iter().map(|secret| secret.expose_secret().trim());
        secrets
            .filter(|secret| secret.len() >= SHORTEST_SECRET)
            .fold(text.to_owned(), |text, secret| text.replace(secret, "***"))
    }
}

/// Reads `Retry-After` in seconds or as a date (RFC 9110, section 10.2.3), and OpenAI's
/// `retry-after-ms`.
fn retry_after<'a>(header: impl Fn(&str) -> Option<&'a str>) -> Option<Duration> {
    if let Some(milliseconds) = header("retry-after-ms").and_then(|value| value.trim().parse().ok()) {
        return Some(Duration::from_millis(milliseconds));
    }
    let value = header("retry-after")?.trim();
    if let Ok(seconds) = value.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let date = jiff::fmt::rfc2822::parse(value).ok()?;
    let wait = date.timestamp().duration_since(jiff::Timestamp::now());
    Some(Duration::try_from(wait).unwrap_or(Duration::ZERO))
}

/// Reads how long to wait from the body of an error: Google's `RetryInfo`, or the words in which
/// several say it ("try again in 1.2s", "retry in 34 s").
fn told_wait(body: &str) -> Option<Duration> {
    let parsed: Option<Value> = serde_json::from_str(body).ok();
    let error = parsed.as_ref().map(|body| body.get(0).unwrap_or(body));
    let details = error.and_then(|body| body.pointer("/error/details")?.as_array());
    let delay = details.into_iter().flatten().find_map(|detail| detail.get("retryDelay")?.as_str());
    if let Some(seconds) = delay.and_then(|delay| delay.trim_end_matches('s').parse::<f64>().ok()) {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let words = body.to_lowercase();
    let rest = ["try again in ", "retry in ", "retry after "]
        .iter()
        .find_map(|phrase| words.split_once(phrase).map(|(_, rest)| rest.trim_start()))?;
    let end = rest.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(rest.len());
    let number: f64 = rest[..end].trim_end_matches('.').parse().ok()?;
    let unit = rest[end..].trim_start();
    let seconds = match unit {
        unit if unit.starts_with("ms") || unit.starts_with("milli") => number / 1_000.0,
        unit if unit.starts_with('m') => number * 60.0,
        unit if unit.starts_with('s') => number,
        _ => return None,
    };
    Duration::try_from_secs_f64(seconds).ok()
}

/// Returns the innermost error, which says what happened. The outer ones only say that something
/// did.
fn root_cause<'e>(error: &'e (dyn Error + 'static)) -> &'e (dyn Error + 'static) {
    let mut innermost = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost
}
