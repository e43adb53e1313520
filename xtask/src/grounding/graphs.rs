//! The public graphs of which answers are made: facts and values, and the topology that the check knows.

use std::{
    collections::{BTreeMap, HashSet},
    fs,
    path::Path,
    sync::Arc,
};

use anyhow::{Context, Result};
use graphwright_answer::Answerer;
use graphwright_core::{ElementId, Node, Relationship, Value};
use graphwright_embedded::EmbeddedStore;
use graphwright_ontology::Ontology;
use graphwright_retrieve::Topology;
use serde_json::Value as Json;

/// The most facts of one relationship type that are taken from a file.
const MOST_FACTS: usize = 1500;

/// A relationship between things by their names.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fact {
    pub(super) from: Thing,
    pub(super) kind: String,
    pub(super) to: Thing,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Thing {
    pub(super) label: String,
    pub(super) name: String,
}

impl Thing {
    pub(super) fn new(label: &str, name: &str) -> Self {
        Self { label: label.to_owned(), name: name.trim().to_owned() }
    }

    pub(super) fn id(&self) -> String {
        format!("{}/{}", self.label, self.name)
    }
}

/// A value of a thing, as the evidence shows it.
#[derive(Clone, Debug)]
pub(super) struct Valued {
    pub(super) thing: Thing,
    pub(super) property: String,
    pub(super) value: String,
}

#[derive(Debug, Default)]
pub(super) struct PublicGraph {
    pub(super) facts: Vec<Fact>,
    pub(super) values: Vec<Valued>,
}

impl PublicGraph {
    /// Reads the graphs of the folder of public data.
    pub(super) fn read_all(data: &Path) -> Result<Vec<Self>> {
        Ok(vec![
            movies(&read(&data.join("graphs/movies/movies.cypher"))?),
            northwind(&data.join("graphs/northwind"))?,
            world_cup(&data.join("graphs/wwc2019/import"))?,
            metaqa(&read(&data.join("metaqa/kb.txt"))?),
        ])
    }

    fn fact(&mut self, from: Thing, kind: &str, to: Thing) {
        let fact = Fact { from, kind: kind.to_owned(), to };
        if fact.from.name != fact.to.name {
            self.facts.push(fact);
        }
    }

    fn value(&mut self, thing: Thing, property: &str, value: &str) {
        if !value.is_empty() && value != "NULL" {
            self.values.push(Valued { thing, property: property.to_owned(), value: value.to_owned() });
        }
    }

    /// Opens an answerer over the graph.
    pub(super) fn answerer(&self) -> Answerer {
        let mut nodes: BTreeMap<Thing, Node> = BTreeMap::new();
        let ends = self.facts.iter().flat_map(|fact| [&fact.from, &fact.to]);
        for thing in ends.chain(self.values.iter().map(|valued| &valued.thing)) {
            nodes.entry(thing.clone()).or_insert_with(|| Node {
                element_id: ElementId::new(thing.id()),
                labels: vec![thing.label.clone(), "__Entity__".to_owned()],
                properties: BTreeMap::from([
                    ("__id__".to_owned(), Value::from(thing.id())),
                    ("name".to_owned(), Value::from(thing.name.as_str())),
                ]),
            });
        }
        for valued in &self.values {
            if let Some(node) = nodes.get_mut(&valued.thing) {
                node.properties.insert(valued.property.clone(), Value::from(valued.value.as_str()));
            }
        }
        let relationships = self.facts.iter().enumerate().map(|(number, fact)| Relationship {
            element_id: ElementId::new(format!("r{number}")),
            kind: fact.kind.clone(),
            start: ElementId::new(fact.from.id()),
            end: ElementId::new(fact.to.id()),
            properties: BTreeMap::new(),
        });
        let topology = Topology::from_parts("1", nodes.into_values().collect(), relationships.collect());
        Answerer::new(Arc::new(EmbeddedStore::in_memory()), Arc::new(topology), &Ontology::default())
    }
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

/// Reads `CREATE (Keanu:Person {name:'Keanu Reeves', born:1964})` and `(Keanu)-[:ACTED_IN {…}]->(TheMatrix)`.
fn movies(script: &str) -> PublicGraph {
    let mut graph = PublicGraph::default();
    let mut things: BTreeMap<&str, Thing> = BTreeMap::new();
    for line in script.lines() {
        let line = line.trim();
        if let Some((variable, rest)) = line.strip_prefix("CREATE (").and_then(|rest| rest.split_once(':'))
            && let Some((label, properties)) = rest.split_once(" {")
        {
            let Some(name) = quoted(properties, "name:").or_else(|| quoted(properties, "title:")) else {
                continue;
            };
            let thing = Thing::new(label, name);
            for (property, key) in [("born", "born:"), ("released", "released:")] {
                if let Some((_, value)) = properties.split_once(key) {
                    let digits: String = value.chars().take_while(char::is_ascii_digit).collect();
                    graph.value(thing.clone(), property, &digits);
                }
            }
            things.insert(variable, thing);
        } else if let Some((left, rest)) = line.trim_start_matches("CREATE ").split_once(")-[:")
            && let Some((kind, right)) = rest.split_once("]->(")
        {
            let from = things.get(left.trim_start_matches('('));
            let to = things.get(right.trim_end_matches([')', ',', ';']));
            let kind = kind.split(' ').next().unwrap_or(kind);
            if let (Some(from), Some(to)) = (from, to) {
                graph.fact(from.clone(), kind, to.clone());
            }
        }
    }
    graph
}

/// The text in quotes behind a key.
fn quoted<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let rest = text.split_once(key)?.1;
    let mark = rest.chars().next().filter(|mark| matches!(mark, '\'' | '"'))?;
    rest[1..].split(mark).next()
}

/// The rows of a table by their columns. No cell that is used here holds a line break.
fn rows(path: &Path) -> Result<Vec<BTreeMap<String, String>>> {
    let text = read(path)?;
    let mut lines = text.lines().map(cells);
    let header = lines.next().with_context(|| format!("{} is empty", path.display()))?;
    Ok(lines.map(|cells| header.iter().cloned().zip(cells).collect()).collect())
}

fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut in_quotes = false;
    for letter in line.chars() {
        match letter {
            '"' => in_quotes = !in_quotes,
            ',' if !in_quotes => cells.push(String::new()),
            _ => cells.last_mut().into_iter().for_each(|cell| cell.push(letter)),
        }
    }
    cells
}

fn northwind(folder: &Path) -> Result<PublicGraph> {
    let mut graph = PublicGraph::default();
    let by_id = |file: &str, id: &str, name: &str, label: &str| -> Result<BTreeMap<String, Thing>> {
        let rows = rows(&folder.join(file))?;
        Ok(rows
            .iter()
            .filter_map(|row| Some((row.get(id)?.clone(), Thing::new(label, row.get(name)?))))
            .collect())
    };
    let suppliers = by_id("suppliers.csv", "supplierID", "companyName", "Supplier")?;
    let categories = by_id("categories.csv", "categoryID", "categoryName", "Category")?;
    for row in rows(&folder.join("products.csv"))? {
        let product = Thing::new("Product", &row["productName"]);
        if let Some(supplier) = suppliers.get(&row["supplierID"]) {
            graph.fact(supplier.clone(), "SUPPLIES", product.clone());
        }
        if let Some(category) = categories.get(&row["categoryID"]) {
            graph.fact(product.clone(), "BELONGS_TO", category.clone());
        }
        graph.value(product.clone(), "unitPrice", &row["unitPrice"]);
        graph.value(product, "unitsInStock", &row["unitsInStock"]);
    }
    let employees = rows(&folder.join("employees.csv"))?;
    let name = |row: &BTreeMap<String, String>| {
        Thing::new("Employee", &format!("{} {}", row["firstName"], row["lastName"]))
    };
    for row in &employees {
        for property in ["birthDate", "hireDate"] {
            graph.value(name(row), property, row[property].split(' ').next().unwrap_or_default());
        }
        let superior = employees.iter().find(|other| Some(&other["employeeID"]) == row.get("reportsTo"));
        if let Some(superior) = superior {
            graph.fact(name(row), "REPORTS_TO", name(superior));
        }
    }
    Ok(graph)
}

fn world_cup(folder: &Path) -> Result<PublicGraph> {
    let mut graph = PublicGraph::default();
    let mut teams: BTreeMap<String, Thing> = BTreeMap::new();
    for line in read(&folder.join("tournaments.json"))?.lines() {
        let tournament: Json = serde_json::from_str(line)?;
        let name = Thing::new("Tournament", tournament["name"].as_str().unwrap_or_default());
        for team in tournament["teams"].as_array().into_iter().flatten() {
            let thing = Thing::new("Team", team["team"].as_str().unwrap_or_default());
            teams.insert(team["id"].as_str().unwrap_or_default().to_owned(), thing.clone());
            graph.fact(thing, "PARTICIPATED_IN", name.clone());
        }
    }
    for line in read(&folder.join("squads.json"))?.lines().take(MOST_FACTS / 20) {
        let squad: Json = serde_json::from_str(line)?;
        let Some(team) = teams.get(squad["teamId"].as_str().unwrap_or_default()) else { continue };
        for player in squad["players"].as_array().into_iter().flatten() {
            let name = player["name"].as_str().unwrap_or_default();
            // Nicknames of one word are of several players.
            if name.contains(' ') {
                let thing = Thing::new("Player", name);
                graph.value(thing.clone(), "dob", player["dob"].as_str().unwrap_or_default());
                graph.fact(thing, "PLAYED_FOR", team.clone());
            }
        }
    }
    graph.facts.sort_by_key(|fact| (fact.from.id(), fact.kind.clone(), fact.to.id()));
    graph.facts.dedup();
    Ok(graph)
}

/// Reads `Kismet|directed_by|William Dieterle`. Remakes of one name are several things, which this file does not tell apart: they
/// are left out.
fn metaqa(table: &str) -> PublicGraph {
    let mut graph = PublicGraph::default();
    let lines = table.lines().map(|line| line.split('|').collect::<Vec<_>>());
    let mut years: BTreeMap<&str, HashSet<&str>> = BTreeMap::new();
    let lines: Vec<Vec<&str>> = lines.filter(|parts| parts.len() == 3).collect();
    for parts in lines.iter().filter(|parts| parts[1] == "release_year") {
        years.entry(parts[0]).or_default().insert(parts[2]);
    }
    // Names of one short word in lower case are no names that one could tell from words.
    let clear = |parts: &&Vec<&str>| {
        years.get(parts[0]).is_some_and(|years| years.len() == 1) && parts[0].contains(' ')
    };
    for parts in lines.iter().filter(clear).step_by(7).take(MOST_FACTS * 4) {
        let film = Thing::new("Film", parts[0]);
        match parts[1] {
            "directed_by" | "written_by" | "starred_actors" => {
                graph.fact(film, parts[1], Thing::new("Person", parts[2]));
            }
            "has_genre" => graph.fact(film, parts[1], Thing::new("Genre", parts[2])),
            "release_year" => graph.value(film, parts[1], parts[2]),
            _ => {}
        }
    }
    graph
}
