//! A column of a list of records.

use std::collections::BTreeSet;

use graphwright_core::text::identifier_words;
use graphwright_documents::blocks::text::BlockText;
use graphwright_english::words;
use graphwright_ontology::{DataType, PropertyType};

use crate::{
    headers,
    infer::records::{LONGEST_ENUM, data_type, is_name, is_reserved},
};

#[derive(Debug)]
pub(in crate::infer) struct Column {
    pub(super) header: String,
    /// The values of the rows; a row may have none, or several.
    pub(super) cells: Vec<Vec<String>>,
    /// Whether its values are of the rows themselves, and name nothing.
    pub(super) of_rows: bool,
    /// Whether its values are known to name things.
    pub(super) of_things: bool,
}

pub(in crate::infer) fn values(cell: &BlockText) -> Vec<String> {
    let whole = Some(cell.trimmed()).filter(|text| !text.is_empty() && cell.items.is_empty());
    let items = cell.items.iter().map(|range| cell.text[range.clone()].trim());
    whole.into_iter().chain(items).map(str::to_owned).collect()
}

impl Column {
    pub(in crate::infer) fn new(header: &str, cells: Vec<Vec<String>>) -> Self {
        Self { header: header.to_owned(), cells, of_rows: false, of_things: false }
    }

    /// The same, whose values name nothing.
    pub(in crate::infer) fn of_rows(self, of_rows: bool) -> Self {
        Self { of_rows, ..self }
    }

    /// The same, whose values name things.
    pub(in crate::infer) fn of_things(self, of_things: bool) -> Self {
        Self { of_things, ..self }
    }

    pub(super) fn values(&self) -> impl Iterator<Item = &str> {
        self.cells.iter().flatten().map(String::as_str)
    }

    pub(super) fn different(&self) -> BTreeSet<&str> {
        self.values().collect()
    }

    /// Whether it has more different values than others: of a year and a team, the team says what is meant.
    pub(super) fn tells_more_than(&self, others: &[&Column]) -> bool {
        let is_number = |column: &Column| column.values().all(|value| value.parse::<f64>().is_ok());
        !is_number(self) && others.iter().all(|other| is_number(other))
            || others.iter().all(|other| {
                is_number(self) == is_number(other) && self.different().len() > other.different().len()
            })
    }

    /// Whether it gives each row a name of its own.
    pub(super) fn names_each(&self, rows: usize) -> bool {
        self.cells.iter().filter(|cell| cell.len() == 1).count() == rows
            && self.different().len() == rows
            && self.values().all(is_name)
    }

    /// Whether nearly no value comes again.
    pub(super) fn is_unique(&self) -> bool {
        self.different().len() * 10 >= self.values().count() * 9
    }

    /// Whether most of its values are codes with digits.
    pub(super) fn holds_codes(&self) -> bool {
        self.values().filter(|value| headers::is_numbered_code(value)).count() * 2 > self.values().count()
    }

    /// Whether its values are names, as they are written.
    pub(super) fn holds_names(&self) -> bool {
        let proper = |value: &&str| value.contains(char::is_uppercase) || value.contains(['-', '_']);
        let all: Vec<&str> = self.values().collect();
        data_type(&all) == DataType::String
            && all.iter().all(|value| is_name(value))
            && all.iter().filter(|value| proper(value) && value.chars().nth(1).is_some()).count() * 2
                > all.len()
    }

    /// What its values are as a property.
    pub(super) fn property(&self) -> PropertyType {
        let all: Vec<&str> =
            self.values().filter(|value| !words::is_no_value(&value.to_lowercase())).collect();
        let kind =
            if all.iter().any(|value| is_spelled_out(value)) { DataType::String } else { data_type(&all) };
        let different = self.different();
        let few = different.len() <= LONGEST_ENUM
            && different.len() * 3 <= all.len()
            && kind == DataType::String
            && all.iter().all(|value| is_name(value));
        let values = if few { different.into_iter().map(Into::into).collect() } else { Vec::new() };
        let several = self.cells.iter().any(|cell| cell.len() > 1);
        let kind = if several { DataType::List(Box::new(kind)) } else { kind };
        PropertyType { kind, values, synonyms: other_words(&self.header), ..PropertyType::default() }
    }
}

/// Whether a number would lose something of how it is written: `004`, `+44`.
pub(super) fn is_spelled_out(value: &str) -> bool {
    let digits =
        value.strip_prefix('0').is_some_and(|rest| rest.starts_with(|next: char| next.is_ascii_digit()));
    digits || value.starts_with('+')
}

/// `official name` for the part `official` of a name.
pub(super) fn other_words(header: &str) -> Vec<String> {
    let part = header.strip_prefix("name ").map(|part| identifier_words(part).join(" "));
    part.into_iter().flat_map(|part| [format!("{part} name"), part]).collect()
}

/// A header as a property: small letters with underscores.
pub(super) fn property_name(header: &str) -> String {
    let plain: String =
        header.chars().map(|letter| if letter.is_alphanumeric() { letter } else { ' ' }).collect();
    let name = identifier_words(&plain).join("_");
    let name = if name.starts_with(|first: char| first.is_ascii_digit()) { format!("n{name}") } else { name };
    if is_reserved(&name) { format!("{name}_value") } else { name }
}
