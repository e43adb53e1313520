//! Tests `chat --resume` after the process was killed during an answer.

#![allow(clippy::expect_used, reason = "this is a test")]

mod played;
mod sample;

use std::path::Path;

use played::{Played, Say, lookup, on_server, results, sample_store};
use sample::graphwright;
use serde_json::{Value as Json, json};

const QUESTION: &str = "What is edge-gateway?";
const ANSWER: &str = "edge-gateway is a Service [1].";

/// Kills a chat that waits for this many replies, and lets another process finish the answer.
fn kill_and_resume(store: &Path, thread: &str, says: &[Say], rest: &[Say]) {
    let asked = says.len();
    let first = Played::saying(says.to_vec());
    first.kill_when_asked(asked, store, &["chat", "--thread", thread], &format!("{QUESTION}\n"));

    let second = Played::saying(rest.to_vec());
    let resume = ["chat", "--thread", thread, "--resume", "--events"];
    let (shown, _) = second.run(store, &resume, "");
    let events: Vec<Json> = shown.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let answer = &events.last().expect("events")["answer"];
    assert_eq!((&answer["question"], &answer["answer"]), (&json!(QUESTION), &json!(ANSWER)), "{answer}");

    // The model is asked only for what is missing, with everything there was; the tool runs once in
    // all.
    let sent = second.sent();
    assert_eq!(sent.len(), rest.len());
    assert_eq!(sent[0]["messages"], first.sent()[asked - 1]["messages"]);
    assert_eq!(results(sent.last().expect("a request")).len(), 1);
    let called = events.iter().filter(|event| event["event"] == "tool_call").count();
    assert_eq!(called, rest.len() - 1);

    // Each message is kept once.
    let kept = "MATCH (m:`__Message__`) WHERE m.thread = $thread RETURN m.message ORDER BY m.index";
    let parameter = format!("thread={thread}");
    let kept = graphwright()
        .args(["cypher", kept, "--param", &parameter, "--json", "--store"])
        .arg(store)
        .output()
        .expect("runs");
    assert!(kept.status.success(), "{}", String::from_utf8_lossy(&kept.stderr));
    let kept: Json = serde_json::from_slice(&kept.stdout).expect("JSON");
    let messages = kept["rows"].as_array().expect("rows").iter().map(|row| {
        serde_json::from_str::<Json>(row[0].as_str().expect("text")).expect("JSON")["role"].clone()
    });
    assert_eq!(messages.collect::<Vec<_>>(), ["user", "assistant", "tool", "assistant"]);
}

/// Kills before the first reply, and after a tool was called.
fn kill_twice(store: &Path) {
    let call = Say::Calls(vec![lookup("edge-gateway")]);
    kill_and_resume(store, "early", &[Say::Nothing], &[call.clone(), Say::Text(ANSWER)]);
    kill_and_resume(store, "late", &[call, Say::Nothing], &[Say::Text(ANSWER)]);
}

#[test]
fn a_killed_answer_is_finished_by_another_process() {
    let folder = sample_store();
    let store = folder.path().join("graph");
    kill_twice(&store);
    // What was written before the kill does not make the search index stale.
    let searched =
        graphwright().args(["search", "ledger", "--json", "--store"]).arg(&store).output().expect("runs");
    let searched: Json = serde_json::from_slice(&searched.stdout).expect("JSON");
    assert_eq!(searched["stale"], false, "{searched}");
}

#[test]
#[ignore = "needs neo4j"]
fn a_killed_answer_is_finished_on_the_server_too() {
    on_server(kill_twice);
}
