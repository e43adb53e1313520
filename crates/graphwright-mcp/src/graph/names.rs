//! Adds the tools under the names of Neo4j's own servers, for clients that are set up for those.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use graphwright::{
    CypherOptions, Graph, Tool, ToolContext, ToolError, ToolHints, ToolOutput, Toolbox, llm::ToolSpec,
    toolbox,
};
use serde_json::{Map, Value, json};

use crate::Result;

pub(super) const SCHEMA: &str = "get_schema";

/// Our names, and those of `mcp-neo4j-cypher`.
const ALIASES: [(&str, &str); 2] = [(SCHEMA, "get_neo4j_schema"), ("run_cypher", "read_neo4j_cypher")];

pub(super) fn with_neo4j_names(tools: Toolbox, graph: &Arc<Graph>, write: bool) -> Result<Toolbox> {
    let aliases: Vec<RenamedTool> = ALIASES
        .iter()
        .filter_map(|(ours, theirs)| Some(RenamedTool::new(tools.get(ours)?, theirs)))
        .collect();
    let mut all = tools;
    for alias in aliases {
        all = all.with(alias)?;
    }
    if !write {
        return Ok(all);
    }
    Ok(all.merge(Toolbox::from_set(WriteTools { graph: Arc::clone(graph) })?)?)
}

/// A tool under another name.
#[derive(Debug)]
struct RenamedTool {
    spec: ToolSpec,
    tool: Arc<dyn Tool>,
}

impl RenamedTool {
    fn new(tool: &Arc<dyn Tool>, name: &str) -> Self {
        let spec = ToolSpec { name: name.to_owned(), ..tool.spec().clone() };
        Self { spec, tool: Arc::clone(tool) }
    }
}

#[async_trait]
impl Tool for RenamedTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn hints(&self) -> ToolHints {
        self.tool.hints()
    }

    fn time_limit(&self) -> Option<Duration> {
        self.tool.time_limit()
    }

    async fn call(&self, arguments: Value, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        self.tool.call(arguments, context).await
    }
}

/// A toolbox that writes through the gate.
#[derive(Debug)]
struct WriteTools {
    graph: Arc<Graph>,
}

#[toolbox]
impl WriteTools {
    /// Writes to the graph with Cypher. New labels and types, schema commands and procedures are refused, and changes are limited.
    #[tool]
    async fn write_neo4j_cypher(
        &self,
        context: &ToolContext,
        /// One statement of CREATE, MERGE, SET, REMOVE or DELETE with labels and types of the schema.
        query: String,
        /// The parameters by name, as {"name": "Ada"} for $name.
        params: Option<Map<String, Value>>,
    ) -> Result<Value, ToolError> {
        let options = CypherOptions::default().write(true).cancel(context.cancellation().clone());
        let parameters = serde_json::from_value(Value::Object(params.unwrap_or_default()))?;
        let result = self.graph.cypher(&query, parameters, &options).await?;
        Ok(json!({"counters": result.counters, "columns": result.columns, "rows": result.rows}))
    }
}
