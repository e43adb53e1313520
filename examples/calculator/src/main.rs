//! An agent with two tools, made from plain functions.
//!
//! ```text
//! cargo run -p calculator                                a scripted model uses them, offline
//! cargo run -p calculator -- --tools                     the tools as JSON
//! cargo run -p calculator -- --model openai/gpt-4o-mini  a real model, its key in the usual
//!                                                        variable
//! ```
//!
//! Further arguments are the question; there is one by default.

#![expect(clippy::print_stdout, reason = "it is a program")]

use std::{error::Error, sync::Arc};

use graphwright::{
    Agent, Event, Settings, ToolContext, Toolbox,
    llm::{ChatModel, ChatReply, ChatRequest, Content, ScriptedModel, ToolCall},
    toolbox,
};
use serde_json::{Value, json};

struct Calculator;

#[toolbox(read_only)]
impl Calculator {
    /// Adds numbers.
    #[tool]
    fn sum(
        /// What to add.
        numbers: Vec<f64>,
    ) -> f64 {
        numbers.iter().sum()
    }

    /// Multiplies numbers.
    #[tool]
    fn multiply(
        /// What to multiply.
        numbers: Vec<f64>,
    ) -> f64 {
        numbers.iter().product()
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1).peekable();
    let tools = Toolbox::from_set(Calculator)?;
    let model: Arc<dyn ChatModel> = match arguments.peek().map(String::as_str) {
        Some("--tools") => {
            println!("{:#}", tools.to_json());
            return Ok(());
        }
        Some("--model") => {
            arguments.next();
            real(&arguments.next().ok_or("--model needs a name, as openai/gpt-4o-mini")?)?
        }
        _ => Arc::new(ScriptedModel::answering(|request| Ok(play(request)))),
    };
    let question: Vec<String> = arguments.collect();
    let question = if question.is_empty() { "What is (3 + 4) * 5?".to_owned() } else { question.join(" ") };
    let context = ToolContext::new("calculator").with_events(|event| match event {
        Event::ToolCall { name, arguments, .. } => println!("  {name} {arguments}"),
        Event::ToolResult { text, .. } => println!("  → {text}"),
        _ => {}
    });
    println!("{question}");
    println!("{}", answer(model, tools, &question, &context).await?);
    Ok(())
}

async fn answer(
    model: Arc<dyn ChatModel>,
    tools: Toolbox,
    question: &str,
    context: &ToolContext,
) -> Result<String, Box<dyn Error>> {
    let instructions = "You calculate with your tools, never in your head.";
    let agent = Agent::new(model).with_instructions(instructions).with_tools(tools);
    Ok(agent.run::<String>(question, context).await?.output)
}

fn real(name: &str) -> Result<Arc<dyn ChatModel>, Box<dyn Error>> {
    let settings = Settings::from_env()?.model(name);
    graphwright::chat_model(&settings)?.ok_or_else(|| "no model is set".into())
}

/// Plays the part of a model that only knows the question above: lets the tools calculate, and says
/// what they found.
fn play(request: &ChatRequest) -> ChatReply {
    let results: Vec<Value> = request
        .messages
        .iter()
        .flat_map(|message| &message.content)
        .filter_map(|part| match part {
            Content::ToolResult { content, .. } => serde_json::from_str(content).ok(),
            _ => None,
        })
        .collect();
    let call = |id: &str, name: &str, numbers: Value| -> ChatReply {
        let arguments = json!({ "numbers": numbers });
        ToolCall { id: id.to_owned(), name: name.to_owned(), arguments }.into()
    };
    match results.as_slice() {
        [] => call("1", "sum", json!([3, 4])),
        [sum] => call("2", "multiply", json!([sum, 5])),
        [.., product] => format!("It is {product}.").into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_tools_calculate() {
        let model = Arc::new(ScriptedModel::answering(|request| Ok(play(request))));
        let context = ToolContext::new("test");
        let answer =
            answer(model.clone(), Toolbox::from_set(Calculator).unwrap(), "What is (3 + 4) * 5?", &context);
        assert_eq!(answer.await.unwrap(), "It is 35.0.");
        assert_eq!(model.requests().len(), 3);
    }
}
