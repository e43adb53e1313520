//! Runs `graphwright eval replay`.

use std::{collections::BTreeMap, fs, io::Write, path::Path, process::ExitCode, sync::Arc};

use anyhow::{Context, Result};
use graphwright::{Access, Graph, GraphStore, exchange::NewFile, store::SchemaOptions};
use graphwright_eval::replay::{Recording, ReplayGraph, ReplayOptions, Results, Summary, plot, replay};
use indicatif::ProgressBar;

use super::schema;
use crate::{
    arguments::{Global, ReplayArguments},
    failure::UsageError,
    output::Output,
    render, settings,
};

pub(crate) async fn run(global: &Global, arguments: &ReplayArguments, output: &Output) -> Result<ExitCode> {
    let recordings = read(&arguments.files, arguments.sample)?;
    let graphs = graphs(global, arguments, &recordings).await?;
    let folder = &arguments.output;
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let path = folder.join("verdicts.jsonl");
    if arguments.fresh && path.exists() {
        fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
    }
    let options = ReplayOptions { time_limit: arguments.time_limit, jobs: arguments.jobs as usize };
    let mut results = Results::open(&path, &recordings, &graphs, &options)?;
    let bar = progress_bar(output, recordings.len() as u64, results.verdicts().len() as u64);
    replay(&recordings, &graphs, &options, &mut results, |count| bar.inc(count as u64)).await?;
    bar.finish_and_clear();
    let summary = Summary::from_verdicts(results.verdicts());
    keep(&folder.join("report.json"), &serde_json::to_string_pretty(&summary)?)?;
    keep(&folder.join("replay.svg"), &plot(&summary))?;
    output.print(&summary, render::replay_text)?;
    output.note(&format!("Verdicts, report and plot are in {}.", folder.display()));
    Ok(ExitCode::SUCCESS)
}

/// Reads all lines of all files, or a sample of each.
fn read(files: &[impl AsRef<Path>], sample: Option<u32>) -> Result<Vec<Recording>> {
    let mut recordings = Vec::new();
    for file in files {
        let read = Recording::read(file.as_ref())?;
        let Some(wanted) = sample.map(|wanted| wanted as usize).filter(|wanted| *wanted < read.len()) else {
            recordings.extend(read);
            continue;
        };
        let count = read.len();
        // Takes the lines at equal distances, so that the sample covers the whole file.
        let spread = |index: &usize| (index + 1) * wanted / count > index * wanted / count;
        recordings
            .extend(read.into_iter().enumerate().filter(|(index, _)| spread(index)).map(|(_, one)| one));
    }
    Ok(recordings)
}

/// Opens the graphs that the arguments name.
async fn graphs(
    global: &Global,
    arguments: &ReplayArguments,
    recordings: &[Recording],
) -> Result<Vec<ReplayGraph>> {
    let mut named: BTreeMap<&str, (Option<&str>, Option<&str>)> = BTreeMap::new();
    for pair in &arguments.graphs {
        let (name, store) = split(pair, "--graph")?;
        named.entry(name).or_default().0 = Some(store);
    }
    for pair in &arguments.schema_files {
        let (name, file) = split(pair, "--schema-file")?;
        named.entry(name).or_default().1 = Some(file);
    }
    let mut graphs = Vec::new();
    for (name, (store, file)) in named {
        require_known(name, recordings)?;
        let store = match store {
            Some(address) => Some(open(global, address).await?),
            None => None,
        };
        let schema = match (file, &store) {
            (Some(file), _) => Some(schema::read_file(Path::new(file))?),
            (None, Some(store)) => Some(
                store
                    .schema(SchemaOptions::default())
                    .await
                    .map_err(graphwright::Error::from)?
                    .without_reserved(),
            ),
            (None, None) => None,
        };
        graphs.push(ReplayGraph::new(name, schema, store));
    }
    Ok(graphs)
}

fn split<'a>(pair: &'a str, flag: &str) -> Result<(&'a str, &'a str)> {
    pair.split_once('=').filter(|(name, value)| !name.is_empty() && !value.is_empty()).ok_or_else(|| {
        UsageError::new(format!("{flag} {pair} names no graph"), format!("write {flag} name=value")).into()
    })
}

fn require_known(name: &str, recordings: &[Recording]) -> Result<()> {
    if recordings.iter().any(|recording| recording.graph == name) {
        return Ok(());
    }
    let mut known: Vec<_> = recordings.iter().map(|recording| recording.graph.as_str()).collect();
    known.sort_unstable();
    known.dedup();
    let hint = format!("the graphs in the files are {}", known.join(", "));
    Err(UsageError::new(format!("nothing in the files is about a graph `{name}`"), hint).into())
}

async fn open(global: &Global, address: &str) -> Result<Arc<dyn GraphStore>> {
    let mut settings = settings::read(global)?;
    settings.store = settings::store_of(address.to_owned());
    let graph = Graph::open(settings, Access::Read).await?;
    Ok(graph.store().clone())
}

pub(super) fn keep(path: &Path, text: &str) -> Result<()> {
    let write = || {
        let mut file = NewFile::create(path)?;
        file.write_all(text.as_bytes())?;
        file.finish()
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}

fn progress_bar(output: &Output, all: u64, done: u64) -> ProgressBar {
    let bar = output.progress_bar("{bar:40} {pos}/{len} queries, {eta} left", all);
    bar.set_position(done);
    // The remaining time must not count verdicts of earlier runs.
    bar.reset_eta();
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_spread_over_the_file() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let line = r#"{"graph": "g", "gold_cypher": "RETURN 1", "pred_cypher": "RETURN 1"}"#;
        fs::write(file.path(), [line; 10].join("\n")).unwrap();
        let lines = |sample| -> Vec<usize> {
            read(&[file.path()], sample).unwrap().iter().map(|recording| recording.line).collect()
        };
        assert_eq!(lines(Some(3)), [4, 7, 10]);
        assert_eq!(lines(Some(20)).len(), 10);
        assert_eq!(lines(None).len(), 10);
    }
}
