use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use futures::{StreamExt, TryStreamExt};
use tracing_subscriber::fmt::format::FmtSpan;

use super::{Budget, Price, RetryPolicy, Traffic, price_table_date, stack};
use crate::{
    ChatModel, ChatReply, ChatRequest, ChatStream, LlmError, ModelSettings, Result, ScriptedModel,
    StreamEvent, Usage,
};

fn settings() -> ModelSettings {
    let traffic = Traffic::new();
    ModelSettings { traffic, ..ModelSettings::new("openai/gpt-4o".parse().unwrap()) }
}

fn question() -> ChatRequest {
    ChatRequest::new("Answer in one word.", "The capital of France?")
}

fn reply(input_tokens: u64, output_tokens: u64) -> ChatReply {
    let usage = Usage { requests: 1, input_tokens, output_tokens, ..Usage::default() };
    ChatReply { usage, ..ChatReply::from("Paris") }
}

#[tokio::test]
async fn calls_are_priced_and_counted_against_the_budget() {
    let budget = Budget::new(Some(1_100), None);
    let model = ScriptedModel::replies([reply(900, 100), reply(900, 100)]);
    let model = stack(model, &ModelSettings { budget: budget.clone(), ..settings() }).unwrap();
    let first = model.chat(question()).await.unwrap();
    let expected = (900.0 * 2.5 + 100.0 * 10.0) / 1e6;
    assert!((first.usage.cost.unwrap() - expected).abs() < 1e-12);
    let stream = model.stream(question()).await.unwrap();
    let events: Vec<StreamEvent> = stream.try_collect().await.unwrap();
    assert!(matches!(events.last(), Some(StreamEvent::End(reply)) if reply.usage.cost.is_some()));
    let refused = model.chat(question()).await.unwrap_err();
    assert_eq!(
        refused.to_string(),
        "the budget is used up: 2000 of 1100 tokens are used and the next call needs at least 11"
    );
    assert_eq!(budget.used().requests, 2);
}

#[tokio::test]
async fn a_part_of_a_budget_keeps_the_limits_of_both() {
    let whole = Budget::new(Some(2_500), None);
    let ask = async |budget: &Budget| {
        let model = ScriptedModel::replies([reply(900, 100)]);
        crate::within_budget(Arc::new(model), budget.clone()).chat(question()).await
    };
    let (narrow, wide) = (whole.part(Some(1_005), None), whole.part(None, Some(1.0)));
    assert!(wide.limits_cost() && !narrow.limits_cost());
    ask(&narrow).await.unwrap();
    let error = ask(&narrow).await.unwrap_err().to_string();
    assert!(error.contains("1000 of 1005 tokens"), "{error}");
    ask(&wide).await.unwrap();
    ask(&wide).await.unwrap();
    let error = ask(&wide).await.unwrap_err().to_string();
    assert!(error.contains("3000 of 2500 tokens"), "{error}");
    assert_eq!((narrow.used().tokens(), wide.used().tokens(), whole.used().tokens()), (1_000, 2_000, 3_000));
}

#[tokio::test]
async fn a_budget_in_dollars_needs_a_price() {
    let free = ModelSettings::new("ollama/qwen3".parse().unwrap());
    let limited = ModelSettings { budget: Budget::new(None, Some(0.000_001)), ..free };
    let error = stack(ScriptedModel::replies(["Paris"]), &limited).unwrap_err();
    assert!(matches!(error, LlmError::Configuration { .. }));
    let price = Price { input: 1.0, cached_input: None, output: 2.0 };
    let model =
        stack(ScriptedModel::replies(["Paris"]), &ModelSettings { price: Some(price), ..limited }).unwrap();
    assert!(matches!(model.chat(question()).await, Err(LlmError::Budget { .. })));
}

#[tokio::test]
async fn a_stream_that_is_dropped_has_still_cost_its_question() {
    let budget = Budget::new(Some(1_000), None);
    let model = ScriptedModel::replies([reply(900, 100)]);
    let model = stack(model, &ModelSettings { budget: budget.clone(), ..settings() }).unwrap();
    let mut stream = model.stream(question()).await.unwrap();
    stream.next().await.unwrap().unwrap();
    drop(stream);
    assert_eq!(
        budget.used(),
        Usage { requests: 1, input_tokens: 11, cost: Some(11.0 * 2.5 / 1e6), ..Usage::default() }
    );
}

#[test]
fn versions_have_the_price_of_their_model() {
    let price = |name: &str| Price::for_model(&name.parse().unwrap());
    assert_eq!(price("openai/gpt-4o-2024-08-06"), price("openai/gpt-4o"));
    assert_eq!(price("openai-responses/gpt-4o"), price("openai/gpt-4o"));
    assert_ne!(price("openai/gpt-4o-mini"), price("openai/gpt-4o"));
    assert_eq!(price("openai/gpt-4o-realtime"), None);
    assert_eq!(price("ollama/gpt-4o"), None);
    assert_ne!(price_table_date(), "unknown");
}

/// A model that counts the calls that run at the same time.
#[derive(Debug, Default)]
struct Crowded {
    running: AtomicUsize,
    most: Arc<AtomicUsize>,
}

#[async_trait]
impl ChatModel for Crowded {
    fn name(&self) -> &'static str {
        "test/crowded"
    }

    async fn chat(&self, _: ChatRequest) -> Result<ChatReply> {
        let now = self.running.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(now, Ordering::SeqCst);
        tokio::time::sleep(Duration::from_millis(5)).await;
        self.running.fetch_sub(1, Ordering::SeqCst);
        Ok("done".into())
    }

    async fn stream(&self, _: ChatRequest) -> Result<ChatStream> {
        Err(LlmError::Cancelled)
    }
}

#[tokio::test]
async fn only_so_many_calls_run_at_the_same_time() {
    let crowded = Crowded::default();
    let most = Arc::clone(&crowded.most);
    let model = stack(crowded, &ModelSettings { concurrency: 3, ..settings() }).unwrap();
    let calls = (0..12).map(|_| model.chat(question()));
    futures::future::try_join_all(calls).await.unwrap();
    assert_eq!(most.load(Ordering::SeqCst), 3);
}

fn unavailable() -> LlmError {
    LlmError::Unavailable { provider: "openai".into(), message: "down".into() }
}

#[tokio::test(start_paused = true)]
async fn what_may_pass_is_tried_again_and_nothing_else() {
    let asked = |model: &ScriptedModel| model.requests().len();
    let model = ScriptedModel::results([Err(unavailable()), Err(unavailable()), Ok("Paris".into())]);
    let stacked = stack(model.clone(), &ModelSettings { retries: 2, ..settings() }).unwrap();
    assert_eq!(stacked.chat(question()).await.unwrap().text(), "Paris");
    assert_eq!(asked(&model), 3);

    let model = ScriptedModel::results([Err(unavailable()), Err(unavailable()), Ok("Paris".into())]);
    let stacked = stack(model.clone(), &ModelSettings { retries: 1, ..settings() }).unwrap();
    assert!(matches!(stacked.stream(question()).await, Err(LlmError::Unavailable { .. })));
    assert_eq!(asked(&model), 2);

    let refused = LlmError::Refused { provider: "openai".into(), message: "no".into() };
    let model = ScriptedModel::results([Err(refused)]);
    let stacked = stack(model.clone(), &settings()).unwrap();
    assert!(matches!(stacked.chat(question()).await, Err(LlmError::Refused { .. })));
    assert_eq!(asked(&model), 1);
}

#[tokio::test(start_paused = true)]
async fn a_wait_that_is_asked_for_is_kept_and_a_little_more_that_differs() {
    let wait = async || {
        let start = tokio::time::Instant::now();
        let busy =
            LlmError::RateLimited { provider: "openai".into(), retry_after: Some(Duration::from_secs(20)) };
        let model = ScriptedModel::results([Err(busy), Ok("Paris".into())]);
        stack(model, &settings()).unwrap().chat(question()).await.unwrap();
        start.elapsed()
    };
    let mut waits = Vec::new();
    for _ in 0..8 {
        waits.push(wait().await);
    }
    let range = Duration::from_secs(20)..Duration::from_millis(20_502);
    assert!(waits.iter().all(|wait| range.contains(wait)), "{waits:?}");
    assert!(waits.iter().any(|wait| *wait != waits[0]), "{waits:?}");
}

#[tokio::test(start_paused = true)]
async fn a_wait_of_an_hour_is_not_waited() {
    let start = tokio::time::Instant::now();
    let result: Result<()> = RetryPolicy::new(4)
        .run(|| async {
            let retry_after = Some(Duration::from_hours(1));
            Err(LlmError::RateLimited { provider: "openai".into(), retry_after })
        })
        .await;
    assert!(matches!(result, Err(LlmError::RateLimited { .. })));
    assert_eq!(start.elapsed(), Duration::ZERO);
}

async fn traced(content: bool) -> String {
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
    let model = ScriptedModel::replies([reply(900, 100)]);
    let model = stack(model, &ModelSettings { trace_content: content, ..settings() }).unwrap();
    model.chat(question()).await.unwrap();
    drop((guard, second));
    std::fs::read_to_string(log.path()).unwrap()
}

#[tokio::test]
async fn a_trace_has_the_usage_and_no_content_unless_asked() {
    let trace = traced(false).await;
    for field in
        ["gen_ai.operation.name=\"chat\"", "gen_ai.usage.input_tokens=900", "gen_ai.usage.output_tokens=100"]
    {
        assert!(trace.contains(field), "{field} in {trace}");
    }
    assert!(!trace.contains("France") && !trace.contains("Paris"), "{trace}");
    let trace = traced(true).await;
    assert!(trace.contains("France") && trace.contains("Paris"), "{trace}");
}

/// Returns the lines of the log with what differs from run to run taken out.
fn log_lines(trace: &str) -> String {
    let lines = trace.lines().filter_map(|line| line.split_once("DEBUG ").map(|(_, line)| line));
    let lines = lines.map(|line| line.split(" elapsed=").next().unwrap_or(line).to_owned());
    lines.collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn the_log_has_a_line_for_each_call_and_each_reply() {
    insta::assert_snapshot!(log_lines(&traced(false).await), @r#"
    graphwright_llm::calls: call model=openai/gpt-4o messages=2 tools=0 stream=false
    graphwright_llm::calls: reply model=openai/gpt-4o finish="stop" input_tokens=900 output_tokens=100 cost=0.00325
    "#);
}
