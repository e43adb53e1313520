use std::{collections::BTreeMap, path::PathBuf};

use graphwright_core::{Span, Value};
use graphwright_documents::{
    Extraction,
    extraction::{ExtractedEntity, ExtractedFact, ExtractedProperty},
};

use super::{
    Measures, Scorer, baselines, gold, ontologies, ontology, parse_numbers, published, sentences, triples,
};

#[test]
fn numbers_of_ontologies() {
    assert_eq!(parse_numbers("2-4"), Ok(2..=4));
    assert_eq!(parse_numbers("3"), Ok(3..=3));
    assert!(parse_numbers("4-2").is_err());
    assert!(parse_numbers("movies").is_err());
}

#[test]
fn facts_and_properties_become_triples() {
    let span = Span::new(0, 1);
    let property = |name: &str, value| ExtractedProperty { name: name.into(), value, confidence: 1.0, span };
    let ship = ExtractedEntity {
        name: "Aurora".into(),
        properties: vec![
            property("launch_date", Value::Date("1917-03-09".parse().unwrap())),
            property("colours", Value::List(vec![Value::from("red"), Value::from("blue")])),
        ],
        ..ExtractedEntity::default()
    };
    let port = ExtractedEntity { name: "Oslo".into(), ..ExtractedEntity::default() };
    let fact = ExtractedFact {
        kind: "HOME_PORT".into(),
        from: 0,
        to: 1,
        properties: BTreeMap::default(),
        confidence: 1.0,
        span,
    };
    let extraction = Extraction { entities: vec![ship, port], facts: vec![fact], ..Extraction::default() };
    let shown: Vec<String> = triples(&extraction)
        .unwrap()
        .into_iter()
        .map(|(subject, relation, object)| format!("{subject} | {relation} | {object}"))
        .collect();
    assert_eq!(
        shown,
        [
            "Aurora | colours | blue",
            "Aurora | colours | red",
            "Aurora | home_port | Oslo",
            "Aurora | launch_date | 09 March 1917",
        ]
    );
}

/// Compares our measures of the language model with those that the benchmark's authors published.
///
/// They stem with another stemmer, so hallucination may differ a little. They also count a relation
/// as foreign if it lacks the space that two labels end in, so conformance may differ; without
/// that, it is equal for every sentence.
#[test]
#[ignore = "needs public data"]
fn our_measures_are_those_of_the_benchmark() {
    let folder =
        PathBuf::from(std::env::var_os("GRAPHWRIGHT_DATA").unwrap()).join("text2kgbench/wikidata_tekgen");
    for (_, name) in ontologies(&folder).unwrap() {
        let text = std::fs::read_to_string(folder.join(format!("ontologies/owl/{name}.ttl"))).unwrap();
        let converted = ontology::convert(&text).unwrap();
        let scorer = Scorer::new(&converted.concepts, &converted.relations);
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for (sentence, baseline) in
            sentences(&folder, &name).unwrap().iter().zip(baselines(&folder, &name).unwrap())
        {
            assert_eq!(sentence.id, baseline.id);
            let part = |triple: &Vec<String>, index: usize| triple[index].clone();
            let stated: Vec<_> =
                baseline.llm_triples.iter().map(|it| (part(it, 0), part(it, 1), part(it, 2))).collect();
            ours.push(scorer.score(&sentence.sent, &stated, &gold(sentence)));
            theirs.push(published(&baseline).unwrap());
        }
        let (ours, theirs) = (Measures::mean(&ours), Measures::mean(&theirs));
        for (what, our, their, tolerance) in [
            ("precision", ours.precision, theirs.precision, 0.002),
            ("recall", ours.recall, theirs.recall, 0.002),
            ("F1", ours.f1, theirs.f1, 0.002),
            ("conformance", ours.conformance, theirs.conformance, 0.03),
            ("subject", ours.subject_hallucination, theirs.subject_hallucination, 0.03),
            ("object", ours.object_hallucination, theirs.object_hallucination, 0.03),
        ] {
            assert!((our - their).abs() < tolerance, "{name}: {what} is {our:.3}, published {their:.3}");
        }
    }
}
