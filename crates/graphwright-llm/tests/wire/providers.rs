//! Requests and replies of each provider, whole and streamed.

use graphwright_llm::{FinishReason, LlmError, ModelSettings, StreamEvent, connect};
use insta::assert_json_snapshot;
use serde_json::{Value, json};

use super::harness::{
    answering, events, json_body, model, question, schema_request, sent, settings, streamed, tool_request,
};

/// The answers of a provider to requests for text, tools and JSON, and to a stream with tools.
struct Replies {
    text: Value,
    tools: Value,
    json: Value,
    stream: &'static str,
}

/// Asks for everything, and snapshots what was sent and what came back.
async fn converse(name: &str, replies: Replies) {
    let label = name.split('/').next().unwrap();

    let server = answering(json_body(&replies.text)).await;
    let reply = model(name, &server).chat(question()).await.unwrap();
    assert_eq!((reply.text().as_str(), reply.finish), ("Paris", FinishReason::Stop));
    assert_json_snapshot!(format!("{label}_text"), json!({"sent": sent(&server).await, "reply": reply}));

    let server = answering(json_body(&replies.tools)).await;
    let reply = model(name, &server).chat(tool_request()).await.unwrap();
    assert_eq!(reply.finish, FinishReason::ToolCalls);
    assert_eq!(reply.tool_calls().next().unwrap().arguments, json!({"name": "Byron"}));
    assert_json_snapshot!(format!("{label}_tools"), json!({"sent": sent(&server).await, "reply": reply}));

    let server = answering(json_body(&replies.json)).await;
    let reply = model(name, &server).chat(schema_request()).await.unwrap();
    assert_eq!(reply.text(), r#"{"name":"Ada","year":null}"#);
    assert_json_snapshot!(format!("{label}_json"), json!({"sent": sent(&server).await}));

    let server = answering(events(replies.stream)).await;
    let (pieces, reply) = streamed(&*model(name, &server), tool_request()).await.unwrap();
    check_deltas(&pieces);
    assert_eq!(reply.tool_calls().next().unwrap().arguments, json!({"name": "Byron"}));
    assert_json_snapshot!(
        format!("{label}_stream"),
        json!({"to": sent(&server).await["to"], "stream": sent(&server).await["body"]["stream"], "events": pieces})
    );
}

/// Checks that the pieces of the text and of the arguments, put together, are the whole.
fn check_deltas(pieces: &[StreamEvent]) {
    let (mut text, mut arguments) = (String::new(), String::new());
    for piece in pieces {
        match piece {
            StreamEvent::Text(new) => text.push_str(new),
            StreamEvent::ToolCallDelta { arguments: new, .. } => arguments.push_str(new),
            _ => {}
        }
    }
    assert_eq!(text, "Let me look.");
    assert_eq!(serde_json::from_str::<Value>(&arguments).unwrap(), json!({"name": "Byron"}));
}

fn completion(message: &Value, finish: &str) -> Value {
    json!({
        "id": "c1", "object": "chat.completion", "model": "gpt-4o-2024-08-06",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": {
            "prompt_tokens": 120, "completion_tokens": 30, "total_tokens": 150,
            "prompt_tokens_details": {"cached_tokens": 64},
            "completion_tokens_details": {"reasoning_tokens": 20},
        },
    })
}

fn completions() -> Replies {
    let call = json!({"id": "call_2", "type": "function", "function": {"name": "lookup", "arguments": "{\"name\": \"Byron\"}"}});
    Replies {
        text: completion(&json!({"role": "assistant", "content": "Paris"}), "stop"),
        tools: completion(&json!({"role": "assistant", "content": null, "tool_calls": [call]}), "tool_calls"),
        json: completion(
            &json!({"role": "assistant", "content": "{\"name\": \"Ada\", \"year\": null}"}),
            "stop",
        ),
        stream: include_str!("../data/wire/completions.sse"),
    }
}

#[tokio::test]
async fn openai() {
    converse("openai/gpt-4o", completions()).await;
}

#[tokio::test]
async fn azure() {
    converse("azure/my-deployment", completions()).await;
}

#[tokio::test]
async fn ollama() {
    let reply = |message: Value| {
        json!({
            "model": "qwen3", "message": message, "done": true, "done_reason": "stop",
            "prompt_eval_count": 120, "eval_count": 30,
        })
    };
    let call = json!([{"function": {"name": "lookup", "arguments": {"name": "Byron"}}}]);
    let said = |text: &str| json!({"role": "assistant", "content": text});
    let replies = Replies {
        text: reply(said("Paris")),
        tools: reply(json!({"role": "assistant", "content": "", "tool_calls": call})),
        json: reply(said("{\"name\": \"Ada\", \"year\": null}")),
        stream: include_str!("../data/wire/ollama.ndjson"),
    };
    converse("ollama/qwen3", replies).await;
}

#[tokio::test]
async fn cohere() {
    converse("cohere/command-a", completions()).await;
}

#[tokio::test]
async fn openai_compatible() {
    converse("openai-compatible/org/model-high", completions()).await;
}

#[tokio::test]
async fn azure_takes_a_token_instead_of_a_key() {
    let server = answering(json_body(&completions().text)).await;
    let mut settings = settings("azure/my-deployment", &server);
    settings.provider.key = None;
    settings.provider.bearer_token = Some("entra-token".into());
    settings.provider.api_version = Some("2025-01-01".into());
    connect(&settings).unwrap().chat(question()).await.unwrap();
    let sent = sent(&server).await;
    assert_eq!(sent["headers"], json!({"authorization": "Bearer entra-token"}));
    assert_eq!(sent["to"], "/openai/deployments/my-deployment/chat/completions?api-version=2025-01-01");
}

#[tokio::test]
async fn a_local_server_needs_no_key() {
    let server = answering(json_body(&completions().text)).await;
    for name in ["openai-compatible/local", "openai/local"] {
        let mut settings = settings(name, &server);
        settings.provider.key = None;
        connect(&settings).unwrap().chat(question()).await.unwrap();
        assert_eq!(sent(&server).await["headers"], json!({}));
    }
    let public = ModelSettings::new("openai/gpt-4o".parse().unwrap());
    assert!(matches!(connect(&public), Err(LlmError::Authentication { .. })));
}

#[tokio::test]
async fn a_name_that_ends_like_an_effort_stays_whole() {
    let server = answering(json_body(&completions().text)).await;
    model("openai-compatible/qwen-max", &server).chat(question()).await.unwrap();
    let body = &sent(&server).await["body"];
    assert_eq!((&body["model"], &body["reasoning_effort"]), (&json!("qwen-max"), &Value::Null));
}

#[tokio::test]
async fn openai_responses() {
    let response = |output: Value| {
        json!({
            "id": "r1", "object": "response", "status": "completed", "model": "gpt-5-2025-08-07", "output": output,
            "usage": {
                "input_tokens": 120, "output_tokens": 30, "total_tokens": 150,
                "input_tokens_details": {"cached_tokens": 64},
                "output_tokens_details": {"reasoning_tokens": 20},
            },
        })
    };
    let message = |text: &str| {
        json!([{
            "type": "message", "id": "m1", "role": "assistant", "status": "completed",
            "content": [{"type": "output_text", "text": text, "annotations": []}],
        }])
    };
    let call = json!([{
        "type": "function_call", "id": "f1", "call_id": "call_2", "name": "lookup",
        "arguments": "{\"name\": \"Byron\"}", "status": "completed",
    }]);
    let replies = Replies {
        text: response(message("Paris")),
        tools: response(call),
        json: response(message("{\"name\": \"Ada\", \"year\": null}")),
        stream: include_str!("../data/wire/responses.sse"),
    };
    converse("openai-responses/gpt-5", replies).await;
}

#[tokio::test]
async fn anthropic() {
    let message = |content: Value, reason: &str| {
        json!({
            "id": "m1", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5-20250929",
            "content": content, "stop_reason": reason,
            "usage": {"input_tokens": 56, "cache_read_input_tokens": 64, "output_tokens": 30},
        })
    };
    let text = |text: &str| json!([{"type": "text", "text": text}]);
    let call = json!([{"type": "tool_use", "id": "call_2", "name": "lookup", "input": {"name": "Byron"}}]);
    let replies = Replies {
        text: message(text("Paris"), "end_turn"),
        tools: message(call, "tool_use"),
        json: message(text("{\"name\": \"Ada\", \"year\": null}"), "end_turn"),
        stream: include_str!("../data/wire/anthropic.sse"),
    };
    converse("anthropic/claude-sonnet-4-5", replies).await;
}

#[tokio::test]
async fn gemini() {
    let response = |parts: Value| {
        json!({
            "candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP"}],
            "modelVersion": "gemini-2.5-flash",
            "usageMetadata": {
                "promptTokenCount": 120, "cachedContentTokenCount": 64, "candidatesTokenCount": 10,
                "thoughtsTokenCount": 20, "totalTokenCount": 150,
            },
        })
    };
    let replies = Replies {
        text: response(json!([{"text": "Paris"}])),
        tools: response(json!([{"functionCall": {"name": "lookup", "args": {"name": "Byron"}}}])),
        json: response(json!([{"text": "{\"name\": \"Ada\", \"year\": null}"}])),
        stream: include_str!("../data/wire/gemini.sse"),
    };
    converse("gemini/gemini-2.5-flash", replies).await;
}

/// Gemini names no calls. Two of one tool in two pieces must still be told apart.
#[tokio::test]
async fn gemini_calls_are_told_apart() {
    let piece = |name: &str, end: &str| {
        format!(
            "data: {{\"candidates\":[{{\"content\":{{\"parts\":[{{\"functionCall\":{{\"name\":\"lookup\",\"args\":{{\"name\":\"{name}\"}}}}}}]}}{end}}}]}}\n\n"
        )
    };
    let stream = piece("Ada", "") + &piece("Byron", ",\"finishReason\":\"STOP\"");
    let server = answering(events(&stream)).await;
    let (pieces, reply) =
        streamed(&*model("gemini/gemini-2.5-flash", &server), tool_request()).await.unwrap();
    let ids: Vec<&str> = reply.tool_calls().map(|call| call.id.as_str()).collect();
    assert_eq!(ids, ["call_lookup_1", "call_lookup_2"]);
    let started = pieces.iter().filter_map(|piece| match piece {
        StreamEvent::ToolCallStart { id, .. } => Some(id.as_str()),
        _ => None,
    });
    assert_eq!(started.collect::<Vec<_>>(), ids);
    let arguments: String = pieces
        .iter()
        .filter_map(|piece| match piece {
            StreamEvent::ToolCallDelta { arguments, .. } => Some(arguments.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(arguments, r#"{"name":"Ada"}{"name":"Byron"}"#);
}
