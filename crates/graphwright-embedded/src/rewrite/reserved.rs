//! Names that the embedded engine keeps for itself, and how ours avoid them.
//!
//! The engine answers `n.id`, `n.title`, `n.name`, `n.type`, `n.label` and `n.node_type` itself
//! when a node has no such property, and its files have columns called `__id__` and `__title__`. So
//! a property with one of these names is stored with an underscore appended. A name that already
//! ends in one gets one more: `id` → `id_`, `id_` → `id__`. The mapping is one to one, and no
//! stored name is one of the engine's.
//!
//! An unlabelled node gets the engine's label `Node`, so our label of that name gets an underscore
//! too.
//!
//! [`property_from_engine`] gives `None` for names that stand for none of ours. These are the
//! engine's own entries in a property map (`id`, `title`, `type`), and the hidden properties in
//! which nodes keep vectors ([`vector_mark`]).

use std::borrow::Cow;

/// The label that the engine gives to a node without one.
pub(crate) const UNLABELLED: &str = "Node";

pub(super) const PROPERTIES: [&str; 10] = [
    "__id",
    "__overflow_data",
    "__overflow_offsets",
    "__title",
    "id",
    "label",
    "name",
    "node_type",
    "title",
    "type",
];
pub(super) const LABELS: [&str; 3] = ["KgliteRecipe", "KgliteSkill", UNLABELLED];

/// The prefix of every hidden property with a vector; see [`vector_mark`].
pub(crate) const VECTOR_MARK: &str = "__vector:";

/// Returns the hidden property in which a node keeps its vector under `property`.
pub(crate) fn vector_mark(property: &str) -> String {
    format!("{VECTOR_MARK}{property}")
}

/// Returns the name under which the engine keeps a property (or map key) called `name`.
pub(crate) fn property_to_engine(name: &str) -> Cow<'_, str> {
    if is_like_mark(name) { Cow::Owned(format!("_{name}")) } else { to_engine(name, &PROPERTIES) }
}

/// Returns our name of a property (or map key) that the engine calls `name`. `None` for the
/// engine's own entries and for hidden properties.
pub(crate) fn property_from_engine(name: &str) -> Option<&str> {
    if is_like_mark(name) {
        return name.strip_prefix('_').filter(|name| is_like_mark(name));
    }
    from_engine(name, &PROPERTIES)
}

fn is_like_mark(name: &str) -> bool {
    let start = name.len() - name.trim_start_matches('_').len();
    start >= 2 && name.trim_start_matches('_').starts_with("vector:")
}

/// Returns the name under which the engine keeps a label.
pub(crate) fn label_to_engine(name: &str) -> Cow<'_, str> {
    to_engine(name, &LABELS)
}

/// Returns our name of a label that the engine calls `name`. `None` for the engine's own labels,
/// such as that of unlabelled nodes.
pub(crate) fn label_from_engine(name: &str) -> Option<&str> {
    from_engine(name, &LABELS)
}

fn to_engine<'a>(name: &'a str, reserved: &[&str]) -> Cow<'a, str> {
    if is_affected(name, reserved) { Cow::Owned(format!("{name}_")) } else { Cow::Borrowed(name) }
}

fn from_engine<'a>(name: &'a str, reserved: &[&str]) -> Option<&'a str> {
    if is_affected(name, reserved) { name.strip_suffix('_') } else { Some(name) }
}

fn is_affected(name: &str, reserved: &[&str]) -> bool {
    reserved.contains(&name.trim_end_matches('_'))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn common_names_stay() {
        assert_eq!(property_to_engine("age"), "age");
        assert_eq!(property_from_engine("age"), Some("age"));
        assert_eq!(label_to_engine("Person"), "Person");
        assert_eq!(property_to_engine("_"), "_");
        assert_eq!(property_to_engine(""), "");
    }

    #[test]
    fn the_engines_names_are_gone_around() {
        assert_eq!(property_to_engine("id"), "id_");
        assert_eq!(property_to_engine("id_"), "id__");
        assert_eq!(property_to_engine("__id__"), "__id___");
        assert_eq!(label_to_engine("Node"), "Node_");
        assert_eq!(property_from_engine("title"), None);
        assert_eq!(label_from_engine("Node"), None);
        assert_eq!(property_from_engine(&vector_mark("embedding")), None);
        assert_eq!(property_to_engine("__vector:embedding"), "___vector:embedding");
    }

    #[test]
    fn no_stored_name_is_the_engines() {
        for engine in ["id", "title", "name", "type", "label", "node_type"] {
            for name in ["id", "title", "name", "type", "label", "node_type"] {
                assert_ne!(property_to_engine(name), engine);
            }
        }
    }

    proptest! {
        #[test]
        fn back_gives_the_same_name(name in "_{0,4}(vector:|id|title|name|type|label|node_type|__id|Node|KgliteSkill|[a-z]{0,3})_{0,4}") {
            let (property, label) = (property_to_engine(&name), label_to_engine(&name));
            prop_assert_eq!(property_from_engine(&property), Some(name.as_str()));
            prop_assert_eq!(label_from_engine(&label), Some(name.as_str()));
        }
    }
}
