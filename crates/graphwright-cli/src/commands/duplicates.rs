//! `graphwright duplicates`

use std::{fmt::Write, process::ExitCode};

use anyhow::Result;
use graphwright::{Access, Error, ingest::Suggestion};

use super::open;
use crate::{
    arguments::{DuplicatesCommand, Global},
    output::Output,
};

pub(crate) async fn run(global: &Global, command: DuplicatesCommand, output: &Output) -> Result<ExitCode> {
    let access = match command {
        DuplicatesCommand::List => Access::Read,
        _ => Access::Write,
    };
    let graph = open(global, access).await?;
    let review = graph.review();
    match command {
        DuplicatesCommand::List => {
            let suggestions = review.suggestions().await.map_err(Error::from)?;
            output.print(&suggestions, |suggestions| list_text(suggestions))?;
        }
        DuplicatesCommand::Merge { keep, drop } => {
            let merged = review.merge(&keep, &drop).await.map_err(Error::from)?;
            graph.refresh_index(false).await?;
            output.print(&merged, |merged| {
                format!(
                    "{} is now part of {}. Take it back with `graphwright duplicates undo {}`.",
                    merged.merged, merged.kept, merged.merged
                )
            })?;
        }
        DuplicatesCommand::Undo { merge } => {
            let undone = review.undo(&merge).await.map_err(Error::from)?;
            graph.refresh_index(false).await?;
            output.print(&undone, |undone| {
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
        let _ = writeln!(
            text,
            "{:.2}  {} {:?} and {:?}: {}\n      graphwright duplicates merge {:?} {:?}",
            suggestion.score,
            suggestion.label,
            suggestion.kept_name,
            suggestion.merged_name,
            suggestion.reason,
            suggestion.kept,
            suggestion.merged,
        );
    }
    text
}
