//! Patterns of paths.

use graphwright_core::Span;

use super::{Expression, Name};

/// A path of a pattern.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    /// The variable of the path.
    pub variable: Option<Name>,
    /// The selector among the matching paths, if written.
    pub selector: Option<Selector>,
    /// The `shortestPath(…)` or `allShortestPaths(…)` around the path.
    pub shortest: Option<ShortestFunction>,
    /// The nodes, relationships and groups, in order.
    pub elements: Vec<PatternElement>,
    /// The bytes that it covers in the text.
    pub span: Span,
}

impl Pattern {
    /// A path without a name that stands nowhere.
    pub fn new(elements: Vec<PatternElement>) -> Self {
        Self { variable: None, selector: None, shortest: None, elements, span: Span::default() }
    }
}

/// The functions around a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShortestFunction {
    /// `shortestPath`
    Single,
    /// `allShortestPaths`
    All,
}

/// A selector: tells which of the paths between two nodes are wanted.
#[derive(Clone, Debug, PartialEq)]
pub enum Selector {
    /// `ALL`
    All,
    /// `ANY`, optionally with a count
    Any(Option<Expression>),
    /// `ANY SHORTEST`
    AnyShortest,
    /// `ALL SHORTEST`
    AllShortest,
    /// `SHORTEST k`
    Shortest(Expression),
    /// `SHORTEST k GROUPS`
    ShortestGroups(Option<Expression>),
}

/// An element of a path.
#[derive(Clone, Debug, PartialEq)]
pub enum PatternElement {
    /// `(n)`
    Node(NodePattern),
    /// `-[r]->`
    Relationship(RelationshipPattern),
    /// `((a)-->(b) WHERE …){1,3}`
    Group(PatternGroup),
}

/// A node: `(n:Label {key: value} WHERE …)`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodePattern {
    /// The variable.
    pub variable: Option<Name>,
    /// The labels.
    pub labels: Option<LabelExpression>,
    /// The properties: a map or a parameter.
    pub properties: Option<Box<Expression>>,
    /// The condition.
    pub condition: Option<Box<Expression>>,
    /// The bytes that it covers in the text.
    pub span: Span,
}

/// A relationship: `-[r:TYPE*1..3 {key: value} WHERE …]->{1,3}`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RelationshipPattern {
    /// The direction of the arrow.
    pub direction: Direction,
    /// The variable.
    pub variable: Option<Name>,
    /// The types.
    pub types: Option<LabelExpression>,
    /// The `*` with its bounds.
    pub hops: Option<Hops>,
    /// The properties: a map or a parameter.
    pub properties: Option<Box<Expression>>,
    /// The condition.
    pub condition: Option<Box<Expression>>,
    /// The number of repetitions, if the relationship repeats.
    pub quantifier: Option<Quantifier>,
    /// The bytes that it covers in the text.
    pub span: Span,
}

impl RelationshipPattern {
    pub(crate) fn has_only_types(&self) -> bool {
        self.variable.is_none()
            && self.hops.is_none()
            && self.properties.is_none()
            && self.condition.is_none()
    }
}

/// The direction of an arrow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// `<--`
    Left,
    /// `-->`
    Right,
    /// `--` or `<-->`
    #[default]
    Either,
}

/// The bounds of a path of variable length: `*`, `*2`, `*1..3`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hops {
    /// The fewest relationships.
    pub least: Option<u64>,
    /// The most relationships.
    pub most: Option<u64>,
    /// The bytes that it covers in the text.
    pub span: Span,
}

/// A number of repetitions of a part of a path: `+`, `*`, `{2}`, `{1,3}`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Quantifier {
    /// The fewest repetitions.
    pub least: u64,
    /// The most repetitions; `None` for no limit.
    pub most: Option<u64>,
    /// The bytes that it covers in the text.
    pub span: Span,
}

/// A path in brackets.
#[derive(Clone, Debug, PartialEq)]
pub struct PatternGroup {
    /// The path.
    pub pattern: Box<Pattern>,
    /// The condition.
    pub condition: Option<Box<Expression>>,
    /// The number of repetitions, if the path repeats.
    pub quantifier: Option<Quantifier>,
    /// The bytes that it covers in the text.
    pub span: Span,
}

/// A combination of labels or types.
#[derive(Clone, Debug, PartialEq)]
pub struct LabelExpression {
    /// The kind of label expression.
    pub kind: LabelKind,
    /// The bytes that it covers in the text.
    pub span: Span,
}

/// The kinds of label expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum LabelKind {
    /// `Label`
    Name(Name),
    /// `%`
    Wildcard,
    /// `$(expression)`, `$all(expression)`, `$any(expression)`
    Dynamic {
        /// Whether one of several names is enough: `$any(…)`.
        any: bool,
        /// The expression that gives the names.
        expression: Box<Expression>,
    },
    /// `!A`
    Not(Box<LabelExpression>),
    /// `A&B`
    And(Vec<LabelExpression>),
    /// `A|B`
    Or(Vec<LabelExpression>),
    /// `A:B`, the older form of `A&B`
    Colons(Vec<LabelExpression>),
    /// Text that cannot be read as a label.
    Invalid,
}
