//! Feature files: the scenarios of a file with the steps of its background, and one for each example of an outline.

use std::borrow::Cow;

use gherkin::{Feature, GherkinEnv, Scenario, Step};

/// A scenario with the steps of its file's background; an outline is one for each row of its examples.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Example {
    pub(crate) name: String,
    /// Doc strings without the new lines beside their quotes.
    pub(crate) steps: Vec<Step>,
}

/// The quotes of a doc string, on a line of their own.
const QUOTES: &str = "\"\"\"";

/// Reads a feature file; an error says where it is.
pub(crate) fn examples(text: &str) -> Result<Vec<Example>, String> {
    let text = escape_backslashes(text);
    let feature = Feature::parse(text, GherkinEnv::default()).map_err(|error| error.to_string())?;
    if let Some(rule) = feature.rules.first() {
        return Err(format!("line {}: the rule `{}` is not expected here", rule.position.line, rule.name));
    }
    let background = feature.background.map(|background| background.steps).unwrap_or_default();
    Ok(feature.scenarios.iter().flat_map(|scenario| expand(&background, scenario)).collect())
}

/// Doubles each backslash of a table that escapes nothing: in Gherkin it is a backslash, to the parser an error.
fn escape_backslashes(text: &str) -> String {
    let mut in_document = false;
    let escape = |line| {
        in_document ^= str::trim(line) == QUOTES;
        let is_row = !in_document && line.trim_start().starts_with('|');
        if is_row { Cow::Owned(escape_row(line)) } else { Cow::Borrowed(line) }
    };
    text.split_inclusive('\n').map(escape).collect()
}

fn escape_row(row: &str) -> String {
    let mut escaped = String::with_capacity(row.len());
    let mut characters = row.chars().peekable();
    while let Some(character) = characters.next() {
        escaped.push(character);
        if character == '\\' {
            escaped.push(characters.next_if(|next| matches!(next, 'n' | '|' | '\\')).unwrap_or('\\'));
        }
    }
    escaped
}

fn expand(background: &[Step], scenario: &Scenario) -> Vec<Example> {
    let example = |name, values: &[(&String, &String)]| {
        let filled = scenario.steps.iter().map(|step| fill(step, values));
        let background = background.iter().map(|step| fill(step, &[]));
        Example { name, steps: background.chain(filled).collect() }
    };
    if scenario.examples.is_empty() {
        return vec![example(scenario.name.clone(), &[])];
    }
    let tables = scenario.examples.iter().filter_map(|examples| examples.table.as_ref()?.rows.split_first());
    let rows = tables.flat_map(|(names, rows)| {
        rows.iter().map(move |row| names.iter().zip(row).collect::<Vec<(&String, &String)>>())
    });
    rows.enumerate()
        .map(|(number, values)| example(format!("{} #{}", scenario.name, number + 1), &values))
        .collect()
}

/// Puts the values of an example in place of `<name>`.
fn fill(step: &Step, values: &[(&String, &String)]) -> Step {
    let fill = |text: &str| {
        values.iter().fold(text.to_owned(), |text, (name, value)| text.replace(&format!("<{name}>"), value))
    };
    let mut filled = step.clone();
    filled.value = fill(&step.value);
    filled.docstring = step.docstring.as_deref().map(|text| fill(without_outer_lines(text)));
    for cell in filled.table.iter_mut().flat_map(|table| &mut table.rows).flatten() {
        *cell = fill(cell);
    }
    filled
}

/// The parser gives a doc string with the ends of the lines that its quotes stand on and before.
fn without_outer_lines(text: &str) -> &str {
    let text = text.strip_prefix('\n').unwrap_or(text);
    text.strip_suffix('\n').unwrap_or(text)
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
      | 5    | '\''     |
"#;

    #[test]
    fn outlines_become_one_scenario_for_each_example() {
        let examples = examples(FEATURE).unwrap();
        let names: Vec<_> = examples.iter().map(|example| example.name.as_str()).collect();
        assert_eq!(names, ["[1] One", "[2] More #1", "[2] More #2", "[2] More #3"]);
        let texts: Vec<_> = examples[0].steps.iter().map(|step| step.value.as_str()).collect();
        let result = "the result should be, in any order:";
        assert_eq!(texts, ["an empty graph", "executing query:", result, "no side effects"]);
        assert_eq!(examples[0].steps[1].docstring.as_deref(), Some("RETURN 1\n  AS one"));
        assert_eq!(examples[1].steps[1].docstring.as_deref(), Some("RETURN 2"));
        let rows = |example: &Example| example.steps[2].table.as_ref().unwrap().rows.clone();
        assert_eq!(rows(&examples[1]), [["2"], ["'\n'"]]);
        assert_eq!(rows(&examples[2]), [["4"], ["'a|\\b'"]]);
        assert_eq!(rows(&examples[3]), [["5"], ["'\\''"]]);
    }

    #[test]
    fn a_backslash_in_a_doc_string_stays() {
        let text = "Feature: a\nScenario: b\nWhen executing query:\n\"\"\"\n| '\\''\n\"\"\"\n";
        let examples = examples(text).unwrap();
        assert_eq!(examples[0].steps[0].docstring.as_deref(), Some("| '\\''"));
    }

    #[test]
    fn what_is_not_known_is_an_error_with_its_line() {
        let error = examples("Feature: a\n  Rule: b\n").unwrap_err();
        assert_eq!(error, "line 2: the rule `b` is not expected here");
        let error = examples("Feature: a\n  Scenario: b\n    Given c\n  Surprise: d\n").unwrap_err();
        assert!(error.starts_with("Error at "), "{error}");
    }
}
