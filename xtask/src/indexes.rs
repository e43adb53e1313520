//! Measures the search index: on the facts of MetaQA, and on a million passages put together from
//! public ones.
//!
//! Times of embedding are left out: vectors of passages are made from a hash of their text, which
//! takes next to none. Recall is measured with the built-in embedder.

use std::{
    collections::{BTreeMap, HashSet},
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use graphwright_llm::{BuiltinEmbedder, Embedder};
use graphwright_retrieve::{HitKind, RefreshOptions, RefreshReport, SearchIndex, SearchMode, SearchRequest};

mod store;

use store::{Hashed, Made};

/// What to measure.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Indexes {
    /// Recall of the ten nearest among MetaQA's facts, against an exact comparison
    Facts,
    /// Times to build, open, search and refresh an index of passages
    Passages {
        /// The number of passages
        #[arg(long, default_value_t = 1_000_000)]
        rows: usize,
        /// The folder of the index; one that is there already is only opened and searched
        #[arg(long)]
        folder: Option<PathBuf>,
    },
}

/// Measures and prints.
pub(crate) fn run(what: &Indexes) -> Result<()> {
    let data = std::env::var_os("GRAPHWRIGHT_DATA").context("GRAPHWRIGHT_DATA names the public data")?;
    let data = PathBuf::from(data);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    match what {
        Indexes::Facts => runtime.block_on(facts(&data)),
        Indexes::Passages { rows, folder } => match folder {
            Some(folder) => runtime.block_on(passages(&data, *rows, folder)),
            None => runtime.block_on(passages(&data, *rows, tempfile::tempdir()?.path())),
        },
    }
}

async fn refresh(
    folder: &Path,
    store: &Made,
    embedder: Option<Arc<dyn Embedder>>,
) -> Result<(SearchIndex, RefreshReport, Duration)> {
    let start = Instant::now();
    let (index, report) = SearchIndex::refresh(folder, store, embedder, RefreshOptions::default()).await?;
    Ok((index, report, start.elapsed()))
}

async fn facts(data: &Path) -> Result<()> {
    let text = fs::read_to_string(data.join("metaqa/kb.txt")).context("metaqa/kb.txt")?;
    let triples: Vec<Vec<&str>> = text.lines().map(|line| line.split('|').collect()).collect();
    let embedder = Arc::new(BuiltinEmbedder::new());
    let store = Made::of_triples(&triples);
    let folder = tempfile::tempdir()?;
    let (index, report, took) = refresh(folder.path(), &store, Some(embedder.clone())).await?;
    println!("{} facts and {} nodes indexed with vectors in {took:.2?}", report.facts, report.nodes);
    let sentences: Vec<String> = triples.iter().map(|triple| store::sentence(triple)).collect();
    let vectors = embed_all(&embedder, &sentences).await?;
    for (what, queries) in [("questions", questions(data)?), ("parts of facts", parts(&triples))] {
        let (mut found, mut wanted, mut times) = (0, 0, Vec::new());
        for query in &queries {
            let vector = embedder.embed(std::slice::from_ref(query)).await?.remove(0);
            let nearest: HashSet<usize> = nearest(&vectors, &vector, 10).into_iter().collect();
            let request = SearchRequest {
                kind: Some(HitKind::Fact),
                mode: SearchMode::Vector,
                ..SearchRequest::new(query)
            };
            let start = Instant::now();
            let hits = index.search(&request).await?.hits;
            times.push(start.elapsed());
            let ids = hits.iter().filter_map(|hit| hit.id.parse::<usize>().ok());
            found += ids.filter(|id| nearest.contains(id)).count();
            wanted += nearest.len();
        }
        let recall = 100.0 * found as f64 / wanted as f64;
        println!("{} {what}: recall@10 {recall:.2} %, {}", queries.len(), told(times));
    }
    Ok(())
}

async fn embed_all(embedder: &BuiltinEmbedder, texts: &[String]) -> Result<Vec<Vec<f32>>> {
    let mut vectors = Vec::new();
    for batch in texts.chunks(4096) {
        vectors.extend(embedder.embed(batch).await?.iter().map(|vector| unit(vector)));
    }
    Ok(vectors)
}

fn unit(vector: &[f32]) -> Vec<f32> {
    let length = vector.iter().map(|number| number * number).sum::<f32>().sqrt().max(f32::MIN_POSITIVE);
    vector.iter().map(|number| number / length).collect()
}

fn nearest(vectors: &[Vec<f32>], query: &[f32], count: usize) -> Vec<usize> {
    let dot = |vector: &[f32]| vector.iter().zip(query).map(|(left, right)| left * right).sum::<f32>();
    let scores: Vec<f32> = vectors.iter().map(|vector| dot(vector)).collect();
    let mut rows: Vec<usize> = (0..scores.len()).collect();
    rows.select_nth_unstable_by(count, |left, right| scores[*right].total_cmp(&scores[*left]));
    rows.truncate(count);
    rows
}

/// Questions of MetaQA, of one to three hops.
fn questions(data: &Path) -> Result<Vec<String>> {
    let mut questions = Vec::new();
    for hops in ["1-hop", "2-hop", "3-hop"] {
        let text = fs::read_to_string(data.join("metaqa").join(hops).join("dev.txt")).context("dev.txt")?;
        let all = text.lines().filter_map(|line| line.split('\t').next());
        questions.extend(all.step_by(97).take(100).map(|question| question.replace(['[', ']'], "")));
    }
    Ok(questions)
}

/// Facts with a part left out.
fn parts(triples: &[Vec<&str>]) -> Vec<String> {
    let some = triples.iter().enumerate().step_by(triples.len() / 300);
    let part = |(number, triple): (usize, &Vec<&str>)| {
        let kind = triple[1].replace('_', " ");
        match number % 3 {
            0 => format!("{} {kind}", triple[0]),
            1 => format!("{kind} {}", triple[2]),
            _ => triple[0].to_owned(),
        }
    };
    some.map(part).collect()
}

async fn passages(data: &Path, rows: usize, folder: &Path) -> Result<()> {
    let (sentences, titles, questions) = public(data)?;
    let store = Made::of_passages(rows, sentences, titles);
    let embedder: Arc<dyn Embedder> = Arc::new(Hashed::default());
    if !folder.join("CURRENT").exists() {
        let words = tempfile::tempdir_in(folder.parent().unwrap_or(folder))?;
        let (start, processor) = (Instant::now(), processor_time());
        store.read_all().await?;
        let reading = (start.elapsed(), processor_time().saturating_sub(processor));
        println!("{rows} passages read from the store in {:.2?}", reading.0);
        let processor = processor_time();
        let (index, _, took) = refresh(words.path(), &store, None).await?;
        let of_words = (took, processor_time().saturating_sub(processor));
        println!("words: {} (reading left out)", rate(rows, of_words, reading));
        drop((index, words));
        let processor = processor_time();
        let (_, _, took) = refresh(folder, &store, Some(Arc::clone(&embedder))).await?;
        let both = (took, processor_time().saturating_sub(processor));
        println!("vectors: {} (words and reading left out)", rate(rows, both, of_words));
        println!("size on disk: {:.0} MB", megabytes(folder)?);
    }
    if memory().is_none() {
        bail!("the memory of the process is only known on Linux");
    }
    let before = memory().unwrap_or_default();
    let start = Instant::now();
    let index = SearchIndex::open(folder, Some(Arc::clone(&embedder)))?;
    let opened = start.elapsed();
    let first = SearchRequest { limit: 20, ..SearchRequest::new(&questions[0]) };
    index.search(&first).await?;
    let grown = memory().unwrap_or_default().saturating_sub(before);
    println!(
        "opened in {opened:.2?}, with a first search in {:.2?}, {grown} MB more memory",
        start.elapsed()
    );
    for (mode, what) in
        [(SearchMode::Hybrid, "hybrid"), (SearchMode::Text, "words"), (SearchMode::Vector, "meaning")]
    {
        let mut times = Vec::new();
        let mut processor = Duration::ZERO;
        for _ in 0..2 {
            times.clear();
            processor = processor_time();
            for question in &questions {
                let request = SearchRequest { mode, limit: 20, ..SearchRequest::new(question) };
                let start = Instant::now();
                let hits = index.search(&request).await?.hits;
                times.push(start.elapsed());
                if hits.len() != 20 {
                    bail!("{} hits for {question:?}", hits.len());
                }
            }
        }
        let each = processor_time().saturating_sub(processor) / questions.len() as u32;
        println!(
            "{what}, top 20, {} questions: {}, processor time {each:.2?} each",
            questions.len(),
            told(times)
        );
    }
    println!(
        "memory of the process: {} MB more after all searches",
        memory().unwrap_or_default().saturating_sub(before)
    );
    drop(index);
    let start = Instant::now();
    store.change(100);
    let (_, report, took) = refresh(folder, &store, Some(embedder)).await?;
    let reading = start.elapsed().saturating_sub(took);
    println!("refresh after 100 changes: {took:.2?}, {} embedded ({reading:.2?} to change)", report.embedded);
    Ok(())
}

type Public = (Vec<String>, Vec<String>, Vec<String>);

/// Sentences and titles of passages, and questions.
fn public(data: &Path) -> Result<Public> {
    let folder = data.join("retrieval/hipporag_musique_train");
    let read = |name: &str| -> Result<Vec<BTreeMap<String, serde_json::Value>>> {
        let path = folder.join(name);
        let bytes = fs::read(&path).with_context(|| path.display().to_string())?;
        Ok(serde_json::from_slice(&bytes)?)
    };
    let (mut sentences, mut titles) = (Vec::new(), Vec::new());
    for passage in read("musique_train_corpus.json")? {
        let text = passage["text"].as_str().unwrap_or_default();
        sentences
            .extend(graphwright_retrieve::sentences(text).into_iter().map(|range| text[range].to_owned()));
        titles.push(passage["title"].as_str().unwrap_or_default().to_owned());
    }
    let questions = read("musique_train.json")?;
    let questions =
        questions.iter().map(|one| one["question"].as_str().unwrap_or_default().replace('"', " "));
    Ok((sentences, titles, questions.collect()))
}

/// Tells how long something took without its part, on the clock and of the processors.
fn rate(rows: usize, all: (Duration, Duration), part: (Duration, Duration)) -> String {
    let (took, processor) = (all.0.saturating_sub(part.0), all.1.saturating_sub(part.1));
    let rate = |time: Duration| rows as f64 / time.as_secs_f64().max(0.001);
    format!(
        "{took:.2?}, {:.0} passages/s; {processor:.2?} of processor time, {:.0} passages/s",
        rate(took),
        rate(processor)
    )
}

/// Processor time of this process so far, in steps of 10 ms.
fn processor_time() -> Duration {
    let read = || {
        let status = fs::read_to_string("/proc/self/stat").ok()?;
        // User and system time stand eleven places behind the name, which may have spaces.
        let fields: Vec<&str> = status.rsplit_once(')')?.1.split_whitespace().collect();
        let ticks = |place: usize| fields.get(place)?.parse::<u64>().ok();
        Some(ticks(11)? + ticks(12)?)
    };
    Duration::from_millis(read().unwrap_or_default() * 10)
}

fn told(mut times: Vec<Duration>) -> String {
    times.sort_unstable();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    format!("p50 {:.2?}, p95 {:.2?}, worst {:.2?}", at(0.5), at(0.95), at(1.0))
}

/// Resident memory of this process in MB.
fn memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? / 1024)
}

fn megabytes(folder: &Path) -> Result<f64> {
    let mut bytes = 0;
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next)? {
            let entry = entry?;
            match entry.metadata()? {
                found if found.is_dir() => folders.push(entry.path()),
                found => bytes += found.len(),
            }
        }
    }
    Ok(bytes as f64 / 1e6)
}
