//! How answers read: names first, then what the graph says of them.

use std::{fmt::Write, sync::Arc};

use graphwright_answer::{Answerer, AskOptions};

use crate::support;

const QUESTIONS: [&str; 26] = [
    "Which services written in Go are affected by the deprecation of auth-lib-v2?",
    "Who leads the team that owns order-service?",
    "Which library replaces auth-lib-v2?",
    "Which Go services do not use auth-lib-v2?",
    "How many services are written in TypeScript?",
    "How many services are written in Rust?",
    "Which team owns the most services?",
    "Does ledger depend on retry-go?",
    "Does seat-planner depend on geo-kit?",
    "Is ledger written in Go?",
    "When was DEP-014 announced?",
    "How many replicas do the services of Payments have in total?",
    "Who is on call for more than one service?",
    "On which libraries does legacy-export depend, directly or indirectly?",
    "What connects mail-courier and ledger?",
    "What is session-cache?",
    "Which services in Rust depend on pdf-forge?",
    "What is the salary of Jonas Weber?",
    "Who owns the thing that uses auth-lib-v2?",
    "How many things that use auth-lib-v2 are owned by Payments?",
    "Who depends on ledger?",
    "Does ledger depend on order-service?",
    "Does auth-lib-v2 depend on ledger?",
    "Which service does money-types depend on?",
    "Does auth-lib-v2 own Platform?",
    "Is auth-lib-v2 a service?",
];

#[tokio::test]
async fn answers_of_the_sample() {
    let (topology, ontology) = support::gold_graph(&support::corpus("software-catalogue"));
    let answerer = Answerer::new(Arc::new(support::Texts::default()), topology, &ontology);
    let mut said = String::new();
    for question in QUESTIONS {
        let answer = answerer.ask(question, &AskOptions::default()).await.unwrap();
        let text = answer.answer.trim_end_matches("(Read from the graph; no model was used.)").trim_end();
        writeln!(said, "{question}\n    {}", text.replace('\n', "\n    ")).unwrap();
    }
    insta::assert_snapshot!(said);
}
