//! Clauses of queries that read.

use graphwright_core::Value;

use super::{Generator, Kind, Witness};
use crate::{
    construct::Construct,
    graph::TEXTS,
    tree::{Tree, fixed, optional},
};

impl Generator<'_> {
    pub(super) fn reading(&mut self) -> Tree {
        if self.wants(Construct::Union, 4) {
            return self.union();
        }
        let mut clauses = Vec::new();
        if self.wants(Construct::ShortestPath, 4) {
            clauses.extend(self.shortest_path());
        } else if self.wants(Construct::Unwind, 3) {
            clauses.push(self.unwind());
            clauses.push(self.matching(3));
        } else if self.random.chance(2) {
            clauses.push(self.optional_match());
        } else {
            clauses.push(self.matching(4));
        }
        if self.wants(Construct::Optional, 12) {
            clauses.push(self.optional_match());
        }
        for _ in 0..2 {
            if self.wants(Construct::With, 10) || self.focus == Construct::WithWhere && self.random.chance(60)
            {
                clauses.push(self.with());
            }
            if self.wants(Construct::Unwind, 3) {
                clauses.push(self.unwind());
            }
            if self.wants(Construct::Call, 3) {
                clauses.extend(self.call());
            }
            if self.hops > 2 && self.random.chance(15) {
                let clause = if self.wants(Construct::Optional, 40) {
                    self.optional_match()
                } else {
                    self.matching(1)
                };
                clauses.push(clause);
            }
        }
        clauses.push(self.returning());
        Tree::list(" ", 1, clauses)
    }

    /// Generates a `MATCH` with one or two patterns, and perhaps a `WHERE`.
    pub(super) fn matching(&mut self, most: usize) -> Tree {
        let mut patterns = vec![self.path_or_pattern(most)];
        let mut clause = fixed!();
        if self.wants(Construct::SeveralPatterns, 6) {
            let hops = self.length(1);
            patterns.push(self.pattern(hops));
            clause = clause.shows(Construct::SeveralPatterns);
        }
        let filter = self.filtering(45);
        fixed!("MATCH ", Tree::list(", ", 1, patterns), filter, clause)
    }

    fn filtering(&mut self, percent: usize) -> Tree {
        let is_predicate = [
            Construct::Comparison,
            Construct::NullPredicate,
            Construct::StringPredicate,
            Construct::In,
            Construct::And,
            Construct::Or,
            Construct::Xor,
            Construct::Not,
            Construct::LabelPredicate,
            Construct::PatternPredicate,
            Construct::Exists,
            Construct::ListPredicate,
        ]
        .contains(&self.focus);
        if is_predicate || self.wants(Construct::Where, percent) {
            let predicate = self.condition(2);
            optional!(" WHERE ", predicate).shows(Construct::Where)
        } else {
            Tree::empty()
        }
    }

    fn path_or_pattern(&mut self, most: usize) -> Tree {
        let hops = self.length(most);
        let pattern = self.pattern(hops);
        if hops > 0 && self.wants(Construct::Path, 8) {
            let name = self.fresh("p");
            self.declare(&name, Kind::Path, Witness::Unknown);
            return fixed!(name, " = ", pattern).shows(Construct::Path);
        }
        pattern
    }

    fn optional_match(&mut self) -> Tree {
        let hops = self.length(2);
        let pattern = match self.variable(Kind::Node) {
            Some(node) if self.random.chance(85) => self.pattern_from(Some(&node), hops.max(1), true),
            _ => self.pattern(hops),
        };
        let filter = self.filtering(35);
        fixed!("OPTIONAL MATCH ", pattern, filter).shows(Construct::Optional)
    }

    fn unwind(&mut self) -> Tree {
        let name = self.fresh("x");
        let (list, kind) = match self.random.below(6) {
            0 => {
                let texts: Vec<_> = (0..3).map(|_| self.random.word(&TEXTS)).collect();
                (self.value(&Value::from(texts)), Kind::Text)
            }
            1 => match self.variable(Kind::Bag) {
                Some(list) => (fixed!(list.name), Kind::Mixed),
                None => (fixed!("[1, 'a', null, 2.5]"), Kind::Mixed),
            },
            2 => (fixed!("range(1, 3)"), Kind::Integer),
            _ => (self.integers(1), Kind::Integer),
        };
        self.declare(&name, kind, Witness::Unknown);
        fixed!("UNWIND ", list, " AS ", name).shows(Construct::Unwind)
    }

    fn union(&mut self) -> Tree {
        let word = self.random.word(&[" UNION ", " UNION ALL "]);
        let columns = 1 + self.random.below(2);
        let mut branches = Vec::new();
        for _ in 0..2 {
            self.scope.clear();
            let matching = self.matching(2);
            let items = (0..columns)
                .map(|column| {
                    let tree = if column == 0 { self.integer(1) } else { self.text(1) };
                    fixed!(tree, format!(" AS c{column}"))
                })
                .collect();
            branches.push(fixed!(matching, " RETURN ", Tree::list(", ", columns, items)));
        }
        Tree::list(word, 1, branches).shows(Construct::Union)
    }

    /// Generates a match of two different nodes, and of shortest paths between them.
    fn shortest_path(&mut self) -> Vec<Tree> {
        let from = self.random.below(self.graph.nodes.len());
        let mut to = from;
        for _ in 0..2 {
            let steps = self.graph.at(to);
            if let Some((_, end, _)) = self.random.pick(&steps) {
                to = *end;
            }
        }
        if from == to {
            to = (to + 1) % self.graph.nodes.len();
        }
        let ends = [from, to].map(|place| {
            let name = self.fresh("n");
            self.declare(&name, Kind::Node, Witness::Node(place));
            let number = self.graph.nodes.get(place).and_then(|node| node.properties.get("i")).cloned();
            (name, number.and_then(|number| number.as_integer()).unwrap_or_default())
        });
        let [(first, number), (second, other)] = ends;
        let pair = fixed!(
            "MATCH (",
            first.clone(),
            format!(" {{i: {number}}}), ("),
            second.clone(),
            format!(" {{i: {other}}})")
        );
        let function = self.random.word(&["shortestPath", "shortestPath", "allShortestPaths"]);
        let kind = self.random.word(&["", "", ":R", ":R|S"]);
        let range = self.random.word(&["*..4", "*1..3", "*..6"]);
        let (left, right) = [("-", "-"), ("-", "-"), ("-", "->"), ("<-", "-")][self.random.below(4)];
        let path = self.fresh("p");
        let word = if self.random.chance(25) { "OPTIONAL MATCH " } else { "MATCH " };
        let matching = fixed!(
            word,
            path.clone(),
            " = ",
            function,
            "((",
            first,
            ")",
            left,
            "[",
            kind,
            range,
            "]",
            right,
            "(",
            second,
            "))"
        )
        .shows(Construct::ShortestPath);
        let length = self.fresh("x");
        self.declare(&length, Kind::Integer, Witness::Unknown);
        let with = fixed!(format!("WITH *, length({path}) AS {length}"));
        vec![pair, matching, with]
    }

    /// Generates a `CALL {}` that returns a count for each row, or rows of its own.
    fn call(&mut self) -> Vec<Tree> {
        let Some(node) = self.variable(Kind::Node) else {
            return Vec::new();
        };
        let scope = std::mem::replace(&mut self.scope, vec![node.clone()]);
        let hops = self.length(1).max(1);
        let pattern = self.pattern_from(Some(&node), hops, true);
        let filter = self.filtering(35);
        let name = self.fresh("x");
        let item = match self.random.below(3) {
            0 => fixed!("count(*)"),
            1 => {
                let part = self.leaf_integer();
                fixed!("sum(", part, ")")
            }
            _ => self.leaf_integer(),
        };
        self.scope = scope;
        self.declare(&name, Kind::Integer, Witness::Unknown);
        let import = if self.random.chance(50) {
            fixed!(format!("CALL ({}) {{ ", node.name))
        } else {
            fixed!(format!("CALL {{ WITH {} ", node.name))
        };
        vec![
            fixed!(import, "MATCH ", pattern, filter, " RETURN ", item, " AS ", name, " }")
                .shows(Construct::Call),
        ]
    }
}
