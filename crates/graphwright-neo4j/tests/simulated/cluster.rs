//! A cluster of Bolt servers.
//!
//! They run no Cypher: a statement with `RETURN` gives one row with the number of the member.

use std::{
    collections::HashMap,
    net::TcpListener,
    sync::{
        Arc, Mutex, MutexGuard,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use boltr::{
    error::BoltError,
    server::{
        AuthCredentials, AuthInfo, AuthValidator, BoltBackend, BoltRecord, BoltServer, ResultMetadata,
        ResultStream, RoutingServer, RoutingTable, SessionConfig, SessionHandle, SessionProperty,
        TransactionHandle,
    },
    types::{BoltDict, BoltValue},
};
use graphwright_neo4j::{ConnectOptions, Credentials};
use tokio::runtime::{Builder, Runtime};

/// The members, each on a runtime of its own, so that one can be lost with its connections.
pub(crate) struct Cluster {
    shared: Arc<Shared>,
    addresses: Vec<String>,
    members: Vec<Option<Runtime>>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    next: AtomicUsize,
}

/// The settings of the cluster, and what it has seen.
#[derive(Default)]
pub(crate) struct State {
    /// The member that takes writes.
    pub(crate) leader: Option<usize>,
    /// The roles that the members announce: the writer, and the readers.
    pub(crate) announced: (Option<usize>, Vec<usize>),
    /// The number of next announcements that still name the former writer.
    pub(crate) stale_announcements: (usize, Option<usize>),
    /// The member to which the leader loses its role when it is to commit.
    pub(crate) gives_way_at_commit: Option<usize>,
    /// The number of writes that were refused by a member that does not lead.
    pub(crate) refused: usize,
    /// The statements that were committed, with the member that did it.
    pub(crate) committed: Vec<(usize, String)>,
    /// The number of times that the way was asked for.
    pub(crate) routes: usize,
    /// The credentials of each logon.
    pub(crate) logons: Vec<AuthCredentials>,
    addresses: Vec<String>,
    transactions: HashMap<String, Transaction>,
}

#[derive(Default)]
struct Transaction {
    reads: bool,
    statements: Vec<String>,
}

impl Cluster {
    /// Starts a cluster. Member 0 leads and says so; the others are readers.
    pub(crate) fn start(members: usize) -> Self {
        let listeners: Vec<_> = (0..members).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
        let addresses: Vec<_> =
            listeners.iter().map(|listener| listener.local_addr().unwrap().to_string()).collect();
        let shared = Arc::new(Shared::default());
        {
            let mut state = shared.state.lock().unwrap();
            state.addresses.clone_from(&addresses);
            state.leader = Some(0);
            state.announced = (Some(0), (1..members).collect());
        }
        let members = listeners
            .into_iter()
            .enumerate()
            .map(|(number, listener)| {
                let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
                let member = Member { number, shared: Arc::clone(&shared) };
                listener.set_nonblocking(true).unwrap();
                runtime.spawn(async move {
                    let listener = tokio::net::TcpListener::from_std(listener).unwrap();
                    let validator = member.clone();
                    BoltServer::builder(member).auth(validator).serve_listener(listener).await
                });
                Some(runtime)
            })
            .collect();
        Self { shared, addresses, members }
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state.lock().unwrap()
    }

    /// Returns options to reach the cluster by a member that is asked for the way.
    pub(crate) fn options(&self, member: usize) -> ConnectOptions {
        let address = format!("neo4j://{}", self.addresses[member]).parse().unwrap();
        let mut options = ConnectOptions::new(address, Credentials::None);
        options.connect_timeout = Duration::from_secs(2);
        options.database = Some("neo4j".to_owned());
        options
    }

    /// Ends a member, and all connections to it.
    pub(crate) fn lose(&mut self, member: usize) {
        if let Some(runtime) = self.members[member].take() {
            runtime.shutdown_background();
        }
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for member in 0..self.members.len() {
            self.lose(member);
        }
    }
}

/// One server of the cluster.
#[derive(Clone)]
struct Member {
    number: usize,
    shared: Arc<Shared>,
}

impl Member {
    fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state.lock().unwrap()
    }

    fn name(&self, kind: &str) -> String {
        format!("{kind}-{}", self.shared.next.fetch_add(1, Ordering::Relaxed))
    }

    fn require_leader(&self, state: &mut State) -> Result<(), BoltError> {
        if state.leader == Some(self.number) {
            return Ok(());
        }
        state.refused += 1;
        Err(BoltError::Query {
            code: "Neo.ClientError.Cluster.NotALeader".to_owned(),
            message: "No write operations are allowed on this server.".to_owned(),
        })
    }
}

fn reads(extra: &BoltDict) -> bool {
    extra.get("mode").and_then(BoltValue::as_str) == Some("r")
}

#[async_trait]
impl AuthValidator for Member {
    async fn validate(&self, credentials: &AuthCredentials) -> Result<AuthInfo, BoltError> {
        self.state().logons.push(credentials.clone());
        if credentials.credentials.as_deref() == Some("wrong") {
            return Err(BoltError::Authentication("The client is unauthorized.".to_owned()));
        }
        Ok(AuthInfo::default())
    }
}

#[async_trait]
impl BoltBackend for Member {
    async fn create_session(&self, _: &SessionConfig) -> Result<SessionHandle, BoltError> {
        Ok(SessionHandle(self.name("session")))
    }

    async fn close_session(&self, _: &SessionHandle) -> Result<(), BoltError> {
        Ok(())
    }

    async fn configure_session(&self, _: &SessionHandle, _: SessionProperty) -> Result<(), BoltError> {
        Ok(())
    }

    async fn reset_session(&self, _: &SessionHandle) -> Result<(), BoltError> {
        Ok(())
    }

    async fn execute(
        &self,
        _: &SessionHandle,
        query: &str,
        _: &HashMap<String, BoltValue>,
        extra: &BoltDict,
        transaction: Option<&TransactionHandle>,
    ) -> Result<ResultStream, BoltError> {
        let mut state = self.state();
        if let Some(transaction) = transaction {
            let open = state.transactions.entry(transaction.0.clone()).or_default();
            open.statements.push(query.to_owned());
        } else if !reads(extra) {
            self.require_leader(&mut state)?;
            state.committed.push((self.number, query.to_owned()));
        }
        let row = BoltRecord { values: vec![BoltValue::Integer(self.number as i64)] };
        Ok(ResultStream {
            metadata: ResultMetadata { columns: vec!["member".to_owned()], extra: BoltDict::new() },
            records: if query.contains("RETURN") { vec![row] } else { Vec::new() },
            summary: BoltDict::from([("db".to_owned(), BoltValue::String("neo4j".to_owned()))]),
        })
    }

    async fn begin_transaction(
        &self,
        _: &SessionHandle,
        extra: &BoltDict,
    ) -> Result<TransactionHandle, BoltError> {
        let mut state = self.state();
        if !reads(extra) {
            self.require_leader(&mut state)?;
        }
        let name = self.name("transaction");
        let transaction = Transaction { reads: reads(extra), statements: Vec::new() };
        state.transactions.insert(name.clone(), transaction);
        Ok(TransactionHandle(name))
    }

    async fn commit(
        &self,
        _: &SessionHandle,
        transaction: &TransactionHandle,
    ) -> Result<BoltDict, BoltError> {
        let mut state = self.state();
        let Transaction { reads, statements } = state.transactions.remove(&transaction.0).unwrap_or_default();
        if !reads {
            if let Some(next) = state.gives_way_at_commit.take() {
                state.leader = Some(next);
                state.announced.0 = Some(next);
            }
            self.require_leader(&mut state)?;
            state.committed.extend(statements.into_iter().map(|text| (self.number, text)));
        }
        Ok(BoltDict::from([("bookmark".to_owned(), BoltValue::String(self.name("bookmark")))]))
    }

    async fn rollback(&self, _: &SessionHandle, transaction: &TransactionHandle) -> Result<(), BoltError> {
        self.state().transactions.remove(&transaction.0);
        Ok(())
    }

    async fn get_server_info(&self) -> Result<BoltDict, BoltError> {
        Ok(BoltDict::from([("server".to_owned(), BoltValue::String("Neo4j/5.26.12".to_owned()))]))
    }

    async fn route(&self, _: &BoltDict, _: &[String], _: Option<&str>) -> Result<RoutingTable, BoltError> {
        let mut state = self.state();
        state.routes += 1;
        let (left, old) = state.stale_announcements;
        let writer = if left > 0 { old } else { state.announced.0 };
        state.stale_announcements.0 = left.saturating_sub(1);
        let readers = state.announced.1.clone();
        let server = |role: &str, members: &[usize]| RoutingServer {
            addresses: members.iter().map(|member| state.addresses[*member].clone()).collect(),
            role: role.to_owned(),
        };
        let all: Vec<_> = (0..state.addresses.len()).collect();
        let servers =
            vec![server("WRITE", writer.as_slice()), server("READ", &readers), server("ROUTE", &all)];
        Ok(RoutingTable { ttl: 300, db: "neo4j".to_owned(), servers })
    }
}
