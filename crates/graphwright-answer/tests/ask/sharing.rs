//! What is done together, by one of several verbs, or for each of several that are named; and who or what is meant by a part,
//! a place or the first letters.

use graphwright_answer::AskOptions;

use crate::support;

const FILMS: &str = "
    Person Ada | dob = 1971-05-02
    Person Ben | dob = 1980-11-20
    Person Cleo | dob = 1988-05-30
    Person Dov | dob = 1990-01-01
    Film Dawn
    Film Dusk
    Film Noon
    Person Ada -ACTED_IN-> Film Dawn
    Person Ben -ACTED_IN-> Film Dawn
    Person Ben -ACTED_IN-> Film Dusk
    Person Cleo -ACTED_IN-> Film Dusk
    Person Ada -ACTED_IN-> Film Noon
    Person Cleo -ACTED_IN-> Film Noon
    Person Dov -WROTE-> Film Dawn
    Person Ben -DIRECTED-> Film Dawn
    Person Dov -DIRECTED-> Film Noon
    Person Ben -FOLLOWS-> Person Ada
    Person Ada -FOLLOWS-> Person Cleo
";

#[rstest::rstest]
#[case("Who acted with Ada?", "Ben; Cleo")]
#[case("Who has acted together with Cleo?", "Ada; Ben")]
#[case("Who acted with both Ada and Cleo?", "Ben")]
#[case("Who did not act with Ada?", "Dov")]
#[case("Who wrote or directed Dawn?", "Dov; Ben")]
#[case("Who wrote, directed or acted in Noon?", "Dov; Ada; Cleo")]
#[case("Which films were written or directed by Dov?", "Dawn; Noon")]
#[case("Who never acted in or directed a film?", "not in graph")]
#[case("Did Ben write or direct Dawn?", "yes")]
#[case("Who are Ada's followers?", "Ben")]
#[case("What is Cleo's date of birth?", "1988-05-30")]
#[tokio::test]
async fn films(#[case] question: &str, #[case] expected: &str) {
    let answer = support::ask(FILMS, question, &AskOptions::default()).await;
    assert!(support::agrees(&answer, expected), "{:?} {}", answer.status, answer.answer);
}

const TRADE: &str = "
    Supplier Arlen | country = Germany
    Supplier Brook | country = Japan
    Supplier Crane | country = Germany
    Product Kelp | price = 3; maker = NORDSEE GMBH
    Product Cod | price = 9; maker = NORDSEE GMBH
    Product Salt | price = 5; maker = SALINE AG
    Category Seafood
    Category Spices
    Delivery D-1 | quantity = 40
    Delivery D-2 | quantity = 60
    Town Rome
    Town Oslo
    Supplier Arlen -SUPPLIES-> Product Kelp
    Supplier Brook -SUPPLIES-> Product Cod
    Supplier Crane -SUPPLIES-> Product Salt
    Product Kelp -PART_OF-> Category Seafood
    Product Cod -PART_OF-> Category Seafood
    Product Salt -PART_OF-> Category Spices
    Delivery D-1 -CONTAINS-> Product Kelp
    Delivery D-2 -CONTAINS-> Product Kelp
    Delivery D-1 -SENT_FROM-> Town Oslo
    Delivery D-1 -SENT_TO-> Town Rome
    Delivery D-2 -SENT_FROM-> Town Rome
    Delivery D-2 -SENT_TO-> Town Oslo
";

#[rstest::rstest]
#[case("Who supplies seafood?", "Arlen; Brook")]
#[case("Which products do German suppliers supply?", "Kelp; Salt")]
#[case("Which products are made by Nordsee?", "Kelp; Cod")]
#[case("What is the highest price?", "9")]
#[case("I need the price of Cod", "9")]
#[case("Which deliveries to Rome are there?", "D-1")]
#[case("Which deliveries from Rome are there?", "D-2")]
#[case("What are the two priciest products?", "Cod; Salt")]
#[tokio::test]
async fn trade(#[case] question: &str, #[case] expected: &str) {
    let answer = support::ask(TRADE, question, &AskOptions::default()).await;
    assert!(support::agrees(&answer, expected), "{:?} {}", answer.status, answer.answer);
}

#[tokio::test]
async fn the_most_common_value_is_counted() {
    let question = "What is the most common country of suppliers?";
    let answer = support::ask(TRADE, question, &AskOptions::default()).await;
    assert!(answer.answer.starts_with("Germany: 2 suppliers."), "{}", answer.answer);
}

const STRIKES: &str = "
    Airport Memphis Intl
    Airport Dulles Intl
    Strike Memphis Intl, A-300, 2001-07-11 | cost_other = 9; cost = 1
    Strike Memphis Intl, A-300, 2001-07-26 | cost_other = 0; cost = 5
    Strike Memphis Intl, A-310, 2001-07-27 | cost_other = 0; cost = 2
    Strike Memphis Intl, A-310, 2001-07-28 | cost_other = 0; cost = 2
    Strike Memphis Intl, A-310, 2001-07-29 | cost_other = 0; cost = 2
    Strike Memphis Intl, A-310, 2001-08-01 | cost_other = 0; cost = 2
    Strike Memphis Intl, A-310, 2001-08-02 | cost_other = 0; cost = 2
    Strike Memphis Intl, A-310, 2001-08-03 | cost_other = 0; cost = 2
    Strike Dulles Intl, MD-82, 2001-08-03 | cost_other = 0; cost = 3
    Strike Memphis Intl, A-300, 2001-07-11 -HAPPENED_AT-> Airport Memphis Intl
    Strike Memphis Intl, A-300, 2001-07-26 -HAPPENED_AT-> Airport Memphis Intl
    Strike Dulles Intl, MD-82, 2001-08-03 -HAPPENED_AT-> Airport Dulles Intl
";

#[rstest::rstest]
// The airport, not each of the strikes that are called by it.
#[case("How many strikes happened at Memphis?", "2")]
// What is called `cost`, not what has the word in its name.
#[case("What is the most expensive strike?", "Memphis Intl, A-300, 2001-07-26")]
#[tokio::test]
async fn strikes(#[case] question: &str, #[case] expected: &str) {
    let answer = support::ask(STRIKES, question, &AskOptions::default()).await;
    assert!(support::agrees(&answer, expected), "{:?} {}", answer.status, answer.answer);
}
