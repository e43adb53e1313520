//! A path through the graph on one line.

use std::fmt::Write;

use graphwright::AnswerPath;

/// Formats a path as `order-service -[DEPENDS_ON]-> auth-lib-v2 <-[DEPRECATES]- DEP-014`.
pub(crate) fn path_text(path: &AnswerPath) -> String {
    let mut text = path.nodes.first().map_or_else(String::new, |node| node.name.clone());
    for (relationship, pair) in path.relationships.iter().zip(path.nodes.windows(2)) {
        let [here, next] = pair else { continue };
        let forward = relationship.from == here.id;
        let (left, right) = if forward { ("-", "->") } else { ("<-", "-") };
        let _ = write!(text, " {left}[{}]{right} {}", relationship.kind, next.name);
    }
    text
}
