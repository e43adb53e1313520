use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

use super::*;
use crate::ToolHints;

/// A tool that returns its arguments, or panics, fails or waits when they say so.
#[derive(Debug)]
struct Echo {
    spec: ToolSpec,
    hints: ToolHints,
}

fn echo(name: &str) -> Echo {
    let parameters = json!({
        "type": "object",
        "properties": {
            "text": {"type": "string"},
            "times": {"type": "integer", "minimum": 1, "maximum": 3, "default": 1},
            "where": {"anyOf": [{"$ref": "#/$defs/Place"}, {"type": "null"}]},
        },
        "required": ["text"],
        "additionalProperties": false,
        "$defs": {"Place": {"type": "object", "properties": {"town": {"type": "string"}}}},
    });
    let description = "Says it again.".to_owned();
    let spec = ToolSpec { name: name.to_owned(), description, parameters };
    Echo { spec, hints: ToolHints::default() }
}

#[async_trait]
impl Tool for Echo {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn hints(&self) -> ToolHints {
        self.hints
    }

    async fn call(&self, arguments: Value, _: &ToolContext) -> Result<ToolOutput, ToolError> {
        match arguments["text"].as_str() {
            Some("break") => panic!("no echo today"),
            Some("fail") => Err(std::io::Error::other("the wall is gone").into()),
            Some("wait") => std::future::pending().await,
            _ => Ok(arguments.into()),
        }
    }
}

async fn call(arguments: Value) -> Result<ToolOutput, ToolError> {
    let tools = Toolbox::new().with(echo("echo")).unwrap();
    tools.call("echo", arguments, &ToolContext::new("t")).await
}

#[tokio::test]
async fn arguments_are_taken_as_models_write_them() {
    let returned = async |arguments| call(arguments).await.unwrap().structured.unwrap();
    let plain = json!({"text": "hey"});
    assert_eq!(returned(plain.clone()).await, plain);
    assert_eq!(returned(json!("{\"text\": \"hey\"}")).await, plain);
    assert_eq!(returned(json!({"text": "hey", "times": null, "where": null})).await, plain);
    let nested = json!({"text": "hey", "where": {"town": null}});
    assert_eq!(returned(nested).await, json!({"text": "hey", "where": {}}));
}

#[tokio::test]
async fn a_malformed_call_is_told_what_is_wrong_and_the_schema() {
    let mut told = String::new();
    for arguments in [
        json!({}),
        Value::Null,
        json!({"text": null}),
        json!({"text": "hey", "times": 9, "colour": "red"}),
        json!("not JSON"),
        json!(""),
        json!("{\"text\": \"he"),
    ] {
        let error = call(arguments).await.unwrap_err();
        assert_eq!(error.kind, ToolErrorKind::BadArguments);
        assert!(error.hint.unwrap().contains(r#""required":["text"]"#));
        told.push_str(&format!("{}\n", error.message));
    }
    insta::assert_snapshot!(told);
}

#[tokio::test]
async fn whatever_goes_wrong_is_an_error_that_the_model_can_read() {
    let error = async |text: &str| call(json!({"text": text})).await.unwrap_err().to_string();
    assert_eq!(
        error("break").await,
        "the tool `echo` broke: no echo today\nHint: do without it, or call it with other arguments"
    );
    assert_eq!(error("fail").await, "the wall is gone");
}

#[tokio::test]
async fn a_tool_stops_when_the_work_is_cancelled() {
    let tools = Toolbox::new().with(echo("echo")).unwrap();
    let stop = CancellationToken::new();
    let context = ToolContext::new("t").with_cancellation(stop.clone());
    let call = tools.call("echo", json!({"text": "wait"}), &context);
    let (result, ()) = futures::join!(call, async { stop.cancel() });
    assert_eq!(result.unwrap_err().kind, ToolErrorKind::Cancelled);
}

#[tokio::test]
async fn names_are_unique_and_near_ones_are_suggested() {
    let first = Toolbox::new().with(echo("echo")).unwrap();
    let error = first.clone().with(echo("echo")).unwrap_err();
    assert_eq!(error.to_string(), "two tools are named `echo`");
    assert!(first.clone().merge(first.clone()).is_err());
    let both = first.merge(Toolbox::new().with(echo("reply")).unwrap()).unwrap();
    let context = ToolContext::new("t");
    let error = async |name| both.call(name, json!({}), &context).await.unwrap_err().to_string();
    assert_eq!(error("ecko").await, "there is no tool named `ecko`\nHint: did you mean `echo`?");
    assert_eq!(error("xyz").await, "there is no tool named `xyz`\nHint: the tools are echo, reply");
}

#[test]
fn a_toolbox_lists_itself() {
    let reading = Echo { hints: ToolHints::READ_ONLY, ..echo("read") };
    let tools = Toolbox::new().with(echo("echo")).unwrap().with(reading).unwrap();
    assert_eq!(format!("{tools:?}"), r#"{"echo", "read"}"#);
    let reading = tools.retain(|tool| tool.hints().read_only);
    insta::assert_json_snapshot!(reading.to_json());
}

#[test]
fn a_schema_that_is_none_is_refused() {
    let mut tool = echo("echo");
    tool.spec.parameters = json!({"type": "numbers"});
    let error = Toolbox::new().with(tool).unwrap_err();
    assert!(error.to_string().starts_with("the JSON Schema of the tool `echo` is not valid: "), "{error}");
}
