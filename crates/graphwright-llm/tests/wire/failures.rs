//! What a caller learns when a provider refuses, is busy, breaks off or talks nonsense.

use std::time::{Duration, Instant};

use futures::StreamExt;
use graphwright_llm::{CacheSettings, LlmError, ReplyCache, connect};
use serde_json::json;
use wiremock::{Mock, MockServer, ResponseTemplate, matchers::method};

use super::harness::{
    answering, events, json_body, model, question, schema_request, settings, streamed, tool_request,
};

fn error(status: u16, message: &str, code: &str) -> ResponseTemplate {
    ResponseTemplate::new(status).set_body_json(json!({"error": {"message": message, "code": code}}))
}

async fn fails(name: &str, template: ResponseTemplate) -> LlmError {
    let server = answering(template.clone()).await;
    let whole = model(name, &server).chat(question()).await.unwrap_err();
    let streamed = model(name, &server).stream(question()).await.err().expect("opening the stream fails too");
    let kind = std::mem::discriminant::<LlmError>;
    assert_eq!(kind(&whole), kind(&streamed), "{whole} / {streamed}");
    whole
}

#[tokio::test]
async fn a_refused_key_says_so() {
    for name in
        ["openai/gpt-4o", "openai-responses/gpt-5", "azure/d", "anthropic/claude", "gemini/gemini-2.5-flash"]
    {
        let failure = fails(name, error(401, "Incorrect API key provided", "invalid_api_key")).await;
        let provider = name.split('/').next().unwrap();
        assert_eq!(
            failure.to_string(),
            format!("{provider} refused the credentials: Incorrect API key provided")
        );
    }
}

#[tokio::test]
async fn a_key_is_not_repeated_though_the_provider_does() {
    let server = answering(error(401, "Received API Key = sk-0123456789, which is none", "")).await;
    let mut settings = settings("openai/gpt-4o", &server);
    settings.provider.key = Some("sk-0123456789".into());
    let failure = connect(&settings).unwrap().chat(question()).await.unwrap_err();
    assert_eq!(failure.to_string(), "openai refused the credentials: Received API Key = ***, which is none");
    let page = ResponseTemplate::new(400).set_body_raw("no: sk-0123456789", "text/plain");
    let server = answering(page).await;
    settings.provider.address = Some(format!("{}/v1", server.uri()));
    let failure = connect(&settings).unwrap().stream(question()).await.err().unwrap();
    assert_eq!(failure.to_string(), "openai refused the request: status 400: no: ***");
    assert!(!format!("{failure:?}").contains("0123456789"));
}

#[tokio::test]
async fn a_busy_provider_says_how_long_to_wait() {
    let wait = |failure: LlmError| match failure {
        LlmError::RateLimited { retry_after, .. } => retry_after,
        other => panic!("{other}"),
    };
    let busy =
        |name: &str, value: &str| error(429, "Slow down", "rate_limit_exceeded").insert_header(name, value);
    let failure = fails("openai/gpt-4o", busy("retry-after", "7")).await;
    assert_eq!(failure.to_string(), "openai asks to wait 7 s before the next request");
    assert_eq!(wait(failure), Some(Duration::from_secs(7)));
    assert_eq!(
        wait(fails("openai/gpt-4o", busy("retry-after-ms", "250")).await),
        Some(Duration::from_millis(250))
    );
    let past = busy("retry-after", "Wed, 21 Oct 2015 07:28:00 GMT");
    assert_eq!(wait(fails("anthropic/claude", past).await), Some(Duration::ZERO));
    assert_eq!(wait(fails("gemini/gemini-2.5-flash", error(429, "Quota", "")).await), None);
    let told = |message: &str| error(429, message, "rate_limit_exceeded");
    for (message, milliseconds) in [
        ("Rate limit reached. Please try again in 1.2s. Visit …", 1_200),
        ("Please try again in 250ms.", 250),
        ("Please retry in 34.5 s", 34_500),
        ("Please try again in 2m", 120_000),
    ] {
        let wait = wait(fails("openai/gpt-4o", told(message)).await);
        assert_eq!(wait, Some(Duration::from_millis(milliseconds)), "{message}");
    }
    assert_eq!(wait(fails("openai/gpt-4o", told("Try again in a while")).await), None);
    let details = json!([
        {"@type": "type.googleapis.com/google.rpc.QuotaFailure"},
        {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "21.5s"},
    ]);
    let body = json!({"error": {"code": 429, "message": "Quota", "status": "RESOURCE_EXHAUSTED", "details": details}});
    let asked = fails("gemini/gemini-2.5-flash", ResponseTemplate::new(429).set_body_json(body)).await;
    assert_eq!(wait(asked), Some(Duration::from_millis(21_500)));
    let overloaded = error(529, "Overloaded", "").insert_header("retry-after", "3");
    assert_eq!(wait(fails("anthropic/claude", overloaded).await), Some(Duration::from_secs(3)));
}

#[tokio::test]
async fn an_empty_account_is_not_worth_waiting_for() {
    let failure =
        fails("openai/gpt-4o", error(429, "You exceeded your current quota", "insufficient_quota")).await;
    assert!(!failure.is_retryable());
    assert_eq!(failure.to_string(), "openai refused the request: You exceeded your current quota");
}

#[tokio::test]
async fn a_long_request_is_told_from_a_wrong_one() {
    let long = [
        ("openai/gpt-4o", "This model's maximum context length is 128000 tokens.", "context_length_exceeded"),
        ("anthropic/claude", "prompt is too long: 210000 tokens > 200000 maximum", ""),
        (
            "gemini/gemini-2.5-flash",
            "The input token count (2000000) exceeds the maximum number of tokens allowed",
            "",
        ),
        ("ollama/qwen3", "the input length exceeds the context length", ""),
        (
            "openai-compatible/local",
            "the request exceeds the available context size",
            "exceed_context_size_error",
        ),
    ];
    for (name, message, code) in long {
        let failure = fails(name, error(400, message, code)).await;
        assert!(matches!(&failure, LlmError::ContextLength { model } if model == name), "{failure}");
    }
    let wrong = fails("openai/gpt-4o", error(400, "Unknown parameter: 'x'.", "")).await;
    assert_eq!(wrong.to_string(), "openai refused the request: status 400: Unknown parameter: 'x'.");
}

#[tokio::test]
async fn a_provider_that_is_down_is_retryable() {
    assert!(matches!(fails("openai/gpt-4o", error(503, "Down", "")).await, LlmError::Unavailable { .. }));
    let server = MockServer::start().await;
    let mut settings = settings("openai/gpt-4o", &server);
    settings.provider.address = Some("http://127.0.0.1:9/v1".into());
    let failure = connect(&settings).unwrap().chat(question()).await.unwrap_err();
    assert!(failure.is_retryable() && failure.to_string().contains("http://127.0.0.1:9/v1"), "{failure}");
}

#[tokio::test]
async fn a_wrong_address_is_named() {
    let page = ResponseTemplate::new(200).set_body_raw("<html>hello</html>", "text/html");
    let server = answering(page).await;
    let failure = model("openai/gpt-4o", &server).chat(question()).await.unwrap_err();
    assert!(failure.to_string().ends_with("instead of JSON; is the address right?"), "{failure}");
}

#[tokio::test]
async fn an_unknown_model_or_path_says_what_was_asked_and_where() {
    let missing = error(404, "The model `gpt-9` does not exist", "model_not_found");
    let server = answering(missing).await;
    let failure = model("openai/gpt-9", &server).chat(question()).await.unwrap_err();
    let address = format!("{}/v1/", server.uri());
    assert_eq!(
        failure.to_string(),
        format!(
            "openai refused the request: status 404: The model `gpt-9` does not exist (asked {address} for gpt-9; are both right?)"
        )
    );
    let bare = ResponseTemplate::new(404).set_body_raw("404 page not found", "text/plain");
    let failure = fails("ollama/qwen3", bare).await.to_string();
    assert!(failure.contains("404 page not found") && failure.contains("are both right?"), "{failure}");
}

#[tokio::test]
async fn a_password_in_an_address_is_not_shown() {
    let server = MockServer::start().await;
    let mut settings = settings("openai/gpt-4o", &server);
    settings.provider.address = Some("http://me:very-secret@127.0.0.1:9/v1".into());
    let failure = connect(&settings).unwrap().chat(question()).await.unwrap_err().to_string();
    assert!(failure.contains("http://***@127.0.0.1:9/v1") && !failure.contains("very-secret"), "{failure}");
}

#[tokio::test]
async fn a_reply_that_is_no_json_is_an_error() {
    for body in ["{\"choices\": [", "null", "{}"] {
        let broken = ResponseTemplate::new(200).set_body_raw(body, "application/json");
        let server = answering(broken).await;
        let failure = model("openai/gpt-4o", &server).chat(question()).await.unwrap_err();
        assert!(
            failure.to_string().starts_with("the reply of openai/gpt-4o is not usable"),
            "{body}: {failure}"
        );
    }
}

#[tokio::test]
async fn a_server_that_fails_again_and_again_is_left_alone() {
    let server = answering(error(500, "Internal error", "")).await;
    let model = model("openai/gpt-4o", &server);
    for _ in 0..3 {
        let failure = model.chat(question()).await.unwrap_err().to_string();
        assert!(failure.contains("status 500: Internal error"), "{failure}");
    }
    let failure = model.chat(question()).await.unwrap_err().to_string();
    let begins = "openai failed 3 times in a row and is called again in 30 s (http://";
    assert!(failure.starts_with(begins) && failure.contains("Internal error"), "{failure}");
    assert_eq!(server.received_requests().await.unwrap().len(), 3);
}

#[tokio::test]
async fn a_stream_that_broke_off_is_not_remembered_and_a_whole_one_is() {
    let whole = include_str!("../data/wire/completions.sse");
    let cut = whole.split("data: {\"id\":\"c1\",\"choices\":[{\"index\":0,\"delta\":{},").next().unwrap();
    let server = MockServer::start().await;
    Mock::given(method("POST")).respond_with(events(cut)).up_to_n_times(1).mount(&server).await;
    Mock::given(method("POST")).respond_with(events(whole)).mount(&server).await;
    let mut settings = settings("openai/gpt-4o", &server);
    settings.cache = Some(ReplyCache::open(&CacheSettings::default()).unwrap());
    let model = connect(&settings).unwrap();
    streamed(&*model, tool_request()).await.unwrap_err();
    let (_, first) = streamed(&*model, tool_request()).await.unwrap();
    let (_, again) = streamed(&*model, tool_request()).await.unwrap();
    assert_eq!((first.usage.cached_replies, again.usage.cached_replies), (0, 1));
    assert_eq!(again.message, first.message);
    assert_eq!(server.received_requests().await.unwrap().len(), 2);
}

#[tokio::test]
async fn a_stream_that_breaks_off_is_an_error() {
    let whole = include_str!("../data/wire/completions.sse");
    let cut = whole.split("data: {\"id\":\"c1\",\"choices\":[{\"index\":0,\"delta\":{},").next().unwrap();
    let server = answering(events(cut)).await;
    let mut stream = model("openai/gpt-4o", &server).stream(question()).await.unwrap();
    let mut last = None;
    while let Some(event) = stream.next().await {
        last = Some(event);
    }
    let failure = last.unwrap().unwrap_err();
    assert!(failure.to_string().contains("the stream broke off"), "{failure}");

    let whole = include_str!("../data/wire/gemini.sse");
    let cut = whole.rsplit_once("data: ").unwrap().0;
    let server = answering(events(cut)).await;
    let failure = streamed(&*model("gemini/gemini-2.5-flash", &server), question()).await.unwrap_err();
    assert!(failure.to_string().contains("the stream broke off"), "{failure}");
}

#[tokio::test]
async fn a_stream_that_says_nothing_asks_whether_the_address_is_right() {
    for body in ["<html>Welcome</html>", "{\"choices\": [", ""] {
        let server = answering(events(body)).await;
        let failure =
            model("openai/gpt-4o", &server).stream(question()).await.err().expect("nothing was said");
        let told = failure.to_string();
        assert!(told.contains("before it said anything; is the address right?"), "{body}: {told}");
        assert!(told.contains(&server.uri()), "{told}");
    }
}

#[tokio::test]
async fn an_error_inside_a_stream_is_an_error() {
    let overloaded = "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":1}}}\n\n\
        event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n";
    let server = answering(events(overloaded)).await;
    let failure = streamed(&*model("anthropic/claude", &server), question()).await.unwrap_err();
    assert!(
        matches!(&failure, LlmError::Unavailable { message, .. } if message.starts_with("Overloaded")),
        "{failure}"
    );
}

#[tokio::test]
async fn a_reply_that_breaks_the_schema_is_an_error() {
    let reply = |text: &str, finish: &str| json!({"model": "m", "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish}]});
    let says = async |text: &str, finish: &str| {
        let server = answering(json_body(&reply(text, finish))).await;
        model("openai-compatible/qwen3", &server)
            .chat(schema_request())
            .await
            .map(|reply| reply.text())
            .map_err(|error| error.to_string())
    };
    assert_eq!(says("```json\n{\"name\": \"Ada\"}\n```", "stop").await.unwrap(), r#"{"name":"Ada"}"#);
    let wrong = says(r#"{"name": 3}"#, "stop").await.unwrap_err();
    assert_eq!(
        wrong,
        "the reply of openai-compatible/qwen3 is not usable: it does not keep the schema: at /name: value is not of type \"string\""
    );
    assert!(says("Ada", "stop").await.unwrap_err().ends_with("it is not JSON"));
    assert!(
        says("{\"name\": \"A", "length")
            .await
            .unwrap_err()
            .ends_with("it was cut off at the limit of tokens")
    );
}

#[tokio::test]
async fn a_call_is_tried_again_after_the_wait_that_is_asked_for() {
    let server = MockServer::start().await;
    let busy = error(429, "Slow down", "").insert_header("retry-after", "1");
    Mock::given(method("POST")).respond_with(busy).up_to_n_times(1).mount(&server).await;
    let reply = json!({"model": "m", "choices": [{"index": 0, "message": {"role": "assistant", "content": "Paris"}, "finish_reason": "stop"}]});
    Mock::given(method("POST")).respond_with(json_body(&reply)).mount(&server).await;
    let mut settings = settings("openai/gpt-4o", &server);
    settings.retries = 2;
    let start = Instant::now();
    let reply = connect(&settings).unwrap().chat(question()).await.unwrap();
    assert_eq!(reply.text(), "Paris");
    assert!(start.elapsed() >= Duration::from_secs(1));
    assert_eq!(server.received_requests().await.unwrap().len(), 2);
}
