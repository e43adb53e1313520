//! An outside measure on an imported graph without an ontology: MetaQA (Zhang et al., 2018), dev questions of 1 to 3 hops.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
    sync::Arc,
    time::Instant,
};

use graphwright_answer::{Answerer, AskOptions};
use graphwright_core::{ElementId, Node, Relationship, Value};
use graphwright_ontology::Ontology;
use graphwright_retrieve::Topology;

use crate::support;

/// How many questions of each length are asked.
const QUESTIONS: usize = 200;

/// As an importer would label the ends of the file's relations.
fn end_label(relation: &str) -> &'static str {
    match relation {
        "directed_by" | "written_by" | "starred_actors" => "Person",
        "has_genre" => "Genre",
        "release_year" => "Year",
        "in_language" => "Language",
        "has_tags" => "Tag",
        "has_imdb_rating" => "Rating",
        _ => "Votes",
    }
}

fn load(text: &str) -> Topology {
    let mut nodes: BTreeMap<(&str, &str), Node> = BTreeMap::new();
    let mut relationships = Vec::new();
    for line in text.lines() {
        let parts: Vec<&str> = line.split('|').collect();
        let [head, relation, tail] = parts.as_slice() else { continue };
        for (label, name) in [("Movie", *head), (end_label(relation), *tail)] {
            nodes.entry((label, name)).or_insert_with(|| Node {
                element_id: ElementId::new(format!("{label}/{name}")),
                labels: vec![label.to_owned()],
                properties: BTreeMap::from([("name".to_owned(), Value::from(name))]),
            });
        }
        relationships.push(Relationship {
            element_id: ElementId::new(format!("{}", relationships.len())),
            kind: (*relation).to_owned(),
            start: ElementId::new(format!("Movie/{head}")),
            end: ElementId::new(format!("{}/{tail}", end_label(relation))),
            properties: BTreeMap::new(),
        });
    }
    Topology::from_parts("1", nodes.into_values().collect(), relationships)
}

#[tokio::test]
#[ignore = "needs public data"]
async fn metaqa() {
    let folder = PathBuf::from(std::env::var("GRAPHWRIGHT_DATA").unwrap()).join("metaqa");
    let topology = load(&std::fs::read_to_string(folder.join("kb.txt")).unwrap());
    let start = Instant::now();
    let answerer =
        Answerer::new(Arc::new(support::Texts::default()), Arc::new(topology), &Ontology::default());
    println!("vocabulary in {:?}", start.elapsed());
    let mut figures = Vec::new();
    for hops in 1..=3 {
        let text = std::fs::read_to_string(folder.join(format!("{hops}-hop/dev.txt"))).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let step = lines.len() / QUESTIONS;
        let (mut hits, mut exact, mut missed) = (0, 0, Vec::new());
        let start = Instant::now();
        for line in lines.iter().step_by(step).take(QUESTIONS) {
            let (question, answers) = line.split_once('\t').unwrap();
            let wanted: BTreeSet<&str> = answers.split('|').collect();
            let answer = answerer.ask(question, &AskOptions::default()).await.unwrap();
            let names: BTreeSet<&str> = answer.entities.iter().map(|entity| entity.name.as_str()).collect();
            let first = answer.entities.first().is_some_and(|entity| wanted.contains(entity.name.as_str()));
            hits += usize::from(first);
            exact += usize::from(names == wanted);
            if names != wanted {
                let told: String = answer.answer.chars().take(150).collect();
                missed.push(format!("  {question}\n    {:?} {told}", answer.status));
            }
        }
        println!("{hops} hops: Hits@1 {hits}, exact {exact} of {QUESTIONS} in {:?}", start.elapsed());
        println!("{}", missed.iter().take(5).cloned().collect::<Vec<_>>().join("\n"));
        let least = [0.68, 0.53, 0.17][hops - 1];
        figures.push((hops, exact, least));
    }
    for (hops, exact, least) in figures {
        assert!(exact as f64 >= least * QUESTIONS as f64, "{hops} hops: {exact}");
    }
}
