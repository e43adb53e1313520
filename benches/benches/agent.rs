//! What the agent loop costs beside the model: microseconds for a step, processor time of a thousand runs at once against one after
//! another, and the memory of a conversation that waits. The same loop, written on `rig-core`, runs beside it.
//!
//! The models of both answer at once: a call of the tool for each step, then the answer. Both loops keep the whole conversation and send it at
//! each step. Beyond that ours streams, checks arguments against the schema, gives each call its limits of time, tells events and
//! keeps to a budget, which the loop on `rig-core` does not.

use std::{process::Command, sync::Arc, time::Duration};

use async_trait::async_trait;
use cpu_time::ProcessTime;
use futures::{future::join_all, stream};
use graphwright::{
    Agent, MemoryThreads, Tool, ToolContext, ToolError, ToolHints, ToolOutput, Toolbox,
    llm::{ChatModel, ChatReply, ChatRequest, ChatStream, Content, LlmError, ToolCall, ToolSpec, Usage},
};
use rig_core::{
    completion::{AssistantContent, CompletionRequest, CompletionResponse, ToolDefinition},
    driver::{Exchange, Model, Opened, Opening, Transport},
    message::{Message, Origin, ToolFunction, ToolName},
    test_utils::{MOCK_API, MOCK_MODEL, MOCK_PROVIDER, MockFrame, MockScript},
};
use serde_json::{Map, Value, json};
use tokio::runtime::Runtime;

/// How many times the model calls a tool before it answers.
const STEPS: usize = 10;
/// How many runs are compared.
const RUNS: usize = 1_000;
/// How often they are; the best counts.
const TRIES: usize = 5;
/// How many conversations wait.
const CONVERSATIONS: usize = 10_000;
/// Makes the process hold conversations and say how much memory one takes; so those of the one do not lie in what the other left.
const IDLE: &str = "--idle";
const QUESTION: &str = "How much is it all together?";
const ANSWER: &str = "It is 55.";
const DESCRIPTION: &str = "Adds two numbers.";

/// A loop to measure.
#[derive(Clone, Copy)]
enum Loop {
    Graphwright,
    Rig,
}

impl Loop {
    const ALL: [Self; 2] = [Self::Graphwright, Self::Rig];

    const fn name(self) -> &'static str {
        match self {
            Self::Graphwright => "graphwright",
            Self::Rig => "loop on rig-core",
        }
    }

    /// One run after another.
    async fn in_sequence(self) {
        match self {
            Self::Graphwright => {
                let agent = agent(STEPS);
                for number in 0..RUNS {
                    run(&agent, number).await;
                }
            }
            Self::Rig => {
                let model = Model::new(MockScript::default(), Instant(STEPS));
                for _ in 0..RUNS {
                    run_on_rig(&model).await;
                }
            }
        }
    }

    /// All runs at the same time.
    async fn at_once(self) {
        let mut runs = Vec::with_capacity(RUNS);
        match self {
            Self::Graphwright => {
                let agent = agent(STEPS);
                for number in 0..RUNS {
                    let agent = agent.clone();
                    runs.push(tokio::spawn(async move { run(&agent, number).await }));
                }
            }
            Self::Rig => {
                let model = Model::new(MockScript::default(), Instant(STEPS));
                for _ in 0..RUNS {
                    let model = model.clone();
                    runs.push(tokio::spawn(async move { drop(run_on_rig(&model).await) }));
                }
            }
        }
        for result in join_all(runs).await {
            result.expect("a run");
        }
    }

    /// Kilobytes of resident memory for a conversation of one answered question with one call of a tool.
    async fn idle(self) -> f64 {
        match self {
            Self::Graphwright => {
                let threads = Arc::new(MemoryThreads::new());
                let agent = agent(1).with_threads(threads.clone());
                // The first run fills caches.
                run(&agent, CONVERSATIONS).await;
                let before = resident();
                let mut handles = Vec::with_capacity(CONVERSATIONS);
                for number in 0..CONVERSATIONS {
                    run(&agent, number).await;
                    handles.push((agent.clone(), ToolContext::new(format!("thread-{number}"))));
                }
                let held = resident() - before;
                drop((handles, threads));
                held / CONVERSATIONS as f64
            }
            Self::Rig => {
                let model = Model::new(MockScript::default(), Instant(1));
                run_on_rig(&model).await;
                let before = resident();
                let mut held = Vec::with_capacity(CONVERSATIONS);
                for _ in 0..CONVERSATIONS {
                    held.push((model.clone(), run_on_rig(&model).await));
                }
                (resident() - before) / CONVERSATIONS as f64
            }
        }
    }
}

fn main() {
    let runtime = Runtime::new().expect("a runtime");
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|argument| argument == IDLE) {
        let wanted = &arguments[at + 1];
        let which = Loop::ALL.into_iter().find(|which| which.name() == wanted).expect("a loop");
        println!("{}", runtime.block_on(which.idle()));
        return;
    }
    println!("{RUNS} runs of {STEPS} steps, the best of {TRIES}; {CONVERSATIONS} idle conversations\n");
    println!(
        "| loop | processor time of a step | at once against one after another | memory of an idle conversation |"
    );
    println!("| --- | --- | --- | --- |");
    for which in Loop::ALL {
        let one = best(|| runtime.block_on(which.in_sequence()));
        let at_once = best(|| runtime.block_on(which.at_once()));
        let step = one.as_secs_f64() * 1e6 / (RUNS * STEPS) as f64;
        let ratio = at_once.as_secs_f64() / one.as_secs_f64();
        println!(
            "| {} | {step:.1} µs | {ratio:.2} | {:.1} KB |",
            which.name(),
            in_a_process_of_its_own(which)
        );
    }
}

/// The least processor time of several tries, after one that fills caches.
fn best(work: impl Fn()) -> Duration {
    work();
    let tries = (0..TRIES).map(|_| {
        let start = ProcessTime::now();
        work();
        start.elapsed()
    });
    tries.min().expect("tries")
}

fn in_a_process_of_its_own(which: Loop) -> f64 {
    let program = std::env::current_exe().expect("this program");
    let output = Command::new(program).args([IDLE, which.name()]).output().expect("runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim().parse().expect("a number")
}

/// Kilobytes of memory that the process holds.
fn resident() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("the status of the process (Linux)");
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("its memory");
    line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).expect("a number")
}

fn parameters() -> Value {
    json!({
        "type": "object",
        "properties": {"left": {"type": "integer"}, "right": {"type": "integer"}},
        "required": ["left", "right"],
    })
}

fn arguments(step: usize) -> Value {
    json!({"left": step, "right": 1})
}

fn add(arguments: &Map<String, Value>) -> String {
    let number = |name: &str| arguments.get(name).and_then(Value::as_i64).unwrap_or(0);
    (number("left") + number("right")).to_string()
}

/// How many steps a conversation of so many messages has had: after the question, two for each.
fn steps_of(messages: usize) -> usize {
    (messages - 1) / 2
}

#[derive(Debug)]
struct Add(ToolSpec);

#[async_trait]
impl Tool for Add {
    fn spec(&self) -> &ToolSpec {
        &self.0
    }

    fn hints(&self) -> ToolHints {
        ToolHints::READ_ONLY
    }

    async fn call(&self, arguments: Value, _: &ToolContext) -> Result<ToolOutput, ToolError> {
        Ok(arguments.as_object().map(add).unwrap_or_default().into())
    }
}

/// A model that calls the tool so many times for a question and then answers, at once.
#[derive(Clone, Copy, Debug)]
struct Instant(usize);

impl Instant {
    fn reply(self, request: &ChatRequest) -> ChatReply {
        let step = steps_of(request.messages.len());
        let mut reply: ChatReply = if step >= self.0 {
            ANSWER.into()
        } else {
            let call =
                ToolCall { id: format!("call_{step}"), name: "add".to_owned(), arguments: arguments(step) };
            vec![Content::ToolCall(call)].into()
        };
        reply.usage = Usage { requests: 1, input_tokens: 100, output_tokens: 10, ..Usage::default() };
        reply
    }
}

#[async_trait]
impl ChatModel for Instant {
    fn name(&self) -> &str {
        MOCK_MODEL
    }

    async fn chat(&self, request: ChatRequest) -> Result<ChatReply, LlmError> {
        Ok(self.reply(&request))
    }

    async fn stream(&self, request: ChatRequest) -> Result<ChatStream, LlmError> {
        Ok(self.reply(&request).into_stream())
    }
}

fn agent(steps: usize) -> Agent {
    let spec =
        ToolSpec { name: "add".to_owned(), description: DESCRIPTION.to_owned(), parameters: parameters() };
    let tools = Toolbox::new().with(Add(spec)).expect("a toolbox");
    Agent::new(Arc::new(Instant(steps))).with_tools(tools)
}

async fn run(agent: &Agent, number: usize) {
    let context = ToolContext::new(format!("thread-{number}"));
    let run = agent.run::<String>(QUESTION, &context).await.expect("an answer");
    assert_eq!(run.output, ANSWER);
}

impl Transport<MockScript> for Instant {
    fn send(&self, request: CompletionRequest, _: Exchange) -> Opening<MockFrame> {
        let step = steps_of(request.chat_history.len());
        let content = if step >= self.0 {
            AssistantContent::text(ANSWER)
        } else {
            let function = ToolFunction::new(add_name(), arguments(step));
            AssistantContent::ToolCall(rig_core::message::ToolCall::from_wire(
                format!("call_{step}"),
                function,
            ))
        };
        let origin = Origin::new(MOCK_API, MOCK_PROVIDER, MOCK_MODEL);
        let response = CompletionResponse::new(vec![content], Default::default(), origin, Value::Null);
        Opening::ready(Opened::new(stream::iter([Ok(MockFrame::Response(Box::new(response)))])))
    }
}

fn add_name() -> ToolName {
    ToolName::new("add").expect("a name")
}

/// The loop as one writes it on `rig-core`, whose own agents are in another crate: call, look for calls of tools, answer them. Gives the
/// conversation.
async fn run_on_rig(model: &Model<MockScript, Instant>) -> Vec<Message> {
    let tool =
        ToolDefinition { name: add_name(), description: DESCRIPTION.to_owned(), parameters: parameters() };
    let mut messages = vec![Message::user(QUESTION)];
    loop {
        let (last, before) = messages.split_last().expect("a message");
        let request = CompletionRequest::new(last.clone()).messages(before.to_vec()).tool(tool.clone());
        let response = model.call(request).await.expect("a reply");
        let results: Vec<Message> = response
            .tool_calls()
            .map(|call| Message::tool_result(call.id.clone(), add_name(), add(&call.function.arguments)))
            .collect();
        messages.extend(response.message());
        if results.is_empty() {
            return messages;
        }
        messages.extend(results);
    }
}
