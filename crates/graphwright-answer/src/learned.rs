//! Answers to questions that pairs of questions have taught to read.

use std::sync::Arc;

use graphwright_core::Value;
use graphwright_learn::{Graph, GraphBuilder, Meaning, Model, Outcome as Found, Outline, OutlinedAsked, Way};
use graphwright_retrieve::{NodeIndex, RelationshipIndex, Role, Step, Topology};

use crate::{
    Answer, AnswerWay, Answerer,
    evaluate::Match,
    evidence::Wanted,
    interpret::Outcome,
    question::plan::{Filter, Join, Order, Plan, Projection, Ranking, Test, Variable},
    schema::{Schema, is_bookkeeping},
};

/// The most matches of which the paths are shown.
const MOST_PROVEN: usize = 200;

/// A graph as it is learned from, and read by what was learned.
#[derive(Debug)]
pub struct LearnableGraph {
    graph: Graph,
    nodes: Vec<NodeIndex>,
    relationships: Vec<RelationshipIndex>,
}

impl LearnableGraph {
    /// Reads the entities and facts of a snapshot, with their values, into memory.
    pub fn of(topology: &Topology) -> Self {
        let mut builder = GraphBuilder::default();
        let mut numbers = vec![u32::MAX; topology.node_count()];
        let (mut nodes, mut relationships) = (Vec::new(), Vec::new());
        for node in topology.nodes().filter(|node| topology.role(*node) == Role::Entity) {
            let content = topology.read_node(node);
            numbers[node.position()] = nodes.len() as u32;
            let own = content.properties.iter().filter(|(name, _)| !is_bookkeeping(name));
            builder.node(content.kind(), own.map(|(name, value)| (name.as_str(), value)));
            nodes.push(node);
        }
        for relationship in topology.relationships().filter(|one| topology.is_fact(*one)) {
            let (from, to) = topology.ends(relationship);
            let kind = topology.read_edge(relationship).kind;
            builder.relationship(numbers[from.position()], &kind, numbers[to.position()]);
            relationships.push(relationship);
        }
        Self { graph: builder.build(), nodes, relationships }
    }

    /// Returns the graph that is learned from.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Returns the matches with the relationships that prove them.
    fn matches(&self, meaning: &Meaning, found: &Found, topology: &Topology) -> Vec<Match> {
        let prove = |(place, &node): (usize, &u32)| {
            let proofs = if place < MOST_PROVEN { self.graph.proofs(meaning, node) } else { Vec::new() };
            let steps = |(hops, from): (Vec<(u32, u32)>, u32)| {
                let mut at = self.nodes[from as usize];
                let step = |(relationship, to): (u32, u32)| {
                    let relationship = self.relationships[relationship as usize];
                    let forward = topology.ends(relationship).0 == at;
                    at = self.nodes[to as usize];
                    Step { relationship, node: at, forward }
                };
                hops.into_iter().map(step).collect()
            };
            let proofs = proofs.into_iter().map(|hops| steps((hops, node))).collect();
            Match { node: self.nodes[node as usize], proofs }
        };
        found.nodes.iter().enumerate().map(prove).collect()
    }
}

/// What was learned, with the graph that it reads.
#[derive(Clone, Debug)]
pub struct Learned {
    /// What was learned.
    pub model: Arc<Model>,
    /// The graph.
    pub graph: Arc<LearnableGraph>,
}

impl Answerer {
    /// Sets what was learned from pairs: questions that it reads with confidence are answered so.
    #[must_use]
    pub fn with_learned(mut self, learned: Learned) -> Self {
        self.learned = Some(learned);
        self
    }

    /// Answers a question as pairs have taught. None where that is not sure enough, or the graph has nothing for it.
    pub(crate) fn answer_as_learned(&self, question: &str) -> Option<(Answer, Wanted)> {
        let Learned { model, graph } = self.learned.as_ref()?;
        let understood = model.understand(question, graph.graph())?;
        if understood.confidence < model.threshold() {
            return None;
        }
        let schema = graph.graph().schema();
        let found = graph.graph().run(&understood.meaning);
        let outline = understood.meaning.outline(schema);
        if found.nodes.is_empty() && outline.asked != OutlinedAsked::Count {
            return None;
        }
        let plan = plan(&outline, &self.interpreter.schema)?;
        let matches = graph.matches(&understood.meaning, &found, &self.topology);
        let values = self.values(&matches, &outline);
        let outcome = Outcome {
            plan,
            matches,
            values,
            truth: None,
            aggregate: None,
            groups: Vec::new(),
            closed: false,
            score: understood.confidence,
        };
        let mut answer =
            Answer { question: question.to_owned(), way: AnswerWay::Learned, ..Answer::default() };
        let mut wanted = Wanted::default();
        self.put(&mut answer, &outcome, &mut wanted);
        answer
            .steps
            .push(format!("Read as learned from pairs, with confidence {:.2}.", understood.confidence));
        answer.cypher = understood.meaning.statement(schema).ok().map(|statement| with_values(&statement));
        Some((answer, wanted))
    }

    fn values(
        &self,
        matches: &[Match],
        outline: &Outline<'_>,
    ) -> Vec<(NodeIndex, Value, Option<RelationshipIndex>)> {
        let OutlinedAsked::Values(name) = outline.asked else { return Vec::new() };
        let value = |found: &Match| {
            let own = &self.topology.node(found.node).properties;
            own.get(name).map(|value| (found.node, value.clone(), None))
        };
        matches.iter().filter_map(value).collect()
    }
}

/// The statement with its values behind it, for people.
fn with_values(statement: &graphwright_core::Statement) -> String {
    let values: Vec<String> = statement
        .parameters()
        .iter()
        .map(|(name, value)| format!("${name} = {}", crate::answer::json(value)))
        .collect();
    if values.is_empty() {
        return statement.text().to_owned();
    }
    format!("{} // {}", statement.text(), values.join(", "))
}

/// A meaning as a plan, to put it into words. None where it has names that questions are not read by.
fn plan(outline: &Outline<'_>, schema: &Schema) -> Option<Plan> {
    let number = |at: Option<usize>| at.and_then(|at| u16::try_from(at).ok());
    let label = |name: &str| number(schema.labels.iter().position(|known| known == name));
    let kind = |name: &str| number(schema.kinds.iter().position(|known| known == name));
    let property = |name: &str| number(schema.properties.iter().position(|known| known.name == name));
    let (mut variables, mut joins) = (Vec::new(), Vec::new());
    for (at, thing) in outline.things.iter().enumerate() {
        let mut variable = Variable { labels: Some(vec![label(thing.label)?]), at, ..Variable::default() };
        for (name, value) in &thing.conditions {
            let test = Test::OneOf(vec![(*value).clone()]);
            variable.filters.push(Filter { properties: vec![property(name)?], test, negated: false });
        }
        if let Some((left, name, way)) = thing.before {
            let (kind, forward) = (kind(name)?, way != Way::In);
            joins.push(Join { left, right: at, kind, forward, negated: false, hops: 1, test: None });
        }
        variables.push(variable);
    }
    if let Some((name, descending)) = outline.rank {
        variables[0].ranking = Some(Ranking::Property(vec![property(name)?], Order::first(descending)));
    }
    let projection = match outline.asked {
        OutlinedAsked::Entities => Projection::Entities,
        OutlinedAsked::Count => Projection::Number,
        OutlinedAsked::Values(name) => Projection::Values(vec![property(name)?]),
    };
    let (unused, different) = (Vec::new(), Vec::new());
    Some(Plan { variables, joins, answer: 0, projection, score: 1.0, unused, guessed: 0, different })
}
