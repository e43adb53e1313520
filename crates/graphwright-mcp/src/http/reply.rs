//! Responses of the service.

use std::{
    convert::Infallible,
    pin::Pin,
    task::{Context, Poll},
};

use http_body_util::{BodyExt, Full, combinators::BoxBody};
use hyper::{
    Response, StatusCode,
    body::{Body, Bytes, Frame, SizeHint},
    header::{HeaderValue, WWW_AUTHENTICATE},
};

use super::{conversations::Turn, places::Call};

/// Body of a response: a text, or a stream of events.
#[derive(Debug)]
pub struct HttpBody {
    body: BoxBody<Bytes, Infallible>,
    /// What goes on until the body is sent.
    turn: Option<Turn>,
    call: Option<Call>,
}

impl HttpBody {
    pub(super) fn new(body: BoxBody<Bytes, Infallible>) -> Self {
        Self { body, turn: None, call: None }
    }

    /// Lets a turn and a call go on until the body is sent or nobody waits for it any more.
    pub(super) fn during(mut self, turn: Option<Turn>, call: Option<Call>) -> Self {
        (self.turn, self.call) = (turn, call);
        self
    }
}

impl Drop for HttpBody {
    fn drop(&mut self) {
        // Of a body whose end is known, the end is not asked for.
        if self.body.is_end_stream()
            && let Some(turn) = self.turn.take()
        {
            turn.end();
        }
    }
}

impl Body for HttpBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let frame = Pin::new(&mut self.body).poll_frame(context);
        if matches!(frame, Poll::Ready(None))
            && let Some(turn) = self.turn.take()
        {
            turn.end();
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

pub(super) fn refuse(status: StatusCode, why: impl Into<String>) -> Response<HttpBody> {
    let mut response = Response::new(HttpBody::new(Full::new(Bytes::from(why.into())).boxed()));
    *response.status_mut() = status;
    response
}

pub(super) fn unauthorized() -> Response<HttpBody> {
    let mut response = refuse(
        StatusCode::UNAUTHORIZED,
        "this service wants a token: send the header `Authorization: Bearer …` with the one that it was started with",
    );
    response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    response
}
