//! What happens to a reply without calls before it counts as the answer: one turn to do what was left undone.

use std::{fmt::Debug, sync::Mutex};

use graphwright_answer::{Citable, Event};
use graphwright_llm::{ChatReply, ChatRequest, Content, Message, ToolChoice, without_thoughts};

use super::{evidence::evidence, output::Form, session::Session};
use crate::Result;

/// Judges what an agent is about to answer, by the results of its tools.
pub(crate) trait Review: Debug + Send + Sync {
    /// The message that asks for a better answer, if one is due.
    fn objection(&self, draft: &Draft<'_>) -> Option<String>;

    /// The answer after the model's reply to the objection.
    fn merged(&self, draft: &Draft<'_>, reply: &str) -> String;

    /// Whether the answer is small talk, which needs no tools.
    fn is_talk(&self, draft: &Draft<'_>) -> bool;

    /// Takes the pieces of a reply as they come, and gives back what may be shown.
    fn stream<'a>(&'a self, question: &'a str, evidence: Vec<Citable>) -> Box<dyn Shown + 'a>;
}

/// What may be shown of a reply while it is written.
pub(crate) trait Shown: Send {
    fn push(&mut self, piece: &str) -> Option<String>;
    fn restart(&mut self);
}

/// An answer that is not given yet.
#[derive(Debug)]
pub(crate) struct Draft<'a> {
    pub(crate) question: &'a str,
    pub(crate) text: &'a str,
    pub(crate) evidence: Vec<Citable>,
}

const EMPTY: &str = "[Your reply was empty. Call a tool, or answer.]";
const PROMISE: &str = "[You said what you will do, and did not do it. Call the tool now, or answer.]";
const UNREAD: &str = "[You have called no tool, so nothing bears out what you say. Call the tools that you need, then answer from their results.]";

impl Session<'_> {
    /// Takes a reply as the answer, or asks once for what is missing in it: a call, or sentences that the results bear out.
    /// What was rejected does not stay in the conversation.
    pub(super) async fn settle(&mut self, reply: ChatReply, form: &Form) -> Result<ChatReply> {
        let reply = self.urged(reply, form).await?;
        if reply.tool_calls().next().is_some() || form.schema().is_some() {
            return Ok(reply);
        }
        self.reviewed(reply, form).await
    }

    /// Takes the reply that must be the answer, since no more tools may be called.
    pub(super) async fn settle_last(&mut self, reply: ChatReply, form: &Form) -> Result<ChatReply> {
        if form.schema().is_some() { Ok(reply) } else { self.reviewed(reply, form).await }
    }

    /// What a reply without calls lacks before it can be an answer at all.
    fn lacks(&self, reply: &ChatReply) -> Option<&'static str> {
        let text = reply.text();
        let text = without_thoughts(&text);
        if reply.tool_calls().next().is_some() {
            None
        } else if text.is_empty() {
            Some(EMPTY)
        } else if self.agent.specs.is_empty() {
            None
        } else if is_promise(text) {
            Some(PROMISE)
        } else {
            let review =
                self.agent.review.as_ref().filter(|_| self.steps.is_empty() && self.earlier.is_empty())?;
            let draft = Draft { question: &self.asked, text, evidence: Vec::new() };
            (!review.is_talk(&draft)).then_some(UNREAD)
        }
    }

    async fn urged(&mut self, reply: ChatReply, form: &Form) -> Result<ChatReply> {
        let Some(urge) = self.lacks(&reply) else { return Ok(reply) };
        let said = reply.text();
        let mut last = reply;
        if !self.urged {
            self.urged = true;
            self.context.emit(Event::Step {
                what: "asking again: the reply neither calls a tool nor answers".to_owned(),
            });
            let ask = |session: &Self| session.objecting(&said, urge, form);
            match self.send(ask).await {
                Ok(reply) => last = self.with_written_calls(reply),
                Err(_) if !said.trim().is_empty() => return Ok(last),
                Err(_) => return Err(self.empty(&last)),
            }
            if self.lacks(&last).is_none() {
                return Ok(last);
            }
        }
        if self.steps.is_empty()
            && !self.agent.specs.is_empty()
            && let Ok(chosen) = self.choose_by_schema(&ToolChoice::Required, form).await
        {
            return Ok(chosen);
        }
        if last.text().trim().is_empty() { Err(self.empty(&last)) } else { Ok(last) }
    }

    /// The request with a draft and what is wrong with it. Neither is kept.
    fn objecting(&self, said: &str, objection: &str, form: &Form) -> ChatRequest {
        let mut request = self.request(form);
        if !said.trim().is_empty() {
            request.messages.push(Message::assistant(said));
        }
        request.messages.push(Message::user(objection));
        request
    }

    async fn reviewed(&mut self, mut reply: ChatReply, form: &Form) -> Result<ChatReply> {
        let Some(review) = self.agent.review.clone().filter(|_| !self.reviewed) else { return Ok(reply) };
        self.reviewed = true;
        let text = reply.text();
        let question = self.asked.clone();
        let draft = |text| Draft { question: &question, text, evidence: self.evidence() };
        let drafted = draft(without_thoughts(&text));
        let Some(objection) = review.objection(&drafted) else { return Ok(reply) };
        let drafted_text = drafted.text.to_owned();
        self.context
            .emit(Event::Step { what: "asking again for what the results do not bear out".to_owned() });
        let ask = |session: &Self| ChatRequest {
            tool_choice: ToolChoice::None,
            ..session.objecting(&drafted_text, &objection, form)
        };
        self.silent = true;
        let sent = self.send(ask).await;
        self.silent = false;
        match sent {
            Ok(better) => {
                let drafted = Draft { question: &question, text: &drafted_text, evidence: self.evidence() };
                let merged = review.merged(&drafted, without_thoughts(&better.text()));
                reply.message.content.retain(|part| !matches!(part, Content::Text(_)));
                reply.message.content.push(Content::Text(merged));
            }
            Err(error) => {
                self.notice(format!("what the results do not bear out was not written again: {error}"));
            }
        }
        Ok(reply)
    }

    /// The results so far as evidence, in the order of their numbers.
    pub(super) fn evidence(&self) -> Vec<Citable> {
        let records = self.steps.iter().flat_map(|step| &step.calls);
        evidence(&self.earlier, records)
    }

    /// Tells the events of a reply, its text only as far as it may be shown.
    pub(super) fn telling<'s, 'r>(
        &'s self,
        shown: Option<&'s Mutex<Box<dyn Shown + 'r>>>,
    ) -> impl Fn(Event) + Send + use<'s, 'r> {
        let (context, silent) = (self.context.clone(), self.silent);
        move |event| match (shown.map(Mutex::lock), event) {
            (_, Event::Token { .. }) if silent => {}
            (Some(Ok(mut shown)), Event::Token { text }) => {
                if let Some(text) = shown.push(&text) {
                    context.emit(Event::Token { text });
                }
            }
            (Some(Ok(mut shown)), event @ Event::Restarted { .. }) => {
                shown.restart();
                context.emit(event);
            }
            (_, event) => context.emit(event),
        }
    }
}

/// Tells whether a text ends in saying what its writer will do: `I'll look that up.`
fn is_promise(text: &str) -> bool {
    /// The most words of a reply that only promises.
    const LONGEST: usize = 60;
    const PROMISES: [&str; 12] = [
        "i'll ",
        "i will ",
        "i shall ",
        "let me ",
        "let's ",
        "i'm going to ",
        "i am going to ",
        "i need to ",
        "allow me to ",
        "one moment",
        "please wait",
        "i would like to ",
    ];
    let lower = text.to_lowercase().replace('’', "'");
    let last = lower.trim().trim_end_matches(['.', '!', ':', '…']);
    let last = last.rsplit(['.', '!', '?', '\n']).next().unwrap_or(last).trim();
    let promises =
        PROMISES.iter().any(|promise| last.starts_with(promise) || last.contains(&format!(", {promise}")))
            || PROMISES.iter().any(|promise| {
                last.starts_with(&format!("first {promise}")) || last.starts_with(&format!("sure {promise}"))
            });
    promises && !last.contains("let me know") && text.split_whitespace().count() <= LONGEST
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn promises_are_no_answers() {
        for text in [
            "I'll look that up.",
            "Sure, let me search the graph for ledger...",
            "To answer this, I need to find the owner first:",
            "ledger is a service. Let me check who owns it.",
            "I shall look.",
        ] {
            assert!(is_promise(text), "{text}");
        }
        for text in
            ["Ada owns ledger [1].", "Let me know if you need more.", "I found nothing.", "NOT IN THE GRAPH"]
        {
            assert!(!is_promise(text), "{text}");
        }
    }
}
