//! Finds what a question may mean by its answers: the ways from a value that it names to exactly what answers it.

use graphwright_core::Value;
use rustc_hash::FxHashSet;

use crate::{
    graph::Graph,
    meaning::{Asked, Condition, Meaning, Thing},
    schema::{Label, Property, StepId},
    values::{Fit, Link},
    words::{key, shown, split},
};

/// The most steps of a way.
const MOST_STEPS: usize = 3;
/// The most things that a way may reach.
const MOST_REACHED: usize = 20_000;

/// A way from a value of the question.
struct Way {
    steps: Vec<StepId>,
    reached: FxHashSet<u32>,
}

/// Lists the meanings that give exactly these answers, up to three steps away from a value of the question. `topic` is the
/// value that the question is about, where it is known.
pub(crate) fn meanings(
    question: &str,
    topic: Option<&str>,
    answers: &[String],
    graph: &Graph,
) -> Vec<Meaning> {
    let words = split(question);
    let spans = graph.values.link(question, &words);
    let topic = topic.map(key);
    let links = spans.iter().flat_map(|span| &span.links).filter(|link| {
        !matches!(link.fit, Fit::Words(_))
            && topic.as_ref().is_none_or(|topic| key(&shown(&link.value)) == *topic)
    });
    let wanted: FxHashSet<&str> = answers.iter().map(String::as_str).collect();
    let mut found = Vec::new();
    for link in links {
        search(link, &wanted, graph, &mut found);
    }
    found
}

fn search(link: &Link, wanted: &FxHashSet<&str>, graph: &Graph, found: &mut Vec<Meaning>) {
    let start = graph.values.nodes(link.label, link.property, &link.value).iter().copied().collect();
    let mut ways = vec![Way { steps: Vec::new(), reached: start }];
    for depth in 0..=MOST_STEPS {
        for way in &ways {
            found.extend(fitting(link, way, wanted, graph));
        }
        if depth == MOST_STEPS {
            break;
        }
        ways = ways.iter().flat_map(|way| longer(way, link.label, graph)).collect();
    }
}

fn longer(way: &Way, label: Label, graph: &Graph) -> Vec<Way> {
    let schema = graph.schema();
    let at = way.steps.last().map_or(label, |step| schema.at(*step).to);
    let next = schema.from[usize::from(at)].iter().filter_map(|&step| {
        let along = schema.at(step);
        let mut reached = FxHashSet::default();
        for node in &way.reached {
            reached.extend(graph.along(*node, along).map(|neighbour| neighbour.node));
            if reached.len() > MOST_REACHED {
                return None;
            }
        }
        (!reached.is_empty())
            .then(|| Way { steps: way.steps.iter().copied().chain([step]).collect(), reached })
    });
    next.collect()
}

/// The meanings along a way that give what is wanted.
fn fitting(link: &Link, way: &Way, wanted: &FxHashSet<&str>, graph: &Graph) -> Vec<Meaning> {
    let schema = graph.schema();
    let label = way.steps.last().map_or(link.label, |step| schema.at(*step).to);
    let mut all = Vec::new();
    for &property in &schema.has[usize::from(label)] {
        let name = schema.properties[usize::from(property)].as_str();
        let is_name = matches!(name, "name" | "title");
        let itself = way.steps.is_empty() && (is_name || property == link.property);
        // What is reached without regard to repetition is at least what the meaning gives.
        if itself || !holds_all(graph, &way.reached, property, wanted) {
            continue;
        }
        let asked = if is_name { Asked::Entities } else { Asked::Values(property) };
        for others in [true, false] {
            let meaning = meaning(link, way, asked, others, graph);
            if meaning.as_ref().is_some_and(|meaning| gives(graph, meaning, property, wanted)) {
                all.extend(meaning);
                break;
            }
        }
    }
    all
}

fn holds_all(graph: &Graph, nodes: &FxHashSet<u32>, property: Property, wanted: &FxHashSet<&str>) -> bool {
    if nodes.len() < wanted.len() {
        return false;
    }
    let mut seen = FxHashSet::default();
    for value in nodes.iter().filter_map(|node| graph.value(*node, property)) {
        if let Value::String(text) = value {
            seen.extend(wanted.get(text.as_str()).copied());
        } else {
            seen.extend(wanted.get(shown(value).as_str()).copied());
        }
    }
    seen.len() == wanted.len()
}

fn gives(graph: &Graph, meaning: &Meaning, property: Property, wanted: &FxHashSet<&str>) -> bool {
    let nodes = graph.run(meaning).nodes;
    let given: FxHashSet<String> =
        nodes.iter().filter_map(|node| graph.value(*node, property)).map(shown).collect();
    given.len() == wanted.len() && given.iter().all(|value| wanted.contains(value.as_str()))
}

/// The meaning of a way: what it reaches is asked for, and the value is a condition at its other end.
fn meaning(link: &Link, way: &Way, asked: Asked, others: bool, graph: &Graph) -> Option<Meaning> {
    let schema = graph.schema();
    let condition = Condition { property: link.property, value: link.value.clone() };
    let mut things = Vec::new();
    for (at, &step) in way.steps.iter().rev().enumerate() {
        let step = schema.at(step);
        let before = match at {
            0 => None,
            _ => Some((at - 1, schema.step(schema.at(way.steps[way.steps.len() - at]).reversed())?)),
        };
        things.push(Thing { label: step.to, before, conditions: Vec::new() });
    }
    let before = match way.steps.first() {
        None => None,
        Some(step) => Some((things.len() - 1, schema.step(schema.at(*step).reversed())?)),
    };
    things.push(Thing { label: link.label, before, conditions: vec![condition] });
    Some(Meaning { things, asked, rank: None, others: others && !way.steps.is_empty() })
}
