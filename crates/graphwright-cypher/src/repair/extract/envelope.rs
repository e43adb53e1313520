//! What a query is wrapped in: thinking tags, JSON, Markdown fences, quotes.

use serde_json::Value;

use super::{begins_as_query, parses};

/// The tags that models think in.
const THINKING: [(&str, &str); 4] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
];

/// What stands outside of thinking tags.
pub(super) fn without_thinking(text: &str) -> Option<(String, String)> {
    let mut kept = text.to_owned();
    for (open, close) in THINKING {
        while let Some(end) = kept.find(close) {
            // A template may have opened the tag before the reply began.
            let start = kept.get(..end).and_then(|before| before.rfind(open)).unwrap_or(0);
            kept.replace_range(start..end + close.len(), "");
        }
    }
    (kept.len() < text.len()).then(|| (kept.trim().to_owned(), "left out what the model thought".to_owned()))
}

/// The keys that queries are given under, the likeliest first.
const KEYS: [&str; 8] = ["cypher", "cypher_query", "query", "statement", "code", "answer", "result", "text"];

/// The query in a JSON object or string.
pub(super) fn from_json(text: &str) -> Option<(String, String)> {
    let text = text.trim();
    if !text.starts_with(['{', '[', '"']) {
        return None;
    }
    let value: Value = serde_json::from_str(text)
        .or_else(|_| serde_json::from_str(&text.replace('\n', "\\n").replace('\t', "\\t")))
        .ok()?;
    let query = query_in(&value)?;
    Some((query.trim().to_owned(), "took the query out of JSON".to_owned()))
}

fn query_in(value: &Value) -> Option<&str> {
    match value {
        Value::String(text) => begins_as_query(text).then_some(text),
        Value::Array(items) => items.iter().find_map(query_in),
        Value::Object(entries) => KEYS
            .iter()
            .find_map(|key| entries.get(*key).and_then(query_in))
            .or_else(|| entries.values().find_map(query_in)),
        _ => None,
    }
}

/// The query in a Markdown fence. Of several, the first one that can be read; where none can, the first one that begins
/// as a query does.
pub(super) fn from_fence(text: &str) -> Option<(String, String)> {
    let fences = fences(text);
    let is_query = |fence: &&&str| begins_as_query(fence) || super::envelope::from_json(fence).is_some();
    let chosen = fences
        .iter()
        .find(|fence| parses(fence))
        .or_else(|| fences.iter().find(|fence| is_query(fence)))
        .or_else(|| fences.first().filter(|_| fences.len() == 1 && !begins_as_query(text)))?;
    let message = match fences.len() {
        1 => "took the query out of its fence".to_owned(),
        count => {
            let place = fences.iter().position(|fence| fence == chosen).unwrap_or_default() + 1;
            format!("took fence {place} of {count}, the first one with a query")
        }
    };
    Some((chosen.trim().to_owned(), message))
}

/// What stands between fences; the last one may be left open.
fn fences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut parts = text.split("```");
    parts.next();
    while let Some(inner) = parts.next() {
        // The rest of the opening line tells the language.
        let (language, body) = inner.split_once('\n').unwrap_or(("", inner));
        let is_language =
            language.trim().bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_+.".contains(&byte));
        let body = if is_language { body } else { inner };
        found.push(without_language(body).trim());
        parts.next();
    }
    found.retain(|body| !body.is_empty());
    found
}

/// A fence on one line: ```` ```cypher MATCH … ``` ````.
fn without_language(body: &str) -> &str {
    let rest = body.trim_start();
    let rest = ["cypher", "neo4j", "sql"].iter().find_map(|language| rest.strip_prefix(language));
    match rest {
        Some(rest) if begins_as_query(rest) => rest,
        _ => body,
    }
}

/// What stands in quotes that are around the whole.
pub(super) fn without_quotes(text: &str) -> Option<(String, String)> {
    let text = text.trim();
    let inner = ['`', '"', '\''].iter().find_map(|&quote| text.strip_prefix(quote)?.strip_suffix(quote))?;
    begins_as_query(inner)
        .then(|| (inner.trim().to_owned(), "left out the quotes around the query".to_owned()))
}
