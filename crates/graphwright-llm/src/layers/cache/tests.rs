use std::{fs, path::Path, time::SystemTime};

use futures::TryStreamExt;
use serde_json::json;

use super::*;
use crate::{
    Budget, Content, FinishReason, Message, ModelSettings, OutputFormat, ReasoningEffort, ScriptedModel,
    ToolCall, ToolChoice, ToolSpec, Traffic, stack,
};

const SECRET: &str = "sk-very-secret";
const QUESTION: &str = "The capital of France?";

fn settings(cache: &CacheSettings) -> ModelSettings {
    let mut settings = ModelSettings::new("openai/gpt-4o".parse().unwrap());
    settings.provider.key = Some(SECRET.into());
    settings.provider.address = Some("https://me:very-secret@gateway.example/v1/".to_owned());
    settings.traffic = Traffic::new();
    settings.cache = Some(ReplyCache::open(cache).unwrap());
    settings
}

fn in_folder(folder: &Path) -> CacheSettings {
    CacheSettings { folder: Some(folder.to_owned()), ..CacheSettings::default() }
}

fn question() -> ChatRequest {
    ChatRequest::new("Answer in one word.", QUESTION)
}

fn tool() -> ToolSpec {
    let parameters =
        json!({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]});
    ToolSpec { name: "lookup".into(), description: "Looks up.".into(), parameters }
}

fn call(arguments: serde_json::Value) -> ChatReply {
    ToolCall { id: "1".into(), name: "lookup".into(), arguments }.into()
}

/// Creates a model that numbers its replies.
fn counting() -> ScriptedModel {
    let count = std::sync::atomic::AtomicUsize::new(1);
    ScriptedModel::answering(move |_| {
        Ok(format!("reply {}", count.fetch_add(1, std::sync::atomic::Ordering::Relaxed)).into())
    })
}

#[tokio::test]
async fn the_same_question_is_paid_once() {
    let budget = Budget::new(None, Some(1.0));
    let settings = ModelSettings { budget: budget.clone(), ..settings(&CacheSettings::default()) };
    let script = counting();
    let model = stack(script.clone(), &settings).unwrap();
    let first = model.chat(question()).await.unwrap();
    assert!(first.usage.cost.unwrap() > 0.0 && first.usage.cached_replies == 0);
    let spent = budget.used();

    let again = model.chat(question()).await.unwrap();
    assert_eq!(again.message, first.message);
    assert_eq!(again.usage, Usage { cached_replies: 1, cost: Some(0.0), ..Usage::default() });
    let streamed: Vec<StreamEvent> = model.stream(question()).await.unwrap().try_collect().await.unwrap();
    assert_eq!(streamed[0], StreamEvent::Text("reply ".into()));
    assert_eq!(streamed.last(), Some(&StreamEvent::End(Box::new(again))));
    assert_eq!((script.requests().len(), budget.used()), (1, spent));

    let fresh = model.chat(ChatRequest { fresh: true, ..question() }).await.unwrap();
    assert_eq!(fresh.text(), "reply 2");
    assert_eq!(model.chat(question()).await.unwrap().text(), "reply 2", "the newer one is remembered");
}

#[tokio::test]
async fn a_streamed_reply_is_remembered_too() {
    let script = counting();
    let model = stack(script.clone(), &settings(&CacheSettings::default())).unwrap();
    model.stream(question()).await.unwrap().try_collect::<Vec<_>>().await.unwrap();
    assert_eq!(model.chat(question()).await.unwrap().usage.cached_replies, 1);
    assert_eq!(script.requests().len(), 1);
}

#[tokio::test]
async fn everything_that_a_reply_depends_on_is_in_the_key() {
    let schema = |name: &str| OutputFormat::LenientJsonSchema { name: name.into(), schema: json!({}) };
    let base = question;
    let requests = [
        base(),
        ChatRequest::new("Answer in two words.", QUESTION),
        ChatRequest { messages: [base().messages, vec![Message::assistant("Paris")]].concat(), ..base() },
        ChatRequest { tools: [tool()].into(), ..base() },
        ChatRequest { tools: [ToolSpec { description: "Finds.".into(), ..tool() }].into(), ..base() },
        ChatRequest { tool_choice: ToolChoice::None, ..base() },
        ChatRequest { output: schema("one"), ..base() },
        ChatRequest { output: schema("two"), ..base() },
        ChatRequest { temperature: Some(0.0), ..base() },
        ChatRequest { seed: Some(0), ..base() },
        ChatRequest { reasoning_effort: Some(ReasoningEffort::Low), ..base() },
        ChatRequest { max_tokens: Some(100), ..base() },
    ];
    // JSON, so that it is a good reply under a schema too.
    let script = ScriptedModel::answering(|_| Ok(r#"{"a": 1}"#.into()));
    let here = settings(&CacheSettings::default());
    let model = stack(script.clone(), &here).unwrap();
    for request in &requests {
        assert_eq!(model.chat(request.clone()).await.unwrap().usage.cached_replies, 0, "{request:?}");
    }
    for request in requests {
        assert_eq!(model.chat(request).await.unwrap().usage.cached_replies, 1);
    }
    let mut others = [here.clone(), here.clone(), here.clone()];
    others[0].name = "openai/gpt-4o-mini".parse().unwrap();
    others[1].provider.address = None;
    others[2].provider.api_version = Some("2".to_owned());
    for other in others {
        let reply = stack(script.clone(), &other).unwrap().chat(question()).await.unwrap();
        assert_eq!(reply.usage.cached_replies, 0);
    }
}

#[tokio::test]
async fn what_is_not_whole_and_good_is_asked_for_again() {
    let with_tool = || ChatRequest { tools: [tool()].into(), ..question() };
    let schema = json!({"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]});
    let lenient = OutputFormat::LenientJsonSchema { name: "a".into(), schema: schema.clone() };
    let strict = OutputFormat::JsonSchema { name: "a".into(), schema };
    let ends = |finish| ChatReply { finish, ..ChatReply::from("Pa") };
    let bad = [
        (question(), ends(FinishReason::Length)),
        (question(), ends(FinishReason::Filter)),
        (question(), ChatReply::from(" ")),
        (question(), ChatReply::from(Vec::<Content>::new())),
        (with_tool(), call(json!("{\"name\": "))),
        (with_tool(), call(json!({"nam": "Ada"}))),
        (question(), call(json!({"name": "Ada"}))),
        (ChatRequest { tool_choice: ToolChoice::Required, ..with_tool() }, "Ada".into()),
        (ChatRequest { output: lenient, ..question() }, r#"{"a": "one"}"#.into()),
        (ChatRequest { output: strict, ..question() }, r#"{"a": "one"}"#.into()),
    ];
    for (request, reply) in bad {
        let script = ScriptedModel::answering(move |_| Ok(reply.clone()));
        let model = stack(script.clone(), &settings(&CacheSettings::default())).unwrap();
        let first = model.chat(request.clone()).await.is_ok();
        assert_eq!(model.chat(request.clone()).await.is_ok(), first);
        assert_eq!(script.requests().len(), 2, "{request:?}");
    }
    let script = ScriptedModel::answering(|_| Ok(call(json!({"name": "Ada"}))));
    let model = stack(script.clone(), &settings(&CacheSettings::default())).unwrap();
    model.chat(with_tool()).await.unwrap();
    let again = model.chat(with_tool()).await.unwrap();
    assert_eq!((again.usage.cached_replies, again.tool_calls().count()), (1, 1));
}

fn replies_in(folder: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.filter(|path| path.extension().is_some_and(|ending| ending == "reply")).collect()
}

#[tokio::test]
async fn a_folder_keeps_replies_for_other_processes_and_no_secrets() {
    let folder = tempfile::tempdir().unwrap();
    let script = counting();
    let ask = async || {
        let model = stack(script.clone(), &settings(&in_folder(folder.path()))).unwrap();
        model.chat(question()).await.unwrap()
    };
    assert_eq!(ask().await.usage.cached_replies, 0);
    let again = ask().await;
    assert_eq!((again.text().as_str(), again.usage.cached_replies), ("reply 1", 1));

    let files = replies_in(folder.path());
    assert_eq!(files.len(), 1);
    let written = format!("{} {}", files[0].display(), fs::read_to_string(&files[0]).unwrap());
    assert!(written.contains("reply 1"));
    for hidden in ["very-secret", "France", "gateway"] {
        assert!(!written.contains(hidden), "{written}");
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(&files[0]).unwrap().permissions().mode() & 0o077, 0, "for this user alone");
    }

    // What a disk or a person did to a file is no reply.
    fs::write(&files[0], &fs::read(&files[0]).unwrap()[..20]).unwrap();
    assert_eq!(ask().await.text(), "reply 2");
    assert_eq!(ask().await.text(), "reply 2");
}

#[tokio::test]
async fn old_replies_are_not_given() {
    let folder = tempfile::tempdir().unwrap();
    let model = || stack(counting(), &settings(&in_folder(folder.path()))).unwrap();
    model().chat(question()).await.unwrap();
    let day = |days: u64| SystemTime::now() - Duration::from_hours(24 * days);
    let file = replies_in(folder.path()).remove(0);
    let set = |time| fs::File::options().write(true).open(&file).unwrap().set_modified(time).unwrap();
    set(day(29));
    assert_eq!(model().chat(question()).await.unwrap().usage.cached_replies, 1);
    set(day(31));
    assert_eq!(model().chat(question()).await.unwrap().usage.cached_replies, 0);

    let off = CacheSettings { max_age: Duration::ZERO, ..CacheSettings::default() };
    let model = stack(counting(), &settings(&off)).unwrap();
    model.chat(question()).await.unwrap();
    assert_eq!(model.chat(question()).await.unwrap().usage.cached_replies, 0);
}

#[tokio::test]
async fn the_folder_stays_within_its_size_and_files_of_others_stay() {
    let folder = tempfile::tempdir().unwrap();
    for foreign in ["notes.txt", "answer.reply"] {
        fs::write(folder.path().join(foreign), vec![0; 50_000]).unwrap();
    }
    let abandoned = folder.path().join(".killed.reply-part");
    fs::write(&abandoned, "{").unwrap();
    let yesterday = SystemTime::now() - Duration::from_hours(24);
    fs::File::options().write(true).open(&abandoned).unwrap().set_modified(yesterday).unwrap();

    let limit = 20_000;
    let cache = CacheSettings { folder_bytes: limit, ..in_folder(folder.path()) };
    let long = ScriptedModel::answering(|_| Ok("x".repeat(900).into()));
    let model = stack(long, &settings(&cache)).unwrap();
    for number in 0..100 {
        model.chat(ChatRequest::new("", number.to_string())).await.unwrap();
    }
    let mut bytes = 0;
    for file in replies_in(folder.path()) {
        let length = fs::metadata(&file).unwrap().len();
        bytes += if file.ends_with("answer.reply") { 0 } else { length };
    }
    assert!((limit / 2..=limit + limit / 8).contains(&bytes), "{bytes}");
    assert!(!abandoned.exists() && folder.path().join("notes.txt").exists());
    assert!(folder.path().join("answer.reply").exists());
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let error = ReplyCache::open(&in_folder(&file.path().join("cache"))).unwrap_err().to_string();
    assert!(error.contains("cannot be written") && error.contains("name another"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn many_writers_of_one_reply_leave_a_whole_one() {
    let folder = tempfile::tempdir().unwrap();
    let long = ScriptedModel::answering(|_| Ok("word ".repeat(20_000).into()));
    let writers = (0..16).map(|_| {
        let model = stack(long.clone(), &settings(&in_folder(folder.path()))).unwrap();
        tokio::spawn(async move { model.chat(ChatRequest { fresh: true, ..question() }).await })
    });
    for writer in futures::future::join_all(writers).await {
        writer.unwrap().unwrap();
    }
    let model = stack(long, &settings(&in_folder(folder.path()))).unwrap();
    assert_eq!(model.chat(question()).await.unwrap().usage.cached_replies, 1);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing half-written is left");
}
