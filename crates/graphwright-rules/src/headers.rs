//! What the headers of columns say of any table or list of records.

use graphwright_core::text::identifier_words;

/// A longer value is no key.
const LONGEST_KEY: usize = 200;

/// Returns the column that names what the rows speak of: one that says so, or the first part of a map of names
/// (`name official`).
pub(crate) fn name_column<'h>(mut headers: impl Iterator<Item = &'h str> + Clone) -> Option<usize> {
    let called = |header: &str| {
        matches!(identifier_words(header).join(" ").as_str(), "name" | "title" | "full name" | "label")
    };
    let is_part = |header: &str| header.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("name "));
    headers.clone().position(called).or_else(|| headers.position(is_part))
}

/// Tells whether a word says that something identifies whatever it is of.
pub(crate) fn is_id(word: &str) -> bool {
    matches!(word, "id" | "uuid" | "guid")
}

/// Tells whether a header says that its column identifies the rows.
pub(crate) fn is_identifying(header: &str) -> bool {
    let words = identifier_words(header);
    let last = words.last().map_or("", String::as_str);
    is_id(last) || matches!(last, "key" | "code" | "number" | "no" | "nr" | "slug")
}

/// Tells whether a header says no more than that its column identifies the rows: `id`, of whatever.
pub(crate) fn is_general_key(header: &str) -> bool {
    is_identifying(header) && identifier_words(header).len() == 1
}

/// What a header says apart from the number that tells its column from others of one kind: `station` for `station1` beside
/// `station2`. `None` if it has none, or no other header has another.
pub(crate) fn without_number<'h>(
    header: &'h str,
    mut others: impl Iterator<Item = &'h str>,
) -> Option<&'h str> {
    let base = |header: &'h str| {
        let plain = header.trim_end_matches(|sign: char| sign.is_ascii_digit());
        let base = plain.trim_end_matches(['_', '-', ' ']);
        (plain.len() < header.len() && base.len() > 1).then_some(base)
    };
    let own = base(header)?;
    others.any(|other| other != header && base(other) == Some(own)).then_some(own)
}

/// Tells whether a value is a code with digits.
pub(crate) fn is_numbered_code(value: &str) -> bool {
    is_code(value) && value.contains(|sign: char| sign.is_ascii_digit())
}

/// Tells whether a value may identify something: short, without spaces.
pub(crate) fn is_code(value: &str) -> bool {
    value.len() <= 40
        && value.bytes().all(|byte| byte.is_ascii_graphic())
        && value.contains(|letter: char| letter.is_ascii_alphanumeric())
}

/// Tells whether a value may identify something in a column of this header: where that says so, also a long slug or an address.
pub(crate) fn may_identify(value: &str, header: &str) -> bool {
    let is_long = || value.len() <= LONGEST_KEY && value.bytes().all(|byte| byte.is_ascii_graphic());
    is_code(value) || is_identifying(header) && is_long()
}

/// Words of a heading, or of the name of a file, that leave a type a list of things of that type: `Our services`, `Service catalogue`.
pub(crate) fn is_list_word(word: &str) -> bool {
    matches!(
        word,
        "overview"
            | "list"
            | "of"
            | "catalogue"
            | "catalog"
            | "directory"
            | "register"
            | "our"
            | "the"
            | "all"
            | "index"
            | "summary"
            | "inventory"
            | "current"
            | "known"
            | "active"
            | "table"
            | "roster"
            | "records"
            | "details"
            | "and"
            | "by"
            | "available"
            | "registry"
            | "involved"
            | "used"
            | "at"
            | "glance"
            | "a"
            | "main"
            | "key"
            | "other"
            | "individual"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_by_their_header() {
        let name = |headers: &[&str]| name_column(headers.iter().copied());
        assert_eq!(name(&["id", "Name"]), Some(1));
        assert_eq!(name(&["last_name", "full_name"]), Some(1));
        assert_eq!(name(&["cca3", "name common", "name official"]), Some(1));
        assert_eq!(name(&["name common", "title"]), Some(1));
        assert_eq!(name(&["owner", "names"]), None);
    }

    #[test]
    fn numbers_tell_columns_of_one_kind_apart() {
        let of = |header| without_number(header, ["station1", "station2", "line", "q_1", "iso3"].into_iter());
        assert_eq!((of("station1"), of("station2")), (Some("station"), Some("station")));
        assert_eq!((of("line"), of("q_1"), of("iso3"), of("12")), (None, None, None, None));
    }

    #[test]
    fn codes_identify() {
        assert!(is_identifying("Order No") && is_identifying("country_code") && !is_identifying("codes"));
        assert!(is_code("IRL") && is_code("a-1") && !is_code("New York") && !is_code("—") && !is_code("--"));
    }
}
