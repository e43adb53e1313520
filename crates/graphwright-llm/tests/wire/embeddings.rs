//! Embedders behind OpenAI's `/v1/embeddings`.

use graphwright_llm::{EmbedderSettings, LlmError, connect_embedder};
use serde_json::json;

use super::harness::{answering, json_body, sent};

fn settings(name: &str, address: String, dimensions: usize) -> EmbedderSettings {
    let mut settings = EmbedderSettings::new(name.parse().unwrap(), dimensions);
    settings.provider.key = Some("sk-test".into());
    settings.provider.address = Some(address);
    settings.retries = 0;
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
