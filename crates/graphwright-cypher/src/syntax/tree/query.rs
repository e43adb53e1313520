//! Statements and queries.

use graphwright_core::Span;

use super::{Clause, Name};

/// All statements of a text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tree {
    /// The statements, in order.
    pub statements: Vec<Statement>,
}

/// One statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// `EXPLAIN`, `PROFILE`, `CYPHER …` before it.
    pub prefixes: Vec<Prefix>,
    /// What it does.
    pub body: StatementBody,
    /// Where it stands.
    pub span: Span,
}

/// What stands before a query and tells how to run it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prefix {
    /// Which.
    pub kind: PrefixKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of prefixes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PrefixKind {
    /// `EXPLAIN`: the plan, nothing runs.
    Explain,
    /// `PROFILE`: runs, with the plan.
    Profile,
    /// `CYPHER 5 runtime = slotted`.
    Options {
        /// The version, as it is written.
        version: Option<Box<str>>,
        /// Names and values.
        settings: Vec<(Name, Name)>,
    },
}

/// What a statement does.
#[derive(Clone, Debug, PartialEq)]
pub enum StatementBody {
    /// It reads or changes the graph.
    Query(Query),
    /// It is about the schema, databases or rights.
    Command(Command),
}

/// A schema or administration command, known by name only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// Its first words in capitals, as `CREATE INDEX`.
    pub name: Box<str>,
    /// The whole as it is written.
    pub text: Box<str>,
    /// Where it stands.
    pub span: Span,
}

/// Single queries that `UNION` joins; mostly one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Query {
    /// The first part.
    pub first: SingleQuery,
    /// The others.
    pub unions: Vec<Union>,
    /// Where it stands.
    pub span: Span,
}

impl Query {
    /// All its parts.
    pub fn parts(&self) -> impl Iterator<Item = &SingleQuery> {
        std::iter::once(&self.first).chain(self.unions.iter().map(|union| &union.query))
    }

    /// All its parts, to change them.
    pub fn parts_mut(&mut self) -> impl Iterator<Item = &mut SingleQuery> {
        std::iter::once(&mut self.first).chain(self.unions.iter_mut().map(|union| &mut union.query))
    }
}

/// `UNION` and the query behind it.
#[derive(Clone, Debug, PartialEq)]
pub struct Union {
    /// Whether equal rows are kept.
    pub all: bool,
    /// The query.
    pub query: SingleQuery,
    /// Where it stands.
    pub span: Span,
}

/// Clauses that feed each other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SingleQuery {
    /// The clauses, in order.
    pub clauses: Vec<Clause>,
    /// Where it stands.
    pub span: Span,
}
