//! Describes what is in the graph.

use std::collections::HashMap;

use graphwright_core::{
    GraphSchema, Properties, Result,
    schema::{ElementSchema, Observer, Pattern},
    store::{SchemaOptions, Selection},
};
use kglite::api::{DirGraph, GraphRead, InternedKey};

use crate::{index, scan};

/// Describes the graph.
pub(crate) fn describe(graph: &DirGraph, options: &SchemaOptions) -> Result<GraphSchema> {
    let mut label_sets = LabelSets::default();
    let mut labels: HashMap<String, Observer> = HashMap::new();
    for node in graph.graph.node_indices() {
        let names = scan::labels(graph, node);
        for label in names.iter().filter(|label| options.labels.includes(label)) {
            // `entry` would need an owned label for each node.
            if !labels.contains_key(label) {
                labels.insert(label.clone(), Observer::default());
            }
        }
        // Properties are only read while some label of the node still wants samples.
        let wanted = names.iter().filter_map(|label| labels.get(label)).any(|seen| seen.wants_more(options));
        let read = if wanted {
            scan::node_of(graph, node, Vec::new(), &Selection::All)?.properties
        } else {
            Properties::new()
        };
        for label in &names {
            if let Some(seen) = labels.get_mut(label) {
                seen.observe(&read, options);
            }
        }
        label_sets.add(node.index(), names);
    }
    let mut kinds: HashMap<String, Observer> = HashMap::new();
    let mut connections: HashMap<(InternedKey, usize, usize), u64> = HashMap::new();
    for edge in graph.graph.edge_references() {
        let Some(kind) = scan::name(graph, edge.connection_type()) else { continue };
        if !options.relationship_types.includes(kind) {
            continue;
        }
        if !kinds.contains_key(kind) {
            kinds.insert(kind.to_owned(), Observer::default());
        }
        if let Some(seen) = kinds.get_mut(kind) {
            let wanted = seen.wants_more(options);
            let selection = if wanted { &Selection::All } else { &Selection::None };
            seen.observe(&scan::relationship_properties(graph, edge.id(), selection)?, options);
        }
        let ends = label_sets.number(edge.source().index()).zip(label_sets.number(edge.target().index()));
        if let Some((from, to)) = ends {
            *connections.entry((edge.connection_type(), from, to)).or_default() += 1;
        }
    }
    let selected = |label: &str| options.labels.includes(label);
    let constraints = index::list_constraints(graph)?;
    Ok(GraphSchema {
        labels: elements(labels, options),
        relationship_types: elements(kinds, options),
        patterns: patterns(graph, &label_sets, &connections, options),
        indexes: index::list(graph)?,
        constraints: constraints.into_iter().filter(|constraint| selected(&constraint.label)).collect(),
    })
}

/// The different combinations of labels, and which one each node has.
#[derive(Default)]
struct LabelSets {
    sets: Vec<Vec<String>>,
    numbers: HashMap<Vec<String>, usize>,
    by_slot: HashMap<usize, usize>,
}

impl LabelSets {
    fn add(&mut self, slot: usize, labels: Vec<String>) {
        let next = self.sets.len();
        let number = *self.numbers.entry(labels).or_insert_with_key(|labels| {
            self.sets.push(labels.clone());
            next
        });
        self.by_slot.insert(slot, number);
    }

    fn number(&self, slot: usize) -> Option<usize> {
        self.by_slot.get(&slot).copied()
    }

    fn labels(&self, number: usize) -> &[String] {
        self.sets.get(number).map_or(&[], Vec::as_slice)
    }
}

fn patterns(
    graph: &DirGraph,
    label_sets: &LabelSets,
    connections: &HashMap<(InternedKey, usize, usize), u64>,
    options: &SchemaOptions,
) -> Vec<Pattern> {
    let mut counts: HashMap<(&str, &str, &str), u64> = HashMap::new();
    for (&(kind, from, to), count) in connections {
        let Some(kind) = scan::name(graph, kind) else { continue };
        for from in label_sets.labels(from).iter().filter(|label| options.labels.includes(label)) {
            for to in label_sets.labels(to).iter().filter(|label| options.labels.includes(label)) {
                *counts.entry((from, kind, to)).or_default() += count;
            }
        }
    }
    let mut patterns: Vec<_> = counts
        .into_iter()
        .map(|((from, kind, to), count)| Pattern {
            from: from.to_owned(),
            kind: kind.to_owned(),
            to: to.to_owned(),
            count,
        })
        .collect();
    Pattern::sort(&mut patterns);
    patterns
}

fn elements(observed: HashMap<String, Observer>, options: &SchemaOptions) -> Vec<ElementSchema> {
    let elements = observed.into_iter().map(|(name, seen)| seen.into_schema(name, options));
    ElementSchema::sorted(elements.collect())
}
