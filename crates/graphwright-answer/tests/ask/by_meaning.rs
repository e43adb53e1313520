//! Questions whose words are none of the graph's, on graphs without an ontology.

use graphwright_answer::AnswerStatus;

use crate::support::{check, plainly};

const AIRPORTS: &str = "
    Airport Telluride | altitude = 9078; timezone = America/Denver; opened = 1984-10-27; lit = true; runways = 1
    Airport Montrose | altitude = 5759; timezone = America/Denver; opened = 1946-05-01; lit = true; runways = 2
    Airport Aspen | altitude = 7838; timezone = America/Denver; opened = 1946-06-01; lit = false; runways = 1
    Plane Blue Heron | seats = 377; engines = 2; built = 2001-04-02
    Airline Skyways | hubs = [Denver, Aspen, Boise]; founded = 1972-01-01
    Flight 12
    Flight 14
    Flight 12 -TRAVELS_TO-> Airport Telluride
    Flight 14 -TRAVELS_TO-> Airport Telluride
    Flight 12 -OPERATED_BY-> Airline Skyways
";

#[tokio::test]
async fn what_is_asked_of_one_thing_is_found_by_meaning() {
    let questions = [
        ("How many passengers can sit in the Blue Heron?", "377"),
        ("Which journeys does Telluride see?", "12; 14"),
        ("How many hubs has Skyways got?", "3"),
        // Nothing that is known is like it, or is of that kind.
        ("What does a meal at Telluride cost?", "not in graph"),
        ("How many people live around Telluride?", "not in graph"),
        ("Who was the captain of flight 12?", "not in graph"),
        // Without `not`, it would be another question.
        ("Which altitude above the sea does Telluride not reach?", "not in graph"),
    ];
    check(AIRPORTS, &questions).await;
}

#[tokio::test]
async fn what_is_said_of_things_of_a_type_is_found_by_meaning() {
    let graph = "
        Product Chai | price = 18; bitterness = 30; gender = F
        Product Ipoh Coffee | price = 46; bitterness = 80; gender = M
    ";
    let questions = [
        ("Which product is the bitterest?", "Ipoh Coffee"),
        // That all have a gender says nothing of children.
        ("How many of the products are children?", "not in graph"),
    ];
    check(graph, &questions).await;
}

#[tokio::test]
async fn the_answer_says_what_was_read_into_the_question() {
    let answer = plainly(AIRPORTS, "How many passengers can sit in the Blue Heron?").await;
    assert_eq!(answer.status, AnswerStatus::Partial);
    assert_eq!(
        answer.answer,
        "Read by meaning: “passengers can sit” as seats.\n\
         Blue Heron: seats 377.\n(Read from the graph; no model was used.)"
    );
}

/// Words that the graph has say in which direction a relationship is asked for.
#[tokio::test]
async fn no_relationship_that_the_question_names_is_turned_round() {
    let graph = "
        Service ledger
        Library clock
        Service ledger -DEPENDS_ON-> Library clock
    ";
    check(graph, &[("Which service does clock depend on for zorbing?", "not in graph")]).await;
}
