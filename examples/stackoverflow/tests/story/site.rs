//! What the tests share: a graph in a folder of its own, and a model that plays a script.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use graphwright::{
    Access, Graph, Settings,
    exchange::ImportOptions,
    llm::{ChatReply, ChatRequest, Content, ScriptedModel, ToolCall},
};
use serde_json::Value;
use stackoverflow::{Imported, Source, import};
use tempfile::TempDir;

/// Returns the folder of a small site about baking bread, invented for these tests.
pub(crate) fn dump() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/dump")
}

pub(crate) async fn open(folder: &TempDir) -> Graph {
    Graph::open(Settings::at(folder.path().join("graph")), Access::Write).await.unwrap()
}

pub(crate) async fn import_from(graph: &Graph, path: &Path, skip_bad: bool) -> graphwright::Result<Imported> {
    let source = Source::from_path(path, Some("bread.example.com".to_owned()))?;
    let options = ImportOptions { skip_bad, ..ImportOptions::default() };
    import(graph, &source, &options, &mut |_| {}).await
}

/// Creates the graph of the small site.
pub(crate) async fn site(folder: &TempDir) -> Graph {
    let graph = open(folder).await;
    import_from(&graph, &dump(), false).await.unwrap();
    graph
}

/// Creates a model that decides by the results of its tools so far.
pub(crate) fn scripted(play: impl Fn(&[String]) -> ChatReply + Send + Sync + 'static) -> Arc<ScriptedModel> {
    Arc::new(ScriptedModel::answering(move |request| Ok(play(&results(request)))))
}

fn results(request: &ChatRequest) -> Vec<String> {
    let parts = request.messages.iter().flat_map(|message| &message.content);
    parts
        .filter_map(|part| match part {
            Content::ToolResult { content, .. } => Some(content.clone()),
            _ => None,
        })
        .collect()
}

pub(crate) fn calls(calls: &[(&str, Value)]) -> ChatReply {
    let call = |(number, (name, arguments)): (usize, &(&str, Value))| {
        Content::ToolCall(ToolCall {
            id: number.to_string(),
            name: (*name).to_owned(),
            arguments: arguments.clone(),
        })
    };
    calls.iter().enumerate().map(call).collect::<Vec<_>>().into()
}

/// Returns the first identifier with this label in a text.
pub(crate) fn first_id(text: &str, label: &str) -> String {
    let start = text.find(&format!("{label}:")).unwrap_or_else(|| panic!("there is no {label} in {text}"));
    let id = &text[start..];
    let digits = id[label.len() + 1..].find(|letter: char| !letter.is_ascii_digit());
    id[..digits.map_or(id.len(), |end| label.len() + 1 + end)].to_owned()
}
