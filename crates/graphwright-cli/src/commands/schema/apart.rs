//! What a graph is about, apart from what Graphwright keeps beside it.

use graphwright::{
    GraphSchema, names,
    schema::{Pattern, Target},
};
use serde::{Deserialize, Serialize};

/// Properties of a relationship that say where it is stated.
const SUPPORT: &[&str] = &[
    names::CHUNKS,
    names::STARTS,
    names::ENDS,
    names::CONFIDENCES,
    names::STATED,
    names::WEIGHT,
    names::RECORDED_AT,
    names::ORIGINAL_FROM,
    names::ORIGINAL_TO,
    "original",
];

/// A schema in two parts. Its JSON form is that of the domain, with the other part as a member.
#[derive(Debug, Serialize)]
pub(super) struct Apart {
    /// The types of the domain and their relationships.
    #[serde(flatten)]
    pub(super) domain: GraphSchema,
    /// Documents, passages and records, and what hangs on them.
    pub(super) kept: GraphSchema,
    /// What the ontology declares to be complete.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) complete: Vec<String>,
}

impl Apart {
    pub(super) fn new(schema: GraphSchema) -> Self {
        // Another graph may have documents among its own things.
        let lexical = schema.patterns.iter().any(is_passage_of_document);
        let is_kept = |name: &str| {
            names::is_reserved(name)
                || lexical && (matches!(name, names::DOCUMENT | names::CHUNK) || names::is_lexical(name))
        };
        let mut domain = schema;
        let mut kept = GraphSchema {
            labels: domain.labels.extract_if(.., |element| is_kept(&element.name)).collect(),
            relationship_types: domain
                .relationship_types
                .extract_if(.., |element| is_kept(&element.name))
                .collect(),
            ..GraphSchema::default()
        };
        let touches = |pattern: &mut Pattern| {
            [&pattern.from, &pattern.kind, &pattern.to].into_iter().any(|name| is_kept(name))
        };
        kept.patterns = domain.patterns.extract_if(.., touches).collect();
        let is_ours = |on: &str, properties: &[String]| {
            is_kept(on) || properties.iter().any(|property| names::is_reserved(property))
        };
        kept.indexes = domain
            .indexes
            .extract_if(.., |index| {
                let (Target::Label(on) | Target::RelationshipType(on)) = &index.target;
                is_ours(on, &index.properties)
            })
            .collect();
        kept.constraints = domain
            .constraints
            .extract_if(.., |constraint| is_ours(&constraint.label, &constraint.properties))
            .collect();
        Self { domain, kept, complete: Vec::new() }
    }

    /// Adds what is declared to be complete.
    pub(super) fn with_complete(mut self, complete: Vec<String>) -> Self {
        self.complete = complete;
        self
    }

    /// The number of nodes with a label that is kept.
    pub(super) fn count(&self, label: &str) -> u64 {
        self.kept.labels.iter().find(|element| element.name == label).map_or(0, |element| element.count)
    }

    /// Removes from relationships where they are stated, in the passages.
    pub(super) fn without_support(mut self) -> Self {
        for kind in &mut self.domain.relationship_types {
            if kind.properties.iter().any(|property| property.name == names::CHUNKS) {
                kind.properties.retain(|property| !SUPPORT.contains(&property.name.as_str()));
            }
        }
        self
    }

    /// Reads the JSON form, and puts both parts together.
    pub(super) fn joined(json: &str) -> serde_json::Result<GraphSchema> {
        let mut schema = GraphSchema::from_json(json)?;
        let Second { kept } = serde_json::from_str(json)?;
        schema.labels.extend(kept.labels);
        schema.relationship_types.extend(kept.relationship_types);
        schema.patterns.extend(kept.patterns);
        schema.indexes.extend(kept.indexes);
        schema.constraints.extend(kept.constraints);
        Ok(schema)
    }
}

/// The second part in the JSON form. Schemas from elsewhere have none.
#[derive(Deserialize)]
struct Second {
    #[serde(default)]
    kept: GraphSchema,
}

fn is_passage_of_document(pattern: &Pattern) -> bool {
    (pattern.from.as_str(), pattern.kind.as_str(), pattern.to.as_str())
        == (names::CHUNK, names::FROM_DOCUMENT, names::DOCUMENT)
}

#[cfg(test)]
mod tests {
    use graphwright::schema::{ElementSchema, PropertySchema};

    use super::*;

    fn element(name: &str, properties: &[&str]) -> ElementSchema {
        let property = |name: &&str| PropertySchema { name: (*name).to_owned(), ..PropertySchema::default() };
        let properties = properties.iter().map(property).collect();
        ElementSchema { name: name.to_owned(), count: 1, observed: 1, properties }
    }

    fn schema(labels: &[&str], patterns: &[(&str, &str, &str)]) -> GraphSchema {
        let pattern = |(from, kind, to): &(&str, &str, &str)| Pattern {
            from: (*from).to_owned(),
            kind: (*kind).to_owned(),
            to: (*to).to_owned(),
            count: 1,
        };
        GraphSchema {
            labels: labels.iter().map(|label| element(label, &["name"])).collect(),
            relationship_types: patterns
                .iter()
                .map(|(_, kind, _)| element(kind, &["since", "chunks", "starts", "weight"]))
                .collect(),
            patterns: patterns.iter().map(pattern).collect(),
            ..GraphSchema::default()
        }
    }

    fn names_of(elements: &[ElementSchema]) -> Vec<&str> {
        elements.iter().map(|element| element.name.as_str()).collect()
    }

    #[test]
    fn the_domain_stands_apart_and_both_parts_join_again() {
        let whole = schema(
            &["Service", "Document", "Chunk", "__Meta__"],
            &[
                ("Service", "USES", "Service"),
                ("Chunk", "FROM_DOCUMENT", "Document"),
                ("Service", "FROM_CHUNK", "Chunk"),
            ],
        );
        let apart = Apart::new(whole.clone());
        assert_eq!(names_of(&apart.domain.labels), ["Service"]);
        assert_eq!(names_of(&apart.domain.relationship_types), ["USES"]);
        assert_eq!(apart.domain.patterns.len(), 1);
        assert_eq!(names_of(&apart.kept.labels), ["Document", "Chunk", "__Meta__"]);
        assert_eq!(apart.kept.patterns.len(), 2);

        let joined = Apart::joined(&serde_json::to_string(&apart).unwrap_or_default()).ok();
        assert_eq!(joined, Some(whole));
        let told = apart.without_support();
        let properties: Vec<_> =
            told.domain.relationship_types[0].properties.iter().map(|property| &property.name).collect();
        assert_eq!(properties, ["since"]);
    }

    #[test]
    fn documents_of_another_graph_are_of_its_domain() {
        let apart = Apart::new(schema(&["Document", "Author"], &[("Author", "WROTE", "Document")]));
        assert_eq!(names_of(&apart.domain.labels), ["Document", "Author"]);
        assert_eq!(apart.kept, GraphSchema::default());
    }
}
