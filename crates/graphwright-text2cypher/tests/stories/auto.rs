//! `auto`.

use graphwright_answer::AnswerStatus;
use graphwright_llm::ScriptedModel;
use graphwright_text2cypher::{FlowName, FlowOptions, Turn};

use crate::films::{told, told_with};

const QUESTION: &str = "Who directed Top Gun?";
const QUERY: &str = "MATCH (p:Person)-[:DIRECTED]->(m:Movie {title: 'Top Gun'}) RETURN p.name";
const WORDS: &str = "Tony Scott directed Top Gun [2].";

#[tokio::test(flavor = "multi_thread")]
async fn a_plain_query_with_rows_is_not_judged() {
    let story = told(FlowName::Auto, QUESTION, &[QUERY, WORDS]).await;
    assert_eq!((story.answer.status, story.asked.len()), (AnswerStatus::Answered, 2), "{:#?}", story.answer);
    assert_eq!(story.answer.answer, WORDS);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_mended_found_nothing_or_is_large_is_judged() {
    let yes = r#"{"answers": true, "missing": ""}"#;
    let empty = "MATCH (m:Movie) WHERE m.released > 2030 RETURN m.title";
    let large = "MATCH (p:Person)-[:DIRECTED]->(m:Movie {title: 'Top Gun'}) WITH p RETURN p.name";
    let mapped = "MATCH (p:Person)-[:DIRECTED]->(m:Movie {title: 'TopGun'}) RETURN p.name";
    for query in [empty, large, mapped] {
        let story = told(FlowName::Auto, QUESTION, &[query, yes, WORDS]).await;
        assert!(
            story.asked[1].starts_with("Question: Who directed Top Gun?\n\nQuery:\n"),
            "{query}: {:?}",
            story.asked
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plan_is_made_where_one_query_cannot_answer() {
    let plan = "1. Which directors were born before 1950?\n2. Who acted in their films? (needs 1)";
    let replies = [
        "SEVERAL",
        plan,
        "MATCH (p:Person)-[:DIRECTED]->() WHERE p.born < 1950 RETURN DISTINCT p.name",
        "MATCH (a:Person)-[:ACTED_IN]->()<-[:DIRECTED]-(p:Person) WHERE p.name IN $step1 RETURN a.name",
        "Tom Cruise acted [4].",
    ];
    let story = told(FlowName::Auto, "Who acted in the films of directors born before 1950?", &replies).await;
    assert_eq!(story.answer.values, ["Tom Cruise"], "{:#?}", story.answer);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_handed_to_a_plan_is_not_guarded_or_rewritten_again() {
    let turn = Turn { question: "Which films are old?".to_owned(), answer: "Top Gun.".to_owned() };
    let options = FlowOptions::new(FlowName::Auto).conversation([turn]);
    // The model is asked to rewrite, for a query, for a plan, for a query again, and for words.
    let replies = [
        QUESTION,
        "SEVERAL",
        r#"{"questions": [{"question": "Who directed it?", "needs": []}]}"#,
        QUERY,
        WORDS,
    ];
    let story = told_with(&options, "Who directed it?", ScriptedModel::replies(replies)).await;
    assert_eq!((story.answer.answer.as_str(), story.asked.len()), (WORDS, 5), "{:#?}", story.answer);
}
