//! Runs `graphwright eval text2cypher`.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
};

use anyhow::{Context, Result};
use graphwright::{
    Access, FlowLimits, FlowName, Graph, Settings, StoreSettings, chat_model,
    exchange::{CsvFormat, ImportOptions, Source},
};
use graphwright_eval::text2cypher::{
    Contender, Dataset, Judge, Opened, Options, Player, QUESTIONS, Recorded, Report, Results, SHIPPED_GRAPH,
    keys, kinds, markdown, plot, replay, run as ask,
};
use tempfile::TempDir;

use super::replay::keep;
use crate::{
    arguments::{Global, Text2CypherArguments},
    failure::UsageError,
    output::Output,
    settings,
};

/// The file of all replies.
const RUN: &str = "run.jsonl";
/// What the graph of a folder of questions may be.
const GRAPHS: [&str; 4] = ["graph.jsonl", "graph.cypher", "graph.zip", "graph"];

pub(crate) async fn run(
    global: &Global,
    arguments: &Text2CypherArguments,
    output: &Output,
) -> Result<ExitCode> {
    let settings = settings::read(global)?;
    // Before graphs are read: what is wrong with a name of a model is told at once.
    let contenders = if arguments.replay.is_none() && !arguments.fill {
        contenders(&settings, arguments.seed)?
    } else {
        Vec::new()
    };
    let graphs = graphs(&settings, arguments).await?;
    let sets: Vec<Opened> = graphs.iter().map(|graph| graph.opened.clone()).collect();
    if arguments.fill {
        return fill(&graphs, output);
    }
    let (results, judge) = match &arguments.replay {
        Some(folder) => play(folder, &graphs, &sets, arguments, output).await?,
        None => live(&settings, &graphs, &sets, &contenders, arguments, output).await?,
    };
    let report = Report::of(results.entries(), judge, &kinds(&sets));
    show(&report, arguments, output)
}

/// A set of questions and its graph.
struct OpenGraph {
    opened: Opened,
    graph: Graph,
    /// The file of the questions; `None` for those that come with the command.
    file: Option<PathBuf>,
    /// What holds the graph, if it was read for this run.
    _folder: Option<TempDir>,
}

async fn graphs(settings: &Settings, arguments: &Text2CypherArguments) -> Result<Vec<OpenGraph>> {
    if arguments.data.is_empty() {
        if arguments.fill {
            let hint = "name the folder or file with --data";
            return Err(UsageError::new("there is no file of questions to fill", hint).into());
        }
        return Ok(vec![shipped(settings, arguments.each).await?]);
    }
    let mut graphs: Vec<OpenGraph> = Vec::new();
    for path in &arguments.data {
        let set = of_each_kind(Dataset::read(path)?, arguments.each);
        let file = Some(if path.is_dir() { path.join(QUESTIONS) } else { path.clone() });
        let source = GRAPHS.map(|name| path.join(name)).into_iter().find(|source| source.exists());
        let (graph, folder) = match source {
            Some(source) => {
                let (graph, folder) = imported(settings, &source).await?;
                (graph, Some(folder))
            }
            None => (Graph::open(without_model(settings), Access::Read).await?, None),
        };
        graphs.push(OpenGraph { opened: open(set, &graph).await?, graph, file, _folder: folder });
    }
    Ok(graphs)
}

async fn open(set: Dataset, graph: &Graph) -> Result<Opened> {
    Ok(Opened::open(set, Arc::clone(graph.store())).await?)
}

async fn shipped(settings: &Settings, each: Option<u32>) -> Result<OpenGraph> {
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let source = folder.path().join(GRAPHS[0]);
    fs::write(&source, SHIPPED_GRAPH).with_context(|| format!("cannot write {}", source.display()))?;
    let (graph, folder) = imported(settings, &source).await?;
    let opened = open(of_each_kind(Dataset::shipped()?, each), &graph).await?;
    Ok(OpenGraph { opened, graph, file: None, _folder: Some(folder) })
}

/// Reads a graph into a store that is thrown away.
async fn imported(settings: &Settings, source: &Path) -> Result<(Graph, TempDir)> {
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let mut settings = without_model(settings);
    settings.store = StoreSettings::Folder(folder.path().join("graph"));
    let graph = Graph::open(settings, Access::Write).await?;
    let sources = Source::detect(source, &CsvFormat::default()).map_err(graphwright::Error::from)?;
    graph.import(sources, &ImportOptions::default(), &mut |_| {}).await?;
    Ok((graph, folder))
}

/// The settings of a graph. The models that are measured are connected by themselves.
fn without_model(settings: &Settings) -> Settings {
    let mut settings = settings.clone();
    settings.model = None;
    settings
}

/// Keeps the first questions of each kind.
fn of_each_kind(mut set: Dataset, each: Option<u32>) -> Dataset {
    let Some(each) = each else { return set };
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    set.questions.retain(|question| {
        let count = counts.entry(question.kind.clone()).or_default();
        *count += 1;
        *count <= each
    });
    set
}

/// Writes the rows of the gold queries into the files of questions.
fn fill(graphs: &[OpenGraph], output: &Output) -> Result<ExitCode> {
    for OpenGraph { opened, file, .. } in graphs {
        if let Some(file) = file {
            opened.with_rows().write(file)?;
            output.note(&format!("The rows of the gold queries are in {}.", file.display()));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Connects to the models that the settings name, one behind the other.
fn contenders(settings: &Settings, seed: u64) -> Result<Vec<Contender>> {
    let names = settings.model.as_deref().unwrap_or_default();
    let mut contenders: Vec<Contender> = Vec::new();
    for name in names.split(',').map(str::trim).filter(|name| !name.is_empty()) {
        let player = Player::named(name, seed)
            .map_err(|message| UsageError::new(message, "write player, player@0.5 or player@0.5:0.9"))?;
        let contender = match player {
            Some(player) => Contender::Player(Box::new(player)),
            None => Contender::Model(connected(settings, name)?),
        };
        if !contenders.iter().any(|known| known.name() == contender.name()) {
            contenders.push(contender);
        }
    }
    if contenders.is_empty() {
        let hint = "name one with --model, as openai/gpt-4o-mini or ollama/qwen3, or player";
        return Err(
            UsageError::new("no model is set, and it is flows of a model that are measured", hint).into()
        );
    }
    Ok(contenders)
}

fn connected(settings: &Settings, name: &str) -> Result<Arc<dyn graphwright::llm::ChatModel>> {
    let mut settings = settings.clone();
    settings.model = Some(name.to_owned());
    chat_model(&settings)?.with_context(|| format!("there is no model {name}"))
}

fn options(arguments: &Text2CypherArguments, judge: Option<Judge>) -> Options {
    let flows = if arguments.flows.is_empty() { FlowName::ALL.to_vec() } else { arguments.flows.clone() };
    Options {
        flows,
        trials: arguments.trials,
        jobs: arguments.concurrency as usize,
        limits: FlowLimits { time: arguments.max_seconds, ..FlowLimits::default() },
        judge,
    }
}

/// Makes the folder, and returns the file of all replies in it.
fn run_file(arguments: &Text2CypherArguments) -> Result<PathBuf> {
    let folder = &arguments.out;
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let file = folder.join(RUN);
    if arguments.fresh && file.exists() {
        fs::remove_file(&file).with_context(|| format!("cannot remove {}", file.display()))?;
    }
    Ok(file)
}

async fn live(
    settings: &Settings,
    graphs: &[OpenGraph],
    sets: &[Opened],
    contenders: &[Contender],
    arguments: &Text2CypherArguments,
    output: &Output,
) -> Result<(Results, Option<String>)> {
    let judge = match (&arguments.judge, graphs.first()) {
        (Some(name), Some(first)) => {
            Some(Judge { model: connected(settings, name)?, embedder: Arc::clone(first.graph.embedder()) })
        }
        _ => None,
    };
    let mut results = Results::open(&run_file(arguments)?, sets, arguments.judge.as_deref(), arguments.seed)?;
    let options = options(arguments, judge);
    let bar = output.progress_bar(
        "{bar:40} {pos}/{len} questions, {eta} left",
        keys(sets, contenders, &options).len() as u64,
    );
    ask(sets, contenders, &options, &mut results, || bar.inc(1)).await?;
    bar.finish_and_clear();
    Ok((results, arguments.judge.clone()))
}

async fn play(
    folder: &Path,
    graphs: &[OpenGraph],
    sets: &[Opened],
    arguments: &Text2CypherArguments,
    output: &Output,
) -> Result<(Results, Option<String>)> {
    if folder == arguments.out {
        let hint = "name another folder for the report with --out";
        return Err(UsageError::new("a run cannot be played into its own folder", hint).into());
    }
    let recorded = Recorded::read(&folder.join(RUN), sets)?;
    let mut results = Results::open(&run_file(arguments)?, sets, recorded.judge.as_deref(), recorded.seed)?;
    let bar =
        output.progress_bar("{bar:40} {pos}/{len} questions, {eta} left", recorded.entries.len() as u64);
    if let Some(first) = graphs.first() {
        let (embedder, options) = (first.graph.embedder(), options(arguments, None));
        replay(sets, &recorded.entries, embedder, &options, &mut results, || bar.inc(1)).await?;
    }
    bar.finish_and_clear();
    Ok((results, recorded.judge))
}

fn show(report: &Report, arguments: &Text2CypherArguments, output: &Output) -> Result<ExitCode> {
    let folder = &arguments.out;
    keep(&folder.join("report.json"), &(serde_json::to_string_pretty(report)? + "\n"))?;
    keep(&folder.join("report.md"), &markdown(report))?;
    keep(&folder.join("heat.svg"), &plot(report))?;
    output.print(report, markdown)?;
    output.note(&format!("Replies, report and picture are in {}.", folder.display()));
    let Some(floor) = arguments.floor else { return Ok(ExitCode::SUCCESS) };
    let last = report.flows.last().copied().unwrap_or_default();
    let below = report.models.iter().filter_map(|model| report.cell(last, model));
    let below: Vec<_> = below.filter(|cell| cell.figures.right < floor).collect();
    for cell in &below {
        let right = cell.figures.right;
        output.note(&format!("{last} of {} has {right} % right, below the floor of {floor} %.", cell.model));
    }
    Ok(if below.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
