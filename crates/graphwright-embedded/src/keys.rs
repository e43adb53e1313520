//! Checks of rows that must differ (`DISTINCT`, `UNION`, groups).
//!
//! The engine takes `1` and `1.0` for different values, Cypher does not.

use std::{
    collections::{HashSet, hash_map::DefaultHasher},
    hash::{Hash, Hasher},
};

use graphwright_core::{Record, Result, Value};

use crate::values::unsupported;

/// A check for rows whose keys Cypher takes for equal.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    places: Vec<usize>,
    seen: HashSet<u64>,
}

impl Keys {
    pub(crate) fn new(places: &[usize]) -> Self {
        Self { places: places.to_vec(), seen: HashSet::new() }
    }

    /// Refuses a row whose key equals that of an earlier row.
    pub(crate) fn check(&mut self, rows: &[Record]) -> Result<()> {
        for row in rows {
            let key = || self.places.iter().filter_map(|&place| row.get(place));
            // Without a number the engine tells keys apart as Cypher does.
            if !key().any(has_number) {
                continue;
            }
            let mut hasher = DefaultHasher::new();
            for value in key() {
                hash(value, &mut hasher);
            }
            if !self.seen.insert(hasher.finish()) {
                return Err(unsupported(
                    "DISTINCT, UNION or a group over an integer and a float that are equal",
                    "make them one type, as with toFloat()",
                ));
            }
        }
        Ok(())
    }
}

fn has_number(value: &Value) -> bool {
    match value {
        Value::Integer(_) | Value::Float(_) => true,
        Value::List(items) => items.iter().any(has_number),
        _ => false,
    }
}

/// Hashes a value so that equal numbers have one hash, of whichever type they are.
fn hash(value: &Value, hasher: &mut DefaultHasher) {
    match value {
        Value::Integer(number) => number.hash(hasher),
        // Beyond this the cast would saturate, and different floats would have one hash.
        Value::Float(number) if number.fract() == 0.0 && number.abs() < 9.0e18 => {
            (*number as i64).hash(hasher);
        }
        Value::Float(number) => number.to_bits().hash(hasher),
        Value::List(items) => {
            items.len().hash(hasher);
            for item in items {
                hash(item, hasher);
            }
        }
        other => serde_json::to_string(other).unwrap_or_default().hash(hasher),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_number_in_two_types_is_refused() {
        let mut keys = Keys::new(&[0]);
        assert!(keys.check(&[vec![1.into(), 1.into()], vec![2.into(), 1.into()], vec!["1".into()]]).is_ok());
        assert!(keys.check(&[vec![2.5.into()], vec![(-0.5).into()]]).is_ok());
        assert!(keys.check(&[vec![2.0.into()]]).is_err());
    }
}
