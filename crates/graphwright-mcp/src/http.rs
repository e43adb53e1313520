//! Serves clients over HTTP: the protocol's transport "Streamable HTTP"
//! (<https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#streamable-http>).

mod conversations;
mod options;
mod places;
mod reply;
mod serve;

#[cfg(test)]
mod tests;

use std::{
    convert::Infallible,
    error::Error,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use graphwright::CancellationToken;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::{
    HeaderMap, Method, Request, Response, StatusCode,
    body::{Body, Bytes},
    header,
};
use rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
};

use self::{conversations::Conversations, places::Place, reply::refuse};
pub use self::{
    options::{BearerToken, HttpOptions},
    reply::HttpBody,
    serve::HTTP_PATH,
};
use crate::{McpServer, handler::Handler};

/// Header that names a conversation.
const SESSION: &str = "mcp-session-id";

/// A `tower` service for many clients over HTTP, each in a conversation of its own.
///
/// Created by [`McpServer::http`]. A server can mount it at any path
/// (`axum::Router::route_service`). Clones share everything.
///
/// ```
/// use graphwright::Toolbox;
/// use graphwright_mcp::{BearerToken, HttpOptions, McpServer};
/// use http_body_util::Empty;
/// use hyper::{Request, StatusCode, body::Bytes};
/// use tower_service::Service;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let token = Some(BearerToken::new("a secret of some length"));
/// let options = HttpOptions { token, ..HttpOptions::default() };
/// let mut service = McpServer::new(Toolbox::new()).http(options, Default::default());
/// let response = service.call(Request::new(Empty::<Bytes>::new())).await.unwrap();
/// assert_eq!(response.status(), StatusCode::UNAUTHORIZED);
/// # }
/// ```
#[derive(Clone)]
pub struct HttpService {
    protocol: StreamableHttpService<Handler, LocalSessionManager>,
    conversations: Arc<Conversations>,
    options: Arc<HttpOptions>,
}

impl std::fmt::Debug for HttpService {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HttpService").field("options", &self.options).finish_non_exhaustive()
    }
}

impl McpServer {
    /// Creates a service over HTTP, to be mounted in a server.
    ///
    /// Calls, texts and limits are those of the service over standard input and output. Cancelling
    /// ends the conversations and the calls that run in them.
    ///
    /// A client of the protocol's versions up to 2025-11-25 opens a conversation. It ends when the
    /// client says so, or after a silence of [`HttpOptions::idle`]. If a client leaves during a
    /// call, the call ends by [`McpLimits::time`](crate::McpLimits::time), since clients may fetch
    /// its result later. Since version 2026-07-28 there are no conversations, and a call is
    /// cancelled when its client leaves.
    pub fn http(self, options: HttpOptions, cancellation: CancellationToken) -> HttpService {
        let mut sessions = LocalSessionManager::default();
        // The time counts from the last message in either direction, and during a call there is
        // none.
        sessions.session_config.keep_alive = Some(options.idle + self.limits.time);
        let conversations = Conversations::new(sessions, options.conversations, self.limits.time);
        let config = StreamableHttpServerConfig::default()
            .with_allowed_hosts(&options.hosts)
            .with_allowed_origins(options.all_origins())
            .enforce_origin_validation()
            .with_max_request_body_bytes(options.body_bytes)
            .with_cancellation_token(cancellation);
        let sessions = Arc::clone(&conversations.sessions);
        let protocol = StreamableHttpService::new(move || Ok(Handler(self.clone())), sessions, config);
        HttpService { protocol, conversations, options: Arc::new(options) }
    }
}

impl HttpService {
    async fn answer<B>(self, request: Request<B>) -> Response<HttpBody>
    where
        B: Body + Send + 'static,
        B::Data: Send,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        // Before the body is read, so that strangers cause no more work than this.
        if let Some(token) = &self.options.token
            && !token.admits(request.headers().get(header::AUTHORIZATION))
        {
            return reply::unauthorized();
        }
        let mut request = match self.whole(request).await {
            Ok(request) => request,
            Err(refusal) => return refusal,
        };
        // From here on, the place of the connection is kept. Not by the request itself, which may
        // live as long as its conversation.
        let call = request.extensions_mut().remove::<Arc<Place>>().map(|place| place.call());
        let session = |headers: &HeaderMap| Some(headers.get(SESSION)?.to_str().ok()?.to_owned());
        // A conversation in which only the server may speak is silent.
        let speaks = request.method() == Method::POST;
        let turn = session(request.headers()).filter(|_| speaks).and_then(|id| self.conversations.turn(&id));
        let response = self.protocol.handle(request).await.map(HttpBody::new);
        if turn.is_none()
            && speaks
            && let Some(id) = session(response.headers())
            && !self.conversations.admit(&id).await
        {
            return refuse(
                StatusCode::SERVICE_UNAVAILABLE,
                format!(
                    "a call is running in each of {} conversations, which is the limit; try again later",
                    self.options.conversations
                ),
            );
        }
        response.map(|body| body.during(turn, call))
    }

    /// Reads the whole body of a request. If it is too long or too slow, returns the response for
    /// the client.
    async fn whole<B>(&self, request: Request<B>) -> Result<Request<Full<Bytes>>, Response<HttpBody>>
    where
        B: Body,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        let (head, body) = request.into_parts();
        let body = Limited::new(body, self.options.body_bytes).collect();
        match tokio::time::timeout(self.options.read_time, body).await {
            Ok(Ok(body)) => Ok(Request::from_parts(head, Full::new(body.to_bytes()))),
            Ok(Err(error)) if error.is::<LengthLimitError>() => Err(refuse(
                StatusCode::PAYLOAD_TOO_LARGE,
                format!("a request has {} bytes at most", self.options.body_bytes),
            )),
            Ok(Err(error)) => {
                Err(refuse(StatusCode::BAD_REQUEST, format!("the request cannot be read: {error}")))
            }
            Err(_) => Err(refuse(
                StatusCode::REQUEST_TIMEOUT,
                format!("the request did not come within {} s", self.options.read_time.as_secs_f64()),
            )),
        }
    }
}

impl<B> tower_service::Service<Request<B>> for HttpService
where
    B: Body + Send + 'static,
    B::Data: Send,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    type Response = Response<HttpBody>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let service = self.clone();
        Box::pin(async move { Ok(service.answer(request).await) })
    }
}
