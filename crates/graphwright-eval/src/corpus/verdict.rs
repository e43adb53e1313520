//! Judges an answer by a question's gold.

use std::collections::BTreeSet;

use serde_json::Value;

/// Returns whether the entities or the values are exactly the wanted ones. If nothing is wanted,
/// the status must be equal. A quotation is right if it has all that is wanted in words; of a question for yes or no, if
/// it is where the documents say so. That they do not say is right where `no` is wanted and none of them denies it.
pub fn is_right(question: &Value, answer: &Value, facts: &[Value]) -> bool {
    let wanted = wanted(question);
    if wanted.is_empty() {
        return answer["status"] == question["status"];
    }
    if question["kind"] == "yes_no" && answer["status"] != "answered" {
        let statements = statements(question, facts);
        let quoted = words(&answer["answer"]);
        return match answer["status"].as_str() {
            Some("quoted") => statements.iter().any(|text| quoted.contains(text) || text.contains(&quoted)),
            Some("not_in_graph") => question["answers"][0] == "no" && statements.is_empty(),
            _ => false,
        };
    }
    if answer["status"] == "quoted" {
        let quoted = shown(&answer["answer"]);
        let in_words = |wanted: &String| wanted.chars().any(char::is_alphabetic) && quoted.contains(wanted);
        return wanted.iter().all(in_words);
    }
    let on_paths = || question["kind"] == "path" && wanted.is_subset(&between(answer));
    // One that says that it may not be whole is right if it is.
    let answers = matches!(answer["status"].as_str(), Some("answered" | "partial"));
    answers && (names(answer) == wanted || values(answer) == wanted || on_paths())
}

/// What the documents say to a question for yes or no: the texts of the gold facts between what it names that hold, or
/// that do not.
fn statements(question: &Value, facts: &[Value]) -> Vec<String> {
    let holds = question["answers"][0] == "yes";
    let asked = shown(&question["question"]);
    let said = facts.iter().filter(|fact| {
        let named = |end: &str| fact[end]["name"].is_string() && asked.contains(&shown(&fact[end]["name"]));
        fact["holds"] == holds && named("from") && named("to")
    });
    said.map(|fact| words(&fact["text"])).collect()
}

/// A text with single spaces.
fn words(text: &Value) -> String {
    text.as_str().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Describes a question with the wanted and the given answer.
pub fn explain(question: &Value, answer: &Value) -> String {
    let text = answer["answer"].as_str().or_else(|| answer["error"]["message"].as_str());
    let text = text.unwrap_or_default().replace('\n', " ");
    format!(
        "{} {}: {}\n    wanted {} {}\n    got    {} {:?} {:?}\n           {}",
        question["id"].as_str().unwrap_or_default(),
        question["kind"].as_str().unwrap_or_default(),
        question["question"].as_str().unwrap_or_default(),
        question["answers"],
        question["status"].as_str().unwrap_or_default(),
        answer["status"].as_str().unwrap_or("error"),
        names(answer),
        values(answer),
        text.chars().take(240).collect::<String>()
    )
}

fn wanted(question: &Value) -> BTreeSet<String> {
    question["answers"].as_array().into_iter().flatten().map(shown).collect()
}

fn names(answer: &Value) -> BTreeSet<String> {
    answer["entities"].as_array().into_iter().flatten().map(|entity| shown(&entity["name"])).collect()
}

fn values(answer: &Value) -> BTreeSet<String> {
    answer["values"].as_array().into_iter().flatten().map(shown).collect()
}

/// Returns the names of the nodes between the ends of the paths.
fn between(answer: &Value) -> BTreeSet<String> {
    let paths = answer["paths"].as_array().into_iter().flatten();
    let nodes = paths.filter_map(|path| path["nodes"].as_array());
    nodes
        .filter_map(|nodes| nodes.get(1..nodes.len().saturating_sub(1)))
        .flatten()
        .map(|node| shown(&node["name"]))
        .collect()
}

/// Normalises a value: lower case, single spaces, numbers without needless digits.
fn shown(value: &Value) -> String {
    let text = match value {
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::String(text) => text.to_lowercase(),
        other => other.to_string(),
    };
    if let Ok(number) = text.parse::<f64>() {
        return number.to_string();
    }
    let parts = text.split(|letter: char| letter.is_whitespace() || matches!(letter, '-' | '_'));
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}
