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

/// Body of a response: a text, or a stream of events.
#[derive(Debug)]
pub struct HttpBody(BoxBody<Bytes, Infallible>);

impl HttpBody {
    pub(super) fn new(body: BoxBody<Bytes, Infallible>) -> Self {
        Self(body)
    }
}

impl Body for HttpBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Pin::new(&mut self.0).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.0.size_hint()
    }
}

pub(super) fn refuse(status: StatusCode, why: impl Into<String>) -> Response<HttpBody> {
    let mut response = Response::new(HttpBody(Full::new(Bytes::from(why.into())).boxed()));
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
