//! Runs `graphwright doctor`.

use std::process::ExitCode;

use anyhow::Result;
use graphwright::{
    Access, Error, Graph, Repair, Settings,
    llm::{ChatModel, Reranker, probe},
    schema::Target,
    store::SchemaOptions,
    text::without_credentials,
};
use serde::Serialize;
use serde_json::json;

use crate::{
    arguments::{DoctorArguments, Global},
    hints,
    output::Output,
    render, settings,
};

/// Result of one check.
#[derive(Debug, Serialize)]
struct Check {
    name: &'static str,
    status: Status,
    message: String,
    hint: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Status {
    Ok,
    Warning,
    Error,
}

impl Check {
    fn new(name: &'static str, status: Status, message: impl Into<String>) -> Self {
        Self { name, status, message: without_credentials(&message.into()).into_owned(), hint: None }
    }

    fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    fn failed(name: &'static str, error: &Error) -> Self {
        let hint = error.hint().map(|hint| without_credentials(&hints::worded(hint)).into_owned());
        Self { hint, ..Self::new(name, Status::Error, error.to_string()) }
    }
}

pub(crate) async fn run(global: &Global, arguments: &DoctorArguments, output: &Output) -> Result<ExitCode> {
    let settings = settings::read(global)?;
    let mut checks = vec![Check::new("settings", Status::Ok, format!("store {}", settings.store))];
    if arguments.repair {
        checks.push(repair(&settings).await);
    }
    match Graph::open(settings, Access::Read).await {
        Ok(graph) => {
            checks.push(store(&graph).await);
            checks.extend(put_aside(&graph).await);
            checks.push(property_indexes(&graph).await);
            checks.extend(lookups(&graph));
            checks.push(snapshot(&graph).await);
            checks.push(index(&graph).await);
            checks.push(embedder(&graph).await);
            if let Some(reranker) = graph.reranker() {
                checks.push(ranks(reranker.as_ref()).await);
            }
            checks.push(model(&graph).await);
            if let Some(judge) = graph.judge() {
                checks.push(answers("judge", judge.as_ref()).await);
            }
            checks.extend(cache(&graph));
        }
        Err(error) => checks.push(Check::failed("store", &error)),
    }
    let sound = checks.iter().all(|check| check.status != Status::Error);
    output.print(&json!({"ok": sound, "checks": checks}), |_| text(&checks))?;
    Ok(if sound { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Cuts a damaged log before its first damage.
async fn repair(settings: &Settings) -> Check {
    match Graph::repair(settings).await {
        Err(error) => Check::failed("repair", &error),
        Ok(None) => Check::new("repair", Status::Ok, "nothing is damaged"),
        Ok(Some(Repair { kept, damage, dropped_bytes, copy })) => {
            let kept = render::count(kept, "commit");
            let message = format!("{damage}; {kept} of the log kept, {dropped_bytes} bytes left out");
            let hint = format!(
                "the log as it was is in {}; ingest again to make up for what is lost",
                copy.display()
            );
            Check::new("repair", Status::Warning, message).hint(hint)
        }
    }
}

async fn store(graph: &Graph) -> Check {
    let read = async {
        let info = graph.store().info().await?;
        let schema = graph.store().schema(SchemaOptions { sample: 0, ..SchemaOptions::default() }).await?;
        Ok::<_, Error>((info, schema))
    };
    match read.await {
        Err(error) => Check::failed("store", &error),
        Ok((info, schema)) if schema.labels.is_empty() => {
            Check::new("store", Status::Warning, format!("{} ({}) is empty", info.address, info.engine))
                .hint("fill it with `graphwright ingest` or `graphwright import`")
        }
        Ok((info, schema)) => {
            let message = format!(
                "{} ({}): {}, {}",
                info.address,
                info.engine,
                render::count(schema.labels.len(), "label"),
                render::count(schema.relationship_types.len(), "relationship type"),
            );
            Check::new("store", Status::Ok, message)
        }
    }
}

/// Warns of what the store says that its owner should look into.
async fn put_aside(graph: &Graph) -> Vec<Check> {
    let notices = graph.store().info().await.map(|info| info.notices).unwrap_or_default();
    notices.into_iter().map(|notice| Check::new("log", Status::Warning, notice)).collect()
}

/// Checks whether the store has indexes for the properties that queries look up.
async fn property_indexes(graph: &Graph) -> Check {
    const NAME: &str = "property indexes";
    match graph.missing_indexes().await {
        Err(error) => Check::failed(NAME, &error),
        Ok(missing) if missing.is_empty() => {
            Check::new(NAME, Status::Ok, "none is missing for what queries have looked up so far")
        }
        Ok(missing) => {
            let names = missing.iter().map(|index| {
                let (Target::Label(on) | Target::RelationshipType(on)) = &index.target;
                format!("{on}.{}", index.property)
            });
            let names = names.collect::<Vec<_>>().join(", ");
            let message = format!("queries look up by {names}, and no index serves that");
            let commands: Vec<_> = missing.iter().map(render::index_command).collect();
            Check::new(NAME, Status::Warning, message).hint(commands.join("\n"))
        }
    }
}

/// Warns if later look-ups are no longer recorded.
fn lookups(graph: &Graph) -> Option<Check> {
    let file = graph.full_lookups_file()?;
    let message = "what is remembered of queries is full: by what later ones look up is not seen";
    let hint = format!("delete {} to begin anew", file.display());
    Some(Check::new("look-ups", Status::Warning, message).hint(hint))
}

/// Reads all files of the snapshot of the graph.
async fn snapshot(graph: &Graph) -> Check {
    const NAME: &str = "snapshot of the graph";
    let topology = match graph.topology().await {
        Err(error) => return Check::failed(NAME, &error),
        Ok(topology) => topology,
    };
    if let Some(damage) = topology.check() {
        return Check::new(NAME, Status::Error, damage).hint("`graphwright ingest` makes it anew");
    }
    let relationships = render::count(topology.relationship_count(), "relationship");
    Check::new(NAME, Status::Ok, format!("{}, {relationships}", render::count(topology.node_count(), "node")))
}

async fn index(graph: &Graph) -> Check {
    const NAME: &str = "search index";
    let index = match graph.search_index().await {
        Err(error) => return Check::failed(NAME, &error),
        Ok(index) => index,
    };
    if let Some(damage) = index.damage() {
        return Check::new(NAME, Status::Error, damage).hint("`graphwright ingest` makes it anew");
    }
    if index.is_stale() {
        return Check::new(NAME, Status::Warning, "older than the graph")
            .hint("the next `graphwright ingest` renews it");
    }
    if index.is_on_server() {
        return Check::new(NAME, Status::Ok, "on the server");
    }
    Check::new(NAME, Status::Ok, format!("{}, passages and facts", render::count(index.len(), "node")))
}

async fn embedder(graph: &Graph) -> Check {
    let identity = graph.embedder().identity().clone();
    match graph.embedder().embed(&["a test".to_owned()]).await {
        Err(error) => Check::failed("embedder", &error.into()),
        Ok(_) => Check::new(
            "embedder",
            Status::Ok,
            format!("{}, {} dimensions", identity.name, identity.dimensions),
        ),
    }
}

async fn ranks(reranker: &dyn Reranker) -> Check {
    match reranker.rerank("a test", &["a test".to_owned()]).await {
        Err(error) => Check::failed("reranker", &error.into()),
        Ok(_) => Check::new("reranker", Status::Ok, format!("{} ranks", reranker.name())),
    }
}

async fn model(graph: &Graph) -> Check {
    let Some(model) = graph.model() else {
        return Check::new("model", Status::Ok, "none: the rules read documents and the graph alone answers")
            .hint("name one with --model provider/model to let it read and answer");
    };
    answers("model", model.as_ref()).await
}

async fn answers(role: &'static str, model: &dyn ChatModel) -> Check {
    match probe(model).await {
        Err(error) => Check::failed(role, &error.into()),
        Ok(_) => Check::new(role, Status::Ok, format!("{} answers", model.name())),
    }
}

/// Tells where replies of the model are cached, if there is a model.
fn cache(graph: &Graph) -> Option<Check> {
    graph.model()?;
    let message = match &graph.settings().cache {
        None => "off: every call is made and paid".to_owned(),
        Some(cache) => {
            let days = cache.max_age.as_secs() / 86_400;
            let place = cache.folder.as_ref().map(|folder| folder.display().to_string());
            let place = place.unwrap_or_else(|| "memory, until the command ends".to_owned());
            let days = if days == 1 { "a day".to_owned() } else { format!("{days} days") };
            format!("replies of up to {days} are remembered in {place}")
        }
    };
    Some(Check::new("cache", Status::Ok, message))
}

/// The place below a check's name.
const INDENT: &str = "         ";

/// Indents the lines of a text but the first, so that none looks like a check.
fn indented(text: &str) -> String {
    text.trim_end().replace('\n', &format!("\n{INDENT}"))
}

fn text(checks: &[Check]) -> String {
    let mut text = String::new();
    for check in checks {
        let mark = match check.status {
            Status::Ok => "ok     ",
            Status::Warning => "warning",
            Status::Error => "error  ",
        };
        text.push_str(&format!("{mark}  {}: {}\n", check.name, indented(&check.message)));
        if let Some(hint) = &check.hint {
            text.push_str(&format!("{INDENT}{}\n", indented(hint)));
        }
    }
    text
}
