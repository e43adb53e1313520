//! Words that change what is asked, and questions that follow the graph further, over a market of forty companies and small graphs.

use graphwright_answer::{Answer, AnswerStatus, AskOptions};

use crate::support;

const MARKET: &str = include_str!("market.txt");

const PAPERS: &str = "
    Researcher Ada Sommer
    Researcher Ben Ode
    Researcher Cleo Marsh
    Researcher Dov Lind
    Researcher Ewa Rusk
    Institute Coldwater
    Researcher Ada Sommer -CO_AUTHORED_WITH-> Researcher Ben Ode
    Researcher Ben Ode -CO_AUTHORED_WITH-> Researcher Cleo Marsh
    Researcher Cleo Marsh -CO_AUTHORED_WITH-> Researcher Dov Lind
    Researcher Ada Sommer -WORKS_AT-> Institute Coldwater
    Researcher Dov Lind -WORKS_AT-> Institute Coldwater
    Researcher Ewa Rusk -WORKS_AT-> Institute Coldwater
";

const SHOP: &str = "
    Customer Ada | city = Oslo; joined = 2019-03-01 00:00:00.000
    Customer Ben | city = Oslo; joined = 2019-09-01 00:00:00.000
    Customer Cleo | city = Bergen; joined = 2021-01-01 00:00:00.000
    Order O-1
    Order O-2
    Order O-3
    Order O-4
    Product Kelp | kind = fish; price = 3; organic = true
    Product Cod | kind = fish; price = 9; organic = true
    Product Salt | kind = spice; price = 5; organic = false
    Customer Ada -PURCHASED-> Order O-1
    Customer Ada -PURCHASED-> Order O-2
    Customer Ben -PURCHASED-> Order O-3
    Customer Cleo -PURCHASED-> Order O-4
    Order O-1 -CONTAINS-> Product Kelp
    Order O-1 -CONTAINS-> Product Cod
    Order O-2 -CONTAINS-> Product Salt
    Order O-3 -CONTAINS-> Product Salt
    Order O-4 -CONTAINS-> Product Kelp
    Order O-4 -CONTAINS-> Product Salt
    Customer Ada -RATED-> Product Kelp
    Customer Ada -RATED-> Product Cod
    Customer Ben -RATED-> Product Kelp
    Customer Cleo -TASTED-> Product Cod
    Customer Cleo -RATED-> Product Cod
    Customer Ben -TASTED-> Product Salt
";

async fn ask(graph: &str, question: &str) -> Answer {
    support::ask(graph, question, &AskOptions::default()).await
}

#[rstest::rstest]
#[case("Which suppliers supply all competitors of Apex?", "Kestrel")]
#[case("Which suppliers are shared between Apex's competitors?", "Kestrel; Lorimer")]
#[case("Trace the chain of ownership of Nidder.", "Merrow; Lowther; Kirkby; Judson; Ingram; Hexham")]
#[case(
    "Trace the chain of ownership of Nidder through five levels",
    "Merrow; Lowther; Kirkby; Judson; Ingram"
)]
#[case("Trace the ownership chain of Nidder through 2 levels", "Merrow; Lowther")]
#[case("Who directly or indirectly owns Kirkby?", "Judson; Ingram; Hexham")]
#[case("Which products are affected by the disruption at Kestrel?", "Axle Set; Brake Kit; Cab Glass")]
#[case("Which products are affected by the coming end of Kestrel?", "Axle Set; Brake Kit; Cab Glass")]
#[case("Which companies supply neither Umber nor Calder but supply Apex?", "Pendle")]
#[tokio::test]
async fn a_market(#[case] question: &str, #[case] expected: &str) {
    let answer = ask(MARKET, question).await;
    assert!(support::agrees(&answer, expected), "{:?} {}", answer.status, answer.answer);
}

#[rstest::rstest]
#[case("Which customers purchased all products?", "Ada")]
#[case("Which customers purchased more than 2 products?", "Ada")]
#[case("Who rated Kelp but not Cod?", "Ben")]
#[case("Who rated Cod and no other product?", "Cleo")]
#[case("What did Ada rate apart from Kelp?", "Cod")]
#[case("Who tasted the product they rated?", "Cleo")]
#[case("Which product has the second highest price?", "Salt")]
#[case("Which of Ada's rated products is the most expensive?", "Cod")]
#[case("Which customers joined after Ada?", "Ben; Cleo")]
#[case("Hi, which customers live in Oslo?", "Ada; Ben")]
#[tokio::test]
async fn a_shop(#[case] question: &str, #[case] expected: &str) {
    let answer = ask(SHOP, question).await;
    assert!(support::agrees(&answer, expected), "{:?} {}", answer.status, answer.answer);
}

const PLANS: &str = "
    Plan Gates | number = 12; created = 2020-01-01; status = implementable; approvers = Ann Lee
    Plan Ropes | number = 13; created = 2021-01-01; status = implemented; approvers = Bo Ek
    Plan Oars | number = 14; created = 2022-01-01; status = implemented; approvers = Bo Ek
    Plan Gates -REPLACES-> Plan Ropes
    Shop Quay | phone_number = 555
";

#[rstest::rstest]
// What stands before the participle is asked for, not what a clause behind it names.
#[case("When was the plan created that Gates replaces?", "2021-01-01")]
// A value that is said outright is no form of another one.
#[case("How many plans are implementable?", "1")]
#[case("Who approved plan 13?", "Bo Ek")]
#[case("What is the phone number of Quay?", "555")]
#[tokio::test]
async fn plans_that_documents_tell_of(#[case] question: &str, #[case] expected: &str) {
    let answer = ask(PLANS, question).await;
    assert!(support::agrees(&answer, expected), "{:?} {}", answer.status, answer.answer);
}

#[tokio::test]
async fn what_is_told_about_may_be_described_in_place_of_named() {
    let answer = ask(SHOP, "Tell me about the customer who rated Cod and lives in Bergen.").await;
    assert!(support::agrees(&answer, "Cleo"), "{:?} {}", answer.status, answer.answer);
    assert!(answer.answer.contains("Cleo is a customer (city Bergen"), "{}", answer.answer);
    let named = ask(SHOP, "Tell me about the customer Ada.").await;
    assert!(named.answer.starts_with("Ada is a customer"), "{}", named.answer);
}

/// Everybody who rates something rates products, so `only` must mean something else.
#[tokio::test]
async fn a_word_of_which_nothing_is_made_is_told() {
    for (question, word) in [
        ("Who has only rated products?", "only"),
        ("Which customers rated a different product?", "different"),
    ] {
        let answer = ask(SHOP, question).await;
        assert_eq!(answer.status, AnswerStatus::Partial, "{question} {}", answer.answer);
        assert!(answer.answer.starts_with(&format!("Not used: \"{word}\".")), "{}", answer.answer);
    }
}

#[tokio::test]
async fn a_path_keeps_to_the_relationship_that_is_named() {
    let any = ask(PAPERS, "What is the shortest path between Ada Sommer and Dov Lind?").await;
    assert_eq!(any.paths[0].relationships.len(), 2, "{}", any.answer);
    let by_papers =
        ask(PAPERS, "What is the shortest path between Ada Sommer and Dov Lind through co-authorship?").await;
    assert_eq!(by_papers.paths.len(), 1, "{}", by_papers.answer);
    assert!(by_papers.paths[0].relationships.iter().all(|step| step.kind == "CO_AUTHORED_WITH"));
    assert!(by_papers.answer.contains("through CO_AUTHORED_WITH (3 hops)"), "{}", by_papers.answer);
}

#[tokio::test]
async fn how_far_a_path_may_go_is_told_and_can_be_set() {
    let question = "What is the shortest path between Nidder and Hexham?";
    let near = ask(MARKET, question).await;
    assert_eq!(near.status, AnswerStatus::NoPath);
    assert!(near.answer.contains("within 5 hops"), "{}", near.answer);
    let far = support::ask(MARKET, question, &AskOptions::default().hops(6)).await;
    assert_eq!((far.status, far.paths[0].relationships.len()), (AnswerStatus::Answered, 6));
}

#[rstest::rstest]
#[case("Are all fish products cheaper than 10?", "Yes: 2 of 2 products")]
#[case("Are all products cheaper than 4?", "No: 1 of 3 products: Kelp")]
#[case("Are all organic products cheaper than 8?", "No: 1 of 2 products: Kelp is the product")]
#[case("Are all products cheaper than 8 organic?", "No: 1 of 2 products: Kelp is the product")]
#[case("Did Ada rate all fish products?", "Yes: 2 of 2 products")]
#[tokio::test]
async fn what_is_asked_of_all_is_so_of_each_or_denied_by_a_value(#[case] question: &str, #[case] said: &str) {
    let answer = ask(SHOP, question).await;
    assert_eq!(answer.status, AnswerStatus::Answered, "{}", answer.answer);
    assert!(answer.answer.starts_with(said), "{}", answer.answer);
}

/// The thing that denies it comes first, with the value that does.
#[tokio::test]
async fn what_denies_a_claim_about_all_is_its_proof() {
    for (question, thing, said) in [
        ("Are all organic products cheaper than 8?", "Cod", "Not Cod (9)."),
        ("Are all products cheaper than 8 organic?", "Salt", "Not Salt (no)."),
    ] {
        let answer = ask(SHOP, question).await;
        let names: Vec<&str> = answer.entities.iter().map(|entity| entity.name.as_str()).collect();
        assert_eq!(names, [thing], "{}", answer.answer);
        assert!(answer.answer.contains(said), "{}", answer.answer);
    }
}

/// A relationship that the graph lacks denies nothing: the answer tells of how many it is so.
#[tokio::test]
async fn what_the_graph_lacks_of_all_is_told_and_not_denied() {
    let answer = ask(SHOP, "Did Cleo rate all fish products?").await;
    assert_eq!(answer.status, AnswerStatus::NotInGraph);
    assert!(answer.answer.contains("1 of 2 products: Cod"), "{}", answer.answer);
    assert!(answer.answer.contains("Not Kelp."), "{}", answer.answer);
}
