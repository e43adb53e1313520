//! The engine's answers about its own catalogue (`SHOW INDEXES`, `CALL db.propertyKeys()` …).
//!
//! They are given under the names that users know, without what serves the store itself.

use graphwright_core::{Value, names};

use crate::rewrite::reserved;

/// The beginnings of statements that only ask for the catalogue.
const QUESTIONS: [&str; 8] = [
    "SHOW INDEX",
    "SHOW CONSTRAINT",
    "CALL DB.LABELS",
    "CALL DB.PROPERTYKEYS",
    "CALL DB.SCHEMA.NODETYPEPROPERTIES",
    "CALL DB.SCHEMA.RELTYPEPROPERTIES",
    "CALL DB.INDEXES",
    "CALL DB.CONSTRAINTS",
];

/// Returns whether a statement asks for the catalogue.
pub(crate) fn is_asked(text: &str) -> bool {
    let words: Vec<_> = text.split_whitespace().take(2).map(str::to_uppercase).collect();
    let beginning = words.join(" ");
    QUESTIONS.iter().any(|question| beginning.starts_with(question))
}

/// Translates a row to the names that users know. Returns `None` when it is about something of the
/// store's own.
pub(crate) fn row(row: Vec<Value>) -> Option<Vec<Value>> {
    row.into_iter().map(outside).collect()
}

fn outside(value: Value) -> Option<Value> {
    match value {
        Value::String(name) => {
            let name = reserved::property_from_engine(&name)?;
            Some(Value::String(reserved::label_from_engine(name)?.to_owned()))
        }
        Value::List(items) => {
            let items = items.into_iter().map(outside).collect::<Option<Vec<_>>>()?;
            let is_own = matches!(items.as_slice(), [Value::String(name)] if name == names::ID);
            (!is_own).then_some(Value::List(items))
        }
        other => Some(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_questions_for_the_catalogue_are_recognised() {
        assert!(is_asked("show  indexes YIELD name"));
        assert!(is_asked("CALL db.propertyKeys() YIELD propertyKey RETURN propertyKey"));
        assert!(!is_asked("CALL db.relationshipTypes()"));
        assert!(!is_asked("MATCH (n) RETURN n"));
    }

    #[test]
    fn names_are_the_users_and_our_own_rows_are_left_out() {
        assert_eq!(row(vec!["name_".into(), 1.into()]), Some(vec!["name".into(), 1.into()]));
        assert_eq!(row(vec!["Node_".into()]), Some(vec!["Node".into()]));
        assert_eq!(row(vec!["Node".into()]), None);
        assert_eq!(row(vec!["__vector:embedding".into()]), None);
        assert_eq!(row(vec!["A.__id___".into(), vec!["__id___"].into()]), None);
        assert_eq!(row(vec!["__id___".into()]), Some(vec!["__id__".into()]));
    }
}
