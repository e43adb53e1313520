//! Questions that a graph can answer, made of its own things. Each is tried before it is shown.

mod candidates;

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use graphwright_core::text::shorten;
use graphwright_english::inflection::plural;
use serde::{Deserialize, Serialize};

use self::candidates::{Candidate, Expected, candidates};
use crate::{Answer, AnswerStatus, Answerer, AskOptions, Result, limits::Limits, respond};

/// The most candidates that are tried.
const MOST_TRIED: usize = 60;
/// How long one candidate may be read.
const READING_TIME: Duration = Duration::from_secs(1);
/// How long candidates are tried.
const LONGEST: Duration = Duration::from_secs(3);
/// The longest answer that is shown with a question, in letters.
const LONGEST_ANSWER: usize = 160;
/// The number of questions that are shown to who asked nothing.
const SHOWN: usize = 4;
/// The most types that a summary names.
const MOST_TYPES: usize = 5;

/// A question that the graph answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suggestion {
    /// The question.
    pub question: String,
    /// What the graph answers, cut after 160 letters.
    pub answer: String,
}

impl Answerer {
    /// Returns up to `most` questions of different kinds that this graph answers right by itself: what the graph holds is
    /// compared with what reading the question gives. None if the graph has no facts.
    ///
    /// # Errors
    /// Fails if the texts of passages cannot be read.
    pub async fn suggest(&self, most: usize) -> Result<Vec<Suggestion>> {
        let (start, mut suggested) = (Instant::now(), Vec::new());
        for candidate in candidates(&self.topology, &self.interpreter.schema).into_iter().take(MOST_TRIED) {
            if suggested.len() >= most || start.elapsed() > LONGEST {
                break;
            }
            suggested.extend(self.try_out(candidate).await?);
        }
        Ok(suggested)
    }

    /// Answers a message that asks nothing of the graph: says what the graph has, and what can be asked.
    pub(crate) async fn talk(&self, message: &str) -> Result<Answer> {
        let suggestions = self.shown_suggestions().await?;
        let summary = self.summary();
        let text = match (summary.is_empty(), suggestions.is_empty()) {
            (true, _) => "Ask me about the documents of this graph.".to_owned(),
            (false, true) => format!("Ask me about what is in this graph. {summary}"),
            (false, false) => format!("Ask me about what is in this graph. {summary} For example:"),
        };
        Ok(Answer {
            question: message.to_owned(),
            status: AnswerStatus::Talk,
            answer: text,
            suggestions,
            ..Answer::default()
        })
    }

    /// Answers a message that asks nothing of the graph (small talk, "What can I ask?"): says what the graph has, and what can be
    /// asked. Returns `None` for any other message.
    ///
    /// # Errors
    /// Fails if the texts of passages cannot be read.
    pub async fn answer_to_talk(&self, message: &str) -> Result<Option<Answer>> {
        Ok(if self.asks_nothing(message) { Some(self.talk(message).await?) } else { None })
    }

    /// Answers a question that has nothing to do with the graph: says what the graph has, and what can be asked.
    ///
    /// # Errors
    /// Fails if the texts of passages cannot be read.
    pub async fn answer_beside_the_graph(&self, question: &str) -> Result<Answer> {
        let answer = format!("Not in the graph: the question is about something else. {}", self.summary());
        Ok(Answer {
            question: question.to_owned(),
            answer: answer.trim_end().to_owned(),
            suggestions: self.shown_suggestions().await?,
            ..Answer::default()
        })
    }

    /// Returns the questions that are shown to who asked for nothing that is here. They are made once.
    pub(crate) async fn shown_suggestions(&self) -> Result<Vec<String>> {
        if let Some(made) = self.suggestions.get() {
            return Ok(made.clone());
        }
        let made = Box::pin(self.suggest(SHOWN)).await?;
        let made = made.into_iter().map(|suggestion| suggestion.question).collect();
        Ok(self.suggestions.get_or_init(|| made).clone())
    }

    /// Returns the question with its answer if the answer is what the graph holds.
    async fn try_out(&self, candidate: Candidate) -> Result<Option<Suggestion>> {
        let Candidate { question, expected } = candidate;
        let options = AskOptions::default().without_model().without_learned().reading_time(READING_TIME);
        let read = self.interpret(&question, Limits::new(&options)).await?;
        let answer = self.read_graph(&question, &read, &options).await?;
        Ok(is_expected(&answer, &expected).then(|| {
            let mut lines = answer.answer.lines();
            let mut text = lines.next().unwrap_or_default().to_owned();
            if text.ends_with(':') {
                text = format!("{text} {}", lines.next().unwrap_or_default().trim());
            }
            Suggestion { question, answer: shorten(&text, LONGEST_ANSWER) }
        }))
    }

    /// Says in a sentence what the graph holds most of; empty for a graph without entities.
    pub(crate) fn summary(&self) -> String {
        let schema = &self.interpreter.schema;
        let mut counts: Vec<(usize, String)> = self
            .topology
            .labels()
            .filter(|(label, count)| *count > 0 && schema.labels.iter().any(|known| known == label))
            .map(|(label, count)| (count, respond::spoken(label)))
            .collect();
        counts.sort_by(|left, right| right.0.cmp(&left.0).then_with(|| left.1.cmp(&right.1)));
        let more = counts.len().saturating_sub(MOST_TYPES);
        let named = |(count, noun): &(usize, String)| match count {
            1 => format!("1 {noun}"),
            count => format!("{count} {}", plural(noun)),
        };
        let mut parts: Vec<String> = counts.iter().take(MOST_TYPES).map(named).collect();
        if more > 0 {
            parts.push(format!("things of {more} more types"));
        }
        if parts.is_empty() { String::new() } else { format!("This graph has {}.", respond::list(&parts)) }
    }
}

fn is_expected(answer: &Answer, expected: &Expected) -> bool {
    answer.status == AnswerStatus::Answered
        && match expected {
            Expected::Entities(ids) => {
                answer.entities.iter().map(|entity| entity.id.as_str()).collect::<BTreeSet<_>>()
                    == ids.iter().map(String::as_str).collect()
            }
            Expected::Value(value) => answer.values == [value.clone()],
            Expected::Path => !answer.paths.is_empty(),
        }
}
