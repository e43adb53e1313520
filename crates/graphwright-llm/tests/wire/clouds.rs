//! Models as clouds serve them. There are no recordings of these: the shapes of requests are those of
//! their documentation.

use graphwright_llm::{FinishReason, LlmError, connect};
use insta::assert_json_snapshot;
use serde_json::json;

use super::harness::{
    answering, events, json_body, model, question, schema_request, sent, settings, tool_request,
};

#[tokio::test]
async fn vertex_serves_gemini_and_claude() {
    let body = json!({"candidates": [{"content": {"parts": [{"text": "Paris"}]}, "finishReason": "STOP"}]});
    let server = answering(json_body(&body)).await;
    let reply = model("vertex/gemini-3-pro", &server).chat(tool_request()).await.unwrap();
    assert_eq!(reply.text(), "Paris");
    assert_json_snapshot!("vertex_gemini", sent(&server).await);

    let body = json!({
        "model": "claude", "stop_reason": "end_turn", "content": [{"type": "text", "text": "Paris"}],
        "usage": {"input_tokens": 9, "output_tokens": 1},
    });
    let server = answering(json_body(&body)).await;
    let reply = model("vertex/claude-sonnet-4-6", &server).chat(question()).await.unwrap();
    assert_eq!(reply.usage.input_tokens, 9);
    assert_json_snapshot!("vertex_claude", sent(&server).await);
    let server = answering(events("")).await;
    model("vertex/claude-sonnet-4-6", &server).stream(question()).await.err().unwrap();
    let to = sent(&server).await["to"].clone();
    assert_eq!(to, "/v1/publishers/anthropic/models/claude-sonnet-4-6:streamRawPredict");
}

#[tokio::test]
async fn bedrock_is_asked_by_converse() {
    let call = json!({"toolUse": {"toolUseId": "t1", "name": "lookup", "input": {"name": "Byron"}}});
    let body = json!({
        "output": {"message": {"role": "assistant", "content": [call]}}, "stopReason": "tool_use",
        "usage": {"inputTokens": 120, "outputTokens": 30, "totalTokens": 150},
    });
    let server = answering(json_body(&body)).await;
    let name = "bedrock/anthropic.claude-sonnet-4-5-v1:0";
    let reply = model(name, &server).chat(tool_request()).await.unwrap();
    assert_eq!(reply.finish, FinishReason::ToolCalls);
    assert_eq!(reply.tool_calls().next().unwrap().arguments, json!({"name": "Byron"}));
    assert_eq!((reply.usage.input_tokens, reply.usage.output_tokens), (120, 30));
    assert_json_snapshot!("bedrock_tools", sent(&server).await);

    let text = json!({"text": "{\"name\": \"Ada\", \"year\": null}"});
    let body =
        json!({"output": {"message": {"role": "assistant", "content": [text]}}, "stopReason": "end_turn"});
    let server = answering(json_body(&body)).await;
    let reply = model(name, &server).chat(schema_request()).await.unwrap();
    assert_eq!(reply.text(), r#"{"name":"Ada","year":null}"#);
    assert_json_snapshot!("bedrock_json", sent(&server).await);
}

#[tokio::test]
async fn clouds_want_an_address_and_a_key() {
    for name in ["bedrock/m", "vertex/gemini-3-pro"] {
        let server = answering(json_body(&json!({}))).await;
        let mut settings = settings(name, &server);
        settings.provider.key = None;
        assert!(matches!(connect(&settings), Err(LlmError::Authentication { .. })), "{name}");
        settings.provider.address = None;
        let failure = connect(&settings).unwrap_err().to_string();
        assert!(failure.contains("needs an address, as https://"), "{failure}");
    }
}
