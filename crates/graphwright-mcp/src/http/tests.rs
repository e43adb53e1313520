//! Tests with raw requests over the loopback.

use std::{
    convert::Infallible,
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use graphwright::{CancellationToken, Tool, ToolContext, ToolError, ToolOutput, Toolbox, llm::ToolSpec};
use hyper::body::Bytes;
use reqwest::{Method, RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};
use tokio::{net::TcpListener, task::JoinHandle};

use super::{BearerToken, HTTP_PATH, HttpOptions};
use crate::{McpError, McpLimits, McpServer, Result};

/// A tool that waits forever and ignores cancellation, or answers at once if told to.
#[derive(Debug)]
struct Wait {
    spec: ToolSpec,
    waiting: Arc<AtomicUsize>,
}

/// Counts a waiting call for as long as it lives.
struct Waiting(Arc<AtomicUsize>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

#[async_trait]
impl Tool for Wait {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn call(&self, arguments: Value, _: &ToolContext) -> Result<ToolOutput, ToolError> {
        if arguments["forever"] == false {
            return Ok("no need".into());
        }
        self.waiting.fetch_add(1, Ordering::SeqCst);
        let _waiting = Waiting(Arc::clone(&self.waiting));
        std::future::pending().await
    }
}

/// A running service on a port of its own.
struct Served {
    address: SocketAddr,
    waiting: Arc<AtomicUsize>,
    stop: CancellationToken,
    done: JoinHandle<Result<()>>,
    client: reqwest::Client,
}

fn server(waiting: &Arc<AtomicUsize>) -> McpServer {
    let parameters = json!({"type": "object", "properties": {"forever": {"type": "boolean"}}});
    let spec = ToolSpec { name: "wait".to_owned(), description: "Waits.".to_owned(), parameters };
    let tools = Toolbox::new().with(Wait { spec, waiting: Arc::clone(waiting) }).unwrap();
    McpServer::new(tools).with_limits(McpLimits { time: Duration::from_secs(20), ..McpLimits::default() })
}

impl Served {
    async fn with(options: HttpOptions) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (address, stop, waiting) =
            (listener.local_addr().unwrap(), CancellationToken::new(), Arc::default());
        let done = tokio::spawn(server(&waiting).serve_http(listener, options, stop.clone()));
        Self { address, waiting, stop, done, client: reqwest::Client::new() }
    }

    fn request(&self, method: Method) -> RequestBuilder {
        self.client.request(method, format!("http://{}{HTTP_PATH}", self.address))
    }

    fn post(&self) -> RequestBuilder {
        self.request(Method::POST)
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream")
    }

    fn initialize(&self) -> RequestBuilder {
        let client = json!({"name": "test", "version": "1"});
        let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
        self.post().body(message(json!({"id": 0, "method": "initialize", "params": params})))
    }

    async fn open(&self) -> Conversation<'_> {
        let response = self.initialize().send().await.unwrap();
        let id = response.headers()["mcp-session-id"].to_str().unwrap().to_owned();
        assert_eq!(answer(response).await["result"]["serverInfo"]["name"], "graphwright");
        let conversation = Conversation { served: self, id };
        let said = conversation.send(json!({"method": "notifications/initialized"})).await;
        assert_eq!(said.status(), StatusCode::ACCEPTED);
        conversation
    }

    async fn until_waiting(&self, count: usize) {
        let waited = async {
            while self.waiting.load(Ordering::SeqCst) != count {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(10), waited).await.expect("the tools run or end");
    }
}

struct Conversation<'a> {
    served: &'a Served,
    id: String,
}

impl Conversation<'_> {
    fn post(&self, content: Value) -> RequestBuilder {
        self.served.post().header("mcp-session-id", &self.id).body(message(content))
    }

    async fn send(&self, content: Value) -> Response {
        self.post(content).send().await.unwrap()
    }

    /// Calls the tool with this request number.
    async fn call(&self, number: u64, forever: bool) -> Response {
        let params = json!({"name": "wait", "arguments": {"forever": forever}});
        self.send(json!({"id": number, "method": "tools/call", "params": params})).await
    }
}

fn message(mut content: Value) -> String {
    content["jsonrpc"] = json!("2.0");
    content.to_string()
}

/// Returns the last message of a stream of events, once the stream ends.
async fn answer(response: Response) -> Value {
    assert_eq!(response.status(), StatusCode::OK);
    let text = response.text().await.unwrap();
    let last =
        text.lines().filter_map(|line| line.strip_prefix("data:")).rfind(|data| !data.trim().is_empty());
    serde_json::from_str(last.unwrap_or_else(|| panic!("no message in {text:?}"))).unwrap()
}

#[tokio::test]
async fn a_client_opens_a_conversation_calls_and_ends_it() {
    let served = Served::with(HttpOptions::default()).await;
    let conversation = served.open().await;
    let tools = answer(conversation.send(json!({"id": 1, "method": "tools/list"})).await).await;
    assert_eq!(tools["result"]["tools"][0]["name"], "wait");
    let said = answer(conversation.call(2, false).await).await;
    assert_eq!((&said["id"], &said["result"]["content"][0]["text"]), (&json!(2), &json!("no need")));
    let end = served.request(Method::DELETE).header("mcp-session-id", &conversation.id).send().await.unwrap();
    assert!(end.status().is_success());
    assert_eq!(conversation.call(3, false).await.status(), StatusCode::NOT_FOUND);
    let elsewhere = served.client.get(format!("http://{}/", served.address)).send().await.unwrap();
    assert_eq!(elsewhere.status(), StatusCode::NOT_FOUND);
    assert!(elsewhere.text().await.unwrap().contains("/mcp"));
}

#[tokio::test]
async fn what_comes_under_another_name_or_from_another_page_is_refused() {
    let options =
        HttpOptions { origins: vec!["https://friend.example:443".to_owned()], ..HttpOptions::default() };
    let served = Served::with(options).await;
    for (header, value, status) in [
        ("host", "evil.example", StatusCode::FORBIDDEN),
        ("host", "localhost.evil.example", StatusCode::FORBIDDEN),
        ("host", "localhost:1234", StatusCode::OK),
        ("origin", "https://evil.example", StatusCode::FORBIDDEN),
        ("origin", "http://localhost.evil.example", StatusCode::FORBIDDEN),
        ("origin", "null", StatusCode::FORBIDDEN),
        ("origin", "http://localhost:3000", StatusCode::OK),
        ("origin", "http://[::1]:3000", StatusCode::OK),
        ("origin", "https://friend.example", StatusCode::OK),
        // A form on a page can send this type without a preflight request.
        ("content-type", "text/plain", StatusCode::UNSUPPORTED_MEDIA_TYPE),
    ] {
        let mut request = served.initialize().build().unwrap();
        request.headers_mut().insert(header, value.parse().unwrap());
        let response = served.client.execute(request).await.unwrap();
        assert_eq!(response.status(), status, "{header}: {value}");
    }
}

#[tokio::test]
async fn a_long_or_slow_request_is_refused() {
    let options =
        HttpOptions { body_bytes: 1_000, read_time: Duration::from_millis(200), ..HttpOptions::default() };
    let served = Served::with(options).await;
    let long = served.post().body("x".repeat(1_001)).send().await.unwrap();
    assert_eq!(long.status(), StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(long.text().await.unwrap(), "a request has 1000 bytes at most");
    // A stream has no length in its header.
    let pieces = tokio_stream::iter((0..20).map(|_| Ok::<_, std::io::Error>("x".repeat(100))));
    let unknown = served.post().body(reqwest::Body::wrap_stream(pieces)).send().await.unwrap();
    assert_eq!(unknown.status(), StatusCode::PAYLOAD_TOO_LARGE);
    let never = tokio_stream::pending::<std::io::Result<String>>();
    let slow = served.post().body(reqwest::Body::wrap_stream(never)).send().await.unwrap();
    assert_eq!(slow.status(), StatusCode::REQUEST_TIMEOUT);
    assert_eq!(slow.text().await.unwrap(), "the request did not come within 0.2 s");
}

#[tokio::test]
async fn without_the_token_nothing_is_served() {
    let token = "a secret of some length";
    let served =
        Served::with(HttpOptions { token: Some(BearerToken::new(token)), ..HttpOptions::default() }).await;
    for wrong in
        [None, Some("Bearer wrong"), Some("Bearer "), Some("Basic a secret of some length"), Some(token)]
    {
        let request = served.initialize();
        let request = match wrong {
            Some(wrong) => request.header("authorization", wrong),
            None => request,
        };
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), StatusCode::UNAUTHORIZED, "{wrong:?}");
        assert_eq!(response.headers()["www-authenticate"], "Bearer");
        assert!(!response.text().await.unwrap().contains(token));
    }
    let response = served.initialize().bearer_auth(token).send().await.unwrap();
    assert_eq!(answer(response).await["result"]["serverInfo"]["name"], "graphwright");
}

#[tokio::test]
async fn other_machines_are_not_served_without_a_token() {
    let open = |token| async {
        let listener = TcpListener::bind("0.0.0.0:0").await.unwrap();
        let stop = CancellationToken::new();
        stop.cancel();
        let options = HttpOptions { token, ..HttpOptions::default() };
        server(&Arc::default()).serve_http(listener, options, stop).await
    };
    let refused = open(None).await.unwrap_err();
    assert!(matches!(refused, McpError::NeedsToken { .. }), "{refused}");
    open(Some(BearerToken::new("a secret of some length"))).await.unwrap();
}

#[tokio::test]
async fn a_server_can_mount_the_service() {
    use http_body_util::{BodyExt, Full};
    use tower_service::Service;

    /// Requires what `axum::Router::route_service` requires of a service.
    fn mounted<S>(service: S) -> S
    where
        S: Service<hyper::Request<Full<Bytes>>, Error = Infallible> + Clone + Send + Sync + 'static,
        S::Future: Send + 'static,
    {
        service
    }
    let mut service = mounted(server(&Arc::default()).http(HttpOptions::default(), CancellationToken::new()));
    let request = hyper::Request::get("http://localhost/anywhere").header("accept", "text/event-stream");
    let response = service.call(request.body(Full::<Bytes>::default()).unwrap()).await.unwrap();
    assert_eq!(response.status(), StatusCode::BAD_REQUEST);
    let body = response.into_body().collect().await.unwrap().to_bytes();
    assert_eq!(body, "Bad Request: Session ID is required");
}

#[tokio::test]
async fn conversations_do_not_meet_and_a_cancelled_call_ends() {
    let served = Served::with(HttpOptions::default()).await;
    let (one, other) = (served.open().await, served.open().await);
    // Both use one request number.
    let (_first, _second) = (one.call(7, true).await, other.call(7, true).await);
    served.until_waiting(2).await;
    let cancel = json!({"method": "notifications/cancelled", "params": {"requestId": 7}});
    assert_eq!(one.send(cancel).await.status(), StatusCode::ACCEPTED);
    served.until_waiting(1).await;
    for conversation in [&one, &other] {
        let said = answer(conversation.call(8, false).await).await;
        assert_eq!(said["result"]["content"][0]["text"], "no need");
    }
    assert_eq!(served.waiting.load(Ordering::SeqCst), 1);
    // Ending the other conversation ends its call.
    served.request(Method::DELETE).header("mcp-session-id", &other.id).send().await.unwrap();
    served.until_waiting(0).await;
}

#[tokio::test]
async fn conversations_are_limited_and_end_when_nobody_speaks() {
    let waiting = Arc::default();
    let options =
        HttpOptions { conversations: 1, idle: Duration::from_millis(100), ..HttpOptions::default() };
    let limits = McpLimits { time: Duration::from_millis(200), ..McpLimits::default() };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (address, stop) = (listener.local_addr().unwrap(), CancellationToken::new());
    let done = tokio::spawn(server(&waiting).with_limits(limits).serve_http(listener, options, stop.clone()));
    let served = Served { address, waiting, stop, done, client: reqwest::Client::new() };

    let conversation = served.open().await;
    let call = conversation.call(0, true).await;
    served.until_waiting(1).await;
    let full = served.initialize().send().await.unwrap();
    assert_eq!(full.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert!(full.text().await.unwrap().starts_with("a call is running in each of 1 conversations"));
    answer(call).await;
    // The client is killed during a call: the call ends by its time limit, the conversation after
    // it.
    drop(conversation.call(1, true).await);
    served.until_waiting(1).await;
    served.until_waiting(0).await;
    let again = async {
        while served.initialize().send().await.unwrap().status() != StatusCode::OK {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), again).await.expect("there is a place again");
}

#[tokio::test]
async fn without_a_conversation_a_call_ends_with_its_client() {
    let served = Served::with(HttpOptions::default()).await;
    let version = "2026-07-28";
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let call = |number: u64, forever: bool| {
        let params = json!({"name": "wait", "arguments": {"forever": forever}, "_meta": meta.clone()});
        served
            .post()
            .header("mcp-protocol-version", version)
            .header("mcp-method", "tools/call")
            .header("mcp-name", "wait")
            .body(message(json!({"id": number, "method": "tools/call", "params": params})))
    };
    let said = answer(call(1, false).send().await.unwrap()).await;
    assert_eq!(said["result"]["content"][0]["text"], "no need");
    let client = tokio::spawn(call(2, true).send());
    served.until_waiting(1).await;
    client.abort();
    served.until_waiting(0).await;
}

#[tokio::test]
async fn the_end_of_the_service_ends_calls_and_streams() {
    let served = Served::with(HttpOptions::default()).await;
    let conversation = served.open().await;
    let call = conversation.call(1, true).await;
    let listening = served.request(Method::GET).header("accept", "text/event-stream");
    let listening = listening.header("mcp-session-id", &conversation.id).send().await.unwrap();
    served.until_waiting(1).await;
    served.stop.cancel();
    tokio::time::timeout(Duration::from_secs(10), served.done).await.expect("it ends").unwrap().unwrap();
    assert_eq!(served.waiting.load(Ordering::SeqCst), 0);
    // The streams have ended, well or not.
    let _ =
        tokio::time::timeout(Duration::from_secs(10), async { (call.text().await, listening.text().await) })
            .await
            .expect("the streams end");
    assert!(served.client.get(format!("http://{}/", served.address)).send().await.is_err());
}

#[tokio::test]
async fn the_conversation_that_has_been_silent_longest_gives_way() {
    let served = Served::with(HttpOptions { conversations: 3, ..HttpOptions::default() }).await;
    let (busy, silent, later) = (served.open().await, served.open().await, served.open().await);
    let _call = busy.call(1, true).await;
    served.until_waiting(1).await;
    // A stream on which only the server may speak keeps no place.
    let listening = served.request(Method::GET).header("accept", "text/event-stream");
    let listening = listening.header("mcp-session-id", &silent.id).send().await.unwrap();
    assert_eq!(listening.status(), StatusCode::OK);
    answer(later.call(1, false).await).await;
    let new = served.open().await;
    assert_eq!(silent.call(2, false).await.status(), StatusCode::NOT_FOUND);
    for conversation in [&later, &new, &busy] {
        assert_eq!(
            answer(conversation.call(2, false).await).await["result"]["content"][0]["text"],
            "no need"
        );
    }
    assert_eq!(served.waiting.load(Ordering::SeqCst), 1, "the call goes on");
}

mod raw {
    //! Clients that do not behave.

    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::TcpStream,
    };

    use super::*;

    const SOON: Duration = Duration::from_secs(3);

    async fn connected(served: &Served, sent: &str) -> TcpStream {
        let mut stream = TcpStream::connect(served.address).await.unwrap();
        stream.write_all(sent.as_bytes()).await.unwrap();
        stream
    }

    /// Reads what comes until the service closes the connection.
    async fn rest(stream: &mut TcpStream) -> String {
        let mut said = Vec::new();
        let read = stream.read_to_end(&mut said);
        let read = tokio::time::timeout(SOON, read).await.expect("the connection is closed");
        // A reset is a close too.
        let _ = read;
        String::from_utf8(said).unwrap()
    }

    async fn is_served(served: &Served, token: &str) {
        let request = served.initialize().bearer_auth(token);
        let response = tokio::time::timeout(SOON, request.send()).await.expect("it is served").unwrap();
        assert_eq!(response.status(), StatusCode::OK);
    }

    #[tokio::test]
    async fn half_a_head_holds_no_place_against_others() {
        let options = HttpOptions { connections: 4, ..HttpOptions::default() };
        let served = Served::with(options).await;
        let conversation = served.open().await;
        let _call = conversation.call(1, true).await;
        served.until_waiting(1).await;
        let mut half = Vec::new();
        for _ in 0..12 {
            half.push(connected(&served, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-A: ").await);
        }
        is_served(&served, "none").await;
        assert_eq!(rest(&mut half[0]).await, "", "the oldest gave way");
        assert_eq!(served.waiting.load(Ordering::SeqCst), 1, "a call never does");
    }

    #[tokio::test]
    async fn a_head_must_come_in_time() {
        let options = HttpOptions { head_time: Duration::from_millis(300), ..HttpOptions::default() };
        let served = Served::with(options).await;
        let mut half = connected(&served, "POST /mcp HTTP/1.1\r\nHost: localhost\r\n").await;
        let mut silent = connected(&served, "").await;
        let begun = std::time::Instant::now();
        rest(&mut half).await;
        rest(&mut silent).await;
        assert!(begun.elapsed() >= Duration::from_millis(200), "{:?}", begun.elapsed());
        is_served(&served, "none").await;
    }

    #[tokio::test]
    async fn a_wrong_token_or_a_slow_body_holds_no_place() {
        let token = "a secret of some length";
        let options =
            HttpOptions { connections: 2, token: Some(BearerToken::new(token)), ..HttpOptions::default() };
        let served = Served::with(options).await;
        let head = |token: &str| {
            format!(
                "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\nContent-Length: 9\r\n\r\n"
            )
        };
        let mut strangers = Vec::new();
        for _ in 0..6 {
            strangers.push(connected(&served, &head("wrong")).await);
        }
        let said = rest(strangers.last_mut().unwrap()).await;
        assert!(said.starts_with("HTTP/1.1 401") && said.contains("connection: close"), "{said}");
        is_served(&served, token).await;
        let mut slow = Vec::new();
        for _ in 0..6 {
            slow.push(connected(&served, &head(token)).await);
        }
        is_served(&served, token).await;
    }
}
