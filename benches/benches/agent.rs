//! What the agent loop costs beside the model: microseconds for a step, processor time of a thousand runs at once against one after
//! another, and the memory of a conversation that waits. The same loop, written on `rig-core`, runs beside it.
//!
//! The models of both answer at once, from a script.

use std::{sync::Arc, time::Duration};

use cpu_time::ProcessTime;
use futures::future::join_all;
use graphwright::{
    Agent, MemoryThreads, Tool, ToolContext, ToolError, ToolHints, ToolOutput, Toolbox,
    llm::{ChatReply, ChatRequest, Content, Role, ScriptedModel, ToolCall, ToolSpec},
};
use rig_core::{
    completion::{CompletionRequest, ToolDefinition},
    message::{Message, ToolName},
    test_utils::{MockCompletionModel, MockTurn},
};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

/// How many times the model calls a tool before it answers.
const STEPS: usize = 10;
/// How many runs are compared.
const RUNS: usize = 1_000;
const QUESTION: &str = "How much is it all together?";
const DESCRIPTION: &str = "Adds two numbers.";

fn main() {
    let runtime = Runtime::new().expect("a runtime");
    // The first runs fill caches.
    let _ = (runtime.block_on(in_sequence(100)), runtime.block_on(on_rig(100)));

    let ours = (0..5).map(|_| runtime.block_on(in_sequence(RUNS))).min().expect("runs");
    let theirs = (0..5).map(|_| runtime.block_on(on_rig(RUNS))).min().expect("runs");
    let at_once = (0..5).map(|_| runtime.block_on(at_once(RUNS))).min().expect("runs");
    println!("processor time for a step, {RUNS} runs of {STEPS} steps, the best of 5:");
    println!("  graphwright          {:>8.1} us", step(ours));
    println!("  loop on rig-core     {:>8.1} us", step(theirs));
    println!("  graphwright, at once {:>8.1} us, {:.2} of one after another", step(at_once), ratio(at_once, ours));
    println!("memory of an idle conversation: {:.1} KB", runtime.block_on(idle(10_000)));
}

fn step(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6 / (RUNS * STEPS) as f64
}

fn ratio(one: Duration, other: Duration) -> f64 {
    one.as_secs_f64() / other.as_secs_f64()
}

fn parameters() -> Value {
    json!({
        "type": "object",
        "properties": {"left": {"type": "integer"}, "right": {"type": "integer"}},
        "required": ["left", "right"],
    })
}

#[derive(Debug)]
struct Add(ToolSpec);

#[async_trait::async_trait]
impl Tool for Add {
    fn spec(&self) -> &ToolSpec {
        &self.0
    }

    fn hints(&self) -> ToolHints {
        ToolHints::READ_ONLY
    }

    async fn call(&self, arguments: Value, _: &ToolContext) -> Result<ToolOutput, ToolError> {
        Ok(add(&arguments).into())
    }
}

fn add(arguments: &Value) -> String {
    let number = |name: &str| arguments[name].as_i64().unwrap_or(0);
    (number("left") + number("right")).to_string()
}

fn reply(request: &ChatRequest) -> ChatReply {
    let results = request.messages.iter().filter(|message| message.role == Role::Tool).count();
    if results == STEPS {
        return "It is 55.".into();
    }
    let call = ToolCall {
        id: format!("call_{results}"),
        name: "add".to_owned(),
        arguments: json!({"left": results, "right": 1}),
    };
    vec![Content::ToolCall(call)].into()
}

fn agent() -> Agent {
    let spec =
        ToolSpec { name: "add".to_owned(), description: DESCRIPTION.to_owned(), parameters: parameters() };
    let tools = Toolbox::new().with(Add(spec)).expect("a toolbox");
    let model = ScriptedModel::answering(|request| Ok(reply(request)));
    Agent::new(Arc::new(model)).with_tools(tools)
}

async fn run(agent: &Agent, number: usize) {
    let context = ToolContext::new(format!("thread-{number}"));
    let run = agent.run::<String>(QUESTION, &context).await.expect("an answer");
    assert_eq!(run.steps.len(), STEPS);
}

async fn in_sequence(runs: usize) -> Duration {
    let agent = agent();
    let start = ProcessTime::now();
    for number in 0..runs {
        run(&agent, number).await;
    }
    start.elapsed()
}

async fn at_once(runs: usize) -> Duration {
    let agent = agent();
    let start = ProcessTime::now();
    let runs = (0..runs).map(|number| {
        let agent = agent.clone();
        tokio::spawn(async move { run(&agent, number).await })
    });
    for result in join_all(runs).await {
        result.expect("a run");
    }
    start.elapsed()
}

/// The loop as one writes it on `rig-core`, whose own crate for agents is another: call, look for calls of tools, answer them.
async fn on_rig(runs: usize) -> Duration {
    let name = || ToolName::new("add").expect("a name");
    let tool = ToolDefinition { name: name(), description: DESCRIPTION.to_owned(), parameters: parameters() };
    let turns = (0..runs).flat_map(|_| {
        let calls = (0..STEPS)
            .map(|number| MockTurn::tool_call(format!("call_{number}"), "add", json!({"left": number, "right": 1})));
        calls.chain([MockTurn::text("It is 55.")])
    });
    let model = MockCompletionModel::from_turns(turns);
    let start = ProcessTime::now();
    for _ in 0..runs {
        let mut messages = vec![Message::user(QUESTION)];
        let mut steps = 0;
        loop {
            let (last, before) = messages.split_last().expect("a message");
            let request = CompletionRequest::new(last.clone()).messages(before.to_vec()).tool(tool.clone());
            let response = model.call(request).await.expect("a reply");
            let results: Vec<Message> = response
                .tool_calls()
                .map(|call| Message::tool_result(call.id.clone(), name(), add(&call.function.arguments)))
                .collect();
            messages.extend(response.message());
            if results.is_empty() {
                break;
            }
            messages.extend(results);
            steps += 1;
        }
        assert_eq!(steps, STEPS);
    }
    start.elapsed()
}

/// Kilobytes of resident memory for each conversation of one answered question with a call of a tool, kept to go on.
async fn idle(conversations: usize) -> f64 {
    let threads = Arc::new(MemoryThreads::new());
    let spec =
        ToolSpec { name: "add".to_owned(), description: DESCRIPTION.to_owned(), parameters: parameters() };
    let before = resident();
    for number in 0..conversations {
        // The script remembers what it was asked, so each conversation has its own.
        let call =
            ToolCall { id: "call_1".to_owned(), name: "add".to_owned(), arguments: json!({"left": 54, "right": 1}) };
        let model = ScriptedModel::replies([ChatReply::from(call), "It is 55.".into()]);
        let tools = Toolbox::new().with(Add(spec.clone())).expect("a toolbox");
        let agent = Agent::new(Arc::new(model)).with_tools(tools).with_threads(threads.clone());
        agent.run::<String>(QUESTION, &ToolContext::new(format!("thread-{number}"))).await.expect("an answer");
    }
    (resident() - before) / conversations as f64
}

/// Kilobytes of memory that the process holds.
fn resident() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("the status of the process (Linux)");
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("its memory");
    line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).expect("a number")
}
