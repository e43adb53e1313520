//! `WITH` and `RETURN`.

use super::{Generator, Kind, Variable, Witness};
use crate::{
    construct::Construct,
    tree::{Tree, expression, fixed, optional},
};

/// A column to write.
struct Item {
    tree: Tree,
    kind: Kind,
}

impl Kind {
    /// Returns whether every store gives these values the same order in an `ORDER BY`.
    fn has_order(self) -> bool {
        matches!(
            self,
            Self::Integer
                | Self::Number
                | Self::Text
                | Self::Boolean
                | Self::Date
                | Self::Integers
                | Self::Mixed
        )
    }
}

impl Generator<'_> {
    /// Generates a `RETURN` with columns `c1`, `c2` and so on. A column like `bag3` holds a list
    /// whose order is open.
    pub(super) fn returning(&mut self) -> Tree {
        let is_aggregating = self.wants(Construct::Aggregation, 25)
            || self.focus == Construct::DistinctAggregation && self.random.chance(90);
        let items = if is_aggregating { self.aggregates() } else { self.items() };
        let mut keys = Vec::new();
        let mut columns = Vec::new();
        let can_be_cut = items.iter().all(|item| item.kind.has_order());
        for Item { tree, kind } in items {
            let alias = self.fresh(if kind == Kind::Bag { "bag" } else { "c" });
            if kind.has_order() {
                keys.push(alias.clone());
            }
            columns.push(fixed!(tree, " AS ", alias));
        }
        let distinct = self.distinct(12);
        let cut = [Construct::Skip, Construct::Limit].contains(&self.focus);
        let order = if !keys.is_empty() && (cut || self.wants(Construct::OrderBy, 25)) {
            let can_be_cut = can_be_cut && (cut || self.random.chance(50));
            self.order(keys, can_be_cut)
        } else {
            Tree::empty()
        };
        fixed!("RETURN ", distinct, Tree::list(", ", 1, columns), order)
    }

    fn distinct(&mut self, percent: usize) -> Tree {
        if self.wants(Construct::Distinct, percent) {
            optional!("DISTINCT ").shows(Construct::Distinct)
        } else {
            Tree::empty()
        }
    }

    /// Generates an `ORDER BY` over all keys, and perhaps `SKIP` and `LIMIT`.
    fn order(&mut self, mut keys: Vec<String>, can_be_cut: bool) -> Tree {
        for place in (1..keys.len()).rev() {
            let other = self.random.below(place + 1);
            keys.swap(place, other);
        }
        let keys = keys
            .into_iter()
            .map(|key| {
                let word = self.random.word(&["", "", " DESC", " ASC"]);
                fixed!(key, word)
            })
            .collect();
        let mut skip = Tree::empty();
        let mut limit = Tree::empty();
        if can_be_cut {
            if self.wants(Construct::Skip, 40) {
                let rows = (1 + self.random.below(2)).to_string();
                skip = optional!(" SKIP ", rows).shows(Construct::Skip);
            }
            if self.wants(Construct::Limit, 75) {
                let rows = (1 + self.random.below(6)).to_string();
                limit = optional!(" LIMIT ", rows).shows(Construct::Limit);
            }
        }
        optional!(" ORDER BY ", Tree::list(", ", 1, keys), skip, limit).shows(Construct::OrderBy)
    }

    fn items(&mut self) -> Vec<Item> {
        let count = 1 + self.random.below(3);
        let mut items: Vec<_> = (0..count).map(|_| self.item()).collect();
        if self.focus == Construct::MapProjection
            && let Some(node) = self.variable(Kind::Node)
        {
            items.push(Item { tree: self.map_projection(&node), kind: Kind::Map });
        }
        if self.focus == Construct::PatternComprehension
            && let Some(tree) = self.pattern_comprehension()
        {
            items.push(Item { tree, kind: Kind::Bag });
        }
        items
    }

    /// Generates one expression of any kind.
    fn item(&mut self) -> Item {
        let item = |tree, kind| Item { tree, kind };
        match self.random.below(24) {
            0 | 1 => match self.variable(Kind::Node) {
                Some(node) => item(expression!(node.name), Kind::Node),
                None => self.scalar(),
            },
            2 => match self.variable(Kind::Relationship) {
                Some(relationship) => item(expression!(relationship.name), Kind::Relationship),
                None => self.scalar(),
            },
            3 => match self.variable(Kind::Path) {
                Some(path) => item(expression!(path.name), Kind::Path),
                None => self.scalar(),
            },
            4 => match self.variable(Kind::Node) {
                Some(node) => item(self.map_projection(&node), Kind::Map),
                None => self.scalar(),
            },
            5 => match self.pattern_comprehension() {
                Some(list) => item(list, Kind::Bag),
                None => self.scalar(),
            },
            6 => match self.collect(false) {
                Some(list) => item(list, Kind::Bag),
                None => self.scalar(),
            },
            7 => item(self.integers(super::DEPTH), Kind::Integers),
            8 | 9 => item(self.predicate(super::DEPTH), Kind::Boolean),
            10 => match self.variable(Kind::Node) {
                Some(node) => {
                    let word = self.random.word(&["labels(", "keys("]);
                    item(expression!(word, node.name, ")").shows(Construct::GraphFunction), Kind::Bag)
                }
                None => self.scalar(),
            },
            11 => match self.variable(Kind::Bag).or_else(|| self.variable(Kind::Texts)) {
                Some(list) => item(expression!(list.name), list.kind),
                None => self.scalar(),
            },
            12 => match self.variable(Kind::Relationship).or_else(|| self.variable(Kind::Node)) {
                Some(element) => item(
                    expression!("properties(", element.name, ")").shows(Construct::GraphFunction),
                    Kind::Map,
                ),
                None => self.scalar(),
            },
            13 => match self.variable(Kind::Relationship) {
                Some(relationship) => {
                    let word = self.random.word(&["startNode(", "endNode("]);
                    item(
                        expression!(word, relationship.name, ").i").shows(Construct::GraphFunction),
                        Kind::Integer,
                    )
                }
                None => self.scalar(),
            },
            _ => self.scalar(),
        }
    }

    fn scalar(&mut self) -> Item {
        let item = |tree, kind| Item { tree, kind };
        match self.random.below(14) {
            0..=3 => item(self.integer(super::DEPTH), Kind::Integer),
            4..=6 => item(self.text(super::DEPTH), Kind::Text),
            7 | 8 => item(self.number(super::DEPTH), Kind::Number),
            9 | 10 => item(self.date(), Kind::Date),
            11 => match self.variable(Kind::Node) {
                Some(node) => item(expression!(node.name, ".m"), Kind::Mixed),
                None => item(self.integer(super::DEPTH), Kind::Integer),
            },
            12 => match self.variable(Kind::Mixed) {
                Some(value) => item(expression!(value.name), Kind::Mixed),
                None => item(self.text(super::DEPTH), Kind::Text),
            },
            _ => match self.variable(Kind::Boolean) {
                Some(value) => item(expression!(value.name), Kind::Boolean),
                None => item(self.predicate(1), Kind::Boolean),
            },
        }
    }

    /// Generates grouping keys and aggregations.
    fn aggregates(&mut self) -> Vec<Item> {
        let mut items = Vec::new();
        for _ in 0..[0, 1, 1, 2][self.random.below(4)] {
            items.push(match self.random.below(4) {
                0 => match self.variable(Kind::Node) {
                    Some(node) => Item { tree: expression!(node.name), kind: Kind::Node },
                    None => Item { tree: self.leaf_integer(), kind: Kind::Integer },
                },
                1 => Item { tree: self.text(1), kind: Kind::Text },
                _ => Item { tree: self.leaf_integer(), kind: Kind::Integer },
            });
        }
        for _ in 0..=self.random.below(2) {
            items.push(self.aggregation());
        }
        items
    }

    fn aggregation(&mut self) -> Item {
        let distinct = if self.wants(Construct::DistinctAggregation, 25) { "DISTINCT " } else { "" };
        let (tree, kind) = match self.random.below(12) {
            0 | 1 if distinct.is_empty() => (expression!("count(*)"), Kind::Integer),
            0..=2 => {
                let tree = match self.variable(Kind::Node) {
                    Some(node) if self.random.chance(50) => expression!(node.name),
                    _ => self.integer(1),
                };
                (expression!("count(", distinct, tree, ")"), Kind::Integer)
            }
            3 | 4 => {
                let tree = self.integer(1);
                (expression!("sum(", distinct, tree, ")"), Kind::Integer)
            }
            5 => {
                let tree = self.number(1);
                (expression!("sum(", distinct, tree, ")"), Kind::Number)
            }
            6 => {
                let tree = self.integer(1);
                (expression!("avg(", distinct, tree, ")"), Kind::Number)
            }
            7 => {
                let tree = match self.variable(Kind::Node) {
                    Some(node) if self.random.chance(30) => expression!(node.name, ".m"),
                    _ => self.integer(1),
                };
                let word = self.random.word(&["min(", "max("]);
                (expression!(word, tree, ")"), Kind::Mixed)
            }
            8 => {
                let tree = self.text(1);
                let word = self.random.word(&["min(", "max("]);
                (expression!(word, tree, ")"), Kind::Text)
            }
            9 => {
                let tree = self.leaf_integer();
                let word = self.random.word(&["stDev(", "stDevP(", "avg("]);
                (expression!(word, distinct, tree, ")"), Kind::Number)
            }
            10 => {
                let tree = self.leaf_integer();
                let word = self.random.word(&["percentileCont(", "percentileDisc("]);
                // Against its manual, Neo4j gives an integer if one value is the percentile.
                (expression!("toFloat(", word, tree, ", 0.5))"), Kind::Number)
            }
            _ => {
                let tree = if self.random.chance(70) { self.leaf_integer() } else { self.text(1) };
                (expression!("collect(", distinct, tree, ")"), Kind::Bag)
            }
        };
        let tree = tree.shows(Construct::Aggregation);
        let tree = if tree.to_string().contains("(DISTINCT ") {
            tree.shows(Construct::DistinctAggregation)
        } else {
            tree
        };
        Item { tree, kind }
    }

    /// Generates a `WITH`. Variables that it does not project go out of scope.
    pub(super) fn with(&mut self) -> Tree {
        let mut scope = Vec::new();
        let mut columns = Vec::new();
        let is_aggregating = self.random.chance(40);
        for variable in std::mem::take(&mut self.scope) {
            let is_kept = match variable.kind {
                Kind::Node => self.random.chance(80),
                Kind::Bag | Kind::Map => !is_aggregating && self.random.chance(50),
                _ => self.random.chance(45),
            };
            if is_kept {
                columns.push(fixed!(variable.name.clone()));
            }
            scope.push((variable, is_kept));
        }
        self.scope = scope.iter().map(|(variable, _)| variable.clone()).collect();
        let kept: Vec<Variable> =
            scope.into_iter().filter(|(_, is_kept)| *is_kept).map(|(variable, _)| variable).collect();
        let mut made = Vec::new();
        for _ in 0..usize::from(columns.is_empty() || is_aggregating || self.random.chance(60)) {
            let Item { tree, kind } = if is_aggregating { self.aggregation() } else { self.scalar() };
            let name = self.fresh(if kind == Kind::Bag { "bag" } else { "x" });
            columns.push(fixed!(tree, " AS ", name.clone()));
            made.push(Variable { name, kind, witness: Witness::Unknown });
        }
        self.scope = kept;
        self.scope.extend(made);
        let distinct = self.distinct(8);
        let cut = self.cut();
        let filter = if self.wants(Construct::WithWhere, 30) {
            let predicate = self.condition(1);
            optional!(" WHERE ", predicate).shows(Construct::WithWhere)
        } else {
            Tree::empty()
        };
        fixed!("WITH ", distinct, Tree::list(", ", 1, columns), cut, filter).shows(Construct::With)
    }

    /// Generates a cut to the first rows in a total order, if the variables in scope have one.
    fn cut(&mut self) -> Tree {
        let keys: Option<Vec<String>> = self
            .scope
            .iter()
            .map(|variable| match variable.kind {
                Kind::Node => Some(format!("{}.i", variable.name)),
                Kind::Relationship => Some(format!("{}.e", variable.name)),
                Kind::Integer | Kind::Text | Kind::Boolean | Kind::Date => Some(variable.name.clone()),
                _ => None,
            })
            .collect();
        match keys {
            Some(keys) if !keys.is_empty() && self.random.chance(20) => self.order(keys, true),
            _ => Tree::empty(),
        }
    }
}
