//! Parses the schema commands of scripts: `CREATE CONSTRAINT … IS UNIQUE` and `CREATE INDEX …`.
//!
//! They are run through the store's own functions, since the gate lets no schema command through.

use graphwright_core::schema::{Constraint, Index, IndexKind, Similarity, Target};
use graphwright_cypher::lexer::{Token, TokenKind};

/// A schema command.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Command {
    Constraint(Constraint),
    Indexes(Vec<Index>),
    /// A command without an equivalent here that changes no data. Holds the reason.
    Ignored(String),
    /// Waits for indexes. Ours are ready when they are created.
    Nothing,
}

/// Parses a schema command.
///
/// Returns `None` if the statement is not one, and an error if it cannot be run.
pub(super) fn command(text: &str, tokens: &[Token]) -> Option<Result<Command, String>> {
    let words = Words { text, tokens };
    if words.is(0, "CALL") && words.is(1, "db") && (words.is(3, "awaitIndexes") || words.is(3, "awaitIndex"))
    {
        return Some(Ok(Command::Nothing));
    }
    if words.is(0, "DROP") && (words.is(1, "CONSTRAINT") || words.is(1, "INDEX")) {
        return Some(Err("a script that is imported may not drop constraints or indexes".to_owned()));
    }
    if !words.is(0, "CREATE") {
        return None;
    }
    let at = words.find(&["CONSTRAINT", "INDEX"], 1).filter(|&at| at <= 3)?;
    // `CREATE (:INDEX)` makes a node: before the word of a schema command stand only words.
    let between = tokens.get(1..at).unwrap_or_default();
    if between.iter().any(|token| token.kind != TokenKind::Word && token.kind != TokenKind::QuotedName) {
        return None;
    }
    Some(if words.is(at, "CONSTRAINT") { words.constraint(at) } else { words.index(at) })
}

struct Words<'a> {
    text: &'a str,
    tokens: &'a [Token],
}

impl Words<'_> {
    fn is(&self, index: usize, word: &str) -> bool {
        self.tokens.get(index).is_some_and(|token| token.is_word(self.text, word))
    }

    fn is_symbol(&self, index: usize, symbol: &str) -> bool {
        self.tokens.get(index).is_some_and(|token| token.is_symbol(symbol))
    }

    fn name(&self, index: usize) -> Option<String> {
        self.tokens.get(index).and_then(|token| token.name(self.text)).map(std::borrow::Cow::into_owned)
    }

    fn find(&self, words: &[&str], from: usize) -> Option<usize> {
        (from..self.tokens.len()).find(|&index| words.iter().any(|word| self.is(index, word)))
    }

    /// Returns the name between the command's word and `IF`, `FOR` or `ON`; empty if there is none.
    fn own_name(&self, at: usize) -> String {
        let has_none = ["IF", "FOR", "ON"].iter().any(|word| self.is(at + 1, word));
        if has_none { String::new() } else { self.name(at + 1).unwrap_or_default() }
    }

    fn constraint(&self, at: usize) -> Result<Command, String> {
        let begin = self.find(&["FOR", "ON"], at).ok_or("the constraint does not say what for")?;
        let middle = self.find(&["REQUIRE", "ASSERT"], begin).ok_or("the constraint requires nothing")?;
        let is = self.find(&["IS"], middle).ok_or("the constraint does not say what is required")?;
        let target = self.targets(begin, middle)?;
        let unique = (is..self.tokens.len()).any(|index| self.is(index, "UNIQUE") || self.is(index, "KEY"));
        match target.as_slice() {
            [Target::Label(label)] if unique => Ok(Command::Constraint(Constraint {
                name: self.own_name(at),
                label: label.clone(),
                properties: self.properties(middle, is),
            })),
            _ => Ok(Command::Ignored("only uniqueness of nodes is kept as a constraint".to_owned())),
        }
    }

    fn index(&self, at: usize) -> Result<Command, String> {
        let begin = self.find(&["FOR"], at).ok_or("the index does not say what for")?;
        let on = self.find(&["ON"], begin).ok_or("the index does not say on which properties")?;
        let end = self.find(&["OPTIONS"], on).unwrap_or(self.tokens.len());
        let has = |word: &str| (1..at).any(|index| self.is(index, word));
        if has("LOOKUP") {
            return Ok(Command::Ignored("label lookups need no index here".to_owned()));
        }
        let kind = if has("FULLTEXT") {
            IndexKind::FullText
        } else if has("VECTOR") {
            self.vector_kind(end)?
        } else {
            IndexKind::Property
        };
        let properties = self.properties(on, end);
        let targets = self.targets(begin, on)?;
        let single = targets.len() == 1;
        let make = |target| Index {
            name: if single { self.own_name(at) } else { String::new() },
            target,
            properties: properties.clone(),
            kind,
        };
        Ok(Command::Indexes(targets.into_iter().map(make).collect()))
    }

    fn vector_kind(&self, options: usize) -> Result<IndexKind, String> {
        let option = |name: &str| {
            let at = (options..self.tokens.len()).find(|&index| self.name(index).as_deref() == Some(name))?;
            self.tokens.get(at + 2).map(|token| token.text(self.text))
        };
        let dimensions = option("vector.dimensions").and_then(|number| number.parse().ok());
        let is_euclidean = option("vector.similarity_function")
            .is_some_and(|name| name.trim_matches(['\'', '"']).eq_ignore_ascii_case("euclidean"));
        let similarity = if is_euclidean { Similarity::Euclidean } else { Similarity::Cosine };
        let dimensions = dimensions.ok_or("the vector index does not say how many dimensions it has")?;
        Ok(IndexKind::Vector { dimensions, similarity })
    }

    /// Returns the labels of `(n:A|B)`, or the types of `()-[r:A|B]-()`.
    fn targets(&self, from: usize, to: usize) -> Result<Vec<Target>, String> {
        let colon =
            (from..to).find(|&index| self.is_symbol(index, ":")).ok_or("it names no label and no type")?;
        let is_relationship = (from..colon).any(|index| self.is_symbol(index, "["));
        let mut targets = Vec::new();
        let mut at = colon;
        while at == colon || self.is_symbol(at, "|") {
            let name = self.name(at + 1).ok_or("it names no label and no type")?;
            targets.push(if is_relationship { Target::RelationshipType(name) } else { Target::Label(name) });
            at += 2;
        }
        Ok(targets)
    }

    /// Returns the names after points: `n.a`, `(n.a, n.b)`, `EACH [n.a]`.
    fn properties(&self, from: usize, to: usize) -> Vec<String> {
        (from..to)
            .filter(|&index| self.is_symbol(index, "."))
            .filter_map(|point| self.name(point + 1))
            .collect()
    }
}
