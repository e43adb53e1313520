//! Models as clouds serve them. There are no recordings of these: the shapes of requests are those of
//! their documentation.

use graphwright_llm::{FinishReason, LlmError, connect};
use insta::assert_json_snapshot;
use serde_json::{Value, json};
use wiremock::ResponseTemplate;

use super::harness::{
    answering, events, json_body, model, question, schema_request, sent, settings, streamed, tool_request,
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

/// Writes an event as a frame of `application/vnd.amazon.eventstream`: lengths, headers, payload and
/// check sums.
/// <https://docs.aws.amazon.com/AmazonS3/latest/API/RESTSelectObjectAppendix.html>
fn frame(event: &str, payload: &Value) -> Vec<u8> {
    let mut headers = vec![11];
    headers.extend(b":event-type");
    headers.push(7);
    headers.extend((event.len() as u16).to_be_bytes());
    headers.extend(event.as_bytes());
    let payload = payload.to_string();
    let mut frame = Vec::new();
    frame.extend((16 + headers.len() as u32 + payload.len() as u32).to_be_bytes());
    frame.extend((headers.len() as u32).to_be_bytes());
    frame.extend(check_sum(&frame).to_be_bytes());
    frame.extend(headers);
    frame.extend(payload.as_bytes());
    frame.extend(check_sum(&frame).to_be_bytes());
    frame
}

/// CRC-32 (ISO 3309).
fn check_sum(bytes: &[u8]) -> u32 {
    let step = |sum: u32| if sum & 1 == 1 { (sum >> 1) ^ 0xEDB8_8320 } else { sum >> 1 };
    !bytes.iter().fold(u32::MAX, |sum, byte| (0..8).fold(sum ^ u32::from(*byte), |sum, _| step(sum)))
}

#[tokio::test]
async fn bedrock_streams_in_frames() {
    let delta = |piece: &str| frame("contentBlockDelta", &json!({"delta": {"toolUse": {"input": piece}}}));
    let call = json!({"start": {"toolUse": {"toolUseId": "t1", "name": "lookup"}}});
    let frames = [
        frame("messageStart", &json!({"role": "assistant"})),
        frame("contentBlockDelta", &json!({"delta": {"text": "Let me look."}})),
        frame("contentBlockStart", &call),
        delta("{\"name\": \"By"),
        delta("ron\"}"),
        frame("contentBlockStop", &json!({})),
        frame("messageStop", &json!({"stopReason": "tool_use"})),
        frame("metadata", &json!({"usage": {"inputTokens": 120, "outputTokens": 30, "totalTokens": 150}})),
    ];
    let answer = |frames: &[Vec<u8>]| {
        ResponseTemplate::new(200).set_body_raw(frames.concat(), "application/vnd.amazon.eventstream")
    };
    let server = answering(answer(&frames)).await;
    let (_, reply) = streamed(&*model("bedrock/m", &server), tool_request()).await.unwrap();
    assert_eq!((reply.text().as_str(), reply.finish), ("Let me look.", FinishReason::ToolCalls));
    assert_eq!(reply.tool_calls().next().unwrap().arguments, json!({"name": "Byron"}));
    assert_eq!((reply.usage.input_tokens, reply.usage.output_tokens), (120, 30));

    let server = answering(answer(&frames[..4])).await;
    let failure = streamed(&*model("bedrock/m", &server), tool_request()).await.unwrap_err();
    assert!(failure.to_string().contains("the stream broke off"), "{failure}");
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
