//! What short notes beside a name say of it: `(planned)`, `(until 2021)`.

use super::{collect::Status, words};

/// What the words of a note say of the name beside it; `formerly X` says nothing of it.
pub(super) fn status<'a>(words: impl Iterator<Item = &'a str>) -> Status {
    let words: Vec<&str> = words.collect();
    let stated = match words.as_slice() {
        ["from", year] => is_year(year) && !is_coming(year),
        ["formerly"] | ["from", ..] => false,
        [from, "–" | "-" | "—" | "to", to, ..] if is_year(from) && is_year(to) => false,
        [first, ..] => !words::is_ended(first) && !words::is_pending(first),
        [] => true,
    };
    if stated { Status::Fact } else { Status::NotCurrent }
}

/// Whether a word is a year to come.
pub(super) fn is_coming(word: &str) -> bool {
    is_year(word) && word.parse().is_ok_and(|year: i16| year > jiff::Zoned::now().year())
}

/// Whether a word is a year.
pub(super) fn is_year(word: &str) -> bool {
    word.len() == 4
        && word.bytes().all(|byte| byte.is_ascii_digit())
        && matches!(&word[..2], "15" | "16" | "17" | "18" | "19" | "20" | "21")
}
