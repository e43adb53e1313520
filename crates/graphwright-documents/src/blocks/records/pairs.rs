//! Lists of values that say what they are: `[{"type": "phone", "value": "+32 50 45 71 11"}, …]`, as contact points of FHIR and
//! property values of schema.org are written.

use std::collections::HashSet;

use crate::json::{Json, Value};

/// Keys of what a value is. What has a name is a thing: the skill `{"name": "Rust", "value": 5}`.
const KINDS: [&str; 7] = ["type", "kind", "key", "property", "propertyID", "attribute", "system"];
/// The key of the value.
const VALUE: &str = "value";
/// So many kinds of values there are at most.
const MOST_KINDS: usize = 24;

/// How the lists under one key of the records are written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pairs {
    kind: &'static str,
    /// Whether nothing else stands beside the values.
    pub(super) are_all: bool,
}

impl Pairs {
    /// Returns it if all items of all lists are such values. Where more stands beside them, kinds must come again.
    pub(super) fn of<'j>(lists: &(impl Iterator<Item = &'j [Json]> + Clone)) -> Option<Self> {
        let items = || lists.clone().flatten();
        let is_pair = |item: &Json, kind: &str| {
            let says = |kind: &Json| matches!(kind.value, Value::Text(_)) && kind.as_text().is_some();
            item.get(VALUE).and_then(Json::as_text).is_some() && item.get(kind).is_some_and(says)
        };
        items().next()?;
        let kind = KINDS.into_iter().find(|kind| items().all(|item| is_pair(item, kind)))?;
        let kinds: HashSet<&str> = items().filter_map(|item| item.get(kind)?.as_text()).collect();
        let are_all = items().all(|item| item.as_map().is_some_and(|entries| entries.len() == 2));
        let come_again = items().count() >= 2 * kinds.len();
        (kinds.len() <= MOST_KINDS && (are_all || come_again)).then_some(Self { kind, are_all })
    }

    /// The values of a list, each with what it is and where it stands.
    pub(super) fn values(
        self,
        items: &[Json],
    ) -> impl Iterator<Item = (&str, (&str, std::ops::Range<usize>))> {
        items
            .iter()
            .filter_map(move |item| Some((item.get(self.kind)?.as_text()?, item.get(VALUE)?.placed()?)))
    }
}
