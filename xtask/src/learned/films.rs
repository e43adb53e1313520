//! MetaQA: questions about films, with their answers (CC BY 3.0). One half of the things that questions are about is learned from, the
//! other asked about.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use anyhow::{Context, Result};
use graphwright_core::Value;
use graphwright_learn::{Example, Graph, GraphBuilder, Outcome, meanings_of_answers};

use super::{Asked, Gold, Options, ask, splits::hash, taught};

/// The most questions of each number of hops that are learned from.
const LEARNED: usize = 1000;

/// Learns and asks; returns the splits below their floors.
pub(super) fn measure(options: &Options) -> Result<Vec<String>> {
    let folder = options.data.join("metaqa");
    let (graph, names) = load(&folder.join("kb.txt"))?;
    let mut examples = Vec::new();
    let mut asked: Vec<Vec<Asked>> = Vec::new();
    for hops in 1..=3 {
        let (learned, kept) = questions(&folder.join(format!("{hops}-hop/dev.txt")))?;
        let step = (learned.len() / LEARNED).max(1);
        for (question, answers, topic) in learned.into_iter().step_by(step) {
            let answers: Vec<String> = answers.into_iter().collect();
            let meanings = meanings_of_answers(&question, Some(&topic), &answers, &graph);
            if !meanings.is_empty() {
                examples.push(Example { question, meanings });
            }
        }
        let gold = |(question, answers, topic): Question| Asked {
            question,
            shown: format!("{answers:?}"),
            gold: Gold::Names(answers),
            seen: hash(&topic) % 4 < 2,
        };
        asked.push(kept.into_iter().map(gold).collect());
    }
    let model = taught(&examples, &graph);
    let name = |outcome: &Outcome| -> BTreeSet<String> {
        outcome.nodes.iter().map(|node| names[*node as usize].clone()).collect()
    };
    let mut low = Vec::new();
    for (at, asked) in asked.iter().enumerate() {
        let mut score = ask(&model, &graph, asked, name, options.errors);
        score.print(&format!("{} hops", at + 1), examples.len());
        let floor = options.film_floors.get(at).copied().unwrap_or(0.0);
        if score.right() < floor {
            low.push(format!("{} hops ({:.1} of {floor})", at + 1, score.right()));
        }
    }
    Ok(low)
}

type Question = (String, BTreeSet<String>, String);

/// The questions that are learned from, and those that are asked, by what they are about.
fn questions(file: &Path) -> Result<(Vec<Question>, Vec<Question>)> {
    let text = fs::read_to_string(file).with_context(|| file.display().to_string())?;
    let mut all = Vec::new();
    for line in text.lines() {
        let (question, answers) = line.split_once('\t').context("a line has no answers")?;
        let topic = question.split(['[', ']']).nth(1).context("a question names nothing")?.to_owned();
        all.push((question.to_owned(), answers.split('|').map(str::to_owned).collect(), topic));
    }
    Ok(all.into_iter().partition(|(.., topic): &Question| hash(topic).is_multiple_of(2)))
}

/// Reads triples `film|relation|thing`. What a thing is follows from the relation.
fn load(file: &Path) -> Result<(Graph, Vec<String>)> {
    let text = fs::read_to_string(file).with_context(|| file.display().to_string())?;
    let mut builder = GraphBuilder::default();
    let (mut numbers, mut names): (BTreeMap<(&str, &str), u32>, Vec<String>) = (BTreeMap::new(), Vec::new());
    for line in text.lines() {
        let parts: Vec<&str> = line.split('|').collect();
        let [film, relation, thing] = parts[..] else { continue };
        let label = match relation {
            "directed_by" | "written_by" | "starred_actors" => "Person",
            "release_year" => "Year",
            "has_genre" => "Genre",
            "in_language" => "Language",
            "has_tags" => "Tag",
            "has_imdb_rating" => "Rating",
            _ => "Votes",
        };
        let mut number = |label, name| {
            *numbers.entry((label, name)).or_insert_with(|| {
                let value = Value::from(name);
                builder.node(label, [("name", &value)]);
                names.push(name.to_owned());
                (names.len() - 1) as u32
            })
        };
        let ends = (number("Movie", film), number(label, thing));
        builder.relationship(ends.0, relation, ends.1);
    }
    Ok((builder.build(), names))
}
