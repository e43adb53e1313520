//! What a statement does, and how a store runs it.

use serde::{Deserialize, Serialize};

/// What a statement does, as stores say it of themselves. Neo4j's letters are `r`, `rw`, `w` and `s`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QueryType {
    /// It only reads.
    Read,
    /// It writes and gives rows.
    ReadWrite,
    /// It writes and gives no rows.
    Write,
    /// It changes indexes or constraints.
    Schema,
}

impl QueryType {
    /// The stable name, as `read_write`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::ReadWrite => "read_write",
            Self::Write => "write",
            Self::Schema => "schema",
        }
    }
}

/// An operator of a plan, with those that feed it. A whole plan is its last operator. What a store does not tell is `None`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Plan {
    /// What it does, in the store's own word, as `NodeByLabelScan`.
    pub operator: String,
    /// On what, as `s:Service`.
    pub details: Option<String>,
    /// How many rows the planner expected it to give.
    pub estimated_rows: Option<f64>,
    /// How many rows it gave.
    pub rows: Option<u64>,
    /// How often it asked the storage for something (Neo4j's database hits).
    pub db_hits: Option<u64>,
    /// How long it took by itself, in milliseconds.
    pub time_ms: Option<f64>,
    /// The operators whose rows it takes.
    pub children: Vec<Plan>,
}

impl Plan {
    /// The operators with their depth, each before those that feed it.
    pub fn operators(&self) -> Vec<(usize, &Self)> {
        let mut found = Vec::new();
        let mut open = vec![(0, self)];
        while let Some((depth, operator)) = open.pop() {
            found.push((depth, operator));
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
