//! A graph of services with their teams and libraries, and what asks questions about it.

use std::sync::{Arc, Mutex};

use graphwright_agent::{
    Agent, AgentAnswerer, GraphSnapshot, GraphTools, Route, RouteBook, ThreadStore, ToolContext, Toolbox,
};
use graphwright_answer::{Answer, Answerer, Event};
use graphwright_core::{GraphStore, NodeKey, Properties, RelationshipKey, store::ChangeSet};
use graphwright_embedded::EmbeddedStore;
use graphwright_llm::ChatModel;

pub(crate) const SERVICES: [&str; 12] = [
    "edge-gateway",
    "ledger",
    "mail-courier",
    "report-builder",
    "invoice-desk",
    "search-relay",
    "stock-watch",
    "price-board",
    "login-desk",
    "photo-press",
    "route-finder",
    "audit-log",
];
const TEAMS: [&str; 3] = ["Payments", "Insights", "Platform"];
const LIBRARIES: [&str; 5] = ["auth-lib", "money-types", "http-kit", "trace-kit", "queue-kit"];

/// The team that owns a service.
pub(crate) fn owner(service: usize) -> &'static str {
    TEAMS[service % TEAMS.len()]
}

/// The libraries that a service depends on.
pub(crate) fn libraries(service: usize) -> Vec<&'static str> {
    (0..=service % 3).map(|at| LIBRARIES[(service + at) % LIBRARIES.len()]).collect()
}

/// The graph, with a book of routes.
pub(crate) struct Platform {
    pub(crate) store: Arc<dyn GraphStore>,
    pub(crate) book: Arc<RouteBook>,
    /// Whether routes are recorded and followed.
    pub(crate) has_routes: bool,
    pub(crate) _folder: tempfile::TempDir,
}

/// What became of a question.
pub(crate) struct Told {
    pub(crate) answer: Answer,
    pub(crate) events: Vec<Event>,
}

impl Told {
    pub(crate) fn steps(&self) -> Vec<&str> {
        let steps = self.events.iter().filter_map(|event| match event {
            Event::Step { what } => Some(what.as_str()),
            _ => None,
        });
        steps.collect()
    }
}

impl Platform {
    pub(crate) async fn new() -> Self {
        let store = EmbeddedStore::in_memory();
        let mut changes = ChangeSet::new();
        let mut add = |label: &str, name: &str| {
            let key = NodeKey::new(label, name);
            changes.upsert_node(key.clone(), &[], Properties::from([("name".into(), name.into())]));
            key
        };
        let mut facts = Vec::new();
        for (at, service) in SERVICES.into_iter().enumerate() {
            let service = add("Service", service);
            facts.push((add("Team", owner(at)), "OWNS", service.clone()));
            for library in libraries(at) {
                facts.push((service.clone(), "DEPENDS_ON", add("Library", library)));
            }
        }
        // Nobody knows what this one depends on.
        let orphan = add("Service", "orphan");
        facts.push((add("Team", TEAMS[0]), "OWNS", orphan));
        for (from, kind, to) in facts {
            let id = format!("{}-{kind}-{}", from.id, to.id);
            changes
                .upsert_relationship(RelationshipKey { kind: kind.into(), from, to, id }, Properties::new());
        }
        store.apply(changes).await.unwrap();
        let folder = tempfile::tempdir().unwrap();
        let book = Arc::new(RouteBook::at(folder.path().join("routes.jsonl")));
        Self { store: Arc::new(store), book, has_routes: true, _folder: folder }
    }

    /// Asks a question of an agent with this model, in a conversation if there are threads.
    pub(crate) async fn ask(
        &self,
        question: &str,
        model: Arc<dyn ChatModel>,
        threads: Option<Arc<dyn ThreadStore>>,
    ) -> Told {
        let snapshot = Arc::new(GraphSnapshot::take(&self.store).await.unwrap());
        let agent = Agent::new(model)
            .with_tools(Toolbox::from_set(GraphTools::new(snapshot)).unwrap())
            .with_numbered_results();
        let agent = match threads {
            Some(threads) => agent.with_threads(threads),
            None => agent,
        };
        let answerer = AgentAnswerer::new(Answerer::open(Arc::clone(&self.store)).await.unwrap());
        let answerer = if self.has_routes { answerer.with_routes(Arc::clone(&self.book)) } else { answerer };
        let events: Arc<Mutex<Vec<Event>>> = Arc::default();
        let ears = Arc::clone(&events);
        let context = ToolContext::new("t").with_events(move |event| ears.lock().unwrap().push(event));
        let answer = answerer.ask(&agent, question, &context).await.unwrap();
        let events = events.lock().unwrap().clone();
        Told { answer, events }
    }

    pub(crate) fn routes(&self) -> Vec<Route> {
        self.book.read().unwrap().routes
    }
}
