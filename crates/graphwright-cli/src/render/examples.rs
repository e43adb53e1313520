//! Formats examples for people.

use std::fmt::Write;

use graphwright::{Example, ExampleStatus};

use super::{Table, count, shorten};

/// Maximum length of a question or a query on one line, in characters.
const LINE: usize = 100;

/// Formats examples, one on each line.
pub(crate) fn examples_text(examples: &[&Example]) -> String {
    let mut shown = Table::new(["Example", "Status", "Used", "Question", "Query"]);
    for example in examples {
        shown.add_row([
            example.id.clone(),
            example.status.as_str().to_owned(),
            example.used.to_string(),
            shorten(&example.question, LINE),
            shorten(&example.cypher, LINE),
        ]);
    }
    format!("{shown}\n")
}

/// Formats everything about one example.
pub(crate) fn example_text(example: &Example) -> String {
    let mut text = format!("Example {}, {} UTC\n\n", example.id, example.at.strftime("%Y-%m-%d %H:%M:%S"));
    let proof = &example.proof;
    let status = match (&example.reason, example.is_reviewed) {
        (Some(reason), _) => format!("{}: {reason}", example.status.as_str()),
        (None, true) => format!("{}, reviewed", example.status.as_str()),
        (None, false) => example.status.as_str().to_owned(),
    };
    let used = match example.used_at {
        Some(used) => format!("{}, last on {}", count_times(example.used), used.strftime("%Y-%m-%d")),
        None if example.status == ExampleStatus::Kept => "not yet".to_owned(),
        None => String::new(),
    };
    let lines = [
        ("Question", example.question.clone()),
        ("Kind", example.kind.clone()),
        ("Query", example.cypher.replace('\n', "\n          ")),
        ("Status", status),
        ("Origin", example.origin.as_str().replace('_', "-")),
        ("Proof", proved(example)),
        ("Paths", proof.paths.join("\n          ")),
        ("Healed", proof.healed.join("\n").replace('\n', "\n          ")),
        ("Model", proof.model.clone().unwrap_or_default()),
        ("Since", later(example)),
        ("Used", used),
        (
            "Schema",
            if example.schema.is_empty() { "not verified yet".to_owned() } else { example.schema.clone() },
        ),
    ];
    for (name, value) in lines.iter().filter(|(_, value)| !value.is_empty()) {
        let _ = writeln!(text, "{name:<9} {value}");
    }
    text
}

fn proved(example: &Example) -> String {
    let proof = &example.proof;
    let said = [
        (proof.rows > 0).then(|| count(proof.rows, "row")),
        proof.judged.then(|| "a judge agreed".to_owned()),
        proof.written_again.then(|| "a second query agreed".to_owned()),
    ];
    said.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn later(example: &Example) -> String {
    match (example.confirmed, example.contradicted) {
        (0, 0) => String::new(),
        (confirmed, contradicted) => {
            let agreed = count(usize::try_from(confirmed).unwrap_or(usize::MAX), "later answer");
            format!("{agreed} agreed, {contradicted} contradicted")
        }
    }
}

fn count_times(times: u64) -> String {
    if times == 1 { "once".to_owned() } else { format!("{times} times") }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_example_is_told_whole() {
        let example: Example = serde_json::from_value(json!({
            "id": "4f0c2a91d3", "at": "2024-05-01T10:00:00Z", "question": "Who owns ledger?", "kind": "who owns <Service>",
            "cypher": "MATCH (t:Team)-[:OWNS]->(s:Service {name: 'ledger'})\nRETURN t.name", "schema": "ab12",
            "origin": "self_healed", "status": "candidate", "reason": "a later answer contradicts it (0a)",
            "proof": {
                "rows": 1, "paths": ["Team -[OWNS]-> Service"], "judged": true, "written_again": true,
                "healed": ["The query has errors."], "model": "openai/gpt-4o-mini",
            },
            "used": 2, "used_at": "2024-05-03T10:00:00Z", "confirmed": 1, "contradicted": 2,
        }))
        .unwrap();
        insta::assert_snapshot!(example_text(&example));
        insta::assert_snapshot!("examples", examples_text(&[&example]));
    }
}
