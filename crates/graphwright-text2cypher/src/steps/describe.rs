//! Schema: the whole of it when it fits, else the part that the question needs.

use std::collections::BTreeSet;

use graphwright_core::{GraphSchema, schema::Pattern};
use graphwright_llm::estimate_tokens;
use graphwright_retrieve::schema_prompt;

use crate::{
    event::{Clear, Described, Draft, SchemaText},
    session::Session,
};

/// How many names of the schema are taken by meaning for one phrase.
const BY_MEANING: usize = 2;
/// By what the room for the schema grows when the part of it lacked something.
const GROWTH: u64 = 4;

/// Chooses the part of the schema that the model is told.
pub(crate) async fn describe(session: &Session, Clear(asked): Clear) -> Described {
    let tokens = session.options.limits.schema_tokens;
    let schema = schema_text(session, &asked.question, tokens).await;
    if !schema.is_whole {
        session.tell_step("the schema does not fit: choosing the part that the question needs");
    }
    Described { asked, schema }
}

/// Returns the draft with a larger part of the schema, or `None` if it has all of it or was grown before.
pub(crate) async fn grown(session: &Session, draft: &Draft) -> Option<Draft> {
    let tokens = session.options.limits.schema_tokens.saturating_mul(GROWTH);
    if draft.prepared.schema.is_whole {
        return None;
    }
    let schema = schema_text(session, &draft.prepared.asked.question, tokens).await;
    if schema == draft.prepared.schema {
        return None;
    }
    session.tell_step("the part of the schema lacked something: a larger part is shown");
    let mut draft = draft.clone();
    draft.prepared.schema = schema;
    Some(draft)
}

async fn schema_text(session: &Session, question: &str, tokens: u64) -> SchemaText {
    let whole = schema_prompt(&session.schema);
    if estimate_tokens(&whole) <= tokens {
        return SchemaText { text: whole, is_whole: true };
    }
    let seeds = seeds(session, question).await;
    SchemaText { text: schema_prompt(&part(&session.schema, &seeds, tokens)), is_whole: false }
}

/// The names that a question leads to: by its words, by stored values, and by meaning.
async fn seeds(session: &Session, question: &str) -> BTreeSet<String> {
    let terms = session.answerer.question_terms(question);
    let mut seeds: BTreeSet<String> = terms.schema.iter().cloned().collect();
    for value in &terms.values {
        seeds.extend(value.label.clone());
        seeds.insert(value.property.clone());
    }
    let names = || session.schema.labels.iter().chain(&session.schema.relationship_types);
    let names: Vec<String> = names().map(|element| element.name.clone()).collect();
    for phrase in &terms.unknown {
        // Without what is near in meaning, the part is chosen by words alone.
        let near = session.suggest.names(phrase, &names, BY_MEANING).await.unwrap_or_default();
        seeds.extend(near.into_iter().map(|found| found.text));
    }
    seeds
}

/// Chooses labels and relationship types: those that are named, what they are connected with, and then the most frequent, for as long as
/// the text stays within a number of tokens.
fn part(schema: &GraphSchema, seeds: &BTreeSet<String>, tokens: u64) -> GraphSchema {
    let mut labels = Labels { schema, chosen: Vec::new() };
    for seed in seeds {
        labels.add(seed);
    }
    for label in &schema.labels {
        if label.properties.iter().any(|property| seeds.contains(&property.name)) {
            labels.add(&label.name);
        }
    }
    for pattern in schema.patterns.iter().filter(|pattern| seeds.contains(&pattern.kind)) {
        labels.add(&pattern.from);
        labels.add(&pattern.to);
    }
    let named = labels.chosen.clone();
    let touches =
        |pattern: &&Pattern| named.contains(&pattern.from.as_str()) || named.contains(&pattern.to.as_str());
    for pattern in schema.patterns.iter().filter(touches) {
        labels.add(&pattern.from);
        labels.add(&pattern.to);
    }
    for label in &schema.labels {
        labels.add(&label.name);
    }
    let labels = labels.chosen;
    // The text grows with each label, so the longest list that fits is found by halves.
    let fits =
        |count: usize| estimate_tokens(&schema_prompt(&restricted(schema, &labels[..count]))) <= tokens;
    let (mut low, mut high) = (1.min(labels.len()), labels.len());
    while low < high {
        let middle = usize::midpoint(low, high + 1);
        if fits(middle) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    restricted(schema, &labels[..low])
}

/// Labels of a schema in the order in which they were chosen, each once.
struct Labels<'a> {
    schema: &'a GraphSchema,
    chosen: Vec<&'a str>,
}

impl Labels<'_> {
    /// Adds a label, unless the name is that of something else.
    fn add(&mut self, name: &str) {
        let known = self.schema.labels.iter().find(|label| label.name == name);
        self.chosen.extend(known.map(|label| label.name.as_str()).filter(|name| !self.chosen.contains(name)));
    }
}

/// The schema of some labels, with the relationship types between them.
fn restricted(schema: &GraphSchema, labels: &[&str]) -> GraphSchema {
    let within =
        |pattern: &&Pattern| labels.contains(&pattern.from.as_str()) && labels.contains(&pattern.to.as_str());
    let patterns: Vec<Pattern> = schema.patterns.iter().filter(within).cloned().collect();
    let is_used = |name: &str| patterns.iter().any(|pattern| pattern.kind == name);
    GraphSchema {
        labels: schema.labels.iter().filter(|label| labels.contains(&label.name.as_str())).cloned().collect(),
        relationship_types: schema
            .relationship_types
            .iter()
            .filter(|kind| is_used(&kind.name))
            .cloned()
            .collect(),
        patterns,
        ..GraphSchema::default()
    }
}

#[cfg(test)]
mod tests {
    use graphwright_core::schema::{ElementSchema, PropertySchema};

    use super::*;

    fn schema() -> GraphSchema {
        let property = PropertySchema { name: "name".into(), ..PropertySchema::default() };
        let label = |name: String| ElementSchema {
            name,
            properties: vec![property.clone()],
            ..ElementSchema::default()
        };
        let pattern = |number: usize| Pattern {
            from: format!("Type{number}"),
            kind: "NEXT".into(),
            to: format!("Type{}", number + 1),
            count: 1,
        };
        GraphSchema {
            labels: (0..40).map(|number| label(format!("Type{number}"))).collect(),
            relationship_types: vec![ElementSchema { name: "NEXT".into(), ..ElementSchema::default() }],
            patterns: (0..39).map(pattern).collect(),
            ..GraphSchema::default()
        }
    }

    fn names(schema: &GraphSchema) -> BTreeSet<&str> {
        schema.labels.iter().map(|label| label.name.as_str()).collect()
    }

    #[test]
    fn the_part_begins_at_what_is_named_and_keeps_to_its_room() {
        let (schema, seeds) = (schema(), BTreeSet::from(["Type30".to_owned()]));
        let chosen = part(&schema, &seeds, 120);
        let named = names(&chosen);
        assert!(
            named.contains("Type30") && named.contains("Type29") && named.contains("Type31"),
            "{named:?}"
        );
        assert!(named.len() < 40);
        assert!(estimate_tokens(&schema_prompt(&chosen)) <= 120);
        assert_eq!(chosen.relationship_types.len(), 1);
        // More room shows more, and what was shown before stays.
        let larger = part(&schema, &seeds, 240);
        assert!(names(&larger).is_superset(&named) && names(&larger).len() > named.len());
    }
}
