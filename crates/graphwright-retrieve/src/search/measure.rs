//! Measures recall on public data:
//!
//! ```sh
//! GRAPHWRIGHT_DATA=… cargo test --release -p graphwright-retrieve measure \
//!     -- --include-ignored --nocapture
//! ```

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Instant,
};

use graphwright_core::{GraphStore, NodeKey, names, store::ChangeSet};
use graphwright_embedded::EmbeddedStore;
use graphwright_llm::BuiltinEmbedder;
use serde::Deserialize;

use super::*;
use crate::fixture::properties;

#[derive(Deserialize)]
struct Passage {
    title: String,
    text: String,
}

struct Question {
    text: String,
    gold: Vec<String>,
}

fn folder(name: &str) -> PathBuf {
    let data =
        std::env::var_os("GRAPHWRIGHT_DATA").expect("GRAPHWRIGHT_DATA names the folder of public data");
    PathBuf::from(data).join("retrieval").join(name)
}

fn read<T: serde::de::DeserializeOwned>(path: &Path) -> T {
    serde_json::from_slice(&std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
        .unwrap()
}

fn musique() -> (Vec<Passage>, Vec<Question>) {
    let folder = folder("hipporag_musique_train");
    let questions: Vec<serde_json::Value> = read(&folder.join("musique_train.json"));
    let questions = questions.iter().map(|question| {
        let paragraphs = question["paragraphs"].as_array().unwrap().iter();
        let gold = paragraphs.filter(|paragraph| paragraph["is_supporting"] == true);
        let key = |paragraph: &serde_json::Value| {
            format!(
                "{}\n{}",
                paragraph["title"].as_str().unwrap(),
                paragraph["paragraph_text"].as_str().unwrap()
            )
        };
        Question { text: question["question"].as_str().unwrap().into(), gold: gold.map(key).collect() }
    });
    (read(&folder.join("musique_train_corpus.json")), questions.collect())
}

fn hotpot() -> (Vec<Passage>, Vec<Question>) {
    let folder = folder("hipporag_hotpot_train");
    let corpus: serde_json::Map<String, serde_json::Value> = read(&folder.join("hotpotqa_train_corpus.json"));
    let passages: Vec<Passage> = corpus
        .iter()
        .map(|(title, sentences)| {
            let sentences = sentences.as_array().unwrap().iter().map(|sentence| sentence.as_str().unwrap());
            Passage { title: title.clone(), text: sentences.collect() }
        })
        .collect();
    let key = |title: &str| {
        let passage = passages.iter().find(|passage| passage.title == title).unwrap();
        format!("{}\n{}", passage.title, passage.text)
    };
    let questions: Vec<serde_json::Value> = read(&folder.join("hotpotqa_train.json"));
    let questions = questions.iter().map(|question| {
        let mut gold: Vec<String> = question["supporting_facts"]
            .as_array()
            .unwrap()
            .iter()
            .map(|fact| key(fact[0].as_str().unwrap()))
            .collect();
        gold.sort();
        gold.dedup();
        Question { text: question["question"].as_str().unwrap().into(), gold }
    });
    let questions = questions.collect();
    (passages, questions)
}

async fn store_of(passages: &[Passage]) -> EmbeddedStore {
    let store = EmbeddedStore::in_memory();
    let mut changes = ChangeSet::new();
    for (number, passage) in passages.iter().enumerate() {
        let properties = properties(&[
            ("text", passage.text.as_str().into()),
            ("headings", vec![passage.title.as_str()].into()),
        ]);
        changes.upsert_node(NodeKey::new(names::CHUNK, format!("{number:06}")), &[], properties);
    }
    store.apply(changes).await.unwrap();
    store
}

/// Returns the mean share of gold passages among the first two and the first five hits, in per
/// cent.
async fn recall(
    index: &SearchIndex,
    questions: &[Question],
    mode: SearchMode,
    vector_weight: f64,
) -> (f64, f64) {
    let (mut two, mut five) = (0.0, 0.0);
    for question in questions {
        let request = SearchRequest {
            mode,
            vector_weight,
            limit: 5,
            ..SearchRequest::new(question.text.replace('"', " "))
        };
        let hits = index.search(&request).await.unwrap().hits;
        let found: Vec<String> = hits.iter().map(|hit| format!("{}\n{}", hit.name, hit.text)).collect();
        let share = |count: usize| {
            let seen = &found[..count.min(found.len())];
            question.gold.iter().filter(|gold| seen.contains(gold)).count() as f64
                / question.gold.len() as f64
        };
        two += share(2);
        five += share(5);
    }
    (100.0 * two / questions.len() as f64, 100.0 * five / questions.len() as f64)
}

#[tokio::test]
#[ignore = "needs public data"]
async fn measure_recall() {
    for (name, (passages, questions)) in [("musique", musique()), ("hotpot", hotpot())] {
        let store = store_of(&passages).await;
        let start = Instant::now();
        let index = SearchIndex::in_memory(&store, Some(Arc::new(BuiltinEmbedder::new()))).await.unwrap();
        println!("{name}: {} passages indexed in {:.0?}", index.len(), start.elapsed());
        let start = Instant::now();
        let (two, five) = recall(&index, &questions, SearchMode::Text, 0.0).await;
        println!(
            "  BM25           R@2 {two:.1}  R@5 {five:.1}  ({:.2?} a query)",
            start.elapsed() / questions.len() as u32
        );
        assert!(five > 45.0, "BM25 alone finds {five} % on {name}");
        let (two, five) = recall(&index, &questions, SearchMode::Vector, 1.0).await;
        println!("  vectors        R@2 {two:.1}  R@5 {five:.1}");
        for weight in [0.2, 0.3, 0.4, 0.5, 0.6] {
            let start = Instant::now();
            let (two, five) = recall(&index, &questions, SearchMode::Hybrid, weight).await;
            let time = start.elapsed() / questions.len() as u32;
            println!("  hybrid w = {weight}   R@2 {two:.1}  R@5 {five:.1}  ({time:.2?} a query)");
        }
    }
}
