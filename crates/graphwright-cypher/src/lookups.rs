//! By which properties a query looks up nodes and relationships: what an index could serve.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use graphwright_core::schema::Target;

use crate::source::{BlockKind, Keyword, Source};

/// A property by which a query looks up the nodes of a label or the relationships of a type. There is no value in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lookup {
    /// The label or type.
    pub target: Target,
    /// The property that is compared.
    pub property: String,
}

/// The properties that a query compares where it matches, by `=`, `<`, `>`, `IN` or `STARTS WITH`: those that a
/// property index can serve. Elements without a label or type have no index and are left out; so is text that is no Cypher.
///
/// ```
/// use graphwright_core::schema::Target;
/// use graphwright_cypher::lookups;
///
/// let found = lookups("MATCH (p:Person {name: $name})-->(c:Company) WHERE c.founded > 1990 RETURN c.size");
/// let found: Vec<_> = found.into_iter().map(|lookup| (lookup.target, lookup.property)).collect();
/// let label = |name: &str| Target::Label(name.to_owned());
/// assert_eq!(found, [(label("Company"), "founded".to_owned()), (label("Person"), "name".to_owned())]);
/// ```
pub fn lookups(text: &str) -> BTreeSet<Lookup> {
    let Ok(source) = Source::parse(text) else { return BTreeSet::new() };
    let mut reader = Reader { source: &source, targets: BTreeMap::new(), found: BTreeSet::new() };
    let mut conditional = Vec::new();
    for block in source.blocks() {
        if matches!(block.kind, BlockKind::Exists | BlockKind::Count) && block.clauses.is_empty() {
            reader.patterns(block.tokens.clone());
            conditional.push(block.tokens.clone());
        }
        for clause in &block.clauses {
            let has_conditions = matches!(clause.keyword, Keyword::Match | Keyword::OptionalMatch);
            if has_conditions || clause.keyword == Keyword::Merge {
                reader.patterns(clause.tokens.clone());
            }
            if has_conditions {
                conditional.push(clause.tokens.clone());
            }
        }
    }
    for place in conditional {
        reader.conditions(place);
    }
    reader.found
}

struct Reader<'a> {
    source: &'a Source<'a>,
    /// The labels or types of each variable.
    targets: BTreeMap<String, BTreeSet<Target>>,
    found: BTreeSet<Lookup>,
}

impl Reader<'_> {
    /// Reads the nodes and relationships that have labels or types.
    fn patterns(&mut self, place: Range<usize>) {
        for open in place {
            if self.source.is_symbol(open, "(") {
                self.element(open, Target::Label);
            } else if self.source.is_symbol(open, "[") {
                self.element(open, Target::RelationshipType);
            }
        }
    }

    fn element(&mut self, open: usize, target: fn(String) -> Target) {
        let source = self.source;
        let mut at = open + 1;
        let variable = source.name(at).filter(|_| source.is_name(at)).map(String::from);
        at += usize::from(variable.is_some());
        if !source.is_symbol(at, ":") {
            return;
        }
        let mut targets = BTreeSet::new();
        while source.is_any_symbol(at, &[":", "|", "&"]) {
            at += 1;
            // What is negated, bracketed or made from an expression names no label to look in.
            let Some(name) = source.name(at).filter(|_| source.is_name(at)) else { return };
            targets.insert(target(name.into_owned()));
            at += 1;
        }
        if source.is_symbol(at, "{") {
            for key in source.level(at + 1..source.partner(at)).filter(|&key| source.is_symbol(key + 1, ":"))
            {
                self.add(&targets, key);
            }
        }
        if let Some(variable) = variable {
            self.targets.entry(variable).or_default().extend(targets);
        }
    }

    /// Reads `variable.property` beside an operator that an index serves.
    fn conditions(&mut self, place: Range<usize>) {
        const COMPARES: [&str; 5] = ["=", "<", ">", "<=", ">="];
        let source = self.source;
        for variable in place {
            let property = variable + 2;
            if !source.is_symbol(variable + 1, ".")
                || source.before(variable, |dot| source.is_symbol(dot, "."))
            {
                continue;
            }
            let Some(targets) = source.name(variable).and_then(|name| self.targets.get(&*name)) else {
                continue;
            };
            let compares = source.is_any_symbol(property + 1, &COMPARES)
                || source.is_any_word(property + 1, &["IN", "STARTS"])
                || source.before(variable, |before| source.is_any_symbol(before, &COMPARES))
                    && !source.is_any_symbol(property + 1, &[".", "(", "["]);
            if compares {
                self.add(&targets.clone(), property);
            }
        }
    }

    fn add(&mut self, targets: &BTreeSet<Target>, property: usize) {
        let Some(name) = self.source.name(property) else { return };
        for target in targets {
            self.found.insert(Lookup { target: target.clone(), property: name.clone().into_owned() });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let found = lookups(text);
        let shown = found.iter().map(|lookup| match &lookup.target {
            Target::Label(label) => format!("(:{label}).{}", lookup.property),
            Target::RelationshipType(kind) => format!("[:{kind}].{}", lookup.property),
        });
        shown.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn comparisons_that_an_index_serves_are_found() {
        assert_eq!(
            shown("MATCH (n:A) WHERE n.x = 1 AND 2 < n.y AND n.z IN [1] RETURN n"),
            "(:A).x (:A).y (:A).z"
        );
        assert_eq!(shown("MATCH (n:A) WHERE n.`full name` STARTS WITH 'x' RETURN n"), "(:A).full name");
        assert_eq!(shown("MATCH ()-[r:R {since: 1}]->(:B WHERE true) RETURN r"), "[:R].since");
        assert_eq!(shown("MATCH (n:A|B {x: 1}) RETURN n"), "(:A).x (:B).x");
        assert_eq!(shown("MERGE (n:A {x: 1}) ON CREATE SET n.y = 2"), "(:A).x");
    }

    #[test]
    fn what_no_index_serves_is_left_out() {
        for text in [
            "MATCH (n:A) RETURN n.x = 1",
            "MATCH (n {x: 1}) RETURN n",
            "MATCH (n:!A {x: 1}) RETURN n",
            "MATCH (n:A) WHERE toLower(n.x) = 'a' RETURN n",
            "MATCH (n:A) WHERE n.x <> 1 OR n.x CONTAINS 'a' RETURN n",
            "MATCH (n:A) WITH n WHERE n.x = 1 RETURN n",
            "CREATE (n:A {x: 1})",
            "MATCH (n:A {x: ",
        ] {
            assert_eq!(shown(text), "", "{text}");
        }
    }

    #[test]
    fn subqueries_are_read_too() {
        let text = "MATCH (n:A) WHERE EXISTS { (n)-->(b:B {x: 1}) } AND COUNT { MATCH (c:C) WHERE c.y > 1 } > 2 RETURN n";
        assert_eq!(shown(text), "(:B).x (:C).y");
    }
}
