//! Graphs made from gold facts, and a store that only holds texts.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    path::{Path, PathBuf},
    sync::Arc,
};

use async_trait::async_trait;
use futures::stream::BoxStream;
use graphwright_answer::{Answer, AnswerStatus, Answerer, AskOptions};
use graphwright_core::{
    ElementId, GraphSchema, GraphStore, Node, RecordStream, Relationship, Result, Statement, StoreError,
    Table, Value,
    schema::{Constraint, Index},
    store::{
        Capabilities, ChangeSet, Counters, QueryOptions, ScanBatch, ScanOptions, SchemaOptions, StoreInfo,
        WriteResult,
    },
};
use graphwright_ontology::Ontology;
use graphwright_retrieve::Topology;
use serde_json::Value as Json;

/// A store that answers only the question for the texts of passages.
#[derive(Debug, Default)]
pub(crate) struct Texts(pub(crate) HashMap<String, String>);

fn refuse<T>() -> Result<T> {
    Err(StoreError::ReadOnly { context: "a store of texts".into() })
}

#[async_trait]
impl GraphStore for Texts {
    async fn info(&self) -> Result<StoreInfo> {
        refuse()
    }
    fn capabilities(&self) -> Capabilities {
        Capabilities::default()
    }
    async fn version(&self) -> Result<String> {
        Ok("1".into())
    }
    async fn read(&self, statement: Statement, _: QueryOptions) -> Result<RecordStream> {
        let ids = statement.parameters()["ids"].as_list().unwrap_or_default().to_vec();
        let rows = ids
            .into_iter()
            .filter_map(|id| {
                let text = self.0.get(id.as_str()?)?.clone();
                Some(vec![id, Value::String(text)])
            })
            .collect();
        let columns = vec!["id".to_owned(), "text".to_owned()];
        Ok(RecordStream::from_table(Table { columns, rows, ..Table::default() }))
    }
    async fn write(&self, _: Statement, _: QueryOptions) -> Result<WriteResult> {
        refuse()
    }
    async fn apply(&self, _: ChangeSet) -> Result<Counters> {
        refuse()
    }
    async fn schema(&self, _: SchemaOptions) -> Result<GraphSchema> {
        refuse()
    }
    async fn create_index(&self, _: Index) -> Result<()> {
        refuse()
    }
    async fn drop_index(&self, _: &str) -> Result<()> {
        refuse()
    }
    async fn create_constraint(&self, _: Constraint) -> Result<()> {
        refuse()
    }
    async fn create_keys(&self, _: Vec<String>) -> Result<()> {
        refuse()
    }
    async fn drop_constraint(&self, _: &str) -> Result<()> {
        refuse()
    }
    async fn scan(&self, _: ScanOptions) -> Result<BoxStream<'static, Result<ScanBatch>>> {
        refuse()
    }
    async fn vector_names(&self) -> Result<Vec<String>> {
        refuse()
    }
    async fn vectors(&self, _: &str, _: &str) -> Result<BoxStream<'static, Result<(ElementId, Vec<f32>)>>> {
        refuse()
    }
    async fn snapshot(&self) -> Result<Option<Arc<dyn GraphStore>>> {
        Ok(None)
    }
    async fn checkpoint(&self) -> Result<()> {
        Ok(())
    }
}

/// A graph in the making.
#[derive(Debug, Default)]
pub(crate) struct GraphBuilder {
    nodes: BTreeMap<(String, String), Node>,
    relationships: Vec<Relationship>,
}

impl GraphBuilder {
    pub(crate) fn node(&mut self, kind: &str, name: &str) -> &mut Node {
        let id = format!("{kind}/{name}");
        self.nodes.entry((kind.to_owned(), name.to_owned())).or_insert_with(|| Node {
            element_id: ElementId::new(id.clone()),
            labels: vec![kind.to_owned(), "__Entity__".to_owned()],
            properties: BTreeMap::from([
                ("__id__".to_owned(), Value::from(id)),
                ("name".to_owned(), Value::from(name)),
            ]),
        })
    }

    pub(crate) fn fact(&mut self, from: (&str, &str), kind: &str, to: (&str, &str)) -> &mut Relationship {
        let start = self.node(from.0, from.1).element_id.clone();
        let end = self.node(to.0, to.1).element_id.clone();
        let known =
            self.relationships.iter().position(|r| r.kind == kind && r.start == start && r.end == end);
        let position = known.unwrap_or_else(|| {
            let id = format!("{start} {kind} {end}");
            self.relationships.push(Relationship {
                element_id: ElementId::new(id),
                kind: kind.to_owned(),
                start,
                end,
                properties: BTreeMap::new(),
            });
            self.relationships.len() - 1
        });
        &mut self.relationships[position]
    }

    pub(crate) fn build(self) -> Arc<Topology> {
        let nodes = self.nodes.into_values().collect();
        Arc::new(Topology::from_parts("1", nodes, self.relationships))
    }
}

/// The folder of the sample or of a corpus.
pub(crate) fn corpus(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let sample = root.join("examples").join(name);
    if sample.is_dir() { sample } else { root.join("crates/graphwright-rules/tests/corpora").join(name) }
}

/// Whether the answer is exactly this: names or values apart by `;`, or a status.
pub(crate) fn agrees(answer: &Answer, expected: &str) -> bool {
    match expected {
        "not in graph" => return answer.status == AnswerStatus::NotInGraph,
        "no path" => return answer.status == AnswerStatus::NoPath,
        _ => {}
    }
    let wanted: BTreeSet<String> = expected.split(';').map(|name| name.trim().to_lowercase()).collect();
    let names: BTreeSet<String> = answer.entities.iter().map(|entity| entity.name.to_lowercase()).collect();
    let shown = |value: &Json| match value {
        Json::String(text) => text.to_lowercase(),
        Json::Bool(truth) => if *truth { "yes" } else { "no" }.to_owned(),
        other => other.as_f64().map_or_else(|| other.to_string(), |number| number.to_string()),
    };
    let values: BTreeSet<String> = answer.values.iter().map(shown).collect();
    matches!(answer.status, AnswerStatus::Answered | AnswerStatus::Partial)
        && (names == wanted || values == wanted)
}

/// The graph that a perfect extractor would make of a corpus: its gold facts.
pub(crate) fn gold_graph(folder: &Path) -> (Arc<Topology>, Ontology) {
    let ontology = Ontology::read(&folder.join("ontology.yaml")).unwrap().complete();
    let mut graph = GraphBuilder::default();
    let text = std::fs::read_to_string(folder.join("gold.jsonl")).unwrap();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let gold: Json = serde_json::from_str(line).unwrap();
        if gold["holds"] == false {
            continue;
        }
        let thing = |part: &Json| -> (String, String) {
            (part["type"].as_str().unwrap().to_owned(), part["name"].as_str().unwrap().to_owned())
        };
        if let Some(property) = gold["property"].as_str() {
            let (kind, name) = thing(&gold["entity"]);
            let declared = ontology.nodes[&kind].properties.get(property);
            let value = declared.and_then(|declared| declared.kind.parse_json(&gold["value"]));
            let value = value.unwrap_or_else(|| Value::from(gold["value"].as_str().unwrap_or_default()));
            graph.node(&kind, &name).properties.insert(property.to_owned(), value);
        } else if let Some(kind) = gold["type"].as_str() {
            let (from, to) = (thing(&gold["from"]), thing(&gold["to"]));
            let fact = graph.fact((&from.0, &from.1), kind, (&to.0, &to.1));
            if let Some(properties) = gold["properties"].as_object() {
                for (name, value) in properties {
                    let declared = ontology.relationships[kind].properties.get(name);
                    let value = declared.and_then(|declared| declared.kind.parse_json(value));
                    fact.properties.extend(value.map(|value| (name.clone(), value)));
                }
            }
        }
    }
    (graph.build(), ontology)
}

/// Asks a drawn graph, without an ontology.
pub(crate) async fn ask(graph: &str, question: &str, options: &AskOptions) -> Answer {
    let answerer = Answerer::new(Arc::new(Texts::default()), drawn_graph(graph), &Ontology::default());
    answerer.ask(question, options).await.unwrap()
}

/// A graph from lines: `Type Name | property = value; …` and `Type Name -KIND-> Type Name`. Types are one word.
pub(crate) fn drawn_graph(text: &str) -> Arc<Topology> {
    let mut graph = GraphBuilder::default();
    let split = |thing: &str| {
        let (kind, name) = thing.trim().split_once(' ').unwrap();
        (kind.to_owned(), name.trim().to_owned())
    };
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if let Some((from, rest)) = line.split_once(" -").filter(|_| line.contains("-> ")) {
            let (kind, to) = rest.split_once("-> ").unwrap();
            let (to, properties) = to.split_once('|').unwrap_or((to, ""));
            let (from, to) = (split(from), split(to));
            let fact = graph.fact((&from.0, &from.1), kind, (&to.0, &to.1));
            fact.properties.extend(read_properties(properties));
        } else {
            let (thing, properties) = line.split_once('|').unwrap_or((line, ""));
            let (kind, name) = split(thing);
            graph.node(&kind, &name).properties.extend(read_properties(properties));
        }
    }
    graph.build()
}

fn read_properties(text: &str) -> Vec<(String, Value)> {
    let pairs = text.split(';').filter_map(|pair| pair.split_once('='));
    let value = |text: &str| {
        let number = || text.parse::<i64>().ok().map(Value::from);
        let date = || text.parse::<jiff::civil::Date>().ok().map(Value::Date);
        let truth = || text.parse::<bool>().ok().map(Value::from);
        number().or_else(date).or_else(truth).unwrap_or_else(|| Value::from(text))
    };
    let list = |text: &str| {
        let items = text.strip_prefix('[')?.strip_suffix(']')?.split(',');
        Some(Value::List(items.map(|item| value(item.trim())).collect()))
    };
    // A fraction is a text, as of a file that was imported without types.
    let property = |name: &str, text: &str| match (name, text.parse::<f64>()) {
        ("confidence", Ok(confidence)) => Value::Float(confidence),
        _ => list(text).unwrap_or_else(|| value(text)),
    };
    pairs.map(|(name, text)| (name.trim().to_owned(), property(name.trim(), text.trim()))).collect()
}

/// Asks without options.
pub(crate) async fn plainly(graph: &str, question: &str) -> Answer {
    ask(graph, question, &AskOptions::default()).await
}

/// Asks all questions, and tells of all that are not answered so.
pub(crate) async fn check(graph: &str, questions: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for (question, expected) in questions {
        let answer = plainly(graph, question).await;
        if !agrees(&answer, expected) {
            wrong.push(format!(
                "{question}\n  wanted {expected}\n  got {:?} {}",
                answer.status, answer.answer
            ));
        }
    }
    assert!(wrong.is_empty(), "{} of {} wrong:\n{}", wrong.len(), questions.len(), wrong.join("\n"));
}
