mod provided;
mod traces;

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use graphwright_answer::{AnswerError, Event};
use graphwright_llm::{
    ChatReply, ChatRequest, Content, LlmError, Message, OutputFormat, Role, ScriptedModel, ToolCall,
    ToolSpec, Usage,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::*;
use crate::{MemoryThreads, Tool, ToolError, ToolHints, ToolOutput, thread::ThreadStore};

type Act = dyn Fn(&Value) -> Result<ToolOutput, ToolError> + Send + Sync;

/// A tool that runs a function of the test, and counts its calls.
struct Acting {
    spec: ToolSpec,
    hints: ToolHints,
    act: Arc<Act>,
    lasts: Duration,
    calls: Arc<AtomicUsize>,
}

impl std::fmt::Debug for Acting {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.spec.name)
    }
}

impl Acting {
    fn new(
        name: &str,
        act: impl Fn(&Value) -> Result<ToolOutput, ToolError> + Send + Sync + 'static,
    ) -> Self {
        let parameters =
            json!({"type": "object", "properties": {"of": {"type": "string"}}, "required": ["of"]});
        let spec = ToolSpec { name: name.to_owned(), description: format!("Does {name}."), parameters };
        Self {
            spec,
            hints: ToolHints::READ_ONLY,
            act: Arc::new(act),
            lasts: Duration::ZERO,
            calls: Arc::default(),
        }
    }

    /// Creates a tool that tells in which town something is.
    fn look() -> Self {
        Self::new("look", |arguments| Ok(format!("{} is in Turin", arguments["of"].as_str().unwrap()).into()))
    }

    fn that_lasts(self, lasts: Duration) -> Self {
        Self { lasts, ..self }
    }

    fn with_hints(self, hints: ToolHints) -> Self {
        Self { hints, ..self }
    }
}

#[async_trait]
impl Tool for Acting {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn hints(&self) -> ToolHints {
        self.hints
    }

    async fn call(&self, arguments: Value, _: &ToolContext) -> Result<ToolOutput, ToolError> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        if !self.lasts.is_zero() {
            tokio::time::sleep(self.lasts).await;
        }
        (self.act)(&arguments)
    }
}

fn call(id: &str, name: &str, of: &str) -> ToolCall {
    ToolCall { id: id.to_owned(), name: name.to_owned(), arguments: json!({"of": of}) }
}

fn agent(model: &ScriptedModel, tool: Acting) -> Agent {
    Agent::new(Arc::new(model.clone())).with_tools(Toolbox::new().with(tool).unwrap())
}

fn context() -> ToolContext {
    ToolContext::new("thread")
}

/// Creates a context, and a list of the events in it.
fn listened() -> (ToolContext, Arc<Mutex<Vec<Event>>>) {
    let heard: Arc<Mutex<Vec<Event>>> = Arc::default();
    let listener = Arc::clone(&heard);
    (context().with_events(move |event| listener.lock().unwrap().push(event)), heard)
}

/// Returns the tool results in the last request to a model.
fn results(model: &ScriptedModel) -> Vec<String> {
    let last = model.requests().pop().unwrap();
    let parts = last.messages.into_iter().flat_map(|message| message.content);
    parts
        .filter_map(|part| match part {
            Content::ToolResult { content, .. } => Some(content),
            _ => None,
        })
        .collect()
}

#[tokio::test]
async fn tools_are_called_until_the_model_answers() {
    let both = vec![Content::ToolCall(call("1", "look", "it")), Content::ToolCall(call("2", "look", "she"))];
    let model = ScriptedModel::replies([ChatReply::from(both), "In Turin.".into()]);
    let (context, heard) = listened();
    let run = agent(&model, Acting::look()).run::<String>("Where?", &context).await.unwrap();
    assert_eq!(run.output, "In Turin.");
    assert_eq!(run.usage.requests, 2);
    let texts: Vec<_> = run.steps[0].calls.iter().map(|record| record.text.as_str()).collect();
    assert_eq!(texts, ["it is in Turin", "she is in Turin"]);
    assert_eq!(results(&model), texts);
    let heard = heard.lock().unwrap();
    let ends = heard.iter().filter(|event| matches!(event, Event::ToolResult { is_error: false, .. }));
    assert_eq!(ends.count(), 2);
    assert!(heard.contains(&Event::ToolArguments { id: "2".to_owned(), text: r#"{"of":"she"}"#.to_owned() }));
    assert!(heard.contains(&Event::Token { text: "Turin.".to_owned() }));
}

#[tokio::test]
async fn wrong_calls_are_answered_with_what_is_wrong() {
    let wrong = ToolCall { arguments: json!({"of": 7}), ..call("1", "look", "") };
    let model = ScriptedModel::replies([
        ChatReply::from(wrong),
        call("2", "lok", "it").into(),
        call("3", "look", "it").into(),
        "In Turin.".into(),
    ]);
    let run = agent(&model, Acting::look()).run::<String>("Where?", &context()).await.unwrap();
    let told = results(&model);
    assert!(told[0].contains("JSON Schema") && told[0].contains("7 is not of type"), "{}", told[0]);
    assert!(told[1].contains("did you mean `look`?"), "{}", told[1]);
    assert_eq!(told[2], "it is in Turin");
    assert_eq!(run.steps.iter().filter(|step| step.calls[0].is_error).count(), 2);
}

#[tokio::test]
async fn a_tool_that_breaks_or_fails_does_not_end_the_run() {
    let model = ScriptedModel::replies([
        ChatReply::from(call("1", "act", "panic")),
        call("2", "act", "error").into(),
        "No.".into(),
    ]);
    let tool = Acting::new("act", |arguments| match arguments["of"].as_str() {
        Some("panic") => panic!("out of luck"),
        _ => Err(ToolError::new("no such town").with_hint("ask for another")),
    });
    agent(&model, tool).run::<String>("Where?", &context()).await.unwrap();
    let told = results(&model);
    assert!(told[0].starts_with("Error: the tool `act` broke: out of luck"), "{}", told[0]);
    assert_eq!(told[1], "Error: no such town\nHint: ask for another");
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_never_returns_is_stopped() {
    let model = ScriptedModel::replies([ChatReply::from(call("1", "look", "it")), "It takes long.".into()]);
    let tool = Acting::look().that_lasts(Duration::from_secs(1_000_000));
    let run = agent(&model, tool).run::<String>("Where?", &context()).await.unwrap();
    assert!(run.steps[0].calls[0].text.contains("did not end within 60 s"));
}

/// A tool that never ends, and shares its cancellation token with the test.
#[derive(Debug)]
struct Told(ToolSpec, Arc<Mutex<Option<CancellationToken>>>);

#[async_trait]
impl Tool for Told {
    fn spec(&self) -> &ToolSpec {
        &self.0
    }

    async fn call(&self, _: Value, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        *self.1.lock().unwrap() = Some(context.cancellation().clone());
        std::future::pending().await
    }
}

#[tokio::test(start_paused = true)]
async fn what_a_stopped_tool_started_is_told_and_the_run_goes_on() {
    let given: Arc<Mutex<Option<CancellationToken>>> = Arc::default();
    let tools = Toolbox::new().with(Told(Acting::look().spec, Arc::clone(&given))).unwrap();
    let context = context();
    let result = tools.call_within(Duration::from_secs(5), "look", json!({"of": "it"}), &context).await;
    assert!(result.unwrap_err().message.contains("did not end within 5 s"));
    assert!(given.lock().unwrap().as_ref().unwrap().is_cancelled());
    assert!(!context.cancellation().is_cancelled());
}

#[tokio::test(start_paused = true)]
async fn calls_of_one_reply_run_at_the_same_time_within_a_bound() {
    let calls =
        (0..6).map(|number| Content::ToolCall(call(&number.to_string(), "look", &number.to_string())));
    let model = ScriptedModel::replies([ChatReply::from(calls.collect::<Vec<_>>()), "Done.".into()]);
    let tool = Acting::look().that_lasts(Duration::from_secs(10));
    let limits = AgentLimits { calls_at_once: 3, ..AgentLimits::default() };
    let started = tokio::time::Instant::now();
    agent(&model, tool).with_limits(limits).run::<String>("Where?", &context()).await.unwrap();
    assert_eq!(started.elapsed().as_secs(), 20);
}

#[tokio::test(start_paused = true)]
async fn a_run_has_its_time_and_can_be_cancelled() {
    let model = || ScriptedModel::answering(|_| Ok(call("1", "look", "it").into()));
    let slow = || Acting::look().that_lasts(Duration::from_secs(50));
    let limits = AgentLimits { time: Some(Duration::from_secs(30)), ..AgentLimits::default() };
    let late = agent(&model(), slow()).with_limits(limits).run::<String>("Where?", &context()).await;
    assert_eq!(late.unwrap_err().to_string(), "the agent did not answer within 30 s");

    let token = CancellationToken::new();
    let context = context().with_cancellation(token.clone());
    let agent = agent(&model(), slow());
    let (run, ()) = tokio::join!(agent.run::<String>("Where?", &context), async {
        tokio::time::sleep(Duration::from_secs(5)).await;
        token.cancel();
    });
    assert!(matches!(run, Err(AgentError::Cancelled)));
}

#[tokio::test]
async fn after_the_last_step_the_model_answers_with_what_it_has() {
    let model = ScriptedModel::answering(|request| {
        if request.tool_choice == ToolChoice::None {
            return Ok("I found Turin.".into());
        }
        let number = request.messages.len().to_string();
        Ok(call(&number, "look", &number).into())
    });
    let limits = AgentLimits { steps: 3, ..AgentLimits::default() };
    let run =
        agent(&model, Acting::look()).with_limits(limits).run::<String>("Where?", &context()).await.unwrap();
    assert_eq!((run.output.as_str(), run.steps.len()), ("I found Turin.", 3));
    assert_eq!(run.notices, ["stopped after 3 steps; the answer is from what was found by then"]);
}

#[tokio::test]
async fn the_same_call_is_not_made_again_and_again() {
    let model = ScriptedModel::answering(|request| match request.tool_choice {
        ToolChoice::None => Ok("I am stuck.".into()),
        _ => Ok(call("1", "look", "it").into()),
    });
    let tool = Acting::look();
    let calls = Arc::clone(&tool.calls);
    let run = agent(&model, tool).run::<String>("Where?", &context()).await.unwrap();
    assert_eq!(calls.load(Ordering::SeqCst), 2);
    assert_eq!(run.steps.len(), 3);
    assert!(run.steps[2].calls[0].text.contains("made 2 times with the same arguments"));
    assert!(run.notices[0].contains("again and again"));
}

#[tokio::test]
async fn tokens_and_dollars_are_limited() {
    let endless = || {
        ScriptedModel::answering(|request| {
            let mut reply: ChatReply = call("1", "look", &request.messages.len().to_string()).into();
            reply.usage = Usage {
                requests: 1,
                input_tokens: 100,
                output_tokens: 10,
                cost: Some(0.4),
                ..Usage::default()
            };
            Ok(reply)
        })
    };
    let run = |limits| {
        let agent = agent(&endless(), Acting::look()).with_limits(limits);
        async move { agent.run::<String>("Where?", &context()).await.unwrap_err().to_string() }
    };
    let base = AgentLimits::default();
    let tokens = run(AgentLimits { tokens: Some(300), ..base }).await;
    assert!(tokens.starts_with("the budget is used up: 330 of 300 tokens"), "{tokens}");
    let dollars = run(AgentLimits { dollars: Some(1.0), ..base }).await;
    assert!(dollars.starts_with("the budget is used up: $1.2000 of $1.0000"), "{dollars}");

    let unpriced = ScriptedModel::replies(["Turin."]);
    let limits = AgentLimits { dollars: Some(1.0), ..base };
    let error =
        agent(&unpriced, Acting::look()).with_limits(limits).run::<String>("Where?", &context()).await;
    assert!(error.unwrap_err().to_string().contains("the price of scripted/model is not known"));
}

#[tokio::test]
async fn long_results_are_cut_with_a_note() {
    let model = ScriptedModel::replies([ChatReply::from(call("1", "act", "it")), "Long.".into()]);
    let tool = Acting::new("act", |_| Ok("word ".repeat(20_000).into()));
    let run = agent(&model, tool).run::<String>("Where?", &context()).await.unwrap();
    let text = &run.steps[0].calls[0].text;
    assert!(
        text.len() < 16_200
            && text.ends_with("[cut: 4000 of about 25000 tokens are shown; ask for less, or for a part]")
    );
}

#[tokio::test]
async fn old_results_make_room_when_the_context_is_full() {
    let too_long = |request: &ChatRequest| {
        let parts = request.messages.iter().flat_map(|message| &message.content);
        let length: usize = parts
            .map(|part| match part {
                Content::ToolResult { content, .. } => content.len(),
                _ => 0,
            })
            .sum();
        length > 25_000
    };
    let model = ScriptedModel::answering(move |request| {
        let at = request.messages.len();
        if too_long(request) {
            return Err(LlmError::ContextLength { model: "scripted".to_owned() });
        }
        Ok(if at < 8 { call("1", "act", &at.to_string()).into() } else { "Enough.".into() })
    });
    let tool = Acting::new("act", |_| Ok("x".repeat(10_000).into()));
    let (context, heard) = listened();
    let run = agent(&model, tool).run::<String>("Where?", &context).await.unwrap();
    assert_eq!(run.output, "Enough.");
    let heard = heard.lock().unwrap();
    assert!(heard.iter().any(|event| matches!(event, Event::Step { what } if what.contains("too long"))));
    // The run itself reports the results in full.
    assert!(run.steps.iter().all(|step| step.calls[0].text.len() == 10_000));
}

#[tokio::test]
async fn a_model_that_ignores_the_choice_of_a_tool_is_asked_for_json() {
    let model = ScriptedModel::answering(|request| {
        Ok(match (&request.output, request.messages.len()) {
            (OutputFormat::LenientJsonSchema { .. }, _) => {
                r#"{"tool": "look", "arguments": {"of": "it"}}"#.into()
            }
            (_, 1) => "I would rather talk.".into(),
            _ => "In Turin.".into(),
        })
    });
    let agent = agent(&model, Acting::look()).with_first_choice(ToolChoice::Required);
    let run = agent.run::<String>("Where?", &context()).await.unwrap();
    assert_eq!((run.output.as_str(), run.steps[0].calls[0].text.as_str()), ("In Turin.", "it is in Turin"));
    let asked = &model.requests()[1];
    assert!(asked.tools.is_empty() && asked.messages.last().unwrap().text().contains("Does look."));
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Place {
    town: String,
}

#[tokio::test]
async fn an_answer_can_be_a_value() {
    let turin = Place { town: "Turin".to_owned() };
    let at_once = ScriptedModel::replies(["Here: {\"town\": \"Turin\"}"]);
    let run = agent(&at_once, Acting::look()).run::<Place>("Where?", &context()).await.unwrap();
    assert_eq!(run.output, turin);
    assert!(at_once.requests()[0].messages[0].text().contains("\"town\""));

    let later = ScriptedModel::replies(["It is in Turin.", "{\"town\": 1}", "{\"town\": \"Turin\"}"]);
    let run = agent(&later, Acting::look()).run::<Place>("Where?", &context()).await.unwrap();
    assert_eq!(run.output, turin);

    let never = ScriptedModel::answering(|_| Ok("In Turin, I said.".into()));
    let error = agent(&never, Acting::look()).run::<Place>("Where?", &context()).await.unwrap_err();
    assert!(matches!(error, AgentError::BadOutput { message } if message == "it holds no JSON"));
}

#[derive(Debug)]
struct Asked(Verdict);

#[async_trait]
impl ApproveCall for Asked {
    async fn approve(&self, _: &ToolCall) -> Verdict {
        self.0.clone()
    }
}

#[tokio::test]
async fn marked_tools_run_only_when_approved() {
    let told = |approval: Option<Verdict>| async {
        let model = ScriptedModel::replies([ChatReply::from(call("1", "look", "it")), "Well.".into()]);
        let tool = Acting::look().with_hints(ToolHints { needs_approval: true, ..ToolHints::default() });
        let calls = Arc::clone(&tool.calls);
        let mut agent = agent(&model, tool);
        if let Some(verdict) = approval {
            agent = agent.with_approval(Arc::new(Asked(verdict)));
        }
        agent.run::<String>("Where?", &context()).await.unwrap();
        (calls.load(Ordering::SeqCst), results(&model).remove(0))
    };
    assert_eq!(told(Some(Verdict::Approved)).await, (1, "it is in Turin".to_owned()));
    let (calls, text) = told(Some(Verdict::Refused { reason: Some("not today".to_owned()) })).await;
    assert!(calls == 0 && text.starts_with("Error: this call was not approved: not today"), "{text}");
    let (calls, text) = told(None).await;
    assert!(calls == 0 && text.contains("nobody is there to approve it"), "{text}");
}

#[tokio::test]
async fn an_agent_can_be_a_tool_and_shares_the_budget() {
    let inner = ScriptedModel::replies([ChatReply::from(call("1", "look", "it")), "Turin, I say.".into()]);
    let scout = SubAgent::new("scout", "Finds places.", agent(&inner, Acting::look()));
    assert_eq!(scout.hints(), ToolHints::READ_ONLY);
    let task = ToolCall { arguments: json!({"task": "Where is it?"}), ..call("1", "scout", "") };
    let outer = ScriptedModel::replies([ChatReply::from(task), "In Turin.".into()]);
    let (context, heard) = listened();
    let budget = graphwright_llm::Budget::default();
    let lead = Agent::new(Arc::new(outer)).with_tools(Toolbox::new().with(scout).unwrap());
    let run = lead.run::<String>("Where?", &context.with_budget(budget.clone())).await.unwrap();
    assert_eq!(run.steps[0].calls[0].text, "Turin, I say.");
    assert_eq!(run.usage.requests, 2);
    assert_eq!(budget.used().requests, 4);
    let heard = heard.lock().unwrap();
    let nested = |event: &Event| matches!(event, Event::Nested { agent, inner } if agent == "scout" && matches!(**inner, Event::ToolResult { .. }));
    assert!(heard.iter().any(nested));
}

#[tokio::test]
async fn the_limits_of_an_agent_hold_for_the_agents_that_it_calls() {
    let spending = |request: &ChatRequest, call: ToolCall| {
        let mut reply: ChatReply = if request.messages.len() < 5 { call.into() } else { "Turin.".into() };
        reply.usage = Usage { requests: 1, input_tokens: 100, output_tokens: 10, ..Usage::default() };
        Ok(reply)
    };
    let inner = ScriptedModel::answering(move |request| spending(request, call("1", "look", "it")));
    let scout = SubAgent::new("scout", "Finds places.", agent(&inner, Acting::look()));
    let task = ToolCall { arguments: json!({"task": "Where is it?"}), ..call("1", "scout", "") };
    let outer = ScriptedModel::answering(move |request| spending(request, task.clone()));
    let limits = AgentLimits { tokens: Some(400), ..AgentLimits::default() };
    let tools = Toolbox::new().with(scout).unwrap();
    let lead = Agent::new(Arc::new(outer)).with_tools(tools).with_limits(limits);
    let error = lead.run::<String>("Where?", &context()).await.unwrap_err();
    // One call of its own and three of the scout's.
    assert!(error.to_string().starts_with("the budget is used up: 440 of 400 tokens"), "{error}");
}

#[tokio::test]
async fn a_conversation_goes_on() {
    let model = ScriptedModel::replies(["In Turin.", "Also in Turin."]);
    let threads = Arc::new(MemoryThreads::new());
    let agent = agent(&model, Acting::look()).with_threads(threads.clone()).with_questions_that_stand_alone();
    agent.run::<String>("Where is it?", &context()).await.unwrap();
    let run = agent.run::<String>("And she?", &context()).await.unwrap();
    assert_eq!((run.output.as_str(), run.question), ("Also in Turin.", None));
    let said: Vec<String> =
        threads.load("thread").await.unwrap().messages.iter().map(Message::text).collect();
    assert_eq!(said, ["Where is it?", "In Turin.", "And she?", "Also in Turin."]);
}

#[tokio::test]
async fn a_question_whose_reference_is_out_of_sight_is_rewritten() {
    let model = ScriptedModel::replies(["In Turin.", "In Rome.", "Where is she?", "Also in Turin."]);
    let threads = Arc::new(MemoryThreads::new());
    let window = Window { tokens: 3, summarises: false };
    let agent = agent(&model, Acting::look()).with_threads(threads).with_window(window);
    let agent = agent.with_questions_that_stand_alone();
    agent.run::<String>("Where is it?", &context()).await.unwrap();
    agent.run::<String>("Where is he?", &context()).await.unwrap();
    let (context, heard) = listened();
    let run = agent.run::<String>("And she?", &context).await.unwrap();
    assert_eq!(run.output, "Also in Turin.");
    assert_eq!(run.question.as_deref(), Some("Where is she?"));
    let rewritten =
        Event::Rewritten { question: "And she?".to_owned(), rewritten: "Where is she?".to_owned() };
    assert!(heard.lock().unwrap().contains(&rewritten));
}

#[tokio::test]
async fn what_is_long_ago_is_summarised_once() {
    let model = ScriptedModel::answering(|request| {
        Ok(if request.messages[0].text().contains("shorten a conversation") {
            "They spoke of Turin."
        } else {
            "Yes."
        }
        .into())
    });
    let threads = Arc::new(MemoryThreads::new());
    let window = Window { tokens: 20, summarises: true };
    let agent = agent(&model, Acting::look()).with_threads(threads.clone()).with_window(window);
    for number in 0..3 {
        agent.run::<String>(&format!("Question {number} {}", "x".repeat(60)), &context()).await.unwrap();
    }
    let last = model.requests().pop().unwrap();
    assert_eq!(last.messages[0].text(), "[What was said before, in short: They spoke of Turin.]");
    assert_eq!(last.messages.len(), 4);
    let summary = threads.load("thread").await.unwrap().summary.unwrap();
    assert_eq!(summary.until, 2);
    assert_eq!(threads.load("thread").await.unwrap().messages.len(), 6);
}

/// Creates a thread as a process leaves it that dies while calls are running.
async fn interrupted(calls: Vec<ToolCall>) -> Arc<MemoryThreads> {
    let threads = Arc::new(MemoryThreads::new());
    let content = calls.into_iter().map(Content::ToolCall).collect();
    let messages = [Message::user("Where?"), Message { role: Role::Assistant, content }];
    threads.append("thread", 0, &messages).await.unwrap();
    threads
}

#[tokio::test]
async fn an_interrupted_run_goes_on() {
    let threads = interrupted(vec![call("1", "look", "it")]).await;
    let model = ScriptedModel::replies(["In Turin."]);
    let agent = agent(&model, Acting::look()).with_threads(threads.clone());
    let run = agent.resume::<String>(&context()).await.unwrap();
    assert_eq!(run.output, "In Turin.");
    assert_eq!(results(&model), ["it is in Turin"]);
    assert_eq!(threads.load("thread").await.unwrap().messages.len(), 4);
    let error = agent.resume::<String>(&context()).await.unwrap_err();
    assert!(error.to_string().starts_with("there is nothing to resume"));
}

#[tokio::test]
async fn what_may_have_taken_effect_is_not_done_again() {
    let threads = interrupted(vec![call("1", "look", "it")]).await;
    let model = ScriptedModel::replies(["I shall look."]);
    let tool = Acting::look().with_hints(ToolHints::default());
    let calls = Arc::clone(&tool.calls);
    agent(&model, tool).with_threads(threads).resume::<String>(&context()).await.unwrap();
    assert_eq!(calls.load(Ordering::SeqCst), 0);
    assert!(results(&model)[0].contains("whether it took effect is not known"));
}

#[tokio::test]
async fn another_question_closes_an_interrupted_run() {
    let threads = interrupted(vec![call("1", "look", "it")]).await;
    let model = ScriptedModel::replies(["Hello."]);
    agent(&model, Acting::look())
        .with_threads(threads.clone())
        .run::<String>("Hello?", &context())
        .await
        .unwrap();
    assert_eq!(results(&model), ["[interrupted; whether it took effect is not known]"]);
    let roles: Vec<Role> = model.requests()[0].messages.iter().map(|message| message.role).collect();
    assert_eq!(roles, [Role::User, Role::Assistant, Role::Tool, Role::User]);
    assert_eq!(threads.load("thread").await.unwrap().messages.len(), 5);
}

#[tokio::test]
async fn errors_of_the_model_and_empty_questions_end_the_run() {
    let refused = LlmError::Refused { provider: "test".to_owned(), message: "no".to_owned() };
    let model = ScriptedModel::results([Err(refused)]);
    let error = agent(&model, Acting::look()).run::<String>("Where?", &context()).await.unwrap_err();
    assert_eq!(error.to_string(), "test refused the request: no");
    let model = ScriptedModel::replies([" "]);
    let error = agent(&model, Acting::look()).run::<String>("Where?", &context()).await.unwrap_err();
    assert_eq!(error.to_string(), "the reply of scripted/model is not usable: it is empty");
    let error = agent(&model, Acting::look()).run::<String>(" ", &context()).await.unwrap_err();
    assert!(matches!(error, AgentError::Answer(AnswerError::EmptyQuestion)));
}
