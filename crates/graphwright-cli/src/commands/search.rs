//! Runs `graphwright search`.

use std::process::ExitCode;

use anyhow::Result;
use graphwright::{Access, SearchRequest, SearchResults, search};

use super::{batch, open};
use crate::{
    arguments::{Global, HitKind, SearchArguments, SearchMode},
    failure::UsageError,
    output::Output,
    render,
};

pub(crate) async fn run(global: &Global, arguments: &SearchArguments, output: &Output) -> Result<ExitCode> {
    let graph = open(global, Access::Read).await?;
    if arguments.batch {
        return batch::run(output, |item| {
            let (graph, request) = (&graph, request(&item.question, arguments));
            async move { Ok(graph.search(&request).await?) }
        })
        .await;
    }
    let query = arguments.query.join(" ");
    if query.trim().is_empty() {
        return Err(UsageError::new("there is nothing to look for", "graphwright search WORDS").into());
    }
    let results = graph.search(&request(&query, arguments)).await?;
    output.print(&results, results_text)?;
    Ok(ExitCode::SUCCESS)
}

fn request(query: &str, arguments: &SearchArguments) -> SearchRequest {
    SearchRequest {
        mode: match arguments.mode {
            SearchMode::Hybrid => search::SearchMode::Hybrid,
            SearchMode::Fulltext => search::SearchMode::Text,
            SearchMode::Vector => search::SearchMode::Vector,
        },
        kind: arguments.kind.map(|kind| match kind {
            HitKind::Node => search::HitKind::Node,
            HitKind::Chunk => search::HitKind::Chunk,
        }),
        labels: arguments.entity_type.iter().cloned().collect(),
        limit: arguments.limit,
        ..SearchRequest::new(query)
    }
}

fn results_text(results: &SearchResults) -> String {
    let mut text = String::new();
    for hit in &results.hits {
        let page = hit.page.map_or_else(String::new, |page| format!(", page {page}"));
        let place =
            hit.document.as_deref().map_or_else(String::new, |document| format!("  in {document}{page}"));
        text.push_str(&render::line(&format!("{:.2}  {} {}{place}", hit.score, hit.label, hit.name)));
        text.push_str(&render::line(&format!("      {}", render::shorten(&hit.text, 160))));
        text.push_str(&render::line(&format!("      {}", hit.why)));
    }
    if results.hits.is_empty() {
        text.push_str("Nothing was found.\n");
    }
    if results.stale {
        text.push_str(
            "note: the graph has changed since the search index was made; the next ingest renews it\n",
        );
    }
    for notice in &results.notices {
        text.push_str(&render::line(&format!("note: {notice}")));
    }
    text
}
