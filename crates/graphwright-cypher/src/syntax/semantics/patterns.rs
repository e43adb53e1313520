//! Patterns: the variables that they define and which of them can be created.

use std::collections::HashSet;

use super::{Checker, types::Type};
use crate::{
    diagnostic::Code,
    syntax::tree::{
        Direction, Expression, ExpressionKind, LabelExpression, LabelKind, Name, NodePattern, Pattern,
        PatternElement, RelationshipPattern,
    },
};

/// The use of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    Match,
    Create,
    Merge,
    /// The pattern stands in an expression and cannot define variables.
    Predicate,
}

impl<'t> Checker<'t> {
    pub(super) fn patterns(&mut self, patterns: &'t [Pattern], purpose: Purpose) {
        let mut relationships = HashSet::new();
        for pattern in patterns {
            self.define_elements(pattern, purpose, &mut relationships);
            if let Some(variable) = &pattern.variable {
                self.define(variable, Type::PATH);
            }
        }
        for pattern in patterns {
            self.element_values(pattern, purpose);
        }
    }

    fn define_elements(
        &mut self,
        pattern: &'t Pattern,
        purpose: Purpose,
        relationships: &mut HashSet<&'t str>,
    ) {
        let alone = pattern.elements.len() == 1;
        for element in &pattern.elements {
            match element {
                PatternElement::Node(node) => self.define_node(node, purpose, alone),
                PatternElement::Relationship(relationship) => {
                    self.define_relationship(relationship, purpose, relationships);
                }
                PatternElement::Group(group) => {
                    if matches!(purpose, Purpose::Create | Purpose::Merge) {
                        let message = "expected nodes and relationships, found a path that repeats";
                        self.report(Code::CreatingVarLength, group.span, message);
                    }
                    let outside = self.scope.clone();
                    self.define_elements(&group.pattern, purpose, relationships);
                    if let Some(variable) = &group.pattern.variable {
                        self.define(variable, Type::PATH);
                    }
                    self.element_values(&group.pattern, purpose);
                    if let Some(condition) = &group.condition {
                        self.condition(condition);
                    }
                    if group.quantifier.is_some() {
                        // Outside of the group its variables are lists, with one element per
                        // repetition.
                        for (name, value) in &mut self.scope {
                            if !outside.contains_key(name) {
                                *value = Type::LIST;
                            }
                        }
                    }
                }
            }
        }
    }

    fn define_node(&mut self, node: &'t NodePattern, purpose: Purpose, alone: bool) {
        let Some(variable) = &node.variable else { return };
        let Some(&found) = self.scope.get(&*variable.text) else {
            if purpose == Purpose::Predicate {
                self.variable(variable);
            } else {
                self.scope.insert(&variable.text, Type::NODE);
            }
            return;
        };
        if !found.may_be(Type::NODE) {
            self.conflict(variable, Type::NODE, found);
        } else if matches!(purpose, Purpose::Create | Purpose::Merge) {
            // A created pattern may refer to a known node, but not describe it again.
            let says_more = node.labels.is_some() || node.properties.is_some();
            if says_more || alone {
                let message =
                    format!("expected a new variable, found `{}`, which is defined already", variable.text);
                let help = "use the variable alone within a relationship, or choose another name";
                self.report_with_help(Code::VariableAlreadyBound, variable.span, message, help);
            }
        }
    }

    fn define_relationship(
        &mut self,
        relationship: &'t RelationshipPattern,
        purpose: Purpose,
        relationships: &mut HashSet<&'t str>,
    ) {
        if let Some(LabelExpression { kind: LabelKind::Colons(_), span }) = &relationship.types {
            let message = "expected one type or several with `|` between them, found `:`";
            self.report(Code::InvalidRelationshipPattern, *span, message);
        }
        let expected = if relationship.hops.is_some() { Type::LIST } else { Type::RELATIONSHIP };
        if let Some(variable) = &relationship.variable {
            if !relationships.insert(&variable.text) {
                let message = format!(
                    "expected each relationship once in the patterns, found `{}` again",
                    variable.text
                );
                self.report(Code::RelationshipUniquenessViolation, variable.span, message);
            } else if let Some(&found) = self.scope.get(&*variable.text) {
                if !found.may_be(expected) {
                    self.conflict(variable, expected, found);
                } else if matches!(purpose, Purpose::Create | Purpose::Merge) {
                    let message = format!(
                        "expected a new variable, found `{}`, which is defined already",
                        variable.text
                    );
                    self.report(Code::VariableAlreadyBound, variable.span, message);
                }
            } else if purpose == Purpose::Predicate {
                self.variable(variable);
            } else {
                let value = if relationship.quantifier.is_some() { Type::LIST } else { expected };
                self.scope.insert(&variable.text, value);
            }
        }
        if matches!(purpose, Purpose::Create | Purpose::Merge) {
            self.created_relationship(relationship, purpose);
        }
    }

    fn created_relationship(&mut self, relationship: &'t RelationshipPattern, purpose: Purpose) {
        let span = relationship.span;
        if relationship.hops.is_some() || relationship.quantifier.is_some() {
            self.report(
                Code::CreatingVarLength,
                span,
                "expected one relationship, found a path of variable length",
            );
        }
        if purpose == Purpose::Create && relationship.direction == Direction::Either {
            let message = "expected a direction of the new relationship, found none or both";
            self.report_with_help(
                Code::RequiresDirectedRelationship,
                span,
                message,
                "write -[:TYPE]-> or <-[:TYPE]-",
            );
        }
        let single = matches!(
            &relationship.types,
            Some(LabelExpression { kind: LabelKind::Name(_) | LabelKind::Dynamic { .. }, .. })
        );
        if !single {
            let message = "expected one type of the new relationship, found none or several";
            self.report_with_help(Code::NoSingleRelationshipType, span, message, "write -[:TYPE]->");
        }
    }

    fn conflict(&mut self, variable: &Name, expected: Type, found: Type) {
        let message = format!("expected {expected} here, found `{}`, which is {found}", variable.text);
        self.report_with_help(Code::VariableTypeConflict, variable.span, message, "choose another name");
    }

    /// Checks the properties and conditions of a pattern's elements.
    fn element_values(&mut self, pattern: &'t Pattern, purpose: Purpose) {
        for element in &pattern.elements {
            let (properties, condition) = match element {
                PatternElement::Node(node) => (&node.properties, &node.condition),
                PatternElement::Relationship(relationship) => {
                    (&relationship.properties, &relationship.condition)
                }
                PatternElement::Group(_) => continue,
            };
            if let Some(properties) = properties {
                self.properties(properties, purpose);
            }
            if let Some(condition) = condition {
                // Within its own brackets a repeated relationship is a single one.
                let repeated = match element {
                    PatternElement::Relationship(relationship) if relationship.quantifier.is_some() => {
                        relationship.variable.as_ref()
                    }
                    _ => None,
                };
                let list =
                    repeated.and_then(|variable| self.scope.insert(&variable.text, Type::RELATIONSHIP));
                self.condition(condition);
                if let (Some(variable), Some(list)) = (repeated, list) {
                    self.scope.insert(&variable.text, list);
                }
            }
        }
    }

    fn properties(&mut self, properties: &'t Expression, purpose: Purpose) {
        // A parameter hides which properties are compared. Only CREATE compares none.
        if matches!(properties.kind, ExpressionKind::Parameter(_)) && purpose != Purpose::Create {
            let message = "expected a map of properties, found a parameter";
            let help = "write each property, as `{name: $properties.name}`";
            self.report_with_help(Code::InvalidParameterUse, properties.span, message, help);
        }
        self.expression(properties);
    }
}
