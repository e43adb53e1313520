//! A small graph of films, and a model that plays what it is told.

use std::sync::{Arc, Mutex};

use graphwright_answer::{Answer, Answerer, Event};
use graphwright_core::{GraphStore, NodeKey, Properties, RelationshipKey, Value, store::ChangeSet};
use graphwright_embedded::EmbeddedStore;
use graphwright_llm::{ChatModel, ScriptedModel};
use graphwright_text2cypher::{FlowName, FlowOptions, Text2Cypher};

const FILMS: [(&str, Option<i64>, &str); 5] = [
    ("The Matrix", Some(1999), "Sci-Fi"),
    ("Speed Racer", Some(2008), "Sci-Fi"),
    ("Cloud Atlas", Some(2012), "Drama"),
    ("Top Gun", Some(1986), "Action"),
    // Nobody knows when it will come out.
    ("The Lost Reel", None, "Drama"),
];
const PEOPLE: [(&str, i64); 5] = [
    ("Keanu Reeves", 1964),
    ("Hugo Weaving", 1960),
    ("Lana Wachowski", 1965),
    ("Tom Cruise", 1962),
    ("Tony Scott", 1944),
];
const FACTS: [(&str, &str, &str); 8] = [
    ("Keanu Reeves", "ACTED_IN", "The Matrix"),
    ("Hugo Weaving", "ACTED_IN", "The Matrix"),
    ("Hugo Weaving", "ACTED_IN", "Cloud Atlas"),
    ("Tom Cruise", "ACTED_IN", "Top Gun"),
    ("Lana Wachowski", "DIRECTED", "The Matrix"),
    ("Lana Wachowski", "DIRECTED", "Speed Racer"),
    ("Lana Wachowski", "DIRECTED", "Cloud Atlas"),
    ("Tony Scott", "DIRECTED", "Top Gun"),
];

/// Returns a store with the films.
pub(crate) async fn films() -> Arc<dyn GraphStore> {
    let store = EmbeddedStore::in_memory();
    let mut changes = ChangeSet::new();
    let text = |name: &str, value: &str| (name.to_owned(), Value::from(value));
    for (title, released, genre) in FILMS {
        let mut properties = Properties::from([text("title", title)]);
        properties.extend(released.map(|year| ("released".to_owned(), year.into())));
        changes.upsert_node(NodeKey::new("Movie", title), &[], properties);
        changes.upsert_node(NodeKey::new("Genre", genre), &[], Properties::from([text("name", genre)]));
        changes.upsert_relationship(fact(("Movie", title), "IN_GENRE", ("Genre", genre)), Properties::new());
    }
    for (name, born) in PEOPLE {
        let properties = Properties::from([text("name", name), ("born".to_owned(), born.into())]);
        changes.upsert_node(NodeKey::new("Person", name), &[], properties);
    }
    for (person, kind, title) in FACTS {
        changes.upsert_relationship(fact(("Person", person), kind, ("Movie", title)), Properties::new());
    }
    store.apply(changes).await.unwrap();
    Arc::new(store)
}

fn fact(from: (&str, &str), kind: &str, to: (&str, &str)) -> RelationshipKey {
    RelationshipKey {
        kind: kind.to_owned(),
        id: format!("{}-{kind}-{}", from.1, to.1),
        from: NodeKey::new(from.0, from.1),
        to: NodeKey::new(to.0, to.1),
    }
}

/// What became of a question.
pub(crate) struct Story {
    pub(crate) answer: Answer,
    pub(crate) events: Vec<Event>,
    /// The last message of each request to the model.
    pub(crate) asked: Vec<String>,
}

impl Story {
    /// The steps that were told while it happened.
    pub(crate) fn told(&self) -> String {
        let steps = self.events.iter().filter_map(|event| match event {
            Event::Step { what } => Some(what.as_str()),
            _ => None,
        });
        steps.collect::<Vec<_>>().join("\n")
    }

    /// The queries that ran, as they were told.
    pub(crate) fn queries(&self) -> Vec<&str> {
        let queries = self.events.iter().filter_map(|event| match event {
            Event::Query { text, .. } => Some(text.as_str()),
            _ => None,
        });
        queries.collect()
    }

    /// The kinds of the relationships of the paths, each path on its own.
    pub(crate) fn path_kinds(&self) -> Vec<Vec<&str>> {
        let paths = self.answer.paths.iter();
        paths
            .map(|path| path.relationships.iter().map(|relationship| relationship.kind.as_str()).collect())
            .collect()
    }
}

/// Asks a question through a flow of a model that gives these replies.
pub(crate) async fn told(flow: FlowName, question: &str, replies: &[&str]) -> Story {
    told_with(&FlowOptions::new(flow), question, ScriptedModel::replies(replies.iter().copied())).await
}

/// Asks a question with options and a model.
pub(crate) async fn told_with(options: &FlowOptions, question: &str, model: ScriptedModel) -> Story {
    let answer = ask(options, question, Arc::new(model.clone())).await;
    let asked = model.requests().into_iter().filter_map(|request| Some(request.messages.last()?.text()));
    Story { answer: answer.0, events: answer.1, asked: asked.collect() }
}

/// Asks a question of any model.
pub(crate) async fn ask(
    options: &FlowOptions,
    question: &str,
    model: Arc<dyn ChatModel>,
) -> (Answer, Vec<Event>) {
    ask_of(&flows(films().await, model).await, options, question).await
}

/// Opens the flows over a store.
pub(crate) async fn flows(store: Arc<dyn GraphStore>, model: Arc<dyn ChatModel>) -> Text2Cypher {
    let answerer = Answerer::open(Arc::clone(&store)).await.unwrap();
    Text2Cypher::open(store, answerer, model).await.unwrap()
}

/// Asks a question through flows that are open.
pub(crate) async fn ask_of(
    flows: &Text2Cypher,
    options: &FlowOptions,
    question: &str,
) -> (Answer, Vec<Event>) {
    let events: Arc<Mutex<Vec<Event>>> = Arc::default();
    let ears = Arc::clone(&events);
    let answer = flows.ask(question, options, move |event| ears.lock().unwrap().push(event)).await.unwrap();
    let events = events.lock().unwrap().clone();
    assert!(matches!(events.first(), Some(Event::Started { .. })));
    assert!(matches!(events.last(), Some(Event::Done { answer: told }) if **told == answer));
    (answer, events)
}
