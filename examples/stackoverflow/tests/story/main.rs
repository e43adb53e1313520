//! Tests importing a small site, and a scripted model that answers questions about it with the
//! tools.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod broken_dumps;
mod program;
mod published;
mod site;

use graphwright::{
    Answer, AnswerStatus, Graph, ToolContext, ToolErrorKind,
    llm::{ChatModel, Content, ScriptedModel},
};
use serde_json::json;
use stackoverflow::{agent, tools};

use site::{calls, dump, first_id, import_from, open, scripted};

async fn ask(graph: Graph, model: &std::sync::Arc<ScriptedModel>, question: &str) -> Answer {
    let graph = graph.with_model(std::sync::Arc::clone(model) as std::sync::Arc<dyn ChatModel>);
    let agent = agent(&graph).await.unwrap();
    graph.ask_agent(&agent, question, &ToolContext::new("story")).await.unwrap()
}

/// Returns the names of the tools that were called, in order.
fn called(model: &ScriptedModel) -> Vec<String> {
    let last = model.requests().pop().unwrap();
    let parts = last.messages.iter().flat_map(|message| &message.content);
    parts
        .filter_map(|part| match part {
            Content::ToolCall(call) => Some(call.name.clone()),
            _ => None,
        })
        .collect()
}

async fn call(graph: &Graph, tool: &str, arguments: serde_json::Value) -> String {
    let tools = tools(graph).await.unwrap();
    tools.call(tool, arguments, &ToolContext::new("story")).await.unwrap().text
}

#[tokio::test(flavor = "multi_thread")]
async fn the_whole_dump_is_in_the_graph_and_importing_again_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let graph = open(&folder).await;
    let imported = import_from(&graph, &dump(), false).await.unwrap();
    let topology = graph.topology().await.unwrap();
    let counts = topology.labels().chain(topology.relationship_types());
    let counts: Vec<String> = counts.map(|(name, count)| format!("{name} {count}")).collect();
    insta::assert_snapshot!(counts.join("\n"));
    let left_out: Vec<String> = imported
        .report
        .skipped
        .values()
        .flat_map(|skipped| &skipped.examples)
        .map(ToString::to_string)
        .collect();
    insta::assert_snapshot!(format!("{}\n{}", left_out.join("\n"), imported.notes.join("\n")));

    let again = import_from(&graph, &dump(), false).await.unwrap();
    assert_eq!((again.report.changed.nodes_created, again.report.changed.relationships_created), (0, 0));
    assert!(again.index.unchanged);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_is_answered_through_several_tools_with_the_posts_that_prove_it() {
    let folder = tempfile::tempdir().unwrap();
    let graph = site::site(&folder).await;
    let model = scripted(|results| match results {
        [] => calls(&[(
            "search_posts_by_similarity",
            json!({"query": "starter smells of nail varnish", "kind": "question"}),
        )]),
        [found] => {
            let id = json!({"id": first_id(found, "Question")});
            calls(&[
                ("get_post", id.clone()),
                ("get_answers_for_post", id.clone()),
                ("get_accepted_answer", id),
            ])
        }
        _ => "Oded Brandt says that the starter is hungry and that the smell is acetone [4]. \
              He recommends feeding it 1:5:5 and keeping it below 24 °C [3][4]. \
              Tobias Wren threw his away [3]. \
              Marta Quillon wrote that it worked within three days [4]. \
              Zelda Marsh recommends 70 g of vinegar [4]."
            .into(),
    });
    let question = "Why does my starter smell of nail varnish, and what helps?";
    let answer = ask(graph, &model, question).await;

    assert_eq!(answer.status, AnswerStatus::Answered);
    assert_eq!(
        called(&model),
        ["search_posts_by_similarity", "get_post", "get_answers_for_post", "get_accepted_answer"]
    );
    // The last of them is asked to write again what the posts do not bear out, and does not.
    assert_eq!(model.requests().len(), 4);
    insta::assert_snapshot!(answer.answer);
    let mut sources: Vec<_> =
        answer.passages.iter().map(|passage| format!("{} {}", passage.chunk, passage.document)).collect();
    sources.sort();
    sources.dedup();
    assert_eq!(sources, ["Answer:2 https://bread.example.com/a/2", "Answer:3 https://bread.example.com/a/3"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_somebody_recommended_about_something_is_found_by_search_and_author() {
    let folder = tempfile::tempdir().unwrap();
    let graph = site::site(&folder).await;
    let model = scripted(|results| match results {
        [] => calls(&[(
            "search_posts_by_similarity",
            json!({"query": "resting dough in the fridge", "author": "oded brandt"}),
        )]),
        [found] => {
            assert!(!found.contains("by Marta Quillon"), "{found}");
            calls(&[("get_post", json!({"id": first_id(found, "Answer")}))])
        }
        _ => "Oded Brandt recommends 12 to 16 hours at 4 °C for shaped wheat dough [2].".into(),
    });
    let answer =
        ask(graph, &model, "What did Oded Brandt recommend about resting dough in the fridge?").await;
    assert_eq!(answer.status, AnswerStatus::Answered);
    assert_eq!(answer.answer, "Oded Brandt recommends 12 to 16 hours at 4 °C for shaped wheat dough [2].");
    assert_eq!(answer.passages[0].document, "https://bread.example.com/a/5");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_no_post_bears_out_is_not_said() {
    let folder = tempfile::tempdir().unwrap();
    let graph = site::site(&folder).await;
    let model = scripted(|results| match results {
        [] => calls(&[("get_posts_by_user", json!({"user": "Tobias Wren"}))]),
        _ => "Tobias Wren recommends 90 minutes of Kneading by Machine [1].".into(),
    });
    let answer = ask(graph, &model, "What does Tobias Wren say about kneading?").await;
    assert!(!answer.answer.contains("90 minutes"), "{}", answer.answer);
    assert!(answer.answer.contains("The answer of scripted/model was refused"), "{}", answer.answer);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_tools_show_ids_sources_and_what_is_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let graph = site::site(&folder).await;
    insta::assert_snapshot!(call(&graph, "get_post", json!({"id": "https://bread.example.com/a/3"})).await);
    insta::assert_snapshot!(call(&graph, "get_post", json!({"id": "1"})).await);
    insta::assert_snapshot!(call(&graph, "get_answers_for_post", json!({"id": "Question:7"})).await);
    insta::assert_snapshot!(
        call(&graph, "get_posts_by_user", json!({"user": "Oded Brandt", "limit": 2})).await
    );
    let none = call(&graph, "get_accepted_answer", json!({"id": "Answer:8"})).await;
    assert_eq!(
        none,
        "Question:7 \"Crust turns soft an hour after baking\": no answer was accepted. It has 2 answers in the graph."
    );
    let before_its_question = call(&graph, "get_accepted_answer", json!({"id": "Question:14"})).await;
    assert!(before_its_question.starts_with("Answer:13 by Ines Farrow, accepted"), "{before_its_question}");
}

#[tokio::test(flavor = "multi_thread")]
async fn names_that_are_unknown_or_not_enough_are_errors_that_say_which_there_are() {
    let folder = tempfile::tempdir().unwrap();
    let graph = site::site(&folder).await;
    let tools = tools(&graph).await.unwrap();
    let mut told = Vec::new();
    for (tool, arguments) in [
        ("get_posts_by_user", json!({"user": "Pim Okafor"})),
        ("get_posts_by_user", json!({"user": "Odet Brand"})),
        ("search_posts_by_similarity", json!({"query": "rye", "author": "Xerxes"})),
        ("search_posts_by_similarity", json!({"query": " "})),
        ("get_post", json!({"id": "Question:999"})),
        ("get_accepted_answer", json!({"id": "Answer:12"})),
    ] {
        let error = tools.call(tool, arguments, &ToolContext::new("story")).await.unwrap_err();
        assert_ne!(error.kind, ToolErrorKind::UnknownTool);
        told.push(error.to_string());
    }
    insta::assert_snapshot!(told.join("\n\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn results_keep_within_their_tokens_and_say_what_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let long = "<p>The crumb is dense and the loaf is flat.</p>".repeat(400);
    let row = |id: usize| {
        let body = long.replace('<', "&lt;").replace('>', "&gt;");
        let kind = if id == 1 {
            "PostTypeId=\"1\" Title=\"Dense crumb\" Tags=\"\"".to_owned()
        } else {
            "PostTypeId=\"2\" ParentId=\"1\"".to_owned()
        };
        format!("<row Id=\"{id}\" {kind} Score=\"{id}\" Body=\"{body}\" OwnerUserId=\"1\" />\n")
    };
    let rows: String = (1..=30).map(row).collect();
    std::fs::write(folder.path().join("Posts.xml"), format!("<posts>\n{rows}</posts>")).unwrap();
    let user = "<users><row Id=\"1\" DisplayName=\"Ada\" /></users>";
    std::fs::write(folder.path().join("Users.xml"), user).unwrap();
    let graph = open(&folder).await;
    let imported = import_from(&graph, folder.path(), false).await.unwrap();
    assert_eq!(imported.notes, ["there is no Comments.xml, so there are no comments"]);

    let listed = call(&graph, "get_answers_for_post", json!({"id": "1"})).await;
    assert!(graphwright::llm::estimate_tokens(&listed) < 1_600, "{}", listed.len());
    let shown = listed.matches("\n- Answer:").count();
    assert!(listed.ends_with(&format!("({} more are left out for length)\n", 29 - shown)), "{listed}");
    let first = call(&graph, "get_post", json!({"id": "30"})).await;
    assert!(graphwright::llm::estimate_tokens(&first) < 1_600, "{}", first.len());
    let (_, next) = first.split_once("get_post with start ").unwrap();
    let next: usize = next.split(' ').next().unwrap().parse().unwrap();
    let second = call(&graph, "get_post", json!({"id": "30", "start": next})).await;
    assert!(second.contains(&format!("[bytes {next} to ")), "{second}");
}
