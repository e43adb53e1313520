//! What the variables of a query can be.

use super::{index::ElementKind, names::Names};

/// What a variable or expression can be.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    /// A node or relationship.
    Element(Holder),
    /// A list of nodes or relationships.
    Elements(Holder),
    /// The value of a property.
    Value {
        /// Of what.
        holder: Holder,
        /// Which.
        key: Box<str>,
    },
    /// Something else, or not known.
    Unknown,
}

/// What has properties.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Holder {
    pub(super) kind: ElementKind,
    /// Its labels or types.
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

/// The variables that can be used. They are few, so they are searched one by one.
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

    /// Both ways of reaching this place lead on: what they do not agree in is not known.
    pub(super) fn join(&mut self, other: &Self) {
        for (name, shape) in &mut self.variables {
            if other.get(name) != Some(shape) {
                *shape = Shape::Unknown;
            }
        }
    }

    /// Takes over the variables of another scope.
    pub(super) fn extend(&mut self, other: Self) {
        for (name, shape) in other.variables {
            self.set(&name, shape);
        }
    }

    /// The names of nodes and relationships, back to what they were before something that need not be there.
    pub(super) fn restore(&mut self, before: &Self) {
        for (name, shape) in &before.variables {
            if let Some(now) = self.get_mut(name) {
                now.clone_from(shape);
            }
        }
    }

    /// What was defined since then are lists now.
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
