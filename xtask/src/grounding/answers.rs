//! Answers made from facts of public graphs, right and false in known ways.

use std::{collections::BTreeMap, path::Path};

use anyhow::Result;
use fastrand::Rng;
use graphwright_answer::{AnswerPath, Answerer, Citable, PathNode, PathRelationship};

use super::{
    graphs::{Fact, PublicGraph, Thing, Valued},
    wording::{ATTRIBUTES, FIRST_NAMES, LAST_NAMES, OPENINGS, OTHER_VERBS, RELATIONS, Relation},
};

/// The ways in which the tested statement of an answer is right or false; right ones are as many as all others.
const WAYS: [&str; 16] = [
    "right",
    "denied",
    "right",
    "reversed",
    "right value",
    "other relation",
    "right",
    "wrong number",
    "right value",
    "wrong date",
    "right",
    "invented name",
    "right, other language",
    "invented name, other language",
    "right",
    "cited failure",
];

/// An answer in the making.
#[derive(Default)]
struct Made {
    evidence: Vec<Citable>,
    /// The statements, each with the number of its evidence and whether it is false.
    statements: Vec<(String, usize, bool)>,
}

/// Makes answers and prints the share of them in which exactly the false statement is found.
/// Returns the percentage of answers that are read exactly.
pub(super) fn score(data: &Path, seed: u64, answers: usize, show_errors: bool) -> Result<f64> {
    let graphs = PublicGraph::read_all(data)?;
    let answerers: Vec<Answerer> = graphs.iter().map(PublicGraph::answerer).collect();
    let mut random = Rng::with_seed(seed);
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut made = 0;
    while made < answers {
        let way = WAYS[made % WAYS.len()];
        let which = random.usize(..graphs.len());
        let Some(answer) = make(&graphs[which], way, &mut random) else { continue };
        made += 1;
        let text = write(&answer, &mut random);
        let checked = answerers[which].check("What is known?", answer.evidence.clone()).check(&text);
        let found = |claim: &str| checked.faults().any(|(statement, _)| statement.contains(claim));
        let right = answer.statements.iter().all(|(claim, _, is_false)| found(claim) == *is_false);
        let (rights, all) = counts.entry(way).or_default();
        *rights += usize::from(right);
        *all += 1;
        if show_errors && !right {
            let faults: Vec<String> =
                checked.faults().map(|(text, fault)| format!("{text:?}: {fault}")).collect();
            let evidence: Vec<&str> = answer.evidence.iter().map(|piece| piece.text.as_str()).collect();
            println!("{way}: {text:?}\n    evidence {evidence:?}\n    found {faults:?}");
        }
    }
    println!("answers made from public graphs, seed {seed}: exactly the false statement found");
    let (mut rights, mut all) = (0, 0);
    for (way, (right, of)) in &counts {
        println!("    {way:<30} {:>5.1} % ({right}/{of})", 100.0 * *right as f64 / *of as f64);
        rights += right;
        all += of;
    }
    let share = 100.0 * rights as f64 / all.max(1) as f64;
    println!("    {:<30} {share:>5.1} % ({rights}/{all})", "all");
    Ok(share)
}

fn make(graph: &PublicGraph, way: &'static str, random: &mut Rng) -> Option<Made> {
    let mut made = Made::default();
    for _ in 0..random.usize(1..4) {
        let fact = random.choice(&graph.facts)?;
        let relation = relation(&fact.kind)?;
        let number = made.cite(fact_evidence(fact));
        let words = say(random.choice(relation.says)?, &fact.from.name, &fact.to.name);
        made.state(words, number, false);
    }
    let at = random.usize(..=made.statements.len());
    let (statement, number, is_false) = tested(graph, way, random, &mut made)?;
    if made
        .statements
        .iter()
        .any(|(other, ..)| other.contains(&statement) || statement.contains(other.as_str()))
    {
        return None;
    }
    made.statements.insert(at, (statement, number, is_false));
    Some(made)
}

/// Makes the statement that is right or false in a given way.
fn tested(
    graph: &PublicGraph,
    way: &str,
    random: &mut Rng,
    made: &mut Made,
) -> Option<(String, usize, bool)> {
    if matches!(way, "right value" | "wrong number" | "wrong date") {
        return valued(graph, way, random, made);
    }
    let fact = random.choice(&graph.facts)?;
    let relation = relation(&fact.kind)?;
    let (from, to) = (fact.from.name.as_str(), fact.to.name.as_str());
    if way == "cited failure" {
        let text = "Error: the query did not end within 5 s".to_owned();
        let number = made.cite(Citable { text, failed: true, ..Citable::default() });
        return Some((say(random.choice(relation.says)?, from, to), number, true));
    }
    let number = made.cite(fact_evidence(fact));
    let invented = format!("{} {}", random.choice(FIRST_NAMES)?, random.choice(LAST_NAMES)?);
    // A name of the graph that is not in the evidence is as wrong.
    let other = random
        .choice(&graph.facts)
        .map(|fact| &fact.from.name)
        .filter(|other| *other != from && *other != to);
    let stranger = other.filter(|_| random.bool()).cloned().unwrap_or(invented);
    let (from_said, to_said) =
        if random.bool() { (stranger.as_str(), to) } else { (from, stranger.as_str()) };
    let says = |random: &mut Rng, sentences: &[&'static str]| random.choice(sentences).copied();
    let words = match way {
        "right" => say(says(random, relation.says)?, from, to),
        "denied" => say(says(random, relation.denies)?, from, to),
        // What relates things of one type only is said of others by nobody.
        "reversed" => say(says(random, relation.says).filter(|says| !says.contains("includes"))?, to, from),
        "other relation" => say(other_relation(graph, fact, random)?, from, to),
        "invented name" => say(says(random, relation.says)?, from_said, to_said),
        "right, other language" => say(says(random, relation.abroad)?, from, to),
        _ => say(says(random, relation.abroad)?, from_said, to_said),
    };
    let is_false = !way.starts_with("right");
    Some((words, number, is_false))
}

fn valued(
    graph: &PublicGraph,
    way: &str,
    random: &mut Rng,
    made: &mut Made,
) -> Option<(String, usize, bool)> {
    let valued = random.choice(&graph.values)?;
    let says = ATTRIBUTES.iter().find(|attribute| attribute.property == valued.property)?.says;
    let is_date = valued.value.matches('-').count() == 2;
    if (way == "wrong date") != is_date && way != "right value" {
        return None;
    }
    let told = match way {
        "right value" => valued.value.clone(),
        "wrong date" => moved_date(&valued.value, random)?,
        _ => moved_number(&valued.value, random)?,
    };
    let shown = if is_date { written_date(&told, random)? } else { told };
    let number = made.cite(value_evidence(valued));
    let words = random.choice(says)?.replace("{s}", &valued.thing.name).replace("{v}", &shown);
    Some((words, number, way != "right value"))
}

impl Made {
    fn cite(&mut self, evidence: Citable) -> usize {
        self.evidence.push(evidence);
        self.evidence.len()
    }

    fn state(&mut self, words: String, number: usize, is_false: bool) {
        if !self.statements.iter().any(|(other, ..)| other.contains(&words) || words.contains(other.as_str()))
        {
            self.statements.push((words, number, is_false));
        }
    }
}

fn relation(kind: &str) -> Option<&'static Relation> {
    RELATIONS.iter().find(|relation| relation.kind == kind)
}

fn say(sentence: &str, from: &str, to: &str) -> String {
    sentence.replace("{s}", from).replace("{o}", to)
}

/// A sentence for a relation that the graph has between things of these types, and not between these two.
fn other_relation(graph: &PublicGraph, fact: &Fact, random: &mut Rng) -> Option<&'static str> {
    let likewise = graph.facts.iter().filter(|other| {
        other.from.label == fact.from.label && other.to.label == fact.to.label && other.kind != fact.kind
    });
    let mut kinds: Vec<&str> = likewise.map(|other| other.kind.as_str()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds.retain(|kind| {
        !graph.facts.iter().any(|other| other.kind == *kind && other.from == fact.from && other.to == fact.to)
    });
    match random.choice(&kinds).filter(|_| random.u8(..4) > 0) {
        Some(kind) => {
            let relation = relation(kind)?;
            // To appear in a film, or to be in its cast, is not to act in it alone.
            random
                .choice(relation.says)
                .copied()
                .filter(|says| !says.contains("appeared") && !says.contains("includes"))
        }
        None => random.choice(OTHER_VERBS).copied(),
    }
}

fn node(thing: &Thing) -> PathNode {
    PathNode { id: thing.id(), name: thing.name.clone(), kind: thing.label.clone() }
}

/// A fact as the evidence of an answer has it.
fn fact_evidence(fact: &Fact) -> Citable {
    let (from, to) = (fact.from.id(), fact.to.id());
    let relationship = PathRelationship { kind: fact.kind.clone(), from, to, confidence: 1.0 };
    let path =
        AnswerPath { nodes: vec![node(&fact.from), node(&fact.to)], relationships: vec![relationship] };
    let text = format!("{} -{}-> {}", fact.from.name, fact.kind, fact.to.name);
    Citable { text, paths: vec![path], ..Citable::default() }
}

fn value_evidence(valued: &Valued) -> Citable {
    let Valued { thing, property, value } = valued;
    let text = format!("{} is a {} with {property} {value}.", thing.name, thing.label.to_lowercase());
    Citable { text, ..Citable::default() }
}

fn moved_number(value: &str, random: &mut Rng) -> Option<String> {
    let number: f64 = value.parse().ok()?;
    let moved = number + f64::from(random.u8(1..30));
    Some(if value.contains('.') { format!("{moved:.2}") } else { format!("{moved}") })
}

fn moved_date(value: &str, random: &mut Rng) -> Option<String> {
    let parts: Vec<u32> = value.split('-').filter_map(|part| part.parse().ok()).collect();
    let [year, month, day] = parts.as_slice() else { return None };
    let (year, month, day) = match random.u8(..3) {
        0 => (year + 1 + random.u32(..5), *month, *day),
        1 => (*year, month % 12 + 1, (*day).min(28)),
        _ => (*year, *month, if *day > 14 { day - 9 } else { day + 9 }),
    };
    Some(format!("{year}-{month:02}-{day:02}"))
}

/// Writes a date in one of the forms that people use.
fn written_date(value: &str, random: &mut Rng) -> Option<String> {
    const MONTHS: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    let parts: Vec<usize> = value.split('-').filter_map(|part| part.parse().ok()).collect();
    let [year, month, day] = parts.as_slice() else { return None };
    let name = MONTHS.get(month.checked_sub(1)?)?;
    Some(match random.u8(..4) {
        0 => format!("{name} {day}, {year}"),
        1 => format!("{day} {name} {year}"),
        2 => format!("the {day}th of {name} {year}"),
        _ => value.to_owned(),
    })
}

/// Writes the answer in the layout and with the citations of one of many models.
fn write(answer: &Made, random: &mut Rng) -> String {
    let style = random.u8(..6);
    let layout = random.u8(..4);
    let cite = |number: usize| match style {
        0 | 1 => format!("[{number}]"),
        2 => format!("【{number}】"),
        3 => format!("[^{number}]"),
        4 => format!("[{number}][{}]", answer.evidence.len() + 40),
        _ => format!("({number})"),
    };
    let mut text = String::new();
    if layout == 1 {
        text.push_str("## Answer\n\nThis is known:\n\n");
    }
    for (words, number, _) in &answer.statements {
        let citation = cite(*number);
        match layout {
            1 => text.push_str(&format!("- {words} {citation}\n")),
            2 => text.push_str(&format!("{words}. {citation}\n\n")),
            _ => {
                let opening = OPENINGS[random.usize(..OPENINGS.len())];
                text.push_str(&format!("{opening}{words} {citation}. "));
            }
        }
    }
    text
}
