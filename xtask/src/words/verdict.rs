//! What the right answer is, and what is thought of the one that was given.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use anyhow::{Result, bail, ensure};
use serde_json::Value;

/// The right answer.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Gold {
    Truth(bool),
    /// A number, as it is compared.
    Number(String),
    /// Names of things, or texts.
    Names(BTreeSet<String>),
    /// The number of each group. A group of none may be left out.
    Groups(BTreeMap<String, String>),
    /// The graph does not know what one word asks for: an answer must say so.
    Warning,
}

/// What is thought of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Right,
    /// Right, but with a warning that was not needed.
    RightButWarned,
    /// Not right, but the answer says what it lacks, offers several readings, or there is none.
    Told,
    /// Not right, and nothing says so.
    Wrong,
}

impl fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Right => "right",
            Self::RightButWarned => "right but warned",
            Self::Told => "told",
            Self::Wrong => "wrong without a warning",
        })
    }
}

impl Gold {
    /// Takes rows of one column for names, a number or a truth, and of two columns for numbers of groups.
    pub(super) fn from_rows(rows: &[Vec<Value>]) -> Result<Self> {
        ensure!(!rows.is_empty(), "the query gives no rows");
        Ok(match rows {
            [row] if row.len() == 1 && row[0].is_boolean() => Self::Truth(row[0] == true),
            [row] if row.len() == 1 && row[0].is_number() => Self::Number(comparable(&row[0])),
            rows if rows.iter().all(|row| row.len() == 1) => {
                Self::Names(rows.iter().map(|row| comparable(&row[0])).collect())
            }
            rows if rows.iter().all(|row| row.len() == 2) => {
                Self::groups(rows.iter().map(|row| (&row[0], &row[1])))
            }
            _ => bail!("the query gives more than two columns"),
        })
    }

    fn groups<'v>(pairs: impl Iterator<Item = (&'v Value, &'v Value)>) -> Self {
        let pairs = pairs.map(|(name, number)| (comparable(name), comparable(number)));
        Self::Groups(pairs.filter(|(_, number)| number != "0").collect())
    }

    pub(super) fn judge(&self, answer: &Value) -> Verdict {
        let (answered, warned) = (is_answered(answer), has_warning(answer));
        if *self == Self::Warning {
            return if answered && !warned { Verdict::Wrong } else { Verdict::Right };
        }
        match (answered && self.equals(answer), warned) {
            (true, false) => Verdict::Right,
            (true, true) => Verdict::RightButWarned,
            (false, false) if answered => Verdict::Wrong,
            (false, _) => Verdict::Told,
        }
    }

    /// Whether the answer is exactly this one. Names may be those of the things or, where texts are asked for, the values.
    fn equals(&self, answer: &Value) -> bool {
        match self {
            Self::Truth(truth) => items(answer, "values") == [*truth],
            Self::Number(number) => values(answer) == BTreeSet::from([number.clone()]),
            Self::Names(wanted) => names(answer) == *wanted || values(answer) == *wanted,
            Self::Groups(_) => {
                let rows = items(answer, "values");
                let is_grouped = !rows.is_empty() && rows.iter().all(|row| row["group"].is_string());
                is_grouped && Self::groups(rows.iter().map(|row| (&row["group"], &row["count"]))) == *self
            }
            Self::Warning => false,
        }
    }
}

impl fmt::Display for Gold {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truth(truth) => write!(formatter, "{truth}"),
            Self::Number(number) => write!(formatter, "{number}"),
            Self::Names(names) => write!(formatter, "{names:?}"),
            Self::Groups(groups) => write!(formatter, "{groups:?}"),
            Self::Warning => write!(formatter, "a warning"),
        }
    }
}

/// An answer in one line.
pub(super) fn describe(answer: &Value) -> String {
    let text = answer["answer"].as_str().or_else(|| answer["error"]["message"].as_str()).unwrap_or_default();
    let text: String = text.replace('\n', " ").chars().take(240).collect();
    let status = answer["status"].as_str().unwrap_or("error");
    format!("{status} {:?} {:?}\n           {text}", names(answer), values(answer))
}

/// Whether something is answered at all, with or without a warning.
fn is_answered(answer: &Value) -> bool {
    matches!(answer["status"].as_str(), Some("answered" | "partial" | "ambiguous"))
}

fn has_warning(answer: &Value) -> bool {
    let first_line = answer["answer"].as_str().and_then(|text| text.lines().next()).unwrap_or_default();
    matches!(answer["status"].as_str(), Some("partial" | "ambiguous")) || first_line.starts_with("Not used:")
}

fn names(answer: &Value) -> BTreeSet<String> {
    items(answer, "entities").iter().map(|entity| comparable(&entity["name"])).collect()
}

fn values(answer: &Value) -> BTreeSet<String> {
    items(answer, "values").iter().map(comparable).collect()
}

fn items<'a>(answer: &'a Value, member: &str) -> &'a [Value] {
    answer[member].as_array().map_or(&[], Vec::as_slice)
}

/// A value as it is compared: texts without letter case and with single spaces, numbers to two decimals.
fn comparable(value: &Value) -> String {
    match value {
        Value::String(text) => text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" "),
        Value::Number(number) => number
            .as_f64()
            .map_or_else(|| number.to_string(), |number| ((number * 100.0).round() / 100.0).to_string()),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn gold(rows: &Value) -> Gold {
        Gold::from_rows(&serde_json::from_value::<Vec<Vec<Value>>>(rows.clone()).unwrap()).unwrap()
    }

    fn named(names: &[&str]) -> Value {
        let entities: Vec<Value> = names.iter().map(|name| json!({"name": name})).collect();
        json!({"status": "answered", "entities": entities, "answer": "…"})
    }

    #[test]
    fn names_are_compared_as_sets() {
        let gold = gold(&json!([["Lana Wachowski"], ["Lilly Wachowski"]]));
        assert_eq!(gold.judge(&named(&["lilly wachowski", "Lana  Wachowski"])), Verdict::Right);
        assert_eq!(gold.judge(&named(&["Lana Wachowski"])), Verdict::Wrong);
        assert_eq!(gold.judge(&named(&["Lana Wachowski", "Lilly Wachowski", "Ron Howard"])), Verdict::Wrong);
    }

    #[test]
    fn a_number_is_no_list() {
        let gold = gold(&json!([[75.666_666]]));
        assert_eq!(gold.judge(&json!({"status": "answered", "values": [75.67]})), Verdict::Right);
        assert_eq!(gold.judge(&json!({"status": "answered", "values": [75.67, 62]})), Verdict::Wrong);
        assert_eq!(gold.judge(&named(&["The Replacements"])), Verdict::Wrong);
    }

    #[test]
    fn groups_of_none_may_be_left_out() {
        let gold = gold(&json!([["Asia", 12], ["Europe", 15]]));
        let rows = |third: &Value| json!({"status": "answered", "values": [{"group": "Europe", "count": 15}, {"group": "Asia", "count": 12}, third]});
        assert_eq!(gold.judge(&rows(&json!({"group": "Oceania", "count": 0}))), Verdict::Right);
        assert_eq!(gold.judge(&rows(&json!({"group": "Oceania", "count": 1}))), Verdict::Wrong);
        assert_eq!(gold.judge(&json!({"status": "answered", "values": [27]})), Verdict::Wrong);
    }

    #[test]
    fn a_warning_is_no_wrong_answer() {
        let gold = gold(&json!([["Chang"]]));
        let warned = |name: &str| json!({"status": "partial", "entities": [{"name": name}]});
        assert_eq!(gold.judge(&warned("Chang")), Verdict::RightButWarned);
        assert_eq!(gold.judge(&warned("Chai")), Verdict::Told);
        assert_eq!(gold.judge(&json!({"status": "not_in_graph"})), Verdict::Told);
        assert_eq!(gold.judge(&json!({"error": {"message": "…"}})), Verdict::Told);
    }

    #[test]
    fn what_the_graph_does_not_know_wants_a_warning() {
        assert_eq!(Gold::Warning.judge(&named(&["Ikura"])), Verdict::Wrong);
        assert_eq!(Gold::Warning.judge(&json!({"status": "not_in_graph"})), Verdict::Right);
        let line = json!({"status": "answered", "answer": "Not used: \"organic\". Without that:\nIkura …"});
        assert_eq!(Gold::Warning.judge(&line), Verdict::Right);
    }

    #[test]
    fn a_truth_is_compared_with_the_value() {
        let gold = gold(&json!([[false]]));
        assert_eq!(gold.judge(&json!({"status": "answered", "values": [false]})), Verdict::Right);
        assert_eq!(gold.judge(&json!({"status": "answered", "values": [true]})), Verdict::Wrong);
    }
}
