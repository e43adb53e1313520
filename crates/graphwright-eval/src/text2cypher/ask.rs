//! Asks one question, and scores the answer.

use std::sync::{Arc, Mutex, PoisonError};

use graphwright::{Answer, AnswerStatus, Event, FlowLimits, FlowName, FlowOptions};
use graphwright_cypher::{
    format,
    lexer::{TokenKind, tokenize},
};
use graphwright_llm::{ChatModel, Embedder, without_thoughts};
use graphwright_text2cypher::Text2Cypher;

use super::{
    dataset::{Expected, Question},
    entry::{Entry, Key, Score},
    fault::Fault,
    gleu::Gleu,
    gold::Opened,
    relevancy::relevancy,
    step::Step,
    tape::Recorder,
};
use crate::Result;

/// A question that is to be asked.
pub(super) struct Job<'a> {
    pub(super) key: Key,
    pub(super) opened: &'a Opened,
    /// The place of the question in its set.
    pub(super) question: usize,
    pub(super) model: Arc<dyn ChatModel>,
    /// The fault that the player makes.
    pub(super) fault: Option<Fault>,
    /// Who says how relevant the answer is.
    pub(super) judge: Option<(Arc<dyn ChatModel>, Arc<dyn Embedder>)>,
    pub(super) limits: FlowLimits,
}

impl Job<'_> {
    /// Asks the question. Whatever fails is told in the entry.
    pub(super) async fn ask(self) -> Entry {
        let recorder = Recorder::new(Arc::clone(&self.model));
        let outcome = self.answer(Arc::new(recorder.clone())).await;
        let mut entry = Entry {
            key: self.key.clone(),
            fault: self.fault,
            error: None,
            status: AnswerStatus::NotInGraph,
            answer: String::new(),
            cypher: None,
            score: self.unanswered(),
            usage: graphwright::llm::Usage::default(),
            elapsed_ms: 0,
            exchanges: recorder.exchanges(),
            judged: Vec::new(),
        };
        entry.score.as_written = self.is_right_as_written(&entry).await;
        match outcome {
            Ok((answer, fallback)) => {
                entry.usage = answer.usage;
                entry.elapsed_ms = answer.elapsed_ms;
                entry.status = answer.status;
                entry.answer.clone_from(&answer.answer);
                match fallback {
                    Some(reason) => entry.error = Some(reason),
                    None => self.score(answer, &mut entry).await,
                }
            }
            Err(error) => entry.error = Some(error.to_string()),
        }
        entry
    }

    fn asked(&self) -> &Question {
        &self.opened.set.questions[self.question]
    }

    /// Lets the flow answer. Returns also why it did not, if the graph answered in its place.
    async fn answer(&self, model: Arc<dyn ChatModel>) -> Result<(Answer, Option<String>)> {
        let (store, answerer) = (Arc::clone(&self.opened.store), self.opened.answerer.clone());
        // Each question has flows of its own: what `auto` learns of one must not depend on which others came before.
        let flows = Text2Cypher::open(store, answerer, model).await.map_err(graphwright::Error::from)?;
        let asked = self.asked();
        let options = FlowOptions::new(self.key.flow)
            .limits(self.limits)
            .conversation(asked.conversation.iter().cloned());
        let fallback: Arc<Mutex<Option<String>>> = Arc::default();
        let heard = Arc::clone(&fallback);
        let listen = move |event| {
            if let Event::Fallback { reason } = event {
                *heard.lock().unwrap_or_else(PoisonError::into_inner) = Some(reason);
            }
        };
        let answer = flows.ask(&asked.question, &options, listen).await.map_err(graphwright::Error::from)?;
        let reason = fallback.lock().unwrap_or_else(PoisonError::into_inner).take();
        Ok((answer, reason))
    }

    /// The score where there is no answer.
    fn unanswered(&self) -> Score {
        let asked = self.asked();
        let gold = asked.cypher.as_deref();
        Score {
            executable: (asked.expects == Expected::Answer).then_some(false),
            exact: gold.map(|_| false),
            gleu: gold.map(|gold| Gleu::of(gold, "")),
            ..Score::default()
        }
    }

    async fn score(&self, answer: Answer, entry: &mut Entry) {
        let asked = self.asked();
        if asked.expects == Expected::Refusal {
            entry.score.right = answer.cypher.is_none() && answer.status == AnswerStatus::NotInGraph;
            entry.cypher = answer.cypher;
            return;
        }
        if let Some(query) = &answer.cypher {
            match self.is_right(query, &answer).await {
                Ok(right) => {
                    entry.score.executable = Some(right.is_some());
                    entry.score.right = right.unwrap_or_default();
                }
                Err(error) => entry.error = Some(error.to_string()),
            }
            if let Some(gold) = &asked.cypher {
                entry.score.exact = Some(is_exact(gold, query));
                entry.score.gleu = Some(Gleu::of(gold, query));
            }
        }
        entry.cypher.clone_from(&answer.cypher);
        if let Some((judge, embedder)) = &self.judge {
            let recorder = Recorder::new(Arc::clone(judge));
            let question = asked.stands_alone.as_deref().unwrap_or(&asked.question);
            match relevancy(&recorder, &**embedder, question, &answer.answer).await {
                Ok(relevancy) => entry.score.relevancy = Some(relevancy),
                Err(error) => entry.error = Some(error.to_string()),
            }
            entry.judged = recorder.exchanges();
        }
    }

    /// Tells whether the first query is right as the model has written it, but for a fence around it.
    async fn is_right_as_written(&self, entry: &Entry) -> Option<bool> {
        if self.asked().expects == Expected::Refusal || self.key.flow != FlowName::Naive {
            return None;
        }
        let first = entry.exchanges.iter().find(|exchange| exchange.step == Step::Query)?;
        let reply = first.reply.as_ref()?.text();
        let judged = self.opened.judge(self.question, unfenced(&reply)).await.ok()?;
        Some(judged.unwrap_or_default())
    }

    /// Tells whether the rows of a query are right; `None` if it does not run.
    async fn is_right(&self, query: &str, answer: &Answer) -> Result<Option<bool>> {
        if takes_parameters(query) {
            // It ran with results of earlier queries, which only the flow has.
            return Ok(Some(self.opened.are_right(self.question, &answer.values)));
        }
        self.opened.judge(self.question, query).await
    }
}

/// Takes off the fence that models are asked to write around a query.
fn unfenced(reply: &str) -> &str {
    let reply = without_thoughts(reply).trim();
    let inside = reply.strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    inside.map_or(reply, |inside| inside.strip_prefix("cypher").unwrap_or(inside).trim())
}

fn takes_parameters(query: &str) -> bool {
    let tokens = tokenize(query).unwrap_or_default().tokens;
    tokens.iter().any(|token| token.kind == TokenKind::Parameter)
}

/// Tells whether two queries are one text, once both are formatted. What cannot be formatted is compared as it is, but for white space
/// and a last semicolon.
fn is_exact(gold: &str, written: &str) -> bool {
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let form = |text: &str| {
        let text = text.trim().trim_end_matches(';');
        format(text).map_or_else(|_| plain(text), |formatted| plain(&formatted))
    };
    form(gold) == form(written)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dress_is_no_difference_and_names_are_one() {
        assert!(is_exact("MATCH (n:Film) RETURN n.title", "match (n:Film)\n return n.title;"));
        assert!(!is_exact("MATCH (n:Film) RETURN n.title", "MATCH (f:Film) RETURN f.title"));
        assert!(is_exact("not Cypher ;", "not  Cypher"));
    }

    #[test]
    fn a_fence_is_no_fault() {
        assert_eq!(unfenced("```cypher\nRETURN 1\n```\n"), "RETURN 1");
        assert_eq!(unfenced("<think>hm</think>```\nRETURN 1```"), "RETURN 1");
        assert_eq!(unfenced("Here: ```RETURN 1```"), "Here: ```RETURN 1```");
    }

    #[test]
    fn parameters_are_seen_outside_of_texts() {
        assert!(takes_parameters("RETURN $step1"));
        assert!(!takes_parameters("RETURN '$step1'"));
    }
}
