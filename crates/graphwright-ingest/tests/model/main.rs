//! Plays replies with faults that models make, and shows what is stored of each and what it cost.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "this is a test")]

mod cases;

use std::{fmt::Write, fs, path::Path, sync::Arc};

use cases::{CASES, Reply};
use futures::StreamExt;
use graphwright_core::{
    GraphStore, Statement, Value, names,
    store::{QueryOptions, ScanOptions, Selection},
};
use graphwright_documents::Input;
use graphwright_embedded::EmbeddedStore;
use graphwright_ingest::{Ingest, IngestReport, ModelExtractor, Progress, Review};
use graphwright_llm::{ChatReply, FinishReason, LlmError, ScriptedModel};
use graphwright_ontology::Ontology;

const TEXT: &str = "# Lighthouse\n\nThe lamp-room is kept by Moira Lind. She came in 1911.\n\n\
    The lamp-room draws power from Dynamo B. Until 1911 it drew power from Dynamo A.\n\n\
    The fog horn is kept by Jon Berg, who hails from Oslo.\n";

const ONTOLOGY: &str = "
nodes:
  Room: {properties: {colour: {type: string}, floor: {type: integer}}}
  Keeper: {}
  Machine: {}
relationships:
  KEPT_BY: {from: [Room], to: [Keeper], cues: [is kept by]}
  DRAWS_POWER_FROM: {from: [Room], to: [Machine]}
";

/// A folder with the document, and a store.
struct Bench {
    folder: tempfile::TempDir,
    store: Arc<EmbeddedStore>,
}

impl Bench {
    fn new(text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("station.md"), text).unwrap();
        Self { folder, store: Arc::new(EmbeddedStore::in_memory()) }
    }

    async fn run(&self, extractor: ModelExtractor) -> IngestReport {
        let store: Arc<dyn GraphStore> = Arc::clone(&self.store) as _;
        let ontology = Ontology::parse(ONTOLOGY, Path::new("station.yaml")).unwrap();
        let ingest = Ingest::new(store, Arc::new(extractor)).ontology(ontology);
        ingest.run(&[Input::Path(self.folder.path().to_owned())], &|_| {}).await.unwrap()
    }

    /// Writes the facts and properties of the store, each with the text that states it.
    async fn stored(&self) -> String {
        let mut batches =
            self.store.scan(ScanOptions { labels: Selection::All, ..ScanOptions::default() }).await.unwrap();
        let (mut nodes, mut lines) = (std::collections::HashMap::new(), Vec::new());
        while let Some(batch) = batches.next().await {
            let batch = batch.unwrap();
            for node in batch.nodes {
                nodes.insert(node.element_id.clone(), node);
            }
            for fact in batch.relationships {
                let name = |id| nodes[id].display_name().to_owned();
                let number =
                    |value: Option<&Value>| value.and_then(Value::as_integer).unwrap_or_default() as usize;
                let first = |list: &str| {
                    fact.properties.get(list).and_then(Value::as_list).and_then(|list| list.first())
                };
                if let Some(property) = fact.properties.get("property") {
                    let (start, end) =
                        (number(fact.properties.get("start")), number(fact.properties.get("end")));
                    lines.push(format!(
                        "{}.{} = {} | {}",
                        name(&fact.start),
                        property.as_str().unwrap(),
                        serde_json::to_string(&fact.properties["value"]).unwrap(),
                        &TEXT[start..end]
                    ));
                } else if !names::is_lexical(&fact.kind) {
                    let text = &TEXT[number(first(names::STARTS))..number(first(names::ENDS))];
                    let mut more = String::new();
                    for own in [names::STATUS, names::VALID_FROM, names::VALID_TO, names::DESCRIPTION] {
                        if let Some(value) = fact.properties.get(own) {
                            let _ = write!(more, " {own}={}", serde_json::to_string(value).unwrap());
                        }
                    }
                    let confidence = fact.properties[names::CONFIDENCE].as_float().unwrap();
                    if confidence < 1.0 {
                        let _ = write!(more, " confidence={confidence}");
                    }
                    lines.push(format!(
                        "{} {} {}{more} | {text}",
                        name(&fact.start),
                        fact.kind,
                        name(&fact.end)
                    ));
                }
            }
        }
        lines.sort();
        lines.into_iter().fold(String::new(), |text, line| text + "  " + &line.replace('\n', " ") + "\n")
    }
}

fn model(replies: &'static [Reply]) -> ScriptedModel {
    let reply = |reply: &Reply| match *reply {
        Reply::Says(text) => Ok(text.into()),
        Reply::Cut(text) => Ok(ChatReply { finish: FinishReason::Length, ..text.into() }),
        Reply::Filtered => Ok(ChatReply { finish: FinishReason::Filter, ..ChatReply::from("") }),
        Reply::TooLong => Err(LlmError::ContextLength { model: "scripted/model".into() }),
        Reply::Refused => Err(LlmError::Refused { provider: "scripted".into(), message: "no".into() }),
    };
    ScriptedModel::results(replies.iter().map(reply).collect::<Vec<_>>())
}

#[tokio::test(flavor = "multi_thread")]
async fn of_each_faulty_reply_what_can_be_read_is_stored() {
    let mut shown = String::new();
    for case in CASES {
        let bench = Bench::new(TEXT);
        let report = bench.run(ModelExtractor::new(Arc::new(model(case.replies)))).await;
        let usage = report.usage;
        let _ = writeln!(
            shown,
            "{} ({} requests, {} + {} tokens)",
            case.fault, usage.requests, usage.input_tokens, usage.output_tokens
        );
        shown.push_str(&bench.stored().await);
        for (reason, number) in &report.unread.reasons {
            let _ = writeln!(shown, "  not read: {number} of {} passages: {reason}", report.unread.of);
        }
        for item in &report.dropped_items {
            let _ = writeln!(shown, "  dropped, {:?}: {}", item.reason, item.what);
        }
    }
    insta::assert_snapshot!(shown);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_next_run_asks_only_for_what_was_not_read() {
    let long = "The lamp-room is kept by Moira Lind. ".repeat(140);
    let bench = Bench::new(&format!("{long}\n\nThe fog horn is kept by Jon Berg."));
    let none = r#"{"entities": [], "facts": [], "details": []}"#;
    let berg = r#"{"entities": [{"id": "e1", "type": "Room", "name": "fog horn"}, {"id": "e2", "type": "Keeper", "name": "Jon Berg"}],
        "facts": [{"id": "f1", "from": "e1", "type": "KEPT_BY", "to": "e2", "in": [1]}], "details": []}"#;
    let lind = berg.replace("fog horn", "lamp-room").replace("Jon Berg", "Moira Lind");
    let first = ScriptedModel::answering(move |request| {
        let text = request.messages[1].text();
        Ok(if text.contains("fog horn") { "Sorry, no.".into() } else { lind.clone().into() })
    });
    let report = bench.run(ModelExtractor::new(Arc::new(first.clone()))).await;
    assert!(report.unread.passages > 0 && report.unread.is_grave());
    assert_eq!(report.relationships.added, 1);
    let asked = first.requests().len();

    let second = ScriptedModel::answering(move |request| {
        Ok(if request.messages[1].text().contains("fog horn") { berg.into() } else { none.into() })
    });
    let report = bench.run(ModelExtractor::new(Arc::new(second.clone()))).await;
    assert!(second.requests().len() < asked, "what was read is not asked for again");
    assert_eq!(
        (report.unread.passages, report.relationships.added, report.relationships.unchanged),
        (0, 1, 1)
    );

    let third = ScriptedModel::replies([none]);
    bench.run(ModelExtractor::new(Arc::new(third.clone()))).await;
    assert!(third.requests().is_empty(), "all is read");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_pass_finds_what_was_missed() {
    let bench = Bench::new(TEXT);
    let reply = |room: &str, keeper: &str, number: usize| {
        format!(
            r#"{{"entities": [{{"id": "e1", "type": "Room", "name": "{room}"}}, {{"id": "e2", "type": "Keeper", "name": "{keeper}"}}],
            "facts": [{{"id": "f1", "from": "e1", "type": "KEPT_BY", "to": "e2", "in": [{number}]}}], "details": []}}"#
        )
    };
    let model =
        ScriptedModel::replies([reply("lamp-room", "Moira Lind", 2), reply("fog horn", "Jon Berg", 6)]);
    let report = bench.run(ModelExtractor::new(Arc::new(model.clone())).with_passes(2)).await;
    assert_eq!(report.relationships.added, 2);
    let second = model.requests()[1].messages[1].text();
    assert!(second.ends_with("These facts were found before:\nlamp-room KEPT_BY Moira Lind\nWrite only what else the sentences state.\n"), "{second}");
}

/// Returns the number of the pair that has a name, in a request for verdicts.
fn number_of_pair(text: &str, name: &str) -> usize {
    let before: Vec<&str> = text.lines().take_while(|line| !line.ends_with(&format!("- {name}"))).collect();
    before.iter().filter(|line| line.starts_with(|letter: char| letter.is_ascii_digit())).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn names_are_settled_by_their_words_then_by_the_model_and_can_be_parted_again() {
    let text = "# Teams\n\nThe Red Room is kept by Moira Lind. The Red Room room is kept by Moira Lynd. Jon Berg keeps the Lobby. The Lobbi is kept by Jon Bergh.\n";
    let bench = Bench::new(text);
    let facts = r#"{"facts": [{"from": "Red", "type": "KEPT_BY", "to": "Moira Lind", "in": [2]}, {"from": "Red Room", "type": "KEPT_BY", "to": "Moira Lynd", "in": [3]},
        {"from": "Lobby", "type": "KEPT_BY", "to": "Jon Berg", "in": [4]}, {"from": "Lobbi", "type": "KEPT_BY", "to": "Jon Bergh", "in": [5]}]}"#;
    let model = ScriptedModel::answering(move |request| {
        let text = request.messages[1].text();
        if !text.starts_with("1. ") {
            return Ok(facts.into());
        }
        let (same, different) = (number_of_pair(&text, "Moira Lynd"), number_of_pair(&text, "Jon Bergh"));
        let same = format!(r#"{{"number": {same}, "verdict": "Same"}}"#);
        let different = format!(r#"{{"number": "{different}", "verdict": "different"}}"#);
        Ok(format!(r#"{{"pairs": [{same}, {different},]}}"#).into())
    });
    let store: Arc<dyn GraphStore> = Arc::clone(&bench.store) as _;
    let run = async || {
        let ontology = Ontology::parse(ONTOLOGY, Path::new("station.yaml")).unwrap();
        let ingest = Ingest::new(Arc::clone(&store), Arc::new(ModelExtractor::new(Arc::new(model.clone()))));
        let ingest = ingest.ontology(ontology).judge(Arc::new(model.clone()));
        ingest.run(&[Input::Path(bench.folder.path().to_owned())], &|_| {}).await.unwrap()
    };
    let report = run().await;
    let review = Review::new(Arc::clone(&store));
    let merges = async || -> Vec<String> {
        review
            .merges()
            .await
            .unwrap()
            .into_iter()
            .map(|merge| format!("{} <- {}", merge.kept, merge.merged))
            .collect()
    };
    assert_eq!(merges().await, ["Keeper:moira lind <- Keeper:moira lynd", "Room:red <- Room:red room"]);
    assert_eq!((report.merged.len(), report.rejected), (2, 1));
    review.undo("Room:red room").await.unwrap();
    fs::write(bench.folder.path().join("more.md"), "The Red Room is old.\n").unwrap();
    run().await;
    assert_eq!(merges().await, ["Keeper:moira lind <- Keeper:moira lynd"], "what was parted stays apart");
}

#[tokio::test(flavor = "multi_thread")]
async fn names_of_one_wave_of_documents_are_known_in_the_next() {
    let bench = Bench::new("The Observatory is kept by Moira Lind.\n");
    for number in 0..8 {
        fs::write(bench.folder.path().join(format!("z{number}.md")), "The observatory is old.\n").unwrap();
    }
    let facts = r#"{"facts": [{"from": "Observatory", "type": "KEPT_BY", "to": "Moira Lind", "in": [1]}]}"#;
    let model = ScriptedModel::answering(move |request| {
        let first = request.messages[1].text().contains("Moira Lind");
        Ok(if first { facts } else { r#"{"entities": [], "facts": []}"# }.into())
    });
    bench.run(ModelExtractor::new(Arc::new(model.clone()))).await;
    let requests = model.requests();
    let known = requests.iter().filter(|request| request.messages[1].text().contains("- Observatory (Room)"));
    assert_eq!((requests.len(), known.count()), (9, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_run_will_take_is_known_after_a_few_replies() {
    let bench = Bench::new("One.\n");
    for number in 0..60 {
        // Some are ten times as long as others.
        let text = "The lamp-room is kept by Moira Lind, as all know. ".repeat(10 + number * 37 % 90);
        fs::write(bench.folder.path().join(format!("z{number}.md")), text).unwrap();
    }
    let model = ScriptedModel::answering(|request| {
        // Half as long as the text, more or less.
        let length = request.messages[1].text().len();
        let fact = r#"{"from": "lamp-room", "type": "KEPT_BY", "to": "Moira Lind", "in": [1]},"#;
        Ok(format!("{{\"facts\": [{}]}}", fact.repeat(length / 160 + length % 3)).into())
    });
    let told = std::sync::Mutex::new(Vec::new());
    let ontology = Ontology::parse(ONTOLOGY, Path::new("station.yaml")).unwrap();
    let ingest =
        Ingest::new(Arc::clone(&bench.store) as _, Arc::new(ModelExtractor::new(Arc::new(model.clone()))));
    let report = ingest
        .ontology(ontology)
        .run(&[Input::Path(bench.folder.path().to_owned())], &|progress| {
            if let Progress::Expected { usage } = progress {
                told.lock().unwrap().push((model.requests().len(), usage.tokens()));
            }
        })
        .await
        .unwrap();
    let after: Vec<f64> = told
        .lock()
        .unwrap()
        .iter()
        .filter(|(requests, _)| *requests >= 20)
        .map(|(_, tokens)| *tokens as f64)
        .collect();
    assert!(after.len() > 30);
    let all = report.usage.tokens() as f64;
    assert!(after.iter().all(|tokens| (tokens / all - 1.0).abs() < 0.3), "{after:?} of {all}");
}

#[tokio::test(flavor = "multi_thread")]
async fn descriptions_are_joined_and_what_two_documents_say_weighs_more() {
    let bench = Bench::new("The lamp-room is kept by Moira Lind.\n");
    fs::write(bench.folder.path().join("z.md"), "The lamp-room, they say, is kept by Moira Lind.\n").unwrap();
    let model = ScriptedModel::answering(|request| {
        let said = request.messages[1].text().contains("they say");
        let description = if said { "They say so." } else { "A room for a lamp." };
        let details: Vec<String> = [
            ("e1", "description", description),
            ("f1", "description", description),
            ("f1", "confidence", "0.8"),
        ]
        .iter()
        .map(|(of, name, value)| {
            format!(r#"{{"of": "{of}", "name": "{name}", "value": "{value}", "in": [1]}}"#)
        })
        .collect();
        let entities = r#"[{"id": "e1", "type": "Room", "name": "lamp-room"}, {"id": "e2", "type": "Keeper", "name": "Moira Lind"}]"#;
        let facts = r#"[{"id": "f1", "from": "e1", "type": "KEPT_BY", "to": "e2", "in": [1]}]"#;
        Ok(format!(r#"{{"entities": {entities}, "facts": {facts}, "details": [{}]}}"#, details.join(", "))
            .into())
    });
    bench.run(ModelExtractor::new(Arc::new(model.clone())).with_descriptions(true)).await;
    assert!(model.requests()[0].messages[0].text().contains("a detail \"description\""));
    let statement =
        "MATCH (r:Room)-[f:KEPT_BY]->() RETURN r.description, f.description, f.confidence, f.weight";
    let table = bench
        .store
        .read(Statement::fixed(statement), QueryOptions::default())
        .await
        .unwrap()
        .collect()
        .await
        .unwrap();
    let both = Value::from("A room for a lamp. They say so.");
    assert_eq!(table.rows[0][..3], [both.clone(), both, Value::from(0.8)]);
    assert!((table.rows[0][3].as_float().unwrap() - 0.96).abs() < 1e-9);
    // What is read back from the store projects the same.
    let report = bench.run(ModelExtractor::new(Arc::new(model)).with_descriptions(true)).await;
    assert_eq!((report.relationships.unchanged, report.relationships.changed), (1, 0));
}

/// Two documents tell of people of one name. The model gives both all that each says.
#[tokio::test(flavor = "multi_thread")]
async fn people_of_one_name_whom_documents_tell_apart_may_be_two() {
    let folder = tempfile::tempdir().unwrap();
    for (file, text) in [
        ("north.md", "Jon Berg was born in 1931 and hails from Oslo."),
        ("south.md", "Jon Berg was born in 1968 and hails from Cork."),
    ] {
        fs::write(folder.path().join(file), text).unwrap();
    }
    let store = Arc::new(EmbeddedStore::in_memory());
    let played = ScriptedModel::answering(|request| {
        let asked = request.messages.iter().map(graphwright_llm::Message::text).collect::<String>();
        let (born, home) = if asked.contains("Oslo") { (1931, "Oslo") } else { (1968, "Cork") };
        let detail = |name: &str, value: serde_json::Value| serde_json::json!({"of": "e1", "name": name, "value": value, "in": [1]});
        let reply = serde_json::json!({
            "entities": [{"id": "e1", "type": "Keeper", "name": "Jon Berg"}],
            "facts": [],
            "details": [detail("born", born.into()), detail("home", home.into())],
        });
        Ok(reply.to_string().as_str().into())
    });
    let ontology = "nodes: {Keeper: {properties: {born: {type: integer}, home: {type: string}}}}";
    let ontology = Ontology::parse(ontology, Path::new("keepers.yaml")).unwrap();
    let graph: Arc<dyn GraphStore> = Arc::clone(&store) as _;
    let extractor = Arc::new(ModelExtractor::new(Arc::new(played)));
    let ingest = Ingest::new(graph, extractor).ontology(ontology);
    let report = ingest.run(&[Input::Path(folder.path().to_owned())], &|_| {}).await.unwrap();
    let told = ["born 1931, home Oslo (north.md)", "born 1968, home Cork (south.md)"];
    assert_eq!(
        report.homonyms.iter().map(graphwright_ingest::Homonym::told).collect::<Vec<_>>(),
        [told.map(str::to_owned)]
    );

    let rows = async |statement: &'static str| {
        store
            .read(Statement::fixed(statement), QueryOptions::default())
            .await
            .unwrap()
            .collect()
            .await
            .unwrap()
            .rows
    };
    let doubt = async || {
        let found = rows("MATCH (k:Keeper) RETURN k").await;
        let [row] = found.as_slice() else { panic!("{found:?}") };
        row[0].as_node().unwrap().may_be_two().into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(doubt().await, told);
    let stated = rows(
        "MATCH (:Keeper)-[r:FROM_CHUNK]->(c:Chunk) WHERE r.property = 'home' \
         RETURN r.value, c.document ORDER BY r.value",
    )
    .await;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let stated: Vec<Vec<String>> = stated.iter().map(|row| row.iter().map(text).collect()).collect();
    assert_eq!(stated, [["Cork", "south.md"], ["Oslo", "north.md"]], "both are kept with their sources");

    ingest.delete("south.md").await.unwrap();
    assert_eq!(doubt().await, [""; 0], "nothing contradicts any more");
}
