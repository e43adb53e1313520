//! The kind of a question: its words, with types in place of names.

use graphwright_english::{
    questions::{Token, tokenize},
    words,
};
use graphwright_retrieve::{NodeIndex, Topology, in_words};

use crate::{
    AnswerEntity, Answerer, QuestionSlot, evidence,
    interpret::Interpreter,
    question::{Annotator, Piece, Segmentation, Span},
};

/// The least weight of a span that is taken for a name or a value.
const LEAST_WEIGHT: f64 = 0.5;
/// The most words of a kind. Further words of the question are left out.
const MOST_WORDS: usize = 60;

/// A question as the graph sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct QuestionKind {
    /// The question in lower case, with types in place of the names that it links to, such as `who
    /// owns <Service>`.
    ///
    /// A stored value is replaced by its property, such as `<language>`. Other things become
    /// `<name>`, `<number>`, `<date>` and `<text>`, which stands for anything in quotation marks.
    pub kind: String,
    /// The entities whose names stand in the question.
    pub links: Vec<AnswerEntity>,
    /// What stands in the question where the kind has a type, property or placeholder in angle brackets, in order.
    pub slots: Vec<QuestionSlot>,
}

impl Answerer {
    /// Finds the names and values of the graph in a question, without answering it.
    pub fn question_kind(&self, question: &str) -> QuestionKind {
        link(&self.interpreter, &self.topology, question)
    }
}

fn link(interpreter: &Interpreter, topology: &Topology, question: &str) -> QuestionKind {
    let tokens = tokenize(question);
    let cut = Annotator::new(&interpreter.lexicon, &interpreter.schema, &tokens)
        .segment()
        .into_iter()
        .next()
        .unwrap_or_default();
    let (words, slots) = (Vec::new(), Vec::new());
    let mut reader = KindReader { interpreter, topology, question, tokens: &tokens, cut: &cut, words, slots };
    let mut at = 0;
    while at < tokens.len() {
        at = reader.read(at);
    }
    let (mut kind, slots) = (reader.words, reader.slots);
    if kind.len() > MOST_WORDS {
        kind.truncate(MOST_WORDS);
        kind.push("…".to_owned());
    }
    let mut links: Vec<AnswerEntity> = Vec::new();
    for span in cut.spans.iter().filter(|span| span.weight >= LEAST_WEIGHT) {
        let Some((node, score)) = entity(span) else { continue };
        let found = evidence::entity(topology, node, score * span.weight.min(1.0));
        if !links.iter().any(|known| known.id == found.id) {
            links.push(found);
        }
    }
    QuestionKind { kind: kind.join(" "), links, slots }
}

struct KindReader<'a> {
    interpreter: &'a Interpreter,
    topology: &'a Topology,
    question: &'a str,
    tokens: &'a [Token],
    cut: &'a Segmentation,
    words: Vec<String>,
    slots: Vec<QuestionSlot>,
}

impl KindReader<'_> {
    /// Adds what stands at a position. Returns the position after it.
    fn read(&mut self, at: usize) -> usize {
        let quoted = self.quoted(at);
        if let Some((slot, end)) = self.slot(at).filter(|(_, end)| *end >= quoted) {
            self.words.push(slot.name.clone());
            self.slots.push(slot);
            return end;
        }
        if quoted > at {
            self.place("<text>", at, quoted);
            return quoted;
        }
        let token = &self.tokens[at];
        if token.is_possessive()
            && let Some(owner) = self.words.last_mut()
        {
            owner.push_str("'s");
            return at + 1;
        }
        match self.placeholder(at) {
            // Words that follow each other are one name.
            Some(placeholder) if self.words.last().is_some_and(|last| last == placeholder) => {
                if let Some(slot) = self.slots.last_mut() {
                    let whole = format!("{} {}", slot.phrase, token.text);
                    (slot.phrase, slot.value) = (whole.clone(), whole);
                }
            }
            Some(placeholder) => self.place(placeholder, at, at + 1),
            None => self.words.push(token.lower.clone()),
        }
        at + 1
    }

    /// Adds a placeholder for what the graph does not know.
    fn place(&mut self, placeholder: &str, first: usize, end: usize) {
        let phrase = self.phrase(first, end);
        self.words.push(placeholder.to_owned());
        self.slots.push(QuestionSlot {
            name: placeholder.to_owned(),
            value: phrase.clone(),
            phrase,
            id: None,
        });
    }

    /// Returns what the question says between two tokens.
    fn phrase(&self, first: usize, end: usize) -> String {
        let bounds = self.tokens.get(first).zip(end.checked_sub(1).and_then(|last| self.tokens.get(last)));
        let said = bounds.and_then(|(first, last)| self.question.get(first.start..last.end));
        said.unwrap_or_default().to_owned()
    }

    /// Returns the end of the brackets or quotation marks that begin here, or this position.
    fn quoted(&self, at: usize) -> usize {
        let quote = self.tokens[at].quote;
        if quote.is_none() {
            return at;
        }
        let inside = self.tokens[at..].iter().take_while(|token| token.quote == quote);
        at + inside.count()
    }

    /// Finds the type of the entity, or the property of the value, that is named here. Also returns
    /// where the name ends.
    fn slot(&self, at: usize) -> Option<(QuestionSlot, usize)> {
        let span = self.cut.spans.iter().find(|span| span.first == at && span.weight >= LEAST_WEIGHT)?;
        let (name, value, id) = match (&span.piece, entity(span)) {
            (_, Some((node, _))) => {
                let node = self.topology.node(node);
                (node.kind(), node.display_name().to_owned(), Some(node.id().to_owned()))
            }
            (Piece::Value(values), _) => {
                let (property, value) = values.first()?;
                (self.interpreter.schema.property(*property).name.as_str(), in_words(value), None)
            }
            _ => return None,
        };
        let phrase = self.phrase(span.first, span.end);
        Some((QuestionSlot { name: format!("<{name}>"), phrase, value, id }, span.end))
    }

    /// Returns the placeholder for a word that differs from question to question.
    fn placeholder(&self, at: usize) -> Option<&'static str> {
        let token = &self.tokens[at];
        let within =
            |piece: fn(&Piece) -> bool| self.cut.spans.iter().any(|span| span.has(at) && piece(&span.piece));
        if within(|piece| matches!(piece, Piece::Time(..))) {
            return (!words::is_filler(&token.lower)).then_some("<date>");
        }
        if token.text.starts_with(|letter: char| letter.is_ascii_digit()) {
            return Some("<number>");
        }
        if within(|piece| matches!(piece, Piece::Quantity(..) | Piece::Between(..))) {
            return words::number(&token.lower).map(|_| "<number>");
        }
        let like_a_name = token.has_digit() || (at > 0 && token.is_capital());
        (like_a_name && self.cut.unexplained.contains(&at)).then_some("<name>")
    }
}

/// Finds the entity that a span most likely names.
fn entity(span: &Span) -> Option<(NodeIndex, f64)> {
    let Piece::Entity(nodes) = &span.piece else { return None };
    nodes.iter().copied().max_by(|one, other| one.1.total_cmp(&other.1).then(other.0.cmp(&one.0)))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use graphwright_core::{GraphStore, NodeKey, Properties, RelationshipKey, store::ChangeSet};
    use graphwright_embedded::EmbeddedStore;

    use super::*;

    async fn library() -> Answerer {
        let store = EmbeddedStore::in_memory();
        let mut changes = ChangeSet::new();
        let mut add = |label: &str, id: &str, name: &str, language: Option<&str>| {
            let key = NodeKey::new(label, id);
            let mut properties = Properties::from([("name".to_owned(), name.into())]);
            properties.extend(language.map(|language| ("language".to_owned(), language.into())));
            changes.upsert_node(key.clone(), &[], properties);
            key
        };
        let gateway = add("Service", "s1", "edge-gateway", Some("Go"));
        add("Service", "s2", "ledger", Some("Python"));
        add("Person", "p1", "Ada Lovelace", None);
        let library = add("Library", "l1", "auth-lib", None);
        let depends =
            RelationshipKey { kind: "DEPENDS_ON".into(), from: gateway, to: library, id: "r".into() };
        changes.upsert_relationship(depends, Properties::new());
        store.apply(changes).await.unwrap();
        Answerer::open(Arc::new(store)).await.unwrap()
    }

    async fn kinds(questions: &[&str]) -> Vec<String> {
        let answerer = library().await;
        questions.iter().map(|question| answerer.question_kind(question).kind).collect()
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn names_of_one_type_make_one_kind() {
        let found = kinds(&[
            "Which libraries does edge-gateway depend on?",
            "Which libraries does Ledger depend on?",
            "Which libraries does Ada Lovelace depend on?",
        ])
        .await;
        assert_eq!(found[0], "which libraries does <Service> depend on");
        assert_eq!(found[1], found[0]);
        assert_eq!(found[2], "which libraries does <Person> depend on");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn values_numbers_dates_quotations_and_unknown_names_are_replaced() {
        let found = kinds(&[
            "Which services written in Go use auth-lib?",
            "Which services were launched after 31 March 2024?",
            "Which services were launched after 2019?",
            "Which services have more than 12 replicas?",
            "Who said \"it never rains\" about ledger's owner?",
            "Who wrote \"edge-gateway\"?",
            "What does Zebulon Pike own?",
        ])
        .await;
        let wanted = [
            "which services written in <language> use <Library>",
            "which services were launched after <date>",
            "which services were launched after <date>",
            "which services have more than <number> replicas",
            "who said <text> about <Service>'s owner",
            "who wrote <Service>",
            "what does <name> own",
        ];
        assert_eq!(found, wanted);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_question_is_linked_to_what_it_names_and_has_a_bounded_kind() {
        let answerer = library().await;
        let question = format!("Does ledger depend on auth-lib {}", "or so ".repeat(200));
        let linked = answerer.question_kind(&question);
        let names: Vec<_> =
            linked.links.iter().map(|link| (link.name.as_str(), link.kind.as_str())).collect();
        assert_eq!(names, [("ledger", "Service"), ("auth-lib", "Library")]);
        assert!(linked.kind.ends_with(" or so …") || linked.kind.ends_with(" or …"), "{}", linked.kind);
        let nothing = answerer.question_kind(" ?! ");
        assert_eq!((nothing.kind.as_str(), nothing.links.len(), nothing.slots.len()), ("", 0, 0));
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn slots_hold_what_the_question_says_and_what_is_stored() {
        let answerer = library().await;
        let slots = |question: &str| -> Vec<(String, String, String, Option<String>)> {
            let slots = answerer.question_kind(question).slots.into_iter();
            slots.map(|slot| (slot.name, slot.phrase, slot.value, slot.id)).collect()
        };
        let slot = |name: &str, phrase: &str, value: &str, id: Option<&str>| {
            (name.to_owned(), phrase.to_owned(), value.to_owned(), id.map(str::to_owned))
        };
        assert_eq!(
            slots("Does Edge Gateway use more than 12 libraries written in Go?"),
            [
                slot("<Service>", "Edge Gateway", "edge-gateway", Some("s1")),
                slot("<number>", "12", "12", None),
                slot("<language>", "Go", "Go", None),
            ]
        );
        assert_eq!(
            slots("What did Zebulon Pike say of \"the long rain\"?"),
            [
                slot("<name>", "Zebulon Pike", "Zebulon Pike", None),
                slot("<text>", "the long rain", "the long rain", None),
            ]
        );
    }
}
