//! Errors of models and embedders.

use std::time::Duration;

use thiserror::Error;

/// A `Result` whose error is [`LlmError`] unless told otherwise.
pub type Result<T, E = LlmError> = std::result::Result<T, E>;

/// An error of a model. Its variants are what a caller can act on.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum LlmError {
    /// The key is missing or was refused.
    #[error("{provider} refused the credentials: {message}")]
    Authentication {
        /// The provider.
        provider: String,
        /// The provider's words.
        message: String,
    },
    /// The provider asks to wait.
    #[error("{provider} {}", wait(*.retry_after))]
    RateLimited {
        /// The provider.
        provider: String,
        /// The time to wait, if the provider tells it (`Retry-After`).
        retry_after: Option<Duration>,
    },
    /// The provider failed or cannot be reached. Another try may help.
    #[error("{provider} is not available: {message}")]
    Unavailable {
        /// The provider.
        provider: String,
        /// What happened.
        message: String,
    },
    /// The address failed so often that it is not called for a while
    /// ([`CircuitBreaker`](crate::CircuitBreaker)).
    #[error("{provider} failed {failures} times in a row and is {}: {message}", pause(.address, *.retry_in))]
    CircuitOpen {
        /// The provider.
        provider: String,
        /// The address.
        address: String,
        /// The number of failed calls in a row.
        failures: u32,
        /// The time until it is called again. Zero while a trial call is under way.
        retry_in: Duration,
        /// The last failure.
        message: String,
    },
    /// The request is longer than the model's context.
    #[error("the request is longer than the context of {model}")]
    ContextLength {
        /// The model.
        model: String,
    },
    /// There is no such model at the address, or no such address.
    #[error("{provider} refused the request: {message}")]
    NotFound {
        /// The provider.
        provider: String,
        /// The provider's words, and what was asked for.
        message: String,
    },
    /// The provider refused the request as it is.
    #[error("{provider} refused the request: {message}")]
    Refused {
        /// The provider.
        provider: String,
        /// The provider's words.
        message: String,
    },
    /// The reply is not what was asked for.
    #[error("the reply of {model} is not usable: {message}")]
    BadReply {
        /// The model.
        model: String,
        /// What is wrong with it.
        message: String,
    },
    /// The call would exceed the budget.
    #[error("the budget is used up: {message}")]
    Budget {
        /// The limit, and how much was used.
        message: String,
    },
    /// The settings do not describe a model.
    #[error("{message}")]
    Configuration {
        /// What is wrong, and what to do.
        message: String,
    },
    /// The caller cancelled the call.
    #[error("cancelled")]
    Cancelled,
}

impl LlmError {
    /// Returns what a person can do about the error, if there is something to say.
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
            Self::NotFound { .. } | Self::Refused { .. } | Self::Configuration { .. } | Self::Cancelled => {
                return None;
            }
        };
        Some(hint.to_owned())
    }

    /// Returns a stable name for programs and traces, as `rate_limited`.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Authentication { .. } => "authentication",
            Self::RateLimited { .. } => "rate_limited",
            Self::Unavailable { .. } => "unavailable",
            Self::CircuitOpen { .. } => "circuit_open",
            Self::ContextLength { .. } => "context_length",
            Self::NotFound { .. } => "not_found",
            Self::Refused { .. } => "refused",
            Self::BadReply { .. } => "bad_reply",
            Self::Budget { .. } => "budget",
            Self::Configuration { .. } => "configuration",
            Self::Cancelled => "cancelled",
        }
    }

    /// Returns whether the request may succeed when it is made again soon.
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
