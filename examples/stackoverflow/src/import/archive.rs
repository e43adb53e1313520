//! Imports the published graph from an archive of the Data Importer.

use std::path::Path;

use futures::TryStreamExt;
use graphwright::{
    GraphStore, Node, NodeKey, Properties, Result, Value,
    exchange::{self, ImportOptions, ImportProgress},
    names,
    store::{ChangeSet, ScanOptions, Selection},
};
use quick_xml::escape::unescape;

use super::Imported;

/// Properties that hold text.
const TEXTS: [&str; 3] = ["title", "body_markdown", "display_name"];

pub(super) async fn import(
    store: &dyn GraphStore,
    path: &Path,
    options: &ImportOptions,
    progress: &mut (dyn FnMut(ImportProgress) + Send),
) -> Result<Imported> {
    let sources = exchange::Source::detect(path, &options.csv)?;
    let report = exchange::import(store, sources, options, progress).await?;
    let changed = unescape_texts(store).await?;
    let notes = vec![format!("characters that are escaped for HTML were restored in {changed} nodes")];
    Ok(Imported { report, notes, ..Imported::default() })
}

/// Decodes texts that the API escaped for web pages (`can&#39;t`). Returns the number of changed
/// nodes.
async fn unescape_texts(store: &dyn GraphStore) -> Result<u64> {
    let scan = ScanOptions {
        relationship_types: Selection::None,
        node_properties: Selection::only(TEXTS.into_iter().chain([names::ID])),
        ..ScanOptions::default()
    };
    let mut batches = store.scan(scan).await?;
    let mut count = 0;
    while let Some(batch) = batches.try_next().await? {
        let mut changes = ChangeSet::new();
        for node in &batch.nodes {
            let texts = unescaped(node);
            if !texts.is_empty() {
                changes.upsert_node(NodeKey::new(node.kind(), node.id()), &[], texts);
            }
        }
        if !changes.is_empty() {
            count += changes.len() as u64;
            store.apply(changes).await?;
        }
    }
    Ok(count)
}

/// Returns the texts that decoding changes.
fn unescaped(node: &Node) -> Properties {
    let texts = TEXTS.iter().filter_map(|name| {
        let text = node.properties.get(*name)?.as_str()?;
        // A text with a bare `&` was not escaped.
        let plain = unescape(text).ok().filter(|plain| plain != text)?;
        Some(((*name).to_owned(), Value::from(plain.into_owned())))
    });
    texts.collect()
}
