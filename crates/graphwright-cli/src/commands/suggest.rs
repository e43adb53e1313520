//! Runs `graphwright suggest`.

use std::process::ExitCode;

use anyhow::Result;
use graphwright::{Access, Suggestion};
use serde::Serialize;

use super::open;
use crate::{
    arguments::{Global, SuggestArguments},
    output::Output,
    render,
};

#[derive(Serialize)]
struct Suggested {
    suggestions: Vec<Suggestion>,
}

pub(crate) async fn run(global: &Global, arguments: &SuggestArguments, output: &Output) -> Result<ExitCode> {
    let graph = open(global, Access::Read).await?;
    let suggested = Suggested { suggestions: graph.suggest(arguments.limit).await? };
    output.print(&suggested, text)?;
    if suggested.suggestions.is_empty() {
        output.note("nothing to suggest: no question about a fact of this graph was answered right; `schema` shows what it holds");
    }
    Ok(ExitCode::SUCCESS)
}

fn text(suggested: &Suggested) -> String {
    let lines = suggested.suggestions.iter().map(|suggestion| {
        let Suggestion { question, answer, .. } = suggestion;
        format!("{}{}", render::line(question), render::line(&format!("  {answer}")))
    });
    lines.collect()
}
