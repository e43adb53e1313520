//! `graphwright index`

use std::process::ExitCode;

use anyhow::Result;
use graphwright::{
    Access, Error, Graph,
    schema::{Index, IndexKind, Target},
    store::SchemaOptions,
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
        IndexCommand::Create { label, properties, relationships } => {
            let graph = open(global, Access::Write).await?;
            let target = if relationships { Target::RelationshipType(label) } else { Target::Label(label) };
            create(&graph, target, properties, output).await?;
        }
        IndexCommand::Drop { name } => {
            let graph = open(global, Access::Write).await?;
            graph.drop_index(&name).await?;
            output.print(&json!({"dropped": name}), |_| format!("{name} is removed"))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

async fn list(graph: &Graph, output: &Output) -> Result<()> {
    let options = SchemaOptions { sample: 0, ..SchemaOptions::default() };
    let schema = graph.store().schema(options).await.map_err(Error::from)?.without_reserved();
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
    let options = SchemaOptions { sample: 0, ..SchemaOptions::default() };
    let schema = graph.store().schema(options).await.map_err(Error::from)?;
    let made = schema.indexes.into_iter().find(|index| {
        let (mut one, mut other) = (index.properties.clone(), asked.properties.clone());
        one.sort();
        other.sort();
        index.kind == asked.kind && index.target == asked.target && one == other
    });
    let index = made.unwrap_or(asked);
    output.print(&json!({"index": index}), |_| format!("{} can be used", render::index_text(&index)))
}
