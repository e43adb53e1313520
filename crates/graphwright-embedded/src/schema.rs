//! What is in the graph.

use std::collections::{BTreeMap, HashMap};

use graphwright_core::{
    GraphSchema, Properties, Result, Value,
    schema::{ElementSchema, Pattern, PropertySchema},
    store::{SchemaOptions, Selection},
};
use kglite::api::{DirGraph, GraphRead, InternedKey};

use crate::{index, scan};

/// How many different values a property may have for all of them to be listed.
const ENUMERATION: usize = 10;

/// Describes the graph.
pub(crate) fn describe(graph: &DirGraph, options: &SchemaOptions) -> Result<GraphSchema> {
    let mut label_sets = LabelSets::default();
    let mut labels: HashMap<String, Observed> = HashMap::new();
    for node in graph.graph.node_indices() {
        let names = scan::labels(graph, node);
        for label in names.iter().filter(|label| options.labels.includes(label)) {
            if !labels.contains_key(label) {
                labels.insert(label.clone(), Observed::default());
            }
        }
        let wanted =
            names.iter().filter_map(|label| labels.get(label)).any(|seen| seen.count < options.sample as u64);
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
    let mut kinds: HashMap<String, Observed> = HashMap::new();
    let mut connections: HashMap<(InternedKey, usize, usize), u64> = HashMap::new();
    for edge in graph.graph.edge_references() {
        let Some(kind) = scan::name(graph, edge.connection_type()) else { continue };
        if !options.relationship_types.includes(kind) {
            continue;
        }
        if !kinds.contains_key(kind) {
            kinds.insert(kind.to_owned(), Observed::default());
        }
        if let Some(seen) = kinds.get_mut(kind) {
            let wanted = seen.count < options.sample as u64;
            let selection = if wanted { &Selection::All } else { &Selection::None };
            seen.observe(&scan::relationship_properties(graph, edge.id(), selection)?, options);
        }
        let ends = label_sets.of(edge.source().index()).zip(label_sets.of(edge.target().index()));
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
    of_slot: HashMap<usize, usize>,
}

impl LabelSets {
    fn add(&mut self, slot: usize, labels: Vec<String>) {
        let next = self.sets.len();
        let number = *self.numbers.entry(labels).or_insert_with_key(|labels| {
            self.sets.push(labels.clone());
            next
        });
        self.of_slot.insert(slot, number);
    }

    fn of(&self, slot: usize) -> Option<usize> {
        self.of_slot.get(&slot).copied()
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
    patterns.sort_unstable_by(|one, other| {
        let names = |pattern: &Pattern| (pattern.from.clone(), pattern.kind.clone(), pattern.to.clone());
        other.count.cmp(&one.count).then_with(|| names(one).cmp(&names(other)))
    });
    patterns
}

fn elements(observed: HashMap<String, Observed>, options: &SchemaOptions) -> Vec<ElementSchema> {
    let mut elements: Vec<_> =
        observed.into_iter().map(|(name, seen)| seen.into_schema(name, options)).collect();
    elements
        .sort_unstable_by(|one, other| other.count.cmp(&one.count).then_with(|| one.name.cmp(&other.name)));
    elements
}

/// What was seen of a label or relationship type.
#[derive(Default)]
struct Observed {
    count: u64,
    properties: BTreeMap<String, ObservedProperty>,
}

#[derive(Default)]
struct ObservedProperty {
    count: u64,
    types: HashMap<&'static str, u64>,
    /// Different values, as many as tell whether the property is an enumeration.
    values: Vec<Value>,
    many: bool,
    min: Option<Value>,
    max: Option<Value>,
}

impl Observed {
    fn observe(&mut self, properties: &Properties, options: &SchemaOptions) {
        self.count += 1;
        if self.count > options.sample as u64 {
            return;
        }
        for (name, value) in properties {
            if !self.properties.contains_key(name) {
                self.properties.insert(name.clone(), ObservedProperty::default());
            }
            if let Some(seen) = self.properties.get_mut(name) {
                seen.observe(value, options.values.max(ENUMERATION));
            }
        }
    }

    fn into_schema(self, name: String, options: &SchemaOptions) -> ElementSchema {
        let complete = self.count <= options.sample as u64;
        let properties = self
            .properties
            .into_iter()
            .map(|(name, seen)| seen.into_schema(name, complete, options.values))
            .collect();
        ElementSchema { name, count: self.count, properties }
    }
}

impl ObservedProperty {
    fn observe(&mut self, value: &Value, keep: usize) {
        self.count += 1;
        *self.types.entry(value.type_name()).or_default() += 1;
        if !self.many && !self.values.contains(value) {
            self.many = self.values.len() == keep;
            if !self.many {
                self.values.push(value.clone());
            }
        }
        if is_ordered(value) {
            replace_if(&mut self.min, value, std::cmp::Ordering::Less);
            replace_if(&mut self.max, value, std::cmp::Ordering::Greater);
        }
    }

    fn into_schema(mut self, name: String, complete: bool, samples: usize) -> PropertySchema {
        let mut types: Vec<_> = self.types.into_iter().collect();
        types.sort_unstable_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(other.0)));
        let few = complete && !self.many && self.values.len() <= ENUMERATION;
        if few {
            self.values.sort_by(Value::order);
        }
        PropertySchema {
            name,
            types: types.into_iter().map(|(name, _)| name.to_owned()).collect(),
            count: self.count,
            samples: self.values.iter().take(samples).cloned().collect(),
            values: few.then_some(self.values),
            min: self.min,
            max: self.max,
        }
    }
}

fn is_ordered(value: &Value) -> bool {
    matches!(
        value,
        Value::Integer(_)
            | Value::Float(_)
            | Value::Date(_)
            | Value::Time(_)
            | Value::LocalTime(_)
            | Value::DateTime(_)
            | Value::LocalDateTime(_)
            | Value::Duration(_)
    )
}

fn replace_if(kept: &mut Option<Value>, value: &Value, ordering: std::cmp::Ordering) {
    if kept.as_ref().is_none_or(|kept| value.order(kept) == ordering) {
        *kept = Some(value.clone());
    }
}
