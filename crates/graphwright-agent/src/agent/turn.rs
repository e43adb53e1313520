//! One reply of the model.

use std::sync::{Arc, Mutex};

use graphwright_answer::{Event, stream_reply};
use graphwright_llm::{
    ChatReply, ChatRequest, Content, FinishReason, LlmError, Message, OutputFormat, Role, ToolCall,
    ToolChoice,
};
use serde_json::{Value, json};

use super::{output::Form, room, session::Session, written_calls};
use crate::{AgentError, Result};

/// The message that tells the model that it may call no more tools.
const ANSWER_NOW: &str =
    "[No more tools can be called. Answer now from what you have found, and say what you could not find.]";

impl Session<'_> {
    /// Asks the model for its next reply. If the conversation has become too long, older tool
    /// results are dropped.
    pub(super) async fn turn(&mut self, choice: ToolChoice, form: &Form) -> Result<ChatReply> {
        let is_forced = matches!(choice, ToolChoice::Required | ToolChoice::Tool(_));
        let ask = |session: &Self| ChatRequest { tool_choice: choice.clone(), ..session.request(form) };
        let reply = self.send(ask).await?;
        let reply = self.with_written_calls(reply);
        if is_forced && reply.tool_calls().next().is_none() {
            return self.choose_by_schema(&choice, form).await;
        }
        Ok(reply)
    }

    /// Makes calls of those that a model wrote as text.
    pub(super) fn with_written_calls(&self, mut reply: ChatReply) -> ChatReply {
        if reply.tool_calls().next().is_some() {
            return reply;
        }
        let first = self.steps.iter().map(|step| step.calls.len()).sum::<usize>() + 1;
        let calls = written_calls::read(&reply.text(), &self.agent.specs, first);
        if !calls.is_empty() {
            self.context
                .emit(Event::Step { what: "reading tool calls that were written as text".to_owned() });
            reply.message.content.retain(|part| !matches!(part, Content::Text(_)));
            reply.message.content.extend(calls.into_iter().map(Content::ToolCall));
            reply.finish = FinishReason::ToolCalls;
        }
        reply
    }

    /// Asks the model to answer without more tools. Calls that it makes anyway are removed.
    pub(super) async fn last_turn(&mut self, form: &Form) -> Result<ChatReply> {
        let ask = |session: &Self| {
            // The tools stay in the request: without them providers reject the calls before.
            let mut request = ChatRequest { tool_choice: ToolChoice::None, ..session.request(form) };
            request.messages.push(Message::user(ANSWER_NOW));
            request
        };
        let mut reply = self.send(ask).await?;
        reply.message.content.retain(|part| matches!(part, Content::Text(_)));
        if reply.text().trim().is_empty() {
            return Err(self.empty(&reply));
        }
        Ok(reply)
    }

    /// Asks again for the answer in its form, telling the model what was wrong. This exchange is
    /// not kept in the conversation.
    pub(super) async fn ask_for_form(&mut self, form: &Form, wrong: &str) -> Result<String> {
        let Some(schema) = form.schema() else {
            return Err(AgentError::BadOutput { message: wrong.to_owned() });
        };
        self.context.emit(Event::Step { what: format!("asking for the answer as JSON: {wrong}") });
        let ask = |session: &Self| {
            let mut request = ChatRequest { tools: Arc::default(), ..session.request(form) };
            request.messages = without_tools(request.messages);
            request.messages.push(Message::user("Give your answer in the form that was asked for."));
            request.output =
                OutputFormat::LenientJsonSchema { name: "answer".to_owned(), schema: schema.clone() };
            request
        };
        Ok(self.send(ask).await?.text())
    }

    /// Builds the request with everything that the model sees now.
    pub(super) fn request(&self, form: &Form) -> ChatRequest {
        let agent = self.agent;
        let mut instructions = agent.instructions.to_string();
        if let Some(schema) = form.schema() {
            instructions.push_str(&format!(
                "\n\nGive the final answer as JSON that keeps this JSON Schema:\n{schema}"
            ));
        }
        let mut messages = Vec::with_capacity(self.messages.len() + 2);
        if !instructions.is_empty() {
            messages.push(Message::system(instructions));
        }
        messages.extend_from_slice(&self.messages);
        ChatRequest {
            messages,
            tools: Arc::clone(&agent.specs),
            temperature: agent.temperature,
            ..ChatRequest::default()
        }
    }

    /// Sends a request, and sends a shorter one if the provider finds it too long.
    pub(super) async fn send(&mut self, ask: impl Fn(&Self) -> ChatRequest) -> Result<ChatReply> {
        loop {
            let outcome = {
                let review = self.agent.review.as_ref();
                let shown = review.map(|review| Mutex::new(review.stream(&self.asked, self.evidence())));
                stream_reply(&*self.model, ask(self), self.telling(shown.as_ref())).await
            };
            match outcome {
                Ok(reply) => {
                    self.usage += reply.usage;
                    return self.priced(reply);
                }
                Err(error @ LlmError::ContextLength { .. }) => {
                    let saved = room::drop_old_results(&mut self.messages);
                    if saved == 0 {
                        return Err(error.into());
                    }
                    let what = format!(
                        "dropped about {saved} tokens of older results: the conversation was too long"
                    );
                    self.context.emit(Event::Step { what });
                }
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Asks for the call as JSON, for models that ignore the tool choice.
    pub(super) async fn choose_by_schema(&mut self, choice: &ToolChoice, form: &Form) -> Result<ChatReply> {
        self.context
            .emit(Event::Step { what: "the model called no tool; asking for the call as JSON".to_owned() });
        let named = match choice {
            ToolChoice::Tool(name) => Some(name.as_str()),
            _ => None,
        };
        let specs = self.agent.specs.iter();
        let tools: Vec<_> = specs.filter(|tool| named.is_none_or(|name| tool.name == name)).collect();
        let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
        let schema = json!({
            "type": "object",
            "properties": {"tool": {"type": "string", "enum": names}, "arguments": {"type": "object"}},
            "required": ["tool", "arguments"],
        });
        let listed = serde_json::to_string(&tools).unwrap_or_default();
        let told = format!("Call one of these tools. Give its name and arguments:\n{listed}");
        let ask = |session: &Self| {
            let mut request = ChatRequest { tools: Arc::default(), ..session.request(form) };
            request.messages = without_tools(request.messages);
            request.messages.push(Message::user(told.as_str()));
            request.output =
                OutputFormat::LenientJsonSchema { name: "call".to_owned(), schema: schema.clone() };
            request
        };
        let mut reply = self.send(ask).await?;
        let found = graphwright_llm::find_json(&reply.text());
        let call = found.as_ref().and_then(|found| {
            let name = found.get("tool")?.as_str()?.to_owned();
            let arguments = found.get("arguments").cloned().unwrap_or(Value::Null);
            Some(ToolCall { id: format!("call_{}", self.steps.len() + 1), name, arguments })
        });
        let Some(call) = call else {
            let message = "it calls no tool, not even when asked for the call as JSON".to_owned();
            return Err(LlmError::BadReply { model: self.model.name().to_owned(), message }.into());
        };
        reply.message.content = vec![Content::ToolCall(call)];
        reply.finish = FinishReason::ToolCalls;
        Ok(reply)
    }

    /// Fails if the budget limits dollars and the cost of the reply is unknown, because the limit
    /// could not be kept.
    fn priced(&self, reply: ChatReply) -> Result<ChatReply> {
        if self.context.budget().limits_cost() && reply.usage.cost.is_none() {
            let model = self.model.name();
            let message = format!(
                "the price of {model} is not known, so a limit in dollars cannot be kept; give its price, or a limit in tokens"
            );
            return Err(LlmError::Configuration { message }.into());
        }
        Ok(reply)
    }

    /// Creates the error for an empty reply, with the reason that the provider gives.
    pub(super) fn empty(&self, reply: &ChatReply) -> AgentError {
        let message = match reply.finish {
            FinishReason::Length => "it was cut off at the limit of tokens before it said anything",
            FinishReason::Filter => "the provider's filter stopped it",
            FinishReason::Refusal => "the model refuses to answer",
            FinishReason::Stop | FinishReason::ToolCalls => "it is empty",
        };
        LlmError::BadReply { model: self.model.name().to_owned(), message: message.to_owned() }.into()
    }
}

/// Writes calls and results as plain text, for a request without tools: providers reject calls and
/// results in a request that defines no tools.
fn without_tools(messages: Vec<Message>) -> Vec<Message> {
    let told = |message: Message| {
        if message.content.iter().all(|part| matches!(part, Content::Text(_))) {
            return message;
        }
        let role = if message.role == Role::Tool { Role::User } else { message.role };
        let parts = message.content.into_iter().filter_map(|part| match part {
            Content::Text(text) => Some(text),
            Content::Reasoning(_) => None,
            Content::ToolCall(call) => Some(format!("[call of {}: {}]", call.name, call.arguments)),
            Content::ToolResult { content, .. } => Some(format!("[result: {content}]")),
        });
        Message { role, content: vec![Content::Text(parts.collect::<Vec<_>>().join("\n"))] }
    };
    messages.into_iter().map(told).collect()
}
