//! The server for the attacks: runs raw text, and reads the state of graph, schema and accounts.

#![expect(clippy::result_large_err, reason = "the driver's closures fail with its own errors")]

use std::{
    cell::RefCell,
    collections::HashMap,
    fs,
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use neo4j::{
    ValueSend,
    driver::{ConnectionConfig, Driver, DriverConfig, auth::AuthToken},
    session::SessionConfig,
    transaction::TransactionTimeout,
};
use serde_json::{Map, Value};

use crate::corpus::Effect;

const GRAPH: [&str; 4] = [
    "MATCH (n) DETACH DELETE n",
    "UNWIND range(1, 60) AS i WITH i, CASE i WHEN 1 THEN 'Ada' ELSE 'Person ' + i END AS name \
     CREATE (:Person {id: i, name: name, secret: 'secret-of-' + CASE i WHEN 1 THEN name ELSE toString(i) END})",
    "MATCH (a:Person) UNWIND [1, 7, 13, 22] AS k MATCH (b:Person {id: (a.id * 3 + k) % 60 + 1}) \
     CREATE (a)-[:KNOWS {since: 2000 + k}]->(b)",
    "MATCH (p:Person) WHERE p.id % 10 = 0 MERGE (c:Company {name: 'Acme'}) CREATE (p)-[:WORKS_AT]->(c)",
];
const SCHEMA: [&str; 3] = [
    "CREATE USER reader SET PASSWORD 'longenough0' CHANGE NOT REQUIRED",
    "CREATE CONSTRAINT person_id FOR (n:Person) REQUIRE n.id IS UNIQUE",
    "CREATE FULLTEXT INDEX names FOR (n:Person) ON EACH [n.name]",
];
const GRAPH_STATE: [&str; 2] = [
    "MATCH (n) RETURN elementId(n) AS id, labels(n), [k IN keys(n) | [k, n[k]]] ORDER BY id",
    "MATCH (a)-[r]->(b) RETURN elementId(r) AS id, elementId(a), elementId(b), type(r), [k IN keys(r) | [k, r[k]]] ORDER BY id",
];
const SCHEMA_STATE: [&str; 3] = [
    "SHOW INDEXES YIELD name, type, labelsOrTypes, properties RETURN name, type, labelsOrTypes, properties ORDER BY name",
    "SHOW CONSTRAINTS YIELD name, type, labelsOrTypes, properties RETURN name, type, labelsOrTypes, properties ORDER BY name",
    "SHOW USERS YIELD user, passwordChangeRequired, suspended RETURN user, passwordChangeRequired, suspended ORDER BY user",
];
/// The statement for labels, types and keys that have ever been used.
const TOKENS: &str =
    "CALL db.stats.retrieve('TOKENS') YIELD data RETURN [k IN keys(data) | size(data[k])] AS counts";

/// The outcome of a text.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) error: Option<String>,
    /// The first rows.
    pub(crate) rows: String,
    pub(crate) count: usize,
    pub(crate) bytes: usize,
    pub(crate) took: Duration,
}

impl Outcome {
    pub(crate) fn is_out_of_memory(&self) -> bool {
        self.error.as_ref().is_some_and(|error| error.contains("MemoryPoolOutOfMemory"))
    }

    pub(crate) fn and(mut self, next: Self) -> Self {
        self.rows.push_str(&next.rows);
        self.count += next.count;
        self.bytes += next.bytes;
        self.took += next.took;
        self.error = self.error.or(next.error);
        self
    }
}

pub(crate) struct Server {
    driver: Driver,
    another: Driver,
    /// The schema and the graph as each case finds them.
    clean: RefCell<Option<(String, String)>>,
}

fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("{name} is not set"))
}

fn driver(agent: &str) -> Driver {
    let address = variable("NEO4J_URI");
    let (host, port) = address.trim_start_matches("bolt://").split_once(':').unwrap();
    let token = AuthToken::new_basic_auth(variable("NEO4J_USERNAME"), variable("NEO4J_PASSWORD"));
    let config = DriverConfig::new()
        .with_user_agent(agent.to_owned())
        .with_auth(Arc::new(token))
        .with_telemetry(false);
    Driver::new(ConnectionConfig::new((host, port.parse().unwrap()).into()).with_routing(false), config)
}

impl Server {
    /// Connects, and puts a file into the folder that the server imports from.
    pub(crate) fn connect() -> Self {
        let import = Path::new(&variable("GRAPHWRIGHT_NEO4J_HOME")).join("import");
        fs::create_dir_all(&import).unwrap();
        fs::write(import.join("secret.csv"), "user,password\nroot,hunter2\n").unwrap();
        Self { driver: driver("attacker"), another: driver("victim"), clean: RefCell::default() }
    }

    pub(crate) fn run(
        &self,
        text: &str,
        parameters: &Map<String, Value>,
        limit: Duration,
        most: usize,
    ) -> Outcome {
        let parameters: HashMap<String, ValueSend> =
            parameters.iter().map(|(name, value)| (name.clone(), sent(value))).collect();
        let mut session = self.driver.session(SessionConfig::new());
        let mut outcome = Outcome::default();
        let started = Instant::now();
        let result = session
            .auto_commit(text)
            .with_transaction_timeout(
                TransactionTimeout::from_millis(limit.as_millis().try_into().unwrap()).unwrap(),
            )
            .with_parameters(parameters)
            .with_receiver(|stream| {
                while outcome.count <= most
                    && let Some(record) = stream.next()
                {
                    let values: Vec<_> = record?.into_values().collect();
                    let text = format!("{values:?}");
                    outcome.count += 1;
                    outcome.bytes += text.len();
                    if outcome.rows.len() < 1_000_000 {
                        outcome.rows.push_str(&text);
                    }
                }
                Ok(())
            })
            .run();
        outcome.took = started.elapsed();
        outcome.error = result.err().map(|error| error.to_string());
        outcome
    }

    fn rows(&self, text: &str) -> String {
        let outcome = self.run(text, &Map::new(), Duration::from_mins(1), usize::MAX);
        assert_eq!(outcome.error, None, "{text}");
        outcome.rows
    }

    fn states(&self, texts: &[&str]) -> String {
        texts.iter().map(|text| self.rows(text)).collect::<Vec<_>>().join("\n")
    }

    /// Returns the state that an attack of the kind changes.
    pub(crate) fn state(&self, effect: Effect) -> String {
        match effect {
            Effect::Writes => self.states(&GRAPH_STATE),
            Effect::Administers => self.states(&SCHEMA_STATE) + &self.rows(TOKENS),
            Effect::ReadsOutside | Effect::BreaksLimit => String::new(),
        }
    }

    /// Restores schema, accounts and graph if they have changed.
    pub(crate) fn prepare(&self) {
        let now = (self.states(&SCHEMA_STATE), self.states(&GRAPH_STATE));
        let (same_schema, same_graph) = match &*self.clean.borrow() {
            Some((schema, graph)) => (*schema == now.0, *graph == now.1),
            None => (false, false),
        };
        if same_schema && same_graph {
            return;
        }
        if !same_schema {
            self.empty();
            self.states(&SCHEMA);
        }
        self.states(&GRAPH);
        self.rows("CALL db.awaitIndexes(60)");
        *self.clean.borrow_mut() = Some((self.states(&SCHEMA_STATE), self.states(&GRAPH_STATE)));
    }

    /// Removes all that the attacks left behind.
    pub(crate) fn empty(&self) {
        self.rows("MATCH (n) DETACH DELETE n");
        for (list, drop) in [
            ("SHOW CONSTRAINTS YIELD name RETURN name", "DROP CONSTRAINT"),
            ("SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP' RETURN name", "DROP INDEX"),
            ("SHOW USERS YIELD user WHERE user <> 'neo4j' RETURN user", "DROP USER"),
        ] {
            for name in self.names(list) {
                self.rows(&format!("{drop} `{}`", name.replace('`', "``")));
            }
        }
    }

    fn names(&self, text: &str) -> Vec<String> {
        let mut session = self.driver.session(SessionConfig::new());
        let names = session.auto_commit(text).with_receiver(|stream| {
            let mut names = Vec::new();
            for record in &mut *stream {
                names.extend(record?.into_values().filter_map(|value| value.try_into_string().ok()));
            }
            Ok(names)
        });
        names.run().unwrap()
    }

    /// Runs `work` while another client has a transaction open. Returns whether that was ended.
    pub(crate) fn beside_another(&self, work: impl FnOnce()) -> bool {
        let mut session = self.another.session(SessionConfig::new());
        let meta: HashMap<String, ValueSend> =
            HashMap::from([("app".to_owned(), ValueSend::String("victim".to_owned()))]);
        let mut ended = false;
        let outcome = session.transaction().with_transaction_meta(meta).run(|transaction| {
            transaction.query("MATCH (victim:Company) RETURN victim").run()?.consume()?;
            work();
            ended = transaction
                .query("RETURN 1 AS one")
                .run()
                .and_then(|stream| stream.consume().map(drop))
                .is_err();
            Ok(())
        });
        ended || outcome.is_err()
    }
}

/// Translates a value for the driver.
fn sent(value: &Value) -> ValueSend {
    match value {
        Value::Null => ValueSend::Null,
        Value::Bool(value) => ValueSend::Boolean(*value),
        Value::Number(value) => ValueSend::Integer(value.as_i64().expect("a whole number")),
        Value::String(value) => ValueSend::String(value.clone()),
        Value::Array(values) => ValueSend::List(values.iter().map(sent).collect()),
        Value::Object(values) => {
            ValueSend::Map(values.iter().map(|(key, value)| (key.clone(), sent(value))).collect())
        }
    }
}
