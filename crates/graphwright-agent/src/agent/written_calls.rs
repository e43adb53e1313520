//! Tool calls that a model writes as text, because it or its server does not know the provider's form.
//!
//! Models are trained on several forms: `<tool_call>{…}</tool_call>`, `[TOOL_CALLS][{…}]`, `<function=name>{…}</function>`, a name
//! between marks before its arguments, a fenced object, `name(key="value")`. What they share is read: the name of a tool and an
//! object with its arguments.

use graphwright_llm::{ToolCall, ToolSpec};
use serde_json::{Map, Value};

/// Keys under which a call has its tool.
const NAMES: [&str; 5] = ["name", "tool", "tool_name", "function", "function_name"];
/// Keys under which a call has its arguments.
const ARGUMENTS: [&str; 6] = ["arguments", "parameters", "args", "input", "tool_input", "params"];
/// The longest marks between a name and its arguments, in bytes.
const LONGEST_MARKS: usize = 60;

/// A call with where it stands in the text.
type Found = (usize, String, Value);

/// Reads the calls in a text. `first` numbers them.
pub(super) fn read(text: &str, tools: &[ToolSpec], first: usize) -> Vec<ToolCall> {
    let text = graphwright_llm::without_thoughts(text);
    let mut found = objects(text, tools);
    if found.is_empty() {
        found = tagged(text, tools);
    }
    if found.is_empty() {
        found.extend(as_function(text, tools));
    }
    let calls = found.into_iter().enumerate();
    calls
        .map(|(at, (_, name, arguments))| ToolCall { id: format!("written_{}", first + at), name, arguments })
        .collect()
}

/// Calls that are objects, or objects of arguments behind the name of a tool.
fn objects(text: &str, tools: &[ToolSpec]) -> Vec<Found> {
    let mut found = Vec::new();
    let mut behind = 0;
    for (start, _) in text.match_indices('{') {
        if start < behind {
            continue;
        }
        let mut values = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
        let Some(Ok(Value::Object(object))) = values.next() else { continue };
        let call = call(&object, tools).or_else(|| {
            let name = named_before(&text[behind..start], tools)?;
            Some((name, Value::Object(object)))
        });
        behind = start + values.byte_offset();
        found.extend(call.map(|(name, arguments)| (start, name, arguments)));
    }
    found
}

/// Reads `{"name": "look", "arguments": {…}}`, also inside `{"function": {…}}` or `{"tool_calls": […]}`.
fn call(object: &Map<String, Value>, tools: &[ToolSpec]) -> Option<(String, Value)> {
    let name = NAMES.iter().find_map(|key| known(object.get(*key)?.as_str()?, tools));
    let Some(name) = name else {
        let inner = object
            .values()
            .flat_map(|value| value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice));
        return inner.filter_map(Value::as_object).find_map(|inner| call(inner, tools));
    };
    let arguments = ARGUMENTS.iter().find_map(|key| object.get(*key));
    let arguments = match arguments {
        Some(Value::String(text)) => serde_json::from_str(text).unwrap_or_default(),
        Some(arguments) => arguments.clone(),
        None if object.len() == 1 => Value::Object(Map::new()),
        None => return None,
    };
    arguments.is_object().then_some((name, arguments))
}

/// The tool that a name means: models add `functions.` and numbers.
fn known(name: &str, tools: &[ToolSpec]) -> Option<String> {
    let plain = name.trim().trim_start_matches("functions.").split(':').next()?;
    tools.iter().find(|tool| tool.name == plain).map(|tool| tool.name.clone())
}

/// The tool that is named right before an object, with nothing but marks between.
fn named_before(before: &str, tools: &[ToolSpec]) -> Option<String> {
    let last = tools.iter().filter_map(|tool| Some((before.rfind(&tool.name)?, tool)));
    let (at, tool) = last.max_by_key(|(at, tool)| (*at, tool.name.len()))?;
    let between = &before[at + tool.name.len()..];
    let starts = !before[..at].ends_with(|letter: char| letter.is_alphanumeric() || letter == '_');
    // Marks of models: `:0<|tool_call_argument_begin|>`, `[ARGS]`, `<｜tool▁sep｜>`, a fence, a bracket.
    let marks = ["tool_call_argument_begin", "tool_sep", "tool▁sep", "ARGS", "json", "0", "1", "2", "3"];
    let rest = marks.iter().fold(between.to_owned(), |rest, mark| rest.replace(mark, ""));
    let is_marks = between.len() <= LONGEST_MARKS && !rest.chars().any(char::is_alphanumeric);
    let is_marked = between.contains(['<', '[', '`', '(', ':', '=', '>', '|'])
        || before[..at].trim_end().ends_with(']')
        || between.is_empty();
    (starts && is_marks && is_marked).then(|| tool.name.clone())
}

/// Reads `<function=look><parameter=of>ledger</parameter></function>`.
fn tagged(text: &str, tools: &[ToolSpec]) -> Vec<Found> {
    let mut found = Vec::new();
    for (start, mark) in text.match_indices("<function=") {
        let rest = &text[start + mark.len()..];
        let Some((name, body)) = rest.split_once('>') else { continue };
        let Some(name) = known(name.trim_matches('"'), tools) else { continue };
        let body = body.split("</function>").next().unwrap_or(body);
        let mut arguments = Map::new();
        for part in body.split("<parameter=").skip(1) {
            let Some((key, value)) = part.split_once('>') else { continue };
            let value = value.split("</parameter>").next().unwrap_or(value).trim();
            arguments.insert(key.trim_matches('"').to_owned(), read_value(value));
        }
        found.push((start, name, Value::Object(arguments)));
    }
    found
}

/// Reads `look(of="ledger", depth=2)` where it is all that is said.
fn as_function(text: &str, tools: &[ToolSpec]) -> Option<Found> {
    let line =
        text.trim().trim_matches('`').trim_start_matches("python").trim_start_matches("tool_code").trim();
    let line = line.strip_prefix("print(").and_then(|inner| inner.strip_suffix(')')).unwrap_or(line);
    let (name, rest) = line.split_once('(')?;
    let name = known(name, tools)?;
    let inside = rest.strip_suffix(')')?;
    let mut arguments = Map::new();
    let mut depth = 0_i32;
    let mut quote = None;
    let parts = inside.split(|letter: char| {
        match (quote, letter) {
            (Some(open), letter) if open == letter => quote = None,
            (None, '"' | '\'') => quote = Some(letter),
            (None, '[' | '{' | '(') => depth += 1,
            (None, ']' | '}' | ')') => depth -= 1,
            _ => {}
        }
        letter == ',' && depth == 0 && quote.is_none()
    });
    for part in parts.filter(|part| !part.trim().is_empty()) {
        let (key, value) = part.split_once('=')?;
        arguments.insert(key.trim().to_owned(), read_value(value.trim()));
    }
    Some((0, name, Value::Object(arguments)))
}

fn read_value(text: &str) -> Value {
    let single = text.strip_prefix('\'').and_then(|inner| inner.strip_suffix('\''));
    single.map_or_else(|| serde_json::from_str(text).unwrap_or_else(|_| text.into()), Value::from)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tools() -> Vec<ToolSpec> {
        ["look", "look_up", "search"]
            .map(|name| ToolSpec {
                name: name.to_owned(),
                description: String::new(),
                parameters: json!({"type": "object"}),
            })
            .to_vec()
    }

    fn calls(text: &str) -> Vec<(String, Value)> {
        read(text, &tools(), 1).into_iter().map(|call| (call.name, call.arguments)).collect()
    }

    #[test]
    fn all_forms_are_calls() {
        let wanted = vec![("look_up".to_owned(), json!({"of": "ledger"}))];
        for text in [
            r#"<tool_call>{"name": "look_up", "arguments": {"of": "ledger"}}</tool_call>"#,
            "<tool_call>\n{\"name\": \"look_up\", \"arguments\": \"{\\\"of\\\": \\\"ledger\\\"}\"}\n</tool_call>",
            r#"[TOOL_CALLS][{"name": "look_up", "arguments": {"of": "ledger"}}]"#,
            r#"[TOOL_CALLS]look_up{"of": "ledger"}"#,
            r#"[TOOL_CALLS]look_up[ARGS]{"of": "ledger"}"#,
            r#"<function=look_up>{"of": "ledger"}</function>"#,
            "<tool_call><function=look_up><parameter=of>ledger</parameter></function></tool_call>",
            r#"<|python_tag|>{"name": "look_up", "parameters": {"of": "ledger"}}"#,
            "I look:\n```json\n{\"tool\": \"look_up\", \"args\": {\"of\": \"ledger\"}}\n```",
            r#"<|tool_call_begin|>functions.look_up:0<|tool_call_argument_begin|>{"of": "ledger"}<|tool_call_end|>"#,
            "<｜tool▁call▁begin｜>function<｜tool▁sep｜>look_up\n```json\n{\"of\": \"ledger\"}\n```<｜tool▁call▁end｜>",
            r#"{"tool_calls": [{"function": {"name": "look_up", "arguments": {"of": "ledger"}}}]}"#,
            r#"look_up(of="ledger")"#,
            "```tool_code\nprint(look_up(of='ledger'))\n```",
            r#"<think>{"name": "search", "arguments": {}}</think>{"name": "look_up", "arguments": {"of": "ledger"}}"#,
        ] {
            assert_eq!(calls(text), wanted, "{text}");
        }
        let two = r#"<tool_call>{"name": "look", "arguments": {}}</tool_call><tool_call>{"name": "search", "arguments": {}}</tool_call>"#;
        assert_eq!(calls(two).len(), 2);
    }

    #[test]
    fn answers_are_no_calls() {
        for text in [
            "Ada owns ledger [1].",
            r#"The tool look_up said {"of": "ledger"}."#,
            r#"{"name": "ledger", "arguments": {"of": 1}}"#,
            r#"{"name": "look_up", "tier": 1}"#,
            "You may call look_up(of) yourself.",
        ] {
            assert_eq!(calls(text), [], "{text}");
        }
    }
}
