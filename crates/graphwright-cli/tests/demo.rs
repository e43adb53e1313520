//! Tests that `graphwright demo` answers its questions as the sample's gold does, and shows the
//! evidence.

mod sample;

use std::collections::BTreeSet;

use sample::{answered, graphwright, lines};
use serde_json::Value as Json;

#[test]
fn the_demo_is_right_and_shows_why() {
    let output = graphwright().args(["demo", "--json"]).output().expect("runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let shown: Json = serde_json::from_slice(&output.stdout).expect("JSON");
    let answers = shown["answers"].as_array().expect("answers");
    assert_eq!(answers.len(), 4);
    let gold = lines("questions.jsonl");
    for answer in answers {
        let gold =
            gold.iter().find(|line| line["question"] == answer["question"]).expect("the question has gold");
        let expected: BTreeSet<String> = gold["answers"]
            .as_array()
            .expect("answers")
            .iter()
            .filter_map(|name| name.as_str().map(str::to_owned))
            .collect();
        let status = gold["status"].as_str().unwrap_or("answered");
        assert_eq!(answer["status"], status, "{answer}");
        assert!(answer["model"].is_null(), "no model was set");
        if status != "answered" {
            continue;
        }
        assert_eq!(answered(answer), expected, "{}", answer["question"]);
        assert!(!answer["passages"].as_array().expect("passages").is_empty(), "{answer}");
    }
}
