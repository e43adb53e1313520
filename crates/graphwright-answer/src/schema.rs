//! The schema of a graph as numbers: types, relationship types, properties, and the types that each
//! relationship connects.

mod contents;
mod outline;

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::OnceLock,
};

use graphwright_core::{
    Value, names,
    text::{identifier_words, without_bracket},
};
use graphwright_english::{
    derivation::{Derivation, derivations, names_people},
    inflection::{self, base_stem},
    words,
};
use graphwright_ontology::{DataType, Ontology};
use graphwright_retrieve::{Direction, NodeIndex, Role, Summary, Topology};

pub(crate) use contents::{is_date_name, is_identifier};
pub(crate) use graphwright_retrieve::Content;

/// So many things of a type show whether they have one relationship each.
const MOST_LOOKED_AT: usize = 200;

/// A label, as a position in [`Schema::labels`].
pub(crate) type Label = u16;
/// A relationship type, as a position in [`Schema::kinds`].
pub(crate) type Kind = u16;
/// A property of entities, as a position in [`Schema::properties`].
pub(crate) type Property = u16;

/// A property with the types that have it.
#[derive(Clone, Debug)]
pub(crate) struct PropertyInfo {
    pub(crate) name: String,
    pub(crate) labels: HashSet<Label>,
    /// The kinds of relationship that have it.
    pub(crate) kinds: HashSet<Kind>,
    pub(crate) content: Content,
    /// Whether all values seen are dates, or numbers or texts that are years or dates. `None`
    /// before the first value.
    pub(crate) dated: Option<bool>,
}

/// One way along a relationship type between two types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Hop {
    pub(crate) kind: Kind,
    /// Whether the hop goes from the start of the relationship to its end.
    pub(crate) forward: bool,
    /// The type at which the hop arrives.
    pub(crate) to: Label,
}

/// The types that a relationship type connects. Each list is sorted and without duplicates.
#[derive(Debug, Default)]
struct Connections {
    pairs: Vec<(Label, Label)>,
    starts: Vec<Label>,
    ends: Vec<Label>,
}

/// What the graph holds all of, by declaration.
#[derive(Debug, Default)]
pub(crate) struct Complete {
    pub(crate) labels: HashSet<Label>,
    pub(crate) kinds: HashSet<Kind>,
    pub(crate) properties: HashSet<(Label, Property)>,
}

/// There are so many classes of one type at most: of very many, each is a thing of its own (an item, of which there are orders).
const MOST_CLASSES: usize = 40;
/// So many things are read at most to find those with a value.
const MOST_READ: usize = 20_000;
/// A class has so many members at least, on average.
const MEMBERS: usize = 3;

/// How many relationships of a kind things of a type start.
#[derive(Clone, Copy, Debug)]
struct Single {
    /// None starts two.
    at_most_one: bool,
    /// And nearly all start one.
    nearly_all: bool,
}

/// The schema of the entities and facts in a topology, joined with what the ontology declares.
#[derive(Debug)]
pub(crate) struct Schema {
    topology: Topology,
    pub(crate) labels: Vec<String>,
    pub(crate) kinds: Vec<String>,
    pub(crate) properties: Vec<PropertyInfo>,
    patterns: HashMap<(Label, Kind, Label), usize>,
    /// What each kind connects, by its number.
    connections: Vec<Connections>,
    hops: HashMap<Label, Vec<Hop>>,
    /// Whether things of a type start one relationship of a kind each; looked at when it is asked.
    single: HashMap<(Label, Kind), OnceLock<Single>>,
    label_numbers: HashMap<String, Label>,
    kind_numbers: HashMap<String, Kind>,
    property_numbers: HashMap<String, Property>,
    /// Types that `who` may ask for, by their own names or by what people call them.
    pub(crate) actors: HashSet<Label>,
    /// Those of them that are people.
    pub(crate) people: HashSet<Label>,
    /// Types that `where` may ask for.
    pub(crate) places: HashSet<Label>,
    /// What the ontology declares to be complete.
    pub(crate) complete: Complete,
    /// Types of relationship that hold both ways (`COMPETES_WITH`).
    reciprocal: HashSet<Kind>,
    /// Properties of relationships, by kind.
    pub(crate) edge_properties: BTreeMap<Kind, BTreeMap<String, Content>>,
}

impl Schema {
    pub(crate) fn read(topology: &Topology, summary: &Summary, ontology: &Ontology) -> Self {
        let mut schema = Self::of_nothing(topology.clone());
        schema.read_ontology(ontology);
        schema.read_summary(summary);
        schema.read_timed_relationships();
        schema.find_people_and_places(ontology);
        let mut hops: HashMap<Label, HashSet<Hop>> = HashMap::new();
        for &(from, kind, to) in schema.patterns.keys() {
            schema.single.entry((from, kind)).or_default();
            hops.entry(from).or_default().insert(Hop { kind, forward: true, to });
            hops.entry(to).or_default().insert(Hop { kind, forward: false, to: from });
        }
        for (label, found) in hops {
            let mut found: Vec<Hop> = found.into_iter().collect();
            found.sort_unstable();
            schema.hops.insert(label, found);
        }
        schema.connections = schema.find_connections();
        schema.reciprocal = schema.find_reciprocal();
        schema
    }

    fn of_nothing(topology: Topology) -> Self {
        Self {
            topology,
            labels: Vec::new(),
            kinds: Vec::new(),
            properties: Vec::new(),
            patterns: HashMap::new(),
            connections: Vec::new(),
            hops: HashMap::new(),
            single: HashMap::new(),
            label_numbers: HashMap::new(),
            kind_numbers: HashMap::new(),
            property_numbers: HashMap::new(),
            actors: HashSet::new(),
            people: HashSet::new(),
            places: HashSet::new(),
            complete: Complete::default(),
            reciprocal: HashSet::new(),
            edge_properties: BTreeMap::new(),
        }
    }

    fn find_reciprocal(&self) -> HashSet<Kind> {
        let said_so = |name: &str| {
            let words = identifier_words(name);
            let is_so = |word: &String| {
                words::is_reciprocal(word) || words::is_reciprocal(&inflection::base_stem(word))
            };
            words.first().is_some_and(is_so)
        };
        let kinds = (0..self.kinds.len() as Kind).filter(|&kind| self.is_same_at_both_ends(kind));
        kinds.filter(|&kind| said_so(self.kind(kind))).collect()
    }

    fn find_connections(&self) -> Vec<Connections> {
        let mut found: Vec<Connections> = self.kinds.iter().map(|_| Connections::default()).collect();
        for &(from, kind, to) in self.patterns.keys() {
            let connections = &mut found[usize::from(kind)];
            connections.pairs.push((from, to));
            connections.starts.push(from);
            connections.ends.push(to);
        }
        for Connections { pairs, starts, ends } in &mut found {
            pairs.sort_unstable();
            for labels in [starts, ends] {
                labels.sort_unstable();
                labels.dedup();
            }
        }
        found
    }

    fn read_ontology(&mut self, ontology: &Ontology) {
        for (name, node) in &ontology.nodes {
            let label = self.label_number(name);
            for (property, kind) in &node.properties {
                let number = self.property_number(property, content_of_type(&kind.kind));
                self.properties[usize::from(number)].labels.insert(label);
                if kind.complete {
                    self.complete.properties.insert((label, number));
                }
            }
            if node.complete {
                self.complete.labels.insert(label);
            }
        }
        for (name, relationship) in &ontology.relationships {
            let kind = self.kind_number(name);
            if relationship.complete {
                self.complete.kinds.insert(kind);
            }
        }
    }

    /// Tells whether things have one name, with what tells them apart in brackets behind it: `Reds (2001)`.
    pub(crate) fn are_called_alike(&self, nodes: &[NodeIndex]) -> bool {
        let name = |node: &NodeIndex| self.topology.node(*node).display_name().to_owned();
        let names: Vec<String> = nodes.iter().map(name).collect();
        let is_told_apart = |name: &String| without_bracket(name).len() < name.len();
        names.iter().all(is_told_apart)
            && names.iter().all(|name| without_bracket(name) == without_bracket(&names[0]))
    }

    fn find_people_and_places(&mut self, ontology: &Ontology) {
        let (mut actors, mut people, mut places) = (HashSet::new(), HashSet::new(), HashSet::new());
        for (label, name) in (0..).zip(&self.labels) {
            let synonyms = ontology.nodes.get(name).map_or(&[][..], |node| &node.synonyms);
            let names = std::iter::once(name).chain(synonyms);
            let names: Vec<Vec<String>> = names.map(|name| identifier_words(name)).collect();
            if names.iter().any(|words| names_people(&words.join(" "))) {
                people.insert(label);
            }
            let words = names.concat();
            if words.iter().any(|word| words::is_actor_noun(word) || self.is_agent(word, label)) {
                actors.insert(label);
            }
            if words.iter().any(|word| words::is_place_noun(word)) {
                places.insert(label);
            }
        }
        (self.actors, self.people, self.places) = (actors, people, places);
    }

    /// Tells whether a word for a type is one for who does what a relationship from it says: `supplier`, which `SUPPLIES`.
    fn is_agent(&self, word: &str, label: Label) -> bool {
        let roots = derivations(word).into_iter().filter(|(_, derivation)| *derivation == Derivation::Agent);
        let roots: Vec<String> = roots.map(|(root, _)| root).collect();
        let kinds = self.patterns.keys().filter(|(from, ..)| *from == label).map(|(_, kind, _)| *kind);
        let mut verbs = kinds.filter_map(|kind| identifier_words(self.kind(kind)).into_iter().next());
        verbs.any(|verb| roots.contains(&base_stem(&verb)))
    }

    fn read_summary(&mut self, summary: &Summary) {
        let labels: Vec<Label> = summary.types.iter().map(|name| self.label_number(name)).collect();
        for property in &summary.properties {
            let number = self.property_number(&property.name, property.content);
            let info = &mut self.properties[usize::from(number)];
            info.labels.extend(property.types.iter().filter_map(|number| labels.get(*number as usize)));
            info.dated = Some(property.is_dated);
        }
        for pattern in &summary.patterns {
            let kind = self.kind_number(&pattern.kind);
            let ends = (labels.get(pattern.from as usize), labels.get(pattern.to as usize));
            if let (Some(&from), Some(&to)) = ends {
                *self.patterns.entry((from, kind, to)).or_default() += pattern.count;
            }
        }
        for (kind, name, content) in &summary.edge_properties {
            let kind = self.kind_number(kind);
            self.add_edge_property(kind, name, *content);
        }
    }

    /// Reads the facts that are so on the day that is shown, and not on all days.
    fn read_timed_relationships(&mut self) {
        let topology = self.topology.clone();
        for relationship in topology.timed_relationships() {
            let edge = topology.read_edge(relationship);
            let (Some(from), Some(to)) = (self.label_of(edge.start), self.label_of(edge.end)) else {
                continue;
            };
            let kind = self.kind_number(&edge.kind);
            *self.patterns.entry((from, kind, to)).or_default() += 1;
            for (name, value) in &edge.properties {
                self.add_edge_property(kind, name, Content::of_value(value));
            }
        }
    }

    fn add_edge_property(&mut self, kind: Kind, name: &str, content: Content) {
        if names::is_bookkeeping(name) {
            return;
        }
        self.edge_properties.entry(kind).or_default().entry(name.to_owned()).or_insert(content);
        if !matches!(name, names::STATUS | names::DESCRIPTION | names::VALID_FROM | names::VALID_TO) {
            let number = self.property_number(name, content);
            self.properties[usize::from(number)].kinds.insert(kind);
        }
    }

    fn label_number(&mut self, name: &str) -> Label {
        if let Some(&number) = self.label_numbers.get(name) {
            return number;
        }
        let number = self.labels.len() as Label;
        self.labels.push(name.to_owned());
        self.label_numbers.insert(name.to_owned(), number);
        number
    }

    fn kind_number(&mut self, name: &str) -> Kind {
        if let Some(&number) = self.kind_numbers.get(name) {
            return number;
        }
        let number = self.kinds.len() as Kind;
        self.kinds.push(name.to_owned());
        self.kind_numbers.insert(name.to_owned(), number);
        number
    }

    fn property_number(&mut self, name: &str, content: Content) -> Property {
        if let Some(&number) = self.property_numbers.get(name) {
            return number;
        }
        let number = self.properties.len() as Property;
        self.properties.push(PropertyInfo {
            name: name.to_owned(),
            labels: HashSet::new(),
            kinds: HashSet::new(),
            content,
            dated: None,
        });
        self.property_numbers.insert(name.to_owned(), number);
        number
    }

    pub(crate) fn label(&self, label: Label) -> &str {
        &self.labels[usize::from(label)]
    }

    pub(crate) fn kind(&self, kind: Kind) -> &str {
        &self.kinds[usize::from(kind)]
    }

    /// Tells whether things of one of the types have a property.
    pub(crate) fn have(&self, labels: &[Label], property: Property) -> bool {
        labels.iter().any(|label| self.property(property).labels.contains(label))
    }

    /// Tells whether a thing has a value.
    pub(crate) fn holds(&self, node: NodeIndex, property: Property, value: &Value) -> bool {
        self.topology.node(node).properties.get(&self.property(property).name) == Some(value)
    }

    /// Tells whether a thing has several values of a property.
    pub(crate) fn holds_list(&self, node: NodeIndex, property: Property) -> bool {
        matches!(self.topology.node(node).properties.get(&self.property(property).name), Some(Value::List(_)))
    }

    /// Lists the things that have a value, if they are at most so many, and not among too many to be read.
    pub(crate) fn nodes_with(&self, property: Property, value: &Value, limit: usize) -> Vec<NodeIndex> {
        let of_label = |label: &Label| self.topology.nodes_with_label(self.label(*label));
        let labels = &self.property(property).labels;
        if labels.iter().map(|label| of_label(label).len()).sum::<usize>() > MOST_READ {
            return Vec::new();
        }
        let nodes = labels.iter().flat_map(of_label);
        let mut found: Vec<NodeIndex> =
            nodes.filter(|node| self.holds(*node, property, value)).take(limit + 1).collect();
        found.sort_unstable();
        if found.len() > limit { Vec::new() } else { found }
    }

    /// The type of the things of which a thing is a class, and how they are related to it: the only one of which there are many times
    /// as many (films of a genre).
    pub(crate) fn members_of(&self, class: NodeIndex) -> Option<(Label, Kind)> {
        let own = self.label_of(class)?;
        if self.topology.nodes_with_label(self.label(own)).len() > MOST_CLASSES {
            return None;
        }
        let count = |label: Label| self.topology.nodes_with_label(self.label(label)).len();
        let is_class = |(from, _, to): &&(Label, Kind, Label)| {
            *to == own && *from != own && count(*from) >= count(own) * MEMBERS
        };
        let mut found = self.patterns.keys().filter(is_class);
        let (label, kind, _) = *found.next()?;
        found.next().is_none().then_some((label, kind))
    }

    /// Tells whether a thing is one of a class.
    pub(crate) fn is_member(&self, node: NodeIndex, class: NodeIndex) -> bool {
        self.members_of(class).is_some_and(|(_, kind)| {
            let mut steps = self.topology.steps_along(node, Direction::Outgoing, self.kind(kind));
            steps.any(|step| step.node == class)
        })
    }

    pub(crate) fn name_of(&self, node: NodeIndex) -> &str {
        self.topology.node(node).display_name()
    }

    /// Tells whether a value is the name of a thing.
    pub(crate) fn is_called(&self, node: NodeIndex, value: &Value) -> bool {
        value.as_str() == Some(self.topology.node(node).display_name())
    }

    pub(crate) fn property(&self, property: Property) -> &PropertyInfo {
        &self.properties[usize::from(property)]
    }

    /// Returns the type of an entity.
    pub(crate) fn label_of(&self, node: NodeIndex) -> Option<Label> {
        if self.topology.role(node) != Role::Entity {
            return None;
        }
        self.label_numbers.get(self.topology.kind_of(node)?).copied()
    }

    /// Tells whether an entity has one of the types. It may have several, of which [`label_of`](Self::label_of) gives the first.
    pub(crate) fn is_of(&self, node: NodeIndex, labels: &[Label]) -> bool {
        let Some(first) = self.label_of(node) else { return false };
        labels.contains(&first)
            || labels.iter().any(|&label| self.topology.has_label(node, self.label(label)))
    }

    /// Tells whether some relationship of the kind goes from one of `from` to one of `to`. `None`
    /// means any type.
    pub(crate) fn connects(&self, from: Option<&[Label]>, kind: Kind, to: Option<&[Label]>) -> bool {
        self.connections[usize::from(kind)].pairs.iter().any(|(start, end)| {
            from.is_none_or(|labels| labels.contains(start)) && to.is_none_or(|labels| labels.contains(end))
        })
    }

    /// The property of a name.
    pub(crate) fn property_called(&self, name: &str) -> Option<Property> {
        self.property_numbers.get(name).copied()
    }

    /// Lists the hops from things of a type.
    pub(crate) fn hops(&self, label: Label) -> &[Hop] {
        self.hops.get(&label).map_or(&[], Vec::as_slice)
    }

    /// Lists what connects which types, the most common first.
    pub(crate) fn patterns_by_count(&self) -> Vec<(Label, Kind, Label)> {
        let mut patterns: Vec<_> = self.patterns.iter().collect();
        patterns.sort_unstable_by(|left, right| right.1.cmp(left.1).then(left.0.cmp(right.0)));
        patterns.into_iter().map(|(pattern, _)| *pattern).collect()
    }

    /// Lists the types at one end of a kind.
    pub(crate) fn ends(&self, kind: Kind, start: bool) -> &[Label] {
        let connections = &self.connections[usize::from(kind)];
        if start { &connections.starts } else { &connections.ends }
    }

    /// Tells whether a type stands at both ends of a kind, as when a service depends on a service.
    pub(crate) fn is_same_at_both_ends(&self, kind: Kind) -> bool {
        self.ends(kind, true).iter().any(|label| self.ends(kind, false).contains(label))
    }

    /// Tells whether things of a type are parts of others of it, each of one: what is part of a part is part of the whole.
    pub(crate) fn nests(&self, kind: Kind) -> bool {
        let is_part = |word: &String| words::is_of_whole(word);
        let mut same = self.ends(kind, true).iter().filter(|label| self.ends(kind, false).contains(label));
        identifier_words(self.kind(kind)).iter().any(is_part)
            && same.any(|label| self.single_of(*label, kind).is_some_and(|single| single.at_most_one))
    }

    /// Tells whether a relationship of the kind holds both ways.
    pub(crate) fn is_reciprocal(&self, kind: Kind) -> bool {
        self.reciprocal.contains(&kind)
    }

    /// Tells whether a thing of a type starts one relationship of a kind and no more, as far as some of them show: the call of
    /// a bus at a stop is of one trip, and at one stop.
    pub(crate) fn determines(&self, label: Label, kind: Kind) -> bool {
        self.single_of(label, kind).is_some_and(|single| single.nearly_all)
    }

    fn single_of(&self, label: Label, kind: Kind) -> Option<Single> {
        Some(*self.single.get(&(label, kind))?.get_or_init(|| self.count_single(label, kind)))
    }

    fn count_single(&self, label: Label, kind: Kind) -> Single {
        let steps =
            |node| self.topology.steps_along(node, Direction::Outgoing, self.kind(kind)).take(2).count();
        let nodes = self.topology.nodes_with_label(self.label(label)).take(MOST_LOOKED_AT);
        let counts: Vec<usize> = nodes.map(steps).collect();
        let with_one = counts.iter().filter(|count| **count == 1).count();
        let at_most_one = counts.iter().all(|count| *count < 2);
        Single { at_most_one, nearly_all: at_most_one && with_one * 10 >= counts.len() * 9 }
    }

    /// Tells whether a thing of a type has one thing of another type and no more.
    pub(crate) fn determines_one_of(&self, label: Label, others: &[Label]) -> bool {
        self.hops(label)
            .iter()
            .any(|hop| hop.forward && others.contains(&hop.to) && self.determines(label, hop.kind))
    }

    /// Lists the hops from things of some types to what each of them has one of and no more.
    pub(crate) fn determined(&self, labels: &[Label]) -> Vec<Hop> {
        let Some((first, others)) = labels.split_first() else { return Vec::new() };
        let is_of_all = |hop: &&Hop| {
            hop.forward
                && self.determines(*first, hop.kind)
                && others.iter().all(|label| self.determines(*label, hop.kind))
        };
        self.hops.get(first).into_iter().flatten().filter(is_of_all).copied().collect()
    }

    /// Lists all ways from one of `from` to one of `to` in exactly `length` hops.
    ///
    /// A way does not turn straight back, over the kind by which it came to the type from which it
    /// came, unless it must end there.
    pub(crate) fn chains(&self, from: &[Label], to: &[Label], length: usize) -> Vec<Vec<Hop>> {
        let mut found = Vec::new();
        for &start in from {
            self.extend_chain(start, to, length, &mut Vec::new(), &mut found);
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn extend_chain(
        &self,
        at: Label,
        to: &[Label],
        left: usize,
        chain: &mut Vec<Hop>,
        found: &mut Vec<Vec<Hop>>,
    ) {
        if left == 0 {
            if to.contains(&at) {
                found.push(chain.clone());
            }
            return;
        }
        if found.len() > 200 {
            return;
        }
        for hop in self.hops(at) {
            chain.push(*hop);
            self.extend_chain(hop.to, to, left - 1, chain, found);
            chain.pop();
        }
    }
}

fn content_of_type(kind: &DataType) -> Content {
    match kind {
        DataType::Integer | DataType::Float => Content::Number,
        DataType::Boolean => Content::Truth,
        DataType::Date | DataType::DateTime => Content::Date,
        _ => Content::Text,
    }
}
