//! What a model does not take is left out, and not sent again.

use graphwright_llm::{ChatModel, ChatRequest, FinishReason, LlmError, OutputFormat, Traffic, connect};
use serde_json::{Value, json};
use wiremock::{Mock, MockServer, Request, Respond, ResponseTemplate, matchers::method};

use super::harness::{
    answering, events, json_body, model, question, schema_request, sent, settings, streamed, tool_request,
};

/// A server that refuses what a body has in these places, with these words.
struct Picky {
    refuses: &'static [(&'static str, &'static str)],
    answer: Value,
}

impl Respond for Picky {
    fn respond(&self, request: &Request) -> ResponseTemplate {
        let body: Value = serde_json::from_slice(&request.body).unwrap();
        let refused = self.refuses.iter().find(|(place, _)| body.pointer(place).is_some());
        match refused {
            Some((_, words)) => {
                ResponseTemplate::new(400).set_body_json(json!({"error": {"message": words}}))
            }
            None => ResponseTemplate::new(200).set_body_json(&self.answer),
        }
    }
}

async fn picky(refuses: &'static [(&'static str, &'static str)], answer: Value) -> MockServer {
    let server = MockServer::start().await;
    Mock::given(method("POST")).respond_with(Picky { refuses, answer }).mount(&server).await;
    server
}

fn completion(text: &str) -> Value {
    let message = json!({"role": "assistant", "content": text});
    json!({"model": "m", "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]})
}

const NO_SCHEMA: &str = "This response_format type is unavailable now";

async fn requests(server: &MockServer) -> usize {
    server.received_requests().await.unwrap().len()
}

#[tokio::test]
async fn parameters_are_left_out_one_after_the_other_and_stay_so() {
    let server = picky(
        &[
            ("/temperature", "Unsupported value: 'temperature' does not support 0.25 with this model."),
            (
                "/max_tokens",
                "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
            ),
            ("/tool_choice", "Thinking mode does not support this tool_choice"),
            ("/seed", "Unrecognized request argument supplied: seed"),
        ],
        completion("Paris"),
    )
    .await;
    let model = model("openai-compatible/new", &server);
    assert_eq!(model.chat(tool_request()).await.unwrap().text(), "Paris");
    assert_eq!(requests(&server).await, 5);
    let body = sent(&server).await["body"].clone();
    assert_eq!(body["max_completion_tokens"], 200);
    assert_eq!(body["reasoning_effort"], "low", "what was not refused is kept");
    model.chat(tool_request()).await.unwrap();
    assert_eq!(requests(&server).await, 6, "it is remembered");
}

#[tokio::test]
async fn what_a_model_does_not_take_is_known_to_the_next_process() {
    let server = picky(
        &[("/temperature", "Unsupported value: 'temperature' does not support 0.25 with this model.")],
        completion("Paris"),
    )
    .await;
    let folder = tempfile::tempdir().unwrap();
    let model = |name| {
        let mut settings = settings(name, &server);
        settings.provider.refusals = Some(folder.path().join("refusals.json"));
        connect(&settings).unwrap()
    };
    model("openai-compatible/new").chat(tool_request()).await.unwrap();
    assert_eq!(requests(&server).await, 2);
    model("openai-compatible/new").chat(tool_request()).await.unwrap();
    assert_eq!(requests(&server).await, 3, "it is not sent again");
    model("openai-compatible/other").chat(tool_request()).await.unwrap();
    assert_eq!(requests(&server).await, 5, "of another model nothing is known");
}

#[tokio::test]
async fn a_schema_becomes_some_object_and_then_words() {
    let json = "{\"name\": \"Ada\", \"year\": 1815}";
    let strict: &[_] = &const { [("/response_format/json_schema", NO_SCHEMA)] };
    let none: &[_] = &const { [("/response_format", NO_SCHEMA)] };
    for (refuses, format) in [(strict, json!({"type": "json_object"})), (none, Value::Null)] {
        let server = picky(refuses, completion(json)).await;
        let reply = model("openai-compatible/old", &server).chat(schema_request()).await.unwrap();
        assert_eq!(reply.text(), r#"{"name":"Ada","year":1815}"#);
        let body = sent(&server).await["body"].clone();
        assert_eq!(body["response_format"], format);
        let instructions = body["messages"][0]["content"].as_str().unwrap();
        assert!(instructions.contains("JSON Schema") && instructions.contains("\"year\""), "{instructions}");
    }
}

#[tokio::test]
async fn a_schema_beyond_the_limits_is_made_smaller_before_it_is_sent() {
    let names: Vec<String> = (0..1_084).map(|number| format!("type {number}")).collect();
    let schema = json!({
        "type": "object", "properties": {"kind": {"type": "string", "enum": names, "minLength": 1}},
        "required": ["kind"],
    });
    let output = OutputFormat::JsonSchema { name: "fact".into(), schema };
    let request = ChatRequest { output, ..question() };
    let server = answering(json_body(&completion("{\"kind\": \"type 7\"}"))).await;
    let model = model("openai/gpt-4o", &server);
    assert_eq!(model.chat(request.clone()).await.unwrap().text(), r#"{"kind":"type 7"}"#);
    let schema = &sent(&server).await["body"]["response_format"]["json_schema"]["schema"];
    assert_eq!(schema["properties"]["kind"], json!({"type": "string"}));

    // The whole schema still decides what is a good reply.
    let server = answering(json_body(&completion("{\"kind\": \"none\"}"))).await;
    let failure = super::harness::model("openai/gpt-4o", &server).chat(request).await.unwrap_err();
    assert!(matches!(failure, LlmError::BadReply { .. }), "{failure}");
}

#[tokio::test]
async fn a_refusal_that_names_nothing_is_told_at_once() {
    let server = picky(&[("/messages", "Invalid model: new")], completion("")).await;
    let failure = model("openai-compatible/new", &server).chat(tool_request()).await.unwrap_err();
    assert!(failure.to_string().ends_with("Invalid model: new"), "{failure}");
    assert_eq!(requests(&server).await, 1);
}

#[tokio::test]
async fn refusals_cut_calls_and_errors_in_mid_stream_are_told_as_such() {
    let message = json!({"role": "assistant", "content": null, "refusal": "I cannot."});
    let body = json!({"model": "m", "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]});
    let server = answering(json_body(&body)).await;
    let reply = model("openai/gpt-4o", &server).chat(question()).await.unwrap();
    assert_eq!((reply.text().as_str(), reply.finish), ("I cannot.", FinishReason::Refusal));
    let failure = model("openai/gpt-4o", &server).chat(schema_request()).await.unwrap_err().to_string();
    assert!(failure.ends_with("the model refuses to answer"), "{failure}");

    let call = json!([{"id": "c1", "function": {"name": "lookup", "arguments": "{\"name\": \"By"}}]);
    let message = json!({"role": "assistant", "content": "", "tool_calls": call});
    let body =
        json!({"model": "m", "choices": [{"index": 0, "message": message, "finish_reason": "length"}]});
    let server = answering(json_body(&body)).await;
    let reply = model("openai/gpt-4o", &server).chat(tool_request()).await.unwrap();
    assert_eq!(reply.finish, FinishReason::Length);
    assert_eq!(reply.tool_calls().next().unwrap().arguments, json!("{\"name\": \"By"));

    for (name, stream) in [
        (
            "openai-compatible/m",
            "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Pa\"}}]}\n\ndata: {\"error\":{\"code\":502,\"message\":\"upstream\"},\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"error\"}]}\n\n",
        ),
        (
            "openai-responses/m",
            "data: {\"type\":\"response.output_text.delta\",\"output_index\":0,\"delta\":\"Pa\"}\n\ndata: {\"type\":\"response.failed\",\"response\":{\"status\":\"failed\",\"error\":{\"code\":\"server_error\",\"message\":\"upstream\"}}}\n\n",
        ),
        (
            "anthropic/m",
            "data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"Pa\"}}\n\ndata: {\"type\":\"error\",\"error\":{\"type\":\"api_error\",\"message\":\"upstream\"}}\n\n",
        ),
        (
            "gemini/m",
            "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"Pa\"}]}}]}\n\ndata: [{\"error\":{\"code\":503,\"message\":\"upstream\",\"status\":\"UNAVAILABLE\"}}]\n\n",
        ),
        (
            "ollama/m",
            "{\"message\":{\"role\":\"assistant\",\"content\":\"Pa\"},\"done\":false}\n{\"error\":\"upstream\"}\n",
        ),
    ] {
        let server = answering(events(stream)).await;
        let failure = streamed(&*model(name, &server), question()).await.unwrap_err();
        let told = matches!(&failure, LlmError::Unavailable { message, .. } if message.contains("upstream"));
        assert!(told, "{name}: {failure}");
    }
}

#[tokio::test]
async fn settings_of_a_provider_go_into_every_request() {
    let server = answering(json_body(&json!({
        "model": "qwen3", "message": {"role": "assistant", "content": "Paris"}, "done": true,
    })))
    .await;
    let mut settings = settings("ollama/qwen3", &server);
    settings.provider.context = Some(32_768);
    settings.provider.temperature = Some(0.5);
    settings.provider.max_output_tokens = Some(900);
    connect(&settings).unwrap().chat(tool_request()).await.unwrap();
    let sent = sent(&server).await;
    assert_eq!(sent["to"], "/api/chat");
    let options = json!({"num_ctx": 32_768, "temperature": 0.5, "seed": 7, "num_predict": 900});
    assert_eq!(sent["body"]["options"], options);

    // What the server would cut is not sent.
    settings.provider.context = Some(2_000);
    settings.traffic = Traffic::new();
    let long = ChatRequest::new("", "word ".repeat(3_000));
    let failure = connect(&settings).unwrap().chat(long.clone()).await.unwrap_err();
    assert!(matches!(failure, LlmError::ContextLength { .. }), "{failure}");
    // Without a setting the context grows with the request.
    settings.provider.context = None;
    let model: std::sync::Arc<dyn ChatModel> = connect(&settings).unwrap();
    model.chat(long.clone()).await.unwrap();
    assert_eq!(super::harness::sent(&server).await["body"]["options"]["num_ctx"], 8_192);
    model.chat(ChatRequest::new("", "word ".repeat(12_000))).await.unwrap();
    assert_eq!(super::harness::sent(&server).await["body"]["options"]["num_ctx"], 32_768);
}
