//! Answers that a model writes from the evidence, checked against it.

use futures::StreamExt;
use graphwright_llm::{ChatModel, ChatRequest, LlmError, StreamEvent, Usage, estimate_tokens};

use crate::{
    Event,
    answer::{Answer, AnswerPath, Passage},
    english::{Token, tokenize, words},
};

const INSTRUCTIONS: &str = include_str!("../prompts/answer.md");
const NOT_IN_GRAPH: &str = "NOT IN THE GRAPH";

/// One numbered piece of evidence.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Evidence {
    text: String,
    source: Source,
}

#[derive(Clone, Debug, PartialEq)]
enum Source {
    Fact(AnswerPath),
    Passage(Passage),
    /// What the graph says of one entity.
    Entity,
}

/// The evidence that goes to the model: numbered from 1, within a budget of tokens.
#[derive(Debug, Default)]
pub(crate) struct Dossier {
    items: Vec<Evidence>,
    tokens: u64,
    /// How many pieces the budget left out.
    pub(crate) cut: usize,
}

impl Dossier {
    fn add(&mut self, text: String, source: Source, budget: u64) {
        if self.items.iter().any(|item| item.text == text) {
            return;
        }
        let tokens = estimate_tokens(&text) + 4;
        if self.tokens + tokens > budget {
            self.cut += 1;
            return;
        }
        self.tokens += tokens;
        self.items.push(Evidence { text, source });
    }

    pub(crate) fn fact(&mut self, path: &AnswerPath, budget: u64) {
        self.add(crate::connection::draw(path), Source::Fact(path.clone()), budget);
    }

    pub(crate) fn passage(&mut self, passage: &Passage, budget: u64) {
        let text = format!("({}) {}", passage.document, passage.text.trim());
        self.add(text, Source::Passage(passage.clone()), budget);
    }

    pub(crate) fn entity(&mut self, description: String, budget: u64) {
        self.add(description, Source::Entity, budget);
    }

    fn prompt(&self, question: &str) -> String {
        let mut text = String::from("Evidence:\n");
        for (number, item) in self.items.iter().enumerate() {
            let line = format!("[{}] {}\n", number + 1, item.text.replace('\n', " "));
            text.push_str(&line);
        }
        if self.cut > 0 {
            let line = format!("({} more pieces did not fit.)\n", self.cut);
            text.push_str(&line);
        }
        format!("{text}\nQuestion: {question}\n")
    }
}

/// What a model's text is worth.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Verdict {
    /// Sentences that the evidence bears out; how many others were dropped.
    Supported { text: String, cited: Vec<usize>, dropped: usize },
    /// The model says that the evidence does not answer the question.
    NotInGraph,
    /// Nothing that it says can be checked.
    Unsupported,
}

/// Lets the model write, streaming its words as events.
pub(crate) async fn write(
    model: &dyn ChatModel,
    question: &str,
    dossier: &Dossier,
    events: &(dyn Fn(Event) + Send + Sync),
) -> Result<(String, Usage), LlmError> {
    let mut request = ChatRequest::new(INSTRUCTIONS, dossier.prompt(question));
    request.temperature = Some(0.0);
    let mut stream = model.stream(request).await?;
    while let Some(event) = stream.next().await {
        match event? {
            StreamEvent::Text(text) => events(Event::Token { text }),
            StreamEvent::End(reply) => return Ok((reply.text(), reply.usage)),
            _ => {}
        }
    }
    Err(LlmError::BadReply { model: model.name().to_owned(), message: "the reply broke off".to_owned() })
}

/// Keeps the sentences that cite evidence which exists and has the names and numbers that they give.
pub(crate) fn check(text: &str, question: &str, dossier: &Dossier) -> Verdict {
    if text.trim().trim_end_matches('.').eq_ignore_ascii_case(NOT_IN_GRAPH) {
        return Verdict::NotInGraph;
    }
    let (mut kept, mut cited, mut dropped) = (Vec::new(), Vec::new(), 0);
    for sentence in sentences(text) {
        if sentence.to_uppercase().contains(NOT_IN_GRAPH) {
            continue;
        }
        let numbers = citations(&sentence);
        let known: Vec<usize> =
            numbers.iter().copied().filter(|number| (1..=dossier.items.len()).contains(number)).collect();
        if known.is_empty() || known.len() < numbers.len() || !bears_out(&sentence, &known, question, dossier)
        {
            dropped += 1;
            continue;
        }
        cited.extend(known);
        kept.push(sentence);
    }
    cited.sort_unstable();
    cited.dedup();
    if kept.is_empty() {
        return Verdict::Unsupported;
    }
    Verdict::Supported { text: kept.join(" "), cited, dropped }
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

/// Whether each name and number of the sentence stands in what it cites, or in the question.
fn bears_out(sentence: &str, cited: &[usize], question: &str, dossier: &Dossier) -> bool {
    let evidence: Vec<Token> =
        cited.iter().flat_map(|number| tokenize(&dossier.items[number - 1].text)).collect();
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

/// Fills the answer with what stood the check; returns the numbers that were cited.
pub(crate) fn take(answer: &mut Answer, dossier: &Dossier, cited: &[usize]) {
    let (mut paths, mut passages) = (Vec::new(), Vec::new());
    for number in cited {
        match &dossier.items[number - 1].source {
            Source::Fact(path) => paths.push(path.clone()),
            Source::Passage(passage) => passages.push(passage.clone()),
            Source::Entity => {}
        }
    }
    if !paths.is_empty() {
        answer.paths = paths;
    }
    if !passages.is_empty() {
        answer.passages = passages;
    }
}

/// Sentences with the citations that follow them.
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

/// A piece that is only citations belongs to the sentence before it.
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

fn without_citations(sentence: &str) -> String {
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
        let mut dossier = Dossier::default();
        dossier.entity("Ada OWNS ledger".into(), 1000);
        dossier.entity("ledger is a service with tier 1.".into(), 1000);
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

    #[test]
    fn the_budget_cuts_and_counts() {
        let mut dossier = Dossier::default();
        for number in 0..50 {
            dossier.entity(format!("service number {number} has a long description of what it does"), 200);
        }
        assert!(dossier.cut > 0 && dossier.items.len() + dossier.cut == 50);
        assert!(dossier.prompt("?").contains("more pieces did not fit"));
    }
}
