//! Expressions: values, operators, calls, comprehensions and subqueries.

use graphwright_core::Span;

use super::{LabelExpression, Name, Pattern, Query, ValueType};

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    /// The kind of expression.
    pub kind: ExpressionKind,
    /// The bytes that it covers in the text, including the brackets around it.
    pub span: Span,
}

impl Expression {
    /// Creates an expression with an empty span.
    pub fn new(kind: ExpressionKind) -> Self {
        Self { kind, span: Span::default() }
    }

    /// What holds when all parts hold; `None` where there are none.
    pub fn all_of(parts: Vec<Self>) -> Option<Self> {
        Self::joined(LogicalOperator::And, parts)
    }

    /// What holds when any part holds; `None` where there are none.
    pub fn any_of(parts: Vec<Self>) -> Option<Self> {
        Self::joined(LogicalOperator::Or, parts)
    }

    fn joined(joint: LogicalOperator, mut parts: Vec<Self>) -> Option<Self> {
        if parts.len() < 2 {
            return parts.pop();
        }
        let mut all = Vec::with_capacity(parts.len());
        for part in parts {
            match part.kind {
                ExpressionKind::Logical { operator, operands } if operator == joint => all.extend(operands),
                kind => all.push(Self { kind, span: part.span }),
            }
        }
        Some(Self::new(ExpressionKind::Logical { operator: joint, operands: all }))
    }
}

impl Default for Expression {
    /// Returns an invalid expression.
    fn default() -> Self {
        Self::new(ExpressionKind::Invalid)
    }
}

/// The kinds of expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum ExpressionKind {
    /// A literal value.
    Literal(Literal),
    /// `$name`
    Parameter(Name),
    /// `n`
    Variable(Name),
    /// `n.key`
    Property {
        /// The value that has the property.
        base: Box<Expression>,
        /// The key.
        key: Name,
    },
    /// `list[0]`, `map['key']`
    Index {
        /// The list or map.
        base: Box<Expression>,
        /// The position or key.
        index: Box<Expression>,
    },
    /// `list[1..3]`
    Slice {
        /// The list.
        base: Box<Expression>,
        /// The first position; the beginning if left out.
        from: Option<Box<Expression>>,
        /// One past the last position; the end if left out.
        to: Option<Box<Expression>>,
    },
    /// `n:Label`
    Labels {
        /// The node or relationship.
        base: Box<Expression>,
        /// The labels or types.
        labels: LabelExpression,
    },
    /// `-x`, `+x`, `NOT x`
    Unary {
        /// The operator.
        operator: UnaryOperator,
        /// The operand.
        operand: Box<Expression>,
    },
    /// `a + b`
    Binary {
        /// The operator.
        operator: BinaryOperator,
        /// The left operand.
        left: Box<Expression>,
        /// The right operand.
        right: Box<Expression>,
    },
    /// `a AND b AND c`
    Logical {
        /// The operator between all of them.
        operator: LogicalOperator,
        /// The operands, two or more.
        operands: Vec<Expression>,
    },
    /// `a < b <= c`
    Comparison {
        /// The first value.
        first: Box<Expression>,
        /// The operators, one or more, each with the value to its right.
        rest: Vec<(ComparisonOperator, Expression)>,
    },
    /// `x IS NULL` and the other tests behind `IS`
    Test {
        /// The tested value.
        operand: Box<Expression>,
        /// Whether the test is `IS NOT`.
        negated: bool,
        /// The test.
        test: Test,
    },
    /// `[1, 2]`
    List(Vec<Expression>),
    /// `{key: value}`
    Map(Vec<(Name, Expression)>),
    /// `n {.key, .*, other: 1}`
    MapProjection {
        /// The variable.
        base: Name,
        /// The entries of the map.
        items: Vec<ProjectedEntry>,
    },
    /// `CASE`
    Case(Box<Case>),
    /// `function(x)`
    Call(Box<FunctionCall>),
    /// `count(*)`
    CountStar,
    /// `[x IN list WHERE … | …]`
    ListComprehension(Box<ListComprehension>),
    /// `[(a)-->(b) WHERE … | …]`
    PatternComprehension(Box<PatternComprehension>),
    /// `all(x IN list WHERE …)`
    Quantified(Box<Quantified>),
    /// `reduce(sum = 0, x IN list | sum + x)`
    Reduce(Box<Reduce>),
    /// `EXISTS { … }`, `COUNT { … }`, `COLLECT { … }`
    Subquery(Box<SubqueryExpression>),
    /// `(a)-->(b)` as a condition, or `shortestPath(…)` as a value
    Pattern(Box<Pattern>),
    /// Text that cannot be read as an expression.
    Invalid,
}

/// A literal value.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// `null`
    Null,
    /// `true`, `false`
    Boolean(bool),
    /// An integer without its sign; 2⁶³ stands only behind a minus.
    Integer(u64),
    /// A float without its sign.
    Float(f64),
    /// `INF`
    Infinity,
    /// `NaN`
    NotANumber,
    /// A string without quotes and escapes.
    String(Box<str>),
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOperator {
    /// `-`
    Minus,
    /// `+`
    Plus,
    /// `NOT`
    Not,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOperator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `||`
    Concatenate,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Modulo,
    /// `^`
    Power,
    /// `IN`
    In,
    /// `STARTS WITH`
    StartsWith,
    /// `ENDS WITH`
    EndsWith,
    /// `CONTAINS`
    Contains,
    /// `=~`
    Matches,
}

/// Operators that join conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogicalOperator {
    /// `OR`
    Or,
    /// `XOR`
    Xor,
    /// `AND`
    And,
}

/// Operators that compare two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComparisonOperator {
    /// `=`
    Equal,
    /// `<>`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

/// The properties that `IS` tests for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Test {
    /// `IS NULL`
    Null,
    /// `IS NORMALIZED`
    Normalized(Option<NormalForm>),
    /// `IS :: TYPE`
    Type(ValueType),
}

/// Normal forms of Unicode text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NormalForm {
    /// `NFC`
    Nfc,
    /// `NFD`
    Nfd,
    /// `NFKC`
    Nfkc,
    /// `NFKD`
    Nfkd,
}

/// An entry of a map projection.
#[derive(Clone, Debug, PartialEq)]
pub enum ProjectedEntry {
    /// `.key`
    Property(Name),
    /// `.*`
    All,
    /// `variable`
    Variable(Name),
    /// `key: value`
    Entry(Name, Expression),
}

/// A `CASE` expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The value that the alternatives are compared with, in `CASE x WHEN …`.
    pub subject: Option<Expression>,
    /// The alternatives, in order.
    pub alternatives: Vec<Alternative>,
    /// `ELSE`
    pub otherwise: Option<Expression>,
}

/// An alternative of `CASE`: `WHEN … THEN …`.
#[derive(Clone, Debug, PartialEq)]
pub struct Alternative {
    /// The conditions. There are several only if the `CASE` has a subject.
    pub conditions: Vec<CaseCondition>,
    /// The value if a condition holds.
    pub value: Expression,
    /// The bytes that it covers in the text.
    pub span: Span,
}

/// A condition of an alternative.
#[derive(Clone, Debug, PartialEq)]
pub enum CaseCondition {
    /// A condition, or a value that the subject equals.
    Value(Expression),
    /// A comparison with the subject, as `> 3`.
    Comparison(ComparisonOperator, Expression),
    /// A predicate on the subject, as `STARTS WITH 'x'`, `=~ 'x'` or `IN list`.
    Binary(BinaryOperator, Expression),
    /// A test of the subject, as `IS NULL`.
    Test {
        /// Whether the test is `IS NOT`.
        negated: bool,
        /// The test.
        test: Test,
    },
}

/// A function call: `function(x)`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FunctionCall {
    /// The parts of the function's name.
    pub name: Vec<Name>,
    /// Whether equal arguments count once: `DISTINCT`.
    pub distinct: bool,
    /// The arguments.
    pub arguments: Vec<Expression>,
    /// The way in which the arguments are written.
    pub form: CallForm,
}

impl FunctionCall {
    /// The whole name in lower case, as `date.truncate`.
    pub fn lower_name(&self) -> String {
        let parts: Vec<_> = self.name.iter().map(|part| part.text.to_lowercase()).collect();
        parts.join(".")
    }
}

/// Functions with words among their arguments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CallForm {
    /// Arguments separated by commas.
    #[default]
    Plain,
    /// `trim(BOTH c FROM text)`; the text is the last argument.
    Trim(TrimSide),
    /// `normalize(text, NFC)`
    Normalize(NormalForm),
}

/// The side from which `trim` removes characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrimSide {
    /// `BOTH`
    Both,
    /// `LEADING`
    Leading,
    /// `TRAILING`
    Trailing,
}

/// A list comprehension: `[x IN list WHERE … | …]`.
#[derive(Clone, Debug, PartialEq)]
pub struct ListComprehension {
    /// The variable for each element.
    pub variable: Name,
    /// The list.
    pub list: Expression,
    /// The condition that elements must meet to stay.
    pub condition: Option<Expression>,
    /// The value that each element becomes.
    pub value: Option<Expression>,
}

/// A pattern comprehension: `[p = (a)-->(b) WHERE … | …]`.
#[derive(Clone, Debug, PartialEq)]
pub struct PatternComprehension {
    /// The pattern, with the variable of its path.
    pub pattern: Pattern,
    /// The condition that matches must meet to stay.
    pub condition: Option<Expression>,
    /// The value that each match becomes.
    pub value: Expression,
}

/// A quantified condition: `all(x IN list WHERE …)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantified {
    /// The number of elements that must meet the condition.
    pub kind: QuantifiedKind,
    /// The variable for each element.
    pub variable: Name,
    /// The list.
    pub list: Expression,
    /// The condition.
    pub condition: Option<Expression>,
}

/// The number of elements that must meet a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuantifiedKind {
    /// `all`
    All,
    /// `any`
    Any,
    /// `none`
    None,
    /// `single`
    Single,
}

/// A reduction: `reduce(sum = 0, x IN list | sum + x)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Reduce {
    /// The variable for the result so far.
    pub accumulator: Name,
    /// The initial result.
    pub initial: Expression,
    /// The variable for each element.
    pub variable: Name,
    /// The list.
    pub list: Expression,
    /// The result after an element.
    pub value: Expression,
}

/// A subquery expression: `EXISTS { … }`, `COUNT { … }` or `COLLECT { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct SubqueryExpression {
    /// The kind of subquery.
    pub kind: SubqueryKind,
    /// The content of the braces.
    pub body: SubqueryBody,
}

/// The kinds of subqueries that are values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubqueryKind {
    /// `EXISTS`
    Exists,
    /// `COUNT`
    Count,
    /// `COLLECT`
    Collect,
}

/// The content of the braces of a subquery.
#[derive(Clone, Debug, PartialEq)]
pub enum SubqueryBody {
    /// `{ (a)-->(b) WHERE … }`
    Patterns {
        /// The patterns.
        patterns: Vec<Pattern>,
        /// The condition.
        condition: Option<Expression>,
    },
    /// `{ MATCH … RETURN … }`
    Query(Query),
}
