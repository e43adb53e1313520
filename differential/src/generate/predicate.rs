//! Predicates, most of them true on the walk.

use graphwright_core::Value;

use super::{Generator, Kind, Variable, Witness};
use crate::{
    construct::Construct,
    graph::{LABELS, TEXTS, TYPES, literal},
    tree::{Tree, expression},
};

impl Generator<'_> {
    /// Generates the predicate of a `WHERE`.
    pub(super) fn condition(&mut self, depth: usize) -> Tree {
        let outer = std::mem::replace(&mut self.filters, true);
        let predicate = self.predicate(depth);
        self.filters = outer;
        predicate
    }

    /// Generates a predicate over the variables in scope.
    pub(super) fn predicate(&mut self, depth: usize) -> Tree {
        if depth > 0 {
            if self.wants(Construct::And, 9) {
                let parts = (self.predicate(depth - 1), self.predicate(depth - 1));
                return expression!("(", parts.0, " AND ", parts.1, ")").shows(Construct::And);
            }
            if self.wants(Construct::Or, 9) {
                let parts = (self.predicate(depth - 1), self.predicate(depth - 1));
                return expression!("(", parts.0, " OR ", parts.1, ")").shows(Construct::Or);
            }
            if self.wants(Construct::Xor, 6) {
                let parts = (self.predicate(depth - 1), self.predicate(depth - 1));
                let word = if self.random.chance(65) { " XOR NOT " } else { " XOR " };
                return expression!("(", parts.0, word, parts.1, ")").shows(Construct::Xor);
            }
            if self.wants(Construct::Not, 7) {
                let part = match self.variable(Kind::Node) {
                    Some(node) if self.random.chance(60) => {
                        let property = self.random.word(&["v", "i", "s", "m"]);
                        let value = self.some_value();
                        expression!(node.name, ".", property, " = ", literal(&value))
                            .shows(Construct::Comparison)
                    }
                    _ => self.predicate(depth - 1),
                };
                return expression!("NOT (", part, ")").shows(Construct::Not);
            }
        }
        self.atom(depth)
    }

    fn atom(&mut self, depth: usize) -> Tree {
        if self.wants(Construct::NullPredicate, 10) {
            return self.null_predicate();
        }
        if self.wants(Construct::StringPredicate, 10) {
            return self.string_predicate();
        }
        if self.wants(Construct::In, 10) {
            return self.membership(depth);
        }
        if self.wants(Construct::LabelPredicate, 7)
            && let Some(predicate) = self.label_predicate()
        {
            return predicate;
        }
        if self.wants(Construct::ListPredicate, 5) {
            return self.list_predicate();
        }
        if self.wants(Construct::Exists, 6)
            && let Some(predicate) = self.exists()
        {
            return predicate;
        }
        if self.filters
            && self.wants(Construct::PatternPredicate, 5)
            && let Some(predicate) = self.pattern_predicate()
        {
            return predicate;
        }
        if self.random.chance(4)
            && let Some(predicate) = self.identity()
        {
            return predicate;
        }
        self.comparison(depth)
    }

    /// Returns a variable in scope and one of its properties.
    fn property(&mut self, names: &[&'static str], of: Kind) -> Option<(Variable, &'static str)> {
        let variable = self.variable(of)?;
        let name = self.random.word(names);
        Some((variable, name))
    }

    fn null_predicate(&mut self) -> Tree {
        let of = if self.random.chance(75) { Kind::Node } else { Kind::Relationship };
        let names: &[&'static str] = if of == Kind::Node {
            &["v", "s", "m", "name", "type", "d", "l", "x", "title"]
        } else {
            &["w", "k", "since"]
        };
        let Some((variable, name)) = self.property(names, of) else {
            return self.comparison(0);
        };
        let is_null = self.witnessed(&variable, name).is_none_or(|value| value.is_null());
        let is_null = is_null != self.random.chance(10);
        let word = if is_null { " IS NULL" } else { " IS NOT NULL" };
        expression!(variable.name, ".", name, word).shows(Construct::NullPredicate)
    }

    fn string_predicate(&mut self) -> Tree {
        let text = match self.property(&["s", "name", "s", "type"], Kind::Node) {
            Some((variable, name)) => {
                let witness = self.witnessed(&variable, name);
                (expression!(variable.name, ".", name), witness)
            }
            None => (self.text(1), None),
        };
        let pattern = match text.1 {
            Some(Value::String(whole)) if !whole.is_empty() && self.random.chance(85) => {
                let first: String = whole.chars().take(1).collect();
                let last: String = whole.chars().last().into_iter().collect();
                match self.random.below(4) {
                    0 => format!(" STARTS WITH {}", literal(&Value::from(first))),
                    1 => format!(" ENDS WITH {}", literal(&Value::from(last))),
                    2 => format!(" CONTAINS {}", literal(&Value::from(first))),
                    _ => format!(" =~ {}", literal(&Value::from(format!("{first}.*")))),
                }
            }
            _ => {
                let other = literal(&Value::from(self.random.word(&TEXTS)));
                format!(" {} {other}", self.random.word(&["STARTS WITH", "ENDS WITH", "CONTAINS"]))
            }
        };
        expression!(text.0, pattern).shows(Construct::StringPredicate)
    }

    fn membership(&mut self, depth: usize) -> Tree {
        if self.random.chance(30)
            && let Some(variable) = self.variable(Kind::Node)
        {
            let (list, item) = if self.random.chance(60) { ("l", "v") } else { ("ls", "s") };
            let witness = match self.witnessed(&variable, list) {
                Some(Value::List(items)) => items.first().cloned(),
                _ => None,
            };
            let item = match witness {
                Some(value) if self.random.chance(80) => self.value(&value),
                _ => expression!(variable.name.clone(), ".", item),
            };
            return expression!(item, " IN ", variable.name, ".", list).shows(Construct::In);
        }
        let (left, witness) = self.comparable(depth);
        let mut items: Vec<String> = Vec::new();
        if let Some(value) = witness.filter(|value| !value.is_null())
            && self.random.chance(85)
        {
            items.push(literal(&value));
        }
        for _ in 0..=self.random.below(3) {
            let value = self.some_value();
            items.push(literal(&value));
        }
        if self.random.chance(8) {
            items.push("null".to_owned());
        }
        let items = items.into_iter().map(|item| expression!(item)).collect();
        expression!(left, " IN [", Tree::list(", ", 0, items), "]").shows(Construct::In)
    }

    fn some_value(&mut self) -> Value {
        match self.random.below(3) {
            0 => Value::from(self.random.below(6)),
            1 => Value::from(self.random.word(&TEXTS)),
            _ => Value::from(self.random.below(4)),
        }
    }

    fn label_predicate(&mut self) -> Option<Tree> {
        if self.random.chance(12)
            && let Some(variable) = self.variable(Kind::Relationship)
        {
            let kind = self.random.word(&TYPES);
            return Some(expression!(variable.name, ":", kind).shows(Construct::LabelPredicate));
        }
        let variable = self.variable(Kind::Node)?;
        let text = match (&variable.witness, self.random.chance(65)) {
            (Witness::Node(place), true) => self.label(*place),
            (Witness::Node(place), false) if !self.colons => self.label_expression(*place),
            _ => self.random.word(&LABELS).to_owned(),
        };
        Some(expression!(variable.name, ":", text).shows(Construct::LabelPredicate))
    }

    fn list_predicate(&mut self) -> Tree {
        let list = self.integers(1);
        let name = self.fresh("x");
        let word = self.random.word(&["all", "any", "none", "single"]);
        let comparison = self.random.word(&["<", ">", "=", "<>", ">="]);
        let bound = self.random.below(5).to_string();
        expression!(word, "(", name.clone(), " IN ", list, " WHERE ", name, " ", comparison, " ", bound, ")")
            .shows(Construct::ListPredicate)
    }

    fn identity(&mut self) -> Option<Tree> {
        let of = if self.random.chance(70) { Kind::Node } else { Kind::Relationship };
        let variables = self.variables(of);
        let (left, right) = (self.random.pick(&variables)?.clone(), self.random.pick(&variables)?.clone());
        let word = if left.witness == right.witness { " = " } else { " <> " };
        Some(expression!(left.name, word, right.name).shows(Construct::Comparison))
    }

    fn comparison(&mut self, depth: usize) -> Tree {
        let (left, witness) = self.comparable(depth);
        let Some(value) = witness.filter(|value| !value.is_null() && self.random.chance(90)) else {
            return self.wild_comparison(left, depth);
        };
        let word = self.random.word(&[" = ", " = ", " <= ", " >= "]);
        let right = self.value(&value);
        if self.random.chance(15) {
            let word = match word {
                " <= " => " >= ",
                " >= " => " <= ",
                other => other,
            };
            return expression!(right, word, left).shows(Construct::Comparison);
        }
        expression!(left, word, right).shows(Construct::Comparison)
    }

    fn wild_comparison(&mut self, left: Tree, depth: usize) -> Tree {
        let word = self.random.word(&[" = ", " <> ", " < ", " > ", " <= ", " >= "]);
        let right = match self.random.below(4) {
            0 => self.integer(depth),
            1 => {
                let value = self.some_value();
                self.value(&value)
            }
            _ => self.comparable(depth).0,
        };
        // Neo4j fails if a count of relationships is compared with something that is no number. The
        // size of a pattern comprehension is such a count.
        let counts = |side: &Tree| ["COUNT {", "size([("].iter().any(|text| side.to_string().contains(text));
        let (left, right) = match [&left, &right].map(counts) {
            [true, _] => (left, expression!("1")),
            [false, true] => (expression!("1"), right),
            [false, false] => (left, right),
        };
        expression!(left, word, right).shows(Construct::Comparison)
    }

    /// Generates an expression to compare, and returns it with its value on the walk.
    fn comparable(&mut self, depth: usize) -> (Tree, Option<Value>) {
        if depth > 0 && self.random.chance(20) {
            let tree = if self.random.chance(60) { self.integer(depth) } else { self.text(depth) };
            return (tree, None);
        }
        if self.random.chance(20)
            && let Some((variable, name)) = self.property(&["w", "k", "e", "since"], Kind::Relationship)
        {
            let witness = self.witnessed(&variable, name);
            return (expression!(variable.name, ".", name), witness);
        }
        let names = ["i", "v", "v", "s", "s", "f", "t", "m", "m", "d", "dt", "name", "type", "l"];
        if let Some((variable, name)) = self.property(&names, Kind::Node) {
            let (name, witness) = match self.witnessed(&variable, name) {
                // Every node has an `i`. A missing property would make the comparison null.
                Some(Value::Null) if self.random.chance(75) => ("i", self.witnessed(&variable, "i")),
                witness => (name, witness),
            };
            return (expression!(variable.name, ".", name), witness);
        }
        for kind in [Kind::Integer, Kind::Text, Kind::Mixed, Kind::Number, Kind::Date] {
            if let Some(variable) = self.variable(kind) {
                return (expression!(variable.name), None);
            }
        }
        (self.integer(depth), None)
    }
}
