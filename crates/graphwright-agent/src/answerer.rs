//! The door: a graph, and questions to it.

use std::{sync::Arc, time::Instant};

use graphwright_core::GraphStore;
use graphwright_ingest::Ontology;
use graphwright_llm::ChatModel;
use graphwright_retrieve::{Direction, NodeIndex, Topology, TopologyOptions};

use crate::{
    AgentError, Answer, AnswerReading, AnswerStatus, Event, Result,
    answer::json,
    connection::{self, LONGEST_PATH},
    evidence::{self, Wanted},
    interpret::{Interpretation, Interpreter, Outcome, is_about, named_entities},
    model_answer::{self, Dossier, Verdict},
    question::{Form, Piece, plan::Projection},
    respond::{self, NO_MODEL},
};

/// How a question is to be answered.
#[derive(Clone, Debug, Default)]
pub struct AskOptions {
    /// Which reading to take when the question is ambiguous; from 1.
    pub reading: Option<usize>,
    /// Answer all readings of an ambiguous question, merged.
    pub all_readings: bool,
    /// Do not use the model, even if there is one.
    pub without_model: bool,
    /// How many tokens of evidence go to the model; 6,000 when absent.
    pub evidence_tokens: Option<u64>,
}

/// How many tokens of evidence go to a model when nothing else is said.
const EVIDENCE_TOKENS: u64 = 6_000;

/// Answers questions about one graph.
#[derive(Clone, Debug)]
pub struct Answerer {
    store: Arc<dyn GraphStore>,
    topology: Arc<Topology>,
    interpreter: Arc<Interpreter>,
    model: Option<Arc<dyn ChatModel>>,
}

impl Answerer {
    /// Reads the graph and its ontology from a store.
    pub async fn open(store: Arc<dyn GraphStore>) -> Result<Self> {
        let topology = Topology::load(&*store, &TopologyOptions::default()).await?;
        let ontology = Ontology::load(&*store).await?.unwrap_or_default();
        Ok(Self::new(store, Arc::new(topology), &ontology))
    }

    /// Over a topology that is already there. `store` is asked only for the texts of passages.
    pub fn new(store: Arc<dyn GraphStore>, topology: Arc<Topology>, ontology: &Ontology) -> Self {
        let interpreter = Arc::new(Interpreter::new(&topology, ontology));
        Self { store, topology, interpreter, model: None }
    }

    /// Lets a model write the answers, from the evidence only.
    #[must_use]
    pub fn with_model(mut self, model: Arc<dyn ChatModel>) -> Self {
        self.model = Some(model);
        self
    }

    /// Answers a question.
    pub async fn ask(&self, question: &str, options: &AskOptions) -> Result<Answer> {
        self.ask_with_events(question, options, &|_| {}).await
    }

    /// Answers a question and tells what happens on the way; the last event is [`Event::Done`].
    pub async fn ask_with_events(
        &self,
        question: &str,
        options: &AskOptions,
        events: &(dyn Fn(Event) + Send + Sync),
    ) -> Result<Answer> {
        let start = Instant::now();
        events(Event::Started { question: question.to_owned() });
        let interpretation = self.interpreter.interpret(question, &self.topology);
        if interpretation.tokens.is_empty() {
            return Err(AgentError::EmptyQuestion);
        }
        let named = named_entities(&interpretation.segmentations);
        let linked =
            named.iter().map(|(node, score)| evidence::entity(&self.topology, *node, *score)).collect();
        events(Event::Linked { entities: linked });
        let mut answer = self.read_graph(question, &interpretation, options).await?;
        events(Event::Gathered {
            entities: answer.entities.len(),
            paths: answer.paths.len(),
            passages: answer.passages.len(),
        });
        let model = self.model.as_ref().filter(|_| !options.without_model);
        if let Some(model) = model {
            events(Event::Step { what: format!("asking {}", model.name()) });
            self.let_model_write(&**model, &mut answer, &named, options, events).await?;
        }
        if answer.model.is_none() {
            answer.answer.push('\n');
            answer.answer.push_str(NO_MODEL);
        }
        answer.elapsed_ms = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
        events(Event::Done { answer: Box::new(answer.clone()) });
        Ok(answer)
    }

    /// Replaces the text by the model's where the evidence bears it out; else says why not.
    async fn let_model_write(
        &self,
        model: &dyn ChatModel,
        answer: &mut Answer,
        named: &[(NodeIndex, f64)],
        options: &AskOptions,
        events: &(dyn Fn(Event) + Send + Sync),
    ) -> Result<()> {
        let budget = options.evidence_tokens.unwrap_or(EVIDENCE_TOKENS);
        let dossier = self.gather(answer, named, budget).await?;
        let fallback = |answer: &mut Answer, reason: String| {
            events(Event::Fallback { reason: reason.clone() });
            answer.answer = format!("{}\n{reason} The graph alone answers.", answer.answer);
        };
        let (text, usage) = match model_answer::write(model, &answer.question, &dossier, events).await {
            Ok(written) => written,
            Err(error) => {
                fallback(answer, format!("The model {} could not be used: {error}.", model.name()));
                return Ok(());
            }
        };
        answer.usage += usage;
        match model_answer::check(&text, &answer.question, &dossier) {
            Verdict::Supported { text, cited, dropped } => {
                model_answer::take(answer, &dossier, &cited);
                self.name_entities(answer, &text, named);
                answer.answer = text;
                if dropped > 0 {
                    let what = if dropped == 1 {
                        "One statement of the model was"
                    } else {
                        "Statements of the model were"
                    };
                    let note = format!(
                        "
({what} left out ({dropped}): the evidence does not bear them out.)"
                    );
                    answer.answer.push_str(&note);
                }
                answer.status = AnswerStatus::Answered;
                answer.readings.clear();
                answer.model = Some(model.name().to_owned());
            }
            Verdict::NotInGraph => {
                answer.status = AnswerStatus::NotInGraph;
                answer.answer = String::from("Not in the graph: the evidence does not answer the question.");
                answer.entities.clear();
                answer.values.clear();
                answer.readings.clear();
                answer.model = Some(model.name().to_owned());
            }
            Verdict::Unsupported => {
                let reason = format!(
                    "The answer of {} was refused: nothing in it cites evidence that bears it out.",
                    model.name()
                );
                fallback(answer, reason);
            }
        }
        Ok(())
    }

    /// The evidence for a model: what the graph alone answers first, then what is around the named entities.
    async fn gather(&self, answer: &Answer, named: &[(NodeIndex, f64)], budget: u64) -> Result<Dossier> {
        let topology = &*self.topology;
        let mut dossier = Dossier::default();
        for path in &answer.paths {
            dossier.fact(path, budget);
        }
        for passage in &answer.passages {
            dossier.passage(passage, budget);
        }
        let found = answer.entities.iter().filter_map(|entity| topology.node_by_id(&entity.id));
        let around: Vec<NodeIndex> = found.chain(named.iter().map(|(node, _)| *node)).collect();
        let mut wanted = Wanted::default();
        for &node in &around {
            dossier.entity(respond::describe(topology, node), budget);
            wanted.mentions(topology, node, 3);
        }
        for &(node, _) in named {
            for step in
                topology.steps(node, Direction::Both).filter(|step| topology.is_fact(step.relationship))
            {
                dossier.fact(&evidence::path(topology, node, &[step]), budget);
                wanted.relationship(topology, step.relationship);
            }
        }
        for passage in wanted.read(topology, &*self.store).await? {
            dossier.passage(&passage, budget);
        }
        Ok(dossier)
    }

    /// The answer set of a text: the entities found by the graph that it names, else others that it names.
    fn name_entities(&self, answer: &mut Answer, text: &str, named: &[(NodeIndex, f64)]) {
        let lower = text.to_lowercase();
        let mentioned = |name: &str| lower.contains(&name.to_lowercase());
        let found: Vec<_> =
            answer.entities.iter().filter(|entity| mentioned(&entity.name)).cloned().collect();
        if !found.is_empty() {
            answer.entities = found;
            return;
        }
        let mut others: Vec<NodeIndex> = Vec::new();
        for &(node, _) in named {
            for step in self.topology.steps(node, Direction::Both) {
                if self.topology.is_fact(step.relationship) && !others.contains(&step.node) {
                    others.push(step.node);
                }
            }
        }
        others.retain(|&node| mentioned(self.topology.node(node).display_name()));
        answer.entities =
            others.into_iter().map(|node| evidence::entity(&self.topology, node, 0.8)).collect();
    }

    async fn read_graph(
        &self,
        question: &str,
        read: &Interpretation,
        options: &AskOptions,
    ) -> Result<Answer> {
        let mut answer = Answer { question: question.to_owned(), ..Answer::default() };
        let named = named_entities(&read.segmentations);
        let about = read.segmentations.first().is_some_and(|segmentation| is_about(read.head, segmentation));
        let wanted = if read.head.form == Form::Connection && named.len() >= 2 {
            self.connect(&mut answer, read)
        } else if about && !named.is_empty() {
            self.describe(&mut answer, &named)
        } else if let Some(common) = self.common(&mut answer, read) {
            common
        } else if read.outcomes.is_empty() {
            self.not_found(&mut answer, read, &named)
        } else {
            self.take(&mut answer, read, options)?
        };
        answer.passages = wanted.read(&self.topology, &*self.store).await?;
        Ok(answer)
    }

    fn take(&self, answer: &mut Answer, read: &Interpretation, options: &AskOptions) -> Result<Wanted> {
        let outcomes = &read.outcomes;
        let mut wanted = Wanted::default();
        if let Some(asked) = options.reading {
            let outcome = asked.checked_sub(1).and_then(|position| outcomes.get(position));
            let outcome = outcome.ok_or(AgentError::NoSuchReading { asked, known: outcomes.len() })?;
            self.put(answer, outcome, &mut wanted);
            return Ok(wanted);
        }
        let merged = options.all_readings || outcomes.iter().all(is_loose);
        if outcomes.len() == 1 || merged {
            for outcome in outcomes {
                self.put(answer, outcome, &mut wanted);
            }
            return Ok(wanted);
        }
        answer.status = AnswerStatus::Ambiguous;
        let mut lines = vec![format!("The question can be read in {} ways:", outcomes.len())];
        for (position, outcome) in outcomes.iter().enumerate() {
            let mut one = Answer::default();
            self.put(&mut one, outcome, &mut wanted);
            let meaning = respond::condition(&outcome.plan, &self.topology, &self.interpreter.schema);
            lines.push(format!("{}. {} ({})", position + 1, one.answer, meaning));
            answer.readings.push(AnswerReading {
                number: position + 1,
                meaning,
                entities: one.entities,
                values: one.values,
            });
            answer.paths.extend(one.paths);
        }
        lines.push("Choose one with --reading N, or take all with --all-readings.".to_owned());
        answer.answer = lines.join("\n");
        Ok(wanted)
    }

    /// Adds what a reading gave to the answer.
    fn put(&self, answer: &mut Answer, outcome: &Outcome, wanted: &mut Wanted) {
        let topology = &*self.topology;
        answer.status = AnswerStatus::Answered;
        let text = respond::text(outcome, topology, &self.interpreter.schema);
        if !answer.answer.is_empty() {
            answer.answer.push('\n');
        }
        answer.answer.push_str(&text);
        let shown = match &outcome.plan.projection {
            Projection::Values(_) => outcome.values.iter().map(|(node, ..)| *node).collect(),
            _ => outcome.matches.iter().map(|found| found.node).collect::<Vec<NodeIndex>>(),
        };
        for node in shown {
            let entity = evidence::entity(topology, node, outcome.score.min(1.0));
            if !answer.entities.iter().any(|known| known.id == entity.id) {
                answer.entities.push(entity);
            }
        }
        match (&outcome.plan.projection, outcome.truth) {
            (_, Some(truth)) => answer.values.push(truth.into()),
            (Projection::Number, _) => answer.values.push(outcome.matches.len().into()),
            _ => answer.values.extend(outcome.values.iter().map(|(_, value, _)| json(value))),
        }
        for found in &outcome.matches {
            for proof in &found.proofs {
                let path = evidence::path(topology, found.node, proof);
                if !answer.paths.contains(&path) {
                    answer.paths.push(path);
                }
                for step in proof {
                    wanted.relationship(topology, step.relationship);
                }
            }
        }
        self.want_properties(outcome, wanted);
    }

    fn want_properties(&self, outcome: &Outcome, wanted: &mut Wanted) {
        let schema = &self.interpreter.schema;
        let filtered =
            outcome.plan.variables[outcome.plan.answer].filters.iter().flat_map(|filter| &filter.properties);
        let asked = match &outcome.plan.projection {
            Projection::Values(properties) => properties.as_slice(),
            _ => &[],
        };
        for property in filtered.chain(asked) {
            for found in &outcome.matches {
                wanted.property(&self.topology, found.node, &schema.property(*property).name);
            }
        }
        for (_, _, relationship) in &outcome.values {
            if let Some(relationship) = relationship {
                wanted.relationship(&self.topology, *relationship);
            }
        }
    }

    fn connect(&self, answer: &mut Answer, read: &Interpretation) -> Wanted {
        let topology = &*self.topology;
        let mut wanted = Wanted::default();
        let ends: Vec<Vec<NodeIndex>> = read.segmentations[0]
            .spans
            .iter()
            .filter_map(|span| match &span.piece {
                Piece::Entity(nodes) => Some(nodes.iter().map(|node| node.0).collect()),
                _ => None,
            })
            .collect();
        let [left, right, ..] = ends.as_slice() else { return wanted };
        let mut best: Vec<(NodeIndex, Vec<graphwright_retrieve::Step>)> = Vec::new();
        for &from in left {
            for &to in right {
                for path in connection::shortest_paths(topology, from, to) {
                    let shorter = best.first().is_none_or(|(_, known)| path.len() < known.len());
                    if shorter {
                        best.clear();
                    }
                    if best.first().is_none_or(|(_, known)| path.len() == known.len()) {
                        best.push((from, path));
                    }
                }
            }
        }
        let name = |nodes: &[NodeIndex]| topology.node(nodes[0]).display_name().to_owned();
        if best.is_empty() {
            answer.status = AnswerStatus::NoPath;
            answer.answer =
                format!("No path from {} to {} within {LONGEST_PATH} hops.", name(left), name(right));
            return wanted;
        }
        answer.status = AnswerStatus::Answered;
        let mut lines = Vec::new();
        for (from, steps) in &best {
            for step in &steps[..steps.len() - 1] {
                let entity = evidence::entity(topology, step.node, 1.0);
                if !answer.entities.iter().any(|known| known.id == entity.id) {
                    answer.entities.push(entity);
                }
            }
            let path = evidence::path(topology, *from, steps);
            lines.push(draw(&path));
            answer.paths.push(path);
            for step in steps {
                wanted.relationship(topology, step.relationship);
            }
        }
        let hops = best[0].1.len();
        let plural = if best.len() == 1 { "path connects" } else { "shortest paths connect" };
        answer.answer = format!(
            "{} {plural} {} and {} ({hops} hop{}):\n{}",
            best.len(),
            name(left),
            name(right),
            if hops == 1 { "" } else { "s" },
            lines.join("\n")
        );
        wanted
    }

    /// `What do A and B have in common?`, with no type named.
    fn common(&self, answer: &mut Answer, read: &Interpretation) -> Option<Wanted> {
        let spans = &read.segmentations.first()?.spans;
        let common = spans.iter().any(|span| span.piece == Piece::Shared);
        let typed = spans.iter().any(|span| matches!(span.piece, Piece::Type(_) | Piece::Relation(..)));
        let named: Vec<NodeIndex> = spans
            .iter()
            .filter_map(|span| match &span.piece {
                Piece::Entity(nodes) => nodes.first().map(|node| node.0),
                _ => None,
            })
            .collect();
        if !common || typed || named.len() != 2 {
            return None;
        }
        let topology = &*self.topology;
        let mut wanted = Wanted::default();
        let found = connection::common_neighbours(topology, named[0], named[1]);
        let names = respond::names(topology, &named);
        if found.is_empty() {
            answer.answer = format!("The graph has nothing that {} have in common.", respond::list(&names));
            return Some(wanted);
        }
        answer.status = AnswerStatus::Answered;
        let mut shared = Vec::new();
        for (node, first, second) in found {
            answer.entities.push(evidence::entity(topology, node, 1.0));
            for (from, step) in [(named[0], first), (named[1], second)] {
                answer.paths.push(evidence::path(topology, from, &[step]));
                wanted.relationship(topology, step.relationship);
            }
            let kind = respond::spoken(&topology.edge(first.relationship).kind);
            shared.push(format!("{} ({kind})", topology.node(node).display_name()));
        }
        answer.answer = format!("{} have in common: {}.", respond::list(&names), respond::list(&shared));
        Some(wanted)
    }

    /// What the graph knows of an entity.
    fn describe(&self, answer: &mut Answer, named: &[(NodeIndex, f64)]) -> Wanted {
        let topology = &*self.topology;
        let mut wanted = Wanted::default();
        answer.status = AnswerStatus::Answered;
        let best = named[0].1;
        let mut lines = Vec::new();
        for &(node, score) in named.iter().take_while(|(_, score)| *score >= best - 0.01).take(5) {
            answer.entities.push(evidence::entity(topology, node, score));
            lines.push(crate::respond::describe(topology, node));
            wanted.mentions(topology, node, 3);
            for step in topology.steps(node, Direction::Both) {
                if topology.is_fact(step.relationship) {
                    answer.paths.push(evidence::path(topology, node, &[step]));
                    wanted.relationship(topology, step.relationship);
                }
            }
        }
        answer.answer = lines.join("\n");
        wanted
    }

    fn not_found(&self, answer: &mut Answer, read: &Interpretation, named: &[(NodeIndex, f64)]) -> Wanted {
        let topology = &*self.topology;
        let mut wanted = Wanted::default();
        answer.status = AnswerStatus::NotInGraph;
        let mut lines = Vec::new();
        match &read.nothing {
            Some(outcome) => {
                lines.push(format!(
                    "Not in the graph. {}",
                    respond::nothing(outcome, topology, &self.interpreter.schema)
                ));
            }
            None => lines.push("The graph does not say.".to_owned()),
        }
        let unexplained: Vec<String> = read.segmentations.first().map_or_else(Vec::new, |segmentation| {
            segmentation.unexplained.iter().map(|&at| format!("\"{}\"", read.tokens[at].text)).collect()
        });
        if read.nothing.is_none() && !unexplained.is_empty() {
            lines.push(format!("Nothing in it explains {}.", respond::list(&unexplained)));
        }
        let mut near: Vec<String> = Vec::new();
        for &at in read.segmentations.first().map_or(&[][..], |segmentation| &segmentation.unexplained) {
            let token = &read.tokens[at];
            for node in self.interpreter.lexicon.names.nearest(&token.text, 3) {
                near.push(topology.node(node).display_name().to_owned());
            }
            near.extend(crate::lexicon::words_like(&token.lower, &self.interpreter.schema));
        }
        near.dedup();
        if !near.is_empty() {
            lines.push(format!("Nearest names: {}.", respond::list(&near)));
        }
        for &(node, _) in named.iter().take(3) {
            lines.push(format!("What it knows: {}", crate::respond::describe(topology, node)));
            wanted.mentions(topology, node, 2);
        }
        answer.answer = lines.join("\n");
        wanted
    }
}

/// Readings of a vague word are not rivals; together they are what it means.
fn is_loose(outcome: &Outcome) -> bool {
    outcome.plan.guessed > 0 && matches!(outcome.plan.projection, Projection::Entities)
}

/// `a -USES-> b <-OWNS- c`.
pub(crate) fn draw(path: &crate::AnswerPath) -> String {
    let mut text = path.nodes[0].name.clone();
    for (relationship, nodes) in path.relationships.iter().zip(path.nodes.windows(2)) {
        let forward = relationship.from == nodes[0].id;
        let arrow = if forward {
            format!(" -{}-> ", relationship.kind)
        } else {
            format!(" <-{}- ", relationship.kind)
        };
        text.push_str(&arrow);
        text.push_str(&nodes[1].name);
    }
    text
}
