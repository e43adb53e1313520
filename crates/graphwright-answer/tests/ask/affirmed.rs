//! Yes or no: what holds the other way round, or only by way of something else, is not affirmed.

use std::{collections::BTreeSet, sync::Arc};

use graphwright_answer::{Answerer, AskOptions};

use crate::support;

/// How many facts, and how many pairs of which it is not so, are asked for.
const MOST: usize = 16;

#[rstest::rstest]
#[case("software-catalogue", "DEPENDS_ON", &["Does A depend on B?", "Is B used by A?"])]
#[case("software-catalogue", "OWNS", &["Does A own B?", "Is B owned by A?"])]
#[case("hospital", "TREATS", &["Does A treat B?", "Is B treated with A?"])]
#[case("hospital", "RECOMMENDS", &["Does A recommend B?"])]
#[case("hospital", "WRITTEN_BY", &["Was A written by B?", "Did B write A?"])]
#[case("wine", "TRAINED_UNDER", &["Did A train under B?", "Did B train A?"])]
#[case("wine", "OWNED_BY", &["Is A owned by B?", "Does B own A?"])]
#[case("wine", "MADE_FROM", &["Is A made from B?"])]
#[case("wine", "IMPORTS", &["Does A import B?"])]
#[tokio::test]
async fn only_what_is_so_is_affirmed(#[case] corpus: &str, #[case] kind: &str, #[case] questions: &[&str]) {
    let (topology, ontology) = support::gold_graph(&support::corpus(corpus));
    let facts: BTreeSet<(String, String)> = topology
        .relationships()
        .map(|fact| topology.edge(fact))
        .filter(|edge| &*edge.kind == kind)
        .map(|edge| [edge.start, edge.end].map(|end| topology.node(end).display_name().to_owned()))
        .map(|[a, b]| (a, b))
        .collect();
    let ends: BTreeSet<&String> = facts.iter().flat_map(|(a, b)| [a, b]).collect();
    let turned = facts.iter().map(|(a, b)| (b.clone(), a.clone()));
    let others = ends.iter().flat_map(|&a| ends.iter().map(move |&b| (a.clone(), b.clone())));
    let is_not_so = |pair: &(String, String)| pair.0 != pair.1 && !facts.contains(pair);
    let turned: Vec<_> = turned.filter(is_not_so).take(MOST).collect();
    let others: Vec<_> = others.filter(is_not_so).step_by(7).take(MOST).collect();

    let answerer = Answerer::new(Arc::new(support::Texts::default()), topology, &ontology);
    let (mut asked, mut affirmed) = (0, 0);
    for (a, b) in facts.iter().take(MOST).chain(&turned).chain(&others) {
        for question in questions {
            let question = question.replace('A', "\u{1}").replace('B', b).replace('\u{1}', a);
            let answer = answerer.ask(&question, &AskOptions::default()).await.unwrap();
            let yes = answer.answer.starts_with("Yes");
            if facts.contains(&(a.clone(), b.clone())) {
                (asked, affirmed) = (asked + 1, affirmed + usize::from(yes));
            } else {
                assert!(!yes, "{question} {}", answer.answer);
            }
        }
    }
    println!("{corpus} {kind}: {affirmed} of {asked}");
    assert!(asked > 0 && affirmed == asked, "{affirmed} of {asked} are affirmed");
}
