//! The kinds of statements, and the plans by which a store runs them.

use serde::{Deserialize, Serialize};

/// The kind of a statement, as the store reports it. Neo4j's letters are `r`, `rw`, `w` and `s`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QueryType {
    /// The statement only reads.
    Read,
    /// The statement writes and returns rows.
    ReadWrite,
    /// The statement writes and returns no rows.
    Write,
    /// The statement changes indexes or constraints.
    Schema,
}

impl QueryType {
    /// Returns the stable name, as `read_write`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::ReadWrite => "read_write",
            Self::Write => "write",
            Self::Schema => "schema",
        }
    }
}

/// An operator of a plan, with the operators that feed it.
///
/// A whole plan is its last operator. What a store does not tell is `None`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The operator's name in the store's own words, as `NodeByLabelScan`.
    pub operator: String,
    /// What it works on, as `s:Service`.
    pub details: Option<String>,
    /// The number of rows that the planner expected it to give.
    pub estimated_rows: Option<f64>,
    /// The number of rows that it gave.
    pub rows: Option<u64>,
    /// The number of requests that it made to the storage (Neo4j's database hits).
    pub db_hits: Option<u64>,
    /// The time that it took by itself, in milliseconds.
    pub time_ms: Option<f64>,
    /// The operators whose rows it takes.
    pub children: Vec<Plan>,
}

impl Plan {
    /// Returns the operators with their depth, each before those that feed it.
    pub fn operators(&self) -> Vec<(usize, &Self)> {
        let mut found = Vec::new();
        let mut open = vec![(0, self)];
        while let Some((depth, operator)) = open.pop() {
            found.push((depth, operator));
            // The last child pushed is popped first, so the children are pushed in reverse.
            open.extend(operator.children.iter().rev().map(|child| (depth + 1, child)));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::Plan;

    #[test]
    fn operators_come_before_those_that_feed_them() {
        let leaf = |name: &str| Plan { operator: name.to_owned(), ..Plan::default() };
        let join =
            Plan { operator: "join".to_owned(), children: vec![leaf("a"), leaf("b")], ..Plan::default() };
        let root = Plan { operator: "root".to_owned(), children: vec![join], ..Plan::default() };
        let found: Vec<_> =
            root.operators().into_iter().map(|(depth, plan)| (depth, plan.operator.as_str())).collect();
        assert_eq!(found, [(0, "root"), (1, "join"), (2, "a"), (2, "b")]);
    }
}
