//! Translates the client library's errors to [`LlmError`].

use genai::webc;

use crate::{LlmError, provider::failure::Source};

pub(super) fn translate(source: &Source, error: genai::Error) -> LlmError {
    match error {
        genai::Error::WebModelCall { webc_error, .. } | genai::Error::WebAdapterCall { webc_error, .. } => {
            translate_web(source, webc_error)
        }
        genai::Error::HttpError { status, body, headers, .. } => {
            source.by_status(status.as_u16(), &body, |name| headers.get(name)?.to_str().ok())
        }
        genai::Error::WebStream { error, .. } => match error.downcast::<genai::Error>() {
            Ok(inner) => translate(source, *inner),
            Err(error) => source.disconnected(error.as_ref()),
        },
        genai::Error::ChatResponse { body, .. } => source.by_event(&body),
        genai::Error::ChatResponseGeneration { cause, .. } => source.bad_reply(cause),
        genai::Error::StreamParse { serde_error, .. } => source.bad_reply(serde_error.to_string()),
        genai::Error::NoChatResponse { .. } => source.bad_reply("it is empty"),
        other => source.refused(other.to_string()),
    }
}

fn translate_web(source: &Source, error: webc::Error) -> LlmError {
    match error {
        webc::Error::ResponseFailedStatus { status, body, headers } => {
            source.by_status(status.as_u16(), &body, |name| headers.get(name)?.to_str().ok())
        }
        webc::Error::ResponseFailedNotJson { content_type, .. } => source.bad_reply(format!(
            "{} answers with {content_type:?} instead of JSON; is the address right?",
            source.address
        )),
        webc::Error::ResponseFailedInvalidJson { cause, .. } => source.bad_reply(cause),
        webc::Error::JsonValueExt(error) => source.bad_reply(error.to_string()),
        webc::Error::Reqwest(error) => source.disconnected(&error),
    }
}
