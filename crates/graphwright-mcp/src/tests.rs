//! Tests with a client of the protocol's own library.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use graphwright::{
    CancellationToken, Event, Tool, ToolContext, ToolError, ToolHints, ToolOutput, Toolbox, llm::ToolSpec,
};
use rmcp::{
    ClientHandler, RoleClient, ServiceExt,
    model::{
        CallToolRequestParams, CallToolResult, ClientRequest, GetPromptRequestParams, NumberOrString,
        PaginatedRequestParams, ProgressNotificationParam, ProgressToken, ReadResourceRequestParams, Request,
        RequestMetaObject,
    },
    service::{NotificationContext, RunningService},
};
use serde_json::{Value, json};
use tokio::sync::Mutex;

use crate::{Library, McpLimits, McpServer, Resource, ResourceText};

/// A tool that returns the text that it is given.
#[derive(Debug)]
struct Say(ToolSpec);

impl Say {
    fn new() -> Self {
        let parameters =
            json!({"type": "object", "properties": {"what": {"type": "string"}}, "required": ["what"]});
        Self(ToolSpec { name: "say".to_owned(), description: "Says it.".to_owned(), parameters })
    }
}

#[async_trait]
impl Tool for Say {
    fn spec(&self) -> &ToolSpec {
        &self.0
    }

    fn hints(&self) -> ToolHints {
        ToolHints::READ_ONLY
    }

    async fn call(&self, arguments: Value, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        context.emit(Event::Step { what: "clearing the throat".to_owned() });
        match arguments["what"].as_str().unwrap_or_default() {
            "panic" => panic!("no voice"),
            "forever" => std::future::pending().await,
            "long" => {
                Ok(ToolOutput { text: "la ".repeat(5_000), structured: Some("la".repeat(5_000).into()) })
            }
            "list" => Ok(json!([1, 2]).into()),
            what => Ok(what.into()),
        }
    }
}

#[derive(Debug)]
struct Numbers;

#[async_trait]
impl Library for Numbers {
    fn templates(&self) -> Vec<Resource> {
        vec![number("{number}".to_owned())]
    }

    async fn list(&self, skip: usize, limit: usize) -> Result<Vec<Resource>, String> {
        Ok((skip..150).take(limit).map(|at| number(at.to_string())).collect())
    }

    async fn read(&self, address: &str) -> Result<Option<ResourceText>, String> {
        let found = address.strip_prefix("test://").and_then(|number| number.parse::<usize>().ok());
        let text =
            |number| ResourceText { text: format!("number {number}"), media_type: "text/plain".to_owned() };
        if address == "test://slow" {
            return std::future::pending().await;
        }
        if address == "test://long" {
            let text = "é".repeat(20);
            return Ok(Some(ResourceText { text, media_type: "text/plain".to_owned() }));
        }
        Ok(found.filter(|number| *number < 150).map(text))
    }
}

fn number(name: String) -> Resource {
    let media_type = "text/plain".to_owned();
    Resource {
        address: format!("test://{name}"),
        description: format!("The number {name}."),
        name,
        media_type,
    }
}

#[derive(Clone, Default)]
struct Client {
    progress: Arc<Mutex<Vec<String>>>,
}

impl ClientHandler for Client {
    async fn on_progress(&self, progress: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        self.progress.lock().await.extend(progress.message);
    }
}

fn server() -> McpServer {
    let limits = McpLimits {
        text_tokens: 100,
        structured_bytes: 100,
        resource_bytes: 20,
        time: Duration::from_millis(300),
    };
    McpServer::new(Toolbox::new().with(Say::new()).unwrap())
        .with_library(Arc::new(Numbers))
        .with_instructions("Be brief.")
        .with_limits(limits)
}

async fn connect(server: McpServer) -> RunningService<RoleClient, Client> {
    let (ours, theirs) = tokio::io::duplex(1 << 16);
    let (input, output) = tokio::io::split(ours);
    tokio::spawn(server.serve(input, output, CancellationToken::new()));
    Client::default().serve(theirs).await.unwrap()
}

async fn say(client: &RunningService<RoleClient, Client>, what: Value) -> CallToolResult {
    let arguments = json!({"what": what}).as_object().cloned().unwrap();
    client.call_tool(CallToolRequestParams::new("say").with_arguments(arguments)).await.unwrap()
}

fn text(result: &CallToolResult) -> &str {
    &result.content[0].as_text().unwrap().text
}

#[tokio::test]
async fn a_client_sees_the_tools_with_their_hints() {
    let client = connect(server()).await;
    let info = serde_json::to_value(client.peer_info().unwrap()).unwrap();
    assert_eq!(
        (&info["instructions"], &info["serverInfo"]["name"]),
        (&json!("Be brief."), &json!("graphwright"))
    );
    insta::assert_json_snapshot!(client.list_all_tools().await.unwrap());
}

#[tokio::test]
async fn results_and_errors_are_for_the_model_to_read() {
    let client = connect(server()).await;
    let said = say(&client, json!("hello")).await;
    assert_eq!((text(&said), said.is_error), ("hello", Some(false)));
    let listed = say(&client, json!("list")).await;
    assert_eq!(listed.structured_content, Some(json!({"result": [1, 2]})));
    for (what, wrong) in [
        (json!(7), "the arguments of `say` are wrong"),
        (json!("panic"), "the tool `say` broke: no voice"),
        (json!("forever"), "did not end within 0.3 s"),
    ] {
        let result = say(&client, what).await;
        assert_eq!(result.is_error, Some(true));
        assert!(text(&result).contains(wrong), "{}", text(&result));
    }
    let unknown = client.call_tool(CallToolRequestParams::new("sing")).await.unwrap();
    assert!(text(&unknown).contains("there is no tool named `sing`"));
}

#[tokio::test]
async fn results_are_limited() {
    let client = connect(server()).await;
    let long = say(&client, json!("long")).await;
    assert!(text(&long).contains("[cut: 100 of about 3750 tokens are shown"), "{}", text(&long));
    assert!(text(&long).contains("structured content is left out"));
    assert_eq!(long.structured_content, None);
}

#[tokio::test]
async fn who_asks_for_progress_is_told_before_the_result() {
    let client = connect(server()).await;
    let arguments = json!({"what": "hello"}).as_object().cloned().unwrap();
    let mut params = CallToolRequestParams::new("say").with_arguments(arguments);
    params.meta = Some(RequestMetaObject::with_progress_token(ProgressToken(NumberOrString::Number(1))));
    client.send_request(ClientRequest::CallToolRequest(Request::new(params))).await.unwrap();
    assert_eq!(*client.service().progress.lock().await, ["clearing the throat"]);
}

#[tokio::test]
async fn texts_come_in_pages_and_by_address() {
    let client = connect(server()).await;
    let first = client.list_resources(None).await.unwrap();
    assert_eq!((first.resources.len(), first.next_cursor.as_deref()), (100, Some("100")));
    assert_eq!(client.list_all_resources().await.unwrap().len(), 150);
    assert_eq!(client.list_all_resource_templates().await.unwrap()[0].uri_template, "test://{number}");
    let read = |address: &str| client.read_resource(ReadResourceRequestParams::new(address));
    let found = serde_json::to_value(read("test://7").await.unwrap()).unwrap();
    assert_eq!(found["contents"][0]["text"], "number 7");
    let long = serde_json::to_value(read("test://long").await.unwrap()).unwrap();
    assert_eq!(long["contents"][0]["text"], format!("{}\n[cut: 20 of 40 bytes are shown]", "é".repeat(10)));
    assert!(read("test://slow").await.unwrap_err().to_string().contains("was not read within 0.3 s"));
    assert!(read("test://700").await.unwrap_err().to_string().contains("there is nothing at `test://700`"));
    let mut page = PaginatedRequestParams::default();
    page.cursor = Some("no number".to_owned());
    assert!(client.list_resources(Some(page)).await.is_err());
}

#[tokio::test]
async fn prompts_are_filled_in() {
    let client = connect(server()).await;
    let names: Vec<_> =
        client.list_all_prompts().await.unwrap().into_iter().map(|prompt| prompt.name).collect();
    assert_eq!(names, ["answer_from_graph", "explore", "write_query"]);
    let arguments = json!({"name": "ledger"}).as_object().cloned().unwrap();
    let mut request = GetPromptRequestParams::new("explore");
    let missing = client.get_prompt(request.clone()).await.unwrap_err();
    assert!(missing.to_string().contains("the prompt `explore` needs `name`"));
    request.arguments = Some(arguments);
    let prompt = serde_json::to_value(client.get_prompt(request).await.unwrap()).unwrap();
    let told = prompt["messages"][0]["content"]["text"].as_str().unwrap();
    assert!(told.starts_with("Tell what the knowledge graph knows about ledger:"), "{told}");
}
