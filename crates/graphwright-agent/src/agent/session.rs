//! One run, from the message to the answer.

use std::{collections::HashMap, sync::Arc, time::Instant};

use graphwright_answer::{AnswerError, Event, stand_alone};
use graphwright_llm::{
    ChatModel, ChatReply, Content, Message, Role, ToolCall, ToolChoice, Usage, within_budget,
    without_thoughts,
};

use super::{
    Agent, AgentLimits, Output, Run, Step,
    closing::Closing,
    output::Form,
    window::{self, Window},
};
use crate::{
    AgentError, ProvidedContext, Result, ToolContext,
    thread::{Summary, Thread},
};

/// The number of times the model is asked again for an answer in the right form.
const FORM_ATTEMPTS: usize = 2;

/// The state of one run.
pub(super) struct Session<'a> {
    pub(super) agent: &'a Agent,
    pub(super) context: ToolContext,
    /// The agent's model, within the budget of the context.
    pub(super) model: Arc<dyn ChatModel>,
    /// The messages that the model sees, without the instructions.
    pub(super) messages: Vec<Message>,
    /// The conversation as the thread store keeps it, which may be longer than what the model sees.
    thread: Thread,
    question: Option<String>,
    /// The question that is being answered, as the model sees it.
    pub(super) asked: String,
    /// Whether the model was asked to do what it left undone.
    pub(super) urged: bool,
    /// Whether the answer was judged.
    pub(super) reviewed: bool,
    /// Whether what the model says is not shown, since it mends what it said before.
    pub(super) silent: bool,
    /// Whether the model sees only a part of the conversation.
    is_cut: bool,
    /// The tool results from before this run.
    pub(super) earlier: Vec<String>,
    /// What providers put before the message.
    provided: Vec<ProvidedContext>,
    pub(super) steps: Vec<Step>,
    /// The number of times each call was made.
    pub(super) made: HashMap<(String, String), usize>,
    pub(super) notices: Vec<String>,
    pub(super) usage: Usage,
    started: Instant,
}

impl<'a> Session<'a> {
    /// Opens a session on the thread of the context, loading what was said in it.
    pub(super) async fn open(agent: &'a Agent, context: &ToolContext) -> Result<Self> {
        let thread = match &agent.threads {
            Some(threads) => threads.load(context.thread()).await?,
            None => Thread::new(context.thread()),
        };
        // Tools that call models, such as sub-agents, share the run's part of the budget.
        let AgentLimits { tokens, dollars, .. } = agent.limits;
        let budget = context.budget().part(tokens, dollars);
        let context = context.clone().with_budget(budget.clone());
        let model = within_budget(Arc::clone(&agent.model), budget);
        Ok(Self {
            agent,
            context,
            model,
            messages: Vec::new(),
            thread,
            question: None,
            asked: String::new(),
            urged: false,
            reviewed: false,
            silent: false,
            is_cut: false,
            earlier: Vec::new(),
            provided: Vec::new(),
            steps: Vec::new(),
            made: HashMap::new(),
            notices: Vec::new(),
            usage: Usage::default(),
            started: Instant::now(),
        })
    }

    /// Adds a question after the conversation so far.
    pub(super) async fn ask(&mut self, message: &str) -> Result<()> {
        if message.trim().is_empty() {
            return Err(AnswerError::EmptyQuestion.into());
        }
        self.close_calls().await;
        self.look_back().await;
        self.earlier = results(&self.thread.messages);
        let mut asked = message.to_owned();
        // The model sees for itself what a question refers to, as long as that is there to see.
        if self.agent.stands_alone && self.is_cut {
            asked = self.rewrite(asked).await;
        }
        self.asked.clone_from(&asked);
        self.keep(Message::user(asked)).await;
        self.provide_context(self.messages.len() - 1).await;
        Ok(())
    }

    /// Takes the run up where it was interrupted.
    pub(super) async fn take_up(&mut self) -> Result<()> {
        self.asked = self.unanswered()?;
        self.question = Some(self.asked.clone());
        let start = self.thread.messages.iter().rposition(|message| message.role == Role::User).unwrap_or(0);
        // The window is for what came before; of the interrupted run the model sees everything.
        let unfinished = self.thread.messages.split_off(start);
        self.look_back().await;
        let asked = self.messages.len();
        self.messages.extend(unfinished.iter().cloned());
        self.provide_context(asked).await;
        self.earlier = results(&self.thread.messages);
        self.earlier.extend(results(&unfinished));
        self.thread.messages.extend(unfinished);
        let open = self.open_calls();
        if !open.is_empty() {
            self.call_again(open).await;
        }
        Ok(())
    }

    /// Returns the question that the interrupted run was to answer.
    pub(super) fn unanswered(&self) -> Result<String> {
        let messages = &self.thread.messages;
        let is_answer =
            |message: &Message| message.role == Role::Assistant && calls(message).next().is_none();
        let asked = messages.iter().rfind(|message| message.role == Role::User);
        match asked {
            Some(asked) if !messages.last().is_some_and(is_answer) => Ok(asked.text()),
            _ => Err(AgentError::NothingToResume { thread: self.context.thread().to_owned() }),
        }
    }

    /// Continues until the model answers.
    pub(super) async fn finish<T: Output>(mut self) -> Result<Run<T>> {
        let form = Form::for_type::<T>();
        let reply = self.converse(&form).await?;
        self.keep(reply.message.clone()).await;
        let text = said(&reply);
        let output = self.read(&form, &text).await?;
        Ok(self.run(output, text))
    }

    /// Continues until the model answers, and leaves it to the caller what the conversation keeps of the answer.
    pub(super) async fn finish_open(mut self) -> Result<(Run, Closing)> {
        let reply = self.converse(&Form::for_type::<String>()).await?;
        let text = said(&reply);
        let closing = Closing {
            threads: self.agent.threads.clone(),
            thread: self.context.thread().to_owned(),
            at: self.thread.messages.len(),
            message: reply.message,
        };
        Ok((self.run(text.clone(), text), closing))
    }

    fn run<T>(self, output: T, text: String) -> Run<T> {
        Run {
            output,
            text,
            question: self.question,
            steps: self.steps,
            earlier: self.earlier,
            provided: self.provided,
            notices: self.notices,
            usage: self.usage,
            elapsed_ms: u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX),
        }
    }

    /// Alternates between the model and its tools until the model answers. The answer is not kept yet.
    async fn converse(&mut self, form: &Form) -> Result<ChatReply> {
        loop {
            if let Some(why) = self.must_end() {
                self.notice(why);
                let reply = self.last_turn(form).await?;
                return Box::pin(self.settle_last(reply, form)).await;
            }
            let choice =
                if self.steps.is_empty() { self.agent.first_choice.clone() } else { ToolChoice::Auto };
            let reply = self.turn(choice, form).await?;
            let reply = Box::pin(self.settle(reply, form)).await?;
            let calls: Vec<ToolCall> = reply.tool_calls().cloned().collect();
            if calls.is_empty() {
                return Ok(reply);
            }
            self.keep(reply.message).await;
            let results = self.make_calls(calls).await;
            self.keep(results).await;
        }
    }

    /// Returns the reason why the model may call no more tools, if there is one.
    fn must_end(&self) -> Option<String> {
        let limits = &self.agent.limits;
        if self.steps.len() >= limits.steps {
            return Some(format!(
                "stopped after {} steps; the answer is from what was found by then",
                limits.steps
            ));
        }
        // Calls that were refused as repeats count too, so a step of nothing but repeats ends the
        // run.
        let only_repeats = |step: &Step| {
            let made = |call: &ToolCall| self.made.get(&identity(call)).copied().unwrap_or(0);
            !step.calls.is_empty() && step.calls.iter().all(|record| made(&record.call) > limits.same_calls)
        };
        let is_stuck = self.steps.last().is_some_and(only_repeats);
        is_stuck.then(|| "stopped because the model made the same calls again and again".to_owned())
    }

    /// Reads the answer as a value, and asks the model again if the reply does not have the right
    /// form.
    async fn read<T: Output>(&mut self, form: &Form, text: &str) -> Result<T> {
        let mut text = text.to_owned();
        for _ in 0..FORM_ATTEMPTS {
            match form.read(&text) {
                Ok(output) => return Ok(output),
                Err(wrong) => text = self.ask_for_form(form, &wrong).await?,
            }
        }
        form.read(&text).map_err(|wrong| AgentError::BadOutput { message: wrong })
    }

    /// Adds a message to what the model sees, and to the thread.
    pub(super) async fn keep(&mut self, message: Message) {
        if let Some(threads) = &self.agent.threads {
            let at = self.thread.messages.len();
            let kept = threads.append(self.context.thread(), at, std::slice::from_ref(&message)).await;
            if let Err(error) = kept {
                self.notice_once(format!("the conversation could not be kept: {error}"));
            }
            // Also where the store has failed: `at` then fits no more, so nothing is kept behind a
            // gap.
            self.thread.messages.push(message.clone());
        }
        self.messages.push(message);
    }

    /// Puts what providers find before the question at a position, as the model sees it. The thread keeps the question alone.
    async fn provide_context(&mut self, at: usize) {
        for provider in &self.agent.providers {
            match provider.provide(&self.messages[..=at]).await {
                Ok(None) => {}
                Ok(Some(provided)) => {
                    self.context.emit(Event::Step { what: format!("{} found context", provided.source) });
                    self.provided.push(provided);
                }
                Err(error) => self.notice(format!("context could not be found: {error}")),
            }
        }
        if !self.provided.is_empty() {
            let question = self.messages[at].text();
            let texts = self.provided.iter().map(|provided| provided.text.as_str());
            let texts: Vec<&str> = texts.chain([question.as_str()]).collect();
            self.messages[at] = Message::user(texts.join("\n\n"));
        }
    }

    /// Reports something to the listener and to the reader of the answer.
    pub(super) fn notice(&mut self, what: String) {
        self.context.emit(Event::Step { what: what.clone() });
        self.notices.push(what);
    }

    fn notice_once(&mut self, what: String) {
        if !self.notices.contains(&what) {
            self.notice(what);
        }
    }

    /// Shows the model the earlier conversation, as far as the window reaches.
    async fn look_back(&mut self) {
        let Window { summarises, .. } = self.agent.window;
        let start = self.agent.window.start(&self.thread.messages);
        self.is_cut = start > 0;
        if start == 0 {
            self.messages.clone_from(&self.thread.messages);
            return;
        }
        if summarises {
            self.summarise_until(start).await;
        } else {
            self.context.emit(Event::Step { what: format!("the first {start} messages are left out") });
        }
        if let Some(summary) = &self.thread.summary {
            let text = format!("[What was said before, in short: {}]", summary.text);
            self.messages.push(Message::user(text));
        }
        self.messages.extend_from_slice(&self.thread.messages[start..]);
    }

    /// Extends the summary of the conversation to the message at `start`. If the model fails, the
    /// earlier summary stays.
    async fn summarise_until(&mut self, start: usize) {
        let before = self.thread.summary.take();
        let from = before.as_ref().map_or(0, |summary| summary.until);
        if from >= start {
            self.thread.summary = before;
            return;
        }
        self.context.emit(Event::Step { what: format!("summarising the first {start} messages") });
        let told = before.as_ref().map(|summary| summary.text.as_str());
        match window::summarise(&*self.model, told, &self.thread.messages[from..start]).await {
            Ok((text, usage)) => {
                self.usage += usage;
                let summary = Summary { text, until: start };
                if let Some(threads) = &self.agent.threads
                    && let Err(error) = threads.summarise(self.context.thread(), &summary).await
                {
                    self.notice(format!("the summary of the conversation could not be kept: {error}"));
                }
                self.thread.summary = Some(summary);
            }
            Err(error) => {
                self.notice(format!("what was said before message {start} is left out: {error}"));
                self.thread.summary = before;
            }
        }
    }

    /// Rewrites the question to stand alone. If the model fails, the question stays as it is.
    async fn rewrite(&mut self, question: String) -> String {
        match stand_alone(&*self.model, &window::transcript(&self.messages), &question).await {
            Ok((rewritten, usage)) => {
                self.usage += usage;
                let Some(rewritten) = rewritten else { return question };
                self.context.emit(Event::Rewritten { question, rewritten: rewritten.clone() });
                self.question = Some(rewritten.clone());
                rewritten
            }
            Err(error) => {
                self.notice(format!("the question is taken as it is, without what was said before: {error}"));
                question
            }
        }
    }

    /// Returns the calls of the last reply that have no result.
    fn open_calls(&self) -> Vec<ToolCall> {
        let messages = &self.thread.messages;
        let Some(at) = messages.iter().rposition(|message| message.role == Role::Assistant) else {
            return Vec::new();
        };
        let has_result = |call: &ToolCall| {
            let parts = messages[at + 1..].iter().flat_map(|message| &message.content);
            parts.into_iter().any(|part| matches!(part, Content::ToolResult { id, .. } if *id == call.id))
        };
        calls(&messages[at]).filter(|call| !has_result(call)).cloned().collect()
    }

    /// Adds a result to each open call of an interrupted run, because providers reject a
    /// conversation that has calls without results.
    async fn close_calls(&mut self) {
        let open = self.open_calls();
        if open.is_empty() {
            return;
        }
        let content = open.into_iter().map(|call| Content::ToolResult {
            id: call.id,
            content: "[interrupted; whether it took effect is not known]".to_owned(),
        });
        let message = Message { role: Role::Tool, content: content.collect() };
        self.keep(message).await;
        // The caller fills them again from the thread, within the window.
        self.messages.clear();
    }
}

/// What a reply says, without what the model thought.
fn said(reply: &ChatReply) -> String {
    without_thoughts(&reply.text()).to_owned()
}

fn calls(message: &Message) -> impl Iterator<Item = &ToolCall> {
    message.content.iter().filter_map(|part| match part {
        Content::ToolCall(call) => Some(call),
        Content::Text(_) | Content::Reasoning(_) | Content::ToolResult { .. } => None,
    })
}

/// Returns the tool results in the messages, in order.
fn results(messages: &[Message]) -> Vec<String> {
    let parts = messages.iter().flat_map(|message| &message.content);
    let results = parts.filter_map(|part| match part {
        Content::ToolResult { content, .. } => Some(content.clone()),
        Content::Text(_) | Content::Reasoning(_) | Content::ToolCall(_) => None,
    });
    results.collect()
}

/// Returns the name and arguments of a call; calls that agree in both are the same call.
pub(super) fn identity(call: &ToolCall) -> (String, String) {
    (call.name.clone(), call.arguments.to_string())
}
