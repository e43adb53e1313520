//! Measures the snapshot of a graph at a size that does not fit in a head: how long it takes to make, what it takes on disk and
//! in memory, and how long walks take on it. `cargo xtask topology` runs it.
//!
//! The graph is made by a seed: ends of relationships are drawn so that degrees follow a power law with exponent 2.5, weights
//! are uniform in 0.3–1. With `--store`, the graph is written into an embedded store first, the snapshot is made from that,
//! and the same questions are asked in Cypher. With `--graphwright`, commands are started and timed; with
//! `--search` searches too, the first of which makes the search index.

#![expect(
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a measurement talks to the person who runs it"
)]

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

use graphwright_core::{
    ElementId, GraphStore, Node, NodeKey, Properties, Relationship, RelationshipKey, Statement, Value,
    store::{ChangeSet, QueryOptions, SchemaOptions},
};
use graphwright_embedded::{EmbeddedStore, OpenOptions};
use graphwright_retrieve::{
    Direction, NameIndex, NeighbourhoodOptions, NodeIndex, PageRank, PageRankOptions, PathOptions, Topology,
    Vocabulary,
};

const KINDS: [&str; 5] = ["CALLS", "DEPENDS_ON", "KNOWS", "OWNS", "USES"];
const LABELS: [&str; 3] = ["Library", "Service", "Team"];
/// Elements that are written to the store in one transaction.
const BATCH: usize = 50_000;
/// How long one query in Cypher may take.
const CYPHER_LIMIT: Duration = Duration::from_secs(10);

struct Options {
    nodes: usize,
    relationships: usize,
    seed: u64,
    queries: usize,
    folder: PathBuf,
    store: Option<PathBuf>,
    graphwright: Option<PathBuf>,
    searches: bool,
}

impl Options {
    fn read() -> Self {
        let mut options = Self {
            nodes: 1_000_000,
            relationships: 5_000_000,
            seed: 7,
            queries: 1_000,
            folder: std::env::temp_dir().join("graphwright-topology"),
            store: None,
            graphwright: None,
            searches: false,
        };
        let mut arguments = std::env::args().skip(1);
        while let Some(name) = arguments.next() {
            if name == "--search" {
                options.searches = true;
                continue;
            }
            let mut value = || arguments.next().unwrap_or_else(|| panic!("{name} needs a value"));
            match name.as_str() {
                "--nodes" => options.nodes = value().parse().unwrap(),
                "--relationships" => options.relationships = value().parse().unwrap(),
                "--seed" => options.seed = value().parse().unwrap(),
                "--queries" => options.queries = value().parse().unwrap(),
                "--folder" => options.folder = value().into(),
                "--store" => options.store = Some(value().into()),
                "--graphwright" => options.graphwright = Some(value().into()),
                other => panic!("{other} is not an option; see the head of this file"),
            }
        }
        options
    }
}

/// A graph that is made while it is read.
#[derive(Clone, Copy)]
struct Generated {
    nodes: usize,
    relationships: usize,
    seed: u64,
}

impl Generated {
    fn id(number: usize) -> String {
        format!("n{number:08}")
    }

    fn node(number: usize) -> Node {
        let id = Self::id(number);
        let name = format!("Thing {} {}", number / 26, char::from(b'A' + (number % 26) as u8));
        Node {
            labels: vec![LABELS[number % 3].to_owned(), "__Entity__".to_owned()],
            properties: Properties::from([
                ("__id__".into(), id.as_str().into()),
                ("name".into(), name.into()),
            ]),
            element_id: ElementId::new(id),
        }
    }

    fn all_nodes(self) -> impl Iterator<Item = Node> {
        (0..self.nodes).map(Self::node)
    }

    /// Draws an end: the n-th node in a hidden order with a probability that falls as n to the power of −2/3, which gives
    /// degrees a power law with exponent 2.5.
    fn end(self, random: &mut fastrand::Rng) -> usize {
        let rank = (self.nodes as f64 * random.f64().powi(3)) as usize;
        // A prime far from the size of a graph, so that hubs do not lie side by side.
        rank.wrapping_mul(7_368_787) % self.nodes
    }

    fn all_relationships(self) -> impl Iterator<Item = (usize, usize, &'static str, f64)> {
        let mut random = fastrand::Rng::with_seed(self.seed);
        (0..self.relationships).map(move |_| {
            let (start, end) = (self.end(&mut random), self.end(&mut random));
            (start, end, KINDS[random.usize(..KINDS.len())], 0.3 + 0.7 * random.f64())
        })
    }

    fn relationship(
        (number, (start, end, kind, weight)): (usize, (usize, usize, &str, f64)),
    ) -> Relationship {
        Relationship {
            element_id: ElementId::new(number.to_string()),
            kind: kind.to_owned(),
            start: ElementId::new(Self::id(start)),
            end: ElementId::new(Self::id(end)),
            properties: Properties::from([("weight".to_owned(), weight.into())]),
        }
    }

    async fn fill(self, folder: &Path) {
        let store = EmbeddedStore::open(folder, OpenOptions::writer()).await.unwrap();
        let key = |number: usize| NodeKey::new(LABELS[number % 3], Self::id(number));
        let mut changes = ChangeSet::new();
        let mut count = 0;
        for (number, node) in self.all_nodes().enumerate() {
            changes.upsert_node(key(number), &["__Entity__"], node.properties);
            count += 1;
            if count % BATCH == 0 {
                store.apply(std::mem::replace(&mut changes, ChangeSet::new())).await.unwrap();
            }
        }
        for (number, (start, end, kind, weight)) in self.all_relationships().enumerate() {
            let properties = Properties::from([("weight".to_owned(), weight.into())]);
            let id = format!("r{number}");
            let key = RelationshipKey { kind: kind.to_owned(), from: key(start), to: key(end), id };
            changes.upsert_relationship(key, properties);
            count += 1;
            if count % BATCH == 0 {
                store.apply(std::mem::replace(&mut changes, ChangeSet::new())).await.unwrap();
            }
        }
        store.apply(changes).await.unwrap();
        store.checkpoint().await.unwrap();
    }
}

#[tokio::main]
async fn main() {
    let options = Options::read();
    let Options { nodes, relationships, seed, .. } = options;
    println!("{nodes} nodes, {relationships} relationships, seed {seed}");
    let graph = Generated { nodes, relationships, seed };
    let store = match &options.store {
        None => None,
        Some(folder) => Some(open_store(graph, folder).await),
    };
    let folder = match &options.store {
        Some(store) => store.join("search.topology"),
        None => options.folder.clone(),
    };
    drop(std::fs::remove_dir_all(&folder));
    let start = Instant::now();
    let topology = if let Some(store) = &store {
        Topology::build(&folder, store).await.unwrap()
    } else {
        let all = graph.all_relationships().enumerate().map(Generated::relationship);
        Topology::write(&folder, "generated", graph.all_nodes(), all).unwrap()
    };
    println!("snapshot made in {:.2?}; at most {} MB in memory", start.elapsed(), memory("VmHWM"));
    let version = topology.version().to_owned();
    drop(topology);
    sizes(&folder);
    let before = memory("VmRSS");
    let start = Instant::now();
    let topology = Topology::open(&folder, &version).unwrap().unwrap();
    println!("opened in {:.2?}", start.elapsed());
    let start = Instant::now();
    let names = NameIndex::open_or_build(&folder, &topology);
    println!("names made in {:.2?}", start.elapsed());
    drop(names);
    let start = Instant::now();
    let names = NameIndex::open_or_build(&folder, &topology);
    println!("names opened in {:.2?}", start.elapsed());
    let start = Instant::now();
    drop(Vocabulary::open_or_build(&folder, &topology));
    println!("words made in {:.2?}", start.elapsed());
    let start = Instant::now();
    let words = Vocabulary::open_or_build(&folder, &topology);
    println!("words opened in {:.2?}, of {} names", start.elapsed(), words.name_count());
    sizes(&folder);
    measure_walks(&topology, &names, &options);
    println!("{} MB more in memory than before it was opened", memory("VmRSS") - before);
    if let Some(store) = &store {
        compare_with_cypher(&topology, store, &options).await;
    }
    if let (Some(program), Some(store)) = (&options.graphwright, &options.store) {
        measure_commands(program, store, nodes, options.searches);
    }
    println!("damage: {:?}", topology.check());
}

async fn open_store(graph: Generated, folder: &Path) -> EmbeddedStore {
    if !folder.join("graph.kgl").exists() {
        let start = Instant::now();
        graph.fill(folder).await;
        println!("store filled in {:.2?}", start.elapsed());
    }
    let start = Instant::now();
    let store = EmbeddedStore::open(folder, OpenOptions::reader()).await.unwrap();
    store.schema(SchemaOptions::default()).await.unwrap();
    println!("store opened in {:.2?}", start.elapsed());
    store
}

fn sizes(folder: &Path) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let bytes = entry.metadata().unwrap().len();
        if bytes > 100_000 {
            println!("  {}: {:.1} MB", entry.file_name().display(), bytes as f64 / 1e6);
        }
    }
}

/// Returns a figure of this process, in megabytes.
fn memory(what: &str) -> i64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(what)?.strip_prefix(':'));
    line.and_then(|line| line.split_whitespace().next()?.parse::<i64>().ok()).unwrap_or_default() / 1000
}

fn report(what: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    println!("{what:44} p50 {:>9.2?}  p95 {:>9.2?}  worst {:>9.2?}", at(0.5), at(0.95), at(1.0));
}

/// Returns nodes of all degrees: as many from each tenth of the nodes in the order of their degree.
fn seeds(topology: &Topology, count: usize, seed: u64) -> Vec<NodeIndex> {
    let mut by_degree: Vec<NodeIndex> = topology.nodes().collect();
    by_degree.sort_by_cached_key(|&node| topology.degree(node, Direction::Both));
    let mut random = fastrand::Rng::with_seed(seed);
    let tenth = by_degree.len() / 10;
    (0..count).map(|number| by_degree[number % 10 * tenth + random.usize(..tenth)]).collect()
}

fn measure_walks(topology: &Topology, names: &NameIndex, options: &Options) {
    let time = |work: &mut dyn FnMut()| {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    let seeds = seeds(topology, options.queries, options.seed);
    let degrees: Vec<usize> = seeds.iter().map(|&node| topology.degree(node, Direction::Both)).collect();
    let most = topology.nodes().map(|node| topology.degree(node, Direction::Both)).max();
    println!("degrees of the seeds {:?}…, the highest of all {most:?}", &degrees[..10.min(degrees.len())]);
    let around =
        NeighbourhoodOptions { depth: 5, minimum: 0.5, limit: 200, ..NeighbourhoodOptions::default() };
    let times = seeds.iter().map(|&seed| time(&mut || drop(topology.neighbourhood(&[seed], &around))));
    report("5 hops, least 0.5, at most 200 nodes", times.collect());
    let deep = NeighbourhoodOptions { depth: 8, minimum: 0.1, limit: 200, ..NeighbourhoodOptions::default() };
    let times = seeds.iter().map(|&seed| time(&mut || drop(topology.neighbourhood(&[seed], &deep))));
    report("8 hops, least 0.1, at most 200 nodes", times.collect());
    let paths = PathOptions { limit: 3, ..PathOptions::default() };
    let pairs = seeds.chunks_exact(2).map(|pair| (pair[0], pair[1]));
    let times = pairs.map(|(from, to)| time(&mut || drop(topology.shortest_paths(&[from], &[to], &paths))));
    report("shortest paths, undirected", times.collect());
    let pairs = seeds.chunks_exact(2).map(|pair| (pair[0], pair[1]));
    let times = pairs.map(|(from, to)| time(&mut || drop(topology.best_paths(&[from], &[to], &paths))));
    report("best paths within 5 hops", times.collect());
    for (error, count) in [(1e-4, seeds.len()), (1e-6, seeds.len() / 10)] {
        let ranking = PageRankOptions { error, ..PageRankOptions::default() };
        let rank = |seed| drop(PageRank::of(topology, &[(seed, 1.0)], &ranking, || false).unwrap());
        let times = seeds.iter().take(count).map(|&seed| time(&mut || rank(seed)));
        report(&format!("ranks around a node, error {error:e}"), times.collect());
    }
    let name = |node: NodeIndex| topology.read_node(node).display_name().to_owned();
    let times = seeds.iter().map(|&seed| (seed, name(seed)));
    let times = times.map(|(seed, name)| {
        time(&mut || assert!(names.find(&name).iter().any(|found| found.target == seed)))
    });
    report("names", times.collect());
    let times =
        seeds.iter().take(5).map(|&seed| time(&mut || drop(names.suggest(&name(seed).replace('T', "S"), 5))));
    report("suggestions for misspelt names", times.collect());
}

/// Asks for neighbourhoods and shortest paths in Cypher as well, and compares.
async fn compare_with_cypher(topology: &Topology, store: &EmbeddedStore, options: &Options) {
    let seeds = seeds(topology, 20, options.seed + 1);
    let (mut ours, mut theirs, mut equal, mut finished) = (Duration::ZERO, Duration::ZERO, 0, 0);
    let text = "MATCH p = (s:`__Entity__` {__id__: $id})-[*1..2]-(t:`__Entity__`) \
        WITH t.__id__ AS id, reduce(score = 1.0, r IN relationships(p) | score * r.weight) AS score \
        WHERE score >= 0.5 RETURN DISTINCT id";
    for &seed in &seeds {
        let id = topology.read_node(seed).id().to_owned();
        let start = Instant::now();
        let around = NeighbourhoodOptions {
            depth: 2,
            minimum: 0.5,
            limit: usize::MAX,
            ..NeighbourhoodOptions::default()
        };
        let found = topology.neighbourhood(&[seed], &around);
        let time = start.elapsed();
        let found: BTreeSet<String> = found
            .nodes
            .iter()
            .skip(1)
            .map(|reached| topology.read_node(reached.node).id().to_owned())
            .collect();
        let start = Instant::now();
        let Some(rows) = ask(store, Statement::fixed(text).with("id", id.as_str())).await else { continue };
        finished += 1;
        ours += time;
        theirs += start.elapsed();
        let theirs: BTreeSet<String> = rows
            .iter()
            .filter_map(|row| row.first()?.as_str().map(str::to_owned))
            .filter(|other| *other != id)
            .collect();
        equal += usize::from(found == theirs);
    }
    println!(
        "2 hops, least 0.5: {equal} of {finished} agree with Cypher ({} did not finish in {CYPHER_LIMIT:?}); ours {ours:.2?}, Cypher {theirs:.2?}, ratio {:.0}",
        seeds.len() - finished,
        theirs.as_secs_f64() / ours.as_secs_f64().max(1e-9)
    );
    let (mut ours, mut theirs, mut equal, mut finished) = (Duration::ZERO, Duration::ZERO, 0, 0);
    let text = "MATCH (a:`__Entity__` {__id__: $from}), (b:`__Entity__` {__id__: $to}) \
        MATCH p = shortestPath((a)-[*..5]-(b)) RETURN length(p)";
    for pair in seeds.chunks_exact(2) {
        let [from, to] = [pair[0], pair[1]].map(|node| topology.read_node(node).id().to_owned());
        let start = Instant::now();
        let distance = topology.distance(&[pair[0]], &[pair[1]], &PathOptions::default());
        let time = start.elapsed();
        let start = Instant::now();
        let statement = Statement::fixed(text).with("from", from.as_str()).with("to", to.as_str());
        let Some(rows) = ask(store, statement).await else { continue };
        finished += 1;
        ours += time;
        theirs += start.elapsed();
        let length = rows.first().and_then(|row| row.first()?.as_integer());
        equal += usize::from(length == distance.map(|distance| distance as i64));
    }
    println!(
        "shortest path: {equal} of {finished} agree with Cypher; ours {ours:.2?}, Cypher {theirs:.2?}, ratio {:.0}",
        theirs.as_secs_f64() / ours.as_secs_f64().max(1e-9)
    );
}

async fn ask(store: &EmbeddedStore, statement: Statement) -> Option<Vec<Vec<Value>>> {
    let options = QueryOptions { time_limit: Some(CYPHER_LIMIT), ..QueryOptions::default() };
    let table = store.read(statement, options).await.ok()?.collect().await;
    table.ok().map(|table| table.rows)
}

/// Times commands from the start of their process, with `/usr/bin/time`. The first search makes the index.
fn measure_commands(program: &Path, store: &Path, nodes: usize, searches: bool) {
    let mut random = fastrand::Rng::with_seed(3);
    let mut name = || {
        let properties = Generated::node(random.usize(..nodes)).properties;
        properties["name"].as_str().unwrap_or_default().to_owned()
    };
    let search = ["search", "--mode", "fulltext", "--kind", "node"];
    if searches {
        let (time, megabytes) = run(program, store, &search, &[name()]);
        report(&format!("graphwright search, the first ({megabytes:.0} MB)"), vec![time]);
    }
    let commands: [&[&str]; 4] = [&["lookup"], &["path"], &["ask"], if searches { &search } else { &[] }];
    for command in commands {
        let Some(first) = command.first() else { continue };
        let words = |name: &mut dyn FnMut() -> String| match *first {
            "path" => vec![name(), name()],
            "ask" => vec![format!("What does {} depend on?", name())],
            _ => vec![name()],
        };
        let runs: Vec<_> = (0..10).map(|_| run(program, store, command, &words(&mut name))).collect();
        let most = runs.iter().map(|(_, megabytes)| *megabytes).fold(0.0, f64::max);
        report(
            &format!("graphwright {first} ({most:.0} MB)"),
            runs.into_iter().map(|(time, _)| time).collect(),
        );
    }
}

/// Returns how long a command took, and how many megabytes.
fn run(program: &Path, store: &Path, command: &[&str], words: &[String]) -> (Duration, f64) {
    let mut timed = Command::new("/usr/bin/time");
    let timed = timed.args(["-f", "%e %M"]).arg(program).arg("--store").arg(store).args(command).args(words);
    let output = timed.output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{command:?}: {told}");
    let last = told.lines().last().unwrap_or_default();
    let mut figures = last.split(' ').filter_map(|figure| figure.parse::<f64>().ok());
    let mut figure = || figures.next().unwrap_or_default();
    (Duration::from_secs_f64(figure()), figure() / 1000.0)
}
