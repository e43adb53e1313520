//! Counts the faults of recorded replies, at whose rates the player of `graphwright eval text2cypher` makes them.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use clap::Args;
use graphwright_core::GraphSchema;
use graphwright_eval::{
    replay::{Labels, Recording, ReplayGraph},
    text2cypher::{Counted, Rates},
};
use serde::Deserialize;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
/// Where the counts are kept.
const KEPT: &str = "crates/graphwright-eval/data/text2cypher/faults.json";
/// The folder with the schemas of the graphs, as `graphwright schema --json` prints them.
const SCHEMAS: &str = "crates/graphwright-cypher/tests/public_lint/schemas";

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The folder of public data, which has `cypher_replay`
    #[arg(long, env = "GRAPHWRIGHT_DATA")]
    data: PathBuf,
    /// Writes the counts to the file that the player reads, rather than to compare them with it
    #[arg(long)]
    update: bool,
}

pub(crate) fn count(options: &Options) -> Result<()> {
    let folder = options.data.join("cypher_replay");
    let rates =
        Rates(vec![labelled(&folder.join("mind_the_query"))?, raw(&folder.join("cypherbench_llms"))?]);
    for source in &rates.0 {
        println!("{}: {} replies", source.origin, source.replies);
        for (fault, count) in &source.faults {
            let percent = 100.0 * *count as f64 / source.replies as f64;
            println!("{count:>7} {percent:>5.1} %  {}", fault.words());
        }
    }
    let kept = Path::new(ROOT).join(KEPT);
    if options.update {
        let text = serde_json::to_string_pretty(&rates)? + "\n";
        return fs::write(&kept, text).with_context(|| format!("cannot write {}", kept.display()));
    }
    anyhow::ensure!(rates == Rates::shipped(), "these are not the counts in {KEPT}; --update writes them");
    Ok(())
}

/// Counts replies that others have judged, on graphs whose schemas are known.
fn labelled(folder: &Path) -> Result<Counted> {
    let mut graphs = Vec::new();
    for graph in ["wwc", "bloom50"] {
        let file = Path::new(ROOT).join(SCHEMAS).join(graph).with_extension("json");
        let text = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        graphs.push(ReplayGraph::new(graph, Some(GraphSchema::from_json(&text)?), None));
    }
    let origin = "Mind-the-Query, replies of six models with labels (github.com/fisherman611/text2cypher_distillation_draft, MIT)";
    let mut counted = Counted { origin: origin.to_owned(), ..Counted::default() };
    for file in files(folder)? {
        counted.add(&Recording::read(&file)?, &graphs);
    }
    Ok(counted)
}

/// Counts the forms of replies that nobody has cleaned.
fn raw(folder: &Path) -> Result<Counted> {
    #[derive(Deserialize)]
    struct Line {
        graph: String,
        gold: String,
        pred: Option<String>,
    }
    let origin = "CypherBench, raw replies of six models (github.com/fisherman611/text2cypher_distillation_draft, MIT); only their form";
    let mut counted = Counted { origin: origin.to_owned(), ..Counted::default() };
    for model in files(folder)? {
        for file in files(&model)? {
            let text =
                fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
            let lines: Vec<Line> =
                serde_json::from_str(&text).with_context(|| format!("cannot read {}", file.display()))?;
            let recordings = lines.into_iter().enumerate().map(|(index, line)| Recording {
                file: file.display().to_string().into(),
                line: index + 1,
                graph: line.graph,
                gold: line.gold,
                predicted: line.pred,
                labels: Labels::default(),
            });
            counted.add_forms(&recordings.collect::<Vec<_>>());
        }
    }
    Ok(counted)
}

/// The files or folders in a folder, in order.
fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let read = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut paths = read.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}
