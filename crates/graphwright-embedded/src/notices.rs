//! The engine's warnings as notices, in our words and with our names.

use graphwright_core::Notice;

use crate::rewrite::reserved;

/// Translates a warning of the engine to a notice.
pub(crate) fn from_engine(warning: &str) -> Notice {
    let known = after(warning, "unknown node label '").map(|label| {
        let label = reserved::label_from_engine(label).unwrap_or(label);
        notice("unknown_label", format!("no node has the label `{label}`"))
    });
    let known = known.or_else(|| {
        let kind = after(warning, "unknown relationship type '")?;
        Some(notice("unknown_relationship_type", format!("no relationship has the type `{kind}`")))
    });
    let known = known.or_else(|| {
        let property = after(warning, "property '")?;
        let label = warning.split_once("' which no ").or_else(|| warning.split_once("', which no "))?.1;
        let label = label.split_once(" node has")?.0;
        let property = reserved::property_from_engine(property).unwrap_or(property);
        let label = reserved::label_from_engine(label).unwrap_or(label);
        let message = format!("no node with the label `{label}` has the property `{property}`");
        Some(notice("unknown_property", message))
    });
    known.unwrap_or_else(|| notice("engine", warning.to_owned()))
}

/// Returns the text between `start` and the next quote.
fn after<'a>(text: &'a str, start: &str) -> Option<&'a str> {
    text.split_once(start)?.1.split_once('\'').map(|(name, _)| name)
}

fn notice(code: &str, message: String) -> Notice {
    Notice { code: code.to_owned(), message }
}
