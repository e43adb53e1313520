//! The lexical graph: documents, their passages in reading order, and links between documents.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use futures::StreamExt;
use graphwright_core::{
    Chunk, GraphStore, Node, NodeKey, Properties, RelationshipKey, Statement, Value,
    document::{Pages, TextFormat},
    names,
    store::{QueryOptions, ScanOptions, Selection},
};
use graphwright_documents::{
    ParsedDocument, headings,
    links::{Lead, Link, LinkTargets},
};

use crate::{
    Result,
    ledger::{HEADINGS, Projection, StoredDocument},
};

/// Document property: what it was read with: extractor, ontology and size of passages.
pub(crate) const EXTRACTOR: &str = "extractor";
/// Document property: BLAKE3 hash of its file.
pub(crate) const HASH: &str = "hash";
/// Document property: the code of its language, where its sentences show it.
pub(crate) const LANGUAGE: &str = "language";
const LINK_TARGETS: &str = "link_targets";
const LINK_TEXTS: &str = "link_texts";
const INGESTED_AT: &str = "ingested_at";
/// Document property: names that its survey found, as JSON.
pub(crate) const INTRODUCES: &str = "__introduces__";
/// Document property: passages that no model could read, with the reasons, as JSON.
const INCOMPLETE: &str = "__incomplete__";
const OURS: [&str; 13] = [
    INCOMPLETE,
    names::ID,
    names::NAME,
    "source",
    "format",
    HASH,
    names::PATH,
    EXTRACTOR,
    INGESTED_AT,
    INTRODUCES,
    HEADINGS,
    LINK_TARGETS,
    LINK_TEXTS,
];

/// Facts about a document that are not in its text.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    pub path: String,
    pub extractor: String,
    pub introduces: Option<String>,
    /// Passages that could not be read, with the reasons.
    pub incomplete: BTreeMap<usize, String>,
    pub now: Value,
}

/// Projects a document with its passages.
pub(crate) fn project(document: &ParsedDocument, chunks: &[Chunk], origin: &Origin) -> Projection {
    let links = document.links();
    let mut projection = Projection::default();
    let mut properties: Properties = document
        .metadata
        .iter()
        .map(|(name, value)| (property_name(name), value.clone()))
        // Front matter must not replace properties of ours.
        .filter(|(name, _)| !OURS.contains(&name.as_str()) && !name.is_empty())
        .collect();
    properties.extend([
        (names::NAME.to_owned(), document.title.as_str().into()),
        ("source".to_owned(), document.source.as_str().into()),
        ("format".to_owned(), format_name(document.format).into()),
        (HASH.to_owned(), document.hash.as_str().into()),
        (names::PATH.to_owned(), origin.path.as_str().into()),
        (EXTRACTOR.to_owned(), origin.extractor.as_str().into()),
        (INGESTED_AT.to_owned(), origin.now.clone()),
    ]);
    if let Some(names) = &origin.introduces {
        properties.insert(INTRODUCES.to_owned(), names.as_str().into());
    }
    if !origin.incomplete.is_empty() {
        let incomplete = serde_json::to_string(&origin.incomplete).unwrap_or_default();
        properties.insert(INCOMPLETE.to_owned(), incomplete.into());
    }
    if let Some(language) = document.language() {
        properties.insert(LANGUAGE.to_owned(), language.code().into());
    }
    let headings: Vec<String> = headings::keys(document.blocks()).into_iter().collect();
    if !headings.is_empty() {
        properties.insert(HEADINGS.to_owned(), headings.into());
    }
    if !links.is_empty() {
        // Kept with the document: the one that a link leads to may come in a later run.
        let list = |of: fn(&Link) -> &str| Value::List(links.iter().map(|link| of(link).into()).collect());
        properties.insert(LINK_TARGETS.to_owned(), list(|link| &link.target));
        properties.insert(LINK_TEXTS.to_owned(), list(|link| &link.text));
    }
    projection.node(document_key(&document.id), &[], properties);
    project_chunks(&document.id, chunks, &mut projection);
    projection
}

/// Returns the indexes of the passages of a stored document that could not be read.
pub(crate) fn incomplete(document: &StoredDocument) -> BTreeSet<usize> {
    let incomplete: BTreeMap<usize, String> =
        serde_json::from_str(document.text(INCOMPLETE)).unwrap_or_default();
    incomplete.into_keys().collect()
}

/// Projects a document with its passages, as the store has them.
pub(crate) async fn project_stored(store: &dyn GraphStore, document: &StoredDocument) -> Result<Projection> {
    let mut projection = Projection::default();
    projection.node(document_key(&document.id), &[], document.properties.clone());
    let nodes =
        read_nodes(store, "MATCH (c:Chunk) WHERE c.document = $document RETURN c", &document.id).await?;
    let mut chunks: Vec<Chunk> = nodes.iter().filter_map(|node| read_chunk(&document.id, node)).collect();
    chunks.sort_by_key(|chunk| chunk.index);
    project_chunks(&document.id, &chunks, &mut projection);
    let invalid = "MATCH (n:`__Invalid__`) WHERE n.document = $document RETURN n";
    for node in read_nodes(store, invalid, &document.id).await? {
        let key = NodeKey::new(names::INVALID, node.id());
        let mut properties = node.properties;
        properties.remove(names::ID);
        projection.relationship(part_of(key.clone(), &document.id), Properties::new());
        projection.node(key, &[], properties);
    }
    Ok(projection)
}

async fn read_nodes(store: &dyn GraphStore, text: &'static str, document: &str) -> Result<Vec<Node>> {
    let statement = Statement::fixed(text).with("document", document);
    let table = store.read(statement, QueryOptions::default()).await?.collect().await?;
    let node = |value| match value {
        Value::Node(node) => Some(*node),
        _ => None,
    };
    Ok(table.rows.into_iter().flatten().filter_map(node).collect())
}

fn read_chunk(document: &str, node: &Node) -> Option<Chunk> {
    let number = |name: &str| usize::try_from(node.properties.get(name)?.as_integer()?).ok();
    let headings = node.properties.get("headings").and_then(Value::as_list).unwrap_or_default();
    Some(Chunk {
        id: node.id().to_owned(),
        document: document.to_owned(),
        index: number("index")?,
        span: graphwright_core::Span::new(number("start")?, number("end")?),
        text: node.properties.get("text")?.as_str()?.to_owned(),
        headings: headings.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        pages: Pages::read(&node.properties),
    })
}

fn project_chunks(document: &str, chunks: &[Chunk], projection: &mut Projection) {
    for chunk in chunks {
        let key = chunk_key(&chunk.id);
        let mut properties = Properties::from([
            ("text".to_owned(), chunk.text.as_str().into()),
            ("index".to_owned(), chunk.index.into()),
            ("start".to_owned(), chunk.span.start.into()),
            ("end".to_owned(), chunk.span.end.into()),
            ("document".to_owned(), document.into()),
        ]);
        if !chunk.headings.is_empty() {
            properties.insert("headings".to_owned(), chunk.headings.clone().into());
        }
        if let Some(pages) = &chunk.pages {
            pages.write(&mut properties);
        }
        projection.relationship(part_of(key.clone(), document), Properties::new());
        projection.node(key, &[], properties);
    }
    for pair in chunks.windows(2) {
        let next = RelationshipKey {
            kind: names::NEXT_CHUNK.to_owned(),
            from: chunk_key(&pair[0].id),
            to: chunk_key(&pair[1].id),
            id: pair[0].id.clone(),
        };
        projection.relationship(next, Properties::new());
    }
}

/// Returns the key of `(part)-[:FROM_DOCUMENT]->(document)`.
pub(crate) fn part_of(part: NodeKey, document: &str) -> RelationshipKey {
    let id = part.id.clone();
    RelationshipKey { kind: names::FROM_DOCUMENT.to_owned(), from: part, to: document_key(document), id }
}

/// Projects the links between the documents of a store as they should be. Counts those that could lead to several.
pub(crate) fn project_links<'a>(
    documents: impl Iterator<Item = &'a StoredDocument> + Clone,
) -> (Projection, u64) {
    let sources = documents.clone().map(|document| (document.id.as_str(), document.text("source")));
    let targets =
        LinkTargets::new(sources, documents.clone().flat_map(|document| texts(document, LINK_TARGETS)));
    let (mut projection, mut ambiguous) = (Projection::default(), 0);
    for document in documents {
        for (target, text) in texts(document, LINK_TARGETS).zip(texts(document, LINK_TEXTS)) {
            let found = targets.find(target);
            ambiguous += u64::from(found == Lead::Several);
            let Lead::Document(found) = found else { continue };
            if found == document.id {
                continue;
            }
            let key = link_key(&document.id, found);
            // Of several links to one document, the one with the longest text says the most.
            let known = projection.relationships.entry(key).or_default();
            let shorter =
                known.get("text").and_then(Value::as_str).is_none_or(|known| known.len() < text.len());
            if shorter && !text.trim().is_empty() {
                known.insert("text".to_owned(), text.trim().into());
            }
        }
    }
    (projection, ambiguous)
}

fn texts<'d>(document: &'d StoredDocument, name: &str) -> impl Iterator<Item = &'d str> {
    let list = document.properties.get(name).and_then(Value::as_list).unwrap_or_default();
    list.iter().filter_map(Value::as_str)
}

/// Projects the links between documents as the store has them.
pub(crate) async fn project_stored_links(store: &dyn GraphStore) -> Result<Projection> {
    let options = ScanOptions {
        labels: Selection::only([names::DOCUMENT]),
        relationship_types: Selection::only([names::LINKS_TO]),
        node_properties: Selection::only([names::ID]),
        relationship_properties: Selection::only(["text"]),
    };
    let (mut documents, mut projection) = (HashMap::new(), Projection::default());
    let mut batches = store.scan(options).await?;
    while let Some(batch) = batches.next().await {
        let batch = batch?;
        for node in batch.nodes {
            documents.insert(node.element_id.clone(), node.id().to_owned());
        }
        for link in batch.relationships {
            let ends = (documents.get(&link.start), documents.get(&link.end));
            if let (Some(from), Some(to)) = ends {
                projection.relationship(link_key(from, to), link.properties);
            }
        }
    }
    Ok(projection)
}

fn link_key(from: &str, to: &str) -> RelationshipKey {
    RelationshipKey {
        kind: names::LINKS_TO.to_owned(),
        from: document_key(from),
        to: document_key(to),
        id: format!("{from}|{to}"),
    }
}

pub(crate) fn document_key(id: &str) -> NodeKey {
    NodeKey::new(names::DOCUMENT, id)
}

fn chunk_key(id: &str) -> NodeKey {
    NodeKey::new(names::CHUNK, id)
}

fn format_name(format: TextFormat) -> &'static str {
    match format {
        TextFormat::Markdown => "markdown",
        TextFormat::Plain => "plain",
        TextFormat::Csv => "csv",
        TextFormat::Json => "json",
        TextFormat::JsonLines => "json_lines",
        TextFormat::Yaml => "yaml",
        TextFormat::Toml => "toml",
    }
}

/// Turns a key of front matter into a property name of letters, digits and underscores.
fn property_name(key: &str) -> String {
    let plain = key.chars().map(|character| if character.is_alphanumeric() { character } else { '_' });
    plain.collect::<String>().trim_matches('_').to_owned()
}
