//! Lists and calls tools.

use std::sync::Arc;

use graphwright::{ToolContext, ToolHints, ToolOutput, Toolbox};
use rmcp::{
    RoleServer,
    model::{CallToolRequestParams, CallToolResult, ContentBlock, JsonObject, Tool, ToolAnnotations},
    service::RequestContext,
};
use serde_json::{Value, json};

use crate::{McpLimits, McpServer, compact, progress};

/// Describes the tools for a client.
pub(crate) fn list(tools: &Toolbox) -> Vec<Tool> {
    let tools = tools.tools().map(|tool| {
        let spec = tool.spec();
        Tool::new(spec.name.clone(), spec.description.clone(), input_schema(&spec.parameters))
            .with_annotations(annotations(tool.hints()))
    });
    tools.collect()
}

/// Completes the schema of arguments: clients require an object with `properties`, even if there
/// are no arguments.
fn input_schema(parameters: &Value) -> Arc<JsonObject> {
    let mut schema = parameters.as_object().cloned().unwrap_or_default();
    schema.entry("type").or_insert_with(|| json!("object"));
    schema.entry("properties").or_insert_with(|| json!({}));
    Arc::new(schema)
}

fn annotations(hints: ToolHints) -> ToolAnnotations {
    ToolAnnotations::new()
        .read_only(hints.read_only)
        .destructive(hints.destructive)
        .idempotent(hints.idempotent)
        .open_world(false)
}

/// Runs a call. An error becomes a result that the client's model can read.
pub(crate) async fn call(
    server: &McpServer,
    request: CallToolRequestParams,
    context: RequestContext<RoleServer>,
) -> CallToolResult {
    let told = progress::Progress::new(&context);
    let listener = told.clone();
    let for_tool = ToolContext::new("mcp")
        .with_cancellation(context.ct.clone())
        .with_events(move |event| listener.tell(&event));
    let arguments = Value::Object(request.arguments.unwrap_or_default());
    let work = server.tools.call_within(server.limits.time, &request.name, arguments, &for_tool);
    // Ends even a tool that ignores cancellation.
    let outcome = context.ct.run_until_cancelled(work).await;
    told.finish().await;
    match outcome {
        // Nobody waits for this result.
        None => CallToolResult::error(vec![ContentBlock::text("the call was cancelled")]),
        Some(Ok(output)) => success(output, &server.limits),
        Some(Err(error)) => CallToolResult::error(vec![ContentBlock::text(error.to_string())]),
    }
}

fn success(output: ToolOutput, limits: &McpLimits) -> CallToolResult {
    let ToolOutput { mut text, structured } = output.within(limits.text_tokens);
    // Older versions of the protocol accept only objects.
    let structured = structured.map(|value| if value.is_object() { value } else { json!({"result": value}) });
    let structured = structured.map(|value| compact::compact(value, text.len()));
    let structured = structured.filter(|value| {
        let bytes = value.to_string().len();
        let fits = bytes <= limits.structured_bytes;
        if !fits {
            text.push_str(&format!(
                "\n[the structured content is left out: it has {bytes} bytes; ask for less]"
            ));
        }
        fits
    });
    let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
    result.structured_content = structured;
    result
}
