//! Workbooks that hold records: such a sheet counts as much as a file of them.

use graphwright_core::document::TextFormat;
use serde_json::{Map, Value};
use undoc::{
    FormatType,
    model::{Block, Cell, Document, Row, Section, Table},
};

/// A sheet of records.
struct Sheet {
    name: String,
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// Returns a workbook as CSV or, if several sheets are filled, as JSON with a list for each. `None` if a sheet is laid out
/// for readers.
pub(super) fn records(workbook: &Document) -> Option<(TextFormat, String)> {
    if workbook.format != FormatType::Xlsx {
        return None;
    }
    let filled = workbook.sections.iter().filter(|sheet| !sheet.content.is_empty());
    let sheets: Vec<Sheet> = filled.map(sheet).collect::<Option<_>>()?;
    match sheets.as_slice() {
        [] => None,
        [sheet] => Some((TextFormat::Csv, csv(sheet)?)),
        sheets => Some((TextFormat::Json, json(sheets))),
    }
}

/// Reads a sheet. It holds records if it is one table without merged cells, and each column has a name of its own.
fn sheet(section: &Section) -> Option<Sheet> {
    let [Block::Table(table)] = section.content.as_slice() else { return None };
    let mut rows = rows(table)?.into_iter();
    let header = rows.next()?;
    let mut names: Vec<&String> = header.iter().filter(|name| !name.is_empty()).collect();
    names.sort();
    names.dedup();
    let rows: Vec<_> = rows.collect();
    let is_list = names.len() == header.len() && header.len() > 1 && !rows.is_empty();
    is_list.then(|| Sheet { name: section.name.clone().unwrap_or_default(), header, rows })
}

/// Returns the rows with values, all of one width.
fn rows(table: &Table) -> Option<Vec<Vec<String>>> {
    if table.has_merged_cells() {
        return None;
    }
    let values = |row: &Row| -> Vec<String> {
        let cells = row.cells.iter().map(Cell::plain_text);
        cells.map(|text| text.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
    };
    let mut rows: Vec<Vec<String>> = table.rows.iter().map(values).collect();
    rows.retain(|row| row.iter().any(|value| !value.is_empty()));
    // Columns behind the last one with a value are only formatted.
    let width = rows.iter().filter_map(|row| row.iter().rposition(|value| !value.is_empty())).max()? + 1;
    for row in &mut rows {
        row.resize(width, String::new());
    }
    (0..width).for_each(|column| write_whole_numbers(&mut rows, column));
    Some(rows)
}

/// Writes the numbers of a column as the workbook shows them, `31021` for the stored `31021.0`, where all of them are whole.
fn write_whole_numbers(rows: &mut [Vec<String>], column: usize) {
    let values = || rows.iter().skip(1).map(|row| row[column].as_str()).filter(|value| !value.is_empty());
    let is_whole = |value: &str| value.strip_suffix(".0").is_some_and(|whole| whole.parse::<i64>().is_ok());
    if values().all(is_whole) {
        for row in rows.iter_mut().skip(1) {
            let whole = row[column].strip_suffix(".0").map(str::to_owned);
            row[column] = whole.unwrap_or_default();
        }
    }
}

fn csv(sheet: &Sheet) -> Option<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in std::iter::once(&sheet.header).chain(&sheet.rows) {
        writer.write_record(row).ok()?;
    }
    String::from_utf8(writer.into_inner().ok()?).ok()
}

/// Writes one record to a line.
fn json(sheets: &[Sheet]) -> String {
    let lists = sheets.iter().map(|sheet| {
        let records: Vec<String> = sheet.rows.iter().map(|row| record(&sheet.header, row)).collect();
        format!("{}: [\n{}\n]", Value::from(sheet.name.as_str()), records.join(",\n"))
    });
    format!("{{{}}}\n", lists.collect::<Vec<_>>().join(",\n"))
}

fn record(header: &[String], row: &[String]) -> String {
    let values = header.iter().zip(row).filter(|(_, value)| !value.is_empty());
    let fields: Map<String, Value> =
        values.map(|(name, value)| (name.clone(), value.as_str().into())).collect();
    Value::Object(fields).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workbook(sheets: &[(&str, &[&[&str]])]) -> Document {
        let mut document = Document { format: FormatType::Xlsx, ..Document::new() };
        for (index, (name, rows)) in sheets.iter().enumerate() {
            let mut table = Table::new();
            for row in *rows {
                let cells = row.iter().map(|text| Cell::with_text(*text)).collect();
                table.add_row(Row { cells, ..Row::new() });
            }
            let mut section = Section::with_name(index, *name);
            if !rows.is_empty() {
                section.add_table(table);
            }
            document.add_section(section);
        }
        document
    }

    const BOATS: (&str, &[&[&str]]) =
        ("Boats", &[&["Boat", "Owner", ""], &["Tern", "Lunt, Ada"], &["", ""], &["Kite\nII", "", ""]]);

    #[test]
    fn one_sheet_is_csv_and_several_are_lists_of_json() {
        let csv = "Boat,Owner\nTern,\"Lunt, Ada\"\nKite II,\n".to_owned();
        assert_eq!(records(&workbook(&[BOATS, ("Empty", &[])])), Some((TextFormat::Csv, csv)));
        let owners: (&str, &[&[&str]]) = ("Owners", &[&["Name", "Town"], &["Ada Lunt", "Orsk"]]);
        let json =
            "{\"Boats\": [\n{\"Boat\":\"Tern\",\"Owner\":\"Lunt, Ada\"},\n{\"Boat\":\"Kite II\"}\n],\n\
                    \"Owners\": [\n{\"Name\":\"Ada Lunt\",\"Town\":\"Orsk\"}\n]}\n"
                .to_owned();
        assert_eq!(records(&workbook(&[BOATS, owners])), Some((TextFormat::Json, json)));
    }

    #[test]
    fn whole_numbers_are_written_as_the_workbook_shows_them() {
        let counties: (&str, &[&[&str]]) = (
            "Counties",
            &[&["fips", "share", "note"], &["31021.0", "1.0", "1.0"], &["31023.0", "0.5", "first"]],
        );
        let csv = "fips,share,note\n31021,1.0,1.0\n31023,0.5,first\n".to_owned();
        assert_eq!(records(&workbook(&[counties])), Some((TextFormat::Csv, csv)));
    }

    #[test]
    fn a_sheet_that_is_laid_out_for_readers_is_no_list() {
        let laid_out: [&[&[&str]]; 4] = [
            &[&["Boats of the harbour"], &["Tern"]],
            &[&["Boats", "", "2024"], &["Tern", "Ada", "3"]],
            &[&["Boat", "Year", "Year"], &["Tern", "1", "2"]],
            &[&["Boat", "Owner"]],
        ];
        for rows in laid_out {
            assert_eq!(records(&workbook(&[BOATS, ("Notes", rows)])), None, "{rows:?}");
        }
        assert_eq!(records(&Document { format: FormatType::Docx, ..workbook(&[BOATS]) }), None);
    }
}
