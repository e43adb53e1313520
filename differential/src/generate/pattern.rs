//! Patterns along walks.

use super::{Generator, Kind, Variable, Witness};
use crate::{
    construct::Construct,
    graph::{LABELS, TYPES, literal},
    tree::{Tree, fixed, optional},
};

const HOPS: [Construct; 4] =
    [Construct::OneHop, Construct::TwoHops, Construct::ThreeHops, Construct::FourHops];

impl Generator<'_> {
    /// Returns the number of hops of the next pattern.
    pub(super) fn length(&mut self, most: usize) -> usize {
        let focused = HOPS.iter().position(|hops| *hops == self.focus).map(|place| place + 1);
        let wanted = match focused {
            Some(hops) if self.random.chance(85) => hops,
            _ => [0, 1, 1, 1, 1, 2, 2, 2, 3, 4][self.random.below(10)],
        };
        wanted.min(most).min(self.hops)
    }

    /// Generates a pattern that begins at a bound node or at a new one.
    pub(super) fn pattern(&mut self, hops: usize) -> Tree {
        let bound = self.variable(Kind::Node).filter(|_| self.random.chance(45));
        self.pattern_from(bound.as_ref(), hops, true)
    }

    /// Generates a pattern that begins at `bound`, or at a new node. `named` tells whether its
    /// variables may be used elsewhere.
    pub(super) fn pattern_from(&mut self, bound: Option<&Variable>, hops: usize, named: bool) -> Tree {
        self.hops -= hops.min(self.hops);
        let mut place = match bound.map(|variable| &variable.witness) {
            Some(Witness::Node(place)) => *place,
            _ => self.start(hops),
        };
        let first = match bound {
            Some(variable) => fixed!("(", variable.name.clone(), self.bound_label(place), ")"),
            None => self.node(place, named),
        };
        let mut parts = vec![first];
        let mut used = Vec::new();
        let mut is_fixed = true;
        for _ in 0..hops {
            let (hop, end, is_single) = self.hop(place, &mut used, named);
            is_fixed &= is_single;
            place = end;
            let node = self.end(place, named);
            parts.push(fixed!(hop, node));
        }
        let pattern = Tree::list("", 1, parts);
        match HOPS.get(hops.wrapping_sub(1)) {
            Some(construct) if is_fixed => pattern.shows(*construct),
            _ => pattern,
        }
    }

    fn start(&mut self, hops: usize) -> usize {
        let place = self.random.below(self.graph.nodes.len());
        if hops > 0 && self.graph.at(place).is_empty() {
            return self.random.below(self.graph.nodes.len());
        }
        place
    }

    /// Generates the node at the end of a hop, seldom a bound one.
    fn end(&mut self, place: usize, named: bool) -> Tree {
        let bound =
            self.variables(Kind::Node).into_iter().find(|variable| variable.witness == Witness::Node(place));
        match bound {
            Some(variable) if self.random.chance(20) => fixed!("(", variable.name, ")"),
            _ => self.node(place, named),
        }
    }

    fn bound_label(&mut self, place: usize) -> Tree {
        if self.random.chance(10) { self.labels(place) } else { Tree::empty() }
    }

    /// Generates a new node.
    pub(super) fn node(&mut self, place: usize, named: bool) -> Tree {
        let name = if named && self.random.chance(85) || self.random.chance(40) {
            self.fresh("n")
        } else {
            String::new()
        };
        let labels = self.labels(place);
        let properties = self.node_properties(place);
        if !name.is_empty() {
            self.declare(&name, Kind::Node, Witness::Node(place));
        }
        let filter = if !name.is_empty() && self.wants(Construct::PatternWhere, 2) {
            let predicate = self.condition(0);
            optional!(" WHERE ", predicate).shows(Construct::PatternWhere)
        } else {
            Tree::empty()
        };
        fixed!("(", name, labels, properties, filter, ")")
    }

    fn labels(&mut self, place: usize) -> Tree {
        if !self.colons && self.wants(Construct::LabelExpression, 7) {
            let text = self.label_expression(place);
            return optional!(":", text).shows(Construct::LabelExpression);
        }
        if !self.random.chance(45) {
            return Tree::empty();
        }
        let label = self.label(place);
        let second = self.label(place);
        let both = if second != label && self.random.chance(12) {
            format!("{}{second}", if self.colons { ':' } else { '&' })
        } else {
            String::new()
        };
        optional!(":", label, both).shows(Construct::Label)
    }

    /// Returns a label of the node, seldom another.
    pub(super) fn label(&mut self, place: usize) -> String {
        let own = self.graph.nodes.get(place).map(|node| node.labels.clone()).unwrap_or_default();
        match self.random.pick(&own).cloned() {
            Some(label) if self.random.chance(96) => label,
            _ => self.random.word(&LABELS).to_owned(),
        }
    }

    /// Returns a label expression that mostly holds for the node.
    pub(super) fn label_expression(&mut self, place: usize) -> String {
        let own = self.label(place);
        let other = self.random.word(&LABELS);
        let lacking = LABELS
            .iter()
            .find(|label| {
                self.graph.nodes.get(place).is_some_and(|node| !node.labels.iter().any(|own| own == *label))
            })
            .copied()
            .unwrap_or("E");
        match self.random.below(6) {
            0 => format!("{own}|{other}"),
            1 => format!("!{lacking}"),
            2 => format!("{own}&!{lacking}"),
            3 => format!("({own}|{other})&!{lacking}"),
            4 => "%".to_owned(),
            _ => format!("{other}|!{lacking}"),
        }
    }

    fn node_properties(&mut self, place: usize) -> Tree {
        if !self.wants(Construct::PatternProperties, 8) {
            return Tree::empty();
        }
        let property = self.random.word(&["i", "v", "s", "t", "name", "type", "m", "d"]);
        let value = self.graph.nodes.get(place).and_then(|node| node.properties.get(property)).cloned();
        match value {
            Some(value) => {
                let value = self.value(&value);
                optional!(" {", property, ": ", value, "}").shows(Construct::PatternProperties)
            }
            None => Tree::empty(),
        }
    }

    /// Generates a hop. Returns it with its end on the walk, and whether it is a single
    /// relationship.
    fn hop(&mut self, place: usize, used: &mut Vec<usize>, named: bool) -> (Tree, usize, bool) {
        if self.wants(Construct::VariableLength, 7) {
            let (hop, end) = self.long_hop(place, used, named);
            return (hop.shows(Construct::VariableLength), end, false);
        }
        let (relationship, end, away) = self.step(place, used);
        let kind = self.kind(relationship);
        let name = if named && self.random.chance(35) { self.fresh("r") } else { String::new() };
        let properties = self.relationship_properties(relationship);
        if !name.is_empty() {
            let witness = relationship.map_or(Witness::Unknown, Witness::Relationship);
            self.declare(&name, Kind::Relationship, witness);
        }
        let detail = fixed!(name, kind, properties);
        let is_plain = detail.to_string().is_empty() && self.random.chance(60);
        let detail = if is_plain { Tree::empty() } else { fixed!("[", detail, "]") };
        (self.arrow(detail, away), end, true)
    }

    /// Takes a step of the walk. Returns the relationship (`None` if the walk ends), its other end,
    /// and whether it leads there.
    fn step(&mut self, place: usize, used: &mut Vec<usize>) -> (Option<usize>, usize, bool) {
        let steps: Vec<_> =
            self.graph.at(place).into_iter().filter(|(step, ..)| !used.contains(step)).collect();
        match self.random.pick(&steps).copied() {
            Some((relationship, end, away)) => {
                used.push(relationship);
                (Some(relationship), end, away)
            }
            None => (None, self.random.below(self.graph.nodes.len()), self.random.chance(50)),
        }
    }

    fn kind(&mut self, relationship: Option<usize>) -> Tree {
        let kind = relationship.and_then(|place| self.graph.relationships.get(place));
        let kind = kind.map_or_else(|| self.random.word(&TYPES).to_owned(), |found| found.kind.clone());
        if self.wants(Construct::Types, 8) {
            let other = self.random.word(&TYPES);
            if other != kind {
                return optional!(":", kind, "|", other).shows(Construct::Types);
            }
        }
        if self.random.chance(50) { optional!(":", kind).shows(Construct::Type) } else { Tree::empty() }
    }

    fn relationship_properties(&mut self, relationship: Option<usize>) -> Tree {
        let found = relationship.and_then(|place| self.graph.relationships.get(place));
        let property = self.random.word(&["w", "k", "e"]);
        let value = found.and_then(|found| found.properties.get(property)).cloned();
        match value {
            Some(value) if self.wants(Construct::PatternProperties, 5) => {
                optional!(" {", property, ": ", literal(&value), "}").shows(Construct::PatternProperties)
            }
            _ => Tree::empty(),
        }
    }

    fn arrow(&mut self, detail: Tree, away: bool) -> Tree {
        if self.random.chance(25) {
            return fixed!("-", detail, "-").shows(Construct::Undirected);
        }
        if away {
            fixed!("-", detail, "->").shows(Construct::Outgoing)
        } else {
            fixed!("<-", detail, "-").shows(Construct::Incoming)
        }
    }

    fn long_hop(&mut self, place: usize, used: &mut Vec<usize>, named: bool) -> (Tree, usize) {
        let (first, middle, away) = self.step(place, used);
        let (second, end, away_again) = self.step(middle, used);
        let goes_on = away == away_again && second.is_some() && self.random.chance(60);
        let end = if goes_on { end } else { middle };
        let range = match (goes_on, self.random.below(4)) {
            (true, 0) => "*2",
            (true, 1) => "*2..3",
            (true, 2) => "*..3",
            (true, _) => "*1..2",
            (false, 0) => "*1",
            (false, 1) => "*0..1",
            (false, 2) => "*..2",
            (false, _) => "*1..3",
        };
        let name = if named && self.random.chance(30) { self.fresh("rs") } else { String::new() };
        if !name.is_empty() {
            self.declare(&name, Kind::Relationships, Witness::Unknown);
        }
        let kind = if goes_on { Tree::empty() } else { self.kind(first) };
        (self.arrow(fixed!("[", name, kind, range, "]"), away), end)
    }
}
