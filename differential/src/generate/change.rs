//! Queries that write. What they write does not depend on the order of rows.

use graphwright_core::Value;

use super::{Generator, Kind, Variable, Witness};
use crate::{
    construct::Construct,
    graph::{LABELS, TEXTS, TYPES, literal},
    tree::{Tree, fixed, optional},
};

impl Generator<'_> {
    pub(super) fn writing(&mut self) -> Tree {
        let mut clauses = Vec::new();
        self.hops = 2;
        let is_alone = [Construct::Create, Construct::Merge].contains(&self.focus) && self.random.chance(25);
        if !is_alone {
            clauses.push(self.matching(2));
        } else if self.random.chance(40) {
            let name = self.fresh("x");
            clauses.push(fixed!(format!("UNWIND [1, 2, 2] AS {name}")));
            self.declare(&name, Kind::Integer, Witness::Unknown);
        }
        let mut deletes = false;
        for construct in [Construct::Create, Construct::Merge, Construct::Set, Construct::Remove] {
            if self.wants(construct, 15) {
                clauses.push(self.change(construct).shows(construct));
            }
        }
        if self.wants(Construct::Delete, 18) {
            clauses.extend(self.delete());
            deletes = true;
        }
        if clauses.len() < 2 || clauses.len() == 1 + usize::from(!is_alone) && !deletes {
            // Neo4j may run two SETs row by row, so that the order of rows would show.
            let other = if self.focus == Construct::Set { Construct::Create } else { self.focus };
            clauses.push(self.change(other).shows(other));
        }
        let counts = self.random.chance(50) && !deletes;
        let end = if counts { optional!("RETURN count(*) AS c0") } else { Tree::empty() };
        clauses.push(end);
        Tree::list(" ", 1, clauses)
    }

    fn change(&mut self, construct: Construct) -> Tree {
        match construct {
            Construct::Merge => self.merge().shows(Construct::Merge),
            Construct::Set => self.set().shows(Construct::Set),
            Construct::Remove => self.remove().shows(Construct::Remove),
            _ => self.create().shows(Construct::Create),
        }
    }

    /// Generates the properties of a new element.
    fn new_properties(&mut self) -> Tree {
        let mut members = Vec::new();
        for name in ["v", "s", "fresh", "name"] {
            if self.random.chance(40) {
                let value = match name {
                    "v" => self.leaf_integer(),
                    "fresh" => fixed!(["1", "true", "date('2020-01-01')", "[1, 2]"][self.random.below(4)]),
                    _ => {
                        let text = Value::from(self.random.word(&TEXTS));
                        self.value(&text)
                    }
                };
                members.push(fixed!(name, ": ", value));
            }
        }
        fixed!(" {", Tree::list(", ", 0, members), "}")
    }

    fn new_node(&mut self) -> Tree {
        let (first, second) = (self.random.word(&LABELS), self.random.word(&["E", "B", "A"]));
        let labels = match self.random.below(5) {
            0 => String::new(),
            1 if first != second && self.colons => format!(":{first}:{second}"),
            2 => ":E".to_owned(),
            _ => format!(":{first}"),
        };
        let properties = self.new_properties();
        fixed!("(", labels, properties, ")")
    }

    fn new_relationship(&mut self) -> Tree {
        let kind = self.random.word(&[TYPES[0], TYPES[1], "U"]);
        let properties = match self.random.below(3) {
            0 => format!(" {{w: {}}}", self.random.below(4)),
            1 => format!(" {{k: {}}}", literal(&Value::from(self.random.word(&TEXTS)))),
            _ => String::new(),
        };
        if self.random.chance(60) {
            fixed!("-[:", kind, properties, "]->")
        } else {
            fixed!("<-[:", kind, properties, "]-")
        }
    }

    fn create(&mut self) -> Tree {
        let bound = self.variable(Kind::Node);
        let pattern = match bound {
            Some(node) if self.random.chance(75) => {
                let relationship = self.new_relationship();
                let end = match self.variable(Kind::Node) {
                    Some(other) if self.random.chance(50) => fixed!("(", other.name, ")"),
                    _ => self.new_node(),
                };
                fixed!("(", node.name, ")", relationship, end)
            }
            _ => {
                let node = self.new_node();
                let rest = if self.random.chance(40) {
                    let (relationship, end) = (self.new_relationship(), self.new_node());
                    optional!(relationship, end)
                } else {
                    Tree::empty()
                };
                fixed!(node, rest)
            }
        };
        fixed!("CREATE ", pattern)
    }

    fn merge(&mut self) -> Tree {
        let nodes = self.variables(Kind::Node);
        let name = self.fresh("m");
        let pattern = match (self.random.pick(&nodes).cloned(), self.random.pick(&nodes).cloned()) {
            (Some(from), Some(to)) if self.random.chance(60) => {
                let kind = self.random.word(&TYPES);
                let properties = if self.random.chance(30) {
                    format!(" {{w: {}}}", self.random.below(4))
                } else {
                    String::new()
                };
                fixed!("(", from.name, ")-[", name.clone(), ":", kind, properties, "]->(", to.name, ")")
            }
            _ => {
                let label = self.random.word(&["A", "B", "E", if self.colons { "A:B" } else { "C" }]);
                let property = match self.variable(Kind::Integer) {
                    Some(value) if self.random.chance(60) => format!("v: {}", value.name),
                    _ => {
                        let text = Value::from(self.random.word(&TEXTS));
                        [format!("v: {}", self.random.below(6)), format!("s: {}", literal(&text))]
                            [self.random.below(2)]
                        .clone()
                    }
                };
                fixed!("(", name.clone(), ":", label, " {", property, "})")
            }
        };
        let mut actions = Tree::empty();
        if self.random.chance(40) {
            actions = optional!(" ON CREATE SET ", name.clone(), ".made = true");
        }
        if self.random.chance(40) {
            actions = fixed!(actions, optional!(" ON MATCH SET ", name.clone(), ".found = true"));
        }
        fixed!("MERGE ", pattern, actions)
    }

    fn element(&mut self) -> Option<(Variable, bool)> {
        if self.random.chance(25)
            && let Some(relationship) = self.variable(Kind::Relationship)
        {
            return Some((relationship, false));
        }
        self.variable(Kind::Node).map(|node| (node, true))
    }

    fn set(&mut self) -> Tree {
        let Some((element, is_node)) = self.element() else {
            return self.create().shows(Construct::Create);
        };
        let name = element.name;
        let own = if is_node { "v" } else { "w" };
        let text = literal(&Value::from(self.random.word(&TEXTS)));
        let item = match self.random.below(9) {
            0 => format!("{name}.{own} = {name}.{own} + 1"),
            1 => format!("{name}.fresh = {text}"),
            2 => format!("{name}.s = null"),
            3 => format!("{name} += {{s: {text}, {own}: null, fresh: 1.5}}"),
            4 if is_node => format!("{name}:{}", self.random.word(&["A", "B", "E", "E:F"])),
            5 => format!("{name} = {{i: {name}.i, e: {name}.e, only: {text}}}"),
            6 => format!("{name}.copy = {name}.{own}"),
            7 => format!("{name}.when = date('2021-02-03'), {name}.list = [1, 2]"),
            _ => format!("{name}.name = {text}, {name}.type = 'x'"),
        };
        fixed!("SET ", item)
    }

    fn remove(&mut self) -> Tree {
        let Some((element, is_node)) = self.element() else {
            return self.create().shows(Construct::Create);
        };
        if is_node
            && self.random.chance(30)
            && let Witness::Node(place) = element.witness
            && let Some(label) = self.graph.nodes.get(place).and_then(|node| node.labels.get(1)).cloned()
        {
            return fixed!("REMOVE ", element.name, ":", label);
        }
        let property = if is_node {
            self.random.word(&["v", "s", "name", "m", "nothing", "d"])
        } else {
            self.random.word(&["w", "k"])
        };
        fixed!("REMOVE ", element.name, ".", property)
    }

    fn delete(&mut self) -> Vec<Tree> {
        let delete = match self.element() {
            Some((relationship, false)) => fixed!("DELETE ", relationship.name),
            // Neo4j deletes while it matches `()-[:R]-(n)`, so that nodes whose relationships went
            // with others stay. A sort collects all rows before the first is deleted.
            Some((Variable { name, .. }, true)) if self.random.chance(85) => {
                fixed!("WITH ", name.clone(), " ORDER BY ", name.clone(), ".i DETACH DELETE ", name)
            }
            Some((node, true)) => fixed!("DELETE ", node.name),
            None => return Vec::new(),
        };
        vec![delete.shows(Construct::Delete)]
    }
}
