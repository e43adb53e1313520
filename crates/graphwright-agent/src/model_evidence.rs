//! What a model is given, and what its answer becomes.

use graphwright_llm::ChatModel;
use graphwright_retrieve::{Direction, NodeIndex};

use crate::{
    Answer, AnswerStatus, Answerer, Event, Result,
    evidence::{self, Wanted},
    model_answer::{self, Dossier, Verdict},
    respond,
};

impl Answerer {
    /// Replaces the text by the model's where the evidence bears it out; else says why not.
    pub(crate) async fn let_model_write(
        &self,
        model: &dyn ChatModel,
        answer: &mut Answer,
        named: &[(NodeIndex, f64)],
        events: &(dyn Fn(Event) + Send + Sync),
    ) -> Result<()> {
        let dossier = self.gather(answer, named, self.evidence_tokens).await?;
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
}
