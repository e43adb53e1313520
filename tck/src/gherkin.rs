//! A parser for the part of Gherkin that the kit uses: backgrounds, scenarios, outlines with
//! examples, doc strings and tables (<https://cucumber.io/docs/gherkin/reference>).

/// A scenario with the steps of its file's background. An outline gives one for each row of its
/// examples.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Example {
    pub(crate) name: String,
    pub(crate) steps: Vec<Step>,
}

/// A step: `Given`, `When`, `Then` or `And` with its attachments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// The step without its keyword.
    pub(crate) text: String,
    /// The text between `"""`.
    pub(crate) document: Option<String>,
    pub(crate) table: Table,
}

pub(crate) type Table = Vec<Vec<String>>;

#[derive(Default)]
struct Block {
    name: String,
    steps: Vec<Step>,
    examples: Vec<Table>,
    is_outline: bool,
}

/// Parses a feature file.
///
/// # Errors
///
/// Returns a message that names the line of the first fault.
pub(crate) fn parse(text: &str) -> Result<Vec<Example>, String> {
    let mut background = Vec::new();
    let mut examples = Vec::new();
    let mut lines = Lines { rest: text.lines().enumerate().peekable() };
    while let Some((number, line)) = lines.next_meaningful() {
        if let Some((name, is_outline)) = heading(line) {
            let block = lines.block(name, is_outline)?;
            examples.extend(expand(&background, &block));
        } else if line.starts_with("Background:") {
            background = lines.block("", false)?.steps;
        } else if !line.starts_with("Feature:") && !line.starts_with('@') {
            return Err(format!("line {}: `{line}` is not expected here", number + 1));
        }
    }
    Ok(examples)
}

/// Returns the name of a scenario, and whether it is an outline.
fn heading(line: &str) -> Option<(&str, bool)> {
    let outline = line.strip_prefix("Scenario Outline:").map(|name| (name.trim(), true));
    outline.or_else(|| line.strip_prefix("Scenario:").map(|name| (name.trim(), false)))
}

fn expand(background: &[Step], block: &Block) -> Vec<Example> {
    let with_background = |steps: Vec<Step>| background.iter().cloned().chain(steps).collect();
    if !block.is_outline {
        return vec![Example { name: block.name.clone(), steps: with_background(block.steps.clone()) }];
    }
    let rows = block.examples.iter().filter_map(|table| table.split_first()).flat_map(|(names, rows)| {
        rows.iter().map(move |row| names.iter().zip(row).collect::<Vec<(&String, &String)>>())
    });
    rows.enumerate()
        .map(|(number, values)| Example {
            name: format!("{} #{}", block.name, number + 1),
            steps: with_background(block.steps.iter().map(|step| step.fill(&values)).collect()),
        })
        .collect()
}

impl Step {
    /// Replaces each `<name>` with the value of an example.
    fn fill(&self, values: &[(&String, &String)]) -> Self {
        let fill = |text: &String| {
            values.iter().fold(text.clone(), |text, (name, value)| text.replace(&format!("<{name}>"), value))
        };
        Self {
            text: fill(&self.text),
            document: self.document.as_ref().map(fill),
            table: self.table.iter().map(|row| row.iter().map(fill).collect()).collect(),
        }
    }
}

struct Lines<'a> {
    rest: std::iter::Peekable<std::iter::Enumerate<std::str::Lines<'a>>>,
}

impl<'a> Lines<'a> {
    /// Returns the next line that is neither empty nor a comment, trimmed.
    fn next_meaningful(&mut self) -> Option<(usize, &'a str)> {
        let line = self.peek_meaningful()?;
        self.rest.next();
        Some(line)
    }

    fn peek_meaningful(&mut self) -> Option<(usize, &'a str)> {
        while let Some((number, line)) = self.rest.peek() {
            let line = line.trim();
            if !line.is_empty() && !line.starts_with('#') {
                return Some((*number, line));
            }
            self.rest.next();
        }
        None
    }

    /// Reads the steps and examples below a heading.
    fn block(&mut self, name: &str, is_outline: bool) -> Result<Block, String> {
        let mut block = Block { name: name.to_owned(), is_outline, ..Block::default() };
        while let Some((_, line)) = self.peek_meaningful() {
            let step = ["Given ", "When ", "Then ", "And ", "But "]
                .into_iter()
                .find_map(|keyword| line.strip_prefix(keyword));
            if let Some(text) = step {
                self.rest.next();
                let document = self.document()?;
                let table = self.table();
                block.steps.push(Step { text: text.trim().to_owned(), document, table });
            } else if line.starts_with("Examples:") {
                self.rest.next();
                block.examples.push(self.table());
            } else {
                break;
            }
        }
        Ok(block)
    }

    /// Reads a doc string. Its lines lose the indentation of the quotes.
    fn document(&mut self) -> Result<Option<String>, String> {
        const QUOTES: &str = "\"\"\"";
        if self.peek_meaningful().is_none_or(|(_, line)| line != QUOTES) {
            return Ok(None);
        }
        let Some((start, quotes)) = self.rest.next() else { return Ok(None) };
        let indentation = quotes.len() - quotes.trim_start().len();
        let mut lines = Vec::new();
        for (_, line) in self.rest.by_ref() {
            if line.trim() == QUOTES {
                return Ok(Some(lines.join("\n")));
            }
            let spaces = line.len() - line.trim_start().len();
            lines.push(line.get(indentation.min(spaces)..).unwrap_or_default());
        }
        Err(format!("line {}: the doc string has no end", start + 1))
    }

    fn table(&mut self) -> Table {
        let mut table = Table::new();
        while let Some((_, line)) = self.peek_meaningful().filter(|(_, line)| line.starts_with('|')) {
            table.push(cells(line));
            self.rest.next();
        }
        table
    }
}

/// Returns the cells of `| a | b |`, where `\|` is a bar, `\n` a new line and `\\` a backslash.
fn cells(line: &str) -> Vec<String> {
    let mut cells = Vec::new();
    let mut cell = String::new();
    let mut characters = line.chars().skip(1).peekable();
    while let Some(character) = characters.next() {
        let escaped = match (character, characters.peek()) {
            ('\\', Some('n')) => Some('\n'),
            ('\\', Some(&next @ ('|' | '\\'))) => Some(next),
            _ => None,
        };
        if let Some(meant) = escaped {
            cell.push(meant);
            characters.next();
        } else if character == '|' {
            cells.push(std::mem::take(&mut cell).trim_matches(' ').to_owned());
        } else {
            cell.push(character);
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEATURE: &str = r#"
#encoding: utf-8
Feature: Numbers
  # a comment
  Background:
    Given an empty graph

  @tag
  Scenario: [1] One
    When executing query:
      """
      RETURN 1
        AS one
      """
    Then the result should be, in any order:
      | one |
      | 1   |
    And no side effects

  Scenario Outline: [2] More
    When executing query:
      """
      RETURN <what>
      """
    Then the result should be, in any order:
      | <what> |
      | <it>   |

    Examples:
      | what | it       |
      | 2    | '\n'     |
      # | 3  | 3        |
      | 4    | 'a\|\\b' |
"#;

    #[test]
    fn outlines_become_one_scenario_for_each_example() {
        let examples = parse(FEATURE).unwrap();
        let names: Vec<_> = examples.iter().map(|example| example.name.as_str()).collect();
        assert_eq!(names, ["[1] One", "[2] More #1", "[2] More #2"]);
        let texts: Vec<_> = examples[0].steps.iter().map(|step| step.text.as_str()).collect();
        let result = "the result should be, in any order:";
        assert_eq!(texts, ["an empty graph", "executing query:", result, "no side effects"]);
        assert_eq!(examples[0].steps[1].document.as_deref(), Some("RETURN 1\n  AS one"));
        assert_eq!(examples[1].steps[1].document.as_deref(), Some("RETURN 2"));
        assert_eq!(examples[1].steps[2].table, [["2"], ["'\n'"]]);
        assert_eq!(examples[2].steps[2].table, [["4"], ["'a|\\b'"]]);
    }

    #[test]
    fn what_is_not_known_is_an_error_with_its_line() {
        let error = parse("Feature: a\n  Rule: b\n").unwrap_err();
        assert_eq!(error, "line 2: `Rule: b` is not expected here");
    }
}
