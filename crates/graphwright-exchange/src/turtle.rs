//! Writes Turtle (RDF 1.1). `docs/exchange.md` has the scheme of the IRIs.

use std::{
    collections::HashMap,
    fmt::Write as _,
    io::{Error, Result, Write},
};

use graphwright_core::{ElementId, Node, Relationship, Value, names};
use oxrdf::{
    BlankNode, Literal, NamedNode, NamedNodeRef, NamedOrBlankNode, Term, Triple,
    vocab::{rdf, rdfs, xsd},
};
use oxttl::{TurtleSerializer, turtle::WriterTurtleSerializer};

use crate::keys::{text, told};

/// What the IRIs begin with, by prefix.
const PREFIXES: [(&str, &str); 4] = [
    ("node", "urn:graphwright:node:"),
    ("type", "urn:graphwright:type:"),
    ("property", "urn:graphwright:property:"),
    ("relationship", "urn:graphwright:relationship:"),
];

pub(crate) struct Turtle<W: Write> {
    writer: WriterTurtleSerializer<W>,
    nodes: HashMap<ElementId, NamedNode>,
    statements: u64,
}

impl<W: Write> Turtle<W> {
    pub(crate) fn begin(target: W) -> Result<Self> {
        let mut serializer = TurtleSerializer::new();
        let standard = [
            ("rdf", rdf::TYPE.as_str().trim_end_matches("type")),
            ("rdfs", rdfs::LABEL.as_str().trim_end_matches("label")),
        ];
        for (name, iri) in standard.into_iter().chain(PREFIXES) {
            serializer = serializer.with_prefix(name, iri).map_err(Error::other)?;
        }
        Ok(Self { writer: serializer.for_writer(target), nodes: HashMap::new(), statements: 0 })
    }

    pub(crate) fn node(&mut self, node: &Node) -> Result<()> {
        let label = node.labels.first().map_or("", String::as_str);
        let subject = iri("node", &[label, node.id()]);
        self.nodes.insert(node.element_id.clone(), subject.clone());
        let subject = NamedOrBlankNode::from(subject);
        for label in node.labels.iter().filter(|label| !names::is_reserved(label)) {
            self.triple(&subject, rdf::TYPE, iri("type", &[label]))?;
        }
        self.triple(&subject, rdfs::LABEL, Literal::from(node.display_name()))?;
        self.properties(&subject, told(&node.properties))
    }

    /// Writes the relationship as a triple, and what it says of itself as a statement about that triple.
    pub(crate) fn relationship(&mut self, relationship: &Relationship) -> Result<()> {
        let end = |id| self.nodes.get(id).cloned();
        let (Some(start), Some(end)) = (end(&relationship.start), end(&relationship.end)) else {
            return Ok(());
        };
        let predicate = iri("relationship", &[&relationship.kind]);
        let subject = NamedOrBlankNode::from(start.clone());
        self.triple(&subject, predicate.as_ref(), end.clone())?;
        if told(&relationship.properties).next().is_none() {
            return Ok(());
        }
        let statement = BlankNode::new(format!("r{}", self.statements)).map_err(Error::other)?;
        self.statements += 1;
        let statement = NamedOrBlankNode::from(statement);
        self.triple(&statement, rdf::TYPE, rdf::STATEMENT)?;
        self.triple(&statement, rdf::SUBJECT, start)?;
        self.triple(&statement, rdf::PREDICATE, predicate)?;
        self.triple(&statement, rdf::OBJECT, end)?;
        self.properties(&statement, told(&relationship.properties))
    }

    pub(crate) fn end(self) -> Result<()> {
        self.writer.finish()?.flush()
    }

    /// Writes properties. The items of a list are values of the property, each for itself.
    fn properties<'p>(
        &mut self,
        subject: &NamedOrBlankNode,
        properties: impl Iterator<Item = (&'p str, &'p Value)>,
    ) -> Result<()> {
        for (name, value) in properties {
            let property = iri("property", &[name]);
            let items = match value {
                Value::List(items) => items.as_slice(),
                one => std::slice::from_ref(one),
            };
            for item in items.iter().filter(|item| **item != Value::Null) {
                self.triple(subject, property.as_ref(), literal(item))?;
            }
        }
        Ok(())
    }

    fn triple(
        &mut self,
        subject: &NamedOrBlankNode,
        predicate: NamedNodeRef<'_>,
        object: impl Into<Term>,
    ) -> Result<()> {
        self.writer.serialize_triple(&Triple::new(subject.clone(), predicate, object))
    }
}

/// Makes an IRI of names, with slashes between them.
fn iri(prefix: &str, names: &[&str]) -> NamedNode {
    let mut iri = format!("urn:graphwright:{prefix}:");
    for (number, name) in names.iter().enumerate() {
        if number > 0 {
            iri.push('/');
        }
        for byte in name.bytes() {
            if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
                iri.push(char::from(byte));
            } else {
                let _ = write!(iri, "%{byte:02X}");
            }
        }
    }
    NamedNode::new_unchecked(iri)
}

/// Formats a value as a literal of XML Schema's type for it, or as text where there is none.
fn literal(value: &Value) -> Literal {
    match value {
        Value::Boolean(truth) => Literal::from(*truth),
        Value::Integer(number) => Literal::from(*number),
        Value::Float(number) => Literal::from(*number),
        Value::Date(date) => Literal::new_typed_literal(date.to_string(), xsd::DATE),
        Value::LocalTime(time) => Literal::new_typed_literal(time.to_string(), xsd::TIME),
        Value::LocalDateTime(time) => Literal::new_typed_literal(time.to_string(), xsd::DATE_TIME),
        // XML Schema knows offsets and no zones.
        Value::DateTime(time) => {
            let instant = time.timestamp().display_with_offset(time.offset()).to_string();
            Literal::new_typed_literal(instant, xsd::DATE_TIME)
        }
        other => Literal::from(text(other)),
    }
}
