//! What models think: kept, sent back between tool calls, and never in the text.

use futures::StreamExt;
use graphwright_llm::{ChatReply, ChatRequest, Content, Message, Role, ToolChoice};
use serde_json::{Value, json};

use super::harness::{answering, events, json_body, model, question, sent, streamed, tool_request};

fn first_request() -> ChatRequest {
    ChatRequest {
        messages: vec![Message::system("Use the tools."), Message::user("Who was Ada?")],
        tool_choice: ToolChoice::Auto,
        max_tokens: None,
        ..tool_request()
    }
}

/// Returns the request that goes on after a reply with a tool call.
fn second_request(reply: &ChatReply) -> ChatRequest {
    let id = reply.tool_calls().next().expect("it calls a tool").id.clone();
    let result = Content::ToolResult { id, content: "born 1815".into() };
    let mut request = first_request();
    request.messages.push(reply.message.clone());
    request.messages.push(Message { role: Role::Tool, content: vec![result] });
    request
}

/// Lets a model think and call a tool. Returns what it thought, and what is then sent to it.
async fn goes_on(name: &str, body: Value) -> (String, Value) {
    let server = answering(json_body(&body)).await;
    let model_here = model(name, &server);
    let reply = model_here.chat(first_request()).await.unwrap();
    model_here.chat(second_request(&reply)).await.unwrap();
    let again = sent(&server).await["body"].clone();

    // Another model is not given it, nor is the same one after the person's next word.
    let other = model(&format!("{name}-other"), &server);
    other.chat(second_request(&reply)).await.unwrap();
    assert_eq!(sealed(&sent(&server).await["body"]), 0, "{name}");
    let mut later = second_request(&reply);
    later.messages.push(Message::user("Thanks. And Byron?"));
    model_here.chat(later).await.unwrap();
    assert_eq!(sealed(&sent(&server).await["body"]), 0, "{name}");
    assert_eq!(sealed(&again), 1, "{again}");
    (reply.reasoning(), again)
}

/// The provider's part of the thoughts in all these replies.
const SEAL: &str = "c2VhbGVk";

fn sealed(body: &Value) -> usize {
    body.to_string().matches(SEAL).count()
}

#[tokio::test]
async fn anthropic_gets_its_signed_thoughts_back() {
    let body = json!({
        "model": "claude", "stop_reason": "tool_use", "usage": {"input_tokens": 1, "output_tokens": 1},
        "content": [
            {"type": "thinking", "thinking": "A person.", "signature": SEAL},
            {"type": "tool_use", "id": "t1", "name": "lookup", "input": {"name": "Ada"}},
        ],
    });
    let (thoughts, sent) = goes_on("anthropic/claude-sonnet-4-5", body.clone()).await;
    assert_eq!(thoughts, "A person.");
    assert_eq!(sent["messages"][1]["content"][0], body["content"][0]);
    assert_eq!(sent["messages"][1]["content"][1]["type"], "tool_use");
    assert_eq!(sent["thinking"]["type"], "enabled", "it goes on thinking");
}

#[tokio::test]
async fn responses_get_their_encrypted_items_back() {
    let item = json!({"type": "reasoning", "id": "r1", "summary": [{"type": "summary_text", "text": "A person."}], "encrypted_content": SEAL});
    let call = json!({"type": "function_call", "id": "f1", "call_id": "c1", "name": "lookup", "arguments": "{\"name\":\"Ada\"}"});
    let body = json!({"model": "gpt-5", "status": "completed", "output": [item, call]});
    let (thoughts, sent) = goes_on("openai-responses/gpt-5", body).await;
    assert_eq!(thoughts, "A person.");
    assert_eq!(sent["input"][1], item);
    assert_eq!(sent["input"][2]["type"], "function_call");
}

#[tokio::test]
async fn gemini_gets_its_signature_back_in_the_part_that_had_it() {
    let parts = json!([
        {"text": "A person.", "thought": true},
        {"functionCall": {"name": "lookup", "args": {"name": "Ada"}}, "thoughtSignature": SEAL},
    ]);
    let body = json!({"candidates": [{"content": {"parts": parts}, "finishReason": "STOP"}]});
    let (thoughts, sent) = goes_on("gemini/gemini-3-pro", body).await;
    assert_eq!(thoughts, "A person.");
    let part = &sent["contents"][1]["parts"][0];
    assert_eq!((&part["thoughtSignature"], &part["functionCall"]["name"]), (&json!(SEAL), &json!("lookup")));
    assert_eq!(sent["generationConfig"]["thinkingConfig"]["thinkingLevel"], "low");
}

#[tokio::test]
async fn completions_get_their_thoughts_back_under_the_name_that_they_came_by() {
    let call = json!([{"id": "c1", "type": "function", "function": {"name": "lookup", "arguments": "{}"}}]);
    for (field, thought) in [
        ("reasoning_content", json!(SEAL)),
        ("reasoning", json!(SEAL)),
        ("reasoning_details", json!([{"type": "reasoning.encrypted", "index": 0, "data": SEAL}])),
        ("content", json!([{"type": "thinking", "thinking": [{"type": "text", "text": SEAL}]}])),
    ] {
        let mut message = json!({"role": "assistant", "content": "", "tool_calls": call});
        message[field] = thought.clone();
        let body = json!({"model": "m", "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}]});
        let (_, sent) = goes_on("openai-compatible/thinker", body).await;
        assert_eq!(sent["messages"][2][field], thought, "{field}");
    }
}

#[tokio::test]
async fn ollama_gets_its_thoughts_back() {
    let call = json!([{"function": {"name": "lookup", "arguments": {}}}]);
    let message = json!({"role": "assistant", "content": "", "thinking": SEAL, "tool_calls": call});
    let body = json!({"model": "qwen3", "message": message, "done": true, "done_reason": "stop"});
    let (_, sent) = goes_on("ollama/qwen3", body).await;
    assert_eq!(sent["messages"][2]["thinking"], SEAL);
    assert_eq!(sent["messages"][3], json!({"role": "tool", "tool_name": "lookup", "content": "born 1815"}));
}

fn completion(text: &str) -> Value {
    let message = json!({"role": "assistant", "content": text});
    json!({"model": "m", "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]})
}

#[tokio::test]
async fn thoughts_inside_the_text_are_told_from_it() {
    for text in ["<think>Paris or Lyon?</think>\n\nParis.", "Paris or Lyon?\n</think>\nParis."] {
        let server = answering(json_body(&completion(text))).await;
        let reply = model("openai-compatible/thinker", &server).chat(question()).await.unwrap();
        assert_eq!((reply.text().as_str(), reply.reasoning().trim()), ("Paris.", "Paris or Lyon?"));
    }
}

#[tokio::test]
async fn a_model_that_thinks_unmarked_is_held_back_from_then_on() {
    let piece = |text: &str| json!({"choices": [{"index": 0, "delta": {"content": text}}]});
    let end = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]});
    let pieces = [piece("Lyon?"), piece(" No.</think>"), piece("Paris"), piece("."), end];
    let stream: String = pieces.iter().map(|piece| format!("data: {piece}\n\n")).collect();
    let server = answering(events(&stream)).await;
    let model = model("openai-compatible/thinker", &server);
    let (_, first) = streamed(&*model, question()).await.unwrap();
    assert_eq!((first.text(), first.reasoning()), ("Paris.".to_owned(), "Lyon? No.".to_owned()));
    let texts = model.stream(question()).await.unwrap().filter_map(|event| async {
        match event.unwrap() {
            graphwright_llm::StreamEvent::Text(text) => Some(text),
            _ => None,
        }
    });
    assert_eq!(texts.collect::<String>().await, "Paris.", "not a word of the thoughts is passed on");
}
