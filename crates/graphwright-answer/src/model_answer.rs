//! Answers that a model writes from the evidence, checked against the evidence.

use graphwright_english::{
    questions::{Token, tokenize},
    words,
};
use graphwright_llm::{ChatModel, ChatRequest, LlmError, Usage};

use crate::{
    Event,
    answer::Answer,
    dossier::{Dossier, Source},
    reply::stream_reply,
};

const INSTRUCTIONS: &str = include_str!("../prompts/answer.md");
const NOT_IN_GRAPH: &str = "NOT IN THE GRAPH";

/// The result of checking a model's text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Verdict {
    /// The evidence supports these sentences. `dropped` counts the others.
    Supported { text: String, cited: Vec<usize>, dropped: usize },
    /// The model says that the evidence does not answer the question.
    NotInGraph,
    /// Nothing in the text can be checked.
    Unsupported,
}

/// Lets the model write, and streams its words as events.
pub(crate) async fn write(
    model: &dyn ChatModel,
    question: &str,
    dossier: &Dossier,
    events: &(dyn Fn(Event) + Send + Sync),
) -> Result<(String, Usage), LlmError> {
    let mut request = ChatRequest::new(INSTRUCTIONS, dossier.prompt(question));
    request.temperature = Some(0.0);
    let reply = stream_reply(model, request, events).await?;
    Ok((reply.text(), reply.usage))
}

/// Checks an answer against the evidence that it cites.
pub(crate) fn check(text: &str, question: &str, dossier: &Dossier) -> Verdict {
    if says_not_in_graph(text) {
        return Verdict::NotInGraph;
    }
    let found = keep_supported(text, question, &dossier.texts());
    if found.sentences.is_empty() {
        return Verdict::Unsupported;
    }
    Verdict::Supported { text: found.sentences.join(" "), cited: found.cited, dropped: found.dropped }
}

/// Tells whether the model says that the evidence does not answer the question.
pub fn says_not_in_graph(text: &str) -> bool {
    text.trim().trim_end_matches('.').eq_ignore_ascii_case(NOT_IN_GRAPH)
}

/// The sentences of a model that passed the check.
#[derive(Debug, Default)]
pub struct Supported {
    /// The sentences, in their order.
    pub sentences: Vec<String>,
    /// Numbers of the evidence that the sentences cite, from 1.
    pub cited: Vec<usize>,
    /// Number of sentences that were dropped.
    pub dropped: usize,
}

/// Keeps the sentences that cite existing evidence and whose names and numbers stand in it.
///
/// ```
/// use graphwright_answer::keep_supported;
///
/// let evidence = ["Ada OWNS ledger"];
/// let found = keep_supported("Ada owns ledger [1]. Bob owns it too [1].", "Who owns ledger?", &evidence);
/// assert_eq!(found.sentences, ["Ada owns ledger [1]."]);
/// assert_eq!((found.cited, found.dropped), (vec![1], 1));
/// ```
pub fn keep_supported(text: &str, question: &str, evidence: &[&str]) -> Supported {
    let mut found = Supported::default();
    for sentence in sentences(text) {
        // It claims nothing, so it does not count as dropped.
        if sentence.to_uppercase().contains(NOT_IN_GRAPH) {
            continue;
        }
        let numbers = citations(&sentence);
        let known: Vec<usize> =
            numbers.iter().copied().filter(|number| (1..=evidence.len()).contains(number)).collect();
        if known.is_empty()
            || known.len() < numbers.len()
            || !bears_out(&sentence, &known, question, evidence)
        {
            found.dropped += 1;
            continue;
        }
        found.cited.extend(known);
        found.sentences.push(sentence);
    }
    found.cited.sort_unstable();
    found.cited.dedup();
    found
}

/// Words that open a sentence and name nothing.
const OPENINGS: [&str; 16] = [
    "yes",
    "therefore",
    "however",
    "thus",
    "in",
    "two",
    "three",
    "several",
    "these",
    "both",
    "overall",
    "additionally",
    "furthermore",
    "since",
    "based",
    "hence",
];

/// Tells whether each name and number of the sentence stands in what it cites, or in the question.
fn bears_out(sentence: &str, cited: &[usize], question: &str, evidence: &[&str]) -> bool {
    // Only numbers of evidence that there is get here.
    let evidence: Vec<Token> = cited.iter().flat_map(|number| tokenize(evidence[number - 1])).collect();
    let asked = tokenize(question);
    let tokens = tokenize(&without_citations(sentence));
    tokens.iter().enumerate().all(|(at, token)| {
        let opening = at == 0 && OPENINGS.contains(&token.lower.as_str());
        let telling =
            token.has_digit() || (token.is_capital() && !opening && !words::is_filler(&token.lower));
        !telling
            || evidence
                .iter()
                .chain(&asked)
                .any(|known| known.lower == token.lower || known.stem == token.stem)
    })
}

/// Replaces the paths and passages of the answer by the cited ones, if any are cited.
pub(crate) fn take(answer: &mut Answer, dossier: &Dossier, cited: &[usize]) {
    let (mut paths, mut passages) = (Vec::new(), Vec::new());
    for source in cited.iter().flat_map(|&number| dossier.sources(number)) {
        match source {
            Source::Fact(path) if !paths.contains(path) => paths.push(path.clone()),
            Source::Passage(passage) if !passages.contains(passage) => passages.push(passage.clone()),
            _ => {}
        }
    }
    if !paths.is_empty() {
        answer.paths = paths;
    }
    if !passages.is_empty() {
        answer.passages = passages;
    }
}

/// Splits a text into sentences, each with the citations that follow it.
fn sentences(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut current = String::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        current.push(if letter == '\n' { ' ' } else { letter });
        let next = letters.peek().copied();
        let end =
            letter == '\n' || (matches!(letter, '.' | '!' | '?') && next.is_none_or(char::is_whitespace));
        if end {
            push_sentence(&mut found, &mut current);
        }
    }
    push_sentence(&mut found, &mut current);
    found
}

/// Adds a sentence. A piece of citations alone belongs to the sentence before it.
fn push_sentence(found: &mut Vec<String>, current: &mut String) {
    let piece = std::mem::take(current);
    let piece = piece.trim();
    if piece.is_empty() {
        return;
    }
    let mut rest = piece;
    while let Some((number, after)) = leading_citation(rest) {
        if let Some(last) = found.last_mut() {
            *last = format!("{last} [{number}]");
        }
        rest = after.trim_start();
    }
    // With no sentence before, the citations stay with this one.
    let rest = if found.is_empty() { piece } else { rest };
    if rest.chars().any(char::is_alphanumeric) {
        found.push(rest.to_owned());
    }
}

fn leading_citation(text: &str) -> Option<(usize, &str)> {
    let (inside, after) = text.strip_prefix('[')?.split_once(']')?;
    Some((inside.trim().parse().ok()?, after.trim_start_matches('.')))
}

fn citations(sentence: &str) -> Vec<usize> {
    let mut numbers = Vec::new();
    for part in sentence.split('[').skip(1) {
        let Some((inside, _)) = part.split_once(']') else { continue };
        numbers
            .extend(inside.split([',', ';', ' ']).filter_map(|number| number.trim().parse::<usize>().ok()));
    }
    numbers
}

pub(crate) fn without_citations(sentence: &str) -> String {
    let mut text = String::new();
    let mut depth = 0_u32;
    for letter in sentence.chars() {
        match letter {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ if depth == 0 => text.push(letter),
            _ => {}
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dossier() -> Dossier {
        let mut dossier = Dossier::new(1000);
        dossier.entity("Ada OWNS ledger".into());
        dossier.entity("ledger is a service with tier 1.".into());
        dossier
    }

    #[test]
    fn sentences_must_cite_what_exists_and_says_so() {
        let text =
            "Ada owns ledger [1]. It has tier 1. [2] Bob owns it too [1]. It is old. It runs on Mars [7].";
        let verdict = check(text, "Who owns ledger?", &dossier());
        let kept = "Ada owns ledger [1]. It has tier 1. [2]".to_owned();
        assert_eq!(verdict, Verdict::Supported { text: kept, cited: vec![1, 2], dropped: 3 });
    }

    #[test]
    fn a_text_without_support_is_refused() {
        assert_eq!(check("Bob owns it [9].", "Who owns ledger?", &dossier()), Verdict::Unsupported);
        assert_eq!(check("Not in the graph.", "Who owns ledger?", &dossier()), Verdict::NotInGraph);
    }
}
