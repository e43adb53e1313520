//! Random queries. Each is built around a walk in the graph that its patterns and predicates should
//! find, so that most queries return rows.

mod change;
mod clause;
mod expression;
mod pattern;
mod predicate;
mod projection;
mod subquery;

use graphwright_core::{Properties, Value};

use crate::{construct::Construct, graph::Graph, random::Random, tree::Tree};

/// A query with its parameters.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Query {
    pub(crate) tree: Tree,
    pub(crate) parameters: Properties,
}

/// The kind of value that a variable holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Node,
    Relationship,
    /// The relationships of a pattern of variable length.
    Relationships,
    Path,
    Integer,
    /// An integer or a float.
    Number,
    Text,
    Boolean,
    Date,
    Integers,
    Texts,
    /// A value of any type.
    Mixed,
    /// A list whose order is open.
    Bag,
    Map,
}

/// The value of a variable on the walk around which the query is built.
#[derive(Clone, Debug, PartialEq)]
enum Witness {
    Unknown,
    Node(usize),
    Relationship(usize),
}

#[derive(Clone, Debug, PartialEq)]
struct Variable {
    name: String,
    kind: Kind,
    witness: Witness,
}

/// A generator of one query.
struct Generator<'a> {
    graph: &'a Graph,
    random: Random,
    scope: Vec<Variable>,
    parameters: Properties,
    /// The construct that the query should show.
    focus: Construct,
    names: usize,
    /// Whether a pattern writes its labels as `:A:B`. Neo4j accepts no other label expression in
    /// the same query.
    colons: bool,
    /// Whether a condition is being written. Only there may a pattern stand for its existence.
    filters: bool,
    /// The number of hops that further patterns may have together.
    hops: usize,
}

/// The nesting depth of expressions.
const DEPTH: usize = 2;

/// The most hops of all patterns of a query together. More would give too many rows.
const HOPS: usize = 6;

/// Generates a query that reads. `number` selects the construct that it should show.
pub(crate) fn read(graph: &Graph, random: Random, number: usize) -> Query {
    let reads = &Construct::ALL[..Construct::ALL.len() - WRITES.len()];
    let mut generator = Generator::new(graph, random, reads[number % reads.len()]);
    let tree = generator.reading();
    Query { tree, parameters: generator.parameters }
}

/// Generates a query that writes. `number` selects the construct that it should show.
pub(crate) fn write(graph: &Graph, random: Random, number: usize) -> Query {
    let mut generator = Generator::new(graph, random, WRITES[number % WRITES.len()]);
    let tree = generator.writing();
    Query { tree, parameters: generator.parameters }
}

const WRITES: [Construct; 5] =
    [Construct::Create, Construct::Merge, Construct::Set, Construct::Remove, Construct::Delete];

impl<'a> Generator<'a> {
    fn new(graph: &'a Graph, mut random: Random, focus: Construct) -> Self {
        let colons = focus != Construct::LabelExpression && random.chance(35);
        Self {
            graph,
            random,
            scope: Vec::new(),
            parameters: Properties::new(),
            focus,
            names: 0,
            colons,
            filters: false,
            hops: HOPS,
        }
    }

    /// Returns true in `percent` of 100 cases, or nearly always if the query should show the
    /// construct.
    fn wants(&mut self, construct: Construct, percent: usize) -> bool {
        let percent = if self.focus == construct { 85 } else { percent };
        self.random.chance(percent)
    }

    fn fresh(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn declare(&mut self, name: &str, kind: Kind, witness: Witness) {
        self.scope.push(Variable { name: name.to_owned(), kind, witness });
    }

    fn variables(&self, kind: Kind) -> Vec<Variable> {
        self.scope.iter().filter(|variable| variable.kind == kind).cloned().collect()
    }

    fn variable(&mut self, kind: Kind) -> Option<Variable> {
        let variables = self.variables(kind);
        self.random.pick(&variables).cloned()
    }

    /// Returns the value of a variable's property on the walk.
    fn witnessed(&self, variable: &Variable, property: &str) -> Option<Value> {
        let properties = match variable.witness {
            Witness::Node(place) => &self.graph.nodes.get(place)?.properties,
            Witness::Relationship(place) => &self.graph.relationships.get(place)?.properties,
            Witness::Unknown => return None,
        };
        Some(properties.get(property).cloned().unwrap_or_default())
    }

    /// Writes a value as a parameter or as a literal.
    fn value(&mut self, value: &Value) -> Tree {
        use crate::tree::expression;
        if self.wants(Construct::Parameter, 8) {
            let name = format!("p{}", self.parameters.len());
            self.parameters.insert(name.clone(), value.clone());
            return expression!("$", name).shows(Construct::Parameter);
        }
        expression!(crate::graph::literal(value))
    }
}
