//! Patterns and queries within expressions.

use super::{Generator, Kind};
use crate::{
    construct::Construct,
    tree::{Tree, expression, fixed, optional},
};

impl Generator<'_> {
    /// Generates a pattern that begins at a node in scope. Its variables stay in scope until `made`
    /// returns.
    fn within<T>(&mut self, most: usize, made: impl FnOnce(&mut Self, Tree) -> T) -> Option<T> {
        let start = self.variable(Kind::Node)?;
        let scope = self.scope.len();
        let left = self.hops;
        self.hops = most;
        let hops = self.length(most).max(1);
        let pattern = self.pattern_from(Some(&start), hops, true);
        let made = made(self, pattern);
        self.hops = left;
        self.scope.truncate(scope);
        Some(made)
    }

    fn filter(&mut self) -> Tree {
        if self.random.chance(45) {
            let predicate = self.condition(0);
            optional!(" WHERE ", predicate)
        } else {
            Tree::empty()
        }
    }

    pub(super) fn exists(&mut self) -> Option<Tree> {
        let word = if self.random.chance(50) { "MATCH " } else { "" };
        self.within(3, |generator, pattern| {
            let filter = generator.filter();
            expression!("EXISTS { ", word, pattern, filter, " }").shows(Construct::Exists)
        })
    }

    pub(super) fn count(&mut self) -> Option<Tree> {
        let word = if self.random.chance(50) { "MATCH " } else { "" };
        self.within(3, |generator, pattern| {
            let filter = generator.filter();
            expression!("COUNT { ", word, pattern, filter, " }").shows(Construct::Count)
        })
    }

    /// Generates a pattern as a predicate, which may have no new variables.
    pub(super) fn pattern_predicate(&mut self) -> Option<Tree> {
        let start = self.variable(Kind::Node)?;
        let scope = self.scope.len();
        let left = self.hops;
        let hops = 1 + self.random.below(2);
        let (kind, arrow) = (self.random.word(&[":R", ":S", ":T", ":R|S", ""]), self.random.below(3));
        let label = self.random.word(&["", "", ":A", ":B"]);
        let detail = if kind.is_empty() { String::new() } else { format!("[{kind}]") };
        let hop = match arrow {
            0 => format!("-{detail}->"),
            1 => format!("<-{detail}-"),
            _ => format!("-{detail}-"),
        };
        let more = if hops > 1 { "-->()" } else { "" };
        self.scope.truncate(scope);
        self.hops = left;
        Some(expression!("(", start.name, ")", hop, "(", label, ")", more).shows(Construct::PatternPredicate))
    }

    /// Generates a `COLLECT {}`, with or without an order.
    pub(super) fn collect(&mut self, ordered: bool) -> Option<Tree> {
        self.within(2, |generator, pattern| {
            let filter = generator.filter();
            let item = generator.leaf_integer();
            let alias = generator.fresh("c");
            let order = if ordered { fixed!(" ORDER BY ", alias.clone()) } else { Tree::empty() };
            expression!("COLLECT { MATCH ", pattern, filter, " RETURN ", item, " AS ", alias, order, " }")
                .shows(Construct::Collect)
        })
    }

    /// Generates a pattern comprehension, whose order is open.
    pub(super) fn pattern_comprehension(&mut self) -> Option<Tree> {
        self.within(2, |generator, pattern| {
            let filter = generator.filter();
            let item = generator.leaf_integer();
            expression!("[", pattern, filter, " | ", item, "]").shows(Construct::PatternComprehension)
        })
    }
}
