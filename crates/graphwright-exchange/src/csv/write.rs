//! Writes a graph as a folder of CSV files.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet, HashMap},
    io::Write,
    path::{Path, PathBuf},
};

use graphwright_core::{ElementId, Properties, Value, names, store::ScanBatch};

use super::{
    super::CsvFormat,
    value::{BaseType, ColumnType, cell},
};
use crate::{ExchangeError, NewFile, Result};

/// The characters with which a formula begins for some spreadsheet, after
/// <https://owasp.org/www-community/attacks/CSV_Injection>.
const FORMULA: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

type Vectors = HashMap<ElementId, Vec<(String, Vec<f32>)>>;

/// A folder of CSV files that is being written.
///
/// All elements are surveyed for their columns first, then the files are opened, then they are
/// written.
pub(in super::super) struct Folder<'a> {
    path: &'a Path,
    cells: Cells,
    graph: &'a str,
    nodes: BTreeMap<Vec<String>, Table>,
    relationships: BTreeMap<String, Table>,
    /// Identifiers of the nodes in the files.
    ids: HashMap<ElementId, String>,
    labels_of: HashMap<ElementId, Vec<String>>,
    names: BTreeSet<String>,
    losses: BTreeMap<String, u64>,
}

/// One CSV file.
#[derive(Default)]
struct Table {
    columns: BTreeMap<String, ColumnType>,
    vectors: BTreeSet<String>,
    file: Option<(PathBuf, NewFile)>,
}

impl<'a> Folder<'a> {
    pub(in super::super) fn create(
        path: &'a Path,
        format: CsvFormat,
        guard_formulas: bool,
        graph: &'a str,
    ) -> Result<Self> {
        std::fs::create_dir_all(path).map_err(|error| failed(path, &error))?;
        Ok(Self {
            path,
            cells: Cells { format, guard_formulas },
            graph,
            nodes: BTreeMap::new(),
            relationships: BTreeMap::new(),
            ids: HashMap::new(),
            labels_of: HashMap::new(),
            names: BTreeSet::new(),
            losses: BTreeMap::new(),
        })
    }

    /// Collects the columns that a batch needs.
    pub(in super::super) fn survey(&mut self, batch: &ScanBatch) {
        for node in &batch.nodes {
            let table = self.nodes.entry(node.labels.clone()).or_default();
            table.survey(&node.properties, self.cells.format);
            self.labels_of.insert(node.element_id.clone(), node.labels.clone());
        }
        for relationship in &batch.relationships {
            let table = self.relationships.entry(relationship.kind.clone()).or_default();
            table.survey(&relationship.properties, self.cells.format);
        }
    }

    pub(in super::super) fn survey_vectors(&mut self, vectors: &Vectors) {
        for (node, vectors) in vectors {
            let Some(table) = self.labels_of.get(node).and_then(|labels| self.nodes.get_mut(labels)) else {
                continue;
            };
            for (property, _) in vectors {
                if !table.vectors.contains(property) {
                    table.vectors.insert(property.clone());
                }
            }
        }
        // Nothing asks for it any more, and in a large graph it is large.
        self.labels_of = HashMap::new();
    }

    /// Creates the files and writes their headers.
    pub(in super::super) fn open(&mut self) -> Result<()> {
        for (labels, table) in &mut self.nodes {
            let stem = if labels.is_empty() { "nodes".to_owned() } else { labels.join("-") };
            let path = self.path.join(free_name(&mut self.names, &stem));
            let first = [format!("{}:ID", names::ID), ":LABEL".to_owned()];
            table.open(path, &first, &[], self.cells)?;
        }
        for (kind, table) in &mut self.relationships {
            let path = self.path.join(free_name(&mut self.names, kind));
            let first = [":START_ID".to_owned(), ":END_ID".to_owned(), ":TYPE".to_owned()];
            table.open(path, &first, &[format!("{}:string", names::ID)], self.cells)?;
        }
        Ok(())
    }

    pub(in super::super) fn write(&mut self, batch: &ScanBatch, vectors: &Vectors) -> Result<()> {
        let array = self.cells.format.array_delimiter.to_string();
        for node in &batch.nodes {
            let id =
                own_id(&node.properties).unwrap_or_else(|| format!("{}:{}", self.graph, node.element_id));
            if node.labels.iter().any(|label| label.contains(self.cells.format.array_delimiter)) {
                *self.losses.entry("a label holds the array delimiter".to_owned()).or_default() += 1;
            }
            let first = [self.cells.text(&id), self.cells.text(&node.labels.join(&array))];
            let none = Vec::new();
            let vectors = vectors.get(&node.element_id).unwrap_or(&none);
            if let Some(table) = self.nodes.get_mut(&node.labels) {
                table.write(&first, &node.properties, vectors, None, self.cells, &mut self.losses)?;
            }
            self.ids.insert(node.element_id.clone(), id);
        }
        for relationship in &batch.relationships {
            let end = |node| self.ids.get(node).map(|id| self.cells.text(id)).unwrap_or_default();
            let kind = self.cells.text(&relationship.kind);
            let first = [end(&relationship.start), end(&relationship.end), kind];
            let id = own_id(&relationship.properties)
                .unwrap_or_else(|| format!("{}:{}", self.graph, relationship.element_id));
            if let Some(table) = self.relationships.get_mut(&relationship.kind) {
                table.write(&first, &relationship.properties, &[], Some(id), self.cells, &mut self.losses)?;
            }
        }
        Ok(())
    }

    /// Closes the files. Returns their names, and descriptions of what was lost.
    pub(in super::super) fn close(self) -> Result<(Vec<String>, Vec<String>)> {
        let mut files = Vec::new();
        for table in self.nodes.into_values().chain(self.relationships.into_values()) {
            let Some((path, file)) = table.file else { continue };
            file.finish().map_err(|error| failed(&path, &error))?;
            files.push(super::super::item::file_name(&path));
        }
        let losses = self.losses.into_iter().map(|(what, count)| format!("{what} ({count})")).collect();
        Ok((files, losses))
    }
}

impl Table {
    fn survey(&mut self, properties: &Properties, format: CsvFormat) {
        for (name, value) in properties {
            if name == names::ID {
                continue;
            }
            let Some((kind, _)) = cell(value, format.array_delimiter) else { continue };
            match self.columns.get_mut(name) {
                Some(known) => *known = wider(known, &kind),
                None => {
                    self.columns.insert(name.clone(), kind);
                }
            }
        }
    }

    fn open(&mut self, path: PathBuf, first: &[String], last: &[String], cells: Cells) -> Result<()> {
        let columns = self.columns.iter().map(|(name, kind)| format!("{name}:{}", kind.name()));
        let vectors = self.vectors.iter().map(|name| format!("{name}:float[]"));
        let header: Vec<_> =
            first.iter().cloned().chain(columns).chain(vectors).chain(last.iter().cloned()).collect();
        let header: Vec<_> = header.iter().map(|name| cells.if_needed(&cells.guarded(name))).collect();
        let file = NewFile::create(&path).map_err(|error| failed(&path, &error))?;
        self.file = Some((path, file));
        self.write_row(&header, cells.format)
    }

    fn write(
        &mut self,
        first: &[String],
        properties: &Properties,
        vectors: &[(String, Vec<f32>)],
        last: Option<String>,
        cells: Cells,
        losses: &mut BTreeMap<String, u64>,
    ) -> Result<()> {
        let mut row: Vec<String> = first.to_vec();
        let format = cells.format;
        for (name, value) in properties.iter().filter(|(name, _)| *name != names::ID) {
            if cell(value, format.array_delimiter).is_none() {
                let what = format!("`{name}`: a {} that CSV cannot hold is left out", value.type_name());
                *losses.entry(what).or_default() += 1;
            }
        }
        for (name, column) in &self.columns {
            let found = properties.get(name).and_then(|value| cell(value, format.array_delimiter));
            row.push(match found {
                Some((kind, text)) => {
                    if kind != *column {
                        let what = format!("`{name}`: a {} is written as a {}", kind.name(), column.name());
                        *losses.entry(what).or_default() += 1;
                    }
                    if column.base == BaseType::String || text.is_empty() {
                        // An unquoted empty cell means "no value"; texts are always quoted to keep
                        // the two apart.
                        cells.text(&text)
                    } else {
                        cells.if_needed(&text)
                    }
                }
                None => String::new(),
            });
        }
        for name in &self.vectors {
            let found = vectors.iter().find(|(property, _)| property == name);
            let numbers = found.iter().flat_map(|(_, values)| values).map(|number| format!("{number:?}"));
            let text = numbers.collect::<Vec<_>>().join(&format.array_delimiter.to_string());
            row.push(cells.if_needed(&text));
        }
        row.extend(last.map(|id| cells.text(&id)));
        self.write_row(&row, format)
    }

    fn write_row(&mut self, cells: &[String], format: CsvFormat) -> Result<()> {
        let Some((path, file)) = &mut self.file else { return Ok(()) };
        let mut line = cells.join(&format.delimiter.to_string());
        line.push('\n');
        file.write_all(line.as_bytes()).map_err(|error| failed(path, &error))
    }
}

/// Returns the narrowest type that holds the values of both columns.
fn wider(one: &ColumnType, other: &ColumnType) -> ColumnType {
    if one == other {
        return one.clone();
    }
    let numbers = [BaseType::Integer, BaseType::Float];
    let base = if one.base == other.base {
        one.base
    } else if numbers.contains(&one.base) && numbers.contains(&other.base) {
        BaseType::Float
    } else {
        BaseType::String
    };
    ColumnType::new(base, one.is_list || other.is_list)
}

fn own_id(properties: &Properties) -> Option<String> {
    properties.get(names::ID).and_then(Value::as_str).map(str::to_owned)
}

/// Returns a file name of letters and digits that is not taken yet.
fn free_name(taken: &mut BTreeSet<String>, stem: &str) -> String {
    let plain = |letter: char| if letter.is_alphanumeric() || "-_".contains(letter) { letter } else { '_' };
    let stem: String = stem.chars().map(plain).take(80).collect();
    let mut name = format!("{stem}.csv");
    let mut number = 1;
    // Names are compared in lower case because some file systems do not tell cases apart.
    while !taken.insert(name.to_lowercase()) {
        number += 1;
        name = format!("{stem}-{number}.csv");
    }
    name
}

/// How cells are written.
#[derive(Clone, Copy)]
struct Cells {
    format: CsvFormat,
    guard_formulas: bool,
}

impl Cells {
    /// Writes a text, in quotes.
    fn text(self, text: &str) -> String {
        quote(&self.guarded(text), self.format)
    }

    /// Writes a value, in quotes if it needs them.
    fn if_needed(self, text: &str) -> String {
        let special = [self.format.delimiter, self.format.quote, '\n', '\r'];
        if text.contains(special) { quote(text, self.format) } else { text.to_owned() }
    }

    /// Puts an apostrophe before what a spreadsheet would take for a formula, if that is wanted. A
    /// number stays a number.
    fn guarded(self, text: &str) -> Cow<'_, str> {
        let is_number = || text.parse::<f64>().is_ok_and(f64::is_finite);
        if self.guard_formulas && text.starts_with(FORMULA) && !is_number() {
            return Cow::Owned(format!("'{text}"));
        }
        Cow::Borrowed(text)
    }
}

fn quote(text: &str, format: CsvFormat) -> String {
    let quote = format.quote;
    let inner = text.replace(quote, &format!("{quote}{quote}"));
    format!("{quote}{inner}{quote}")
}

fn failed(path: &Path, error: &std::io::Error) -> ExchangeError {
    ExchangeError::Write { path: path.to_owned(), message: error.to_string() }
}
