use graphwright_core::Value;

use super::*;
use crate::{
    NeighbourhoodOptions, PathOptions,
    fixture::{at, node, properties, relationship},
};

fn graph() -> Topology {
    let mut auth = node("Service:auth");
    auth.properties.extend(properties(&[
        ("language", "Go".into()),
        ("tier", 1_i64.into()),
        ("embedding", vec![0.5_f64; 300].into()),
        ("aliases", vec!["login \"service\""].into()),
    ]));
    let mut uses = relationship("auth -USES 0.9-> lib");
    uses.properties.extend(properties(&[
        ("confidence", 0.7.into()),
        ("since", Value::Date(jiff_date())),
        ("chunks", vec!["c0"].into()),
    ]));
    let nodes = vec![auth, node("Service:pay"), node("My Library:lib")];
    let relationships = vec![uses, relationship("pay -USES 0.8-> lib")];
    Topology::from_parts("1", nodes, relationships)
}

fn jiff_date() -> jiff::civil::Date {
    jiff::civil::date(2021, 3, 4)
}

fn context(topology: &Topology) -> Context {
    let [auth, pay] = ["auth", "pay"].map(|id| at(topology, id));
    let mut context =
        Context::from_neighbourhood(&topology.neighbourhood(&[auth], &NeighbourhoodOptions::default()));
    for path in topology.best_paths(&[auth], &[pay], &PathOptions::default()).paths {
        context.add_path(path);
    }
    context.add_passage(Passage {
        document: "notes.md".into(),
        chunk: "c0".into(),
        start: 10,
        end: 31,
        page: None,
        text: "auth uses lib\nsince 2021".into(),
        score: 0.7,
    });
    context
}

fn render(format: ContextFormat, budget: u64) -> RenderedContext {
    let topology = graph();
    context(&topology).render(&topology, format, budget)
}

#[test]
fn markdown() {
    insta::assert_snapshot!(render(ContextFormat::Markdown, 1_000).text, @r#"
    ## Paths

    - auth —USES→ lib ←USES— pay

    ## Entities

    - **auth** (Service): aliases: login "service"; language: Go; tier: 1
    - **lib** (My Library)
    - **pay** (Service)

    ## Relationships

    - auth —USES→ lib (confidence 0.7; since: 2021-03-04)
    - pay —USES→ lib

    ## Passages

    > auth uses lib
    > since 2021
    > (notes.md, bytes 10–31)
    "#);
}

#[test]
fn cypher() {
    insta::assert_snapshot!(render(ContextFormat::Cypher, 1_000).text, @r#"
    (:Service {name: "auth"})-[:USES {confidence: 0.7, since: "2021-03-04"}]->(:`My Library` {name: "lib"})<-[:USES]-(:Service {name: "pay"})
    (:Service {name: "auth", aliases: ["login \"service\""], language: "Go", tier: 1})
    (:`My Library` {name: "lib"})
    (:Service {name: "auth"})-[:USES {confidence: 0.7, since: "2021-03-04"}]->(:`My Library` {name: "lib"})
    (:Service {name: "pay"})-[:USES]->(:`My Library` {name: "lib"})
    (:Service {name: "pay"})
    (:Chunk {document: "notes.md", start: 10, end: 31, text: "auth uses lib\nsince 2021"})
    "#);
}

#[test]
fn json() {
    let text = render(ContextFormat::Json, 1_000).text;
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    insta::assert_json_snapshot!(value);
}

#[test]
fn what_does_not_fit_is_counted_and_the_best_stays() {
    let rendered = render(ContextFormat::Markdown, 45);
    assert!(rendered.tokens <= 45 && !rendered.left_out.is_nothing());
    insta::assert_snapshot!(rendered.text, @r"
    ## Paths

    - auth —USES→ lib ←USES— pay

    Left out for length: 3 entities, 2 relationships, 1 passage.
    ");
}

#[test]
fn every_budget_is_kept_and_everything_is_accounted_for() {
    for format in [ContextFormat::Markdown, ContextFormat::Json, ContextFormat::Cypher] {
        let whole = render(format, 10_000);
        assert!(whole.left_out.is_nothing());
        for budget in 0..whole.tokens + 5 {
            let rendered = render(format, budget);
            assert!(rendered.tokens <= budget);
            assert_eq!(rendered.tokens, estimate_tokens(&rendered.text));
            let LeftOut { entities, relationships, paths, passages } = rendered.left_out;
            let missing = entities + relationships + paths + passages;
            assert_eq!(missing == 0, rendered.text == whole.text, "{format:?} {budget}");
            assert!(missing <= 7);
        }
    }
}
