//! Writes GEXF 1.3, the form of Gephi.

use std::{
    collections::HashMap,
    io::{Result, Write},
};

use graphwright_core::{ElementId, Node, Relationship};

use crate::{
    keys::{GraphKeys, Keys, labels},
    xml::Xml,
};

/// The attribute that holds the labels of a node.
const LABELS: &str = "labels";

pub(crate) struct Gexf<W> {
    xml: Xml<W>,
    keys: GraphKeys,
    numbers: HashMap<ElementId, usize>,
    edges: u64,
    in_edges: bool,
}

impl<W: Write> Gexf<W> {
    pub(crate) fn begin(target: W, keys: GraphKeys) -> Result<Self> {
        let mut xml = Xml::begin(target)?;
        xml.open("gexf", &[("xmlns", "http://gexf.net/1.3"), ("version", "1.3")])?;
        xml.open("graph", &[("defaultedgetype", "directed"), ("mode", "static")])?;
        declare(&mut xml, "node", 'n', &keys.nodes, &[LABELS])?;
        declare(&mut xml, "edge", 'e', &keys.relationships, &[])?;
        xml.open("nodes", &[])?;
        Ok(Self { xml, keys, numbers: HashMap::new(), edges: 0, in_edges: false })
    }

    pub(crate) fn node(&mut self, node: &Node) -> Result<()> {
        let number = self.numbers.len();
        self.numbers.insert(node.element_id.clone(), number);
        self.xml.open("node", &[("id", &format!("node{number}")), ("label", node.display_name())])?;
        let mut values = vec![(LABELS.to_owned(), labels(node))];
        values.extend(self.keys.nodes.values('n', &node.properties));
        self.values(&values)?;
        self.xml.close("node")
    }

    pub(crate) fn relationship(&mut self, relationship: &Relationship) -> Result<()> {
        self.begin_edges()?;
        let end = |id| self.numbers.get(id).map(|number| format!("node{number}")).unwrap_or_default();
        let (start, end) = (end(&relationship.start), end(&relationship.end));
        let (id, kind) = (format!("edge{}", self.edges), relationship.kind.as_str());
        self.edges += 1;
        let attributes =
            [("id", id.as_str()), ("source", &start), ("target", &end), ("label", kind), ("kind", kind)];
        self.xml.open("edge", &attributes)?;
        let values = self.keys.relationships.values('e', &relationship.properties);
        self.values(&values)?;
        self.xml.close("edge")
    }

    /// Returns how many characters XML could not hold.
    pub(crate) fn end(mut self) -> Result<u64> {
        self.begin_edges()?;
        self.xml.close("edges")?;
        self.xml.close("graph")?;
        self.xml.close("gexf")?;
        let replaced = self.xml.replaced;
        self.xml.finish()?;
        Ok(replaced)
    }

    fn begin_edges(&mut self) -> Result<()> {
        if self.in_edges {
            return Ok(());
        }
        self.in_edges = true;
        self.xml.close("nodes")?;
        self.xml.open("edges", &[])
    }

    fn values(&mut self, values: &[(String, String)]) -> Result<()> {
        if values.is_empty() {
            return Ok(());
        }
        self.xml.open("attvalues", &[])?;
        for (key, value) in values {
            self.xml.empty("attvalue", &[("for", key), ("value", value)])?;
        }
        self.xml.close("attvalues")
    }
}

/// Declares the attributes of nodes or edges. `own` are texts of ours.
fn declare<W: Write>(xml: &mut Xml<W>, class: &str, first: char, keys: &Keys, own: &[&str]) -> Result<()> {
    xml.open("attributes", &[("class", class)])?;
    for name in own {
        xml.empty("attribute", &[("id", name), ("title", name), ("type", "string")])?;
    }
    for (id, name, kind) in keys.declared(first, own) {
        xml.empty("attribute", &[("id", &id), ("title", &name), ("type", kind.name())])?;
    }
    xml.close("attributes")
}
