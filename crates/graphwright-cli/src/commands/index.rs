//! Runs `graphwright index`.

use std::process::ExitCode;

use anyhow::Result;
use graphwright::{
    Access, Error, Graph, GraphSchema,
    schema::{Constraint, Index, IndexKind, Target},
    store::{SchemaOptions, Selection},
};
use serde_json::json;

use super::open;
use crate::{
    arguments::{Global, IndexCommand},
    output::Output,
    render,
};

pub(crate) async fn run(global: &Global, command: IndexCommand, output: &Output) -> Result<ExitCode> {
    match command {
        IndexCommand::List => list(&open(global, Access::Read).await?, output).await?,
        IndexCommand::Create { label, properties, unique: true, .. } => {
            let graph = open(global, Access::Write).await?;
            create_unique(&graph, label, properties, output).await?;
        }
        IndexCommand::Create { label, properties, relationships, .. } => {
            let graph = open(global, Access::Write).await?;
            let target = if relationships { Target::RelationshipType(label) } else { Target::Label(label) };
            create(&graph, target, properties, output).await?;
        }
        IndexCommand::Drop { name } => {
            let graph = open(global, Access::Write).await?;
            if described(&graph, Selection::All).await?.constraints.iter().any(|known| known.name == name) {
                graph.drop_constraint(&name).await?;
            } else {
                graph.drop_index(&name).await?;
            }
            output.print(&json!({"dropped": name}), |_| format!("{name} is removed"))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

async fn list(graph: &Graph, output: &Output) -> Result<()> {
    let schema = described(graph, Selection::All).await?.without_reserved();
    let object = json!({"indexes": schema.indexes, "constraints": schema.constraints});
    output.print(&object, |_| {
        if schema.indexes.is_empty() && schema.constraints.is_empty() {
            return "There is no index. Make one with `graphwright index create LABEL PROPERTY`.".to_owned();
        }
        render::indexes_text(&schema)
    })
}

async fn create(graph: &Graph, target: Target, properties: Vec<String>, output: &Output) -> Result<()> {
    let asked = Index { name: String::new(), target, properties, kind: IndexKind::Property };
    graph.create_index(asked.clone()).await?;
    let schema = described(graph, Selection::None).await?;
    let index = schema.indexes.into_iter().find(|made| made.serves_same(&asked)).unwrap_or(asked);
    output.print(&json!({"index": index}), |_| format!("{} can be used", render::index_text(&index)))
}

async fn create_unique(graph: &Graph, label: String, properties: Vec<String>, output: &Output) -> Result<()> {
    let asked = Constraint { name: String::new(), label: label.clone(), properties };
    graph.create_constraint(asked.clone()).await?;
    let schema = described(graph, Selection::only([label])).await?;
    let made = schema.constraints.into_iter().find(|made| made.demands_same(&asked)).unwrap_or(asked);
    output.print(&json!({"constraint": made}), |_| format!("{} holds", render::constraint_text(&made)))
}

/// Reads the indexes, and the constraints of these labels, without sampling the graph.
async fn described(graph: &Graph, labels: Selection) -> Result<GraphSchema> {
    let options =
        SchemaOptions { labels, relationship_types: Selection::None, sample: 0, ..SchemaOptions::default() };
    Ok(graph.store().schema(options).await.map_err(Error::from)?)
}
