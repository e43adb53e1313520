//! Questions of the sample and of the corpora, asked of the graph that their gold facts make: what `ask` can do when extraction
//! is perfect.

use std::{collections::BTreeMap, path::Path, sync::Arc};

use graphwright_answer::{Answerer, AskOptions};
use serde_json::Value as Json;

use crate::support;

/// What a question's gold says, as [`support::agrees`] reads it.
fn wanted(gold: &Json) -> String {
    let names: Vec<&str> =
        gold["answers"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    if names.is_empty() { gold["status"].as_str().unwrap().replace('_', " ") } else { names.join(";") }
}

async fn score(folder: &Path) -> (usize, usize) {
    let (topology, ontology) = support::gold_graph(folder);
    let answerer = Answerer::new(Arc::new(support::Texts::default()), topology, &ontology);
    let mut by_kind: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for line in std::fs::read_to_string(folder.join("questions.jsonl")).unwrap().lines() {
        let gold: Json = serde_json::from_str(line).unwrap();
        let question = gold["question"].as_str().unwrap();
        let answer = answerer.ask(question, &AskOptions::default()).await.unwrap();
        let right = support::agrees(&answer, &wanted(&gold));
        let counts = by_kind.entry(gold["kind"].as_str().unwrap().to_owned()).or_default();
        counts.0 += usize::from(right);
        counts.1 += 1;
        if !right {
            println!(
                "MISSED {} {question}\n   wanted {}\n   got {:?}: {}",
                gold["id"], gold["answers"], answer.status, answer.answer
            );
        }
    }
    let right = by_kind.values().map(|counts| counts.0).sum();
    let all = by_kind.values().map(|counts| counts.1).sum();
    println!("{}: {right} of {all} right {by_kind:?}", folder.file_name().unwrap().to_string_lossy());
    (right, all)
}

async fn require(corpus: &str, share: f64) {
    let (right, all) = score(&support::corpus(corpus)).await;
    assert!(right as f64 >= share * all as f64, "{corpus}: {right} of {all}");
}

#[tokio::test]
async fn software_catalogue() {
    require("software-catalogue", 0.8).await;
}

#[rstest::rstest]
#[case("clinical-trials")]
#[case("council")]
#[case("film-archive")]
#[case("grants")]
#[case("hospital")]
#[case("museum")]
#[case("port")]
#[case("railway")]
#[case("wine")]
#[case("seed-catalogue")]
#[case("expedition-log")]
#[tokio::test]
async fn corpus(#[case] name: &str) {
    require(name, 0.8).await;
}

/// Questions that lost a word still get an answer or an honest refusal, in time.
#[tokio::test]
async fn broken_questions_do_no_harm() {
    let folder = support::corpus("software-catalogue");
    let (topology, ontology) = support::gold_graph(&folder);
    let answerer = Answerer::new(Arc::new(support::Texts::default()), topology, &ontology);
    for (number, line) in std::fs::read_to_string(folder.join("questions.jsonl")).unwrap().lines().enumerate()
    {
        let gold: Json = serde_json::from_str(line).unwrap();
        let mut words: Vec<&str> = gold["question"].as_str().unwrap().split(' ').collect();
        words.remove(number % words.len());
        answerer.ask(&words.join(" "), &AskOptions::default()).await.unwrap();
        words.reverse();
        answerer.ask(&words.join(" "), &AskOptions::default()).await.unwrap();
    }
    for odd in
        ["?", "[", "most", "which", "who is", "not", "a and b or", "более 3 服务", "1 2 3", "\"\"", "'s"]
    {
        let asked = answerer.ask(odd, &AskOptions::default()).await;
        assert!(asked.is_ok() || odd.chars().all(|letter| !letter.is_alphanumeric()), "{odd}");
    }
}
