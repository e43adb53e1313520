//! Whether two schemas say the same of a graph.

use std::collections::BTreeSet;

use super::{ElementSchema, GraphSchema};

/// The number of hexadecimal digits of a fingerprint.
const DIGITS: usize = 16;

impl GraphSchema {
    /// Returns a fingerprint of what queries are written by: the labels, the relationship types, what they connect, and their properties
    /// with the types of their values. Counts, samples, order, indexes, constraints and [reserved](crate::names::is_reserved) names leave
    /// no trace in it.
    ///
    /// ```
    /// use graphwright_core::GraphSchema;
    ///
    /// let of = |json: &str| serde_json::from_str::<GraphSchema>(json).map(|schema| schema.fingerprint());
    /// let two = of(r#"{"labels": [{"name": "Team"}, {"name": "Service", "count": 3}]}"#)?;
    /// assert_eq!(two, of(r#"{"labels": [{"name": "Service", "count": 9}, {"name": "Team"}]}"#)?);
    /// assert_ne!(two, of(r#"{"labels": [{"name": "Team"}]}"#)?);
    /// # Ok::<_, serde_json::Error>(())
    /// ```
    pub fn fingerprint(&self) -> String {
        let schema = self.clone().without_reserved();
        let mut said: BTreeSet<Vec<&str>> = BTreeSet::new();
        for (what, elements) in [("label", &schema.labels), ("type", &schema.relationship_types)] {
            said.extend(elements.iter().flat_map(|element| of_element(what, element)));
        }
        said.extend(
            schema
                .patterns
                .iter()
                .map(|pattern| ["pattern", &pattern.from, &pattern.kind, &pattern.to].to_vec()),
        );
        let mut hash = blake3::Hasher::new();
        for word in said.iter().flat_map(|words| words.iter().chain(&[""])) {
            hash.update(&word.len().to_le_bytes());
            hash.update(word.as_bytes());
        }
        hash.finalize().to_hex()[..DIGITS].to_owned()
    }
}

/// What is said of a label or type: that it is there, and each property with its types.
fn of_element<'s>(what: &'s str, element: &'s ElementSchema) -> impl Iterator<Item = Vec<&'s str>> {
    let properties = element.properties.iter().map(move |property| {
        let types: BTreeSet<&str> = property.types.iter().map(String::as_str).collect();
        [what, &element.name, &property.name].into_iter().chain(types).collect()
    });
    std::iter::once(vec![what, &element.name]).chain(properties)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Pattern, PropertySchema};

    fn schema() -> GraphSchema {
        let tier = PropertySchema {
            name: "tier".into(),
            types: vec!["INTEGER".into()],
            ..PropertySchema::default()
        };
        let service =
            ElementSchema { name: "Service".into(), properties: vec![tier], ..ElementSchema::default() };
        let pattern = Pattern { from: "Service".into(), kind: "USES".into(), to: "Service".into(), count: 1 };
        GraphSchema { labels: vec![service], patterns: vec![pattern], ..GraphSchema::default() }
    }

    #[test]
    fn what_a_query_can_name_or_compare_leaves_its_trace() {
        type Change = fn(&mut GraphSchema);
        let before = schema().fingerprint();
        assert_eq!(before.len(), DIGITS);
        let changes: [Change; 4] = [
            |schema| schema.patterns[0].kind = "OWNS".into(),
            |schema| schema.labels[0].properties[0].types = vec!["STRING".into()],
            |schema| schema.labels[0].properties.clear(),
            |schema| schema.labels[0].name = "Tool".into(),
        ];
        for change in changes {
            let mut changed = schema();
            change(&mut changed);
            assert_ne!(changed.fingerprint(), before);
        }
    }

    #[test]
    fn counts_and_what_is_ours_leave_none() {
        let before = schema().fingerprint();
        let mut changed = schema();
        changed.labels[0].count = 7;
        changed.patterns[0].count = 8;
        changed.labels.push(ElementSchema { name: "__Meta__".into(), ..ElementSchema::default() });
        assert_eq!(changed.fingerprint(), before);
    }
}
