//! Envelopes of a query: thinking tags, JSON, Markdown fences, quotes.

use serde_json::Value;

use super::{
    begins_as_query,
    comments::{comments, is_within},
    parses,
};

/// The tags around the thinking of models.
const THINKING: [(&str, &str); 4] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
];

/// Removes thinking tags and their content.
pub(super) fn without_thinking(text: &str) -> Option<(String, String)> {
    let mut kept = text.to_owned();
    for (open, close) in THINKING {
        while let Some(end) = outside_comments(&kept, close) {
            // The template of a chat may have opened the tag before the reply began.
            let start = kept.get(..end).and_then(|before| before.rfind(open)).unwrap_or(0);
            kept.replace_range(start..end + close.len(), "");
        }
    }
    (kept.len() < text.len()).then(|| (kept.trim().to_owned(), "left out what the model thought".to_owned()))
}

/// Finds a mark that is not commented out.
fn outside_comments(text: &str, mark: &str) -> Option<usize> {
    let comments = comments(text);
    text.match_indices(mark).map(|(at, _)| at).find(|&at| !is_within(&comments, at))
}

/// The keys under which queries are given, the likeliest first.
const KEYS: [&str; 8] = ["cypher", "cypher_query", "query", "statement", "code", "answer", "result", "text"];

/// Returns the query in a JSON object or string.
pub(super) fn from_json(text: &str) -> Option<(String, String)> {
    let text = text.trim();
    // Numbers and words are JSON too, but hold no query.
    if !text.starts_with(['{', '[', '"']) {
        return None;
    }
    let value: Value = serde_json::from_str(text)
        // Models often leave line ends and tabs unescaped in JSON.
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

/// Returns the query in a Markdown fence. Of several fences, the first that parses is taken, or
/// else the first that begins like a query.
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

/// Returns the content of fences. The last fence may be unclosed.
fn fences(text: &str) -> Vec<&str> {
    const FENCE: &str = "```";
    let (mut found, mut rest) = (Vec::new(), text);
    while let Some(open) = outside_comments(rest, FENCE) {
        let (_, behind) = rest.split_at(open + FENCE.len());
        let inner;
        (inner, rest) = behind.split_once(FENCE).unwrap_or((behind, ""));
        // The rest of the opening line names the language.
        let (language, body) = inner.split_once('\n').unwrap_or(("", inner));
        let is_language =
            language.trim().bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_+.".contains(&byte));
        let body = if is_language { body } else { inner };
        found.push(without_language(body).trim());
    }
    found.retain(|body| !body.is_empty());
    found
}

/// Removes the language from a fence on one line: ```` ```cypher MATCH … ``` ````.
fn without_language(body: &str) -> &str {
    let rest = body.trim_start();
    let rest = ["cypher", "neo4j", "sql"].iter().find_map(|language| rest.strip_prefix(language));
    match rest {
        Some(rest) if begins_as_query(rest) => rest,
        _ => body,
    }
}

/// Removes quotes around the whole text.
pub(super) fn without_quotes(text: &str) -> Option<(String, String)> {
    let text = text.trim();
    let inner = ['`', '"', '\''].iter().find_map(|&quote| text.strip_prefix(quote)?.strip_suffix(quote))?;
    begins_as_query(inner)
        .then(|| (inner.trim().to_owned(), "left out the quotes around the query".to_owned()))
}
