//! Reads claims back from the graph.

use std::collections::{BTreeMap, HashMap};

use futures::StreamExt;
use graphwright_core::{
    ElementId, GraphStore, NodeKey, Properties, Relationship, Span, Statement, Value, names,
    store::{QueryOptions, ScanOptions, Selection},
};

use super::{
    DocumentClaims, EntityClaims, FactKey, Ledger, MentionPlace, PropertyClaim, Support,
    project::{END, NAMES, ORIGINAL, PROPERTY, START, VALUE},
};
use crate::Result;

/// Document property: its headings, as `graphwright_documents::headings::keys` gives them.
pub(crate) const HEADINGS: &str = "__headings__";

/// A document in the store.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StoredDocument {
    pub id: String,
    pub properties: Properties,
}

impl StoredDocument {
    pub(crate) fn text(&self, property: &str) -> &str {
        self.properties.get(property).and_then(Value::as_str).unwrap_or_default()
    }

    /// Its headings, as they are counted over all documents.
    pub(crate) fn headings(&self) -> impl Iterator<Item = &str> {
        let list = self.properties.get(HEADINGS).and_then(Value::as_list).unwrap_or_default();
        list.iter().filter_map(Value::as_str)
    }
}

/// Reads the documents of a store, by identifier.
pub(crate) async fn load_documents(store: &dyn GraphStore) -> Result<BTreeMap<String, StoredDocument>> {
    let statement = Statement::fixed("MATCH (d:Document) RETURN d");
    // The default limit is for questions; reading all documents may take longer.
    let options = QueryOptions { time_limit: None, ..QueryOptions::default() };
    let table = store.read(statement, options).await?.collect().await?;
    let nodes = table.rows.into_iter().flatten().filter_map(|value| match value {
        Value::Node(node) => Some(*node),
        _ => None,
    });
    Ok(nodes
        .map(|node| {
            let id = node.id().to_owned();
            let mut properties = node.properties;
            // Projections have it in the key alone; left here, it would count as a property to
            // remove.
            properties.remove(names::ID);
            (id.clone(), StoredDocument { id, properties })
        })
        .collect())
}

/// Reads all claims and merges of a store.
pub(crate) async fn load(store: &dyn GraphStore) -> Result<Ledger> {
    let options = ScanOptions {
        labels: Selection::only([names::ENTITY, names::CHUNK, names::MERGE]),
        relationship_types: Selection::Except(vec![
            names::FROM_DOCUMENT.to_owned(),
            names::NEXT_CHUNK.to_owned(),
            names::LINKS_TO.to_owned(),
        ]),
        node_properties: Selection::only([names::ID, "document", "label", "kept", "merged"]),
        relationship_properties: Selection::All,
    };
    let mut reader = LedgerReader::default();
    let mut batches = store.scan(options).await?;
    while let Some(batch) = batches.next().await {
        let batch = batch?;
        for node in batch.nodes {
            reader.read_node(&node);
        }
        for relationship in &batch.relationships {
            reader.read_relationship(relationship);
        }
    }
    let mut ledger = Ledger { merges: reader.merges, ..Ledger::default() };
    for (document, mut claims) in reader.claims {
        claims.sort();
        ledger.insert(&document, claims);
    }
    Ok(ledger)
}

#[derive(Default)]
struct LedgerReader {
    entities: HashMap<ElementId, NodeKey>,
    /// Identifiers of chunk and document, by element.
    chunks: HashMap<ElementId, (String, String)>,
    documents: HashMap<String, String>,
    merges: HashMap<NodeKey, NodeKey>,
    claims: BTreeMap<String, DocumentClaims>,
}

impl LedgerReader {
    fn read_node(&mut self, node: &graphwright_core::Node) {
        let text = |property: &str| node.properties.get(property).and_then(Value::as_str).unwrap_or_default();
        let has = |label: &str| node.labels.iter().any(|candidate| candidate == label);
        if has(names::MERGE) {
            let key = |property: &str| NodeKey::new(text("label"), text(property));
            self.merges.insert(key("merged"), key("kept"));
        } else if has(names::CHUNK) {
            let document = text("document").to_owned();
            self.documents.insert(node.id().to_owned(), document.clone());
            self.chunks.insert(node.element_id.clone(), (node.id().to_owned(), document));
        } else {
            self.entities.insert(node.element_id.clone(), NodeKey::new(node.kind(), node.id()));
        }
    }

    fn read_relationship(&mut self, relationship: &Relationship) {
        // A scan gives all nodes before the first relationship, so both ends are known by now.
        let Some(from) = self.entities.get(&relationship.start).cloned() else { return };
        if relationship.kind == names::FROM_CHUNK {
            let Some((chunk, document)) = self.chunks.get(&relationship.end).cloned() else { return };
            let original = match relationship.properties.get(ORIGINAL).and_then(Value::as_str) {
                Some(id) => NodeKey::new(from.label.clone(), id),
                None => from,
            };
            let claims = self.claims.entry(document).or_default().entities.entry(original).or_default();
            read_mention(claims, chunk, &relationship.properties);
        } else if let Some(to) = self.entities.get(&relationship.end).cloned() {
            self.read_fact(&from, &to, relationship);
        }
    }

    /// Reads the statements of a fact. A relationship without supports is not ours: it was imported
    /// or written by hand, and stays as it is.
    fn read_fact(&mut self, from: &NodeKey, to: &NodeKey, relationship: &Relationship) {
        let list =
            |name: &str| relationship.properties.get(name).and_then(Value::as_list).unwrap_or_default();
        let at = |name: &str, index: usize| list(name).get(index);
        let key = |side: &NodeKey, name: &str, index: usize| {
            let original = at(name, index).and_then(Value::as_str).unwrap_or(&side.id);
            NodeKey::new(side.label.clone(), original)
        };
        for (index, chunk) in list(names::CHUNKS).iter().filter_map(Value::as_str).enumerate() {
            let Some(document) = self.documents.get(chunk).cloned() else { continue };
            let fact = FactKey {
                kind: relationship.kind.clone(),
                from: key(from, names::ORIGINAL_FROM, index),
                to: key(to, names::ORIGINAL_TO, index),
            };
            let support = Support {
                chunk: chunk.to_owned(),
                span: Span::new(offset(at(names::STARTS, index)), offset(at(names::ENDS, index))),
                confidence: at(names::CONFIDENCES, index).and_then(Value::as_float).unwrap_or(1.0),
                stated: at(names::STATED, index)
                    .and_then(Value::as_str)
                    .and_then(|json| serde_json::from_str(json).ok())
                    .unwrap_or_default(),
                recorded_at: relationship.properties.get(names::RECORDED_AT).cloned().unwrap_or_default(),
            };
            self.claims.entry(document).or_default().facts.entry(fact).or_default().push(support);
        }
    }
}

fn read_mention(claims: &mut EntityClaims, chunk: String, properties: &Properties) {
    let Some(name) = properties.get(PROPERTY).and_then(Value::as_str) else {
        let list = |name: &str| properties.get(name).and_then(Value::as_list).unwrap_or_default();
        let ends = list(names::ENDS).iter();
        let spans = list(names::STARTS).iter().zip(ends);
        let place = MentionPlace {
            spans: spans.map(|(start, end)| Span::new(offset(Some(start)), offset(Some(end)))).collect(),
            names: list(NAMES).iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        };
        claims.mentions.insert(chunk, place);
        return;
    };
    claims.properties.push(PropertyClaim {
        name: name.to_owned(),
        value: properties.get(VALUE).cloned().unwrap_or_default(),
        confidence: properties.get(names::CONFIDENCE).and_then(Value::as_float).unwrap_or(1.0),
        chunk,
        span: Span::new(offset(properties.get(START)), offset(properties.get(END))),
        recorded_at: properties.get(names::RECORDED_AT).cloned().unwrap_or_default(),
    });
}

fn offset(value: Option<&Value>) -> usize {
    value.and_then(Value::as_integer).and_then(|offset| usize::try_from(offset).ok()).unwrap_or_default()
}
