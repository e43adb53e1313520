//! Statements and queries.

use graphwright_core::Span;

use super::{Clause, Name};

/// The statements of a text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tree {
    /// The statements, in order.
    pub statements: Vec<Statement>,
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// The `EXPLAIN`, `PROFILE` and `CYPHER …` before the statement.
    pub prefixes: Vec<Prefix>,
    /// The query or command.
    pub body: StatementBody,
    /// The bytes that it covers in the text.
    pub span: Span,
}

/// A prefix that tells how to run a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prefix {
    /// The kind of prefix.
    pub kind: PrefixKind,
    /// The bytes that it covers in the text.
    pub span: Span,
}

/// The kinds of prefixes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PrefixKind {
    /// `EXPLAIN`: shows the plan and runs nothing.
    Explain,
    /// `PROFILE`: runs the query and shows the plan.
    Profile,
    /// `CYPHER 5 runtime = slotted`.
    Options {
        /// The version, as written.
        version: Option<Box<str>>,
        /// The settings: names and values.
        settings: Vec<(Name, Name)>,
    },
}

/// The body of a statement.
#[derive(Clone, Debug, PartialEq)]
pub enum StatementBody {
    /// A query, which reads or changes the graph.
    Query(Query),
    /// A command about the schema, databases or rights.
    Command(Command),
}

/// A schema or administration command, known by name only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The first words in capitals, as `CREATE INDEX`.
    pub name: Box<str>,
    /// The whole command, as written.
    pub text: Box<str>,
    /// The bytes that it covers in the text.
    pub span: Span,
}

/// A query: one part, or several that `UNION` joins.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Query {
    /// The first part.
    pub first: SingleQuery,
    /// The parts behind `UNION`, in order.
    pub unions: Vec<Union>,
    /// The bytes that it covers in the text.
    pub span: Span,
}

impl Query {
    /// Returns all parts, in order.
    pub fn parts(&self) -> impl Iterator<Item = &SingleQuery> {
        std::iter::once(&self.first).chain(self.unions.iter().map(|union| &union.query))
    }

    /// All its parts, to change them.
    pub fn parts_mut(&mut self) -> impl Iterator<Item = &mut SingleQuery> {
        std::iter::once(&mut self.first).chain(self.unions.iter_mut().map(|union| &mut union.query))
    }
}

/// A `UNION` and the query behind it.
#[derive(Clone, Debug, PartialEq)]
pub struct Union {
    /// Whether equal rows are kept: `UNION ALL`.
    pub all: bool,
    /// The query.
    pub query: SingleQuery,
    /// The bytes that it covers in the text.
    pub span: Span,
}

/// A sequence of clauses, each of which feeds the next.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SingleQuery {
    /// The clauses, in order.
    pub clauses: Vec<Clause>,
    /// The bytes that it covers in the text.
    pub span: Span,
}
