//! Check: a judge says whether the rows answer the question, and what is missing.

use graphwright_llm::{ChatRequest, OutputFormat, find_json};
use serde_json::{Value, json};

use super::summarise::{row_line, rows_line};
use crate::{error::Result, event::Found, query::meaning::meaning, session::Session};

/// How many rows the judge sees.
const SHOWN: usize = 20;

/// What a judge says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The rows answer the question.
    Answers,
    /// They do not: what is missing.
    Lacks(String),
    /// What it wrote cannot be read as either.
    Unclear,
}

/// Asks the model whether the rows answer the question.
pub(crate) async fn judge(session: &Session, question: &str, found: &Found) -> Result<Verdict> {
    let mut told = format!("Question: {question}\n\n");
    told.push_str(&format!("Query:\n{}\n\nThe query in words:\n", found.text));
    for line in meaning(&found.text) {
        told.push_str(&format!("- {line}\n"));
    }
    told.push_str(&format!("\nRows: {}\n", rows_line(found)));
    for row in found.rows.iter().take(SHOWN) {
        told.push_str(&format!("- {}\n", row_line(&found.columns, row)));
    }
    if found.rows.len() > SHOWN {
        told.push_str(&format!("({} more rows are not shown here)\n", found.rows.len() - SHOWN));
    }
    let mut request = ChatRequest::new(include_str!("../../prompts/judge.md"), told);
    request.output = OutputFormat::LenientJsonSchema { name: "verdict".to_owned(), schema: schema() };
    let reply = session.chat("whether the rows answer the question", request).await?;
    Ok(read_verdict(&reply))
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {"answers": {"type": "boolean"}, "missing": {"type": "string"}},
        "required": ["answers", "missing"],
        "additionalProperties": false,
    })
}

/// Reads a verdict: JSON, or else the first word.
fn read_verdict(reply: &str) -> Verdict {
    let json = find_json(reply);
    let missing = json.as_ref().and_then(|json| json["missing"].as_str()).unwrap_or_default().trim();
    let answers = match json.as_ref().map(|json| &json["answers"]) {
        Some(Value::Bool(answers)) => Some(*answers),
        Some(Value::String(word)) => yes_or_no(word),
        _ => yes_or_no(reply),
    };
    match answers {
        Some(true) => Verdict::Answers,
        Some(false) if missing.is_empty() => Verdict::Lacks("the rows do not answer the question".to_owned()),
        Some(false) => Verdict::Lacks(missing.trim_end_matches('.').to_owned()),
        None => Verdict::Unclear,
    }
}

fn yes_or_no(text: &str) -> Option<bool> {
    let first = text.split(|letter: char| !letter.is_alphabetic()).find(|word| !word.is_empty())?;
    match first.to_lowercase().as_str() {
        "yes" | "true" => Some(true),
        "no" | "false" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(r#"{"answers": true, "missing": ""}"#, Verdict::Answers)]
    #[case("```json\n{'answers': 'yes'}\n```", Verdict::Answers)]
    #[case("Yes, they do.", Verdict::Answers)]
    #[case(r#"{"answers": false, "missing": "The year."}"#, Verdict::Lacks("The year".into()))]
    #[case("No.", Verdict::Lacks("the rows do not answer the question".into()))]
    #[case("The rows are films.", Verdict::Unclear)]
    #[case("", Verdict::Unclear)]
    fn verdicts_are_read_in_any_dress(#[case] reply: &str, #[case] expected: Verdict) {
        assert_eq!(read_verdict(reply), expected);
    }
}
