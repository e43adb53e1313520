//! Converts ontologies of the benchmark to ours.

use std::collections::BTreeMap;

use anyhow::Result;
use graphwright_ontology::{DataType, NodeType, Ontology, PropertyType, RelationshipType};
use oxrdf::{
    NamedNodeRef, NamedOrBlankNode, Term, Triple,
    vocab::{rdf, rdfs},
};
use oxttl::TurtleParser;

/// What the benchmark says of concepts and of relations (its vocabulary is OWL).
const CLASS: &str = "http://www.w3.org/2002/07/owl#Class";
const RELATION: &str = "http://www.w3.org/2002/07/owl#ObjectProperty";

/// An ontology of the benchmark in our form, with what the score needs of the original.
#[derive(Debug)]
pub(crate) struct Converted {
    /// The types for the extractor.
    pub(crate) ontology: Ontology,
    /// Labels of all concepts.
    pub(crate) concepts: Vec<String>,
    /// Labels of all relations.
    pub(crate) relations: Vec<String>,
}

/// Converts an ontology: concepts become node types, and relations become relationship types.
///
/// A relation without a range, which the benchmark uses for literals, becomes a property of its
/// domain. A concept that is used but has no label keeps its identifier as its name. No word is
/// added: the rules have only the names.
pub(crate) fn convert(turtle: &str) -> Result<Converted> {
    let triples: Vec<Triple> = TurtleParser::new().for_slice(turtle).collect::<Result<_, _>>()?;
    let of_kind = |kind: &'static str| {
        let of_kind = move |triple: &&Triple| triple.predicate == rdf::TYPE && text(&triple.object) == kind;
        triples.iter().filter(of_kind).map(|triple| &triple.subject)
    };
    let objects = |subject: &NamedOrBlankNode, predicate: NamedNodeRef<'_>| -> Vec<String> {
        let wanted = |triple: &&Triple| triple.subject == *subject && triple.predicate == predicate;
        triples.iter().filter(wanted).map(|triple| text(&triple.object).trim().to_owned()).collect()
    };
    let mut labels = BTreeMap::new();
    let mut converted =
        Converted { ontology: Ontology::default(), concepts: Vec::new(), relations: Vec::new() };
    for concept in of_kind(CLASS) {
        let names = objects(concept, rdfs::LABEL);
        if let Some(name) = names.first() {
            labels.insert(identifier(concept).to_owned(), pascal_case(name));
            let node = converted.ontology.nodes.entry(pascal_case(name)).or_default();
            node.synonyms.extend_from_slice(&names[1..]);
        }
        converted.concepts.extend(names);
    }
    for relation in of_kind(RELATION) {
        let mut types = |predicate| -> Vec<String> {
            let concepts = objects(relation, predicate).into_iter();
            concepts.map(|concept| node_type(&mut converted.ontology, &labels, &concept)).collect()
        };
        let (from, to) = (types(rdfs::DOMAIN), types(rdfs::RANGE));
        for name in objects(relation, rdfs::LABEL) {
            add_relation(&mut converted.ontology, &name, &from, &to);
            converted.relations.push(name);
        }
    }
    Ok(converted)
}

/// An IRI, the identifier of a blank node or the text of a literal.
fn text(term: &Term) -> &str {
    match term {
        Term::NamedNode(node) => node.as_str(),
        Term::BlankNode(node) => node.as_str(),
        Term::Literal(literal) => literal.value(),
    }
}

fn identifier(subject: &NamedOrBlankNode) -> &str {
    match subject {
        NamedOrBlankNode::NamedNode(node) => node.as_str(),
        NamedOrBlankNode::BlankNode(node) => node.as_str(),
    }
}

fn node_type(ontology: &mut Ontology, labels: &BTreeMap<String, String>, concept: &str) -> String {
    let identifier = || concept.rsplit('#').next().unwrap_or(concept).to_owned();
    let label = labels.get(concept).cloned().unwrap_or_else(identifier);
    ontology.nodes.entry(label.clone()).or_default();
    label
}

fn add_relation(ontology: &mut Ontology, name: &str, from: &[String], to: &[String]) {
    if !to.is_empty() {
        let relationship =
            RelationshipType { from: from.to_vec(), to: to.to_vec(), ..RelationshipType::default() };
        ontology.relationships.insert(snake_case(name).to_uppercase(), relationship);
        return;
    }
    let is_date = name.split_whitespace().next_back() == Some("date");
    let kind = if is_date { DataType::Date } else { DataType::String };
    for label in from {
        let node: &mut NodeType = ontology.nodes.entry(label.clone()).or_default();
        let property = PropertyType { kind: kind.clone(), ..PropertyType::default() };
        node.properties.insert(snake_case(name), property);
    }
}

fn words(name: &str) -> impl Iterator<Item = &str> {
    name.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty())
}

fn pascal_case(name: &str) -> String {
    let capital = |word: &str| -> String {
        let mut letters = word.chars();
        letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
    };
    words(name).map(capital).collect()
}

fn snake_case(name: &str) -> String {
    words(&name.to_lowercase()).collect::<Vec<_>>().join("_")
}

#[cfg(test)]
mod tests {
    use super::convert;

    const SHIPS: &str = r#"
@base <http://example.org/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .

<o/concepts#Q1> a owl:Class ; rdfs:label "cargo ship" .
<o/concepts#Q2> a owl:Class ; rdfs:label "human" .
<o/relations#P1> a owl:ObjectProperty ; rdfs:label "commanded by " ;
    rdfs:domain <o/concepts#Q1>, <o/concepts#Q9> ; rdfs:range <o/concepts#Q2> .
<o/relations#P2> a owl:ObjectProperty ; rdfs:label "launch date" ; rdfs:domain <o/concepts#Q1> .
<o/relations#P3> a owl:ObjectProperty ; rdfs:label "hull material" ; rdfs:domain <o/concepts#Q1> .
"#;

    const SHIPS_OF_OURS: &str = r#"name: ""
nodes:
  CargoShip:
    properties:
      launch_date:
        type: date
      hull_material:
        type: string
  Human: {}
  Q9: {}
relationships:
  COMMANDED_BY:
    from:
    - CargoShip
    - Q9
    to:
    - Human
"#;

    #[test]
    fn concepts_become_nodes_and_relations_relationships_or_properties() {
        let converted = convert(SHIPS).unwrap();
        assert_eq!(converted.ontology.to_yaml().unwrap(), SHIPS_OF_OURS);
        assert_eq!(converted.concepts, ["cargo ship", "human"]);
        assert_eq!(converted.relations, ["commanded by", "launch date", "hull material"]);
        assert!(converted.ontology.check().is_empty());
    }

    #[test]
    fn an_open_string_is_an_error() {
        assert!(convert("<http://example.org/x> a \"film .").is_err());
    }
}
