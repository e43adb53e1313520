//! Types of values, as in `x IS :: LIST<INTEGER NOT NULL>`.

use graphwright_core::Span;

/// A type of values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueType {
    /// The kind of type.
    pub kind: TypeKind,
    /// Whether null is excluded.
    pub not_null: bool,
    /// The bytes that it covers in the text.
    pub span: Span,
}

/// The kinds of types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeKind {
    /// A type by its name in Neo4j 5, as `ZONED DATETIME`.
    Named(&'static str),
    /// `LIST<…>`
    List(Box<ValueType>),
    /// `A | B`
    Union(Vec<ValueType>),
}

/// The words of each type's name and the name that is printed; synonyms come before the printed
/// name.
///
/// Source: the section "Types and their synonyms" of the Neo4j 5 Cypher manual.
pub(crate) const TYPE_NAMES: &[(&[&str], &str)] = &[
    (&["ANY", "PROPERTY", "VALUE"], "PROPERTY VALUE"),
    (&["PROPERTY", "VALUE"], "PROPERTY VALUE"),
    (&["ANY", "NODE"], "NODE"),
    (&["ANY", "VERTEX"], "NODE"),
    (&["ANY", "RELATIONSHIP"], "RELATIONSHIP"),
    (&["ANY", "EDGE"], "RELATIONSHIP"),
    (&["ANY", "MAP"], "MAP"),
    (&["ANY", "VALUE"], "ANY"),
    (&["ANY"], "ANY"),
    (&["BOOLEAN"], "BOOLEAN"),
    (&["BOOL"], "BOOLEAN"),
    (&["STRING"], "STRING"),
    (&["VARCHAR"], "STRING"),
    (&["SIGNED", "INTEGER"], "INTEGER"),
    (&["INTEGER"], "INTEGER"),
    (&["INT"], "INTEGER"),
    (&["FLOAT"], "FLOAT"),
    (&["DATE"], "DATE"),
    (&["LOCAL", "TIME"], "LOCAL TIME"),
    (&["TIME", "WITHOUT", "TIME", "ZONE"], "LOCAL TIME"),
    (&["TIME", "WITHOUT", "TIMEZONE"], "LOCAL TIME"),
    (&["ZONED", "TIME"], "ZONED TIME"),
    (&["TIME", "WITH", "TIME", "ZONE"], "ZONED TIME"),
    (&["TIME", "WITH", "TIMEZONE"], "ZONED TIME"),
    (&["LOCAL", "DATETIME"], "LOCAL DATETIME"),
    (&["TIMESTAMP", "WITHOUT", "TIME", "ZONE"], "LOCAL DATETIME"),
    (&["TIMESTAMP", "WITHOUT", "TIMEZONE"], "LOCAL DATETIME"),
    (&["ZONED", "DATETIME"], "ZONED DATETIME"),
    (&["TIMESTAMP", "WITH", "TIME", "ZONE"], "ZONED DATETIME"),
    (&["TIMESTAMP", "WITH", "TIMEZONE"], "ZONED DATETIME"),
    (&["DURATION"], "DURATION"),
    (&["POINT"], "POINT"),
    (&["NODE"], "NODE"),
    (&["VERTEX"], "NODE"),
    (&["RELATIONSHIP"], "RELATIONSHIP"),
    (&["EDGE"], "RELATIONSHIP"),
    (&["MAP"], "MAP"),
    (&["PATH"], "PATH"),
    (&["NOTHING"], "NOTHING"),
    (&["NULL"], "NULL"),
];
