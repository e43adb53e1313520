//! The tools `explore_neighbors` and `find_connection`.

use graphwright_answer::AnswerPath;
use graphwright_core::store::Selection;
use graphwright_retrieve::{
    Context, ContextFormat, Direction, Follow, NeighbourhoodOptions, PathOptions, Topology,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    GraphSnapshot,
    evidence::{path, sources, sources_line},
    lines::counted,
    naming::{describe, entity, is_entity, known, resolve_one},
};
use crate::{ToolError, ToolOutput};

/// The largest number of paths in a result.
const MOST_PATHS: usize = 5;

/// Which way relationships are followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Way {
    Outgoing,
    Incoming,
    #[default]
    Both,
}

impl From<Way> for Direction {
    fn from(way: Way) -> Self {
        match way {
            Way::Outgoing => Self::Outgoing,
            Way::Incoming => Self::Incoming,
            Way::Both => Self::Both,
        }
    }
}

/// The conditions of an exploration.
pub(super) struct Exploration {
    pub(super) depth: usize,
    pub(super) types: Option<Vec<String>>,
    pub(super) way: Way,
    pub(super) least: f64,
    pub(super) limit: usize,
}

/// Describes what lies around a thing, strongest connections first.
pub(super) fn explore(
    graph: &GraphSnapshot,
    name: &str,
    wanted: &Exploration,
    budget: u64,
) -> Result<ToolOutput, ToolError> {
    let topology = graph.topology();
    let node = resolve_one(graph, name)?;
    let follow = Follow {
        direction: wanted.way.into(),
        types: selection(topology, wanted.types.as_deref())?,
        // Documents and passages have only structural relationships around them, which are not
        // facts.
        facts_only: is_entity(topology, node),
    };
    // The thing in the middle counts as well.
    let limit = wanted.limit + 1;
    let options = NeighbourhoodOptions {
        depth: wanted.depth,
        minimum: wanted.least,
        limit,
        follow,
        ..NeighbourhoodOptions::default()
    };
    let around = topology.neighbourhood(&[node], &options);
    let reached: Vec<_> = around.nodes.iter().filter(|reached| reached.depth > 0).collect();
    let start = describe(topology, node);
    if reached.is_empty() {
        let text = format!("Nothing is connected with {start} in this way.");
        let structured = json!({"entities": [], "paths": [], "truncated": false});
        return Ok(ToolOutput { text, structured: Some(structured) });
    }
    let context = Context::from_neighbourhood(&around);
    let rendered = context.render(topology, ContextFormat::Markdown, budget);
    let stated = sources(topology, around.relationships.iter().map(|walked| walked.relationship));
    let more = if around.truncated { "; there are more (raise limit or min_score)" } else { "" };
    let text = format!(
        "{} within {} of {start}{more}.\n\n{}{}",
        counted(reached.len(), "thing"),
        counted(wanted.depth, "step"),
        rendered.text,
        sources_line(&stated)
    );
    let entities: Vec<_> = reached
        .iter()
        .map(|reached| {
            let mut found = entity(topology, reached.node, reached.score);
            found["depth"] = reached.depth.into();
            found
        })
        .collect();
    let paths: Vec<AnswerPath> =
        reached.iter().map(|reached| path(topology, &around.path(reached))).collect();
    let structured = json!({
        "entities": entities, "paths": paths, "sources": stated, "truncated": around.truncated,
    });
    Ok(ToolOutput { text, structured: Some(structured) })
}

/// Finds the shortest paths between two things.
pub(super) fn connect(
    graph: &GraphSnapshot,
    source: &str,
    target: &str,
    max_hops: usize,
    budget: u64,
) -> Result<ToolOutput, ToolError> {
    let topology = graph.topology();
    let (from, to) = (resolve_one(graph, source)?, resolve_one(graph, target)?);
    let (start, end) = (describe(topology, from), describe(topology, to));
    if from == to {
        return Err(ToolError::bad_arguments(format!("both names are of one thing: {start}"))
            .with_hint("give two different things"));
    }
    let follow =
        Follow { facts_only: is_entity(topology, from) && is_entity(topology, to), ..Follow::default() };
    let options = PathOptions { max_hops, limit: MOST_PATHS, follow, ..PathOptions::default() };
    let found = topology.shortest_paths(&[from], &[to], &options);
    let Some(first) = found.paths.first() else {
        let text = format!("No path within {} connects {start} and {end}.", counted(max_hops, "hop"));
        let structured = json!({"paths": [], "max_hops": max_hops, "truncated": false});
        return Ok(ToolOutput { text, structured: Some(structured) });
    };
    let hops = first.steps.len();
    let mut context = Context::default();
    for path in &found.paths {
        context.add_path(path.clone());
    }
    let rendered = context.render(topology, ContextFormat::Markdown, budget);
    let steps = found.paths.iter().flat_map(|path| &path.steps);
    let stated = sources(topology, steps.map(|step| step.relationship));
    let more = if found.truncated { "; there are more of this length" } else { "" };
    let text = format!(
        "{start} and {end} are {} apart{more}.\n\n{}{}",
        counted(hops, "hop"),
        rendered.text,
        sources_line(&stated)
    );
    let paths: Vec<AnswerPath> = found.paths.iter().map(|found| path(topology, found)).collect();
    let structured = json!({
        "paths": paths, "sources": stated, "max_hops": max_hops, "truncated": found.truncated,
    });
    Ok(ToolOutput { text, structured: Some(structured) })
}

/// Returns the relationship types with the given names; an error if one does not exist.
fn selection(topology: &Topology, types: Option<&[String]>) -> Result<Selection, ToolError> {
    let Some(types) = types.filter(|types| !types.is_empty()) else { return Ok(Selection::All) };
    let names = topology.relationship_types().map(|(kind, _)| kind);
    let names: Vec<&str> = names.collect();
    let known =
        types.iter().map(|kind| known("relationship type", kind, names.iter().copied()).map(str::to_owned));
    Ok(Selection::Only(known.collect::<Result<_, _>>()?))
}
