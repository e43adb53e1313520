//! Recording of a run while it goes on.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

use graphwright_answer::{Answer, AnswerPath, Event};
use graphwright_journal::new_id;
use serde_json::Value;

use super::{Route, RouteCall, RouteOutcome, RouteResult};
use crate::{Run, ToolContext, graph_tools::CYPHER_TOOL};

/// The largest number of path shapes that are kept.
const MOST_SHAPES: usize = 10;

/// A listener that records what a run does, so that a run that fails leaves a route too.
#[derive(Debug)]
pub(crate) struct Trace {
    context: ToolContext,
    heard: Arc<Mutex<Heard>>,
    started: Instant,
}

/// What the listener has recorded so far.
#[derive(Debug, Default)]
struct Heard {
    asked_as: Option<String>,
    /// The calls under the identifiers that the model gave them, which it may use more than once.
    calls: Vec<(String, RouteCall)>,
}

impl Trace {
    /// Starts to record what happens in a context.
    pub(crate) fn begin(context: &ToolContext) -> Self {
        let heard: Arc<Mutex<Heard>> = Arc::default();
        let (ears, outer) = (Arc::clone(&heard), context.clone());
        let hearing = context.clone().with_events(move |event| {
            ears.lock().unwrap_or_else(PoisonError::into_inner).hear(&event);
            outer.emit(event);
        });
        // A part of its own counts only what this run uses, whatever others use of the budget
        // meanwhile.
        let hearing = hearing.with_budget(context.budget().part(None, None));
        Self { context: hearing, heard, started: Instant::now() }
    }

    /// Returns the context in which the run is recorded.
    pub(crate) fn context(&self) -> &ToolContext {
        &self.context
    }

    /// Returns the milliseconds since the beginning.
    pub(crate) fn elapsed_ms(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Creates the route of a run that came to its end. `cited` holds the indexes, from 0, of the
    /// tool results that the answer cites. Nothing about the graph is filled in yet.
    pub(crate) fn finished(&self, run: &Run, outcome: RouteOutcome, cited: &[usize]) -> Route {
        let records = run.steps.iter().flat_map(|step| &step.calls);
        let calls = records.enumerate().map(|(at, record)| RouteCall {
            tool: record.call.name.clone(),
            arguments: record.call.arguments.clone(),
            failed: record.is_error,
            cited: cited.contains(&at),
            told: record.structured.as_ref().is_some_and(|found| tells_all(&run.text, found)),
            characters: record.text.chars().count(),
            rows: record.structured.as_ref().and_then(|found| Some(found.get("rows")?.as_array()?.len())),
        });
        let steps = run.steps.iter().filter(|step| !step.calls.is_empty()).count();
        Route { steps, ..self.route(outcome, calls.collect(), run.question.clone()) }
    }

    /// Creates the route of a run that failed.
    pub(crate) fn failed(&self, reason: String) -> Route {
        let heard = std::mem::take(&mut *self.heard.lock().unwrap_or_else(PoisonError::into_inner));
        let calls = heard.calls.into_iter().map(|(_, call)| call).collect();
        let route = self.route(RouteOutcome::Failed, calls, heard.asked_as);
        // Events do not tell which calls came from one reply, so the number of calls and the number
        // of replies each bound the number of steps.
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
            slots: Vec::new(),
            in_conversation: false,
            offered: None,
            follows: None,
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
            schema: None,
        }
    }

    /// Creates the route of a run that followed another one without a model.
    pub(crate) fn followed(&self, route: &str, call: RouteCall) -> Route {
        Route { follows: Some(route.to_owned()), ..self.route(RouteOutcome::Answered, vec![call], None) }
    }
}

/// Tells whether a text names something of each row of a result.
fn tells_all(text: &str, found: &Value) -> bool {
    let text = text.to_lowercase();
    let stands = |words: &str| {
        let is_word = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
        text.match_indices(words).any(|(at, _)| {
            let (before, after) = (&text[..at], &text[at + words.len()..]);
            !words.is_empty() && !is_word(before.chars().next_back()) && !is_word(after.chars().next())
        })
    };
    let is_told = |cell: &Value| match cell {
        Value::String(words) => stands(&words.to_lowercase()),
        Value::Number(number) => stands(&number.to_string()),
        Value::Object(thing) => {
            thing.get("name").and_then(Value::as_str).is_some_and(|name| stands(&name.to_lowercase()))
        }
        _ => false,
    };
    let row_is_told = |row: &Value| row.as_array().is_some_and(|cells| cells.iter().any(is_told));
    found["rows"].as_array().is_some_and(|rows| !rows.is_empty() && rows.iter().all(row_is_told))
}

impl Heard {
    /// Records an event, if it belongs to the route.
    fn hear(&mut self, event: &Event) {
        match event {
            Event::Rewritten { rewritten, .. } => self.asked_as = Some(rewritten.clone()),
            Event::ToolCall { id, name, arguments } => {
                let call = RouteCall {
                    tool: name.clone(),
                    arguments: arguments.clone(),
                    // A call counts as failed until its result arrives.
                    failed: true,
                    cited: false,
                    told: false,
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
    /// Adds the content of the answer. What the graph alone found is not counted as evidence of the
    /// agent.
    pub(crate) fn with_answer(self, answer: &Answer) -> Self {
        let (question, text) = (answer.question.clone(), answer.answer.clone());
        let asked_as = self.asked_as.clone().filter(|asked| *asked != question);
        if !self.is_answer_of_agent() {
            let result = RouteResult { answer: text, ..RouteResult::default() };
            return Self { question, asked_as, result, ..self };
        }
        let mut evidence: Vec<String> = Vec::new();
        for shape in answer.paths.iter().map(AnswerPath::shape) {
            if evidence.len() < MOST_SHAPES && !evidence.contains(&shape) {
                evidence.push(shape);
            }
        }
        let result = RouteResult {
            answer: text,
            entities: answer.entities.len(),
            paths: answer.paths.len(),
            passages: answer.passages.len(),
        };
        Self { question, asked_as, evidence, result, ..self }
    }
}

#[cfg(test)]
mod tests {
    use graphwright_answer::Answerer;
    use graphwright_core::{GraphStore, NodeKey, Properties, RelationshipKey, store::ChangeSet};
    use graphwright_embedded::EmbeddedStore;
    use graphwright_llm::{ChatReply, Content, Message, ScriptedModel, ToolCall, Usage};
    use serde_json::json;

    use crate::{
        Agent, AgentAnswerer, GraphSnapshot, GraphTools, MemoryThreads, RouteBook, RouteVerdict, SubAgent,
        ThreadStore, Toolbox,
    };

    use super::*;

    struct Asking {
        _folder: tempfile::TempDir,
        book: Arc<RouteBook>,
        answerer: AgentAnswerer,
        tools: Toolbox,
    }

    impl Asking {
        /// A graph in which a team owns the ledger.
        async fn new() -> Self {
            let store = EmbeddedStore::in_memory();
            let mut changes = ChangeSet::new();
            let (team, ledger) = (NodeKey::new("Team", "t"), NodeKey::new("Service", "s"));
            for (key, name) in [(&team, "Payments"), (&ledger, "ledger")] {
                changes.upsert_node(key.clone(), &[], Properties::from([("name".into(), name.into())]));
            }
            let owns = RelationshipKey { kind: "OWNS".into(), from: team, to: ledger, id: "r".into() };
            changes.upsert_relationship(owns, Properties::new());
            store.apply(changes).await.unwrap();
            let store: Arc<dyn GraphStore> = Arc::new(store);
            let folder = tempfile::tempdir().unwrap();
            let book = Arc::new(RouteBook::at(folder.path().join("routes.jsonl")));
            let answerer = Answerer::open(Arc::clone(&store)).await.unwrap();
            let answerer = AgentAnswerer::new(answerer).with_routes(Arc::clone(&book));
            let snapshot = Arc::new(GraphSnapshot::take(&store).await.unwrap());
            Self {
                _folder: folder,
                book,
                answerer,
                tools: Toolbox::from_set(GraphTools::new(snapshot)).unwrap(),
            }
        }

        async fn ask(self, agent: Agent, question: &str) -> (Answer, Route) {
            let agent = agent.with_tools(self.tools).with_numbered_results();
            let context = ToolContext::new("t");
            let answer = self.answerer.ask(&agent, question, &context).await.unwrap();
            (answer, self.book.read().unwrap().routes.remove(0))
        }
    }

    fn spent() -> Usage {
        Usage { requests: 1, input_tokens: 90, output_tokens: 10, ..Usage::default() }
    }

    fn calls(calls: &[(&str, serde_json::Value)]) -> ChatReply {
        let call = |(id, (name, arguments)): (usize, &(&str, serde_json::Value))| {
            let (name, arguments) = ((*name).to_owned(), arguments.clone());
            Content::ToolCall(ToolCall { id: id.to_string(), name, arguments })
        };
        let calls: Vec<Content> = calls.iter().enumerate().map(call).collect();
        ChatReply { usage: spent(), ..calls.into() }
    }

    fn says(text: &str) -> ChatReply {
        ChatReply { usage: spent(), ..text.into() }
    }

    /// Creates an agent whose model fails when no reply is left.
    fn agent(replies: Vec<ChatReply>) -> Agent {
        Agent::new(Arc::new(ScriptedModel::replies(replies)))
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_run_leaves_what_its_answer_rests_on() {
        let agent = agent(vec![
            calls(&[
                ("lookup_entity", json!({"name": "ledger"})),
                ("run_cypher", json!({"query": "MATCH (t:Team) RETURN t.name"})),
                ("run_cypher", json!({"query": "MATCH (t:Team) DELETE t"})),
            ]),
            says("Payments owns ledger [1]."),
        ]);
        let (answer, route) = Asking::new().await.ask(agent, "Which team owns ledger?").await;
        assert_eq!(answer.route.as_deref(), Some(route.id.as_str()));
        assert_eq!((route.outcome, route.steps, route.usage.tokens()), (RouteOutcome::Answered, 1, 200));
        assert_eq!(route.kind, "which team owns <Service>");
        let told: Vec<_> = route.calls.iter().map(|call| (call.failed, call.cited, call.rows)).collect();
        assert_eq!(told, [(false, true, None), (false, false, Some(1)), (true, false, None)]);
        assert_eq!(route.cypher, ["MATCH (t:Team) RETURN t.name"]);
        assert_eq!(route.evidence, ["Service <-[OWNS]- Team"]);
        assert_eq!((route.result.answer.as_str(), route.result.paths), ("Payments owns ledger [1].", 1));
        assert_eq!((route.model.as_str(), route.store_version.is_empty()), ("scripted/model", false));
    }

    #[test]
    fn an_answer_tells_all_rows_or_not() {
        let rows = json!({"rows": [["auth-lib", 3], [{"id": "l", "name": "Money Types"}, null]]});
        assert!(tells_all("It uses Auth-Lib [1] and money types [1].", &rows));
        assert!(!tells_all("It uses auth-lib2 and money types.", &rows));
        assert!(tells_all("3 of them, and Money Types.", &rows));
        assert!(!tells_all("30 of them, and Money Types.", &rows));
        assert!(!tells_all("none", &json!({"rows": []})) && !tells_all("none", &json!({})));
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_run_that_fails_on_its_way_leaves_the_calls_that_it_made() {
        let agent = agent(vec![
            calls(&[("lookup_entity", json!({"name": "ledger"})), ("search", json!({"query": 3}))]),
            calls(&[("lookup_entity", json!({"name": "Payments"}))]),
        ]);
        let (answer, mut route) = Asking::new().await.ask(agent, "Which team owns ledger?").await;
        assert!(answer.answer.contains("The agent could not answer"), "{}", answer.answer);
        assert_eq!((route.outcome, route.steps, route.usage.tokens()), (RouteOutcome::Failed, 2, 200));
        let told: Vec<_> = route.calls.iter().map(|call| (call.tool.as_str(), call.failed)).collect();
        assert_eq!(told, [("lookup_entity", false), ("search", true), ("lookup_entity", false)]);
        assert!(route.calls[0].characters > 0 && route.reason.is_some());
        // The graph alone found the team; the agent has no part in it.
        assert!(route.result.answer.starts_with("Payments is the team"), "{}", route.result.answer);
        assert_eq!((route.result.paths, route.evidence.len()), (0, 0));
        route.verdict = Some(RouteVerdict::Right);
        assert!(!route.succeeded());
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn what_sub_agents_spend_counts_and_what_they_call_does_not() {
        let inner = agent(vec![calls(&[("nothing", json!({}))]), says("It is there.")]);
        let mut asking = Asking::new().await;
        asking.tools = Toolbox::default().with(SubAgent::new("explore", "Explores.", inner)).unwrap();
        let agent =
            agent(vec![calls(&[("explore", json!({"task": "Find the ledger."}))]), says("NOT IN THE GRAPH")]);
        let (_, route) = asking.ask(agent, "Where is Zebulon?").await;
        assert_eq!((route.outcome, route.usage.requests), (RouteOutcome::NotInGraph, 4));
        assert_eq!(route.tools().collect::<Vec<_>>(), ["explore"]);
        assert!(!route.succeeded());
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_run_that_is_resumed_leaves_a_route() {
        let asking = Asking::new().await;
        let threads = Arc::new(MemoryThreads::new());
        threads.append("t", 0, &[Message::user("Which team owns ledger?")]).await.unwrap();
        let replies =
            vec![calls(&[("lookup_entity", json!({"name": "ledger"}))]), says("Payments owns it [1].")];
        let agent = agent(replies).with_tools(asking.tools).with_numbered_results().with_threads(threads);
        let answer = asking.answerer.resume(&agent, &ToolContext::new("t")).await.unwrap();
        let route = asking.book.read().unwrap().routes.remove(0);
        assert_eq!((route.question.as_str(), route.asked_as), ("Which team owns ledger?", None));
        assert_eq!((answer.route, route.outcome), (Some(route.id), RouteOutcome::Answered));
    }
}
