//! Routes that are followed: offered to the agent as a plan, or run without a model.

use std::sync::Arc;

use async_trait::async_trait;
use graphwright_answer::{Answer, AnswerStatus, Event, paths_of_query};
use graphwright_core::{Properties, store::QueryOptions};
use graphwright_llm::{Message, Role};
use serde_json::Value;

use super::{AgentAnswerer, rows};
use crate::{
    Agent, ContextProvider, ProvidedContext, Result, Run, ToolContext, ToolError,
    agent::evidence::CollectedEvidence,
    route::{Plan, PlannedCall, is_same_call},
};

/// What begins the identifiers of calls that no model made.
const CALL_ID: &str = "route";

/// The beginning of a conversation, or a place within one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Beginning,
    Within,
}

/// A plan as the agent is offered it.
#[derive(Debug)]
struct OfferedPlan {
    route: String,
    text: String,
}

#[async_trait]
impl ContextProvider for OfferedPlan {
    async fn provide(&self, _: &[Message]) -> Result<Option<ProvidedContext>, ToolError> {
        let (source, text) = (format!("route {}", self.route), self.text.clone());
        Ok(Some(ProvidedContext { source, text, ..ProvidedContext::default() }))
    }
}

/// What a route that was run without a model found.
pub(super) struct Followed {
    pub(super) answer: Answer,
    pub(super) call: PlannedCall,
    /// The text and the rows of the call's result.
    pub(super) result: String,
    pub(super) rows: usize,
}

impl AgentAnswerer {
    /// Says where in a conversation an agent is, of which as many questions as `own` are the one that is asked.
    pub(super) async fn place(&self, agent: &Agent, context: &ToolContext, own: usize) -> Place {
        let Some(threads) = agent.threads().filter(|_| self.routes.is_some()) else {
            return Place::Beginning;
        };
        // What cannot be loaded now cannot be loaded by the agent either, which says so.
        match threads.load(context.thread()).await {
            Ok(thread) => {
                let questions = thread.messages.iter().filter(|message| message.role == Role::User);
                if questions.count() > own { Place::Within } else { Place::Beginning }
            }
            Err(_) => Place::Within,
        }
    }

    /// Finds the best plan for a question. What keeps it from looking keeps no question from its answer.
    pub(super) async fn plan(&self, agent: &Agent, question: &str, place: Place) -> Option<Plan> {
        let book = Arc::clone(self.routes.as_ref()?);
        let schema = self.answerer.schema_fingerprint().await.ok()?.to_owned();
        let (answerer, question) = (self.answerer.clone(), question.to_owned());
        let finding = tokio::task::spawn_blocking(move || {
            let kind = answerer.question_kind(&question);
            // Without a name, what a question within a conversation means hangs on what was said before.
            let stands_alone = place == Place::Beginning || !kind.slots.is_empty();
            Plan::best(&book.read().ok()?.routes, &kind, &schema).filter(|_| stands_alone)
        });
        let only_reads = |call: &PlannedCall| {
            let hints = agent.tools().get(&call.tool).map(|tool| tool.hints());
            hints.is_some_and(|hints| hints.read_only && !hints.needs_approval)
        };
        finding.await.ok()?.filter(|plan| plan.calls.iter().all(only_reads))
    }

    /// Offers a plan to an agent.
    pub(super) fn offer(agent: &Agent, plan: &Plan, context: &ToolContext) -> Agent {
        let Plan { route, runs, succeeded, .. } = plan;
        let what =
            format!("offering the agent route {route}, which answered {succeeded} of {runs} such questions");
        context.emit(Event::Step { what });
        let mut text = format!(
            "[Questions of this kind were answered {succeeded} of {runs} times by these calls, which are filled in for this question. Make \
             them all at once, answer from their results if they suffice, and go your own way if they do not:"
        );
        for (number, call) in (1..).zip(&plan.calls) {
            text.push_str(&format!("\n{number}. {} {}", call.tool, call.arguments));
        }
        text.push(']');
        agent.clone().with_context(Arc::new(OfferedPlan { route: route.clone(), text }))
    }

    /// Runs a route that has proved itself, without a model. Returns `None` if its call fails, gives nothing or not all: then the agent
    /// is asked.
    pub(super) async fn follow(
        &self,
        agent: &Agent,
        plan: &Plan,
        question: &str,
        context: &ToolContext,
    ) -> Option<Followed> {
        let call = plan.proven.clone()?;
        let Plan { route, runs, succeeded, .. } = plan;
        let what = format!("following route {route}, which answered {succeeded} of {runs} such questions");
        context.emit(Event::Step { what });
        let Some((result, structured)) = make(agent, &call, context).await else {
            context.emit(Event::Step { what: format!("route {route} finds nothing here: asking the agent") });
            return None;
        };
        let columns: Vec<String> = serde_json::from_value(structured["columns"].clone()).ok()?;
        let rows: Vec<Vec<Value>> = serde_json::from_value(structured["rows"].clone()).ok()?;
        let mut answer = Answer {
            question: question.to_owned(),
            status: AnswerStatus::Answered,
            answer: rows::text(&columns, &rows),
            values: rows::values(&rows),
            cypher: call.arguments["query"].as_str().map(str::to_owned),
            followed: Some(route.clone()),
            steps: vec![format!(
                "Followed route {route}, which answered {succeeded} of {runs} questions of this kind; no model was asked."
            )],
            ..Answer::default()
        };
        self.prove(&mut answer, &call, &structured["rows"], context).await;
        context.emit(Event::Token { text: answer.answer.clone() });
        Some(Followed { answer, call, result, rows: rows.len() })
    }

    /// Adds the paths that prove the rows, and the things in them.
    async fn prove(&self, answer: &mut Answer, call: &PlannedCall, rows: &Value, context: &ToolContext) {
        let query = answer.cypher.clone().unwrap_or_default();
        let parameters: Properties =
            serde_json::from_value(call.arguments["params"].clone()).unwrap_or_default();
        let options = QueryOptions { cancel: context.cancellation().clone(), ..QueryOptions::default() };
        match paths_of_query(&**self.answerer.store(), &query, &parameters, options).await {
            Ok(paths) => answer.paths = paths,
            Err(reason) => answer.steps.push(reason),
        }
        let mut found = CollectedEvidence::default();
        found.collect(rows);
        let cells: Vec<&Value> =
            rows.as_array().into_iter().flatten().filter_map(Value::as_array).flatten().collect();
        let is_told = |name: &str| cells.iter().any(|cell| cell.as_str() == Some(name));
        for node in answer.paths.iter().flat_map(|path| &path.nodes).filter(|node| is_told(&node.name)) {
            found.add_entity(&node.id, &node.name, &node.kind);
        }
        answer.entities = found.entities;
    }
}

/// Makes the call within the limits of the agent. Returns `None` if it fails, or does not give some rows and all of them.
async fn make(agent: &Agent, call: &PlannedCall, context: &ToolContext) -> Option<(String, Value)> {
    let (id, name, arguments) = (CALL_ID.to_owned(), call.tool.clone(), call.arguments.clone());
    context.emit(Event::ToolCall { id: id.clone(), name: name.clone(), arguments: arguments.clone() });
    let made = agent.tools().call_within(agent.limits().tool_time, &name, arguments, context).await;
    let (text, structured) = match made {
        Ok(output) => (output.text, output.structured),
        Err(error) => {
            let text = format!("Error: {error}");
            context.emit(Event::ToolResult { id, name, text, is_error: true });
            return None;
        }
    };
    context.emit(Event::ToolResult { id, name, text: text.clone(), is_error: false });
    let structured = structured.filter(|found| found["truncated"].is_null())?;
    let rows = structured["rows"].as_array()?;
    let says = |cell: &Value| !matches!(cell, Value::Null) && cell.as_u64() != Some(0);
    let finds = rows.iter().filter_map(Value::as_array).flatten().any(says);
    finds.then_some((text, structured))
}

/// Tells whether a run made all calls of a plan.
pub(super) fn follows(run: &Run, plan: &Plan) -> bool {
    let made = || run.steps.iter().flat_map(|step| &step.calls);
    let is_made = |planned: &PlannedCall| {
        made().any(|record| {
            let call = &record.call;
            call.name == planned.tool && is_same_call(&call.name, &call.arguments, &planned.arguments)
        })
    };
    plan.calls.iter().all(is_made)
}
