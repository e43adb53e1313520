//! Facts and properties of a sentence, read from its tree by the phrases of the ontology.

mod ends;
mod nouns;
mod properties;
mod values;
mod verbs;

use std::collections::BTreeMap;

use graphwright_core::{Span, Value};
use graphwright_english::parse::Tag;

use super::{
    collect::{Collector, Status},
    context::{Context, Entity},
    mentions::Lexicon,
    survey,
    tree::{SentenceTree, Subject},
    units::{Sentence, UnitKind},
};

/// Reads facts out of sentences.
#[derive(Debug)]
pub(super) struct Reader<'a, 'b> {
    pub(super) lexicon: Lexicon<'a>,
    pub(super) context: &'b Context,
    pub(super) collector: &'b mut Collector<'a>,
    /// Where facts of this sentence stand.
    pub(super) span: Span,
    /// What the section says of all its sentences.
    pub(super) base: Status,
}

/// The most words of a sentence that is read: a longer one is a list or a table that lost its lines.
const LONGEST: usize = 120;

/// What stands at the ends of a relationship in a sentence.
#[derive(Debug)]
struct Statement {
    relation: usize,
    from: Vec<Subject>,
    to: Vec<Subject>,
    status: Status,
}

/// Whether a sentence is worth a parse: it names or points at something, and holds a word of the ontology.
pub(super) fn could_say_something(lexicon: Lexicon<'_>, sentence: &Sentence<'_>, has_topic: bool) -> bool {
    let stands =
        |kind: &UnitKind| matches!(kind, UnitKind::Name(_) | UnitKind::Described(_) | UnitKind::Pronoun);
    if sentence.tokens.len() > LONGEST || !has_topic && !sentence.units.iter().any(|unit| stands(&unit.kind))
    {
        return false;
    }
    let vocabulary = lexicon.vocabulary;
    (0..sentence.tokens.len()).any(|at| {
        let token = &sentence.tokens[at];
        [Some(&token.lower), token.singular.as_ref()].into_iter().flatten().any(|word| {
            vocabulary.heads.contains_key(word)
                || vocabulary.predicates.contains_key(word)
                || vocabulary.doings.contains_key(word)
                || vocabulary.event_verbs.contains_key(word)
        }) || vocabulary.nouns.find(sentence.tokens, at).is_some()
            || vocabulary.property_words.find(sentence.tokens, at).is_some()
            || vocabulary.allowed_values_at(sentence.tokens, at).is_some()
    })
}

impl Reader<'_, '_> {
    /// Reads all that a sentence states.
    pub(super) fn read(&mut self, sentence: &SentenceTree<'_>) {
        self.read_relations(sentence);
        self.read_properties(sentence);
    }

    /// Reads the relationships that a sentence states.
    pub(super) fn read_relations(&mut self, sentence: &SentenceTree<'_>) {
        let mut statements = self.verbal(sentence);
        statements.extend(self.nominal(sentence));
        for statement in statements {
            self.state(sentence, &statement);
        }
    }

    /// States a relationship between all ends, or pairwise for `respectively`.
    fn state(&mut self, sentence: &SentenceTree<'_>, statement: &Statement) {
        let relation = &self.lexicon.vocabulary.relations[statement.relation];
        let from = self.ends(sentence, &statement.from, &relation.from);
        let to = self.ends(sentence, &statement.to, &relation.to);
        let paired = (0..sentence.len()).any(|word| sentence.lower(word) == "respectively");
        if paired && from.len() != to.len() {
            return;
        }
        let properties = self.validity(sentence, statement);
        for (place, (start, one)) in from.iter().enumerate() {
            for (other_place, (end, other)) in to.iter().enumerate() {
                if paired && place != other_place || survey::is_short_for(&start.name, &end.name) {
                    continue;
                }
                let status = statement.status.max(one.status).max(other.status).max(self.base);
                let sure = one.sure.min(other.sure);
                self.collector.fact(
                    statement.relation,
                    start,
                    end,
                    status,
                    sure,
                    self.span,
                    properties.clone(),
                );
            }
        }
    }

    /// `since 2021-03-01` beside what is stated, as a property of the fact.
    fn validity(&self, sentence: &SentenceTree<'_>, statement: &Statement) -> BTreeMap<String, Value> {
        let since = (0..sentence.len()).filter(|word| matches!(sentence.lower(*word), "since" | "from"));
        let mut dates = since.filter_map(|word| {
            let start = sentence.token(word) + 1;
            let tokens = sentence.sentence.tokens;
            (start + 1..=(start + 4).min(tokens.len()))
                .find_map(|end| super::values::date(sentence.sentence.text(start..end)))
        });
        let mut properties = BTreeMap::new();
        let definition = &self.lexicon.vocabulary.relations[statement.relation];
        if let Some(date) = dates.next() {
            let declared = definition.properties.iter().find(|(name, property)| {
                property.kind == graphwright_ontology::DataType::Date
                    && ["since", "start", "from"].iter().any(|word| name.contains(word))
            });
            let name = declared.map_or(graphwright_core::names::VALID_FROM, |(name, _)| name.as_str());
            properties.insert(name.to_owned(), Value::Date(date));
        }
        properties
    }

    /// The entities that a sentence tells of: its subjects, or what it leaves out. `None` where it names nothing.
    pub(super) fn told_of(&self, sentence: &SentenceTree<'_>) -> Option<Vec<Entity>> {
        let root = sentence.tree().root()?;
        let main = if sentence.is_predicate(root) || sentence.tree().tag(root) != Tag::Noun {
            root
        } else {
            sentence.children(root, &["acl"]).next().unwrap_or(root)
        };
        let subject = match sentence.subject(main) {
            Some(subject) => subject,
            None if sentence.name(root).is_some() => Subject::Word(root),
            None => return None,
        };
        let all: Vec<usize> = (0..self.lexicon.vocabulary.types.len()).collect();
        let ends = self.ends(sentence, &[subject], &all);
        Some(ends.into_iter().map(|(entity, _)| entity).collect())
    }
}
