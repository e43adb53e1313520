//! Runs `graphwright duplicates`.

use std::process::ExitCode;

use anyhow::Result;
use graphwright::{Access, ingest::Suggestion};

use super::open;
use crate::{
    arguments::{DuplicatesCommand, Global},
    output::Output,
    render,
};

pub(crate) async fn run(global: &Global, command: DuplicatesCommand, output: &Output) -> Result<ExitCode> {
    let access = match command {
        DuplicatesCommand::List => Access::Read,
        _ => Access::Write,
    };
    let graph = open(global, access).await?;
    match command {
        DuplicatesCommand::List => {
            output.print(&graph.duplicates().await?, |suggestions| list_text(suggestions))?;
        }
        DuplicatesCommand::Merge { keep, drop } => {
            output.print(&graph.merge(&keep, &drop).await?, |merged| {
                format!(
                    "{} is now part of {}. Take it back with `graphwright duplicates undo {:?}`.",
                    merged.merged, merged.kept, merged.merged
                )
            })?;
        }
        DuplicatesCommand::Reject { first, second } => {
            output.print(&graph.reject_duplicate(&first, &second).await?, |rejected| {
                format!(
                    "{} and {} stay two entities and are not proposed again.",
                    rejected.kept, rejected.merged
                )
            })?;
        }
        DuplicatesCommand::Undo { merged } => {
            output.print(&graph.undo_merge(&merged).await?, |undone| {
                format!("{} and {} are two entities again.", undone.kept, undone.merged)
            })?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn list_text(suggestions: &[Suggestion]) -> String {
    if suggestions.is_empty() {
        return "No entities look like the same.".to_owned();
    }
    let mut text = String::new();
    for suggestion in suggestions {
        let Suggestion { score, label, kept_name, merged_name, reason, kept, merged, .. } = suggestion;
        let proposed = format!("{score:.2}  {label} {kept_name:?} and {merged_name:?}: {reason}");
        text.push_str(&render::line(&proposed));
        text.push_str(&render::line(&format!("      graphwright duplicates merge {kept:?} {merged:?}")));
    }
    text.push_str(
        "Two that are not the same are not proposed again after `graphwright duplicates reject` with both.\n",
    );
    text
}
