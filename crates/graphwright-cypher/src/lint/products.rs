//! Patterns that nothing connects.

use std::collections::BTreeSet;

use graphwright_core::Span;

use super::Checker;
use crate::{
    diagnostic::{Code, Diagnostic},
    syntax::{
        tree::{
            BinaryOperator, Clause, ClauseKind, ComparisonOperator, Expression, ExpressionKind,
            LogicalOperator, Match, NodePattern, Pattern, PatternElement, RelationshipPattern,
        },
        visit::{self, Visit},
    },
};

impl Checker<'_> {
    /// Reports patterns that nothing in the query connects, so that each match of one stands beside
    /// each match of the other.
    ///
    /// Only the run of `MATCH` clauses at the beginning of `clauses` is checked; the clauses behind
    /// it may connect its patterns.
    pub(super) fn cartesian_product(&mut self, clauses: &[Clause]) {
        let matching = |clause| match clause {
            &Clause { kind: ClauseKind::Match(ref found), .. } => Some(found),
            _ => None,
        };
        let found: Vec<&Match> = clauses.iter().map_while(matching).collect();
        let rest = clauses.get(found.len()..).unwrap_or_default();
        if found.iter().map(|found| found.patterns.len()).sum::<usize>() < 2 {
            return;
        }
        let conditions = || found.iter().filter_map(|found| found.condition.as_ref());
        let mut groups = Groups::default();
        for pattern in found.iter().flat_map(|found| &found.patterns) {
            let mut names = Names::default();
            names.visit_pattern(pattern);
            // Variables from earlier clauses were connected or reported there. A pattern with few
            // matches does no harm.
            let known = names.found.iter().any(|name| self.scope.get(name).is_some());
            let few =
                known || is_pinned(pattern, None) || conditions().any(|one| is_pinned(pattern, Some(one)));
            groups.list.push(Group { names: names.found, few, span: pattern.span });
        }
        groups.connect_shared();
        for condition in conditions() {
            groups.conditions(condition);
        }
        for clause in rest {
            groups.visit_clause(clause);
        }
        let mut open = groups.list.iter().filter(|group| !group.few);
        if let (Some(_), Some(second)) = (open.next(), open.next()) {
            let message =
                "nothing connects these patterns: each match of one stands beside each of the other";
            let help = "connect them by a relationship or a condition, or ask in two queries";
            self.report(Diagnostic::new(Code::CartesianProduct, second.span, message).with_help(help), false);
        }
    }
}

/// Patterns that are connected with each other.
struct Group {
    /// The variables of the patterns.
    names: BTreeSet<Box<str>>,
    /// Whether the patterns have few matches.
    few: bool,
    /// The place of the first pattern.
    span: Span,
}

#[derive(Default)]
struct Groups {
    list: Vec<Group>,
}

impl Groups {
    /// Joins groups that share a variable.
    fn connect_shared(&mut self) {
        let mut place = 0;
        while let Some(group) = self.list.get(place) {
            let names = group.names.clone();
            let before = self.list.len();
            self.connect(&names);
            // A joined group has more names, which may connect it with earlier ones.
            place = if self.list.len() < before { 0 } else { place + 1 };
        }
    }

    /// Joins groups that have one of the names.
    fn connect(&mut self, names: &BTreeSet<Box<str>>) {
        let Some(first) = self.list.iter().position(|group| !group.names.is_disjoint(names)) else { return };
        let mut joined = self.list.remove(first);
        let rest = self.list.split_off(first);
        for other in rest {
            if other.names.is_disjoint(names) {
                self.list.push(other);
            } else {
                joined.names.extend(other.names);
                joined.few |= other.few;
            }
        }
        self.list.insert(first, joined);
    }

    fn join(&mut self, read: impl FnOnce(&mut Names)) {
        let mut names = Names::default();
        read(&mut names);
        if names.found.len() > 1 {
            self.connect(&names.found);
        }
    }

    fn conditions(&mut self, condition: &Expression) {
        match &condition.kind {
            ExpressionKind::Logical { operator: LogicalOperator::And, operands } => {
                for operand in operands {
                    self.conditions(operand);
                }
            }
            _ => self.join(|names| names.visit_expression(condition)),
        }
    }
}

/// Joins groups by the conditions, patterns and columns that name variables of both.
impl Visit for Groups {
    fn visit_clause(&mut self, clause: &Clause) {
        match &clause.kind {
            ClauseKind::Subquery(_) => self.join(|names| names.visit_clause(clause)),
            _ => visit::walk_clause(self, clause),
        }
    }

    fn visit_pattern(&mut self, pattern: &Pattern) {
        self.join(|names| names.visit_pattern(pattern));
    }

    fn visit_expression(&mut self, expression: &Expression) {
        self.conditions(expression);
    }
}

/// A collector of the variables that a part of a query names.
#[derive(Default)]
pub(super) struct Names {
    pub(super) found: BTreeSet<Box<str>>,
}

impl Visit for Names {
    fn visit_expression(&mut self, expression: &Expression) {
        match &expression.kind {
            ExpressionKind::Variable(name) => {
                self.found.insert(name.text.clone());
            }
            ExpressionKind::MapProjection { base, .. } => {
                self.found.insert(base.text.clone());
            }
            _ => {}
        }
        visit::walk_expression(self, expression);
    }

    fn visit_node(&mut self, node: &NodePattern) {
        self.found.extend(node.variable.iter().map(|name| name.text.clone()));
        visit::walk_node(self, node);
    }

    fn visit_relationship(&mut self, relationship: &RelationshipPattern) {
        self.found.extend(relationship.variable.iter().map(|name| name.text.clone()));
        visit::walk_relationship(self, relationship);
    }
}

/// Returns whether a node of the pattern is found by a value, so that there are few matches.
fn is_pinned(pattern: &Pattern, condition: Option<&Expression>) -> bool {
    pattern.elements.iter().any(|element| match element {
        PatternElement::Node(node) => is_pinned_node(node, condition),
        PatternElement::Relationship(_) | PatternElement::Group(_) => false,
    })
}

/// Returns whether a node is found by a value.
pub(super) fn is_pinned_node(node: &NodePattern, condition: Option<&Expression>) -> bool {
    let by_condition = |condition: &Expression| {
        node.variable.as_ref().is_some_and(|variable| equals_value(condition, &variable.text))
    };
    node.properties.is_some()
        || condition.is_some_and(by_condition)
        || node.condition.as_deref().is_some_and(by_condition)
}

/// Returns whether a condition demands that a property of the variable equals a value.
fn equals_value(condition: &Expression, variable: &str) -> bool {
    let reads_variable = |operand: &Expression| match &operand.kind {
        ExpressionKind::Property { base, .. } => {
            matches!(&base.kind, ExpressionKind::Variable(name) if *name.text == *variable)
        }
        ExpressionKind::Call(call) => call.arguments.first().is_some_and(|argument| match &argument.kind {
            ExpressionKind::Property { base, .. } => {
                matches!(&base.kind, ExpressionKind::Variable(name) if *name.text == *variable)
            }
            ExpressionKind::Variable(name) => *name.text == *variable,
            _ => false,
        }),
        _ => false,
    };
    match &condition.kind {
        ExpressionKind::Logical { operator: LogicalOperator::And, operands } => {
            operands.iter().any(|operand| equals_value(operand, variable))
        }
        ExpressionKind::Logical { operator: LogicalOperator::Or, operands } => {
            operands.iter().all(|operand| equals_value(operand, variable))
        }
        ExpressionKind::Comparison { first, rest } => match rest.as_slice() {
            [(ComparisonOperator::Equal, other)] => {
                reads_variable(first) && is_constant(other) || reads_variable(other) && is_constant(first)
            }
            _ => false,
        },
        ExpressionKind::Binary { operator: BinaryOperator::In, left, right } => {
            reads_variable(left) && is_constant(right)
        }
        _ => false,
    }
}

/// Returns whether an expression depends on no variable.
fn is_constant(expression: &Expression) -> bool {
    let mut names = Names::default();
    names.visit_expression(expression);
    names.found.is_empty()
}
