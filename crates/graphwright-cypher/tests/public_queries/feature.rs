//! Reads feature files of the openCypher technology compatibility kit: as much of Gherkin as they use.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// A scenario; one of an outline for each row of its examples.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scenario {
    /// File, name and, of an outline, the number of the example.
    pub(crate) name: String,
    /// The queries of `having executed`.
    pub(crate) setup: Vec<String>,
    /// The queries of `executing query` and `executing control query`.
    pub(crate) queries: Vec<String>,
    /// Error type, time and detail, as `SyntaxError`, `compile time`, `UndefinedVariable`.
    pub(crate) error: Option<(String, String, String)>,
}

impl Scenario {
    /// Whether its query must be refused before it runs.
    pub(crate) fn fails_at_compile_time(&self) -> bool {
        self.error.as_ref().is_some_and(|(_, time, _)| time == "compile time")
    }
}

/// Every scenario of the feature files of a folder.
pub(crate) fn read_scenarios(folder: &Path) -> Vec<Scenario> {
    let mut files = Vec::new();
    find_files(folder, &mut files);
    files.sort();
    files.iter().flat_map(|file| scenarios_of(file)).collect()
}

fn find_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            find_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "feature") {
            files.push(path);
        }
    }
}

fn scenarios_of(file: &Path) -> Vec<Scenario> {
    let text = fs::read_to_string(file).unwrap();
    let stem = file.file_stem().unwrap().to_string_lossy().into_owned();
    let mut found = Vec::new();
    let mut current: Option<Scenario> = None;
    let mut examples: Vec<Vec<String>> = Vec::new();
    let mut in_examples = false;
    let mut step = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let line = line.trim();
        if line.starts_with('#') {
            continue;
        }
        if let Some(name) = line.strip_prefix("Scenario:").or_else(|| line.strip_prefix("Scenario Outline:"))
        {
            found.extend(current.take().into_iter().flat_map(|scenario| expand(scenario, &examples)));
            examples.clear();
            in_examples = false;
            current = Some(Scenario { name: format!("{stem} {}", name.trim()), ..Scenario::default() });
        } else if line.starts_with("Examples:") {
            in_examples = true;
        } else if line.starts_with('|') && in_examples {
            examples.push(cells(line));
        } else if line.starts_with("\"\"\"") {
            let text = lines
                .by_ref()
                .take_while(|line| !line.trim().starts_with("\"\"\""))
                .collect::<Vec<_>>()
                .join("\n");
            let Some(scenario) = &mut current else { continue };
            if step.contains("having executed") {
                scenario.setup.push(text);
            } else if step.contains("executing") {
                scenario.queries.push(text);
            }
        } else if !line.starts_with('|') {
            line.clone_into(&mut step);
            if let (Some(scenario), Some((before, detail))) =
                (&mut current, line.split_once("should be raised at "))
            {
                let (time, detail) = detail.split_once(':').unwrap_or((detail, ""));
                let kind = before.split_whitespace().last().unwrap_or_default();
                scenario.error = Some((kind.to_owned(), time.trim().to_owned(), detail.trim().to_owned()));
            }
        }
    }
    found.extend(current.take().into_iter().flat_map(|scenario| expand(scenario, &examples)));
    found
}

/// The cells of a row of a table; `\|` and `\\` are escapes.
fn cells(line: &str) -> Vec<String> {
    let mut cells = Vec::new();
    let mut cell = String::new();
    let mut characters = line.chars().skip(1);
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some(escaped @ ('|' | '\\')) => cell.push(escaped),
                Some(other) => cell.extend(['\\', other]),
                None => {}
            },
            '|' => cells.push(std::mem::take(&mut cell).trim().to_owned()),
            _ => cell.push(character),
        }
    }
    cells
}

fn expand(scenario: Scenario, examples: &[Vec<String>]) -> Vec<Scenario> {
    let Some((header, rows)) = examples.split_first() else { return vec![scenario] };
    let fill = |text: &String, row: &[String]| {
        header
            .iter()
            .zip(row)
            .fold(text.clone(), |text, (name, value)| text.replace(&format!("<{name}>"), value))
    };
    rows.iter()
        .enumerate()
        // Several tables of examples repeat the header.
        .filter(|(_, row)| *row != header)
        .map(|(number, row)| Scenario {
            name: format!("{} #{}", scenario.name, number + 1),
            setup: scenario.setup.iter().map(|text| fill(text, row)).collect(),
            queries: scenario.queries.iter().map(|text| fill(text, row)).collect(),
            error: scenario
                .error
                .as_ref()
                .map(|(kind, time, detail)| (kind.clone(), time.clone(), fill(detail, row))),
        })
        .collect()
}
