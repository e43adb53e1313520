//! The texts of a graph.

use std::sync::Arc;

use async_trait::async_trait;
use graphwright::{
    Graph, Statement, Thread, ThreadStore, Tool, ToolContext, Value, llm::Content, store::QueryOptions,
};
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use serde_json::json;

use crate::{Library, Resource, ResourceText};

const SCHEMA: &str = "graphwright://schema";
const DOCUMENT: &str = "graphwright://document/";
const EVIDENCE: &str = "graphwright://thread/";

/// A library of the schema, the documents, and the evidence of kept conversations.
#[derive(Debug)]
pub(super) struct GraphLibrary {
    graph: Arc<Graph>,
    /// The tool that describes the schema for models.
    schema: Option<Arc<dyn Tool>>,
}

impl GraphLibrary {
    pub(super) fn new(graph: Arc<Graph>, schema: Option<Arc<dyn Tool>>) -> Self {
        Self { graph, schema }
    }

    async fn rows(&self, statement: Statement) -> Result<Vec<Vec<Value>>, String> {
        let read =
            async { self.graph.store().read(statement, QueryOptions::default()).await?.collect().await };
        Ok(read.await.map_err(|error| error.to_string())?.rows)
    }

    /// Joins the passages of a document, which may overlap, to its text.
    async fn document(&self, id: &str) -> Result<Option<ResourceText>, String> {
        let statement = Statement::fixed(
            "MATCH (c:Chunk)-[:FROM_DOCUMENT]->(d:Document) WHERE d.__id__ = $id RETURN c.text, c.start, c.end ORDER BY c.start",
        );
        let rows = self.rows(statement.with("id", id)).await?;
        let (mut text, mut read) = (String::new(), 0);
        for row in &rows {
            let [Value::String(passage), Value::Integer(start), Value::Integer(end)] = row.as_slice() else {
                continue;
            };
            let known = usize::try_from(read - start).unwrap_or(0);
            // The text between passages is not stored; an empty line shows the gap.
            if *start > read && !text.is_empty() {
                text.push_str("\n\n");
            }
            text.push_str(passage.get(known..).unwrap_or_default());
            read = read.max(*end);
        }
        Ok((!rows.is_empty()).then(|| ResourceText { text, media_type: "text/plain".to_owned() }))
    }

    async fn evidence(&self, id: &str) -> Result<Option<ResourceText>, String> {
        let thread = self.graph.threads().load(id).await.map_err(|error| error.to_string())?;
        let text = serde_json::to_string_pretty(&evidence(&thread)).map_err(|error| error.to_string())?;
        let media_type = "application/json".to_owned();
        Ok((!thread.messages.is_empty()).then_some(ResourceText { text, media_type }))
    }
}

/// Returns the questions of a conversation, the tool calls with their results, and the answers.
fn evidence(thread: &Thread) -> serde_json::Value {
    let parts = thread.messages.iter().flat_map(|message| {
        message.content.iter().filter_map(|part| match part {
            Content::Text(text) => Some(json!({"role": message.role, "text": text})),
            // What a model thought proves nothing.
            Content::Reasoning(_) => None,
            Content::ToolCall(call) => {
                Some(json!({"call": call.id, "tool": call.name, "arguments": call.arguments}))
            }
            Content::ToolResult { id, content } => Some(json!({"call": id, "result": content})),
        })
    });
    parts.collect()
}

fn encode(id: &str) -> String {
    utf8_percent_encode(id, NON_ALPHANUMERIC).to_string()
}

#[async_trait]
impl Library for GraphLibrary {
    fn templates(&self) -> Vec<Resource> {
        let template = |address: &str, name: &str, description: &str, media_type: &str| Resource {
            address: address.to_owned(),
            name: name.to_owned(),
            description: description.to_owned(),
            media_type: media_type.to_owned(),
        };
        vec![
            template(
                "graphwright://document/{id}",
                "document",
                "The text of a document, by its identifier.",
                "text/plain",
            ),
            template(
                "graphwright://thread/{name}/evidence",
                "evidence of a conversation",
                "What was asked in a conversation that is kept, what the tools returned, and the answers.",
                "application/json",
            ),
        ]
    }

    async fn list(&self, skip: usize, limit: usize) -> Result<Vec<Resource>, String> {
        let schema = Resource {
            address: SCHEMA.to_owned(),
            name: "schema".to_owned(),
            description: "Labels, relationship types, properties and patterns of the graph.".to_owned(),
            media_type: "text/plain".to_owned(),
        };
        // The schema is the first item of the list.
        let (ours, before) = if skip == 0 { (vec![schema], 0) } else { (Vec::new(), skip - 1) };
        let number = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        let documents = Statement::fixed(
            "MATCH (d:Document) WHERE d.__id__ IS NOT NULL RETURN d.__id__, d.name, d.source ORDER BY d.__id__ SKIP $skip LIMIT $limit",
        );
        let documents = documents.with("skip", number(before)).with("limit", number(limit - ours.len()));
        let text = |value: &Value| match value {
            Value::String(text) => text.clone(),
            _ => String::new(),
        };
        let rows = self.rows(documents).await?;
        let documents = rows.iter().filter_map(|row| {
            let [id, name, source] = row.as_slice() else { return None };
            let id = text(id);
            Some(Resource {
                address: format!("{DOCUMENT}{}", encode(&id)),
                name: Some(text(name)).filter(|name| !name.is_empty()).unwrap_or(id),
                description: format!("A document, from {}", text(source)),
                media_type: "text/plain".to_owned(),
            })
        });
        Ok(ours.into_iter().chain(documents).collect())
    }

    async fn read(&self, address: &str) -> Result<Option<ResourceText>, String> {
        let decode = |id: &str| percent_decode_str(id).decode_utf8_lossy().into_owned();
        if address == SCHEMA {
            let Some(tool) = &self.schema else { return Ok(None) };
            let context = ToolContext::new("mcp");
            let told = tool.call(json!({}), &context).await.map_err(|error| error.to_string())?;
            return Ok(Some(ResourceText { text: told.text, media_type: "text/plain".to_owned() }));
        }
        if let Some(id) = address.strip_prefix(DOCUMENT) {
            return self.document(&decode(id)).await;
        }
        match address.strip_prefix(EVIDENCE).and_then(|rest| rest.strip_suffix("/evidence")) {
            Some(name) => self.evidence(&decode(name)).await,
            None => Ok(None),
        }
    }
}
