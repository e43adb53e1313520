//! Writes GraphML, which Gephi, yEd and networkx read.

use std::{
    collections::HashMap,
    io::{Result, Write},
};

use graphwright_core::{ElementId, Node, Relationship};

use crate::{
    keys::{GraphKeys, labels},
    xml::Xml,
};

/// What a node has beside its properties.
const NODE: [(&str, &str); 2] = [("labels", "labels"), ("label", "label")];
/// What a relationship has beside its properties.
const EDGE: (&str, &str) = ("type", "label");

pub(crate) struct GraphMl<W> {
    xml: Xml<W>,
    keys: GraphKeys,
    numbers: HashMap<ElementId, usize>,
    edges: u64,
}

impl<W: Write> GraphMl<W> {
    pub(crate) fn begin(target: W, keys: GraphKeys) -> Result<Self> {
        let mut xml = Xml::begin(target)?;
        xml.open("graphml", &[("xmlns", "http://graphml.graphdrawing.org/xmlns")])?;
        let mut key = |id: &str, what: &str, name: &str, kind: &str| {
            xml.empty("key", &[("id", id), ("for", what), ("attr.name", name), ("attr.type", kind)])
        };
        for (id, name) in NODE {
            key(id, "node", name, "string")?;
        }
        for (id, name, kind) in keys.nodes.declared('n', &NODE.map(|(_, name)| name)) {
            key(&id, "node", &name, kind.name())?;
        }
        key(EDGE.0, "edge", EDGE.1, "string")?;
        for (id, name, kind) in keys.relationships.declared('e', &[EDGE.1]) {
            key(&id, "edge", &name, kind.name())?;
        }
        xml.open("graph", &[("id", "G"), ("edgedefault", "directed")])?;
        Ok(Self { xml, keys, numbers: HashMap::new(), edges: 0 })
    }

    pub(crate) fn node(&mut self, node: &Node) -> Result<()> {
        let number = self.numbers.len();
        self.numbers.insert(node.element_id.clone(), number);
        self.xml.open("node", &[("id", &format!("node{number}"))])?;
        self.xml.text("data", &[("key", NODE[0].0)], &labels(node))?;
        self.xml.text("data", &[("key", NODE[1].0)], node.display_name())?;
        for (key, text) in self.keys.nodes.values('n', &node.properties) {
            self.xml.text("data", &[("key", &key)], &text)?;
        }
        self.xml.close("node")
    }

    pub(crate) fn relationship(&mut self, relationship: &Relationship) -> Result<()> {
        let end = |id| self.numbers.get(id).map(|number| format!("node{number}")).unwrap_or_default();
        let (start, end) = (end(&relationship.start), end(&relationship.end));
        let id = format!("edge{}", self.edges);
        self.edges += 1;
        self.xml.open("edge", &[("id", &id), ("source", &start), ("target", &end)])?;
        self.xml.text("data", &[("key", EDGE.0)], &relationship.kind)?;
        for (key, text) in self.keys.relationships.values('e', &relationship.properties) {
            self.xml.text("data", &[("key", &key)], &text)?;
        }
        self.xml.close("edge")
    }

    /// Returns how many characters XML could not hold.
    pub(crate) fn end(mut self) -> Result<u64> {
        self.xml.close("graph")?;
        self.xml.close("graphml")?;
        let replaced = self.xml.replaced;
        self.xml.finish()?;
        Ok(replaced)
    }
}
