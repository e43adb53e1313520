//! What is in a document: the entities that its passages name.

use std::collections::BTreeMap;

use graphwright::{
    names,
    search::{Direction, NodeIndex, Role, Topology},
};
use serde::Serialize;

use crate::render;

/// Number of names shown of one type; `--json` has all.
const SHOWN_NAMES: usize = 20;

/// What is in a document.
#[derive(Debug, Serialize)]
pub(super) struct Contents {
    passages: usize,
    /// Names by type.
    entities: BTreeMap<String, Vec<String>>,
}

/// Lists what is in a document; `None` for what is no document.
pub(super) fn of_document(topology: &Topology, document: NodeIndex) -> Option<Contents> {
    if topology.role(document) != Role::Document {
        return None;
    }
    let passages: Vec<NodeIndex> = topology
        .nodes_with_label(names::CHUNK)
        .filter(|passage| topology.document_of(*passage) == Some(document))
        .collect();
    let mut entities: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for passage in &passages {
        for step in topology.steps(*passage, Direction::Both) {
            if topology.role(step.node) == Role::Entity {
                let entity = topology.node(step.node);
                entities.entry(entity.kind().to_owned()).or_default().push(entity.display_name().to_owned());
            }
        }
    }
    for names in entities.values_mut() {
        names.sort_unstable();
        names.dedup();
    }
    Some(Contents { passages: passages.len(), entities })
}

pub(super) fn text(contents: Option<&Contents>) -> String {
    let Some(contents) = contents else { return String::new() };
    let mut text = format!("\n{}\n", render::count(contents.passages, "passage"));
    for (kind, names) in &contents.entities {
        let mut shown = names.iter().take(SHOWN_NAMES).cloned().collect::<Vec<_>>().join(", ");
        if names.len() > SHOWN_NAMES {
            shown.push_str(&format!(" and {} more", names.len() - SHOWN_NAMES));
        }
        text.push_str(&render::line(&format!("  {kind}: {shown}")));
    }
    text
}
