//! What of a graph the words of a question name.

use graphwright_core::{Value, names};
use graphwright_english::questions::{Token, tokenize};

use crate::{
    Answerer,
    question::{Annotator, Piece, Segmentation, Span},
};

/// The most values of one phrase.
const MOST_VALUES: usize = 5;

/// What of a graph the words of a question name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct QuestionTerms {
    /// The labels, relationship types and properties.
    pub schema: Vec<String>,
    /// The names of entities and the stored values.
    pub values: Vec<NamedValue>,
    /// The phrases that name nothing in the graph, as the question has them.
    pub unknown: Vec<String>,
}

/// A stored value that a phrase of a question names.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedValue {
    /// The phrase, as the question has it.
    pub phrase: String,
    /// The label of what holds the value, if that is one thing.
    pub label: Option<String>,
    /// The property.
    pub property: String,
    /// The value.
    pub value: Value,
}

impl QuestionTerms {
    /// Tells whether no word of the question names anything of the graph.
    pub fn is_empty(&self) -> bool {
        self.schema.is_empty() && self.values.is_empty()
    }
}

impl Answerer {
    /// Finds what of the graph the words of a question name, without answering it.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use graphwright_answer::Answerer;
    /// # use graphwright_core::{GraphStore, NodeKey, Properties, store::ChangeSet};
    /// # use graphwright_embedded::EmbeddedStore;
    /// # tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap().block_on(async {
    /// # let store = EmbeddedStore::in_memory();
    /// # let mut changes = ChangeSet::new();
    /// # let properties = Properties::from([("name".into(), "ledger".into())]);
    /// # changes.upsert_node(NodeKey::new("Service", "s1"), &[], properties);
    /// # store.apply(changes).await.unwrap();
    /// // A graph of one service, ledger.
    /// let answerer = Answerer::open(Arc::new(store)).await.unwrap();
    /// let terms = answerer.question_terms("Is the service ledger older than Mars?");
    /// assert_eq!(terms.schema, ["Service"]);
    /// assert_eq!(terms.values[0].value, "ledger".into());
    /// assert!(answerer.question_terms("How high is K2?").is_empty());
    /// # });
    /// ```
    pub fn question_terms(&self, question: &str) -> QuestionTerms {
        let tokens = tokenize(question);
        let (lexicon, schema) = (&self.interpreter.lexicon, &self.interpreter.schema);
        let cut = Annotator::new(lexicon, schema, &tokens).segment().into_iter().next().unwrap_or_default();
        let mut terms = QuestionTerms { unknown: unknown(&tokens, &cut), ..QuestionTerms::default() };
        for span in &cut.spans {
            self.add(&mut terms, span, &phrase(&tokens, span.first, span.end));
        }
        terms
    }

    fn add(&self, terms: &mut QuestionTerms, span: &Span, phrase: &str) {
        let schema = &self.interpreter.schema;
        let properties = |properties: &[u16]| -> Vec<String> {
            properties.iter().map(|&property| schema.property(property).name.clone()).collect()
        };
        let named = match &span.piece {
            Piece::Type(labels) => labels.iter().map(|&label| schema.label(label).to_owned()).collect(),
            Piece::Relation(_, readings) => {
                readings.iter().map(|reading| schema.kind(reading.kind).to_owned()).collect()
            }
            Piece::Property(found) | Piece::Quantity(_, _, found) | Piece::Than(_, _, found) => {
                properties(found)
            }
            _ => Vec::new(),
        };
        for name in named {
            if !terms.schema.contains(&name) {
                terms.schema.push(name);
            }
        }
        match &span.piece {
            Piece::Value(values) => {
                let values = values.iter().take(MOST_VALUES).map(|(property, value)| NamedValue {
                    phrase: phrase.to_owned(),
                    label: None,
                    property: schema.property(*property).name.clone(),
                    value: value.clone(),
                });
                terms.values.extend(values);
            }
            Piece::Entity(nodes) => {
                let values = nodes.iter().take(MOST_VALUES).map(|(node, _)| self.named(*node, phrase));
                terms.values.extend(values);
            }
            _ => {}
        }
    }

    /// The value by which a query finds an entity.
    fn named(&self, node: graphwright_retrieve::NodeIndex, phrase: &str) -> NamedValue {
        let node = self.topology.node(node);
        let name = node.display_name();
        let holds = |property: &str| node.properties.get(property).and_then(Value::as_str) == Some(name);
        let property = ["title", names::NAME].into_iter().rfind(|property| holds(property));
        NamedValue {
            phrase: phrase.to_owned(),
            label: Some(node.kind().to_owned()),
            property: property.unwrap_or(names::ID).to_owned(),
            value: name.into(),
        }
    }
}

/// The phrases of words with a meaning that nothing in the graph explains.
fn unknown(tokens: &[Token], cut: &Segmentation) -> Vec<String> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for &at in &cut.unexplained {
        match runs.last_mut() {
            Some((_, end)) if *end == at => *end = at + 1,
            _ => runs.push((at, at + 1)),
        }
    }
    runs.into_iter().map(|(first, end)| phrase(tokens, first, end)).collect()
}

fn phrase(tokens: &[Token], first: usize, end: usize) -> String {
    let words = tokens.get(first..end).unwrap_or_default().iter().map(|token| token.text.as_str());
    words.collect::<Vec<_>>().join(" ")
}
