//! Patterns: the possible names of their elements, and whether the graph has such connections.

use std::collections::BTreeSet;

use super::{
    Checker,
    index::ElementKind,
    names::Names,
    scope::{Holder, Shape},
};
use crate::{
    diagnostic::{Code, Diagnostic},
    syntax::{
        tree::{
            Direction, Expression, ExpressionKind, LogicalOperator, NodePattern, Pattern, PatternElement,
            PatternGroup, RelationshipPattern,
        },
        visit::Visit,
    },
};

/// The most connections that a message names.
const EXAMPLES: usize = 4;

impl Checker<'_> {
    /// Reads the patterns of a clause, with the condition behind them.
    pub(super) fn patterns(&mut self, patterns: &[Pattern], condition: Option<&Expression>) {
        // All nodes come first: a later pattern or the condition may name the labels of a node in
        // an earlier one.
        let mut slots: Vec<Vec<Names>> = patterns.iter().map(|pattern| self.nodes(pattern)).collect();
        if let Some(condition) = condition {
            self.assume(condition);
        }
        for (pattern, slots) in patterns.iter().zip(&mut slots) {
            self.relationships(pattern, slots);
            if let Some(variable) = &pattern.variable {
                self.scope.set(&variable.text, Shape::Unknown);
            }
        }
        for (pattern, slots) in patterns.iter().zip(slots) {
            self.element_values(pattern, slots);
        }
    }

    /// Defines the nodes of a pattern and returns the possible names of each element.
    fn nodes(&mut self, pattern: &Pattern) -> Vec<Names> {
        let elements = pattern.elements.iter();
        elements
            .map(|element| match element {
                PatternElement::Node(node) => self.node(node),
                PatternElement::Relationship(_) | PatternElement::Group(_) => Names::Any,
            })
            .collect()
    }

    fn node(&mut self, node: &NodePattern) -> Names {
        let written = match &node.labels {
            Some(labels) => self.resolve(labels, ElementKind::Node, &[]),
            None => Names::Any,
        };
        let Some(variable) = &node.variable else { return written };
        if let Some(Shape::Element(holder)) = self.scope.get_mut(&variable.text) {
            holder.names.add(written);
            return holder.names.clone();
        }
        self.scope.set(&variable.text, Shape::Element(Holder::node(written.clone())));
        written
    }

    /// Adds the labels that a condition demands.
    fn assume(&mut self, condition: &Expression) {
        match &condition.kind {
            ExpressionKind::Logical { operator: LogicalOperator::And, operands } => {
                for operand in operands {
                    self.assume(operand);
                }
            }
            ExpressionKind::Labels { base, labels } => {
                let ExpressionKind::Variable(variable) = &base.kind else { return };
                if let Some(Shape::Element(holder)) = self.scope.get(&variable.text) {
                    let kind = holder.kind;
                    // Wrong labels are reported where the condition itself is read.
                    let count = self.diagnostics.len();
                    let names = self.resolve(labels, kind, &[]);
                    self.diagnostics.truncate(count);
                    if let Some(Shape::Element(holder)) = self.scope.get_mut(&variable.text) {
                        holder.names.add(names);
                    }
                }
            }
            _ => {}
        }
    }

    fn relationships(&mut self, pattern: &Pattern, slots: &mut [Names]) {
        for (place, element) in pattern.elements.iter().enumerate() {
            match element {
                PatternElement::Node(_) => {}
                PatternElement::Group(group) => self.group(group),
                PatternElement::Relationship(relationship) => {
                    let ends = [place.checked_sub(1), place.checked_add(1)].map(|place| {
                        let element = pattern.elements.get(place?)?;
                        let PatternElement::Node(node) = element else { return None };
                        Some((place?, node))
                    });
                    let [left, right] = ends;
                    let names = |checker: &Self, end: Option<(usize, &NodePattern)>| {
                        end.map_or(Names::Any, |(place, node)| checker.names_of(node, &slots[place]))
                    };
                    let mut found = Connection {
                        relationship,
                        left: names(self, left),
                        types: Names::Any,
                        right: names(self, right),
                    };
                    self.relationship(&mut found);
                    for (end, names) in [(left, found.left), (right, found.right)] {
                        if let Some((place, node)) = end {
                            self.learn(node, &names);
                            slots[place] = names;
                        }
                    }
                    slots[place] = found.types;
                }
            }
        }
    }

    /// Returns the possible names of a node, to which other patterns may have added.
    fn names_of(&self, node: &NodePattern, slot: &Names) -> Names {
        let known = node.variable.as_ref().and_then(|variable| self.scope.get(&variable.text));
        match known {
            Some(Shape::Element(holder)) => holder.names.clone(),
            _ => slot.clone(),
        }
    }

    fn learn(&mut self, node: &NodePattern, names: &Names) {
        if let Some(variable) = &node.variable
            && let Some(Shape::Element(holder)) = self.scope.get_mut(&variable.text)
        {
            holder.names.clone_from(names);
        }
    }

    /// Reads a relationship between two nodes and narrows down their names.
    fn relationship(&mut self, found: &mut Connection<'_>) {
        let relationship = found.relationship;
        let repeats = relationship.hops.is_some() || relationship.quantifier.is_some();
        if let Some(types) = &relationship.types {
            let known = repeats || self.knows(types, ElementKind::Relationship);
            let likely = if known { Vec::new() } else { self.likely_types(found) };
            found.types = self.resolve(types, ElementKind::Relationship, &likely);
        }
        if let Some(variable) = &relationship.variable
            && let Some(Shape::Element(holder)) = self.scope.get(&variable.text)
        {
            found.types.add(holder.names.clone());
        }
        // Unknown types may connect anything.
        let open = relationship.types.is_some() && found.types == Names::Any;
        if !self.creating && !open {
            if repeats {
                self.check_repeated(found);
            } else {
                self.check_connection(found);
            }
        }
        if let Some(variable) = &relationship.variable {
            let holder = Holder::relationship(found.types.clone());
            let shape = if repeats { Shape::Elements(holder) } else { Shape::Element(holder) };
            self.scope.set(&variable.text, shape);
        }
    }

    /// Returns the types that fit between two nodes whose labels are both known.
    fn likely_types(&self, found: &Connection<'_>) -> Vec<u16> {
        if found.left == Names::Any || found.right == Names::Any {
            return Vec::new();
        }
        let mut types = BTreeSet::new();
        for [from, to] in found.readings() {
            types.extend(self.schema.connections(from, &Names::Any, to).map(|(_, kind, _)| kind));
        }
        if types.is_empty() {
            let (left, right) = (&found.left, &found.right);
            for (from, to) in [(left, right), (right, left)] {
                types.extend(self.schema.connections(from, &Names::Any, to).map(|(_, kind, _)| kind));
            }
        }
        types.into_iter().collect()
    }

    fn check_connection(&mut self, found: &mut Connection<'_>) {
        let schema = self.schema;
        if !schema.is_connected(&found.types) {
            return;
        }
        if self.narrow(found, false) {
            return;
        }
        let certain = schema.connects_only_known(&found.types);
        let reversed = found.relationship.direction != Direction::Either && self.narrow(found, true);
        let diagnostic = if reversed { self.wrong_direction(found) } else { self.unconnected(found) };
        self.report(diagnostic, certain);
    }

    /// Narrows the ends and types down to those that fit. Returns false if none do.
    fn narrow(&self, found: &mut Connection<'_>, reversed: bool) -> bool {
        let (mut left, mut types, mut right) = (Vec::new(), Vec::new(), Vec::new());
        let forwards = |direction| match found.relationship.direction {
            Direction::Either => true,
            written => (written == direction) != reversed,
        };
        if forwards(Direction::Right) {
            for (from, kind, to) in self.schema.connections(&found.left, &found.types, &found.right) {
                left.push(from);
                types.push(kind);
                right.push(to);
            }
        }
        if forwards(Direction::Left) {
            for (from, kind, to) in self.schema.connections(&found.right, &found.types, &found.left) {
                left.push(to);
                types.push(kind);
                right.push(from);
            }
        }
        let fits = !types.is_empty();
        let complete = self.schema.connects_only_known(&found.types);
        if fits && complete {
            found.left.narrow(left.into_iter());
            found.types.narrow(types.into_iter());
            found.right.narrow(right.into_iter());
        }
        fits
    }

    /// Checks that a path of several relationships begins and ends where its types do.
    fn check_repeated(&mut self, found: &mut Connection<'_>) {
        let schema = self.schema;
        if found.relationship.least() == 0 || !schema.connects_only_known(&found.types) {
            return;
        }
        let begins = |from: &Names| schema.connections(from, &found.types, &Names::Any).next().is_some();
        let ends = |to: &Names| schema.connections(&Names::Any, &found.types, to).next().is_some();
        let [from, to] = found.reading();
        let directed = found.relationship.direction != Direction::Either;
        // Without a direction each relationship of the path has its own.
        let fits = if directed {
            begins(from) && ends(to)
        } else {
            [from, to].into_iter().all(|names| begins(names) || ends(names))
        };
        if fits {
            return;
        }
        let reversed = directed && begins(to) && ends(from);
        let diagnostic = if reversed { self.wrong_direction(found) } else { self.unconnected(found) };
        self.report(diagnostic, true);
    }

    fn wrong_direction(&self, found: &Connection<'_>) -> Diagnostic {
        let span = found.relationship.span;
        let [from, to] = found.reading();
        let types = self.type_text(&found.types);
        let message =
            format!("{types} does not go from {} to {}", self.label_text(from), self.label_text(to));
        let help =
            format!("it goes from {} to {}: turn the arrow", self.label_text(to), self.label_text(from));
        let diagnostic = Diagnostic::new(Code::WrongDirection, span, message).with_help(help);
        match self.text.get(span.range()).and_then(|text| turned(text, found.relationship.direction)) {
            Some(text) => diagnostic.with_fix(span, text, true),
            None => diagnostic,
        }
    }

    fn unconnected(&self, found: &Connection<'_>) -> Diagnostic {
        let schema = self.schema;
        let [from, to] = found.reading();
        let message = format!(
            "{} does not connect {} with {}",
            self.type_text(&found.types),
            self.label_text(from),
            self.label_text(to)
        );
        let mut help = Vec::new();
        let connected = self.connections_text(schema.connections(&Names::Any, &found.types, &Names::Any));
        if found.types != Names::Any && !connected.is_empty() {
            help.push(format!("it connects {connected}"));
        }
        let others = || {
            let forwards = schema.connections(from, &Names::Any, to);
            forwards.chain(schema.connections(to, &Names::Any, from))
        };
        let both_known = found.left != Names::Any && found.right != Names::Any;
        if both_known {
            let text = self.connections_text(others());
            help.push(if text.is_empty() {
                "no type connects these labels".to_owned()
            } else {
                format!("there is {text}")
            });
        }
        let diagnostic = Diagnostic::new(Code::UnconnectedLabels, found.relationship.span, message)
            .with_help(help.join("; "));
        // If only one type goes this way, it is likely, but the labels may be wrong instead.
        let mut types: BTreeSet<u16> =
            schema.connections(from, &Names::Any, to).map(|(_, kind, _)| kind).collect();
        let (Some(only), true, Some(written)) = (types.pop_first(), both_known, &found.relationship.types)
        else {
            return diagnostic;
        };
        match schema.types.get(only).and_then(|element| crate::builder::quote(&element.name).ok()) {
            Some(text) if types.is_empty() => diagnostic.with_fix(written.span, text, false),
            _ => diagnostic,
        }
    }

    /// Returns connections as text: `(:Person)-[:KNOWS]->(:Person)`, …
    fn connections_text(&self, connections: impl Iterator<Item = (u16, u16, u16)>) -> String {
        let schema = self.schema;
        let name = |found: Option<&super::index::Element>| {
            found.map(|element| element.name.clone()).unwrap_or_default()
        };
        let mut texts: Vec<String> = Vec::new();
        for (from, kind, to) in connections {
            let [from, to] = [from, to].map(|label| name(schema.labels.get(label)));
            let text = format!("(:{from})-[:{}]->(:{to})", name(schema.types.get(kind)));
            if texts.contains(&text) {
                continue;
            }
            if texts.len() == EXAMPLES {
                texts.push("…".to_owned());
                break;
            }
            texts.push(text);
        }
        texts.join(", ")
    }

    pub(super) fn label_text(&self, names: &Names) -> String {
        self.names_text(ElementKind::Node, names, "any node")
    }

    pub(super) fn type_text(&self, names: &Names) -> String {
        self.names_text(ElementKind::Relationship, names, "a relationship")
    }

    fn names_text(&self, kind: ElementKind, names: &Names, any: &str) -> String {
        let Some(known) = names.known() else { return any.to_owned() };
        let elements = self.schema.elements(kind);
        let shown = known.iter().take(EXAMPLES).filter_map(|&number| elements.get(number));
        let mut shown: Vec<String> = shown.map(|element| format!("`{}`", element.name)).collect();
        if known.len() > EXAMPLES {
            shown.push("…".to_owned());
        }
        shown.join(" or ")
    }

    /// Reads a path in brackets, whose variables are lists outside of it.
    fn group(&mut self, group: &PatternGroup) {
        let before = self.scope.clone();
        let required = self.required;
        self.required &= group.quantifier.as_ref().is_none_or(|quantifier| quantifier.least > 0);
        let condition = group.condition.as_deref();
        self.patterns(std::slice::from_ref(&group.pattern), condition);
        self.optional_condition(condition);
        self.required = required;
        if group.quantifier.is_some() {
            self.scope.repeat_since(&before);
        }
    }

    /// Checks the properties and conditions of the elements.
    fn element_values(&mut self, pattern: &Pattern, slots: Vec<Names>) {
        for (element, slot) in pattern.elements.iter().zip(slots) {
            let (holder, properties, condition) = match element {
                PatternElement::Node(node) => {
                    (Holder::node(self.names_of(node, &slot)), &node.properties, &node.condition)
                }
                PatternElement::Relationship(relationship) => {
                    (Holder::relationship(slot), &relationship.properties, &relationship.condition)
                }
                PatternElement::Group(_) => continue,
            };
            if let Some(properties) = properties {
                self.optionally(|checker| checker.visit_expression(properties));
                self.property_map(&holder, properties);
            }
            self.optional_condition(condition.as_deref());
        }
    }
}

/// A relationship and the names of the nodes at its ends, in the order of the text.
struct Connection<'p> {
    relationship: &'p RelationshipPattern,
    left: Names,
    types: Names,
    right: Names,
}

impl Connection<'_> {
    /// Returns start and end in the direction of the arrow, or from left to right if it has none.
    fn reading(&self) -> [&Names; 2] {
        match self.relationship.direction {
            Direction::Right | Direction::Either => [&self.left, &self.right],
            Direction::Left => [&self.right, &self.left],
        }
    }

    /// Returns start and end in every direction that the arrow allows.
    fn readings(&self) -> Vec<[&Names; 2]> {
        match self.relationship.direction {
            Direction::Either => vec![[&self.left, &self.right], [&self.right, &self.left]],
            _ => vec![self.reading()],
        }
    }
}

impl RelationshipPattern {
    /// Returns the fewest relationships that the pattern stands for.
    fn least(&self) -> u64 {
        let hops = self.hops.as_ref().map_or(1, |hops| hops.least.unwrap_or(1));
        self.quantifier.as_ref().map_or(hops, |quantifier| quantifier.least)
    }
}

/// Returns the text of a relationship with its arrow turned.
fn turned(text: &str, direction: Direction) -> Option<String> {
    match direction {
        Direction::Right => Some(format!("<{}", text.strip_suffix('>')?)),
        Direction::Left => {
            let body = text.strip_prefix('<')?;
            body.ends_with('-').then(|| format!("{body}>"))
        }
        Direction::Either => None,
    }
}
