//! The possible values of variables and expressions.

use super::{index::ElementKind, names::Names};

/// The possible value of a variable or expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    /// A node or relationship.
    Element(Holder),
    /// A list of nodes or relationships.
    Elements(Holder),
    /// The value of a property.
    Value {
        /// The node or relationship with the property.
        holder: Holder,
        /// The property.
        key: Box<str>,
    },
    /// Something else, or unknown.
    Unknown,
}

/// A node or relationship with properties.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Holder {
    pub(super) kind: ElementKind,
    /// The possible labels or types.
    pub(super) names: Names,
}

impl Holder {
    pub(super) fn node(names: Names) -> Self {
        Self { kind: ElementKind::Node, names }
    }

    pub(super) fn relationship(names: Names) -> Self {
        Self { kind: ElementKind::Relationship, names }
    }
}

/// The visible variables. They are few, so a lookup searches all of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    variables: Vec<(Box<str>, Shape)>,
}

impl Scope {
    pub(super) fn get(&self, name: &str) -> Option<&Shape> {
        self.variables.iter().rev().find(|(known, _)| **known == *name).map(|(_, shape)| shape)
    }

    pub(super) fn get_mut(&mut self, name: &str) -> Option<&mut Shape> {
        self.variables.iter_mut().rev().find(|(known, _)| **known == *name).map(|(_, shape)| shape)
    }

    pub(super) fn set(&mut self, name: &str, shape: Shape) {
        match self.get_mut(name) {
            Some(known) => *known = shape,
            None => self.variables.push((name.into(), shape)),
        }
    }

    /// Joins two ways to this place: a variable on which they disagree becomes unknown.
    pub(super) fn join(&mut self, other: &Self) {
        for (name, shape) in &mut self.variables {
            // A column has the shape that both parts give it, or none.
            if other.get(name) != Some(shape) {
                *shape = Shape::Unknown;
            }
        }
    }

    /// Adds the variables of another scope.
    pub(super) fn extend(&mut self, other: Self) {
        for (name, shape) in other.variables {
            self.set(&name, shape);
        }
    }

    /// Restores the variables of an earlier scope, after an optional part that may have narrowed
    /// them down.
    pub(super) fn restore(&mut self, before: &Self) {
        for (name, shape) in &before.variables {
            if let Some(now) = self.get_mut(name) {
                now.clone_from(shape);
            }
        }
    }

    /// Turns the elements defined since `before` into lists.
    pub(super) fn repeat_since(&mut self, before: &Self) {
        for (name, shape) in &mut self.variables {
            if before.get(name).is_none() {
                *shape = match std::mem::replace(shape, Shape::Unknown) {
                    Shape::Element(holder) => Shape::Elements(holder),
                    _ => Shape::Unknown,
                };
            }
        }
    }

    pub(super) fn clear(&mut self) {
        self.variables.clear();
    }
}
