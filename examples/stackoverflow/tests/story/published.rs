//! Tests the published graph of Stack Overflow's questions about Neo4j; docs/testing.md says where
//! it is published.

use std::{path::PathBuf, sync::Arc};

use graphwright::{AnswerStatus, ToolContext};
use serde_json::json;
use stackoverflow::agent;

use crate::site::{calls, first_id, import_from, open, scripted};

fn published() -> PathBuf {
    let data =
        std::env::var_os("GRAPHWRIGHT_DATA").expect("GRAPHWRIGHT_DATA names the folder of public data");
    PathBuf::from(data).join("graphs/stackoverflow")
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs public data"]
async fn the_published_graph_is_imported_and_a_question_about_it_is_answered() {
    let folder = tempfile::tempdir().unwrap();
    let graph = open(&folder).await;
    let imported = import_from(&graph, &published(), false).await.unwrap();
    // Its README gives these numbers.
    let topology = graph.topology().await.unwrap();
    assert_eq!((topology.node_count(), topology.relationship_count()), (6_193, 11_540));
    assert_eq!(imported.index.nodes, 6_193);
    let escaped = topology.nodes().any(|node| {
        let properties = &topology.node(node).properties;
        ["title", "body_markdown"].iter().any(|name| {
            properties.get(*name).and_then(|text| text.as_str()).is_some_and(|text| text.contains("&#39;"))
        })
    });
    assert!(!escaped, "{:?}", imported.notes);

    let model = scripted(|results| match results {
        [] => calls(&[(
            "search_posts_by_similarity",
            json!({"query": "periodic commit error when loading CSV", "author": "cybersam", "kind": "answer"}),
        )]),
        [found] => {
            let id = json!({"id": first_id(found, "Answer")});
            calls(&[("get_post", id.clone()), ("get_accepted_answer", id)])
        }
        _ => "cybersam says that recent versions of the neo4j browser require the `:auto` command for \
              `USING PERIODIC COMMIT` [2], and the answer was accepted [3]."
            .into(),
    });
    let graph = graph.with_model(Arc::clone(&model) as _);
    let agent = agent(&graph).await.unwrap();
    let question = "What did cybersam recommend about the periodic commit error of LOAD CSV?";
    let answer = graph.ask_agent(&agent, question, &ToolContext::new("published")).await.unwrap();
    assert_eq!(answer.status, AnswerStatus::Answered, "{}", answer.answer);
    assert!(answer.answer.contains("`:auto`"), "{}", answer.answer);
    assert_eq!(answer.passages[0].document, "https://stackoverflow.com/a/63912296");
}
