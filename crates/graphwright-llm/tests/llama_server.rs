//! Tests against a real server: llama.cpp with a tiny model of random weights.
//!
//! What the model says is nonsense, so only form and limits are checked. `docs/testing.md` tells
//! what it needs.

#[path = "llama_server/server.rs"]
mod server;

#[cfg(test)]
mod llama_server {
    use std::sync::Arc;

    use futures::TryStreamExt;
    use graphwright_llm::{
        Budget, ChatModel, ChatRequest, FinishReason, LlmError, ModelSettings, OutputFormat, StreamEvent,
        connect,
    };
    use serde_json::{Value, json};

    use crate::server::Server;

    fn model(server: &Server, budget: Budget) -> Arc<dyn ChatModel> {
        let mut settings = ModelSettings::new("openai-compatible/random".parse().unwrap());
        settings.provider.address = Some(server.address.clone());
        settings.budget = budget;
        settings.retries = 0;
        connect(&settings).unwrap()
    }

    fn question(max_tokens: u32) -> ChatRequest {
        let base = ChatRequest::new("You are a test.", "Say something.");
        ChatRequest { max_tokens: Some(max_tokens), seed: Some(1), temperature: Some(1.0), ..base }
    }

    fn schema_request() -> ChatRequest {
        let schema = json!({
            "type": "object",
            "properties": {
                "colour": {"type": "string", "enum": ["red", "green"]},
                "count": {"type": "integer", "minimum": 0, "maximum": 9},
                "certain": {"type": "boolean"},
            },
            "required": ["colour", "count", "certain"],
        });
        ChatRequest { output: OutputFormat::JsonSchema { name: "thing".into(), schema }, ..question(200) }
    }

    #[tokio::test]
    #[ignore = "needs python"]
    async fn a_real_server_chats_streams_counts_and_keeps_schemas() {
        let server = Server::start();
        let budget = Budget::new(Some(5_000), None);
        let model = model(&server, budget.clone());

        let reply = model.chat(question(12)).await.unwrap();
        assert!(matches!(reply.finish, FinishReason::Length | FinishReason::Stop));
        assert!((1..=12).contains(&reply.usage.output_tokens), "{:?}", reply.usage);
        assert!(reply.usage.input_tokens > 10);

        let again = model.chat(question(12)).await.unwrap();
        assert_eq!(again.text(), reply.text(), "the seed holds");
        assert!(again.usage.cached_tokens <= again.usage.input_tokens);

        let events: Vec<StreamEvent> = model.stream(question(12)).await.unwrap().try_collect().await.unwrap();
        let Some(StreamEvent::End(end)) = events.last() else { panic!("the last event is the end") };
        let pieces: String = events
            .iter()
            .filter_map(|event| match event {
                StreamEvent::Text(text) => Some(text.as_str()),
                _ => None,
            })
            .collect();
        assert_eq!(pieces, end.text());
        assert!((1..=12).contains(&end.usage.output_tokens));

        let thing: Value = serde_json::from_str(&model.chat(schema_request()).await.unwrap().text()).unwrap();
        assert!(thing["colour"] == "red" || thing["colour"] == "green", "{thing}");
        assert!(thing["count"].as_u64().unwrap() <= 9 && thing["certain"].is_boolean());
        let events: Vec<StreamEvent> =
            model.stream(schema_request()).await.unwrap().try_collect().await.unwrap();
        assert!(
            matches!(events.last(), Some(StreamEvent::End(reply)) if reply.text().contains("\"colour\":"))
        );

        let used = budget.used();
        assert_eq!(used.requests, 5);
        assert!(used.input_tokens > 50 && used.output_tokens > 20);
    }

    #[tokio::test]
    #[ignore = "needs python"]
    async fn a_real_server_refuses_what_is_too_long() {
        let server = Server::start();
        let model = model(&server, Budget::default());
        let long = ChatRequest::new("", "word ".repeat(5_000));
        let failure = model.chat(long).await.unwrap_err();
        assert!(matches!(failure, LlmError::ContextLength { .. }), "{failure}");
    }
}
