//! Answers that an agent finds, checked against what its tools returned.

mod following;
mod review;
mod rows;
mod shown;

use std::sync::Arc;

use graphwright_answer::{
    Answer, AnswerError, AnswerStatus, Answerer, AskOptions, CheckedText, Event, QuestionKind,
};
use graphwright_llm::Message;

use self::{
    following::{Followed, Place, follows},
    review::GraphReview,
    shown::Listening,
};
use crate::{
    Agent, AgentError, CallRecord, Result, Route, RouteBook, RouteCall, RouteOutcome, Run, ToolContext,
    agent::{
        closing::Closing,
        evidence::{CollectedEvidence, evidence},
    },
    graph_tools::CYPHER_TOOL,
    route::{Plan, Trace},
};

/// The instructions for a model that works with graph tools: how to use them, and how to answer
/// from their results.
pub const INSTRUCTIONS: &str = include_str!("../prompts/agent.md");

/// An answerer that finds answers about one graph through agents, and checks them against tool
/// results.
///
/// ```
/// use std::sync::Arc;
/// use graphwright_agent::{Agent, AgentAnswerer, GraphSnapshot, GraphTools, ToolContext, Toolbox};
/// use graphwright_answer::Answerer;
/// use graphwright_core::{GraphStore, NodeKey, Properties, store::ChangeSet};
/// use graphwright_embedded::EmbeddedStore;
/// use graphwright_llm::ScriptedModel;
///
/// # tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap().block_on(async {
/// let store = EmbeddedStore::in_memory();
/// let mut changes = ChangeSet::new();
/// let properties = Properties::from([("name".into(), "ledger".into())]);
/// changes.upsert_node(NodeKey::new("Service", "s1"), &[], properties);
/// store.apply(changes).await.unwrap();
/// let store: Arc<dyn GraphStore> = Arc::new(store);
///
/// let snapshot = Arc::new(GraphSnapshot::take(&store).await.unwrap());
/// let model = ScriptedModel::replies(["Ada owns ledger."]);
/// let agent = Agent::new(Arc::new(model))
///     .with_tools(Toolbox::from_set(GraphTools::new(snapshot)).unwrap())
///     .with_numbered_results();
/// let answerer = AgentAnswerer::new(Answerer::open(store).await.unwrap());
/// let answer = answerer.ask(&agent, "Who owns ledger?", &ToolContext::new("t")).await.unwrap();
/// // The model cites no result, so the graph alone answers.
/// assert!(answer.answer.contains("was refused"));
/// # });
/// ```
#[derive(Clone, Debug)]
pub struct AgentAnswerer {
    answerer: Answerer,
    routes: Option<Arc<RouteBook>>,
}

impl AgentAnswerer {
    /// Creates an answerer around `answerer`, which answers from the graph alone if an agent fails
    /// or finds nothing that its tool results support.
    pub fn new(answerer: Answerer) -> Self {
        Self { answerer, routes: None }
    }

    /// Sets the journal that records what agents do, and from which a question of a known kind gets its route. Without it, nothing is
    /// recorded, and no route is followed.
    #[must_use]
    pub fn with_routes(mut self, routes: Arc<RouteBook>) -> Self {
        self.routes = Some(routes);
        self
    }

    /// Lets an agent find the answer.
    ///
    /// The agent is told what the graph holds, in short. Sentences that the tool results do not support are written again once;
    /// then they are marked. If nothing is supported, or if the agent fails or finds nothing although the graph proves an answer,
    /// the graph alone answers, and the answer says so.
    ///
    /// Where the [routes](Self::with_routes) have answered questions of this kind, under the same schema, the best route is offered to
    /// the agent with the words of this question filled in. One that has proved itself is run without a model; if it finds nothing, the
    /// agent is asked. A route that takes more tokens where it is offered is no longer offered. [`Answer::followed`] and the steps say that a route was followed.
    ///
    /// # Errors
    /// Fails if the graph cannot be read, or if the work is cancelled.
    pub async fn ask(&self, agent: &Agent, question: &str, context: &ToolContext) -> Result<Answer> {
        context.emit(Event::Started { question: question.to_owned() });
        let place = self.place(agent, context, 0).await;
        let mut plan = self.plan(agent, question, place).await;
        if let Some(proven) = plan.take_if(|plan| plan.proven.is_some() && place == Place::Beginning)
            && let Some(answer) = self.answer_by_route(agent, &proven, question, context).await
        {
            return Ok(answer);
        }
        let plan = plan.filter(|plan| plan.saves);
        let (agent, listening) = (self.prepared(agent, plan.as_ref(), context), Listening::begin(context));
        let trace = Trace::begin(listening.context());
        let run = Box::pin(agent.run_open(question, trace.context())).await;
        let asked = Asked { question, place, plan };
        self.answer_of(run, &agent, &asked, &trace, &listening).await
    }

    /// Answers by a route that has proved itself. Returns `None` if it finds nothing.
    async fn answer_by_route(
        &self,
        agent: &Agent,
        plan: &Plan,
        question: &str,
        context: &ToolContext,
    ) -> Option<Answer> {
        let trace = Trace::begin(context);
        let Followed { mut answer, call, result, rows } = self.follow(agent, plan, question, context).await?;
        if let Some(threads) = agent.threads() {
            let said = [Message::user(question), Message::assistant(answer.answer.clone())];
            if let Err(error) = threads.append(context.thread(), 0, &said).await {
                note(&mut answer, format!("the conversation could not be kept: {error}"), context);
            }
        }
        answer.elapsed_ms = trace.elapsed_ms();
        let call = RouteCall {
            tool: call.tool,
            arguments: call.arguments,
            failed: false,
            cited: true,
            told: true,
            characters: result.chars().count(),
            rows: Some(rows),
        };
        if let Some(book) = &self.routes {
            let route = trace.followed(&plan.route, call).with_answer(&answer);
            self.record(book, route, &mut answer, context).await;
        }
        context.emit(Event::Done { answer: Box::new(answer.clone()) });
        Some(answer)
    }

    /// The agent with what it is told of the graph, and with the check of what it says.
    fn reviewed(&self, agent: &Agent) -> Agent {
        /// The most tokens of what the agent is told of the graph.
        const MOST_TOKENS: u64 = 400;
        let review = GraphReview::new(self.answerer.clone());
        agent.clone().with_review(Arc::new(review), &self.answerer.outline(MOST_TOKENS))
    }

    /// The agent as it is asked: with the check of what it says, and the plan that it is offered.
    fn prepared(&self, agent: &Agent, plan: Option<&Plan>, context: &ToolContext) -> Agent {
        let agent = self.reviewed(agent);
        plan.map_or_else(|| agent.clone(), |plan| Self::offer(&agent, plan, context))
    }

    /// Finishes the interrupted answer of the context's thread, as [`ask`](Self::ask) would have.
    ///
    /// # Errors
    /// Fails like [`ask`](Self::ask), and with [`NothingToResume`](AgentError::NothingToResume) if
    /// nothing was interrupted.
    pub async fn resume(&self, agent: &Agent, context: &ToolContext) -> Result<Answer> {
        let question = agent.unanswered(context).await?;
        context.emit(Event::Started { question: question.clone() });
        let place = self.place(agent, context, 1).await;
        // What was offered is offered again. A proven route had been followed before the model was asked.
        let followed = |plan: &Plan| plan.proven.is_some() && place == Place::Beginning;
        let plan = self.plan(agent, &question, place).await;
        let plan = plan.filter(|plan| plan.saves && !followed(plan));
        let (agent, listening) = (self.prepared(agent, plan.as_ref(), context), Listening::begin(context));
        let trace = Trace::begin(listening.context());
        let run = Box::pin(agent.resume_open(trace.context())).await;
        // The route has only the calls since the interruption, so it counts for no plan.
        let asked = Asked { question: &question, place: Place::Within, plan: None };
        self.answer_of(run, &agent, &asked, &trace, &listening).await
    }

    /// Turns the outcome of a run into an answer, and records its route.
    async fn answer_of(
        &self,
        run: Result<(Run, Closing)>,
        agent: &Agent,
        asked: &Asked<'_>,
        trace: &Trace,
        listening: &Listening,
    ) -> Result<Answer> {
        let question = asked.question;
        let (context, model) = (trace.context(), agent.model().name());
        let (mut answer, route) = match run {
            Ok((mut run, closing)) => {
                let checked = self.checked(&mut run, question).await;
                let Outcome { mut answer, borne_out, route } =
                    self.outcome(&run, &checked, question, agent, trace, listening).await?;
                let kept = match borne_out {
                    Some(text) => closing.keep_part(text).await,
                    None => closing.keep_instead(&answer.answer).await,
                };
                if let Err(error) = kept {
                    note(&mut answer, format!("the conversation could not be kept: {error}"), context);
                }
                if answer.status == AnswerStatus::Answered {
                    asked.note_followed(&run, &mut answer, context);
                }
                (answer, route)
            }
            Err(error @ (AgentError::Cancelled | AgentError::Answer(AnswerError::EmptyQuestion))) => {
                return Err(error);
            }
            Err(error) => {
                let route = trace.failed(error.to_string());
                let reason = format!("The agent could not answer: {error}.");
                let answer = self.without_agent(question, reason, context).await?;
                (Answer { usage: context.budget().used(), ..answer }, Some(route))
            }
        };
        answer.elapsed_ms = trace.elapsed_ms();
        if let (Some(book), Some(route)) = (&self.routes, route) {
            let in_conversation = asked.place == Place::Within;
            let offered = asked.plan.as_ref().map(|plan| plan.route.clone());
            let route = Route { in_conversation, offered, ..route.with_answer(&answer) };
            let route = Route { model: model.to_owned(), ..route };
            self.record(book, route, &mut answer, context).await;
        }
        context.emit(Event::Done { answer: Box::new(answer.clone()) });
        Ok(answer)
    }

    /// Records the route of an answer. If that fails, the answer stands, with a note.
    async fn record(&self, book: &Arc<RouteBook>, route: Route, answer: &mut Answer, context: &ToolContext) {
        let (book, id) = (Arc::clone(book), route.id.clone());
        let answerer = self.answerer.clone();
        // A route without it is recorded all the same, and not followed.
        let schema = answerer.schema_fingerprint().await.ok().map(str::to_owned);
        // The journal sleeps while it waits for its lock, which a thread of the runtime must not.
        let recording = tokio::task::spawn_blocking(move || {
            let question = route.asked_as.as_ref().unwrap_or(&route.question);
            let asked = answerer.question_kind(question);
            let store_version = answerer.topology().version().to_owned();
            let QuestionKind { kind, links, slots } = asked;
            book.add(&Route { kind, links, slots, store_version, schema, ..route })
        });
        let error = match recording.await {
            Ok(Ok(())) => {
                answer.route = Some(id);
                return;
            }
            Ok(Err(error)) => error.to_string(),
            Err(error) => error.to_string(),
        };
        note(answer, format!("The route of this answer was not recorded: {error}."), context);
    }

    /// Checks the answer of a run, and lets the judge see it, if there is one.
    async fn checked(&self, run: &mut Run, question: &str) -> CheckedText {
        let asked = run.question.as_deref().unwrap_or(question);
        let records = run.steps.iter().flat_map(|step| &step.calls);
        let judged = self.answerer.check(asked, evidence(&run.earlier, records)).judge(&run.text).await;
        run.usage += judged.usage;
        run.notices.extend(judged.note());
        judged.checked
    }

    /// Takes what is borne out of a run for the answer. If that is nothing, the graph alone answers.
    async fn outcome(
        &self,
        run: &Run,
        checked: &CheckedText,
        question: &str,
        agent: &Agent,
        trace: &Trace,
        listening: &Listening,
    ) -> Result<Outcome> {
        let model = agent.model().name();
        let asked = run.question.as_deref().unwrap_or(question);
        let context = trace.context();
        if checked.has_support() {
            let text = checked.shown(agent.is_strict());
            let Checked { answer, cited } = supported(run, checked, text, question, model);
            listening.show_rest(&answer.answer);
            let route = Some(trace.finished(run, RouteOutcome::Answered, &cited));
            return Ok(Outcome { answer, borne_out: Some(checked.supported()), route });
        }
        if self.answerer.is_talk(asked, &run.text) {
            listening.show_rest(&run.text);
            let (status, text) = (AnswerStatus::Talk, run.text.clone());
            let answer = Answer { status, answer: text.clone(), ..of_run(run, question, model) };
            return Ok(Outcome { answer, borne_out: Some(text), route: None });
        }
        if checked.is_refusal {
            let reason = format!("{model} found no answer.");
            let options = AskOptions::default().without_model();
            let proved = self.answerer.ask(question, &options).await?.status == AnswerStatus::Answered;
            let answer = if proved {
                Answer { usage: run.usage, ..self.without_agent(question, reason, context).await? }
            } else {
                unknown(run, question, model)
            };
            let route = Some(trace.finished(run, RouteOutcome::NotInGraph, &[]));
            return Ok(Outcome { answer, borne_out: None, route });
        }
        let reason =
            format!("The answer of {model} was refused: nothing in it cites results that bear it out.");
        let mut answer = self.without_agent(question, reason, context).await?;
        answer.steps.extend(not_borne_out(checked));
        let answer = Answer { usage: run.usage, ..answer };
        Ok(Outcome { answer, borne_out: None, route: Some(trace.finished(run, RouteOutcome::Refused, &[])) })
    }

    /// Answers from the graph alone, and gives the reason.
    async fn without_agent(&self, question: &str, reason: String, context: &ToolContext) -> Result<Answer> {
        context.emit(Event::Fallback { reason: reason.clone() });
        let options = AskOptions::default().without_model();
        let mut answer = self.answerer.ask(question, &options).await?;
        answer.add_remark(&reason);
        answer.steps.push(reason);
        Ok(answer)
    }
}

/// A question to an agent, with what is known of it.
struct Asked<'a> {
    question: &'a str,
    place: Place,
    /// The plan that the agent was offered.
    plan: Option<Plan>,
}

impl Asked<'_> {
    /// Says in an answer that the agent followed its plan, if it did.
    fn note_followed(&self, run: &Run, answer: &mut Answer, context: &ToolContext) {
        let Some(plan) = self.plan.as_ref().filter(|plan| follows(run, plan)) else { return };
        answer.followed = Some(plan.route.clone());
        note(answer, format!("Followed the calls of route {}.", plan.route), context);
    }
}

/// What became of a run.
struct Outcome {
    answer: Answer,
    /// What of the model's text is borne out. `None` if the graph answers in its place.
    borne_out: Option<String>,
    /// How the answer was found; of small talk there is none.
    route: Option<Route>,
}

/// Adds a note to an answer that stands.
fn note(answer: &mut Answer, note: String, context: &ToolContext) {
    context.emit(Event::Step { what: note.clone() });
    answer.steps.push(note);
}

/// The part of an answer that the results of the run support.
#[derive(Debug, PartialEq)]
struct Checked {
    answer: Answer,
    /// The indexes, from 0, of the results of this run that the answer cites.
    cited: Vec<usize>,
}

/// The answer of a run, without text.
fn of_run(run: &Run, question: &str, model: &str) -> Answer {
    let records: Vec<&CallRecord> = run.steps.iter().flat_map(|step| &step.calls).collect();
    Answer {
        question: question.to_owned(),
        steps: run.notices.clone(),
        cypher: last_query(&records),
        model: Some(model.to_owned()),
        usage: run.usage,
        ..Answer::default()
    }
}

/// The answer of a run that found nothing, and the graph proves nothing either.
fn unknown(run: &Run, question: &str, model: &str) -> Answer {
    let text = "Not in the graph: nothing that was found answers the question.".to_owned();
    Answer { answer: text, ..of_run(run, question, model) }
}

fn not_borne_out(checked: &CheckedText) -> impl Iterator<Item = String> {
    checked.faults().map(|(text, fault)| format!("Not borne out: {text:?}: {fault}."))
}

/// The answer of a run with the evidence that it cites.
fn supported(run: &Run, checked: &CheckedText, text: String, question: &str, model: &str) -> Checked {
    let records: Vec<&CallRecord> = run.steps.iter().flat_map(|step| &step.calls).collect();
    let mut answer = of_run(run, question, model);
    answer.status = AnswerStatus::Answered;
    answer.steps.extend(not_borne_out(checked));
    let in_run = |number: &usize| number.checked_sub(run.earlier.len() + 1);
    let cited: Vec<usize> = checked.cited().iter().filter_map(in_run).collect();
    let mut found = CollectedEvidence::default();
    for structured in cited.iter().filter_map(|&at| records.get(at)?.structured.as_ref()) {
        found.collect(structured);
    }
    let lower = checked.supported_words().to_lowercase();
    // A result may list much that the answer does not speak of.
    found.entities.retain(|entity| lower.contains(&entity.name.to_lowercase()));
    answer.answer = text;
    answer.entities = found.entities;
    answer.paths = found.paths;
    answer.passages = found.passages;
    Checked { answer, cited }
}

/// Returns the last Cypher query that ran without an error.
fn last_query(records: &[&CallRecord]) -> Option<String> {
    let last = records.iter().rev().find(|record| record.call.name == CYPHER_TOOL && !record.is_error)?;
    Some(last.call.arguments.get("query")?.as_str()?.to_owned())
}

#[cfg(test)]
mod tests {
    use graphwright_answer::AnswerCheck;
    use graphwright_llm::{ToolCall, Usage};
    use serde_json::{Value, json};

    use super::*;
    use crate::Step;

    fn record(text: &str, structured: Value) -> CallRecord {
        let call = ToolCall {
            id: "1".to_owned(),
            name: CYPHER_TOOL.to_owned(),
            arguments: json!({"query": "MATCH (n) RETURN n"}),
        };
        CallRecord {
            call,
            text: text.to_owned(),
            structured: Some(structured),
            is_error: false,
            elapsed_ms: 1,
        }
    }

    fn run(text: &str) -> Run {
        let ada = json!({"entities": [
            {"id": "a", "name": "Ada", "type": "Person"},
            {"id": "b", "name": "Bob", "type": "Person"},
        ]});
        let path = json!({"paths": [{
            "nodes": [{"id": "a", "name": "Ada", "type": "Person"}, {"id": "l", "name": "ledger", "type": "Service"}],
            "relationships": [{"type": "OWNS", "from": "a", "to": "l", "confidence": 1.0}],
        }]});
        let records = vec![record("Ada and Bob are persons", ada), record("Ada owns ledger", path)];
        Run {
            output: text.to_owned(),
            text: text.to_owned(),
            question: None,
            steps: vec![Step { calls: records }],
            earlier: vec!["ledger has tier 1".to_owned()],
            provided: Vec::new(),
            notices: Vec::new(),
            usage: Usage::default(),
            elapsed_ms: 0,
        }
    }

    #[test]
    fn an_answer_holds_what_the_cited_results_bear_out() {
        let text = "Ada owns ledger [2][3]. It has tier 1 [1]. Zoe owns it too [3]. Bob sings.";
        let run = run(text);
        let records = run.steps.iter().flat_map(|step| &step.calls);
        let checked = AnswerCheck::new("Who owns ledger?", evidence(&run.earlier, records)).check(text);
        let Checked { answer, cited } =
            supported(&run, &checked, checked.marked(), "Who owns ledger?", "test/model");
        assert_eq!(cited, [0, 1]);
        assert_eq!(answer.status, AnswerStatus::Answered);
        assert_eq!(
            answer.answer,
            "Ada owns ledger [2][3]. It has tier 1 [1]. Zoe owns it too [3]. [unverified] Bob sings. [unverified]"
        );
        assert_eq!(answer.steps.len(), 2);
        let names: Vec<_> = answer.entities.iter().map(|entity| entity.name.as_str()).collect();
        assert_eq!(names, ["Ada"]);
        assert_eq!(answer.paths.len(), 1);
        assert_eq!(answer.cypher.as_deref(), Some("MATCH (n) RETURN n"));
    }
}
