//! Expressions.

use graphwright_core::Span;

use super::{LabelExpression, Name, Pattern, Query, ValueType};

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    /// Which.
    pub kind: ExpressionKind,
    /// Where it stands, with the brackets around it.
    pub span: Span,
}

impl Expression {
    /// An expression that stands nowhere.
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
    /// What cannot be read.
    fn default() -> Self {
        Self::new(ExpressionKind::Invalid)
    }
}

/// The kinds of expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum ExpressionKind {
    /// A value.
    Literal(Literal),
    /// `$name`
    Parameter(Name),
    /// `n`
    Variable(Name),
    /// `n.key`
    Property {
        /// Of what.
        base: Box<Expression>,
        /// The key.
        key: Name,
    },
    /// `list[0]`, `map['key']`
    Index {
        /// Of what.
        base: Box<Expression>,
        /// The place.
        index: Box<Expression>,
    },
    /// `list[1..3]`
    Slice {
        /// Of what.
        base: Box<Expression>,
        /// The first.
        from: Option<Box<Expression>>,
        /// One past the last.
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
        /// Its operand.
        operand: Box<Expression>,
    },
    /// `a + b`
    Binary {
        /// The operator.
        operator: BinaryOperator,
        /// Left of it.
        left: Box<Expression>,
        /// Right of it.
        right: Box<Expression>,
    },
    /// `a AND b AND c`
    Logical {
        /// The operator between all of them.
        operator: LogicalOperator,
        /// Two or more.
        operands: Vec<Expression>,
    },
    /// `a < b <= c`
    Comparison {
        /// The first value.
        first: Box<Expression>,
        /// One or more operators, each with the value right of it.
        rest: Vec<(ComparisonOperator, Expression)>,
    },
    /// `x IS NULL` and the like
    Test {
        /// What is tested.
        operand: Box<Expression>,
        /// `IS NOT`
        negated: bool,
        /// For what.
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
        /// What the map holds.
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
    /// What cannot be read.
    Invalid,
}

/// A value.
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

/// Operators before one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOperator {
    /// `-`
    Minus,
    /// `+`
    Plus,
    /// `NOT`
    Not,
}

/// Operators between two operands.
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

/// Operators between conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogicalOperator {
    /// `OR`
    Or,
    /// `XOR`
    Xor,
    /// `AND`
    And,
}

/// Operators that compare.
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

/// What `IS` asks.
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

/// `CASE`
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// What is compared.
    pub subject: Option<Expression>,
    /// The alternatives, in order.
    pub alternatives: Vec<Alternative>,
    /// `ELSE`
    pub otherwise: Option<Expression>,
}

/// `WHEN … THEN …`
#[derive(Clone, Debug, PartialEq)]
pub struct Alternative {
    /// When; several only where there is a subject.
    pub conditions: Vec<CaseCondition>,
    /// The value then.
    pub value: Expression,
    /// Where it stands.
    pub span: Span,
}

/// A condition of an alternative.
#[derive(Clone, Debug, PartialEq)]
pub enum CaseCondition {
    /// A condition, or what the subject equals.
    Value(Expression),
    /// `> 3`, about the subject.
    Comparison(ComparisonOperator, Expression),
    /// `STARTS WITH 'x'`, `=~ 'x'`, `IN list`, about the subject.
    Binary(BinaryOperator, Expression),
    /// `IS NULL`, about the subject.
    Test {
        /// `IS NOT`
        negated: bool,
        /// For what.
        test: Test,
    },
}

/// `function(x)`
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FunctionCall {
    /// The parts of the name.
    pub name: Vec<Name>,
    /// Whether equal arguments count once.
    pub distinct: bool,
    /// The arguments.
    pub arguments: Vec<Expression>,
    /// What `trim(BOTH 'x' FROM text)` and `normalize(text, NFC)` say in words.
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
    /// Arguments with commas between them.
    #[default]
    Plain,
    /// `trim(BOTH c FROM text)`; the text is the last argument.
    Trim(TrimSide),
    /// `normalize(text, NFC)`
    Normalize(NormalForm),
}

/// The sides that `trim` takes characters from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrimSide {
    /// `BOTH`
    Both,
    /// `LEADING`
    Leading,
    /// `TRAILING`
    Trailing,
}

/// `[x IN list WHERE … | …]`
#[derive(Clone, Debug, PartialEq)]
pub struct ListComprehension {
    /// Each element.
    pub variable: Name,
    /// The list.
    pub list: Expression,
    /// Which elements stay.
    pub condition: Option<Expression>,
    /// What each becomes.
    pub value: Option<Expression>,
}

/// `[p = (a)-->(b) WHERE … | …]`
#[derive(Clone, Debug, PartialEq)]
pub struct PatternComprehension {
    /// The pattern, with the variable of its path.
    pub pattern: Pattern,
    /// Which matches stay.
    pub condition: Option<Expression>,
    /// What each becomes.
    pub value: Expression,
}

/// `all(x IN list WHERE …)`
#[derive(Clone, Debug, PartialEq)]
pub struct Quantified {
    /// How many must agree.
    pub kind: QuantifiedKind,
    /// Each element.
    pub variable: Name,
    /// The list.
    pub list: Expression,
    /// The condition.
    pub condition: Option<Expression>,
}

/// How many elements must agree.
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

/// `reduce(sum = 0, x IN list | sum + x)`
#[derive(Clone, Debug, PartialEq)]
pub struct Reduce {
    /// The result so far.
    pub accumulator: Name,
    /// The result of an empty list.
    pub initial: Expression,
    /// Each element.
    pub variable: Name,
    /// The list.
    pub list: Expression,
    /// The result with the element.
    pub value: Expression,
}

/// `EXISTS { … }` and its like.
#[derive(Clone, Debug, PartialEq)]
pub struct SubqueryExpression {
    /// Which.
    pub kind: SubqueryKind,
    /// What it asks.
    pub body: SubqueryBody,
}

/// The subqueries that are values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubqueryKind {
    /// `EXISTS`
    Exists,
    /// `COUNT`
    Count,
    /// `COLLECT`
    Collect,
}

/// What a subquery asks.
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
