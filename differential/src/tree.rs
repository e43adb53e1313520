//! Queries as trees of text, from which parts can be removed.

use std::{collections::BTreeSet, fmt};

use crate::construct::Construct;

/// The changes of a part that keep the query's grammar.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Role {
    /// The part stays.
    Fixed,
    /// The part may be removed.
    Optional,
    /// Its members stand between separators, and at least `least` must stay.
    List { separator: &'static str, least: usize },
    /// A smaller expression within the part may replace it.
    Expression,
}

/// A part of a query.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tree {
    pub(crate) role: Role,
    pub(crate) constructs: Vec<Construct>,
    pub(crate) parts: Vec<Part>,
}

/// A text, or a part with parts of its own.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Part {
    Text(String),
    Tree(Tree),
}

impl From<&str> for Part {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Part {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Tree> for Part {
    fn from(tree: Tree) -> Self {
        Self::Tree(tree)
    }
}

/// Builds a part that stays, from texts and trees.
macro_rules! fixed {
    ($($part:expr),* $(,)?) => {
        $crate::tree::Tree::new($crate::tree::Role::Fixed, vec![$($crate::tree::Part::from($part)),*])
    };
}

/// Builds a part that may be removed, from texts and trees.
macro_rules! optional {
    ($($part:expr),* $(,)?) => {
        $crate::tree::Tree::new($crate::tree::Role::Optional, vec![$($crate::tree::Part::from($part)),*])
    };
}

/// Builds an expression, from texts and trees.
macro_rules! expression {
    ($($part:expr),* $(,)?) => {
        $crate::tree::Tree::new($crate::tree::Role::Expression, vec![$($crate::tree::Part::from($part)),*])
    };
}

pub(crate) use {expression, fixed, optional};

impl Tree {
    pub(crate) fn new(role: Role, parts: Vec<Part>) -> Self {
        Self { role, constructs: Vec::new(), parts }
    }

    /// Creates a list of members between separators, of which at least `least` must stay.
    pub(crate) fn list(separator: &'static str, least: usize, members: Vec<Tree>) -> Self {
        Self::new(Role::List { separator, least }, members.into_iter().map(Part::Tree).collect())
    }

    /// Creates an empty part.
    pub(crate) fn empty() -> Self {
        fixed!()
    }

    /// Marks the part as an example of a construct.
    pub(crate) fn shows(mut self, construct: Construct) -> Self {
        self.constructs.push(construct);
        self
    }

    /// Returns the constructs of which the part and its parts are examples.
    pub(crate) fn constructs(&self) -> BTreeSet<Construct> {
        let mut found: BTreeSet<_> = self.constructs.iter().copied().collect();
        for part in &self.parts {
            if let Part::Tree(tree) = part {
                found.extend(tree.constructs());
            }
        }
        found
    }

    /// Returns all trees that are smaller by one step, those that lack most first.
    pub(crate) fn smaller(&self) -> Vec<Self> {
        let mut found = Vec::new();
        if self.role == Role::Optional && !self.parts.is_empty() {
            found.push(Self { parts: Vec::new(), ..self.clone() });
        }
        if let Role::List { least, .. } = self.role
            && self.parts.len() > least
        {
            found.extend((0..self.parts.len()).map(|place| {
                let mut parts = self.parts.clone();
                parts.remove(place);
                Self { parts, ..self.clone() }
            }));
        }
        if self.role == Role::Expression {
            found.extend(self.expressions().cloned());
        }
        for (place, part) in self.parts.iter().enumerate() {
            if let Part::Tree(tree) = part {
                found.extend(tree.smaller().into_iter().map(|smaller| {
                    let mut parts = self.parts.clone();
                    parts[place] = Part::Tree(smaller);
                    Self { parts, ..self.clone() }
                }));
            }
        }
        found
    }

    /// Returns the outermost expressions within the part.
    fn expressions(&self) -> Box<dyn Iterator<Item = &Self> + '_> {
        Box::new(self.parts.iter().flat_map(|part| match part {
            Part::Tree(tree) if tree.role == Role::Expression => {
                Box::new(std::iter::once(tree)) as Box<dyn Iterator<Item = &Self>>
            }
            Part::Tree(tree) => tree.expressions(),
            Part::Text(_) => Box::new(std::iter::empty()),
        }))
    }
}

impl fmt::Display for Tree {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let separator = match self.role {
            Role::List { separator, .. } => separator,
            _ => "",
        };
        for (place, part) in self.parts.iter().enumerate() {
            if place > 0 {
                formatter.write_str(separator)?;
            }
            match part {
                Part::Text(text) => formatter.write_str(text)?,
                Part::Tree(tree) => tree.fmt(formatter)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_go_goes_and_an_expression_gives_way_to_its_parts() {
        let filter = optional!(" WHERE ", expression!("(", expression!("a"), " OR ", expression!("b"), ")"));
        let query = fixed!("RETURN ", Tree::list(", ", 1, vec![fixed!("x"), fixed!("y")]), filter);
        assert_eq!(query.to_string(), "RETURN x, y WHERE (a OR b)");
        let smaller: Vec<_> = query.smaller().iter().map(Tree::to_string).collect();
        assert_eq!(
            smaller,
            [
                "RETURN y WHERE (a OR b)",
                "RETURN x WHERE (a OR b)",
                "RETURN x, y",
                "RETURN x, y WHERE a",
                "RETURN x, y WHERE b"
            ]
        );
    }
}
