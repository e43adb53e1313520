//! The years of a life as they stand behind a name: `(1812–1870)`, `(3 March 1896 – 1974)`, `(born 1901)`.

use super::{notes, prose, values};

/// Reads the years of birth and death that a note after a person's name gives; `None` when it is not such a note.
pub(super) fn read(note: &str) -> Option<(i64, Option<i64>)> {
    let years = values::year_range(note).or_else(|| {
        let (born, died) = [" - ", " – ", " — ", "–"].iter().find_map(|dash| note.split_once(dash))?;
        Some((year(born)?, year(died)?))
    });
    if let Some((born, died)) = years {
        return (born < died && died - born < 120).then_some((born, Some(died)));
    }
    let born = ["b. ", "born "].iter().find_map(|lead| note.strip_prefix(lead))?;
    Some((year(born)?, None))
}

/// The year that a date or place and date end in: `3 March 1896`, `Ludwigshafen, 1896`.
fn year(text: &str) -> Option<i64> {
    let tokens = prose::tokenise(text);
    let (year, rest) = tokens.split_last().filter(|(last, _)| notes::is_year(&last.lower))?;
    let plain = rest.iter().all(|token| token.punctuation || token.is_number() || token.capital);
    year.lower.parse().ok().filter(|_| plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lives() {
        assert_eq!(read("1812–1870"), Some((1812, Some(1870))));
        assert_eq!(read("Orsk, 3 May 1901 - Port Ellen, 1974"), Some((1901, Some(1974))));
        assert_eq!(read("b. 1901"), Some((1901, None)));
        for note in ["the first - the last", "tin, 1901 - brass, 1902", "1974–1901"] {
            assert_eq!(read(note), None, "{note}");
        }
    }
}
