//! The years and places of a life as works of reference give them: `(Ludwigshafen, 3 March 1896 – Tallinn, 1974)`.

use super::{notes, prose, values};

/// Birth or death.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Event {
    pub(super) place: Option<String>,
    pub(super) year: i64,
}

/// Reads the birth and death that a note after a person's name gives; `None` when it is not such a note.
pub(super) fn read(note: &str) -> Option<(Event, Option<Event>)> {
    if let Some((born, died)) = values::year_range(note) {
        return Some((Event { place: None, year: born }, Some(Event { place: None, year: died })));
    }
    for separator in [" - ", " – ", " — ", "–"] {
        if let Some((born, died)) = note.split_once(separator) {
            let (born, died) = (event(born)?, event(died)?);
            return (born.year < died.year && died.year - born.year < 120).then_some((born, Some(died)));
        }
    }
    let alone = note.strip_prefix("b. ").or_else(|| note.strip_prefix("born "))?;
    Some((event(alone)?, None))
}

/// A place, a day or both, of which only the year must be there: `Ludwigshafen, 3 March 1896`.
fn event(text: &str) -> Option<Event> {
    let text = text.trim();
    let bare =
        ["b. ", "d. ", "born ", "died "].iter().find_map(|lead| text.strip_prefix(lead)).unwrap_or(text);
    let tokens = prose::tokenise(bare);
    let year = tokens.last().filter(|token| notes::is_year(&token.lower))?;
    let rest = &tokens[..tokens.len() - 1];
    let is_day =
        |token: &prose::Token| token.is_number() || graphwright_english::dates::is_month(&token.lower);
    let place = rest.iter().take_while(|token| !is_day(token)).filter(|token| token.lower != "in");
    let words: Vec<_> = place.filter(|token| !token.punctuation).collect();
    let plain =
        rest.iter().all(|token| token.punctuation || is_day(token) || token.capital || token.lower == "in");
    let place = words.first().zip(words.last()).map(|(first, last)| bare[first.start..last.end].to_owned());
    plain.then(|| Some(Event { place, year: year.lower.parse().ok()? })).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(note: &str) -> Option<String> {
        let side = |event: Event| format!("{} {}", event.place.unwrap_or_default(), event.year);
        read(note).map(|(born, died)| format!("{}|{}", side(born), died.map(side).unwrap_or_default()))
    }

    #[test]
    fn lives() {
        assert_eq!(shown("1812–1870").as_deref(), Some(" 1812| 1870"));
        assert_eq!(
            shown("Orsk, 3 May 1901 - Port Ellen, 1974").as_deref(),
            Some("Orsk 1901|Port Ellen 1974")
        );
        assert_eq!(shown("b. Orsk 1901").as_deref(), Some("Orsk 1901|"));
        assert_eq!(shown("the first - the last"), None);
        assert_eq!(shown("tin, 1901 - brass, 1902"), None);
    }
}
