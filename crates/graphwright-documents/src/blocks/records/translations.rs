//! Texts in several languages: of `name_en` and `name_fr`, one is the `name` and the others are aliases; of `website nl` and `website
//! fr`, one is the `website`.

use graphwright_core::{names, text::identifier_words};
use graphwright_english::codes;

use super::{BlockText, Row, Table};

/// The last words of headers of names.
const NAMES: [&str; 3] = ["name", "title", "label"];
/// The language that is taken before others; else the first that a row has.
const PREFERRED: [&str; 2] = ["en", "english"];

/// Columns of one text in several languages.
#[derive(Debug)]
struct Family {
    /// What is said of it before the language.
    base: String,
    /// The column that is called so without a language, if there is one.
    own: Option<usize>,
    /// The first of the columns.
    place: usize,
    /// The columns, the preferred language first.
    columns: Vec<usize>,
    /// Whether its other forms are aliases.
    has_aliases: bool,
}

impl Family {
    fn is_name(&self) -> bool {
        self.base.rsplit(' ').next().is_some_and(|last| NAMES.contains(&last))
    }

    /// What the added columns are called.
    fn headers(&self, header: &[BlockText]) -> Vec<BlockText> {
        let start = header[self.place].span(0..0).start;
        let text = self.own.is_none().then_some(self.base.as_str());
        let added = [text, self.has_aliases.then_some(names::ALIASES)];
        added.into_iter().flatten().map(|text| BlockText::copied(text, start)).collect()
    }

    /// The added cells of a row: the text in one language, and its other forms.
    fn cells(&self, row: &Row) -> Vec<BlockText> {
        let cells = self.own.iter().chain(&self.columns).filter_map(|column| row.cells.get(*column));
        let written: Vec<&BlockText> = cells.filter(|cell| !cell.trimmed().is_empty()).collect();
        let text = written.first().map_or_else(BlockText::default, |cell| (*cell).clone());
        let others = written.iter().filter(|other| other.trimmed() != text.trimmed());
        let others = others.map(|other| (other.trimmed(), other.span(0..other.text.len()).range()));
        let others = self.has_aliases.then(|| BlockText::list(others));
        [self.own.is_none().then_some(text), others].into_iter().flatten().collect()
    }
}

/// Adds to a table of records, before texts that stand in several languages, a column that has each of them in one language; and
/// after the first such name one of its other forms.
pub(super) fn in_one_language(mut table: Table) -> Table {
    let headers: Vec<Vec<String>> =
        table.header.iter().map(|cell| identifier_words(cell.trimmed())).collect();
    let mut families = families(&headers);
    // How many speak each language is no text.
    let cells = |column: usize| table.rows.iter().filter_map(move |row| row.cells.get(column));
    let is_number = |column: &usize| cells(*column).any(|cell| cell.trimmed().parse::<f64>().is_ok());
    families.retain(|family| !family.columns.iter().any(is_number));
    if !headers.iter().any(|header| *header == [names::ALIASES])
        && let Some(named) = families.iter_mut().find(|family| family.is_name())
    {
        named.has_aliases = true;
    }
    for row in &mut table.rows {
        let added: Vec<Vec<BlockText>> = families.iter().map(|family| family.cells(row)).collect();
        insert(&mut row.cells, &families, added);
    }
    let added = families.iter().map(|family| family.headers(&table.header)).collect();
    insert(&mut table.header, &families, added);
    table
}

/// Inserts cells before the first column of each family: from the last on, so that the places of the others stay. Rows of CSV may be
/// short.
fn insert(cells: &mut Vec<BlockText>, families: &[Family], added: Vec<Vec<BlockText>>) {
    for (family, added) in families.iter().zip(added).rev() {
        if cells.len() < family.place {
            cells.resize_with(family.place, BlockText::default);
        }
        cells.splice(family.place..family.place, added);
    }
}

/// The texts that stand in two languages or more, in their order.
fn families(headers: &[Vec<String>]) -> Vec<Family> {
    let mut families: Vec<Family> = Vec::new();
    for (column, header) in headers.iter().enumerate() {
        let Some((words, language)) = codes::in_language(header) else { continue };
        let base = words.join(" ");
        let at = families.iter().position(|family| family.base == base).unwrap_or_else(|| {
            let own = headers.iter().position(|header| header == words);
            families.push(Family { base, own, place: column, columns: Vec::new(), has_aliases: false });
            families.len() - 1
        });
        let columns = &mut families[at].columns;
        let place = if PREFERRED.contains(&language) { 0 } else { columns.len() };
        columns.insert(place, column);
    }
    families.retain(|family| family.columns.len() > 1);
    families
}
