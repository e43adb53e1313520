//! What the client read against what stands in the recording.

use serde_json::{Value, json};

use super::{ask::Read, reading::Reading, report::Fault};

/// Returns where the client read something else.
pub(super) fn compare(wanted: &Reading, read: &Read) -> Vec<Fault> {
    let got = &read.found;
    let mut faults = Vec::new();
    let mut check = |what: &'static str, same: bool, expected: String, found: String| {
        if !same {
            faults.push(Fault { what, expected, found });
        }
    };
    if wanted.error.is_some() || got.error.is_some() {
        let told = read.failure.clone().unwrap_or_else(|| "a reply".to_owned());
        check("error", wanted.error == got.error, wanted.error.unwrap_or("a reply").to_owned(), told);
        return faults;
    }
    check("text", wanted.text == got.text, wanted.text.clone(), got.text.clone());
    if let Some(pieces) = &read.pieces {
        // Thoughts inside the text are known as such only when they end.
        check("pieces", pieces.ends_with(&wanted.text), wanted.text.clone(), pieces.clone());
    }
    let calls = |calls: &[(String, Value)]| json!(calls).to_string();
    check("tool calls", wanted.calls == got.calls, calls(&wanted.calls), calls(&got.calls));
    let letters = |text: &str| text.split_whitespace().collect::<String>();
    check(
        "reasoning",
        letters(&wanted.reasoning) == letters(&got.reasoning),
        wanted.reasoning.clone(),
        got.reasoning.clone(),
    );
    let kept = |part: &String| got.opaque.iter().any(|held| held.contains(part.as_str()));
    let lost: Vec<&String> = wanted.opaque.iter().filter(|part| !kept(part)).collect();
    check("kept for the provider", lost.is_empty(), json!(lost).to_string(), String::new());
    check("usage", wanted.usage == got.usage, format!("{:?}", wanted.usage), format!("{:?}", got.usage));
    check("finish", wanted.finish == got.finish, wanted.finish.to_owned(), got.finish.to_owned());
    faults
}
