//! Identifiers of entries.

use std::{
    collections::hash_map::RandomState,
    hash::{BuildHasher, Hasher},
};

/// Creates a random identifier of ten hexadecimal digits. Among a million entries, the chance that two share an identifier is about one in
/// two.
pub fn new_id() -> String {
    // The hash of nothing under random keys, which needs no further crate.
    let random = RandomState::new().build_hasher().finish();
    format!("{:010x}", random & 0xff_ffff_ffff)
}

/// Finds the entry whose identifier begins with a text.
///
/// # Errors
/// Returns how many such entries there are, if it is not one.
pub fn find<'e, T>(
    entries: impl IntoIterator<Item = &'e T>,
    beginning: &str,
    id: impl Fn(&T) -> &str,
) -> Result<&'e T, usize> {
    let mut found =
        entries.into_iter().filter(|entry| !beginning.is_empty() && id(entry).starts_with(beginning));
    match (found.next(), found.count()) {
        (Some(entry), 0) => Ok(entry),
        (None, _) => Err(0),
        (Some(_), more) => Err(more + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identifier_is_found_by_its_beginning() {
        let entries = ["0a1".to_owned(), "0a2".to_owned(), "1b".to_owned()];
        let found = |beginning| find(&entries, beginning, |entry| entry);
        assert_eq!(found("1"), Ok(&entries[2]));
        assert_eq!((found("0a"), found("2"), found("")), (Err(2), Err(0), Err(0)));
        assert_eq!(new_id().len(), 10);
        assert_ne!(new_id(), new_id());
    }
}
