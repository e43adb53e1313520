//! Values that are not stored, nulls, and answers that are empty.

use graphwright_answer::AnswerStatus;
use graphwright_text2cypher::FlowName;

use crate::films::told;

#[tokio::test(flavor = "multi_thread")]
async fn a_value_that_is_not_stored_is_mapped_to_the_one_that_is() {
    let query =
        "MATCH (m:Movie)-[:IN_GENRE]->(g:Genre {name: 'Science Fiction'}) RETURN m.title ORDER BY m.title";
    let words = "Speed Racer is one [2]. The Matrix is one [3].";
    let story = told(FlowName::Naive, "Which films are science fiction?", &[query, words]).await;
    let answer = &story.answer;
    assert_eq!(answer.status, AnswerStatus::Answered, "{answer:#?}");
    assert!(answer.cypher.as_deref().unwrap().contains("'Sci-Fi'"), "{:?}", answer.cypher);
    assert_eq!(answer.values, ["Speed Racer", "The Matrix"]);
    assert!(
        answer.steps.iter().any(|step| step.contains("took 'Sci-Fi' for 'Science Fiction'")),
        "{:?}",
        answer.steps
    );
    // Before the query, the value was among the candidates already.
    assert!(story.asked[0].contains("\"Sci-Fi\""), "{}", story.asked[0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_count_of_nothing_is_tried_with_the_stored_value() {
    let query = "MATCH (m:Movie)-[:IN_GENRE]->(g:Genre {name: 'Science Fiction'}) RETURN count(m) AS films";
    let story =
        told(FlowName::Naive, "How many films are science fiction?", &[query, "There are 2 films [2]."])
            .await;
    assert_eq!(story.answer.values, [2]);
    assert_eq!(story.answer.answer, "There are 2 films [2].");
}

#[tokio::test(flavor = "multi_thread")]
async fn texts_that_are_nowhere_equal_are_compared_by_part() {
    let query = "MATCH (p:Person)-[:DIRECTED]->(m:Movie) WHERE m.title = 'oud' RETURN p.name";
    let story = told(FlowName::Naive, "Who directed Cloud?", &[query, "Lana Wachowski [2]."]).await;
    let answer = &story.answer;
    assert_eq!(answer.values, ["Lana Wachowski"], "{answer:#?}");
    assert!(answer.cypher.as_deref().unwrap().contains("CONTAINS 'oud'"), "{:?}", answer.cypher);
    assert!(story.told().contains("by part and in any case"), "{}", story.told());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_empty_answer_is_told_as_one() {
    let query = "MATCH (m:Movie) WHERE m.released > 2030 RETURN m.title";
    let story = told(FlowName::Naive, "Which films came out after 2030?", &[query]).await;
    assert_eq!(story.answer.status, AnswerStatus::NotInGraph);
    assert_eq!(story.answer.answer, "Nothing was found: nothing in the graph fits the query.");
    assert_eq!(story.answer.cypher.as_deref(), Some(query));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_has_no_date_is_not_the_newest() {
    let query = "MATCH (m:Movie) RETURN m.title ORDER BY m.released DESC LIMIT 1";
    let story = told(FlowName::Naive, "Which film is the newest?", &[query, "Cloud Atlas [2]."]).await;
    assert_eq!(story.answer.values, ["Cloud Atlas"]);
    assert!(story.queries()[0].contains("m.released IS NOT NULL"), "{:?}", story.queries());
    // What the database has decided is told to whoever puts it into words.
    assert!(story.asked[1].contains("these rows are the winners"), "{}", story.asked[1]);
}

#[tokio::test(flavor = "multi_thread")]
async fn groups_have_the_paths_of_their_members() {
    let query = "MATCH (p:Person)-[:DIRECTED]->(m:Movie) RETURN p.name, count(m) AS films ORDER BY films DESC LIMIT 1";
    let story = told(
        FlowName::Naive,
        "Who directed the most films?",
        &[query, "Lana Wachowski directed 3 films [2]."],
    )
    .await;
    let answer = &story.answer;
    assert_eq!(answer.answer, "Lana Wachowski directed 3 films [2].");
    assert_eq!(story.path_kinds(), [["DIRECTED"], ["DIRECTED"], ["DIRECTED"]]);
    assert_eq!(answer.values, [serde_json::json!(["Lana Wachowski", 3])]);
}

#[tokio::test(flavor = "multi_thread")]
async fn where_paths_cannot_be_shown_it_is_said_why() {
    let query = "MATCH (m:Movie {released: 1999}) RETURN m.title AS title UNION MATCH (m:Movie {released: 1986}) RETURN m.title AS title";
    let story =
        told(FlowName::Naive, "Which films came out in 1999 or 1986?", &[query, "Top Gun [3]."]).await;
    assert!(story.answer.paths.is_empty());
    let said = "No paths are shown for the query: it joins several queries (UNION).";
    assert!(story.answer.steps.iter().any(|step| step == said), "{:?}", story.answer.steps);
}
