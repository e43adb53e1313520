//! What the player says about one question, at each step of a flow.

use async_trait::async_trait;
use graphwright_llm::{
    ChatModel, ChatReply, ChatRequest, ChatStream, LlmError, Role, Usage, estimate_tokens,
};
use serde_json::json;

use super::{Player, draw::Draw};
use crate::text2cypher::{
    dataset::{Expected, Question},
    fault::Fault,
    gold::Opened,
    step::{Step, first_told},
};

/// How many rows the player puts into words.
const MOST_SAID: usize = 20;

/// The player, with what it says about one question.
#[derive(Clone, Debug)]
pub(in crate::text2cypher) struct Part {
    name: String,
    mends: f64,
    judges: f64,
    opened: Opened,
    number: usize,
    draw: Draw,
    fault: Option<(Fault, String)>,
}

impl Part {
    pub(super) fn new(
        player: &Player,
        opened: Opened,
        number: usize,
        draw: Draw,
        fault: Option<(Fault, String)>,
    ) -> Self {
        let Player { name, mends, judges, .. } = player.clone();
        Self { name, mends, judges, opened, number, draw, fault }
    }

    /// Returns the fault that it makes.
    pub(in crate::text2cypher) fn fault(&self) -> Option<Fault> {
        self.fault.as_ref().map(|(fault, _)| *fault)
    }

    fn asked(&self) -> &Question {
        &self.opened.set.questions[self.number]
    }

    async fn say(&self, request: &ChatRequest) -> String {
        let told = first_told(request);
        match Step::of(request) {
            Step::Query => self.query(request, &told),
            Step::Plan => self.plan(),
            Step::Verdict => self.verdict(&told).await,
            Step::Words => words(&told),
            Step::Rewrite => self.stands_alone().to_owned(),
            Step::Guard => "YES".to_owned(),
        }
    }

    fn stands_alone(&self) -> &str {
        self.asked().stands_alone.as_deref().unwrap_or(&self.asked().question)
    }

    /// The right query, or the one with the fault as long as that is not mended.
    fn query(&self, request: &ChatRequest, told: &str) -> String {
        let question = told.rsplit_once("Question: ").map_or("", |(_, question)| question.trim());
        let asked = self.asked();
        if let Some(step) = asked.steps.iter().find(|step| step.question == question) {
            return fenced(&step.cypher);
        }
        let attempts = request.messages.iter().filter(|message| message.role == Role::Assistant).count();
        match &self.fault {
            Some((fault, reply)) if !self.has_mended(attempts) => match fault {
                Fault::Nothing | Fault::Envelope | Fault::Several => reply.clone(),
                _ => fenced(reply),
            },
            _ if asked.expects == Expected::Refusal => format!("MISSING: {}", asked.question),
            _ => fenced(asked.cypher.as_deref().unwrap_or_default()),
        }
    }

    fn has_mended(&self, attempts: usize) -> bool {
        (1..=attempts).any(|attempt| self.draw.share(&format!("mend {attempt}")) < self.mends)
    }

    /// The plan of the question, unless its fault is to be made in one query.
    fn plan(&self) -> String {
        let asked = self.asked();
        if asked.steps.is_empty() || self.fault.is_some() {
            return json!({"questions": [{"question": self.stands_alone(), "needs": []}]}).to_string();
        }
        let questions: Vec<_> =
            asked.steps.iter().map(|step| json!({"question": step.question, "needs": step.needs})).collect();
        json!({ "questions": questions }).to_string()
    }

    /// Whether the query that the judge is shown gives the right rows, told rightly or not.
    async fn verdict(&self, told: &str) -> String {
        let query = between(told, "Query:\n", "\n\nThe query in words:").unwrap_or_default();
        let is_right = matches!(self.opened.judge(self.number, query).await, Ok(Some(true)));
        let tells_truth = self.draw.share(&format!("judge {query}")) < self.judges;
        let answers = is_right == tells_truth;
        let missing = if answers { "" } else { "the rows are not what the question asks for" };
        json!({"answers": answers, "missing": missing}).to_string()
    }
}

fn between<'a>(text: &'a str, start: &str, end: &str) -> Option<&'a str> {
    text.split_once(start)?.1.split_once(end).map(|(inside, _)| inside)
}

fn fenced(query: &str) -> String {
    format!("```cypher\n{query}\n```")
}

/// The rows as they are, each with its number.
fn words(told: &str) -> String {
    let evidence = told.split_once("\nEvidence:\n").map_or("", |(_, evidence)| evidence);
    // The first piece says how many rows there are.
    let rows = evidence.lines().take_while(|line| line.starts_with('[')).skip(1).take(MOST_SAID);
    let said =
        rows.filter_map(|line| line.split_once("] ")).map(|(number, row)| format!("- {row} {number}]."));
    said.collect::<Vec<_>>().join("\n")
}

#[async_trait]
impl ChatModel for Part {
    fn name(&self) -> &str {
        &self.name
    }

    async fn chat(&self, request: ChatRequest) -> Result<ChatReply, LlmError> {
        let text = self.say(&request).await;
        let told = request.messages.iter().map(|message| estimate_tokens(&message.text())).sum();
        let usage = Usage {
            requests: 1,
            input_tokens: told,
            output_tokens: estimate_tokens(&text),
            ..Usage::default()
        };
        Ok(ChatReply { usage, model: self.name.clone(), ..text.into() })
    }

    async fn stream(&self, request: ChatRequest) -> Result<ChatStream, LlmError> {
        Ok(self.chat(request).await?.into_stream())
    }
}
