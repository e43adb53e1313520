//! Expressions, by the kind of their value.

use graphwright_core::Value;

use super::{Generator, Kind, Variable};
use crate::{
    construct::Construct,
    graph::TEXTS,
    tree::{Tree, expression, fixed},
};

impl Generator<'_> {
    fn property_of(&mut self, kind: Kind, name: &str) -> Option<Tree> {
        let variable = self.variable(kind)?;
        Some(expression!(variable.name, ".", name))
    }

    /// Generates an integer without operands.
    pub(super) fn leaf_integer(&mut self) -> Tree {
        let found = match self.random.below(6) {
            0 | 1 => self.property_of(Kind::Node, "v"),
            2 => self.property_of(Kind::Node, "i"),
            3 => self.property_of(Kind::Relationship, "w"),
            4 => self.variable(Kind::Integer).map(|variable| expression!(variable.name)),
            _ => None,
        };
        let literal = self.random.below(6).to_string();
        found.or_else(|| self.property_of(Kind::Node, "i")).unwrap_or_else(|| expression!(literal))
    }

    /// Generates an integer or null.
    pub(super) fn integer(&mut self, depth: usize) -> Tree {
        if depth == 0 {
            return self.leaf_integer();
        }
        let depth = depth - 1;
        if self.wants(Construct::Arithmetic, 12) {
            return self.arithmetic(depth).shows(Construct::Arithmetic);
        }
        if self.wants(Construct::NumberFunction, 5) {
            let word = self.random.word(&["abs", "sign", "toInteger"]);
            let part = self.integer(depth);
            return expression!(word, "(", part, ")").shows(Construct::NumberFunction);
        }
        if self.wants(Construct::Case, 8) {
            return self.case(Kind::Integer, depth);
        }
        if self.wants(Construct::Coalesce, 6) {
            let (part, other) = (self.integer(depth), self.leaf_integer());
            return expression!("coalesce(", part, ", ", other, ")").shows(Construct::Coalesce);
        }
        if self.wants(Construct::Reduce, 8) {
            let list = self.integers(depth);
            let (sum, item) = (self.fresh("a"), self.fresh("x"));
            let word = self.random.word(&[" + ", " - ", " + 2 * "]);
            return expression!(
                "reduce(",
                sum.clone(),
                " = 0, ",
                item.clone(),
                " IN ",
                list,
                " | ",
                sum,
                word,
                item,
                ")"
            )
            .shows(Construct::Reduce);
        }
        if self.wants(Construct::Count, 10)
            && let Some(count) = self.count()
        {
            return count;
        }
        if self.wants(Construct::ListAccess, 8) {
            // Neo4j gives null for the last item of a `COLLECT { }`.
            let list = if self.random.chance(50) { self.leaf_integers() } else { self.integers(depth) };
            let is_counted_back = !list.to_string().contains("COLLECT {") && self.random.chance(25);
            let place = if is_counted_back { "-1" } else { self.random.word(&["0", "1", "2"]) };
            return expression!(list, "[", place, "]").shows(Construct::ListAccess);
        }
        if self.wants(Construct::GraphFunction, 4)
            && let Some(path) = self.variable(Kind::Path)
        {
            return expression!("length(", path.name, ")").shows(Construct::GraphFunction);
        }
        if self.wants(Construct::TemporalFunction, 4) {
            let date = self.date();
            let word = self.random.word(&["year", "month", "day", "dayOfWeek", "quarter", "week"]);
            return expression!(date, ".", word).shows(Construct::TemporalFunction);
        }
        match self.random.below(6) {
            0 => {
                let text = self.text(depth);
                expression!("size(", text, ")").shows(Construct::StringFunction)
            }
            1 => {
                let list = self.integers(depth);
                let word = self.random.word(&["size", "head", "last"]);
                expression!(word, "(", list, ")").shows(Construct::ListFunction)
            }
            // In the condition of an OPTIONAL MATCH, Neo4j finds nothing if a pattern comprehension
            // is empty.
            2 if self.filters => self.leaf_integer(),
            2 => match self.pattern_comprehension() {
                Some(list) => expression!("size(", list, ")").shows(Construct::ListFunction),
                None => self.leaf_integer(),
            },
            3 => match self.variable(Kind::Relationships).or_else(|| self.variable(Kind::Bag)) {
                Some(list) => expression!("size(", list.name, ")").shows(Construct::ListFunction),
                None => self.leaf_integer(),
            },
            _ => self.leaf_integer(),
        }
    }

    fn arithmetic(&mut self, depth: usize) -> Tree {
        let left = self.integer(depth);
        match self.random.below(6) {
            0 => expression!("(", left, " / ", ["2", "3", "-2"][self.random.below(3)], ")"),
            1 => expression!("(", left, " % ", ["2", "3", "-3"][self.random.below(3)], ")"),
            2 => expression!("(-", left, ")"),
            word => {
                let right = self.integer(depth);
                expression!("(", left, [" + ", " - ", " * "][word - 3], right, ")")
            }
        }
    }

    /// Generates a number, mostly a float.
    pub(super) fn number(&mut self, depth: usize) -> Tree {
        let leaf = match self.property_of(Kind::Node, "f") {
            Some(leaf) if self.random.chance(80) => leaf,
            _ => expression!(["0.5", "2.5", "-1.5"][self.random.below(3)]),
        };
        match self.random.below(5) {
            0 if depth > 0 => {
                let word = self.random.word(&["abs", "ceil", "floor", "round", "sign", "exp", "toFloat"]);
                expression!(word, "(", leaf, ")").shows(Construct::NumberFunction)
            }
            1 if depth > 0 => {
                let other = self.integer(depth - 1);
                let word = self.random.word(&[" + ", " - ", " * "]);
                expression!("(", leaf, word, other, ")").shows(Construct::Arithmetic)
            }
            2 if depth > 0 => {
                let part = self.integer(depth - 1);
                expression!("sqrt(abs(", part, "))").shows(Construct::NumberFunction)
            }
            3 if depth > 0 => {
                let part = self.integer(depth - 1);
                expression!("toFloat(", part, ")").shows(Construct::NumberFunction)
            }
            _ => leaf,
        }
    }

    /// Generates a text or null.
    pub(super) fn text(&mut self, depth: usize) -> Tree {
        let leaf = self.leaf_text();
        if depth == 0 {
            return leaf;
        }
        let depth = depth - 1;
        if self.wants(Construct::GraphFunction, 8)
            && let Some(relationship) = self.variable(Kind::Relationship)
        {
            return expression!("type(", relationship.name, ")").shows(Construct::GraphFunction);
        }
        if self.wants(Construct::Case, 6) {
            return self.case(Kind::Text, depth);
        }
        if self.wants(Construct::Coalesce, 5) {
            let other = self.leaf_text();
            return expression!("coalesce(", leaf, ", ", other, ")").shows(Construct::Coalesce);
        }
        if !self.wants(Construct::StringFunction, 30) {
            return leaf;
        }
        let tree = match self.random.below(8) {
            0 => {
                let word = self.random.word(&["toUpper", "toLower", "trim", "ltrim", "rtrim"]);
                let part = self.text(depth);
                expression!(word, "(", part, ")")
            }
            1 => expression!("substring(", leaf, ", ", ["0", "1"][self.random.below(2)], ", 2)"),
            2 => expression!(["left(", "right("][self.random.below(2)], leaf, ", 1)"),
            3 => expression!("replace(", leaf, ", 'b', 'zz')"),
            4 => expression!("split(", leaf, ", 'b')[0]"),
            5 => {
                let part = self.integer(depth);
                expression!("toString(", part, ")")
            }
            6 => {
                let part = self.text(depth);
                expression!("(", leaf, " + ", part, ")")
            }
            _ => {
                let date = self.date();
                expression!("toString(", date, ")")
            }
        };
        tree.shows(Construct::StringFunction)
    }

    fn leaf_text(&mut self) -> Tree {
        let found = match self.random.below(6) {
            0 | 1 => self.property_of(Kind::Node, "s"),
            2 => self.property_of(Kind::Node, "name"),
            3 => self.property_of(Kind::Relationship, "k"),
            4 => self.variable(Kind::Text).map(|variable| expression!(variable.name)),
            _ => self.property_of(Kind::Node, "type"),
        };
        let text = Value::from(self.random.word(&TEXTS));
        found.unwrap_or_else(|| self.value(&text))
    }

    /// Generates a date or null.
    pub(super) fn date(&mut self) -> Tree {
        let leaf = match self.property_of(Kind::Node, "d") {
            Some(leaf) if self.random.chance(85) => leaf,
            _ => expression!("date('2020-02-29')"),
        };
        match self.random.below(8) {
            0 => expression!("(", leaf, " + duration({months: 1}))").shows(Construct::TemporalFunction),
            1 => expression!("(", leaf, " - duration('P1D'))").shows(Construct::TemporalFunction),
            2 => {
                let unit = self.random.word(&["month", "year", "week", "quarter"]);
                // Neo4j fails if there is no date to truncate.
                expression!("date.truncate('", unit, "', coalesce(", leaf, ", date('2020-02-29')))")
                    .shows(Construct::TemporalFunction)
            }
            _ => leaf,
        }
    }

    /// Generates a list of integers in an order that Cypher defines, or null.
    pub(super) fn integers(&mut self, depth: usize) -> Tree {
        if depth == 0 {
            return self.leaf_integers();
        }
        let depth = depth - 1;
        if self.wants(Construct::ListComprehension, 18) {
            return self.list_comprehension(depth);
        }
        if self.wants(Construct::Collect, 6)
            && let Some(list) = self.collect(true)
        {
            return list;
        }
        if self.wants(Construct::ListAccess, 9) {
            let list = self.leaf_integers();
            let slice = self.random.word(&["[0..2]", "[1..]", "[..2]", "[-2..]"]);
            return expression!(list, slice).shows(Construct::ListAccess);
        }
        if self.wants(Construct::GraphFunction, 6)
            && let Some(path) = self.variable(Kind::Path)
        {
            let name = self.fresh("x");
            let (word, property) =
                if self.random.chance(70) { ("nodes(", "i") } else { ("relationships(", "e") };
            return expression!("[", name.clone(), " IN ", word, path.name, ") | ", name, ".", property, "]")
                .shows(Construct::GraphFunction);
        }
        if self.random.chance(20)
            && let Some(list) = self.variable(Kind::Relationships)
        {
            let name = self.fresh("x");
            return expression!("[", name.clone(), " IN ", list.name, " | ", name, ".e]")
                .shows(Construct::ListComprehension);
        }
        match self.random.below(5) {
            0 => {
                let list = self.leaf_integers();
                // Neo4j 5 fails on `reverse(null)`, which its manual defines as null.
                let call = self.random.word(&["tail(", "reverse([0] + "]);
                expression!(call, list, ")").shows(Construct::ListFunction)
            }
            1 => {
                let (list, mut other) = (self.leaf_integers(), self.leaf_integers());
                // Neo4j takes `[a.i] + [b.i]` for a list of booleans.
                if [&list, &other].iter().all(|side| side.to_string().starts_with('[')) {
                    other = expression!("[1, 2]");
                }
                expression!("(", list, " + ", other, ")").shows(Construct::ListFunction)
            }
            2 => {
                let bound = self.random.below(5).to_string();
                expression!("range(0, ", bound, ")").shows(Construct::ListFunction)
            }
            _ => self.leaf_integers(),
        }
    }

    fn leaf_integers(&mut self) -> Tree {
        if let Some(variable) = self.variable(Kind::Integers)
            && self.random.chance(40)
        {
            return expression!(variable.name);
        }
        if self.random.chance(65)
            && let Some(list) = self.property_of(Kind::Node, "l")
        {
            return list;
        }
        let items = (0..self.random.below(4)).map(|_| self.leaf_integer()).collect();
        expression!("[", Tree::list(", ", 0, items), "]")
    }

    fn list_comprehension(&mut self, depth: usize) -> Tree {
        let list = self.integers(depth);
        let name = self.fresh("x");
        let filter = match self.random.below(4) {
            0 => fixed!(),
            1 => fixed!(" WHERE ", name.clone(), " % 2 = 0"),
            _ => {
                let word = self.random.word(&[" > ", " <> ", " <= "]);
                let bound = self.leaf_integer();
                fixed!(" WHERE ", name.clone(), word, bound)
            }
        };
        let item = match self.random.below(3) {
            0 => fixed!(),
            1 => fixed!(" | ", name.clone(), " * 2"),
            _ => {
                let other = self.leaf_integer();
                fixed!(" | ", name.clone(), " + ", other)
            }
        };
        expression!("[", name, " IN ", list, filter, item, "]").shows(Construct::ListComprehension)
    }

    fn case(&mut self, kind: Kind, depth: usize) -> Tree {
        let (first, second) = match kind {
            Kind::Text => (self.text(depth), self.text(depth)),
            _ => (self.integer(depth), self.integer(depth)),
        };
        let tree = if self.random.chance(65) {
            let predicate = self.predicate(0);
            let rest = if self.random.chance(80) { fixed!(" ELSE ", second) } else { fixed!() };
            expression!("CASE WHEN ", predicate, " THEN ", first, rest, " END")
        } else {
            let (subject, value) = (self.leaf_integer(), self.random.below(5).to_string());
            expression!("CASE ", subject, " WHEN ", value, " THEN ", first, " ELSE ", second, " END")
        };
        tree.shows(Construct::Case)
    }

    /// Generates a map projection of a node.
    pub(super) fn map_projection(&mut self, node: &Variable) -> Tree {
        let mut members = Vec::new();
        if self.random.chance(25) {
            members.push(fixed!(".*"));
        } else {
            for name in ["i", "v", "name", "type", "s", "x"] {
                if self.random.chance(40) {
                    members.push(fixed!(".", name));
                }
            }
        }
        // On Neo4j `n {x: m.i}` is null if an optional `m` is, unless a property of `n` stands
        // beside it.
        if members.is_empty() {
            members.push(fixed!(".i"));
        }
        if self.random.chance(50) {
            let value = self.integer(1);
            members.push(fixed!("extra: ", value));
        }
        if self.random.chance(20)
            && let Some(list) = self.pattern_comprehension()
        {
            members.push(fixed!("bag: ", list));
        }
        expression!(node.name.clone(), " {", Tree::list(", ", 1, members), "}")
            .shows(Construct::MapProjection)
    }
}
