//! Retrievers that walk from hits through the graph.

use std::sync::Arc;

use async_trait::async_trait;

use super::{PathNode, PathRelationship, Retrieved, RetrievedPath, Retriever};
use crate::{
    Direction, GraphPath, Hit, HitKind, NeighbourhoodOptions, NodeIndex, PathOptions, Result, Role,
    SearchRequest, Topology, in_words, telling,
};

/// Finds what is around the hits of another retriever, along the strongest relationships.
#[derive(Debug)]
pub struct NeighborhoodRetriever {
    seeds: Arc<dyn Retriever>,
    topology: Arc<Topology>,
    options: NeighbourhoodOptions,
}

impl NeighborhoodRetriever {
    /// Creates a retriever that walks from the hits of another one.
    pub fn new(seeds: Arc<dyn Retriever>, topology: Arc<Topology>) -> Self {
        Self {
            seeds,
            topology,
            options: NeighbourhoodOptions { limit: 30, ..NeighbourhoodOptions::default() },
        }
    }

    /// Sets how far to walk; by default two steps, and to 30 nodes.
    #[must_use]
    pub fn with_options(self, options: NeighbourhoodOptions) -> Self {
        Self { options, ..self }
    }
}

#[async_trait]
impl Retriever for NeighborhoodRetriever {
    fn name(&self) -> &'static str {
        "NeighborhoodRetriever"
    }

    async fn retrieve(&self, request: &SearchRequest) -> Result<Retrieved> {
        let mut found = self.seeds.retrieve(request).await?;
        found.retriever = self.name();
        let seeds = seeds(&self.topology, &found.hits);
        let around = self.topology.neighbourhood(&seeds, &self.options);
        let mut reached = 0;
        for node in around.nodes.iter().filter(|node| node.depth > 0) {
            if self.topology.role(node.node) == Role::Entity {
                let path = path(&self.topology, &around.path(node));
                let why = format!("path: {path}");
                found.hits.push(hit(&self.topology, node.node, node.score, why));
                found.paths.push(path);
                reached += 1;
            }
        }
        found.steps.push(format!("{}: {reached} nodes around {} seeds", found.retriever, seeds.len()));
        if around.truncated {
            found.notices.push(format!("there is more around than {} nodes", self.options.limit));
        }
        Ok(found)
    }
}

/// Finds the best paths between the entities that another retriever finds.
#[derive(Debug)]
pub struct PathRetriever {
    seeds: Arc<dyn Retriever>,
    topology: Arc<Topology>,
    options: PathOptions,
}

/// The most seeds between which paths are looked for: each pair of them is.
const MOST_ENDS: usize = 5;

impl PathRetriever {
    /// Creates a retriever that connects the hits of another one.
    pub fn new(seeds: Arc<dyn Retriever>, topology: Arc<Topology>) -> Self {
        Self { seeds, topology, options: PathOptions::default() }
    }

    /// Sets how long paths may be, and how many are found for each two seeds.
    #[must_use]
    pub fn with_options(self, options: PathOptions) -> Self {
        Self { options, ..self }
    }
}

#[async_trait]
impl Retriever for PathRetriever {
    fn name(&self) -> &'static str {
        "PathRetriever"
    }

    async fn retrieve(&self, request: &SearchRequest) -> Result<Retrieved> {
        let mut found = self.seeds.retrieve(request).await?;
        found.retriever = self.name();
        let mut ends = seeds(&self.topology, &found.hits);
        if ends.len() > MOST_ENDS {
            ends.truncate(MOST_ENDS);
            found.notices.push(format!("paths were looked for between the first {MOST_ENDS} entities"));
        }
        let mut paths: Vec<GraphPath> = Vec::new();
        for (place, &from) in ends.iter().enumerate() {
            for &to in &ends[place + 1..] {
                let between = self.topology.best_paths(&[from], &[to], &self.options);
                if between.truncated {
                    let name = |node| self.topology.node(node).display_name().to_owned();
                    found.notices.push(format!(
                        "there may be more paths from {} to {}",
                        name(from),
                        name(to)
                    ));
                }
                paths.extend(between.paths);
            }
        }
        paths.sort_by(|left, right| {
            right.score.total_cmp(&left.score).then(left.steps.len().cmp(&right.steps.len()))
        });
        found.steps.push(format!(
            "{}: {} paths between {} entities",
            found.retriever,
            paths.len(),
            ends.len()
        ));
        found.paths.extend(paths.iter().map(|one| path(&self.topology, one)));
        Ok(found)
    }
}

/// Returns the entities of hits: themselves, the ends of facts, and those that passages mention.
fn seeds(topology: &Topology, hits: &[Hit]) -> Vec<NodeIndex> {
    let mut seeds = Vec::new();
    for hit in hits {
        let ids: Vec<&str> = match hit.kind {
            HitKind::Fact => [&hit.from, &hit.to].into_iter().filter_map(|end| end.as_deref()).collect(),
            HitKind::Node | HitKind::Chunk => vec![hit.id.as_str()],
        };
        for node in ids.into_iter().filter_map(|id| topology.node_by_id(id)) {
            let is_entity = |node: NodeIndex| topology.role(node) == Role::Entity;
            let nodes: Vec<NodeIndex> = if is_entity(node) {
                vec![node]
            } else {
                let beside = topology.steps(node, Direction::Both).map(|step| step.node);
                beside.filter(|&node| is_entity(node)).collect()
            };
            for node in nodes {
                if !seeds.contains(&node) {
                    seeds.push(node);
                }
            }
        }
    }
    seeds
}

fn hit(topology: &Topology, node: NodeIndex, score: f64, why: String) -> Hit {
    let content = topology.node(node);
    let name = content.display_name();
    let properties = telling(&content.properties).filter(|(_, value)| in_words(value) != name);
    let text: Vec<String> =
        properties.map(|(key, value)| format!("{}: {}", key.replace('_', " "), in_words(value))).collect();
    Hit {
        kind: HitKind::Node,
        id: content.id().to_owned(),
        name: name.to_owned(),
        label: content.kind().to_owned(),
        document: None,
        page: None,
        from: None,
        to: None,
        text: text.join("; "),
        start: None,
        end: None,
        score,
        relevance: None,
        why,
        chain: Vec::new(),
    }
}

fn path(topology: &Topology, path: &GraphPath) -> RetrievedPath {
    let id = |node: NodeIndex| topology.node(node).id().to_owned();
    let nodes = path.nodes().map(|node| {
        let content = topology.node(node);
        PathNode { id: id(node), name: content.display_name().to_owned(), label: content.kind().to_owned() }
    });
    let relationships = path.steps.iter().map(|step| {
        let edge = topology.edge(step.relationship);
        PathRelationship { kind: edge.kind.to_string(), from: id(edge.start), to: id(edge.end) }
    });
    RetrievedPath { nodes: nodes.collect(), relationships: relationships.collect(), score: path.score }
}
