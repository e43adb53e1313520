//! Reads the entries of an index from a store.

use std::collections::{BTreeSet, HashMap};

use futures::{StreamExt, TryStreamExt};
use graphwright_core::{
    ElementId, GraphStore, Node, Properties, Relationship, Value,
    document::Pages,
    names,
    store::{ScanOptions, Selection},
};
use graphwright_english::names::name_key;

use super::{
    HitKind, SearchRequest,
    entries::Entries,
    entry::{Entry, Facets, Shown},
    stems::Language,
};
use crate::{
    Result, Role,
    naming::name_nodes,
    properties::{in_words, telling},
    rank::{KnownNames, title_keys},
    role::role_of,
    validity::{day_number, interval},
};

/// The longest value, in bytes, by which entries are filtered. Longer ones are texts.
const LONGEST_VALUE: usize = 256;

/// Relationships between an entity and a passage that mentions it: ours, and those of other tools.
const MENTIONS: [&str; 4] = [names::FROM_CHUNK, "MENTIONS", "HAS_ENTITY", "MENTIONED_IN"];

/// Reads everything that can be found, sorted.
pub(super) async fn read_entries(store: &dyn GraphStore) -> Result<Entries> {
    let lexical = [names::FROM_DOCUMENT, names::NEXT_CHUNK, names::LINKS_TO];
    let scan = ScanOptions {
        node_properties: Selection::Except(vec![names::EMBEDDING.to_owned()]),
        relationship_types: Selection::Except(lexical.map(str::to_owned).to_vec()),
        ..ScanOptions::default()
    };
    let mut batches = store.scan(scan).await?.fuse();
    let mut nodes = Nodes::default();
    // All nodes come before the first relationship.
    let mut relationships = Vec::new();
    while relationships.is_empty()
        && let Some(batch) = batches.try_next().await?
    {
        nodes.add(batch.nodes);
        relationships = batch.relationships;
    }
    let mut graph = nodes.named()?;
    graph.add(relationships)?;
    while let Some(batch) = batches.try_next().await? {
        graph.add(batch.relationships)?;
    }
    graph.into_entries()
}

/// The nodes of a graph, while they are read.
#[derive(Default)]
struct Nodes {
    /// Entries of passages and documents.
    texts: Vec<Entry>,
    /// Positions of the passages among them.
    passages: HashMap<ElementId, usize>,
    entities: Vec<Node>,
    /// Titles and languages of the documents.
    documents: HashMap<String, (String, Language)>,
    /// Documents of the passages.
    chunks: HashMap<String, String>,
}

impl Nodes {
    fn add(&mut self, nodes: Vec<Node>) {
        for node in nodes {
            match role_of(&node.labels) {
                Role::Record => {}
                Role::Chunk => {
                    self.passages.insert(node.element_id.clone(), self.texts.len());
                    let entry = chunk_entry(node);
                    if let Some(document) = &entry.shown.document {
                        self.chunks.insert(entry.shown.id.clone(), document.clone());
                    }
                    self.texts.push(entry);
                }
                Role::Document => {
                    let mut entry = node_entry(&node);
                    let language = node.properties.get("language").and_then(Value::as_str);
                    entry.facets.language = language.map_or(Language::English, Language::of_code);
                    let known = (entry.shown.name.clone(), entry.facets.language);
                    self.documents.insert(entry.shown.id.clone(), known);
                    self.texts.push(entry);
                }
                Role::Entity => self.entities.push(node),
            }
        }
    }

    /// Names the entities, and packs them.
    fn named(mut self) -> Result<Graph> {
        name_nodes(&mut self.entities);
        let mut names = KnownNames::default();
        for entry in &mut self.texts {
            if entry.shown.kind == HitKind::Chunk {
                under_its_title(entry, &self.documents);
                entry.facets.headings = title_keys(&entry.shown.name);
                entry.facets.headings.iter().for_each(|name| names.insert(name));
                names.read(&entry.shown.text);
            } else {
                names.insert(&entry.shown.name);
            }
        }
        let (mut entries, mut entities) = (Entries::default(), HashMap::new());
        for node in std::mem::take(&mut self.entities) {
            let entry = node_entry(&node);
            entries.push(&entry)?;
            names.insert(&entry.shown.name);
            entities.insert(node.element_id, (entry.shown.id, entry.shown.name));
        }
        Ok(Graph { nodes: self, names, entities, entries })
    }
}

/// A graph whose nodes are known, while its relationships are read.
struct Graph {
    /// All but the entities.
    nodes: Nodes,
    /// The names of entities and documents, those that head passages, and runs of capitals.
    names: KnownNames,
    /// Identifiers and names of the entities.
    entities: HashMap<ElementId, (String, String)>,
    /// Entities and facts.
    entries: Entries,
}

impl Graph {
    fn add(&mut self, relationships: Vec<Relationship>) -> Result<()> {
        for relationship in relationships {
            if MENTIONS.contains(&relationship.kind.as_str()) {
                self.add_mention(&relationship.start, &relationship.end);
                self.add_mention(&relationship.end, &relationship.start);
            }
            if let Some(fact) = self.fact_entry(&relationship) {
                self.entries.push(&fact)?;
            }
        }
        Ok(())
    }

    /// Adds the name of an entity to a passage that mentions it, if these are such.
    fn add_mention(&mut self, entity: &ElementId, passage: &ElementId) {
        if let (Some((_, name)), Some(&at)) = (self.entities.get(entity), self.nodes.passages.get(passage)) {
            self.nodes.texts[at].facets.names.insert(name_key(name));
        }
    }

    /// Reads a fact as a sentence: `auth-service depends on auth-lib-v2`. `None` if it does not connect
    /// two entities.
    fn fact_entry(&self, fact: &Relationship) -> Option<Entry> {
        if names::is_reserved(&fact.kind) {
            return None;
        }
        let ((from, start), (to, end)) = (self.entities.get(&fact.start)?, self.entities.get(&fact.end)?);
        let chunks = fact.properties.get(names::CHUNKS).and_then(Value::as_list).unwrap_or_default();
        let mut documents: Vec<String> = Vec::new();
        for document in chunks.iter().filter_map(|chunk| self.nodes.chunks.get(chunk.as_str()?)) {
            if !documents.contains(document) {
                documents.push(document.clone());
            }
        }
        let first = documents.first();
        let language = first.and_then(|document| Some(self.nodes.documents.get(document)?.1));
        let shown = Shown {
            kind: HitKind::Fact,
            id: fact.id().to_owned(),
            name: format!("{start} {} {end}", fact.kind.to_lowercase().replace('_', " ")),
            label: fact.kind.clone(),
            document: first.cloned(),
            page: None,
            from: Some(from.clone()),
            to: Some(to.clone()),
            text: properties_in_words(&fact.properties, ""),
            start: None,
        };
        let own = facets(std::slice::from_ref(&fact.kind), &fact.properties);
        Some(Entry { shown, facets: Facets { documents, language: language.unwrap_or(own.language), ..own } })
    }

    /// Adds the documents, and the passages with the names in them.
    fn into_entries(self) -> Result<Entries> {
        let Self { nodes, names, mut entries, .. } = self;
        for Entry { shown, mut facets } in nodes.texts {
            if shown.kind == HitKind::Chunk {
                facets.names.extend(names.find(&shown.text));
                facets.names.extend(names.find(&shown.name));
                facets.names.extend(facets.headings.iter().cloned());
            }
            entries.push(&Entry { shown, facets })?;
        }
        entries.sort();
        Ok(entries)
    }
}

/// Adds the title and the language of a passage's document.
fn under_its_title(entry: &mut Entry, documents: &HashMap<String, (String, Language)>) {
    let document = entry.shown.document.as_ref().and_then(|document| documents.get(document));
    let Some((title, language)) = document else { return };
    entry.facets.language = *language;
    name_under(&mut entry.shown, title);
}

/// Names a passage by the title of its document and the headings above it.
fn name_under(shown: &mut Shown, title: &str) {
    // The first heading of a document is often its title, which shall not stand twice.
    let headings = shown.name.strip_prefix(title).unwrap_or(&shown.name);
    let headings = headings.trim_start_matches(" › ");
    shown.name = if headings.is_empty() { title.to_owned() } else { format!("{title} › {headings}") };
}

/// Returns what is shown of a node, with the hash of its text for the embedder.
pub(super) fn shown(node: &Node, kind: HitKind, title: Option<&str>) -> (Shown, String) {
    let mut entry = if kind == HitKind::Chunk { chunk_entry(node.clone()) } else { node_entry(node) };
    if let Some(title) = title {
        name_under(&mut entry.shown, title);
    }
    let hash = entry.text_hash().iter().map(|byte| format!("{byte:02x}")).collect();
    (entry.shown, hash)
}

/// Returns whether the filters of a request let a node through.
pub(super) fn passes(node: &Node, kind: HitKind, request: &SearchRequest) -> bool {
    let entry = if kind == HitKind::Chunk { chunk_entry(node.clone()) } else { node_entry(node) };
    let Facets { labels, documents, properties, validity, .. } = &entry.facets;
    (request.labels.is_empty() || labels.iter().any(|label| request.labels.contains(label)))
        && request.document.as_ref().is_none_or(|document| documents.contains(document))
        && request.among.as_ref().is_none_or(|ids| ids.contains(&entry.shown.id))
        && request.properties.iter().all(|wanted| properties.contains(wanted))
        && request.valid_on.is_none_or(|day| validity.is_none_or(|time| time.holds_on(day_number(day))))
}

fn chunk_entry(mut node: Node) -> Entry {
    let text = match node.properties.remove("text") {
        Some(Value::String(text)) => text,
        _ => String::new(),
    };
    let headings = node.properties.get("headings").and_then(Value::as_list).unwrap_or_default();
    let headings: Vec<&str> = headings.iter().filter_map(Value::as_str).collect();
    let document = node.properties.get("document").and_then(Value::as_str).map(str::to_owned);
    let shown = Shown {
        kind: HitKind::Chunk,
        id: node.id().to_owned(),
        name: headings.join(" › "),
        label: node.kind().to_owned(),
        document: document.clone(),
        page: Pages::read(&node.properties).map(|pages| pages.first),
        from: None,
        to: None,
        text,
        start: node
            .properties
            .get("start")
            .and_then(Value::as_integer)
            .and_then(|start| start.try_into().ok()),
    };
    let documents = document.into_iter().collect();
    Entry { shown, facets: Facets { documents, ..facets(&node.labels, &node.properties) } }
}

fn node_entry(node: &Node) -> Entry {
    let name = node.display_name();
    let shown = Shown {
        kind: HitKind::Node,
        id: node.id().to_owned(),
        name: name.to_owned(),
        label: node.kind().to_owned(),
        document: None,
        page: None,
        from: None,
        to: None,
        text: properties_in_words(&node.properties, name),
        start: None,
    };
    Entry { shown, facets: facets(&node.labels, &node.properties) }
}

fn facets(labels: &[String], properties: &Properties) -> Facets {
    Facets {
        labels: labels.to_vec(),
        documents: Vec::new(),
        properties: telling(properties).flat_map(|(name, value)| values(name, value)).collect(),
        validity: interval(properties),
        language: Language::English,
        names: BTreeSet::new(),
        headings: BTreeSet::new(),
    }
}

/// Returns the name of a property with its value, or with each item of a list.
fn values(name: &str, value: &Value) -> Vec<(String, String)> {
    let items = value.as_list().unwrap_or(std::slice::from_ref(value));
    let items = items.iter().map(in_words).filter(|item| !item.is_empty() && item.len() <= LONGEST_VALUE);
    items.map(|item| (name.to_owned(), item)).collect()
}

/// Formats the properties for people, such as `language: Go; tier: 1`.
fn properties_in_words(properties: &Properties, name: &str) -> String {
    let words = telling(properties).filter_map(|(property, value)| {
        let text = in_words(value);
        (text != name).then(|| format!("{}: {text}", property.replace('_', " ")))
    });
    words.collect::<Vec<_>>().join("; ")
}
