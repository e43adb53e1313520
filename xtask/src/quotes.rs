//! Writes what tells whether quotations answer the questions of sets of documents. `tools/quotes` fits the weights from it.

use std::{
    fs::File,
    io::{BufWriter, Write},
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::{Context, Result};
use clap::Args;
use fancy_regex::Regex;
use graphwright_answer::{Answerer, RatedQuotation};
use graphwright_core::GraphStore;
use graphwright_embedded::{EmbeddedStore, OpenOptions};
use graphwright_eval::corpus::read_lines;
use graphwright_llm::BuiltinEmbedder;
use graphwright_retrieve::{Passage, SearchIndex};
use serde_json::{Value, json};

use crate::answers::{
    binary,
    evidence::{build, patterns, regex},
};

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Folders with `docs`, `ontology.yaml` and `questions.jsonl`
    #[arg(required = true, value_name = "SET")]
    sets: Vec<PathBuf>,
    /// The file to write, one question a line
    #[arg(long)]
    out: PathBuf,
    /// The command that reads the documents; the one that stands beside this program when none is named
    #[arg(long)]
    binary: Option<PathBuf>,
}

pub(crate) fn write(options: &Options) -> Result<()> {
    let binary = binary(options.binary.as_deref())?;
    let mut out = BufWriter::new(File::create(&options.out)?);
    let runtime = tokio::runtime::Runtime::new()?;
    for set in &options.sets {
        runtime.block_on(write_set(set, &binary, &mut out)).with_context(|| set.display().to_string())?;
    }
    Ok(out.flush()?)
}

async fn write_set(set: &Path, binary: &Path, out: &mut impl Write) -> Result<()> {
    let folder = tempfile::tempdir()?;
    build(set, binary, folder.path())?;
    let place = folder.path().join("store");
    let store: Arc<dyn GraphStore> = Arc::new(EmbeddedStore::open(&place, OpenOptions::reader()).await?);
    let index = SearchIndex::in_memory(&*store, Some(Arc::new(BuiltinEmbedder::new()))).await?;
    let answerer = Answerer::open(store).await?.with_search(Arc::new(index));
    let name = set.file_name().unwrap_or_default().to_string_lossy();
    for question in read_lines(&set.join("questions.jsonl"))? {
        let text = question["question"].as_str().context("a line without a question")?;
        let answers = answers(&question)?;
        let has_answer = |passage: &Passage| {
            answers.iter().any(|answer| answer.is_match(&passage.text).unwrap_or_default())
        };
        let all = answerer.quotations(text, |_| true).await?;
        let without = answerer.quotations(text, |passage| !has_answer(passage)).await?;
        let line =
            json!({"set": name, "question": question, "quotations": list(&all), "without": list(&without)});
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// What tells that a passage has the answer, or a part of it.
fn answers(question: &Value) -> Result<Vec<Regex>> {
    let parts = ["gold", "all_of"].into_iter().flat_map(|field| patterns(question, field));
    parts.chain(question["passage"].as_str()).map(regex).collect()
}

fn list(quotations: &[RatedQuotation]) -> Vec<Value> {
    let one = |rated: &RatedQuotation| json!({"text": rated.quote.text, "clues": rated.clues});
    quotations.iter().map(one).collect()
}
