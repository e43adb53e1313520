//! What can go wrong with a model.

use std::time::Duration;

use thiserror::Error;

/// `Result` with [`LlmError`].
pub type Result<T, E = LlmError> = std::result::Result<T, E>;

/// Why a model did not answer. The variants are what a caller can act on.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum LlmError {
    /// The key is missing or refused.
    #[error("{provider} refused the credentials: {message}")]
    Authentication {
        /// Which provider.
        provider: String,
        /// The provider's words.
        message: String,
    },
    /// The provider asks to wait.
    #[error("{provider} {}", wait(*.retry_after))]
    RateLimited {
        /// Which provider.
        provider: String,
        /// How long to wait, where it says (`Retry-After`).
        retry_after: Option<Duration>,
    },
    /// The provider failed or cannot be reached; trying again may help.
    #[error("{provider} is not available: {message}")]
    Unavailable {
        /// Which provider.
        provider: String,
        /// What happened.
        message: String,
    },
    /// The address failed so often that it is not called for a while
    /// ([`CircuitBreaker`](crate::CircuitBreaker)).
    #[error("{provider} failed {failures} times in a row and is {}: {message}", pause(.address, *.retry_in))]
    CircuitOpen {
        /// Which provider.
        provider: String,
        /// At which address.
        address: String,
        /// Failed calls in a row.
        failures: u32,
        /// When it is called again; zero while a call is under way that finds out whether it answers.
        retry_in: Duration,
        /// The last failure.
        message: String,
    },
    /// The request is longer than the model's context.
    #[error("the request is longer than the context of {model}")]
    ContextLength {
        /// Which model.
        model: String,
    },
    /// The provider refused the request as it is.
    #[error("{provider} refused the request: {message}")]
    Refused {
        /// Which provider.
        provider: String,
        /// The provider's words.
        message: String,
    },
    /// The reply is not what was asked for.
    #[error("the reply of {model} is not usable: {message}")]
    BadReply {
        /// Which model.
        model: String,
        /// What is wrong with it.
        message: String,
    },
    /// The budget would be passed.
    #[error("the budget is used up: {message}")]
    Budget {
        /// Which limit, and how much was used.
        message: String,
    },
    /// The settings do not make a model.
    #[error("{message}")]
    Configuration {
        /// What is wrong and what to do.
        message: String,
    },
    /// The caller cancelled.
    #[error("cancelled")]
    Cancelled,
}

impl LlmError {
    /// What the person can do about it, if there is something to say.
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Authentication { .. } => "set a key that is valid for this provider and address",
            Self::RateLimited { .. } => "wait, or make fewer calls at the same time",
            Self::Unavailable { .. } | Self::CircuitOpen { .. } => {
                "check the address and the network, or try again later"
            }
            Self::ContextLength { .. } => {
                "use smaller passages, less evidence, or a model with a longer context"
            }
            Self::BadReply { .. } => "try again, or use a model that is better at structured output",
            Self::Budget { .. } => "raise the budget if you mean to spend more",
            Self::Refused { .. } | Self::Configuration { .. } | Self::Cancelled => return None,
        };
        Some(hint.to_owned())
    }

    /// A stable name for programs and traces, as `rate_limited`.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Authentication { .. } => "authentication",
            Self::RateLimited { .. } => "rate_limited",
            Self::Unavailable { .. } => "unavailable",
            Self::CircuitOpen { .. } => "circuit_open",
            Self::ContextLength { .. } => "context_length",
            Self::Refused { .. } => "refused",
            Self::BadReply { .. } => "bad_reply",
            Self::Budget { .. } => "budget",
            Self::Configuration { .. } => "configuration",
            Self::Cancelled => "cancelled",
        }
    }

    /// Whether the same request may succeed when it is made again soon.
    pub fn is_retryable(&self) -> bool {
        matches!(self, Self::RateLimited { .. } | Self::Unavailable { .. })
    }
}

fn wait(retry_after: Option<Duration>) -> String {
    match retry_after.filter(|wait| !wait.is_zero()) {
        Some(wait) => format!("asks to wait {} s before the next request", wait.as_secs_f64().ceil()),
        None => "limits the rate of requests".to_owned(),
    }
}

fn pause(address: &str, retry_in: Duration) -> String {
    if retry_in.is_zero() {
        format!("being tried with one call ({address})")
    } else {
        format!("called again in {} s ({address})", retry_in.as_secs_f64().ceil())
    }
}
