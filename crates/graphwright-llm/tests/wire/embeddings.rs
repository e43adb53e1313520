//! Embedders behind OpenAI's `/v1/embeddings`.

use graphwright_llm::{Budget, EmbedderSettings, LlmError, Traffic, connect_embedder};
use serde_json::json;
use wiremock::ResponseTemplate;

use super::harness::{answering, json_body, sent};

fn settings(name: &str, address: String, dimensions: usize) -> EmbedderSettings {
    let mut settings = EmbedderSettings::new(name.parse().unwrap(), dimensions);
    settings.provider.key = Some("sk-test".into());
    settings.provider.address = Some(address);
    settings.retries = 0;
    settings.traffic = Traffic::new();
    settings
}

#[tokio::test]
async fn vectors_come_in_order_and_of_length_one() {
    let body = json!({
        "model": "text-embedding-3-small",
        "data": [{"index": 1, "embedding": [0.0, 2.0]}, {"index": 0, "embedding": [3.0, 4.0]}],
        "usage": {"prompt_tokens": 4, "total_tokens": 4},
    });
    let server = answering(json_body(&body)).await;
    let name = "openai/text-embedding-3-small";
    let embedder = connect_embedder(&settings(name, format!("{}/v1/", server.uri()), 2)).unwrap();
    assert_eq!((embedder.identity().name.as_str(), embedder.identity().dimensions), (name, 2));
    let vectors = embedder.embed(&["one".into(), "two".into()]).await.unwrap();
    assert_eq!(vectors, vec![vec![0.6, 0.8], vec![0.0, 1.0]]);
    insta::assert_json_snapshot!("embeddings", sent(&server).await);
}

#[tokio::test]
async fn vectors_of_another_length_are_refused_with_the_right_one() {
    let body = json!({"model": "m", "data": [{"index": 0, "embedding": [1.0, 0.0, 0.0]}], "usage": {"prompt_tokens": 1, "total_tokens": 1}});
    let server = answering(json_body(&body)).await;
    let embedder = connect_embedder(&settings("openai-compatible/local", server.uri(), 2)).unwrap();
    let failure = embedder.embed(&["one".into()]).await.unwrap_err();
    assert!(failure.to_string().ends_with("have 3 components and the settings say 2; set 3"), "{failure}");
}

#[test]
fn providers_without_that_address_are_refused() {
    let settings = settings("anthropic/claude", "https://api.anthropic.com/v1".into(), 2);
    assert!(matches!(connect_embedder(&settings), Err(LlmError::Configuration { .. })));
}

#[tokio::test]
async fn failures_of_an_embedder_are_told_like_those_of_a_model() {
    let fails = async |template: ResponseTemplate| {
        let server = answering(template).await;
        let embedder = connect_embedder(&settings("openai/text-embedding-3-small", server.uri(), 2)).unwrap();
        embedder.embed(&["one".into()]).await.unwrap_err().to_string()
    };
    let error =
        |status, message| ResponseTemplate::new(status).set_body_json(json!({"error": {"message": message}}));
    assert_eq!(fails(error(401, "Bad key")).await, "openai refused the credentials: Bad key");
    assert_eq!(fails(error(429, "Slow down")).await, "openai limits the rate of requests");
    assert!(fails(error(500, "Broken")).await.starts_with("openai is not available: status 500: Broken"));
}

#[tokio::test]
async fn vectors_are_paid_from_the_budget() {
    let body = json!({"model": "m", "data": [{"index": 0, "embedding": [1.0, 0.0]}], "usage": {"prompt_tokens": 50, "total_tokens": 50}});
    let server = answering(json_body(&body)).await;
    let mut settings = settings("openai/text-embedding-3-small", server.uri(), 2);
    settings.budget = Budget::new(None, Some(0.000_001));
    let embedder = connect_embedder(&settings).unwrap();
    embedder.embed(&["one".into()]).await.unwrap();
    assert_eq!(settings.budget.used().input_tokens, 50);
    assert!(matches!(embedder.embed(&["one".into()]).await, Err(LlmError::Budget { .. })));
    assert_eq!(server.received_requests().await.unwrap().len(), 1);
}
