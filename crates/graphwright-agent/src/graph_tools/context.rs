//! The tool `get_context`.

use graphwright_answer::{Evidence, EvidenceOptions};
use serde_json::json;

use super::{GraphSnapshot, naming::known};
use crate::{ToolError, ToolOutput};

/// Gathers what the graph and the documents hold for a question.
pub(super) async fn gather(
    graph: &GraphSnapshot,
    query: &str,
    options: EvidenceOptions,
) -> Result<ToolOutput, ToolError> {
    let labels = || graph.topology().labels().map(|(label, _)| label);
    let wanted = options.labels.iter().map(|label| known("type", label, labels()).map(str::to_owned));
    let wanted = wanted.collect::<Result<Vec<String>, _>>()?;
    let evidence = Evidence::gather(graph.answerer().await?, query, &options.labels(wanted)).await?;
    let mut text = match evidence.context.text.trim_end() {
        "" => format!("Nothing was found for {query:?}.\n"),
        text => format!("{text}\n"),
    };
    let mut notes = evidence.notices;
    if let Err(reason) = graph.search() {
        notes.push(reason.to_owned());
    }
    for note in &notes {
        text.push_str(&format!("Note: {}.\n", note.trim_end_matches('.')));
    }
    let structured = json!({
        "pieces": evidence.pieces, "left_out": evidence.context.left_out, "notes": notes,
    });
    Ok(ToolOutput { text, structured: Some(structured) })
}
