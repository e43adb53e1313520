//! Patterns of paths.

use graphwright_core::Span;

use super::{Expression, Name};

/// One path of a pattern.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    /// The variable of the path.
    pub variable: Option<Name>,
    /// Which of the paths are wanted.
    pub selector: Option<Selector>,
    /// `shortestPath(…)` or `allShortestPaths(…)` around it.
    pub shortest: Option<ShortestFunction>,
    /// Nodes, relationships and groups, in order.
    pub elements: Vec<PatternElement>,
    /// Where it stands.
    pub span: Span,
}

impl Pattern {
    /// A path without a name that stands nowhere.
    pub fn of(elements: Vec<PatternElement>) -> Self {
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

/// Which of the paths between two nodes are wanted.
#[derive(Clone, Debug, PartialEq)]
pub enum Selector {
    /// `ALL`
    All,
    /// `ANY` with how many.
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

/// A part of a path.
#[derive(Clone, Debug, PartialEq)]
pub enum PatternElement {
    /// `(n)`
    Node(NodePattern),
    /// `-[r]->`
    Relationship(RelationshipPattern),
    /// `((a)-->(b) WHERE …){1,3}`
    Group(PatternGroup),
}

/// `(n:Label {key: value} WHERE …)`
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodePattern {
    /// The variable.
    pub variable: Option<Name>,
    /// The labels.
    pub labels: Option<LabelExpression>,
    /// A map or a parameter.
    pub properties: Option<Box<Expression>>,
    /// The condition.
    pub condition: Option<Box<Expression>>,
    /// Where it stands.
    pub span: Span,
}

/// `-[r:TYPE*1..3 {key: value} WHERE …]->{1,3}`
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RelationshipPattern {
    /// Where the arrow points.
    pub direction: Direction,
    /// The variable.
    pub variable: Option<Name>,
    /// The types.
    pub types: Option<LabelExpression>,
    /// `*` with its bounds.
    pub hops: Option<Hops>,
    /// A map or a parameter.
    pub properties: Option<Box<Expression>>,
    /// The condition.
    pub condition: Option<Box<Expression>>,
    /// How often it repeats.
    pub quantifier: Option<Quantifier>,
    /// Where it stands.
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

/// Where an arrow points.
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

/// `*`, `*2`, `*1..3`
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hops {
    /// The fewest.
    pub least: Option<u64>,
    /// The most.
    pub most: Option<u64>,
    /// Where it stands.
    pub span: Span,
}

/// `+`, `*`, `{2}`, `{1,3}`
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Quantifier {
    /// The fewest.
    pub least: u64,
    /// The most; none is without end.
    pub most: Option<u64>,
    /// Where it stands.
    pub span: Span,
}

/// A path in brackets.
#[derive(Clone, Debug, PartialEq)]
pub struct PatternGroup {
    /// The path.
    pub pattern: Box<Pattern>,
    /// The condition.
    pub condition: Option<Box<Expression>>,
    /// How often it repeats.
    pub quantifier: Option<Quantifier>,
    /// Where it stands.
    pub span: Span,
}

/// Labels or types and how they are combined.
#[derive(Clone, Debug, PartialEq)]
pub struct LabelExpression {
    /// Which.
    pub kind: LabelKind,
    /// Where it stands.
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
        /// Whether one of several is enough.
        any: bool,
        /// What gives the names.
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
    /// What cannot be read.
    Invalid,
}
