//! What a run does, as it is heard while it goes on.

use std::{
    collections::hash_map::RandomState,
    hash::{BuildHasher, Hasher},
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

use super::{Route, RouteCall, RouteOutcome, RouteResult};
use crate::{Answer, AnswerPath, Event, Run, ToolContext, agent_answer::CYPHER_TOOL};

/// How many shapes of paths are kept.
const MOST_SHAPES: usize = 10;

/// Hears what a run does, so that one which does not come to its end leaves a route too.
#[derive(Debug)]
pub(crate) struct Trace {
    context: ToolContext,
    heard: Arc<Mutex<Heard>>,
    started: Instant,
}

#[derive(Debug, Default)]
struct Heard {
    asked_as: Option<String>,
    /// By the identifiers that the model gave them, which it may give again.
    calls: Vec<(String, RouteCall)>,
}

impl Trace {
    /// Begins to hear what happens in a context.
    pub(crate) fn begin(context: &ToolContext) -> Self {
        let heard: Arc<Mutex<Heard>> = Arc::default();
        let (ears, outer) = (Arc::clone(&heard), context.clone());
        let hearing = context.clone().with_events(move |event| {
            ears.lock().unwrap_or_else(PoisonError::into_inner).hear(&event);
            outer.emit(event);
        });
        // What others spend of the same budget at the same time is not of this run.
        let hearing = hearing.with_budget(context.budget().part(None, None));
        Self { context: hearing, heard, started: Instant::now() }
    }

    /// The context in which the run is heard.
    pub(crate) fn context(&self) -> &ToolContext {
        &self.context
    }

    /// The time since the beginning, in milliseconds.
    pub(crate) fn elapsed_ms(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// The route of a run that came to its end, and of whose results the answer cites those of these numbers, from 0. What is known of the graph is not in it yet.
    pub(crate) fn of_run(&self, run: &Run, outcome: RouteOutcome, cited: &[usize]) -> Route {
        let records = run.steps.iter().flat_map(|step| &step.calls);
        let calls = records.enumerate().map(|(at, record)| RouteCall {
            tool: record.call.name.clone(),
            arguments: record.call.arguments.clone(),
            failed: record.is_error,
            cited: cited.contains(&at),
            characters: record.text.chars().count(),
            rows: record.structured.as_ref().and_then(|found| Some(found.get("rows")?.as_array()?.len())),
        });
        let steps = run.steps.iter().filter(|step| !step.calls.is_empty()).count();
        Route { steps, ..self.route(outcome, calls.collect(), run.question.clone()) }
    }

    /// The route of a run that did not come to its end.
    pub(crate) fn of_failure(&self, reason: String) -> Route {
        let heard = std::mem::take(&mut *self.heard.lock().unwrap_or_else(PoisonError::into_inner));
        let calls = heard.calls.into_iter().map(|(_, call)| call).collect();
        let route = self.route(RouteOutcome::Failed, calls, heard.asked_as);
        // Each reply that called tools made a call, and calls of one reply are not told apart.
        let replies =
            usize::try_from(route.usage.requests + route.usage.cached_replies).unwrap_or(usize::MAX);
        Route { reason: Some(reason), steps: route.calls.len().min(replies), ..route }
    }

    fn route(&self, outcome: RouteOutcome, calls: Vec<RouteCall>, asked_as: Option<String>) -> Route {
        let queries = calls.iter().filter(|call| call.tool == CYPHER_TOOL && !call.failed);
        let cypher = queries.filter_map(|call| Some(call.arguments.get("query")?.as_str()?.to_owned()));
        Route {
            id: new_id(),
            at: jiff::Timestamp::now(),
            question: String::new(),
            asked_as,
            kind: String::new(),
            links: Vec::new(),
            cypher: cypher.collect(),
            calls,
            evidence: Vec::new(),
            result: RouteResult::default(),
            outcome,
            reason: None,
            verdict: None,
            steps: 0,
            usage: self.context.budget().used(),
            elapsed_ms: self.elapsed_ms(),
            model: String::new(),
            store_version: String::new(),
        }
    }
}

impl Heard {
    fn hear(&mut self, event: &Event) {
        match event {
            Event::Rewritten { rewritten, .. } => self.asked_as = Some(rewritten.clone()),
            Event::ToolCall { id, name, arguments } => {
                let call = RouteCall {
                    tool: name.clone(),
                    arguments: arguments.clone(),
                    failed: true,
                    cited: false,
                    characters: 0,
                    rows: None,
                };
                self.calls.push((id.clone(), call));
            }
            Event::ToolResult { id, text, is_error, .. } => {
                if let Some((_, call)) = self.calls.iter_mut().rfind(|(known, _)| known == id) {
                    call.failed = *is_error;
                    call.characters = text.chars().count();
                }
            }
            _ => {}
        }
    }
}

impl Route {
    /// The same with what the answer holds.
    pub(crate) fn with_answer(self, answer: &Answer) -> Self {
        let mut evidence: Vec<String> = Vec::new();
        for shape in answer.paths.iter().map(shape) {
            if evidence.len() < MOST_SHAPES && !evidence.contains(&shape) {
                evidence.push(shape);
            }
        }
        let result = RouteResult {
            answer: answer.answer.clone(),
            entities: answer.entities.len(),
            paths: answer.paths.len(),
            passages: answer.passages.len(),
        };
        Self { question: answer.question.clone(), evidence, result, ..self }
    }
}

/// A path by its types: `Service -[DEPENDS_ON]-> Library <-[DEPRECATES]- Deprecation`.
fn shape(path: &AnswerPath) -> String {
    let mut text = path.nodes.first().map_or_else(String::new, |node| node.kind.clone());
    for (relationship, pair) in path.relationships.iter().zip(path.nodes.windows(2)) {
        let [here, next] = pair else { continue };
        let (left, right) = if relationship.from == here.id { ("-", "->") } else { ("<-", "-") };
        text.push_str(&format!(" {left}[{}]{right} {}", relationship.kind, next.kind));
    }
    text
}

/// Ten hexadecimal digits at random: among a million routes, two are alike with a chance of one in two.
fn new_id() -> String {
    let random = RandomState::new().build_hasher().finish();
    format!("{:010x}", random & 0xff_ffff_ffff)
}
