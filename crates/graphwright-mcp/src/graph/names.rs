//! The tools under the names that Neo4j's own servers give them, for clients that are set up for those.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use graphwright::{
    CypherOptions, Graph, Tool, ToolContext, ToolError, ToolHints, ToolOutput, Toolbox, llm::ToolSpec,
};
use serde_json::{Value, json};

use crate::Result;

pub(super) const SCHEMA: &str = "get_schema";

/// Our names, and those of `mcp-neo4j-cypher`.
const ALIASES: [(&str, &str); 2] = [(SCHEMA, "get_neo4j_schema"), ("run_cypher", "read_neo4j_cypher")];

pub(super) fn with_neo4j_names(tools: Toolbox, graph: &Arc<Graph>, write: bool) -> Result<Toolbox> {
    let aliases: Vec<Renamed> =
        ALIASES.iter().filter_map(|(ours, theirs)| Some(Renamed::new(tools.get(ours)?, theirs))).collect();
    let mut all = tools;
    for alias in aliases {
        all = all.with(alias)?;
    }
    if write { Ok(all.with(WriteCypher::new(graph))?) } else { Ok(all) }
}

/// A tool under another name.
#[derive(Debug)]
struct Renamed {
    spec: ToolSpec,
    tool: Arc<dyn Tool>,
}

impl Renamed {
    fn new(tool: &Arc<dyn Tool>, name: &str) -> Self {
        let spec = ToolSpec { name: name.to_owned(), ..tool.spec().clone() };
        Self { spec, tool: Arc::clone(tool) }
    }
}

#[async_trait]
impl Tool for Renamed {
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

/// Writes through the gate.
#[derive(Debug)]
struct WriteCypher {
    spec: ToolSpec,
    graph: Arc<Graph>,
}

impl WriteCypher {
    fn new(graph: &Arc<Graph>) -> Self {
        let parameters = json!({
            "type": "object",
            "properties": {
                "query": {"type": "string", "description": "One statement of CREATE, MERGE, SET, REMOVE or DELETE with labels and types of the schema."},
                "params": {"type": "object", "description": "The values of its parameters, by name."},
            },
            "required": ["query"],
            "additionalProperties": false,
        });
        let description = "Writes to the graph with Cypher. New labels and types, schema commands and procedures are refused, and changes are limited.";
        let spec = ToolSpec {
            name: "write_neo4j_cypher".to_owned(),
            description: description.to_owned(),
            parameters,
        };
        Self { spec, graph: Arc::clone(graph) }
    }
}

#[async_trait]
impl Tool for WriteCypher {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn call(&self, arguments: Value, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let query = arguments["query"].as_str().unwrap_or_default();
        let options =
            CypherOptions { write: true, cancel: context.cancellation().clone(), ..CypherOptions::default() };
        let given = arguments["params"].as_object().cloned().unwrap_or_default();
        let parameter = |(name, value)| Ok::<_, ToolError>((name, serde_json::from_value(value)?));
        let parameters = given.into_iter().map(parameter).collect::<Result<_, _>>()?;
        let result = self.graph.cypher(query, parameters, &options).await?;
        let counters = serde_json::to_value(result.counters)?;
        Ok(ToolOutput::from(json!({"counters": counters, "columns": result.columns, "rows": result.rows})))
    }
}
