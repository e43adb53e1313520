//! Stories on a small graph: people, where they live, and whom they know.

use graphwright_core::Value;

use crate::{
    Example, Graph, GraphBuilder, Kept, Meaning, Model, agrees, learn, learn_and_measure, meaning_of,
    meanings_of_answers,
};

const TOWNS: [&str; 4] = ["Leeds", "York", "Hull", "Bath"];
const PEOPLE: [&str; 8] = ["Ada", "Boris", "Clara", "Dora", "Emil", "Fanny", "Gustav", "Hanna"];

/// Person `n` lives in town `n mod 4`, is `20 + n` years old and knows the next two.
fn graph() -> Graph {
    let mut builder = GraphBuilder::default();
    for town in TOWNS {
        builder.node("Town", [("name", &Value::from(town))]);
    }
    for (at, person) in PEOPLE.iter().enumerate() {
        let (name, age) = (Value::from(*person), Value::Integer(20 + at as i64));
        builder.node("Person", [("name", &name), ("age", &age)]);
        builder.relationship(4 + at as u32, "LIVES_IN", at as u32 % 4);
    }
    for at in 0..8_u32 {
        for other in [1, 2] {
            builder.relationship(4 + at, "KNOWS", 4 + (at + other) % 8);
        }
    }
    builder.build()
}

fn meaning(cypher: &str, graph: &Graph) -> Meaning {
    meaning_of(cypher, graph).unwrap()
}

fn names(meaning: &Meaning, graph: &Graph) -> Vec<&'static str> {
    let nodes = graph.run(meaning).nodes.into_iter();
    nodes.map(|node| if node < 4 { TOWNS[node as usize] } else { PEOPLE[node as usize - 4] }).collect()
}

fn examples(graph: &Graph) -> Vec<Example> {
    let mut examples = Vec::new();
    let mut add = |question: String, cypher: String| {
        examples.push(Example { question, meanings: vec![meaning(&cypher, graph)] });
    };
    for town in &TOWNS[..3] {
        let people = format!("MATCH (p:Person)-[:LIVES_IN]->(t:Town {{name: \"{town}\"}})");
        add(format!("Who dwells in {town}?"), format!("{people} RETURN p"));
        add(format!("Which folks dwell in {town}?"), format!("{people} RETURN p"));
        add(format!("How many folks dwell in {town}?"), format!("{people} RETURN count(DISTINCT p)"));
        add(
            format!("Who is the oldest who dwells in {town}?"),
            format!("{people} RETURN p ORDER BY p.age DESC LIMIT 1"),
        );
        add(format!("What are the ages of folks who dwell in {town}?"), format!("{people} RETURN p.age"));
    }
    for person in &PEOPLE[..6] {
        let pals = format!("MATCH (p:Person)-[:KNOWS]-(o:Person {{name: \"{person}\"}})");
        add(format!("Who is a pal of {person}?"), format!("{pals} RETURN p"));
        add(format!("How many pals has {person}?"), format!("{pals} RETURN count(DISTINCT p)"));
    }
    examples
}

fn read(model: &Model, question: &str, graph: &Graph) -> Meaning {
    model.understand(question, graph).unwrap().meaning
}

#[test]
fn a_query_is_read_and_written_again() {
    let graph = graph();
    let cypher = "MATCH (p:Person)-[:KNOWS]-(:Person)-[:LIVES_IN]-(t:Town WHERE t.name = 'York') RETURN p ORDER BY p.age LIMIT 1";
    let statement = meaning(cypher, &graph).statement(graph.schema()).unwrap();
    assert_eq!(
        statement.text(),
        "MATCH (x0:Person)-[:KNOWS]-(x1:Person)-[:LIVES_IN]->(x2:Town) WHERE x2.name = $value_0 RETURN DISTINCT x0 ORDER BY x0.age LIMIT 1"
    );
    assert_eq!(statement.parameters()["value_0"], Value::from("York"));
}

#[test]
fn queries_of_other_kinds_are_told() {
    let graph = graph();
    for (cypher, reason) in [
        ("MATCH (p:Person) WHERE p.age > 3 RETURN p", "otherwise than for equality"),
        ("MATCH (p:Robot) RETURN p", "no label `Robot`"),
        ("MATCH (p:Person)-[:KNOWS*2]-(q:Person) RETURN p", "any length"),
        ("MATCH (p:Person) RETURN p LIMIT 5", "LIMIT without ORDER BY"),
        ("MATCH (p:Person) SET p.age = 1", "does not end with RETURN"),
        ("MATCH (p:Person RETURN p", "has a fault"),
    ] {
        let told = meaning_of(cypher, &graph).unwrap_err();
        assert!(told.contains(reason), "{cypher}: {told}");
    }
}

#[test]
fn a_relationship_is_not_walked_twice() {
    let graph = graph();
    let cypher = "MATCH (p:Person)-[:LIVES_IN]->(:Town)<-[:LIVES_IN]-(q:Person {name: 'Ada'}) RETURN p";
    assert_eq!(names(&meaning(cypher, &graph), &graph), ["Emil"]);
}

#[test]
fn questions_with_other_values_are_read() {
    let graph = graph();
    let (model, report) = learn(&examples(&graph), &graph);
    assert!(report.unlinked.is_empty());
    for (question, cypher) in [
        ("Who dwells in Bath?", "MATCH (p:Person)-[:LIVES_IN]->(:Town {name: 'Bath'}) RETURN p"),
        (
            "How many folks dwell in Bath?",
            "MATCH (p:Person)-[:LIVES_IN]->(:Town {name: 'Bath'}) RETURN count(DISTINCT p)",
        ),
        (
            "How many pals has Hanna?",
            "MATCH (p:Person)-[:KNOWS]-(:Person {name: 'Hanna'}) RETURN count(DISTINCT p)",
        ),
    ] {
        let gold = meaning(cypher, &graph);
        let found = read(&model, question, &graph);
        assert!(agrees(&gold, &graph.run(&gold), &found, &graph.run(&found)), "{question}: {found:?}");
    }
}

#[test]
fn questions_longer_than_all_that_taught_are_read() {
    let graph = graph();
    let mut examples = examples(&graph);
    let mut add = |question: String, cypher: String| {
        examples.push(Example { question, meanings: vec![meaning(&cypher, &graph)] });
    };
    for (town, person) in TOWNS.iter().zip(&PEOPLE[..3]) {
        add(
            format!("Which people live in {town}?"),
            format!("MATCH (p:Person)-[:LIVES_IN]->(:Town {{name: '{town}'}}) RETURN p"),
        );
        add(
            format!("Which people know {person}?"),
            format!("MATCH (p:Person)-[:KNOWS]-(:Person {{name: '{person}'}}) RETURN p"),
        );
    }
    let (model, _) = learn(&examples, &graph);
    for (question, cypher) in [
        (
            "Which people know people who live in Bath?",
            "MATCH (p:Person)-[:KNOWS]-(:Person)-[:LIVES_IN]->(:Town {name: 'Bath'}) RETURN p",
        ),
        (
            "Who dwells in York and is a pal of Hanna?",
            "MATCH (p:Person)-[:LIVES_IN]->(:Town {name: 'York'}) MATCH (p)-[:KNOWS]-(:Person {name: 'Hanna'}) RETURN p",
        ),
        (
            "Give me the ages of folks who dwell in Bath.",
            "MATCH (p:Person)-[:LIVES_IN]->(:Town {name: 'Bath'}) RETURN p.age",
        ),
        (
            "What are the ages of pals of Hanna?",
            "MATCH (p:Person)-[:KNOWS]-(:Person {name: 'Hanna'}) RETURN p.age",
        ),
    ] {
        let gold = meaning(cypher, &graph);
        let found = read(&model, question, &graph);
        assert!(agrees(&gold, &graph.run(&gold), &found, &graph.run(&found)), "{question}: {found:?}");
    }
}

#[test]
fn larger_trees_grow_from_those_that_are_listed() {
    let graph = graph();
    let (mut model, _) = learn(&examples(&graph), &graph);
    model.shapes.retain(|shape| shape.steps.len() < 2);
    let sentence = model.sentence("Who is a pal of folks who dwell in York?", &graph);
    let rated = model.rate(&sentence, &graph, &[]);
    assert!(rated.iter().any(|one| one.reading.things.len() == 3));
}

#[test]
fn answers_teach_too() {
    let graph = graph();
    let mut examples = Vec::new();
    for (at, person) in PEOPLE[..7].iter().enumerate() {
        let question = format!("what is the burrow of {person}");
        let meanings = meanings_of_answers(&question, Some(person), &[TOWNS[at % 4].to_owned()], &graph);
        assert!(!meanings.is_empty(), "{question}");
        examples.push(Example { question, meanings });
    }
    let (model, _) = learn(&examples, &graph);
    assert_eq!(names(&read(&model, "what is the burrow of Hanna", &graph), &graph), ["Bath"]);
}

#[test]
fn what_was_learned_is_kept_and_damage_is_told() {
    let graph = graph();
    let (model, _) = learn_and_measure(&examples(&graph), &graph, &|_| {});
    let file = std::env::temp_dir().join(format!("graphwright-learn-{}.jsonl", std::process::id()));
    model.write(&file, graph.schema()).unwrap();
    let kept = Kept::read(&file).unwrap().unwrap();
    assert!(!kept.is_of_other_schema(graph.schema()));
    assert_eq!(kept.quality(), model.quality());
    let again = kept.model(graph.schema());
    let question = "Who is the oldest who dwells in Bath?";
    assert_eq!(read(&again, question, &graph), read(&model, question, &graph));

    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, &text[..text.len() / 2]).unwrap();
    assert!(Kept::read(&file).unwrap_err().to_string().contains("is damaged"));
    std::fs::write(&file, text.replacen("\"version\":2", "\"version\":9", 1)).unwrap();
    assert!(Kept::read(&file).unwrap_err().to_string().contains("newer version"));
    std::fs::write(&file, text.replacen("\"version\":2", "\"version\":1", 1)).unwrap();
    assert!(Kept::read(&file).unwrap_err().to_string().contains("older version"));
    std::fs::remove_file(&file).unwrap();
    assert!(Kept::read(&file).unwrap().is_none());
}

#[test]
fn learning_gives_the_same_each_time() {
    let graph = graph();
    let examples = examples(&graph);
    let lists = [(); 2].map(|()| learn(&examples, &graph).0.weights.list());
    assert_eq!(lists[0], lists[1]);
}
