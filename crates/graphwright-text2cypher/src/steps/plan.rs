//! Plan: one query when the question can be one, else sub-questions whose results the later ones use.

use graphwright_llm::{ChatRequest, OutputFormat, find_json};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{error::Result, event::Prepared, session::Session};

/// The most sub-questions of a plan.
const MOST_QUESTIONS: usize = 6;

/// A part of a question that one query answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SubQuestion {
    /// Its number, from 1.
    pub(crate) number: usize,
    pub(crate) question: String,
    /// The numbers of the sub-questions whose results it uses, all of them smaller.
    pub(crate) needs: Vec<usize>,
}

/// Asks the model for a plan, by schema and then in plain lines: many models fail at lists of lists. Returns none if one query can answer,
/// or if no plan can be read.
pub(crate) async fn plan(session: &Session, prepared: &Prepared) -> Result<Vec<SubQuestion>> {
    let told = format!("Schema:\n{}\nQuestion: {}\n", prepared.schema.text, prepared.asked.question);
    let mut request = ChatRequest::new(include_str!("../../prompts/plan.md"), told.clone());
    request.output = OutputFormat::LenientJsonSchema { name: "plan".to_owned(), schema: schema() };
    let reply = session.chat("for a plan", request).await?;
    if let Some(questions) = read_json_plan(&reply).or_else(|| read_lines(&reply)) {
        return Ok(several(questions));
    }
    let request = ChatRequest::new(include_str!("../../prompts/plan_lines.md"), told);
    let reply = session.chat("for a plan in plain lines", request).await?;
    Ok(several(read_lines(&reply).unwrap_or_default()))
}

/// A plan of one question is no plan: the question itself is asked.
fn several(questions: Vec<SubQuestion>) -> Vec<SubQuestion> {
    if questions.len() < 2 { Vec::new() } else { questions }
}

fn schema() -> Value {
    let question = json!({
        "type": "object",
        "properties": {
            "question": {"type": "string"},
            "needs": {"type": "array", "items": {"type": "integer"}},
        },
        "required": ["question", "needs"],
        "additionalProperties": false,
    });
    json!({
        "type": "object",
        "properties": {"questions": {"type": "array", "items": question}},
        "required": ["questions"],
        "additionalProperties": false,
    })
}

/// Reads a plan in JSON: an object with a list, or the list alone, of objects or of texts.
fn read_json_plan(reply: &str) -> Option<Vec<SubQuestion>> {
    let json = find_json(reply)?;
    let list = json.as_array().or_else(|| json.as_object()?.values().find_map(Value::as_array))?;
    let mut questions = Vec::new();
    for item in list.iter().take(MOST_QUESTIONS) {
        let text = item.as_str().or_else(|| item["question"].as_str())?.trim();
        if text.is_empty() {
            return None;
        }
        let needs = item["needs"].as_array().into_iter().flatten().filter_map(Value::as_u64);
        let needs = needs.filter_map(|number| usize::try_from(number).ok()).collect();
        add(&mut questions, text, needs);
    }
    (!questions.is_empty()).then_some(questions)
}

/// Reads a plan in numbered lines: `2. Which films did they make? (needs 1)`.
fn read_lines(reply: &str) -> Option<Vec<SubQuestion>> {
    let mut questions = Vec::new();
    for line in reply.lines().map(str::trim) {
        let digits = line.bytes().take_while(u8::is_ascii_digit).count();
        let rest = line.get(digits..).unwrap_or_default();
        let Some(text) = rest.strip_prefix(['.', ')', ':']).filter(|_| digits > 0) else { continue };
        if questions.len() == MOST_QUESTIONS {
            break;
        }
        let (text, needs) = needs_of(text.trim());
        if !text.is_empty() {
            add(&mut questions, text, needs);
        }
    }
    (!questions.is_empty()).then_some(questions)
}

/// Splits off the numbers in brackets at the end of a line.
fn needs_of(text: &str) -> (&str, Vec<usize>) {
    let brackets = text.trim_end_matches('.').strip_suffix(')').and_then(|text| text.rsplit_once('('));
    let Some((question, inside)) = brackets.filter(|(_, inside)| inside.to_lowercase().contains("need"))
    else {
        return (text, Vec::new());
    };
    let numbers = inside.split(|letter: char| !letter.is_ascii_digit()).filter_map(|part| part.parse().ok());
    (question.trim(), numbers.collect())
}

fn add(questions: &mut Vec<SubQuestion>, text: &str, mut needs: Vec<usize>) {
    let number = questions.len() + 1;
    // What needs itself, or something that comes later, could never be asked.
    needs.retain(|need| (1..number).contains(need));
    needs.sort_unstable();
    needs.dedup();
    questions.push(SubQuestion { number, question: text.to_owned(), needs });
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn shown(questions: Option<Vec<SubQuestion>>) -> String {
        let shown = questions.unwrap_or_default().into_iter();
        shown
            .map(|question| format!("{}. {} {:?}", question.number, question.question, question.needs))
            .collect::<Vec<_>>()
            .join("|")
    }

    #[rstest]
    #[case(
        r#"{"questions": [{"question": "Who?", "needs": []}, {"question": "What?", "needs": [1, 2, 9]}]}"#,
        "1. Who? []|2. What? [1]"
    )]
    #[case("```json\n[{'question': 'Who?'}]\n```", "1. Who? []")]
    #[case(r#"["Who?", "What?"]"#, "1. Who? []|2. What? []")]
    #[case("I would ask who.", "")]
    fn plans_in_json_are_read(#[case] reply: &str, #[case] expected: &str) {
        assert_eq!(shown(read_json_plan(reply)), expected);
    }

    #[rstest]
    #[case("Plan:\n1. Who?\n2) What? (needs 1)\nDone.", "1. Who? []|2. What? [1]")]
    #[case("1. Which films (of 1999)?", "1. Which films (of 1999)? []")]
    #[case("ONE", "")]
    fn plans_in_lines_are_read(#[case] reply: &str, #[case] expected: &str) {
        assert_eq!(shown(read_lines(reply)), expected);
    }
}
