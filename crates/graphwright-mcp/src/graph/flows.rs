//! The tool that answers a question through a flow.

use std::{sync::Arc, time::Duration};

use graphwright::{
    FlowLimits, FlowName, FlowOptions, Graph, Text2CypherError, ToolContext, ToolError, ToolOutput, Toolbox,
    toolbox,
};
use serde_json::json;

use crate::Result;

/// How long a flow may take: less than a call, so that the graph alone can still answer.
const TIME_LIMIT: Duration = Duration::from_secs(50);

/// Adds the tool, if the graph has a model that can write Cypher.
pub(super) fn with_flows(tools: Toolbox, graph: &Arc<Graph>) -> Result<Toolbox> {
    if graph.model().is_none() {
        return Ok(tools);
    }
    Ok(tools.merge(Toolbox::from_set(FlowTools { graph: Arc::clone(graph) })?)?)
}

/// A toolbox whose tool writes Cypher with the model of the graph.
#[derive(Debug)]
struct FlowTools {
    graph: Arc<Graph>,
}

#[toolbox(read_only)]
impl FlowTools {
    /// Answers a question about the graph by Cypher that a model of this service writes. The query is checked, mended and run read-only; the
    /// answer comes with it and with the paths that prove it. Use it for counts, comparisons and conditions over many things.
    #[tool]
    async fn ask_by_cypher(
        &self,
        context: &ToolContext,
        /// The question in full, with all names.
        question: String,
        /// How: naive, retry, retry-check, planner or auto, which is the default.
        flow: Option<String>,
    ) -> Result<ToolOutput, ToolError> {
        let flow: FlowName = match flow {
            Some(name) => name.parse().map_err(unknown)?,
            None => FlowName::default(),
        };
        let limits = FlowLimits { time: TIME_LIMIT, ..FlowLimits::default() };
        // A service does not know who asks.
        let options = FlowOptions::new(flow).limits(limits).anonymous();
        let options = options.cancel(context.cancellation().clone());
        let listener = context.clone();
        let answer = self.graph.ask_flow(&question, &options, move |event| listener.emit(event)).await?;
        let mut text = answer.answer.clone();
        if let Some(cypher) = &answer.cypher {
            text.push_str(&format!("\n\nBy the query:\n{cypher}"));
        }
        Ok(ToolOutput { text, structured: Some(json!(answer)) })
    }
}

fn unknown(error: Text2CypherError) -> ToolError {
    let error = graphwright::Error::from(error);
    let told = ToolError::bad_arguments(error.to_string());
    match error.hint() {
        Some(hint) => told.with_hint(hint),
        None => told,
    }
}

#[cfg(test)]
mod tests {
    use graphwright::{NodeKey, Properties, llm::ScriptedModel, store::ChangeSet};

    use super::*;

    async fn graph(folder: &std::path::Path) -> Graph {
        let graph = Graph::builder().store(folder.join("graph")).build().await.unwrap();
        let mut changes = ChangeSet::new();
        let properties = Properties::from([("name".into(), "ledger".into())]);
        changes.upsert_node(NodeKey::new("Service", "s1"), &[], properties);
        graph.store().apply(changes).await.unwrap();
        graph
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_question_is_answered_with_its_query() {
        let folder = tempfile::tempdir().unwrap();
        let model = ScriptedModel::replies(["MATCH (s:Service) RETURN count(s)", "There is 1 service [2]."]);
        let graph = Arc::new(graph(folder.path()).await.with_model(Arc::new(model)));
        let tools = with_flows(graph.latest_tools().unwrap(), &graph).unwrap();
        let arguments = json!({"question": "How many services are there?", "flow": "naive"});
        let output = tools.call("ask_by_cypher", arguments, &ToolContext::new("mcp")).await.unwrap();
        assert!(output.text.ends_with("By the query:\nMATCH (s:Service) RETURN count(s)"), "{}", output.text);
        assert_eq!(output.structured.unwrap()["values"], json!([1]));

        let unknown = json!({"question": "How many?", "flow": "quick"});
        let error = tools.call("ask_by_cypher", unknown, &ToolContext::new("mcp")).await.unwrap_err();
        assert!(error.to_string().contains("retry-check"), "{error}");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn without_a_model_there_is_no_such_tool() {
        let folder = tempfile::tempdir().unwrap();
        let graph = Arc::new(graph(folder.path()).await);
        let tools = with_flows(graph.latest_tools().unwrap(), &graph).unwrap();
        assert!(tools.get("ask_by_cypher").is_none() && tools.get("run_cypher").is_some());
    }
}
