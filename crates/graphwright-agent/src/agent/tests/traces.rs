//! What the log and the spans show of a run.

use tracing_subscriber::fmt::format::FmtSpan;

use super::*;

/// Runs an agent, and returns what the log and the spans show of it.
async fn traced(change: impl FnOnce(Agent) -> Agent) -> String {
    let log = tempfile::NamedTempFile::new().unwrap();
    let subscriber = tracing_subscriber::fmt()
        .with_span_events(FmtSpan::CLOSE)
        .with_ansi(false)
        .with_max_level(tracing::Level::DEBUG)
        .with_writer(Arc::new(log.reopen().unwrap()))
        .finish();
    // With a single dispatcher, `tracing` asks that of the thread that first comes to a place in the
    // code, and another test's thread has none: the place would be silent for good.
    let second = tracing::Dispatch::new(tracing_subscriber::registry());
    let guard = tracing::subscriber::set_default(subscriber);
    let calls = [call("1", "look", "treasure"), ToolCall { arguments: json!({}), ..call("2", "look", "") }];
    let calls: Vec<_> = calls.into_iter().map(Content::ToolCall).collect();
    let model = ScriptedModel::replies([ChatReply::from(calls), "In Turin.".into()]);
    change(agent(&model, Acting::look())).run::<String>("Where?", &context()).await.unwrap();
    drop((guard, second));
    std::fs::read_to_string(log.path()).unwrap()
}

#[tokio::test]
async fn a_trace_has_each_call_and_no_content_unless_asked() {
    let trace = traced(|agent| agent.with_name("guide")).await;
    for field in [
        "invoke_agent{",
        "gen_ai.agent.name=\"guide\"",
        "gen_ai.conversation.id=\"thread\"",
        "gen_ai.operation.name=\"execute_tool\"",
        "gen_ai.tool.name=\"look\"",
        "gen_ai.tool.call.id=\"1\"",
        "error.type=\"tool_error\"",
        "graphwright_agent::calls: call tool=\"look\"",
        "graphwright_agent::calls: result tool=\"look\" tokens=5 is_error=false",
    ] {
        assert!(trace.contains(field), "{field} in {trace}");
    }
    assert!(!trace.contains("treasure"), "{trace}");
    let trace = traced(Agent::with_content_in_traces).await;
    for field in [
        "gen_ai.tool.call.arguments=\"{\\\"of\\\":\\\"treasure\\\"}\"",
        "gen_ai.tool.call.result=\"treasure is in Turin\"",
        "said=\"treasure is in Turin\"",
    ] {
        assert!(trace.contains(field), "{field} in {trace}");
    }
}
