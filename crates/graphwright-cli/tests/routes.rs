//! Tests what agents did for their answers, as recorded and shown on the command line.

#![allow(clippy::expect_used, reason = "this is a test")]

mod played;
mod sample;

use std::{fs, path::Path};

use played::{Played, Say, lookup, sample_store};
use sample::Subcommand;
use serde_json::{Value as Json, json};

const GATEWAY: &str = "Which libraries does edge-gateway depend on?";
const LEDGER: &str = "Which libraries does ledger depend on?";
const OWNER: &str = "Who owns \"the moon\"?";

fn journal(store: &Path) -> std::path::PathBuf {
    store.join("search.routes.jsonl")
}

fn query(name: &str) -> (&'static str, Json) {
    let text = "MATCH (s:Service {name: $name})-[:DEPENDS_ON]->(l:Library) RETURN l.name AS library";
    ("run_cypher", json!({"query": text, "params": {"name": name}}))
}

/// Asks two questions of one kind, and one that nothing answers.
fn ask_three(store: &Path) {
    let model = Played::saying(vec![
        Say::Calls(vec![lookup("edge-gateway")]),
        Say::Calls(vec![query("edge-gateway")]),
        Say::Text("edge-gateway depends on auth-lib-v2 [2]."),
        Say::Calls(vec![lookup("ledger")]),
        Say::Calls(vec![query("ledger")]),
        Say::Text("Zoltan sings."),
        Say::Text("1: Zoltan sings."),
        Say::Status(401),
    ]);
    for question in [GATEWAY, LEDGER, OWNER] {
        model.run(store, &["ask", "--agent", question], "");
    }
}

#[test]
fn runs_are_recorded_and_make_patterns() {
    let folder = sample_store();
    let store = folder.path().join("graph");
    let routes = Subcommand { name: "routes", store: &store };
    assert!(routes.text(&[]).starts_with("No run of an agent is recorded for "));
    assert_eq!(routes.json(&[])["patterns"], json!([]));
    ask_three(&store);

    let found = routes.json(&[]);
    assert_eq!((&found["runs"], &found["unreadable"]), (&json!(3), &json!(0)));
    let patterns = found["patterns"].as_array().expect("patterns");
    assert_eq!(patterns.len(), 2, "{patterns:#?}");
    let (libraries, moon) = (&patterns[0], &patterns[1]);
    assert_eq!(libraries["kind"], "which libraries does <Service> depend on");
    assert_eq!(libraries["tools"], json!(["lookup_entity", "run_cypher"]));
    assert_eq!((&libraries["runs"], &libraries["success"]), (&json!(2), &json!(0.5)));
    assert_eq!((&libraries["answered"], &libraries["refused"]), (&json!(1), &json!(1)));
    assert_eq!((&libraries["mean_steps"], &libraries["mean_tokens"]), (&json!(2.0), &json!(385.0)));
    assert!(libraries["mean_cost"].as_f64().expect("a price") > 0.0);
    assert_eq!((&moon["kind"], &moon["failed"]), (&json!("who owns <text>"), &json!(1)));

    let shown = routes.text(&[]);
    assert!(shown.contains("lookup_entity → run_cypher") && shown.contains("50 %"), "{shown}");
    assert_eq!(routes.json(&["--kind", "LIBRARIES"])["patterns"].as_array().map(Vec::len), Some(1));
    assert_eq!(routes.text(&["--kind", "elephants"]), "None of 3 runs is of this kind.\n");
}

#[test]
fn single_runs_are_listed_and_shown() {
    let folder = sample_store();
    let store = folder.path().join("graph");
    let routes = Subcommand { name: "routes", store: &store };
    ask_three(&store);
    let listed = routes.json(&["list"]);
    let questions: Vec<_> =
        listed["routes"].as_array().expect("routes").iter().map(|run| &run["question"]).collect();
    assert_eq!(questions, [OWNER, LEDGER, GATEWAY]);
    // Recording a run changes nothing that the next one reads.
    let versions = listed["routes"].as_array().expect("routes").iter().map(|run| &run["store_version"]);
    assert_eq!(versions.collect::<std::collections::HashSet<_>>().len(), 1);
    let refused = routes.json(&["list", "--outcome", "refused", "--kind", "<Service>", "--limit", "1"]);
    assert_eq!(refused["routes"].as_array().map(Vec::len), Some(1));
    assert_eq!(refused["routes"][0]["question"], LEDGER);
    assert!(routes.text(&["list"]).contains("refused"));

    let id = listed["routes"][2]["id"].as_str().expect("an identifier");
    let route = routes.json(&["show", &id[..8]]);
    assert_eq!(route["links"][0]["name"], "edge-gateway");
    let calls = route["calls"].as_array().expect("calls");
    assert_eq!((&calls[0]["tool"], &calls[0]["cited"]), (&json!("lookup_entity"), &json!(false)));
    assert_eq!(
        (&calls[1]["arguments"]["params"]["name"], &calls[1]["cited"]),
        (&json!("edge-gateway"), &json!(true))
    );
    assert!(calls[1]["rows"].as_u64().expect("rows") > 0);
    assert!(route["cypher"][0].as_str().expect("a query").starts_with("MATCH (s:Service"));
    assert_eq!((&route["outcome"], &route["usage"]["requests"]), (&json!("answered"), &json!(3)));
    assert_eq!(route["model"], "openai/gpt-4o-mini");
    assert!(route["result"]["answer"].as_str().expect("text").contains("auth-lib-v2"));
    let shown = routes.text(&["show", id]);
    assert!(shown.contains("2. run_cypher {\"query\":") && shown.contains("cited"), "{shown}");

    let failed = &listed["routes"][0];
    assert_eq!((&failed["outcome"], &failed["calls"]), (&json!("failed"), &json!([])));
    assert!(failed["reason"].as_str().expect("a reason").contains("refused the credentials"), "{failed}");
    // The key of the provider is in no file.
    assert!(!fs::read_to_string(journal(&store)).expect("the file").contains("sk-test"));
}

#[test]
fn runs_are_judged_exported_and_deleted() {
    let folder = sample_store();
    let store = folder.path().join("graph");
    let routes = Subcommand { name: "routes", store: &store };
    let (code, said) = routes.error(&["show", "0a"]);
    assert_eq!(code, Some(1));
    assert!(said.contains("there is no route \"0a\"") && said.contains("graphwright routes list"), "{said}");
    assert_eq!(routes.error(&["verdict", "0a", "perhaps"]).0, Some(2));
    assert_eq!(routes.error(&["delete"]).0, Some(2));
    assert_eq!(routes.error(&["delete", "--before", "yesterday"]).0, Some(2));
    ask_three(&store);
    let listed = routes.json(&["list"]);
    let id = |at: usize| listed["routes"][at]["id"].as_str().expect("an identifier").to_owned();

    assert_eq!(routes.text(&["verdict", &id(2), "wrong"]), format!("The answer to {GATEWAY:?} is wrong.\n"));
    assert_eq!(routes.json(&["verdict", &id(1), "right"])["verdict"], "right");
    let pattern = &routes.json(&["--kind", "libraries"])["patterns"][0];
    assert_eq!(
        (&pattern["right"], &pattern["wrong"], &pattern["success"]),
        (&json!(1), &json!(1), &json!(0.0))
    );

    let file = folder.path().join("export.jsonl");
    routes.text(&["export", file.to_str().expect("UTF-8")]);
    let exported = fs::read_to_string(&file).expect("the file");
    assert_eq!(exported, routes.text(&["export"]));
    let lines: Vec<Json> = exported.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 3);
    assert_eq!((&lines[0]["question"], &lines[0]["verdict"]), (&json!(GATEWAY), &json!("wrong")));

    assert_eq!(routes.json(&["delete", &id(0)])["deleted"], 1);
    assert_eq!(routes.json(&["delete", "--before", "2001-01-01"])["deleted"], 0);
    assert_eq!(routes.json(&["list"])["routes"].as_array().map(Vec::len), Some(2));
    assert_eq!(routes.text(&["delete", "--all", "--yes"]), "2 runs deleted\n");
    assert!(!journal(&store).exists());
}

#[test]
fn a_line_that_was_cut_is_told_and_left_out() {
    let folder = sample_store();
    let store = folder.path().join("graph");
    let routes = Subcommand { name: "routes", store: &store };
    ask_three(&store);
    let text = fs::read_to_string(journal(&store)).expect("the file");
    fs::write(journal(&store), &text[..text.len() - 100]).expect("writes");
    assert_eq!(routes.json(&["list"])["unreadable"], 1);
    assert!(routes.error(&["list"]).1.contains("1 line of "));
}

#[test]
fn a_route_is_offered_and_then_followed_without_a_model() {
    let folder = sample_store();
    let store = folder.path().join("graph");
    let owner = |name: &str| {
        let query = format!("MATCH (t:Team)-[:OWNS]->(s:Service {{name: '{name}'}}) RETURN t.name AS team");
        ("run_cypher", json!({"query": query}))
    };
    let ask = |model: &Played, name: &str, more: &[&str]| -> Json {
        let question = format!("Which team owns {name}?");
        let arguments = [&["ask", "--agent", "--json", question.as_str()], more].concat();
        serde_json::from_str(&model.run(&store, &arguments, "").0).expect("JSON")
    };
    let mut followed = Vec::new();
    for (name, says) in [
        ("edge-gateway", "Platform owns edge-gateway [1]."),
        ("ledger", "Payments owns ledger [1]."),
        ("mail-courier", "Storefront owns mail-courier [1]."),
        ("report-builder", "Insights owns report-builder [1]."),
        ("scanner-app", "Venues owns scanner-app [1]."),
    ] {
        let model = Played::saying(vec![Say::Calls(vec![owner(name)]), Say::Text(says)]);
        let answer = ask(&model, name, &[]);
        assert_eq!(answer["status"], "answered", "{answer:#}");
        assert_eq!(model.sent()[0].to_string().contains("by these calls"), followed.len() > 1);
        followed.push(answer["followed"].is_string());
    }
    assert_eq!(followed, [false, false, true, true, true]);

    let nobody = Played::saying(Vec::new());
    let answer = ask(&nobody, "edge-gateway", &[]);
    assert_eq!((&answer["status"], &answer["answer"]), (&json!("answered"), &json!("Platform")));
    assert!(answer["model"].is_null() && nobody.sent().is_empty());
    assert_eq!(answer["paths"][0]["relationships"][0]["type"], "OWNS");
    let note = answer["steps"][0].as_str().expect("a note");
    assert!(note.starts_with("Followed route ") && note.ends_with("no model was asked."), "{note}");
    let shown = Subcommand { name: "routes", store: &store }
        .text(&["show", answer["route"].as_str().expect("a route")]);
    assert!(shown.contains("without a model") && shown.contains("no model, "), "{shown}");

    let model = Played::saying(vec![
        Say::Calls(vec![owner("edge-gateway")]),
        Say::Text("Platform owns edge-gateway [1]."),
    ]);
    let answer = ask(&model, "edge-gateway", &["--no-routes"]);
    assert_eq!((model.sent().len(), answer.get("followed")), (2, None));
}

#[test]
fn nothing_is_recorded_where_that_is_off() {
    let folder = sample_store();
    let store = folder.path().join("graph");
    let says = || vec![Say::Calls(vec![lookup("ledger")]), Say::Text("ledger is a Service [1].")];
    let ask = ["ask", "--agent", "--json", "What is ledger?"];
    let (answer, _) = Played::saying(says()).run(&store, &[ask.as_slice(), &["--no-routes"]].concat(), "");
    let answer: Json = serde_json::from_str(&answer).expect("JSON");
    assert!(answer.get("route").is_none());
    let settings = folder.path().join("off.toml");
    fs::write(&settings, "routes = false\n").expect("writes");
    let off = ["--config", settings.to_str().expect("UTF-8")];
    Played::saying(says()).run(&store, &[ask.as_slice(), &off].concat(), "");
    let (shown, _) =
        Played::saying(says()).run(&store, &["chat", "--no-routes"], "What is ledger?\n/right\n");
    assert!(shown.contains("Nothing is recorded of the last answer"), "{shown}");
    let beside: Vec<_> =
        fs::read_dir(&store).expect("the store").map(|entry| entry.expect("entry").file_name()).collect();
    assert!(!beside.iter().any(|name| name.to_string_lossy().contains("routes")), "{beside:?}");

    let (answer, _) = Played::saying(says()).run(&store, &ask, "");
    let answer: Json = serde_json::from_str(&answer).expect("JSON");
    let recorded = Subcommand { name: "routes", store: &store }.json(&["list"]);
    assert_eq!(recorded["routes"][0]["id"], answer["route"]);
}

#[test]
fn a_conversation_takes_verdicts() {
    let folder = sample_store();
    let store = folder.path().join("graph");
    let model = Played::saying(vec![
        Say::Calls(vec![lookup("edge-gateway")]),
        Say::Text("edge-gateway is a Service [1]."),
        Say::Calls(vec![lookup("ledger")]),
        Say::Text("ledger is a Service [2]."),
    ]);
    let (shown, _) =
        model.run(&store, &["chat"], "/right\nWhat is edge-gateway?\n/right\nAnd ledger?\n/wrong\n");
    assert!(shown.contains("There is no answer yet."), "{shown}");
    assert!(shown.contains("Kept: the last answer is right") && shown.contains("is wrong"), "{shown}");
    let listed = Subcommand { name: "routes", store: &store }.json(&["list"]);
    let [ledger, gateway] = listed["routes"].as_array().expect("routes").as_slice() else {
        panic!("{listed}")
    };
    assert_eq!((&gateway["verdict"], &ledger["verdict"]), (&json!("right"), &json!("wrong")));
    assert_eq!(ledger["question"], "And ledger?");
    assert_eq!(ledger["calls"][0]["cited"], true);
}

#[test]
fn an_answer_stands_where_its_route_cannot_be_recorded() {
    let folder = sample_store();
    let store = folder.path().join("graph");
    // A folder stands where the file should be.
    fs::create_dir(store.join("search.routes.jsonl")).expect("makes a folder");
    let says = || vec![Say::Calls(vec![lookup("ledger")]), Say::Text("ledger is a Service [1].")];
    let (answer, _) =
        Played::saying(says()).run(&store, &["ask", "--agent", "--json", "What is ledger?"], "");
    let answer: Json = serde_json::from_str(&answer).expect("JSON");
    assert_eq!(answer["status"], "answered");
    let note = answer["steps"][0].as_str().expect("a note");
    assert!(note.starts_with("The route of this answer was not recorded: cannot write"), "{note}");
    let (_, said) = Played::saying(says()).run(&store, &["ask", "--agent", "What is ledger?"], "");
    assert!(said.contains("was not recorded"), "{said}");
}
