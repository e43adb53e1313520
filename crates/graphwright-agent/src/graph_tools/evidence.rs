//! The passages in which facts are stated.

use graphwright_answer::AnswerPath;
use graphwright_retrieve::{GraphPath, RelationshipIndex, Topology, one_item};

/// The largest number of sources that are named.
const MOST_SOURCES: usize = 5;

/// Returns the identifiers of the passages that state the relationships, for `get_document`.
pub(super) fn sources(
    topology: &Topology,
    relationships: impl Iterator<Item = RelationshipIndex>,
) -> Vec<String> {
    let mut found = Vec::new();
    for support in relationships.flat_map(|relationship| topology.supports(relationship)) {
        let id = topology.node(support.chunk).id();
        if !found.iter().any(|known| known == id) {
            found.push(id.to_owned());
        }
    }
    found
}

/// Writes a line that names the passages in which something is stated.
pub(super) fn sources_line(sources: &[String]) -> String {
    if sources.is_empty() {
        return String::new();
    }
    let named = sources.iter().take(MOST_SOURCES).cloned().collect::<Vec<_>>().join(", ");
    let more = sources.len().saturating_sub(MOST_SOURCES);
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    format!("\n{}\n", one_item(&format!("Stated in (get_document): {named}{more}")))
}

/// Converts a path for programs.
pub(super) fn path(topology: &Topology, path: &GraphPath) -> AnswerPath {
    AnswerPath::from_walk(topology, path.start, &path.steps)
}
