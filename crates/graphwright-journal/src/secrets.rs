//! Texts that are not written: secrets, and what is too long.

use std::borrow::Cow;

use graphwright_core::text::cut;
use serde_json::Value;

/// The number of characters at which a text is cut.
const LONGEST_TEXT: usize = 4_000;
/// The text that replaces a secret.
const CONCEALED: &str = "***";

/// Sorts secrets so that a longer one goes before a shorter one, which may be part of it.
pub(crate) fn in_order(secrets: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut secrets: Vec<String> = secrets.into_iter().filter(|secret| !secret.is_empty()).collect();
    secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
    secrets
}

/// Replaces secrets in all texts of a value, and cuts texts that are too long.
pub(crate) fn conceal(value: &mut Value, secrets: &[String]) {
    match value {
        Value::String(text) => {
            for secret in secrets {
                if text.contains(secret) {
                    *text = text.replace(secret, CONCEALED);
                }
            }
            if let Cow::Owned(shown) = cut(text, LONGEST_TEXT) {
                *text = shown;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| conceal(item, secrets)),
        Value::Object(fields) => fields.values_mut().for_each(|field| conceal(field, secrets)),
        _ => {}
    }
}
