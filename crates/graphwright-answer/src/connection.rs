//! Answers how two things are connected.

use std::collections::HashSet;

use graphwright_core::{store::Selection, text::identifier_words};
use graphwright_english::{derivation::derivations, inflection, questions::Token, words};
use graphwright_retrieve::{Direction, Follow, NodeIndex, PathOptions, Step, Topology};

use crate::{
    Answer, AnswerPath, AnswerStatus, Answerer, answer,
    evidence::{self, Wanted},
    interpret::Interpretation,
    limits::Limits,
    question::{Form, Piece},
    respond,
};

/// The most shortest paths that an answer gives.
const MOST_PATHS: usize = 10;

/// The way between two things that a question names.
#[derive(Debug, Default)]
pub(crate) struct Way {
    /// The relationship types that it goes along; any if none.
    pub(crate) kinds: Vec<String>,
    /// The words of the question that nothing was made of.
    pub(crate) unused: Vec<usize>,
}

impl Answerer {
    pub(crate) fn connect(&self, answer: &mut Answer, read: &Interpretation, limits: Limits) -> Wanted {
        let topology = &*self.topology;
        let mut wanted = Wanted::default();
        // There is one: the caller has found names in it.
        let ends: Vec<Vec<NodeIndex>> = read.segmentations[0]
            .spans
            .iter()
            .filter_map(|span| match &span.piece {
                Piece::Entity(nodes) => Some(nodes.iter().map(|node| node.0).collect()),
                _ => None,
            })
            .collect();
        let [left, right, ..] = ends.as_slice() else { return wanted };
        let kinds = self.way(read).kinds;
        let (types, through) = if kinds.is_empty() {
            (Selection::All, String::new())
        } else {
            let through = format!(" through {}", respond::list(&kinds));
            (Selection::Only(kinds), through)
        };
        let max_hops = read.head.levels_or(limits.path_hops());
        let follow = Follow { types, ..Follow::default() };
        let options = PathOptions { max_hops, limit: MOST_PATHS, follow, ..PathOptions::default() };
        let mut best: Vec<(NodeIndex, Vec<Step>)> = topology
            .shortest_paths(left, right, &options)
            .paths
            .into_iter()
            .map(|path| (path.start, path.steps))
            .collect();
        let shortest = best.iter().map(|(_, steps)| steps.len()).min().unwrap_or(0);
        // Both names may be of one thing, and a path without steps connects nothing.
        best.retain(|(_, steps)| steps.len() == shortest && shortest > 0);
        let name = |nodes: &[NodeIndex]| topology.node(nodes[0]).display_name().to_owned();
        if best.is_empty() {
            answer.status = AnswerStatus::NoPath;
            answer.answer =
                format!("No path{through} from {} to {} within {max_hops} hops.", name(left), name(right));
            return wanted;
        }
        answer.status = AnswerStatus::Answered;
        let mut lines = Vec::new();
        for (from, steps) in &best {
            for step in &steps[..steps.len() - 1] {
                let entity = evidence::entity(topology, step.node, 1.0);
                if !answer.entities.iter().any(|known| known.id == entity.id) {
                    answer.entities.push(entity);
                }
            }
            let path = evidence::path(topology, *from, steps);
            lines.push(draw(&path));
            answer.paths.push(path);
            for step in steps {
                wanted.relationship(topology, step.relationship);
            }
        }
        let hops = best[0].1.len();
        let plural = if best.len() == 1 { "path connects" } else { "shortest paths connect" };
        answer.answer = format!(
            "{} {plural} {} and {}{through} ({hops} hop{}):\n{}",
            best.len(),
            name(left),
            name(right),
            if hops == 1 { "" } else { "s" },
            lines.join("\n")
        );
        wanted
    }

    /// The way that the question names: `the shortest path through co-authorship`.
    pub(crate) fn way(&self, read: &Interpretation) -> Way {
        let (tokens, schema) = (&read.tokens, &self.interpreter.schema);
        let mut way = Way::default();
        let Some(best) = read.segmentations.first() else { return way };
        for span in &best.spans {
            match &span.piece {
                Piece::Relation(_, readings) if !words::is_vague(&tokens[span.first].stem) => {
                    way.kinds.extend(readings.iter().map(|reading| schema.kind(reading.kind).to_owned()));
                }
                _ => {}
            }
        }
        let left = best.unexplained.iter().filter(|at| !words::is_path_word(&tokens[**at].lower));
        let mut unused: Vec<(usize, HashSet<String>)> = left.map(|&at| (at, stems_of(&tokens[at]))).collect();
        for kind in &schema.kinds {
            let own = identifier_words(kind).into_iter().filter(|word| !words::is_preposition(word));
            let said = own.map(|word| {
                let stem = inflection::base_stem(&word);
                unused.iter().find(|(_, stems)| stems.contains(&stem)).map(|(at, _)| *at)
            });
            let said: Option<Vec<usize>> = said.collect();
            if let Some(said) = said.filter(|said| !said.is_empty()) {
                way.kinds.push(kind.clone());
                unused.retain(|(at, _)| !said.contains(at));
            }
        }
        way.unused = unused.into_iter().map(|(at, _)| at).collect();
        way.kinds.sort_unstable();
        way.kinds.dedup();
        way
    }

    /// Answers `What do A and B have in common?` when the question names no type.
    pub(crate) fn common(&self, answer: &mut Answer, read: &Interpretation) -> Option<Wanted> {
        let spans = &read.segmentations.first()?.spans;
        let common = spans.iter().any(|span| span.piece == Piece::Shared);
        let typed = spans.iter().any(|span| matches!(span.piece, Piece::Type(_) | Piece::Relation(..)));
        let named: Vec<NodeIndex> = spans
            .iter()
            .filter_map(|span| match &span.piece {
                Piece::Entity(nodes) => nodes.first().map(|node| node.0),
                _ => None,
            })
            .collect();
        if !common || typed || named.len() != 2 {
            return None;
        }
        // Where the question says what may be the same, nothing else that is is told.
        let says_what = spans.iter().any(|span| matches!(span.piece, Piece::Property(_)));
        if says_what {
            let same = self.same_value(answer, read, [named[0], named[1]]);
            if same.is_some() || read.head.form != Form::Truth {
                return same;
            }
        }
        let topology = &*self.topology;
        let mut wanted = Wanted::default();
        let found = if says_what { Vec::new() } else { common_neighbours(topology, named[0], named[1]) };
        let names = respond::names(topology, &named);
        if found.is_empty() {
            answer.answer = format!(
                "The graph does not say.\nNothing in the graph tells what {} have in common.",
                respond::list(&names)
            );
            return Some(wanted);
        }
        answer.status = AnswerStatus::Answered;
        let mut shared = Vec::new();
        for (node, first, second) in found {
            answer.entities.push(evidence::entity(topology, node, 1.0));
            for (from, step) in [(named[0], first), (named[1], second)] {
                answer.paths.push(evidence::path(topology, from, &[step]));
                wanted.relationship(topology, step.relationship);
            }
            let kind = respond::spoken(&topology.edge(first.relationship).kind);
            shared.push(format!("{} ({kind})", topology.node(node).display_name()));
        }
        answer.answer = format!("{} have in common: {}.", respond::list(&names), respond::list(&shared));
        Some(wanted)
    }

    /// `Are A and B in the same zone`: whether two things have the same value, where the graph has both.
    fn same_value(
        &self,
        answer: &mut Answer,
        read: &Interpretation,
        [one, other]: [NodeIndex; 2],
    ) -> Option<Wanted> {
        let schema = &self.interpreter.schema;
        let topology = &*self.topology;
        let best = read.segmentations.first()?;
        let mut asked = Vec::new();
        for span in &best.spans {
            match &span.piece {
                Piece::Property(properties) => asked.extend_from_slice(properties),
                Piece::Entity(_) | Piece::Shared => {}
                _ => return None,
            }
        }
        if !best.unexplained.is_empty() || read.tokens.iter().any(|token| words::is_negation(&token.lower)) {
            return None;
        }
        let value = |node: NodeIndex, name: &str| topology.node(node).properties.get(name);
        let mut held = asked.iter().filter_map(|property| {
            let name = &schema.property(*property).name;
            (value(one, name).is_some() && value(other, name).is_some()).then_some(name)
        });
        // Of several, none is surely meant.
        let (name, None) = (held.next()?, held.next()) else { return None };
        let is_same = value(one, name) == value(other, name);
        let mut wanted = Wanted::default();
        for node in [one, other] {
            answer.entities.push(evidence::entity(topology, node, 1.0));
            wanted.property(topology, node, name);
        }
        answer.status = AnswerStatus::Answered;
        answer.answer = respond::values_of(topology, [one, other], name)?;
        if read.head.form == Form::Truth {
            answer.answer = format!("{}: {}", if is_same { "Yes" } else { "No" }, answer.answer);
            answer.values = vec![is_same.into()];
        } else if is_same {
            answer.values.extend(value(one, name).map(answer::json));
        }
        Some(wanted)
    }
}

/// The stems that a word may have: its own, and those of what it is derived from (`authorship`: `author`).
fn stems_of(token: &Token) -> HashSet<String> {
    let derived = derivations(&token.lower).into_iter().map(|(stem, _)| stem);
    derived.chain([token.stem.clone()]).collect()
}

/// Draws a path as `a -USES-> b <-OWNS- c`.
pub(crate) fn draw(path: &AnswerPath) -> String {
    // A path begins with a node, even without steps.
    let mut text = path.nodes[0].name.clone();
    for (relationship, nodes) in path.relationships.iter().zip(path.nodes.windows(2)) {
        let forward = relationship.from == nodes[0].id;
        let arrow = if forward {
            format!(" -{}-> ", relationship.kind)
        } else {
            format!(" <-{}- ", relationship.kind)
        };
        text.push_str(&arrow);
        text.push_str(&nodes[1].name);
    }
    text
}

/// Finds the nodes that both are directly connected with.
fn common_neighbours(topology: &Topology, left: NodeIndex, right: NodeIndex) -> Vec<(NodeIndex, Step, Step)> {
    let mut found: Vec<(NodeIndex, Step, Step)> = Vec::new();
    for first in facts(topology, left) {
        let second = facts(topology, right).find(|step| {
            step.node == first.node
                && step.forward == first.forward
                && topology.edge(step.relationship).kind == topology.edge(first.relationship).kind
        });
        if let Some(second) = second
            && !found.iter().any(|known| known.0 == first.node)
        {
            found.push((first.node, first, second));
        }
    }
    found
}

fn facts(topology: &Topology, node: NodeIndex) -> impl Iterator<Item = Step> + '_ {
    topology.steps(node, Direction::Both).filter(|step| topology.is_fact(step.relationship))
}
