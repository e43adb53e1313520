//! `planner`.

use graphwright_answer::AnswerStatus;
use graphwright_text2cypher::FlowName;

use crate::films::told;

const QUESTION: &str = "In which genres are the films of the directors born before 1950?";
const PLAN: &str = r#"{"questions": [
    {"question": "Which directors were born before 1950?", "needs": []},
    {"question": "In which genres are the films of these directors?", "needs": [1]}
]}"#;
const DIRECTORS: &str = "MATCH (p:Person)-[:DIRECTED]->() WHERE p.born < 1950 RETURN DISTINCT p.name";
const GENRES: &str = "MATCH (p:Person)-[:DIRECTED]->(m:Movie)-[:IN_GENRE]->(g:Genre) WHERE p.name IN $step1 RETURN DISTINCT g.name";

#[tokio::test(flavor = "multi_thread")]
async fn a_sub_question_is_given_the_results_of_the_one_before() {
    let story =
        told(FlowName::Planner, QUESTION, &[PLAN, DIRECTORS, GENRES, "The genre is Action [4]."]).await;
    let answer = &story.answer;
    assert_eq!(answer.status, AnswerStatus::Answered, "{answer:#?}");
    assert_eq!(answer.answer, "The genre is Action [4].");
    assert_eq!(answer.values, ["Action"]);
    assert!(story.asked[2].contains("$step1: the values of p.name"), "{}", story.asked[2]);
    assert!(story.asked[2].contains("[\"Tony Scott\"]"), "{}", story.asked[2]);
    // Both queries are proved.
    assert_eq!(story.path_kinds(), [vec!["DIRECTED"], vec!["DIRECTED", "IN_GENRE"]]);
    assert_eq!(answer.steps[0], "Sub-question 1: Which directors were born before 1950?");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plan_that_cannot_be_read_is_asked_for_in_lines() {
    let lines = "1. Which directors were born before 1950?\n2. In which genres are their films? (needs 1)";
    let replies = ["I would split it.", lines, DIRECTORS, GENRES, "The genre is Action [4]."];
    let story = told(FlowName::Planner, QUESTION, &replies).await;
    assert_eq!(story.answer.values, ["Action"], "{:#?}", story.answer);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_query_is_asked_where_that_can_answer() {
    let plan = r#"{"questions": [{"question": "Who directed Top Gun?", "needs": []}]}"#;
    let query = "MATCH (p:Person)-[:DIRECTED]->(m:Movie {title: 'Top Gun'}) RETURN p.name";
    let words = "Tony Scott directed Top Gun [2].";
    let story = told(FlowName::Planner, "Who directed Top Gun?", &[plan, query, words]).await;
    assert_eq!(story.answer.answer, words);
    assert_eq!(story.queries(), [query]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sub_question_without_rows_ends_a_plan_that_needs_it() {
    let nobody = "MATCH (p:Person)-[:DIRECTED]->() WHERE p.born < 1850 RETURN DISTINCT p.name";
    let story = told(FlowName::Planner, QUESTION, &[PLAN, nobody]).await;
    assert_eq!(story.answer.status, AnswerStatus::NotInGraph);
    assert_eq!(
        story.answer.answer,
        "Nothing was found: nothing in the graph fits the query. (\"Which directors were born before 1950?\")"
    );
    assert_eq!(story.answer.cypher.as_deref(), Some(nobody));
}
