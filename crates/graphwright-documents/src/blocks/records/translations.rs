//! Texts in several languages: of `name_en` and `name_fr`, one is the `name` and the others are aliases; of `website nl` and `website
//! fr`, one is the `website`.

use graphwright_core::{names, text::identifier_words};
use graphwright_english::codes;

use super::{BlockText, Table};

/// The last words of headers of names.
const NAMES: [&str; 3] = ["name", "title", "label"];
/// The language that is taken before others; else the first that a row has.
const PREFERRED: [&str; 2] = ["en", "english"];

/// Columns of one text in several languages.
#[derive(Debug)]
struct Family {
    /// What is said of it before the language.
    base: String,
    /// The columns, the preferred language first.
    columns: Vec<usize>,
}

impl Family {
    fn is_name(&self) -> bool {
        self.base.rsplit(' ').next().is_some_and(|last| NAMES.contains(&last))
    }
}

/// Adds to a table of records, before texts that stand in several languages, a column that has each of them in one language; and
/// after the first such name one of its other forms.
pub(super) fn in_one_language(mut table: Table) -> Table {
    let headers: Vec<String> =
        table.header.iter().map(|cell| identifier_words(cell.trimmed()).join(" ")).collect();
    let families = families(&headers);
    let named = families.iter().position(Family::is_name);
    let named = named.filter(|_| !headers.iter().any(|header| header == names::ALIASES));
    // From the last on, so that the places of the others stay.
    for (at, family) in families.iter().enumerate().rev() {
        let has_aliases = named == Some(at);
        let own = headers.iter().position(|header| *header == family.base);
        let place = family.columns.iter().copied().min().unwrap_or_default();
        let start = table.header[place].span(0..0).start;
        let added = [own.is_none().then_some(family.base.as_str()), has_aliases.then_some(names::ALIASES)];
        let added = added.into_iter().flatten().map(|text| BlockText::copied(text, start));
        table.header.splice(place..place, added.collect::<Vec<_>>());
        for row in &mut table.rows {
            let cells = own.iter().chain(&family.columns).filter_map(|column| row.cells.get(*column));
            let written: Vec<&BlockText> = cells.filter(|cell| !cell.trimmed().is_empty()).collect();
            let text = written.first().map_or_else(BlockText::default, |cell| (*cell).clone());
            let others = written.iter().filter(|other| other.trimmed() != text.trimmed());
            let others = others.map(|other| (other.trimmed(), other.span(0..other.text.len()).range()));
            let added = [has_aliases.then(|| BlockText::list(others)), own.is_none().then_some(text)];
            let place = place.min(row.cells.len());
            row.cells.splice(place..place, added.into_iter().rev().flatten());
        }
    }
    table
}

/// The texts that stand in two languages or more, in their order.
fn families(headers: &[String]) -> Vec<Family> {
    let mut families: Vec<Family> = Vec::new();
    for (column, header) in headers.iter().enumerate() {
        let Some((base, language)) = header.rsplit_once(' ').filter(|(_, last)| codes::is_language(last))
        else {
            continue;
        };
        let at = families.iter().position(|family| family.base == base).unwrap_or_else(|| {
            families.push(Family { base: base.to_owned(), columns: Vec::new() });
            families.len() - 1
        });
        let columns = &mut families[at].columns;
        let place = if PREFERRED.contains(&language) { 0 } else { columns.len() };
        columns.insert(place, column);
    }
    families.retain(|family| family.columns.len() > 1);
    families
}
