//! Free functions as tools.

use std::time::Duration;

use graphwright_agent::{Tool, ToolContext, ToolErrorKind, ToolHints, Toolbox, tool};
use serde_json::json;

/// Adds two numbers.
#[tool(crate = graphwright_agent, read_only)]
fn sum(a: f64, b: f64) -> f64 {
    a + b
}

/// Waits for ever.
#[tool(crate = graphwright_agent, time_limit = 300)]
async fn wait(context: &ToolContext) -> String {
    context.cancellation().cancelled().await;
    std::future::pending().await
}

/// Breaks.
#[tool(crate = graphwright_agent, blocking)]
fn fall() -> String {
    panic!("over the edge")
}

#[tokio::test]
async fn the_function_stays_and_its_tool_is_beside_it() {
    assert_eq!(sum(1.0, 2.0).to_string(), "3");
    let tool = sum_tool();
    assert_eq!(tool.hints(), ToolHints::READ_ONLY);
    assert_eq!((wait_tool().hints(), tool.time_limit()), (ToolHints::default(), None));
    assert_eq!(wait_tool().time_limit(), Some(Duration::from_mins(5)));
    let tools = Toolbox::new().with(tool).unwrap();
    let output = tools.call("sum", json!({"a": 40, "b": 2}), &ToolContext::new("t")).await.unwrap();
    assert_eq!((output.text.as_str(), output.structured), ("42.0", Some(json!(42.0))));
}

#[tokio::test]
async fn what_waits_and_what_breaks_ends() {
    let tools = Toolbox::new().with(wait_tool()).unwrap().with(fall_tool()).unwrap();
    let context = ToolContext::new("t");
    let error = tools.call("fall", json!({}), &context).await.unwrap_err();
    assert!(error.message.contains("over the edge"));
    context.cancellation().cancel();
    let error = tools.call("wait", json!({}), &context).await.unwrap_err();
    assert_eq!(error.kind, ToolErrorKind::Cancelled);
}
