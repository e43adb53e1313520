//! What the heads of pages say under one key, as values of one form.

use std::collections::{BTreeSet, HashMap};

use graphwright_english::dates::FigureOrder;
use graphwright_ontology::DataType;

use crate::{
    addresses::{has_address, without_address},
    head::state,
    infer::records::{LONGEST_ENUM, data_type, is_name},
};

/// The values of each page: people without their addresses, dates in one form, allowed values without signs and notes
/// around them; without the few that are not of the type of the others.
pub(super) fn tidy(cells: Vec<Vec<String>>) -> Vec<Vec<String>> {
    without_odd(without_notes(with_iso_dates(as_people(cells))))
}

/// `Ada Roe <ada@x.org>, Bo Ek <bo@x.org>` as two names, in each value of the key, where one has an address or all are written
/// as people.
fn as_people(cells: Vec<Vec<String>>) -> Vec<Vec<String>> {
    let people = |value: &String| value.split([',', ';']).all(is_spelled_as_person);
    if !cells.iter().flatten().any(|value| has_address(value)) && !cells.iter().flatten().all(people) {
        return cells;
    }
    let names = |cell: Vec<String>| {
        let pieces = cell.iter().flat_map(|value| value.split([',', ';', '\n']));
        let names = pieces.map(|piece| without_address(piece.trim()).to_owned());
        names.filter(|name| !name.is_empty()).collect()
    };
    cells.into_iter().map(names).collect()
}

/// Two or three capitalised words of letters.
fn is_spelled_as_person(name: &str) -> bool {
    let letters = |word: &str| {
        word.chars().all(|letter| letter.is_alphabetic() || matches!(letter, '.' | '-' | '\'' | '’'))
    };
    let mut words = name.split_whitespace();
    (2..=3).contains(&words.clone().count())
        && words.all(|word| word.starts_with(char::is_uppercase) && letters(word))
}

/// Dates in figures in the order that one of them shows; none where they show both, or neither.
fn with_iso_dates(mut cells: Vec<Vec<String>>) -> Vec<Vec<String>> {
    let shown: BTreeSet<FigureOrder> =
        cells.iter().flatten().filter_map(|value| FigureOrder::shown_by(value)).collect();
    let mut orders = shown.into_iter();
    if let (Some(order), None) = (orders.next(), orders.next()) {
        for value in cells.iter_mut().flatten() {
            if let Some(date) = order.read(value) {
                *value = date.to_string();
            }
        }
    }
    cells
}

/// `✅ Accepted` and `Accepted (for now)` and `Accepted on 3 May` as `Accepted`, where few values are left so.
fn without_notes(cells: Vec<Vec<String>>) -> Vec<Vec<String>> {
    let bare =
        |value: &String| state(value).trim_matches(|letter: char| !letter.is_alphanumeric()).to_owned();
    let mut stripped: Vec<Vec<String>> = cells.iter().map(|cell| cell.iter().map(bare).collect()).collect();
    let mut spellings: HashMap<String, String> = HashMap::new();
    for value in stripped.iter_mut().flatten() {
        *value = spellings.entry(value.to_lowercase()).or_insert_with(|| value.clone()).clone();
    }
    let all = || stripped.iter().flatten();
    let different: BTreeSet<&String> = all().collect();
    let few = different.len() <= LONGEST_ENUM && different.len() * 3 <= all().count();
    if few && all().all(|value| is_name(value)) { stripped } else { cells }
}

/// The cells without the few that are not of the type of the others: `2014-19-19` and `to be filled in` among dates.
fn without_odd(mut cells: Vec<Vec<String>>) -> Vec<Vec<String>> {
    let mut kinds: HashMap<String, (usize, DataType)> = HashMap::new();
    for value in cells.iter().flatten() {
        let kind = data_type(&[value]);
        kinds.entry(kind.to_string()).or_insert((0, kind)).0 += 1;
    }
    let all: usize = kinds.values().map(|(count, _)| count).sum();
    let most = kinds.into_values().max_by_key(|(count, _)| *count);
    let Some((_, kind)) = most.filter(|(count, kind)| *kind != DataType::String && count * 10 >= all * 9)
    else {
        return cells;
    };
    for cell in &mut cells {
        cell.retain(|value| kind.parse_value(value).is_some());
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tidied(values: &[&str]) -> Vec<String> {
        tidy(values.iter().map(|value| vec![(*value).to_owned()]).collect())
            .into_iter()
            .map(|cell| cell.join(" | "))
            .collect()
    }

    #[test]
    fn values_of_one_key_get_one_form() {
        assert_eq!(
            tidied(&["Ada Roe <ada@x.org>, Bo Ek <bo@x.org>", "Bo Ek, Cy Lund"]),
            ["Ada Roe | Bo Ek", "Bo Ek | Cy Lund"]
        );
        assert_eq!(tidied(&["Ada Roe, Bo Ek", "Bo Ek"]), ["Ada Roe | Bo Ek", "Bo Ek"]);
        assert_eq!(tidied(&["05/02/2018", "28/03/18"]), ["2018-02-05", "2018-03-28"]);
        assert_eq!(tidied(&["05/02/2018", "06/03/2018"]), ["05/02/2018", "06/03/2018"]);
        assert_eq!(tidied(&["✅ Accepted", "Accepted (so far)", "accepted by all"]), ["Accepted"; 3]);
        assert_eq!(tidied(&["Gates (north)", "Gates (south)"]), ["Gates (north)", "Gates (south)"]);
    }
}
