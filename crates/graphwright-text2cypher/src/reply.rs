//! Reading what a model wrote where a query was asked for. Nothing of it is trusted to have the form that was asked for.

use graphwright_cypher::syntax::parse;
use graphwright_llm::{read_json, without_thoughts};
use serde_json::Value;

/// What a model wrote where a query was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    /// Texts that may be queries, in order. Prose is among them if there is nothing else: the repair looks for a query in it.
    Candidates(Vec<String>),
    /// It says what the schema lacks.
    Missing(String),
    /// It says that one query cannot answer.
    Several,
    /// Nothing.
    Nothing,
}

/// Reads a reply.
pub(crate) fn read_reply(reply: &str) -> Reply {
    let text = without_thoughts(reply);
    if text.is_empty() {
        return Reply::Nothing;
    }
    let fenced: Vec<String> = fences(text).into_iter().flat_map(statements).collect();
    if !fenced.is_empty() {
        return Reply::Candidates(fenced);
    }
    if let Some(missing) = text.lines().find_map(|line| marked(line, "MISSING")) {
        return Reply::Missing(missing.trim_matches(['.', ' ']).to_owned());
    }
    if text.lines().any(|line| marked(line, "SEVERAL").is_some()) {
        return Reply::Several;
    }
    let in_json = if text.starts_with(['{', '[']) { queries_in_json(text) } else { Vec::new() };
    let texts = if in_json.is_empty() { vec![text.to_owned()] } else { in_json };
    Reply::Candidates(texts.iter().flat_map(|text| statements(text)).collect())
}

/// Returns the content of the fences that hold anything. The last one may be unclosed.
fn fences(text: &str) -> Vec<&str> {
    let mut parts = text.split("```");
    let _ = parts.next();
    let inside = parts.step_by(2).map(|inside| match inside.split_once('\n') {
        // The rest of the opening line names the language.
        Some((language, body)) if language.trim().chars().all(char::is_alphanumeric) => body.trim(),
        _ => inside.trim().strip_prefix("cypher").unwrap_or(inside).trim(),
    });
    inside.filter(|body| !body.is_empty()).collect()
}

/// Splits a text that parses as several statements.
fn statements(text: &str) -> Vec<String> {
    let parsed = parse(text);
    if !parsed.diagnostics.is_empty() || parsed.tree.statements.len() < 2 {
        return vec![text.to_owned()];
    }
    let spans = parsed.tree.statements.iter().map(|statement| statement.span.range());
    spans.filter_map(|range| text.get(range)).map(str::to_owned).collect()
}

/// Returns what follows a mark at the beginning of a line, in any dress: `**MISSING:** awards`.
fn marked<'a>(line: &'a str, mark: &str) -> Option<&'a str> {
    let line = line.trim_start_matches(|letter: char| !letter.is_alphanumeric());
    let rest = line.get(..mark.len()).filter(|start| start.eq_ignore_ascii_case(mark))?;
    let rest = &line[rest.len()..];
    let is_mark = rest.trim_start_matches(['*', '_', '`', ' ']).starts_with(':') || rest.trim().is_empty();
    is_mark.then(|| rest.trim_matches(['*', '_', '`', ':', ' ']))
}

/// Returns the texts of a reply in JSON that a query may stand in.
fn queries_in_json(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for json in read_json(text) {
        collect(&json.value, &mut found);
    }
    found
}

fn collect(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) if is_query(text) => found.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
        Value::Object(entries) => entries.values().for_each(|value| collect(value, found)),
        _ => {}
    }
}

/// Tells whether a text begins with a clause.
fn is_query(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    ["match", "optional", "call", "unwind", "with", "return", "create", "merge"]
        .iter()
        .any(|clause| first.eq_ignore_ascii_case(clause))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn candidates(texts: &[&str]) -> Reply {
        Reply::Candidates(texts.iter().map(|text| (*text).to_owned()).collect())
    }

    #[rstest]
    #[case::bare("MATCH (n) RETURN n", &["MATCH (n) RETURN n"])]
    #[case::fence("Here:\n```cypher\nMATCH (n) RETURN n\n```\nIt finds all.", &["MATCH (n) RETURN n"])]
    #[case::unclosed_fence("```\nMATCH (n) RETURN n", &["MATCH (n) RETURN n"])]
    #[case::thoughts("<think>```MATCH (x) RETURN x```</think>MATCH (n) RETURN n", &["MATCH (n) RETURN n"])]
    #[case::fences(
        "```cypher\nMATCH (n) RETURN n\n```\nor\n```cypher\nMATCH (m) RETURN m\n```",
        &["MATCH (n) RETURN n", "MATCH (m) RETURN m"]
    )]
    #[case::statements("MATCH (n) RETURN n; MATCH (m) RETURN m;", &["MATCH (n) RETURN n", "MATCH (m) RETURN m"])]
    #[case::json(r#"{"query": "MATCH (n) RETURN n", "why": "all"}"#, &["MATCH (n) RETURN n"])]
    #[case::prose("I would look at the films.", &["I would look at the films."])]
    #[case::fence_before_mark("MISSING: nothing\n```\nRETURN 1\n```", &["RETURN 1"])]
    fn queries_are_found_in_any_dress(#[case] reply: &str, #[case] expected: &[&str]) {
        assert_eq!(read_reply(reply), candidates(expected));
    }

    #[rstest]
    #[case("MISSING: awards", "awards")]
    #[case("Sorry.\n**Missing:** awards of films.", "awards of films")]
    fn what_is_missing_is_read(#[case] reply: &str, #[case] missing: &str) {
        assert_eq!(read_reply(reply), Reply::Missing(missing.to_owned()));
    }

    #[test]
    fn other_replies_are_told_apart() {
        assert_eq!(read_reply("SEVERAL"), Reply::Several);
        assert_eq!(read_reply("Several films match."), candidates(&["Several films match."]));
        assert_eq!(read_reply("<think>I wonder"), Reply::Nothing);
        assert_eq!(read_reply("  "), Reply::Nothing);
    }
}
