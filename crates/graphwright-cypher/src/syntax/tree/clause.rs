//! Clauses.

use graphwright_core::Span;

use super::{Expression, ExpressionKind, LabelExpression, Name, Pattern, Query};

/// A clause.
#[derive(Clone, Debug, PartialEq)]
pub struct Clause {
    /// Which.
    pub kind: ClauseKind,
    /// Where it stands.
    pub span: Span,
}

impl Clause {
    /// A clause that stands nowhere.
    pub fn new(kind: ClauseKind) -> Self {
        Self { kind, span: Span::default() }
    }
}

/// The kinds of clauses.
#[derive(Clone, Debug, PartialEq)]
pub enum ClauseKind {
    /// `MATCH`
    Match(Match),
    /// `UNWIND list AS x`
    Unwind(Unwind),
    /// `WITH`
    With(Projection),
    /// `RETURN`
    Return(Projection),
    /// `ORDER BY`, `SKIP` and `LIMIT` as a clause of their own.
    Page(Page),
    /// `FINISH`
    Finish,
    /// `CREATE`
    Create(Vec<Pattern>),
    /// `INSERT`
    Insert(Vec<Pattern>),
    /// `MERGE`
    Merge(Merge),
    /// `SET`
    Set(Vec<SetItem>),
    /// `REMOVE`
    Remove(Vec<RemoveItem>),
    /// `DELETE`
    Delete(Delete),
    /// `FOREACH`
    ForEach(ForEach),
    /// `CALL procedure()`
    Call(ProcedureCall),
    /// `CALL { … }`
    Subquery(CallSubquery),
    /// `LOAD CSV`
    LoadCsv(LoadCsv),
    /// `USE graph`
    Use(Expression),
    /// Text that no clause begins with.
    Invalid,
}

/// `MATCH` or `OPTIONAL MATCH`.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    /// Whether rows without a match stay.
    pub optional: bool,
    /// Whether elements may repeat.
    pub mode: Option<MatchMode>,
    /// The patterns.
    pub patterns: Vec<Pattern>,
    /// Advice to the planner.
    pub hints: Vec<Hint>,
    /// The condition.
    pub condition: Option<Expression>,
}

impl Match {
    /// `MATCH` of patterns, without a condition.
    pub fn of(patterns: Vec<Pattern>) -> Self {
        Self { optional: false, mode: None, patterns, hints: Vec::new(), condition: None }
    }
}

/// Whether elements may repeat within a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchMode {
    /// `REPEATABLE ELEMENTS`
    RepeatableElements,
    /// `DIFFERENT RELATIONSHIPS`
    DifferentRelationships,
}

/// `USING …`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// What to use.
    pub kind: HintKind,
    /// Where it stands.
    pub span: Span,
}

/// What the planner is to use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HintKind {
    /// `INDEX`, with what kind (`TEXT`, `RANGE`, `POINT`) and `SEEK`.
    Index {
        /// The kind of index.
        kind: Option<Name>,
        /// Whether it must be a seek.
        seek: bool,
        /// The variable.
        variable: Name,
        /// Its label or type.
        label: Name,
        /// The properties.
        properties: Vec<Name>,
    },
    /// `SCAN n:Label`
    Scan {
        /// The variable.
        variable: Name,
        /// Its label or type.
        label: Name,
    },
    /// `JOIN ON a, b`
    Join(Vec<Name>),
}

/// `UNWIND`
#[derive(Clone, Debug, PartialEq)]
pub struct Unwind {
    /// The list.
    pub list: Expression,
    /// Each of its elements.
    pub variable: Name,
}

/// The body of `WITH` and `RETURN`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Projection {
    /// Whether equal rows are one.
    pub distinct: bool,
    /// Whether all variables are projected.
    pub all: bool,
    /// The columns.
    pub items: Vec<ProjectionItem>,
    /// Order and part of the rows.
    pub page: Page,
    /// The condition of `WITH`.
    pub condition: Option<Expression>,
}

impl Projection {
    /// One column.
    pub fn of(expression: Expression, alias: Name) -> Self {
        let item = ProjectionItem { expression, alias: Some(alias), span: Span::default() };
        Self { items: vec![item], ..Self::default() }
    }
}

/// A column.
#[derive(Clone, Debug, PartialEq)]
pub struct ProjectionItem {
    /// Its value.
    pub expression: Expression,
    /// Its name.
    pub alias: Option<Name>,
    /// Where it stands.
    pub span: Span,
}

impl ProjectionItem {
    /// The variable that holds the value afterwards; `None` where a column of `RETURN` is named by its text.
    pub fn name(&self) -> Option<&Name> {
        match &self.expression.kind {
            _ if self.alias.is_some() => self.alias.as_ref(),
            ExpressionKind::Variable(name) => Some(name),
            _ => None,
        }
    }
}

/// Order and part of rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Page {
    /// `ORDER BY`
    pub order: Vec<SortItem>,
    /// `SKIP`
    pub skip: Option<Expression>,
    /// `LIMIT`
    pub limit: Option<Expression>,
}

/// What rows are ordered by.
#[derive(Clone, Debug, PartialEq)]
pub struct SortItem {
    /// The value.
    pub expression: Expression,
    /// Whether large values come first.
    pub descending: bool,
    /// Where it stands.
    pub span: Span,
}

/// `MERGE`
#[derive(Clone, Debug, PartialEq)]
pub struct Merge {
    /// What is found or made.
    pub pattern: Pattern,
    /// `ON CREATE SET`, `ON MATCH SET`, in order.
    pub actions: Vec<MergeAction>,
}

/// `ON CREATE SET` or `ON MATCH SET`.
#[derive(Clone, Debug, PartialEq)]
pub struct MergeAction {
    /// Whether it is for what was made rather than found.
    pub on_create: bool,
    /// The changes.
    pub items: Vec<SetItem>,
    /// Where it stands.
    pub span: Span,
}

/// A change of a node or relationship.
#[derive(Clone, Debug, PartialEq)]
pub struct SetItem {
    /// Which.
    pub kind: SetKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of changes.
#[derive(Clone, Debug, PartialEq)]
pub enum SetKind {
    /// `n.key = value`, or `n[key] = value`
    Property {
        /// What is set: a property or an index.
        target: Expression,
        /// To what.
        value: Expression,
    },
    /// `n = {…}`
    Replace {
        /// The variable.
        variable: Name,
        /// All its properties.
        value: Expression,
    },
    /// `n += {…}`
    Merge {
        /// The variable.
        variable: Name,
        /// The properties to add.
        value: Expression,
    },
    /// `n:Label`
    Labels {
        /// The variable.
        variable: Name,
        /// The labels.
        labels: LabelExpression,
    },
}

/// What is taken off a node or relationship.
#[derive(Clone, Debug, PartialEq)]
pub struct RemoveItem {
    /// Which.
    pub kind: RemoveKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of what is taken off.
#[derive(Clone, Debug, PartialEq)]
pub enum RemoveKind {
    /// `n.key`, or `n[key]`
    Property(Expression),
    /// `n:Label`
    Labels {
        /// The variable.
        variable: Name,
        /// The labels.
        labels: LabelExpression,
    },
}

/// `DELETE`
#[derive(Clone, Debug, PartialEq)]
pub struct Delete {
    /// `DETACH` or `NODETACH`.
    pub detach: Option<bool>,
    /// What goes.
    pub expressions: Vec<Expression>,
}

/// `FOREACH`
#[derive(Clone, Debug, PartialEq)]
pub struct ForEach {
    /// Each element of the list.
    pub variable: Name,
    /// The list.
    pub list: Expression,
    /// What is done for each.
    pub clauses: Vec<Clause>,
}

/// `CALL procedure`
#[derive(Clone, Debug, PartialEq)]
pub struct ProcedureCall {
    /// Whether rows without results stay.
    pub optional: bool,
    /// The parts of the name.
    pub name: Vec<Name>,
    /// The arguments; none written means that parameters of their names are passed.
    pub arguments: Option<Vec<Expression>>,
    /// What is taken from its results.
    pub results: Option<Yield>,
}

/// `YIELD`
#[derive(Clone, Debug, PartialEq)]
pub struct Yield {
    /// Whether all columns are taken.
    pub all: bool,
    /// The columns.
    pub items: Vec<YieldItem>,
    /// The condition.
    pub condition: Option<Expression>,
    /// Where it stands.
    pub span: Span,
}

/// A column of a procedure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct YieldItem {
    /// Its name in the procedure.
    pub column: Name,
    /// Its name here.
    pub alias: Option<Name>,
    /// Where it stands.
    pub span: Span,
}

/// `CALL { … }`
#[derive(Clone, Debug, PartialEq)]
pub struct CallSubquery {
    /// Whether rows without results stay.
    pub optional: bool,
    /// The variables that it sees, in the form `CALL (a, b) { … }`.
    pub imports: Option<Imports>,
    /// What it does.
    pub query: Query,
    /// `IN TRANSACTIONS`
    pub transactions: Option<Transactions>,
}

/// The variables that a subquery sees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Imports {
    /// `(*)`
    All,
    /// `(a, b)`
    Variables(Vec<Name>),
}

/// `IN TRANSACTIONS`
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transactions {
    /// Whether several run at a time, and how many.
    pub concurrent: Option<Option<Expression>>,
    /// How many rows each takes.
    pub rows: Option<Expression>,
    /// What follows an error.
    pub on_error: Option<OnError>,
    /// The variable that tells what became of each.
    pub status: Option<Name>,
    /// Where it stands.
    pub span: Span,
}

/// What follows an error in a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnError {
    /// `CONTINUE`
    Continue,
    /// `BREAK`
    Break,
    /// `FAIL`
    Fail,
}

/// `LOAD CSV`
#[derive(Clone, Debug, PartialEq)]
pub struct LoadCsv {
    /// Whether the first line names the columns.
    pub headers: bool,
    /// The address.
    pub source: Expression,
    /// Each line.
    pub variable: Name,
    /// What separates fields.
    pub separator: Option<Expression>,
}
