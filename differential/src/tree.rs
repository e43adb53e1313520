//! A query as a tree of text, so that parts of it can be taken away.

use std::{collections::BTreeSet, fmt};

use crate::construct::Construct;

/// What may be done to a part of a query without breaking its grammar.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Role {
    /// It stays.
    Fixed,
    /// It may go.
    Optional,
    /// Its members stand between separators; so many must stay.
    List { separator: &'static str, least: usize },
    /// A smaller expression within it may stand for it.
    Expression,
}

/// A part of a query.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tree {
    pub(crate) role: Role,
    pub(crate) constructs: Vec<Construct>,
    pub(crate) parts: Vec<Part>,
}

/// Text, or a part with parts of its own.
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

/// A part that stays, from texts and trees.
macro_rules! fixed {
    ($($part:expr),* $(,)?) => {
        $crate::tree::Tree::new($crate::tree::Role::Fixed, vec![$($crate::tree::Part::from($part)),*])
    };
}

/// A part that may go, from texts and trees.
macro_rules! optional {
    ($($part:expr),* $(,)?) => {
        $crate::tree::Tree::new($crate::tree::Role::Optional, vec![$($crate::tree::Part::from($part)),*])
    };
}

/// An expression, from texts and trees.
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

    /// Members between separators, of which so many must stay.
    pub(crate) fn list(separator: &'static str, least: usize, members: Vec<Tree>) -> Self {
        Self::new(Role::List { separator, least }, members.into_iter().map(Part::Tree).collect())
    }

    /// Nothing.
    pub(crate) fn empty() -> Self {
        fixed!()
    }

    /// Says what it is an example of.
    pub(crate) fn shows(mut self, construct: Construct) -> Self {
        self.constructs.push(construct);
        self
    }

    /// What it and its parts are examples of.
    pub(crate) fn constructs(&self) -> BTreeSet<Construct> {
        let mut found: BTreeSet<_> = self.constructs.iter().copied().collect();
        for part in &self.parts {
            if let Part::Tree(tree) = part {
                found.extend(tree.constructs());
            }
        }
        found
    }

    /// All trees that are smaller by one step, those that lack most first.
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

    /// The outermost expressions within it.
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
