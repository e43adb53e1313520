//! A model that plays an agent: it looks a name up, reads the schema, writes a query, and answers from its rows.

use graphwright_llm::{ChatReply, ChatRequest, Content, Message, Role, ScriptedModel, ToolCall};
use serde_json::{Value, json};

/// What the player does with a plan that it is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    /// It makes all of its calls at once.
    Follows,
    /// It goes its own way.
    Ignores,
}

/// Plays the questions of the measure.
pub(crate) fn player(manner: Manner) -> ScriptedModel {
    ScriptedModel::answering(move |request| Ok(play(manner, request)))
}

fn play(manner: Manner, request: &ChatRequest) -> ChatReply {
    let asked = request.messages.iter().rposition(|message| message.role == Role::User).unwrap_or(0);
    let told = request.messages[asked].text();
    let (plan, question) = match told.rsplit_once("]\n\n") {
        Some((plan, question)) if manner == Manner::Follows => (planned(plan), question),
        Some((_, question)) => (Vec::new(), question),
        None => (Vec::new(), told.as_str()),
    };
    let results = results(&request.messages[asked..]);
    let own = own_calls(question);
    let next: Vec<(String, Value)> = match (plan.is_empty(), results.len()) {
        (false, 0) => plan,
        (true, made) if made < own.len() => vec![own[made].clone()],
        _ => return answer(question, &results).into(),
    };
    let calls = next.into_iter().enumerate().map(|(at, (name, arguments))| {
        Content::ToolCall(ToolCall { id: format!("{}-{at}", results.len()), name, arguments })
    });
    calls.collect::<Vec<_>>().into()
}

/// The calls of a plan, one a line: `1. lookup_entity {"name":"ledger"}`.
fn planned(plan: &str) -> Vec<(String, Value)> {
    let lines =
        plan.lines().filter_map(|line| line.split_once(". ")).filter_map(|(_, call)| call.split_once(' '));
    let calls =
        lines.filter_map(|(tool, arguments)| Some((tool.to_owned(), serde_json::from_str(arguments).ok()?)));
    calls.collect()
}

/// The calls that it makes of itself, one after another.
fn own_calls(question: &str) -> Vec<(String, Value)> {
    let name = name(question);
    let query = if question.contains("team") {
        "MATCH (t:Team)-[:OWNS]->(s:Service {name: $name}) RETURN t.name AS team".to_owned()
    } else if question.starts_with("How many") {
        format!(
            "MATCH (s:Service {{name: '{name}'}})-[:DEPENDS_ON]->(l:Library) RETURN count(l) AS libraries"
        )
    } else {
        format!("MATCH (s:Service {{name: '{name}'}})-[:DEPENDS_ON]->(l:Library) RETURN l.name AS library")
    };
    let query = if query.contains('$') {
        json!({"query": query, "params": {"name": name}})
    } else {
        json!({"query": query})
    };
    vec![
        ("lookup_entity".to_owned(), json!({"name": name})),
        ("get_schema".to_owned(), json!({})),
        ("run_cypher".to_owned(), query),
    ]
}

/// The service that a question names: the only word with a hyphen, or the last but for the verb.
fn name(question: &str) -> String {
    let words: Vec<&str> = question.trim_end_matches('?').split(' ').collect();
    let does = words.iter().position(|word| *word == "does").and_then(|at| words.get(at + 1));
    (*does.or(words.last()).unwrap_or(&"")).to_owned()
}

fn results(messages: &[Message]) -> Vec<String> {
    let parts = messages.iter().flat_map(|message| &message.content);
    let results = parts.filter_map(|part| match part {
        Content::ToolResult { content, .. } => Some(content.clone()),
        _ => None,
    });
    results.collect()
}

/// Answers from the rows of the last result.
fn answer(question: &str, results: &[String]) -> String {
    let Some(last) = results.last() else { return "NOT IN THE GRAPH".to_owned() };
    let number = last.split_once(']').map_or("", |(number, _)| number.trim_start_matches('['));
    let rows: Vec<Value> =
        last.lines().filter_map(|line| serde_json::from_str::<Vec<Value>>(line).ok()).flatten().collect();
    let name = name(question);
    if rows.is_empty() {
        return "NOT IN THE GRAPH".to_owned();
    }
    let told: Vec<String> =
        rows.iter().map(|row| row.as_str().map_or_else(|| row.to_string(), str::to_owned)).collect();
    let told = told.join(" and ");
    if question.contains("team") {
        format!("{told} owns {name} [{number}].")
    } else if question.starts_with("How many") {
        format!("{name} depends on {told} libraries [{number}].")
    } else {
        format!("{name} depends on {told} [{number}].")
    }
}
