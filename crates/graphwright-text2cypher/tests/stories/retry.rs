//! `retry` and `retry-check`.

use graphwright_answer::AnswerStatus;
use graphwright_text2cypher::FlowName;

use crate::films::told;

const QUESTION: &str = "Which films did Lana Wachowski direct after 2000?";
const RIGHT: &str = "MATCH (p:Person {name: 'Lana Wachowski'})-[:DIRECTED]->(m:Movie) WHERE m.released > 2000 RETURN m.title ORDER BY m.title";
const ALL: &str =
    "MATCH (p:Person {name: 'Lana Wachowski'})-[:DIRECTED]->(m:Movie) RETURN m.title ORDER BY m.title";
const WORDS: &str = "Cloud Atlas [2]. Speed Racer [3].";

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_property_goes_back_to_the_model() {
    let wrong = "MATCH (p:Person {name: 'Lana Wachowski'})-[:DIRECTED]->(m:Movie) WHERE m.premiere > 2000 RETURN m.title";
    let story = told(FlowName::Retry, QUESTION, &[wrong, RIGHT, WORDS]).await;
    assert_eq!(story.answer.status, AnswerStatus::Answered, "{:#?}", story.answer);
    assert_eq!(story.answer.cypher.as_deref(), Some(RIGHT));
    assert!(story.asked[1].contains("premiere"), "{}", story.asked[1]);
    assert_eq!(story.queries(), [RIGHT]);
}

#[tokio::test(flavor = "multi_thread")]
async fn prose_and_nothing_are_asked_for_again() {
    let story = told(FlowName::Retry, QUESTION, &["Let me think.", "<think>films", RIGHT, WORDS]).await;
    assert_eq!(story.answer.cypher.as_deref(), Some(RIGHT));
    assert!(story.asked[1].starts_with("There is no query in that."), "{}", story.asked[1]);
    assert!(story.asked[2].starts_with("That was empty."), "{}", story.asked[2]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_query_that_the_store_cannot_run_goes_back_to_the_model() {
    let wrong = "MATCH (m:Movie) RETURN m.title ORDER BY m.released / 0";
    let story = told(FlowName::Retry, QUESTION, &[wrong, RIGHT, WORDS]).await;
    assert_eq!(story.answer.cypher.as_deref(), Some(RIGHT), "{:#?}", story.answer);
    assert!(story.asked[1].starts_with("The query failed: "), "{}", story.asked[1]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_lint_warns_of_is_asked_about_once() {
    let product = "MATCH (p:Person), (m:Movie) WHERE m.released > 2010 RETURN p.name, m.title";
    let story = told(FlowName::Retry, QUESTION, &[product, product, "NOT IN THE GRAPH"]).await;
    assert!(
        story.asked[1].starts_with("The query runs, but may not find what is asked for."),
        "{}",
        story.asked[1]
    );
    assert_eq!(story.queries(), [product]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_judge_that_says_no_leads_to_a_better_query() {
    let no = r#"{"answers": false, "missing": "the films after 2000 only"}"#;
    let yes = r#"{"answers": true, "missing": ""}"#;
    let story = told(FlowName::RetryCheck, QUESTION, &[ALL, no, RIGHT, yes, WORDS]).await;
    assert_eq!(story.answer.status, AnswerStatus::Answered);
    assert_eq!(story.answer.values, ["Cloud Atlas", "Speed Racer"]);
    assert_eq!(story.queries(), [ALL, RIGHT]);
    assert!(story.asked[2].contains("the films after 2000 only"), "{}", story.asked[2]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_judge_that_stays_discontent_leaves_the_rows_with_the_doubt() {
    let no = r#"{"answers": false, "missing": "the years"}"#;
    let story = told(FlowName::RetryCheck, QUESTION, &[RIGHT, no, RIGHT, no, RIGHT, no, WORDS]).await;
    assert_eq!(story.answer.status, AnswerStatus::Partial);
    assert_eq!(story.answer.answer, format!("Not fully answered: the years.\n{WORDS}"));
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_in_reserve_are_better_than_a_query_that_fails() {
    let no = "No: the years are missing.";
    let story = told(FlowName::RetryCheck, QUESTION, &[RIGHT, no, "Sorry.", "Sorry.", WORDS]).await;
    assert_eq!(story.answer.status, AnswerStatus::Partial, "{:#?}", story.answer);
    assert_eq!(story.answer.values, ["Cloud Atlas", "Speed Racer"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_verdict_that_cannot_be_read_is_none() {
    let story = told(FlowName::RetryCheck, QUESTION, &[RIGHT, "These are films.", WORDS]).await;
    assert_eq!(story.answer.status, AnswerStatus::Answered);
    assert_eq!(story.answer.steps[0], "The rows were not judged: the verdict of the model cannot be read.");
}
