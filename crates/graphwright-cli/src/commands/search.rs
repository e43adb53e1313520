//! Runs `graphwright search`.

use std::process::ExitCode;

use anyhow::Result;
use graphwright::{
    Access, Graph, RetrieverChoice, SearchRequest, SearchResults,
    search::{self, Retrieved},
};

use super::{batch, open};
use crate::{
    arguments::{Global, HitKind, RetrieverArguments, RetrieverName, SearchArguments, SearchMode},
    failure::UsageError,
    output::Output,
    render,
};

/// The most bytes of a passage.
const LONGEST: usize = 2_000;

pub(crate) async fn run(global: &Global, arguments: &SearchArguments, output: &Output) -> Result<ExitCode> {
    let graph = open(global, Access::Read).await?;
    if let Some(name) = arguments.retriever.retriever {
        return retrieve(&graph, name, arguments, output).await;
    }
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
    output.print(&results, |results| results_text(results, &query))?;
    Ok(ExitCode::SUCCESS)
}

/// Runs a search with a retriever.
async fn retrieve(
    graph: &Graph,
    name: RetrieverName,
    arguments: &SearchArguments,
    output: &Output,
) -> Result<ExitCode> {
    let retriever = graph.retriever(&choice(name, &arguments.retriever)?).await?;
    let budget = arguments.retriever.budget;
    let within = |found: Retrieved| match budget {
        Some(tokens) => found.within(tokens),
        None => found,
    };
    if arguments.batch {
        return batch::run(output, |item| {
            let (retriever, request) = (&retriever, request(&item.question, arguments));
            async move { Ok(within(retriever.retrieve(&request).await?)) }
        })
        .await;
    }
    let query = arguments.query.join(" ");
    let found = within(retriever.retrieve(&request(&query, arguments)).await?);
    output.print(&found, |found| retrieved_text(found, &query))?;
    Ok(ExitCode::SUCCESS)
}

fn choice(name: RetrieverName, given: &RetrieverArguments) -> Result<RetrieverChoice> {
    let RetrieverArguments { cypher, vector_index, text_index, .. } = given;
    let only = |unused: &[(&Option<String>, &str)]| match unused.iter().find(|(value, _)| value.is_some()) {
        Some((_, flag)) => Err(UsageError::new(
            format!("{name:?} takes no {flag}"),
            "graphwright search --help says which retriever takes what",
        )),
        None => Ok(()),
    };
    let (cypher_flag, vector_flag, text_flag) =
        ((cypher, "--cypher"), (vector_index, "--vector-index"), (text_index, "--text-index"));
    Ok(match name {
        RetrieverName::VectorRetriever => {
            only(&[cypher_flag, text_flag])?;
            RetrieverChoice::Vector { index: vector_index.clone() }
        }
        RetrieverName::FullTextRetriever => {
            only(&[cypher_flag, vector_flag])?;
            RetrieverChoice::FullText { index: text_index.clone() }
        }
        RetrieverName::HybridRetriever => {
            only(&[cypher_flag])?;
            let indexes = match (vector_index, text_index) {
                (Some(vector), Some(text)) => Some((vector.clone(), text.clone())),
                (None, None) => None,
                _ => {
                    let hint = "--vector-index NAME --text-index NAME";
                    return Err(UsageError::new("HybridRetriever takes both indexes or none", hint).into());
                }
            };
            RetrieverChoice::Hybrid { indexes }
        }
        RetrieverName::VectorCypherRetriever => {
            only(&[text_flag])?;
            let hint = "--cypher 'RETURN node.text AS text, score'";
            let query = cypher.clone();
            let query = query.ok_or_else(|| UsageError::new("VectorCypherRetriever needs a query", hint))?;
            RetrieverChoice::VectorCypher { query, index: vector_index.clone() }
        }
        RetrieverName::NeighborhoodRetriever => {
            only(&[cypher_flag, vector_flag, text_flag])?;
            RetrieverChoice::Neighborhood
        }
        RetrieverName::PathRetriever => {
            only(&[cypher_flag, vector_flag, text_flag])?;
            RetrieverChoice::Path
        }
    })
}

impl From<SearchMode> for search::SearchMode {
    fn from(mode: SearchMode) -> Self {
        match mode {
            SearchMode::Graph => Self::Graph,
            SearchMode::Hybrid => Self::Hybrid,
            SearchMode::Fulltext => Self::Text,
            SearchMode::Vector => Self::Vector,
            SearchMode::Pagerank => Self::PageRank,
        }
    }
}

fn request(query: &str, arguments: &SearchArguments) -> SearchRequest {
    SearchRequest {
        mode: arguments.mode.into(),
        kind: arguments.kind.map(|kind| match kind {
            HitKind::Node => search::HitKind::Node,
            HitKind::Chunk => search::HitKind::Chunk,
            HitKind::Fact => search::HitKind::Fact,
        }),
        labels: arguments.entity_type.iter().cloned().collect(),
        document: arguments.document.clone(),
        properties: arguments.properties.clone(),
        valid_on: arguments.on,
        limit: arguments.limit,
        explain: arguments.explain,
        longest: (!arguments.whole).then_some(LONGEST),
        ..SearchRequest::new(query)
    }
}

fn chain_step(step: &search::ChainStep) -> String {
    let link = match (&step.by, step.strength) {
        (Some(name), Some(strength)) => format!("by \"{name}\" ({strength:.2}) → "),
        (None, Some(strength)) => format!("named by the question ({strength:.2}) → "),
        (_, None) => String::new(),
    };
    format!("{link}{} {}", step.id, step.name)
}

fn retrieved_text(found: &Retrieved, query: &str) -> String {
    let mut text = hits_text(&found.hits, query);
    for path in &found.paths {
        text.push_str(&render::line(&format!("{:.2}  {path}", path.score)));
    }
    if !found.columns.is_empty() {
        text.push_str(&render::line(&found.columns.join(" | ")));
    }
    for row in &found.rows {
        let values: Vec<String> = row.iter().map(search::in_words).collect();
        text.push_str(&render::line(&render::shorten(&values.join(" | "), 240)));
    }
    if text.is_empty() {
        text.push_str("Nothing was found.\n");
    }
    for step in &found.steps {
        text.push_str(&render::line(&format!("step: {step}")));
    }
    for notice in &found.notices {
        text.push_str(&render::line(&format!("note: {notice}")));
    }
    text
}

fn hits_text(hits: &[search::Hit], query: &str) -> String {
    let mut text = String::new();
    for hit in hits {
        let page = hit.page.map_or_else(String::new, |page| format!(", page {page}"));
        let place =
            hit.document.as_deref().map_or_else(String::new, |document| format!("  in {document}{page}"));
        let score = hit.relevance.map_or(hit.score, f64::from);
        text.push_str(&render::line(&format!("{score:.2}  {} {}{place}", hit.label, hit.name)));
        text.push_str(&render::line(&format!("      {}", render::excerpt(&hit.text, query))));
        text.push_str(&render::line(&format!("      {}", hit.why)));
        for step in &hit.chain {
            text.push_str(&render::line(&format!("        {}", chain_step(step))));
        }
    }
    text
}

fn results_text(results: &SearchResults, query: &str) -> String {
    let mut text = hits_text(&results.hits, query);
    if !results.names.is_empty() {
        text.push_str(&render::line(&format!("names of the query: {}", results.names.join(", "))));
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
