//! Learning from pairs of questions.

use std::{path::PathBuf, sync::Arc};

use graphwright_answer::{LearnableGraph, Learned};
use graphwright_learn::{Example, Kept, Quality, learn_and_measure, meaning_of, meanings_of_answers};
use graphwright_retrieve::Topology;
use serde::{Deserialize, Serialize};

use crate::{Error, Graph, Result, Settings, stores};

/// A question with the Cypher that answers it, or with its answers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LearnPair {
    /// The question, as people ask it.
    pub question: String,
    /// The query that answers it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cypher: Option<String>,
    /// Its answers: names of things, or values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answers: Option<Vec<String>>,
    /// With answers: the name or value that the question is about, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub topic: Option<String>,
}

/// A pair from which nothing was learned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// Its number, from 1.
    pub number: usize,
    /// The question.
    pub question: String,
    /// Why.
    pub reason: String,
}

/// What was learned, and how well.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LearnReport {
    /// How many pairs there were.
    pub pairs: usize,
    /// Those from which something was learned.
    pub used: usize,
    /// The others, with the reasons.
    pub left_out: Vec<LeftOut>,
    /// How well questions are read that were not learned from.
    pub quality: Quality,
    /// The least confidence with which a question is answered so.
    pub threshold: f64,
    /// Where it is kept.
    pub file: PathBuf,
}

/// What is kept of what was learned.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LearnedState {
    /// Where it is kept.
    pub file: PathBuf,
    /// How well questions are read that were not learned from.
    pub quality: Quality,
    /// The least confidence with which a question is answered so.
    pub threshold: f64,
    /// Whether the graph had other labels, types or properties when it was learned, so that learning again may help.
    pub schema_changed: bool,
}

impl Settings {
    /// Returns where what was learned is kept: in the folder of an embedded store, or on this machine for a Neo4j server.
    ///
    /// # Errors
    /// Fails if the address of the server cannot be read.
    pub fn learned_file(&self) -> Result<PathBuf> {
        Ok(stores::index_folder(&self.store)?.with_extension("learned.jsonl"))
    }
}

impl Graph {
    /// Learns from pairs how questions about this graph are asked. What was learned before is replaced. `tell` is called with
    /// what is being done.
    ///
    /// # Errors
    /// Fails if nothing can be learned from any pair, or if what was learned cannot be written.
    pub async fn learn(
        &self,
        pairs: Vec<LearnPair>,
        tell: impl Fn(&str) + Send + 'static,
    ) -> Result<LearnReport> {
        let topology = self.topology().await?;
        let file = self.settings().learned_file()?;
        let target = file.clone();
        let learned = tokio::task::spawn_blocking(move || learn(&topology, &pairs, target, &tell)).await;
        let report = learned.map_err(|error| failed(error.to_string(), "try again"))??;
        // The next question reads the file.
        *self.loaded.lock().await = None;
        Ok(report)
    }

    /// Tells what was learned; none where nothing was.
    ///
    /// # Errors
    /// Fails if the file of it is damaged or was written by a newer version.
    pub async fn learned(&self) -> Result<Option<LearnedState>> {
        let file = self.settings().learned_file()?;
        let Some(kept) = Kept::read(&file)? else { return Ok(None) };
        let graph = LearnableGraph::of(&*self.topology().await?);
        Ok(Some(LearnedState {
            file,
            quality: kept.quality().clone(),
            threshold: kept.threshold(),
            schema_changed: kept.is_of_other_schema(graph.graph().schema()),
        }))
    }

    /// Forgets what was learned. Returns whether there was something.
    ///
    /// # Errors
    /// Fails if the file of it cannot be deleted.
    pub async fn forget(&self) -> Result<bool> {
        let file = self.settings().learned_file()?;
        *self.loaded.lock().await = None;
        match std::fs::remove_file(&file) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(failed(format!("{}: {error}", file.display()), "delete the file")),
        }
    }

    /// Opens what was learned for a snapshot of the graph. What cannot be read is left out, with a warning.
    pub(crate) fn open_learned(&self, topology: &Topology) -> Option<Learned> {
        let file = self.settings().learned_file().ok()?;
        let kept = match Kept::read(&file) {
            Ok(kept) => kept?,
            Err(error) => {
                tracing::warn!("{error}; questions are read without it");
                return None;
            }
        };
        let graph = LearnableGraph::of(topology);
        let schema = graph.graph().schema();
        if kept.is_of_other_schema(schema) {
            tracing::warn!(
                "the graph has other labels, types or properties than when questions were learned; `graphwright learn` again"
            );
        }
        Some(Learned { model: Arc::new(kept.model(schema)), graph: Arc::new(graph) })
    }
}

fn failed(message: String, hint: &str) -> Error {
    Error::Settings { message, hint: hint.to_owned() }
}

fn learn(
    topology: &Topology,
    pairs: &[LearnPair],
    file: PathBuf,
    tell: &dyn Fn(&str),
) -> Result<LearnReport> {
    tell("reading the graph");
    let learnable = LearnableGraph::of(topology);
    let graph = learnable.graph();
    let (mut examples, mut left_out) = (Vec::new(), Vec::new());
    for (at, pair) in pairs.iter().enumerate() {
        match meanings(pair, graph) {
            Ok(meanings) => examples.push((at, Example { question: pair.question.clone(), meanings })),
            Err(reason) => left_out.push(LeftOut { number: at + 1, question: pair.question.clone(), reason }),
        }
    }
    if examples.is_empty() {
        let reason =
            left_out.first().map_or_else(String::new, |first| format!("; the first one: {}", first.reason));
        let message = format!("nothing can be learned from {} pairs{reason}", pairs.len());
        return Err(failed(message, "each pair needs `question`, and `cypher` or `answers`, for this graph"));
    }
    let (numbers, examples): (Vec<usize>, Vec<Example>) = examples.into_iter().unzip();
    let (model, report) = learn_and_measure(&examples, graph, tell);
    for at in report.unlinked {
        let (number, question) = (numbers[at] + 1, examples[at].question.clone());
        left_out.push(LeftOut {
            number,
            question,
            reason: "the question does not say a value of its query".to_owned(),
        });
    }
    left_out.sort_by_key(|left_out| left_out.number);
    model.write(&file, graph.schema())?;
    let (quality, threshold) = (model.quality().clone(), model.threshold());
    Ok(LearnReport { pairs: pairs.len(), used: report.used, left_out, quality, threshold, file })
}

fn meanings(
    pair: &LearnPair,
    graph: &graphwright_learn::Graph,
) -> Result<Vec<graphwright_learn::Meaning>, String> {
    match (&pair.cypher, &pair.answers) {
        (Some(cypher), _) => meaning_of(cypher, graph).map(|meaning| vec![meaning]),
        (None, Some(answers)) => {
            let found = meanings_of_answers(&pair.question, pair.topic.as_deref(), answers, graph);
            if found.is_empty() {
                return Err(
                    "no way of up to three steps from a value in the question gives exactly its answers"
                        .to_owned(),
                );
            }
            Ok(found)
        }
        (None, None) => Err("it has neither `cypher` nor `answers`".to_owned()),
    }
}
