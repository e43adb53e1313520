//! Schemas of labels and relationship types, made from their elements.

use std::collections::{BTreeMap, HashMap};

use super::{ElementSchema, PropertySchema, options::SchemaOptions};
use crate::{Properties, Value};

/// The most different values that a property may have for all of them to be listed.
const ENUMERATION: usize = 10;

/// Describes a label or relationship type from its elements.
///
/// It counts all of them, and looks closely at the first [`sample`](SchemaOptions::sample).
///
/// ```
/// use graphwright_core::{Properties, schema::Observer, store::SchemaOptions};
///
/// let options = SchemaOptions::default();
/// let mut people = Observer::default();
/// for born in [1815, 1912] {
///     people.observe(&Properties::from([("born".to_owned(), born.into())]), &options);
/// }
/// let schema = people.into_schema("Person".to_owned(), &options);
/// assert_eq!((schema.count, schema.properties[0].max.clone()), (2, Some(1912.into())));
/// ```
#[derive(Debug, Default)]
pub struct Observer {
    count: u64,
    properties: BTreeMap<String, SeenProperty>,
}

#[derive(Debug, Default)]
struct SeenProperty {
    count: u64,
    types: HashMap<&'static str, u64>,
    /// The least of the different values, in order, as many as tell whether the property is an
    /// enumeration.
    ///
    /// Keeping the least makes them independent of the order in which a store yields elements.
    values: Vec<Value>,
    many: bool,
    min: Option<Value>,
    max: Option<Value>,
}

impl Observer {
    /// Returns whether the next element's properties will be looked at.
    pub fn wants_more(&self, options: &SchemaOptions) -> bool {
        self.count < options.sample as u64
    }

    /// Counts an element, and looks at its properties while the sample is not full.
    pub fn observe(&mut self, properties: &Properties, options: &SchemaOptions) {
        self.count += 1;
        if self.count > options.sample as u64 {
            return;
        }
        for (name, value) in properties {
            if !self.properties.contains_key(name) {
                self.properties.insert(name.clone(), SeenProperty::default());
            }
            if let Some(seen) = self.properties.get_mut(name) {
                seen.observe(value, options.values.max(ENUMERATION));
            }
        }
    }

    /// Sets the count to the number of elements that the store knows.
    #[must_use]
    pub fn with_count(self, count: u64) -> Self {
        Self { count, ..self }
    }

    /// Returns the description.
    pub fn into_schema(self, name: String, options: &SchemaOptions) -> ElementSchema {
        let observed = self.count.min(options.sample as u64);
        let complete = observed == self.count;
        let properties = self
            .properties
            .into_iter()
            .map(|(name, seen)| seen.into_schema(name, complete, options.values))
            .collect();
        ElementSchema { name, count: self.count, observed, properties }
    }
}

impl SeenProperty {
    fn observe(&mut self, value: &Value, keep: usize) {
        self.count += 1;
        *self.types.entry(value.type_name()).or_default() += 1;
        self.keep_least(value, keep);
        if is_ordered(value) {
            replace_if(&mut self.min, value, std::cmp::Ordering::Less);
            replace_if(&mut self.max, value, std::cmp::Ordering::Greater);
        }
    }

    fn keep_least(&mut self, value: &Value, keep: usize) {
        if self.values.contains(value) {
            return;
        }
        let place = self.values.partition_point(|kept| kept.order(value).is_lt());
        if place < keep {
            self.values.insert(place, value.clone());
        }
        self.many |= place == keep || self.values.len() > keep;
        self.values.truncate(keep);
    }

    fn into_schema(self, name: String, complete: bool, samples: usize) -> PropertySchema {
        let mut types: Vec<_> = self.types.into_iter().collect();
        types.sort_unstable_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(other.0)));
        let few = complete && !self.many && self.values.len() <= ENUMERATION;
        PropertySchema {
            name,
            types: types.into_iter().map(|(name, _)| name.to_owned()).collect(),
            count: self.count,
            samples: self.values.iter().take(samples).cloned().collect(),
            values: few.then_some(self.values),
            min: self.min,
            max: self.max,
        }
    }
}

fn is_ordered(value: &Value) -> bool {
    matches!(
        value,
        Value::Integer(_)
            | Value::Float(_)
            | Value::Date(_)
            | Value::Time(_)
            | Value::LocalTime(_)
            | Value::DateTime(_)
            | Value::LocalDateTime(_)
            | Value::Duration(_)
    )
}

fn replace_if(kept: &mut Option<Value>, value: &Value, ordering: std::cmp::Ordering) {
    if kept.as_ref().is_none_or(|kept| value.order(kept) == ordering) {
        *kept = Some(value.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Describes a property with these values.
    fn describe(numbers: impl Iterator<Item = i64>, options: &SchemaOptions) -> PropertySchema {
        let mut observer = Observer::default();
        for number in numbers {
            observer.observe(&Properties::from([("number".to_owned(), number.into())]), options);
        }
        observer.into_schema("Thing".to_owned(), options).properties.remove(0)
    }

    #[test]
    fn samples_are_the_same_in_whatever_order_elements_come() {
        let options = SchemaOptions::default();
        for several in [1, 3, 10, 11, 500] {
            let seen = describe(0..several, &options);
            assert_eq!(seen, describe((0..several).rev(), &options), "{several}");
            assert_eq!(seen.samples[0], 0.into());
            assert_eq!(seen.values.is_some(), several <= 10, "{several}");
        }
    }
}
