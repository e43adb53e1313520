//! What a model may reply in place of one right query.

use graphwright_answer::AnswerStatus;
use graphwright_llm::ScriptedModel;
use graphwright_text2cypher::{FlowName, FlowOptions, Turn};

use crate::films::{told, told_with};

const ACTORS: &str = "Who acted in The Matrix?";
const QUERY: &str =
    "MATCH (p:Person)-[:ACTED_IN]->(m:Movie {title: 'The Matrix'}) RETURN p.name ORDER BY p.name";
const WORDS: &str = "Hugo Weaving acted in The Matrix [2]. Keanu Reeves acted in The Matrix [3].";

#[tokio::test(flavor = "multi_thread")]
async fn naive_answers_with_rows_paths_and_the_query() {
    let story = told(FlowName::Naive, ACTORS, &[&format!("```cypher\n{QUERY}\n```"), WORDS]).await;
    let answer = &story.answer;
    assert_eq!(answer.status, AnswerStatus::Answered, "{answer:#?}");
    assert_eq!(answer.answer, WORDS);
    let names: Vec<_> = answer.entities.iter().map(|entity| entity.name.as_str()).collect();
    assert_eq!(names, ["Hugo Weaving", "Keanu Reeves"]);
    assert_eq!(story.path_kinds(), [["ACTED_IN"], ["ACTED_IN"]]);
    assert_eq!(answer.cypher.as_deref(), Some(QUERY));
    assert_eq!((answer.usage.requests, answer.model.as_deref()), (2, Some("scripted/model")));
    // The model was told the schema and what the words of the question are in the graph.
    assert!(story.asked[0].contains("(:Person)-[:ACTED_IN]->(:Movie)"), "{}", story.asked[0]);
    assert!(
        story.asked[0].contains("\"The Matrix\" is the stored value \"The Matrix\" of Movie.title"),
        "{}",
        story.asked[0]
    );
    assert_eq!(story.queries(), [QUERY]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_rows_do_not_bear_out_is_marked() {
    let words = "Keanu Reeves acted in The Matrix [3]. Tom Cruise acted in The Matrix [2].";
    let stays = "1: Tom Cruise acted in The Matrix [2].";
    for (again, expected) in [(stays, format!("{words} [unverified]")), ("1: -", words[..37].to_owned())] {
        let story = told(FlowName::Naive, ACTORS, &[QUERY, words, again]).await;
        assert_eq!(story.answer.status, AnswerStatus::Answered);
        assert_eq!(story.answer.answer, expected);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_stand_where_the_words_cannot_be_used() {
    for words in ["Tom Cruise did [2].", "", "Someone, I guess."] {
        let story = told(FlowName::Naive, ACTORS, &[QUERY, words, words]).await;
        assert_eq!(story.answer.answer, "Hugo Weaving, Keanu Reeves", "{words:?}");
        assert_eq!(story.answer.status, AnswerStatus::Answered);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_syntax_fault_is_mended_without_the_model() {
    let fault = "MATCH (p:Person)-[:ACTED_IN]->(m:Movie {title: 'The Matrix'}) RETRUN p.name";
    let story = told(FlowName::Naive, ACTORS, &[fault, "NOT IN THE GRAPH"]).await;
    let cypher = story.answer.cypher.unwrap();
    assert_eq!(cypher, "MATCH (p:Person)-[:ACTED_IN]->(m:Movie {title: 'The Matrix'}) RETURN p.name");
    assert_eq!(story.answer.status, AnswerStatus::NotInGraph);
}

#[tokio::test(flavor = "multi_thread")]
async fn prose_alone_is_no_query() {
    let prose = "I would look at the people and their films.";
    let story = told(FlowName::Naive, ACTORS, &[prose]).await;
    assert_eq!(story.answer.status, AnswerStatus::NotInGraph);
    assert_eq!(story.answer.answer, format!("No answer: scripted/model wrote no query, but “{prose}”."));
    assert!(story.queries().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn of_several_queries_the_first_that_fits_is_taken() {
    let reply = format!("```cypher\nMATCH (a:Actor) RETURN a.wage\n```\nor\n```cypher\n{QUERY}\n```");
    let story = told(FlowName::Naive, ACTORS, &[&reply, WORDS]).await;
    assert_eq!(story.answer.cypher.as_deref(), Some(QUERY));
    assert_eq!(story.answer.steps[0], "The model wrote 2 queries; number 2, the first that fits, was taken.");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_tries_to_write_is_refused() {
    for write in [
        "MATCH (m:Movie) DETACH DELETE m",
        "MATCH (m:Movie) SET m.title = 'x' RETURN m.title",
        "CALL { MATCH (m:Movie) DETACH DELETE m } RETURN 1",
    ] {
        let story = told(FlowName::Naive, ACTORS, &[write]).await;
        assert!(
            story.answer.answer.starts_with("No answer: the query was refused: "),
            "{}",
            story.answer.answer
        );
        assert!(story.queries().is_empty(), "{write}");
        let story = told(FlowName::Retry, ACTORS, &[write, write, write]).await;
        assert!(
            story.answer.answer.starts_with("No answer: the query was refused: "),
            "{}",
            story.answer.answer
        );
        assert!(story.queries().is_empty(), "{write}");
        assert!(story.asked[1].starts_with("The query was refused: "), "{}", story.asked[1]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_schema_lacks_is_named() {
    let question = "Which awards did The Matrix win?";
    let story = told(FlowName::Retry, question, &["MISSING: awards of films"]).await;
    assert_eq!(story.answer.status, AnswerStatus::NotInGraph);
    assert_eq!(
        story.answer.answer,
        "Not in the graph: its schema lacks awards of films (as scripted/model reads it)."
    );
    // A model that makes labels up instead is told so, and then people are.
    let invented = "MATCH (m:Movie)-[:WON]->(a:Award) RETURN a.name";
    let story = told(FlowName::Retry, question, &[invented, invented, invented]).await;
    assert!(story.answer.answer.starts_with("Not in the graph: "), "{}", story.answer.answer);
    assert!(story.answer.answer.contains("`Award`"), "{}", story.answer.answer);
    assert!(story.asked[1].contains("no node has the label `Award`"), "{}", story.asked[1]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_about_something_else_gets_what_can_be_asked() {
    let story = told(FlowName::Naive, "How high is K2?", &["NO"]).await;
    assert_eq!(story.answer.status, AnswerStatus::NotInGraph);
    assert!(story.answer.answer.starts_with("Not in the graph: the question is about something else."));
    assert!(!story.answer.suggestions.is_empty());
    let story = told(FlowName::Naive, "Thanks!", &[]).await;
    assert_eq!(story.answer.status, AnswerStatus::Talk);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_that_refers_back_is_made_to_stand_alone() {
    let turn = Turn { question: ACTORS.to_owned(), answer: "Keanu Reeves.".to_owned() };
    let options = FlowOptions::new(FlowName::Naive).conversation([turn]);
    let model = ScriptedModel::replies([
        "Who directed The Matrix?",
        "MATCH (p:Person)-[:DIRECTED]->(m:Movie {title: 'The Matrix'}) RETURN p.name",
        "Lana Wachowski directed The Matrix [2].",
    ]);
    let story = told_with(&options, "And who directed it?", model).await;
    assert_eq!(story.answer.question, "And who directed it?");
    assert_eq!(story.answer.answer, "Lana Wachowski directed The Matrix [2].");
    assert_eq!(story.answer.steps[0], "Asked as: Who directed The Matrix?");
    assert!(story.asked[1].ends_with("Question: Who directed The Matrix?\n"), "{}", story.asked[1]);
}
