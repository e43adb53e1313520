//! Gathers the evidence for a model, and takes its text over into the answer.

use graphwright_llm::{ChatModel, ChatRequest, without_thoughts};
use graphwright_retrieve::{Direction, NodeIndex};

use crate::{
    Answer, AnswerStatus, Answerer, AskOptions, Event, EvidenceContent, EvidenceOptions, Result,
    dossier::{self, Dossier},
    evidence,
    interpret::{Interpretation, named_entities},
    model_answer::{self, Written},
    respond,
};

const SUMMARY_INSTRUCTIONS: &str = include_str!("../prompts/summary.md");

impl Answerer {
    /// Replaces the answer's text by the model's if the evidence supports some of it; what it does not support is marked or,
    /// strictly, left out. Otherwise reports why not. What the graph has proved stays if the model finds nothing.
    pub(crate) async fn let_model_write(
        &self,
        model: &dyn ChatModel,
        answer: &mut Answer,
        read: &Interpretation,
        options: &AskOptions,
        events: &(dyn Fn(Event) + Send + Sync),
    ) -> Result<()> {
        let mut dossier = self.compile(answer, read, &options.evidence).await?;
        if dossier.cut() > 0 {
            self.summarise_rest(model, answer, &mut dossier, events).await;
        }
        let fallback = |answer: &mut Answer, reason: String| {
            events(Event::Fallback { reason: reason.clone() });
            let alone = match answer.status {
                AnswerStatus::Quoted => "The documents alone answer.",
                _ => "The graph alone answers.",
            };
            answer.add_remark(&format!("{reason} {alone}"));
        };
        let check = self.check(&answer.question, dossier.evidence());
        let written = match model_answer::write(model, &answer.question, &dossier, &check, events).await {
            Ok(written) => written,
            Err(error) => {
                fallback(answer, format!("The model {} could not be used: {error}.", model.name()));
                return Ok(());
            }
        };
        let Written { checked, blocks, usage, steps } = written;
        answer.usage += usage;
        if checked.has_support() {
            let text = checked.shown(options.strict);
            if !blocks.agree_with(&text) {
                events(Event::Restarted { reason: "what was shown is written anew".to_owned() });
            }
            events(Event::Token { text: blocks.rest(&text).to_owned() });
            model_answer::take(answer, &dossier, &checked.cited());
            self.name_entities(answer, &checked.supported_words(), &named_entities(&read.segmentations));
            answer.steps.extend(steps);
            answer.answer = text;
            answer.status = AnswerStatus::Answered;
            answer.quotes.clear();
            answer.notes.clear();
            answer.readings.clear();
            answer.model = Some(model.name().to_owned());
        } else if checked.is_refusal && answer.status == AnswerStatus::Answered {
            fallback(answer, format!("{} found no answer in the evidence.", model.name()));
        } else if checked.is_refusal {
            answer.status = AnswerStatus::NotInGraph;
            answer.answer = String::from("Not in the graph: the evidence does not answer the question.");
            answer.entities.clear();
            answer.values.clear();
            answer.readings.clear();
            answer.model = Some(model.name().to_owned());
        } else {
            answer.steps.extend(steps);
            let reason = format!(
                "The answer of {} was refused: nothing in it cites evidence that bears it out.",
                model.name()
            );
            fallback(answer, reason);
        }
        Ok(())
    }

    /// Lets the model shorten the evidence that did not fit. Sentences that the evidence does not
    /// support are dropped.
    async fn summarise_rest(
        &self,
        model: &dyn ChatModel,
        answer: &mut Answer,
        dossier: &mut Dossier,
        events: &(dyn Fn(Event) + Send + Sync),
    ) {
        let pieces = dossier.make_room();
        let texts: Vec<&str> = pieces.iter().map(|piece| piece.text.as_str()).collect();
        let (cut, of) = (dossier.cut(), pieces.len());
        events(Event::Step { what: format!("asking {} to summarise {of} pieces of evidence", model.name()) });
        let prompt = format!("{}\nQuestion: {}\n", dossier::numbered(&texts), answer.question);
        let mut request = ChatRequest::new(SUMMARY_INSTRUCTIONS, prompt);
        request.temperature = Some(0.0);
        let outcome = match model.chat(request).await {
            Ok(reply) => {
                answer.usage += reply.usage;
                let found = self.check(&answer.question, pieces).check(without_thoughts(&reply.text()));
                let summary = found.supported_words();
                let cited = found.cited();
                if !found.has_support() {
                    "nothing in the summary cites evidence that bears it out".to_owned()
                } else if dossier.summarise(&summary, of, &cited) {
                    format!("{} summarised {of} of them, citing {}", model.name(), cited.len())
                } else {
                    "the summary is longer than the room that is left".to_owned()
                }
            }
            Err(error) => format!("the model {} could not summarise them: {error}", model.name()),
        };
        answer.steps.push(format!("{cut} pieces of evidence did not fit; {outcome}."));
        events(Event::Step { what: answer.steps.last().cloned().unwrap_or_default() });
    }

    /// Puts the evidence for a model together: first what proves the graph's own answer, then what was gathered.
    async fn compile(
        &self,
        answer: &mut Answer,
        read: &Interpretation,
        options: &EvidenceOptions,
    ) -> Result<Dossier> {
        let topology = &*self.topology;
        let gathered = self.gather(&answer.question, read, options).await?;
        answer.steps.extend(gathered.notices);
        let mut dossier = Dossier::new(options.tokens);
        for path in &answer.paths {
            dossier.fact(path);
        }
        for passage in &answer.passages {
            dossier.passage(passage);
        }
        for found in &gathered.found {
            match found.content(topology) {
                EvidenceContent::Path(path) | EvidenceContent::Fact(path) => dossier.fact(&path),
                EvidenceContent::Passage(passage) => dossier.passage(&passage),
                EvidenceContent::Entity(entity) => {
                    let node = topology.node_by_id(&entity.id);
                    dossier.entity(
                        node.map_or(entity.name, |node| respond::describe(topology, node, usize::MAX)),
                    );
                }
            }
        }
        Ok(dossier)
    }

    /// Sets the entities of the answer to those that the text names: entities found by the graph
    /// or, if the text names none of these, neighbours of the named entities.
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
