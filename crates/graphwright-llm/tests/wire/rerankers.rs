//! Rerankers behind the addresses of their providers.

use std::{collections::BTreeMap, fs, path::PathBuf};

use graphwright_llm::{
    Budget, LlmError, ModelSettings, Price, RerankerSettings, Traffic, connect, connect_reranker,
};
use serde_json::{Value, json};
use wiremock::{MockServer, ResponseTemplate};

use super::harness::{answering, json_body, sent};

fn settings(name: &str, address: String) -> RerankerSettings {
    let mut settings = RerankerSettings::new(name.parse().unwrap());
    settings.provider.key = Some("sk-test-secret".into());
    settings.provider.address = Some(address);
    settings.retries = 0;
    settings.traffic = Traffic::new();
    settings
}

fn texts() -> Vec<String> {
    ["hi", "it is a bear"].map(str::to_owned).to_vec()
}

async fn scores(name: &str, server: &MockServer, path: &str) -> Result<Vec<f32>, LlmError> {
    let reranker = connect_reranker(&settings(name, format!("{}{path}", server.uri()))).unwrap();
    assert_eq!(reranker.name(), name);
    reranker.rerank("What is a panda?", &texts()).await
}

#[tokio::test]
async fn each_provider_gets_its_form_and_scores_come_in_the_order_of_the_texts() {
    let best_first = json!([{"index": 1, "relevance_score": 0.75}, {"index": 0, "relevance_score": -0.25}]);
    let results = json!({"results": best_first, "usage": {"total_tokens": 9}});
    let cohere = json!({"id": "x", "results": best_first, "meta": {"billed_units": {"search_units": 1}}});
    let voyage = json!({"object": "list", "data": best_first, "usage": {"total_tokens": 9}});
    let list = json!([{"index": 1, "score": 0.75}, {"index": 0, "score": -0.25}]);
    let mut requests = BTreeMap::new();
    for (name, path, reply) in [
        ("cohere/rerank-v3.5", "/compatibility/v1/", &cohere),
        ("cohere/rerank-english-v3.0", "/gateway/v2/", &cohere),
        ("jina/jina-reranker-v2-base-multilingual", "/v1/", &results),
        ("voyage/rerank-2.5", "/v1/", &voyage),
        ("tei/BAAI/bge-reranker-base", "", &list),
        ("openai-compatible/bge-reranker-v2-m3", "/v1", &results),
    ] {
        let server = answering(json_body(reply)).await;
        assert_eq!(scores(name, &server, path).await.unwrap(), [-0.25, 0.75], "{name}");
        requests.insert(name, sent(&server).await);
    }
    insta::assert_json_snapshot!("rerankers", requests);
}

#[tokio::test]
async fn a_reply_that_does_not_score_each_text_once_is_refused() {
    for (results, says) in [
        (json!([{"index": 0, "relevance_score": 1.0}]), "1 scores for 2 texts"),
        (json!([{"index": 0, "relevance_score": 1.0}, {"index": 0, "relevance_score": 2.0}]), "of text 0"),
        (json!([{"index": 0, "relevance_score": 1.0}, {"index": 2, "relevance_score": 2.0}]), "of text 2"),
        (json!([{"index": 0, "relevance_score": 1e300}, {"index": 1, "relevance_score": 2.0}]), "score inf"),
        (json!([{"index": -1, "relevance_score": 1.0}]), "invalid value"),
        (json!({"index": 1}), "invalid type"),
    ] {
        let server = answering(json_body(&json!({"results": results}))).await;
        let failure = scores("jina/m", &server, "/v1").await.unwrap_err();
        assert!(matches!(failure, LlmError::BadReply { .. }), "{failure:?}");
        assert!(failure.to_string().contains(says), "{failure}");
    }
}

#[tokio::test]
async fn failures_are_told_without_the_key() {
    let body = json!({"message": "invalid api token sk-test-secret"});
    let server = answering(ResponseTemplate::new(401).set_body_json(body)).await;
    let failure = scores("cohere/rerank-v3.5", &server, "/v2").await.unwrap_err().to_string();
    assert_eq!(failure, "cohere refused the credentials: invalid api token ***");
    let server = answering(ResponseTemplate::new(429)).await;
    assert!(matches!(scores("voyage/m", &server, "").await, Err(LlmError::RateLimited { .. })));
}

#[tokio::test]
async fn texts_go_in_batches_and_are_paid_from_the_budget() {
    let reply = json!({"results": [{"index": 0, "relevance_score": 1.0}], "usage": {"total_tokens": 50}});
    let server = answering(json_body(&reply)).await;
    let mut settings = settings("jina/m", server.uri());
    settings.batch = 1;
    settings.price = Some(Price { input: 1.0, cached_input: None, output: 0.0 });
    settings.budget = Budget::new(Some(110), Some(1.0));
    let reranker = connect_reranker(&settings).unwrap();
    assert_eq!(reranker.rerank("q", &texts()).await.unwrap(), [1.0, 1.0]);
    let used = settings.budget.used();
    assert_eq!((used.requests, used.input_tokens), (2, 100));
    assert!((used.cost.unwrap() - 100.0 / 1e6).abs() < 1e-12);
    let long = ["a long text ".repeat(10)];
    assert!(matches!(reranker.rerank("q", &long).await, Err(LlmError::Budget { .. })));
    assert!(reranker.rerank("q", &[]).await.unwrap().is_empty());
    assert_eq!(server.received_requests().await.unwrap().len(), 2);
}

#[test]
fn who_has_no_rerankers_or_nothing_else_is_told() {
    let says = |failure: LlmError| failure.to_string();
    let failure = says(connect_reranker(&settings("anthropic/claude", "https://x/".into())).unwrap_err());
    assert!(failure.ends_with("the providers are cohere, jina, voyage, tei, openai-compatible"), "{failure}");
    let failure = says(connect(&ModelSettings::new("voyage/rerank-2.5".parse().unwrap())).unwrap_err());
    assert_eq!(failure, "voyage has rerankers and no chat models here");
    let failure = says(connect_reranker(&RerankerSettings::new("tei/m".parse().unwrap())).unwrap_err());
    assert_eq!(failure, "tei needs an address, as http://localhost:8080/");
}

/// Plays what a llama.cpp server answered: the request is the recorded one, and each score comes to its text.
#[tokio::test]
#[ignore = "needs public data"]
async fn recorded_exchanges_are_asked_for_and_read_as_they_stand() {
    let data = PathBuf::from(std::env::var_os("GRAPHWRIGHT_DATA").expect("GRAPHWRIGHT_DATA"));
    for name in ["multiple_documents", "negative_scores"] {
        let file = data.join(format!("wire/llamacpp/rerank_matrix/{name}.yaml"));
        let text = fs::read_to_string(file).unwrap();
        let bodies = text.lines().filter_map(|line| line.strip_prefix("  body: '")?.strip_suffix('\''));
        let mut bodies = bodies.map(|body| serde_json::from_str::<Value>(&body.replace("''", "'")).unwrap());
        let (request, reply) = (bodies.next().unwrap(), bodies.next().unwrap());
        let server = answering(json_body(&reply)).await;
        let name = format!("openai-compatible/{}", request["model"].as_str().unwrap());
        let reranker = connect_reranker(&settings(&name, format!("{}/v1/", server.uri()))).unwrap();
        let texts: Vec<String> = serde_json::from_value(request["documents"].clone()).unwrap();
        let scores = reranker.rerank(request["query"].as_str().unwrap(), &texts).await.unwrap();
        let sent = sent(&server).await;
        assert_eq!((&sent["to"], &sent["body"]), (&"/v1/rerank".into(), &request));
        for result in reply["results"].as_array().unwrap() {
            let index = usize::try_from(result["index"].as_u64().unwrap()).unwrap();
            assert!((f64::from(scores[index]) - result["relevance_score"].as_f64().unwrap()).abs() < 1e-6);
        }
    }
}
