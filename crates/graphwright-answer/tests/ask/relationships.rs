//! Properties of relationships as what is asked, aggregated, compared and ranked by; and words that stand for a property or a place.

use graphwright_answer::{AnswerStatus, AskOptions};

use crate::support;

const CELLAR: &str = "
    Taster Ada | birthday = 1971-05-02; joined = 1999-01-01
    Taster Ben | birthday = 1980-11-20; joined = 1990-01-01
    Taster Cleo | birthday = 1988-05-30; joined = 1985-06-01
    Wine Arven | price = 12; region = Europe; bottleSize = 75
    Wine Birk | price = 30; region = Africa; bottleSize = 150
    Wine Corrie | price = 12; region = South America; bottleSize = 70
    Wine Dell | price = 8; region = Africa; bottleSize = 75
    Order N-1 | freight = 20.01; sent = 1997-02-03
    Order N-2 | freight = 19.97; sent = 1998-05-05
    Grape Syrah
    Grape Pinot
    Village Lomma
    Taster Ada -TASTED-> Wine Arven | score = 80; note = dry
    Taster Ada -TASTED-> Wine Birk | score = 60; note = sweet
    Taster Ben -TASTED-> Wine Arven | score = 90; note = smoky
    Taster Ben -TASTED-> Wine Corrie | score = 70; note = thin
    Taster Ben -BORN_IN-> Village Lomma
    Order N-1 -CONTAINS-> Wine Arven | quantity = 6; discount = 5
    Order N-1 -CONTAINS-> Wine Birk | quantity = 2; discount = 10
    Order N-2 -CONTAINS-> Wine Arven | quantity = 20; discount = 0
    Wine Arven -MADE_OF-> Grape Syrah
    Wine Birk -MADE_OF-> Grape Syrah
    Wine Corrie -MADE_OF-> Grape Pinot
    Wine Dell -MADE_OF-> Grape Pinot
";

#[rstest::rstest]
// What is asked.
#[case("What score did Ada give Birk?", "60")]
#[case("Which note did Ben write on Arven?", "smoky")]
#[case("What is the average score of Arven?", "85")]
#[case("What is the average score that Ben has given?", "80")]
#[case("What is the highest score of all wines?", "90")]
#[case("How many units of Arven were ordered in order N-1?", "6")]
#[case("What is the total quantity of Arven?", "26")]
// Compared.
#[case("Which wines have a score above 75?", "Arven")]
#[case("Who gave Arven a score of 90?", "Ben")]
#[case("Which orders contain more than 10 units of a wine?", "N-2")]
// By the values of relationships.
#[case("Who tasted Arven as smoky?", "Ben")]
#[case("Which wine did Ada taste as sweet?", "Birk")]
// Ways to say the same.
#[case("Besides Ada, who tasted Arven?", "Ben")]
#[case("Other than Arven, which wines did Ada taste?", "Birk")]
#[case("Top 2 oldest tasters", "Ada; Ben")]
#[case("Who are the top 1 tasters by number of wines?", "Ada; Ben")]
#[case("Who tasted but was not born in Lomma?", "Ada")]
// Ranked by.
#[case("Which wine has the lowest score?", "Birk")]
#[case("Who gave the highest score to Arven?", "Ben")]
#[case("Which wine has the highest average score?", "Arven")]
#[case("Which grape has the highest average price?", "Syrah")]
#[case("Top two wines by price?", "Birk; Arven; Corrie")]
// Numbers of relationships, and of things for each.
#[case("How many scores did Ben give?", "2")]
#[case("How many wines does a grape have on average?", "2")]
// Words for properties.
#[case("Which tasters are older than Ben?", "Ada")]
#[case("Which wines are more expensive than Arven?", "Birk")]
#[case("Which wines are more expensive than 10?", "Arven; Birk; Corrie")]
#[case("Which wines cost the same as Arven?", "Corrie")]
#[case("Which wine has the smaller bottlesize, Arven or Corrie?", "Corrie")]
#[case("Which tasters were born before 1975?", "Ada")]
// A year is no amount that has its digits.
#[case("Which orders were sent in 1997?", "N-1")]
// Adjectives of places.
#[case("Which African wines cost less than 10?", "Dell")]
#[case("Which South American wines are there?", "Corrie")]
#[tokio::test]
async fn a_cellar(#[case] question: &str, #[case] expected: &str) {
    let answer = support::ask(CELLAR, question, &AskOptions::default()).await;
    assert!(support::agrees(&answer, expected), "{:?} {}", answer.status, answer.answer);
}

/// What no part of a reading accounts for is told above the answer, or there is none.
#[rstest::rstest]
#[case("Who tasted the first and the last wine?")]
#[case("Which orders were made late?")]
#[case("Which taster made the fewest and the most notes?")]
#[tokio::test]
async fn what_is_not_read_is_told(#[case] question: &str) {
    let answer = support::ask(CELLAR, question, &AskOptions::default()).await;
    assert_ne!(answer.status, AnswerStatus::Answered, "{}", answer.answer);
}

/// `It` is the film that was spoken of, not any other.
#[tokio::test]
async fn a_pronoun_is_what_was_spoken_of() {
    let films = "
        Person Ada -DIRECTED-> Film Arven
        Person Ada -WROTE-> Film Birk
        Person Ben -DIRECTED-> Film Corrie
        Person Ben -WROTE-> Film Corrie
    ";
    let question = "Which people directed a film but did not write it?";
    let answer = support::ask(films, question, &AskOptions::default()).await;
    assert!(support::agrees(&answer, "Ada"), "{:?} {}", answer.status, answer.answer);
}

/// That somebody flew on one craft alone cannot be told where flights stand between.
#[tokio::test]
async fn only_beyond_what_stands_between_is_told() {
    let flights = "
        Pilot Ada -FLEW_ON-> Flight N-1
        Pilot Ada -FLEW_ON-> Flight N-2
        Flight N-1 -USED-> Craft Dove
        Flight N-2 -USED-> Craft Hawk
        Pilot Ben -FLEW_ON-> Flight N-1
    ";
    let question = "Which pilots have flown only on Dove?";
    let answer = support::ask(flights, question, &AskOptions::default()).await;
    assert_ne!(answer.status, AnswerStatus::Answered, "{}", answer.answer);
}

/// One of several that are asked for may be a part of them, where only prose tells of it.
#[rstest::rstest]
#[case("Which foundations fund Fern?", AnswerStatus::Partial)]
#[case("How many foundations fund Fern?", AnswerStatus::Partial)]
#[case("Which foundation funds Fern?", AnswerStatus::Answered)]
#[case("Which foundations fund Moss?", AnswerStatus::Answered)]
#[case("Which foundations fund Reed?", AnswerStatus::Answered)]
#[tokio::test]
async fn one_of_several_may_be_a_part(#[case] question: &str, #[case] expected: AnswerStatus) {
    let grants = "
        Foundation Aster -FUNDS-> Project Fern | confidence = 0.9
        Foundation Aster -FUNDS-> Project Moss | confidence = 0.9
        Foundation Briar -FUNDS-> Project Moss | confidence = 0.9
        Foundation Briar -FUNDS-> Project Reed
    ";
    let answer = support::ask(grants, question, &AskOptions::default()).await;
    assert_eq!(answer.status, expected, "{}", answer.answer);
}

/// Values of a property are ranked by how many have them; what is asked of things besides comes with them.
#[rstest::rstest]
#[case("Which region has the most wines?", "Africa", "2 wines")]
#[case("Which region has the fewest wines?", "South America", "1 wine")]
#[case("Which wines are from Africa, with their prices?", "Birk", "price 30")]
#[tokio::test]
async fn values_are_ranked_and_told(#[case] question: &str, #[case] first: &str, #[case] second: &str) {
    let answer = support::ask(CELLAR, question, &AskOptions::default()).await;
    assert!(answer.answer.contains(first) && answer.answer.contains(second), "{}", answer.answer);
}
