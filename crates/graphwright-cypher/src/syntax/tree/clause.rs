//! Clauses of a query.

use graphwright_core::Span;

use super::{Expression, ExpressionKind, LabelExpression, Name, Pattern, Query};

/// A clause.
#[derive(Clone, Debug, PartialEq)]
pub struct Clause {
    /// The kind of clause.
    pub kind: ClauseKind,
    /// The bytes that it covers in the text.
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
    /// Text that begins like no clause.
    Invalid,
}

/// A `MATCH` or `OPTIONAL MATCH` clause.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    /// Whether rows without a match are kept.
    pub optional: bool,
    /// Whether elements may repeat, if the query says so.
    pub mode: Option<MatchMode>,
    /// The patterns.
    pub patterns: Vec<Pattern>,
    /// The planner hints.
    pub hints: Vec<Hint>,
    /// The condition behind `WHERE`.
    pub condition: Option<Expression>,
}

impl Match {
    /// `MATCH` of patterns, without a condition.
    pub fn new(patterns: Vec<Pattern>) -> Self {
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

/// A planner hint: `USING …`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The kind of hint.
    pub kind: HintKind,
    /// The bytes that it covers in the text.
    pub span: Span,
}

/// The kinds of planner hints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HintKind {
    /// `INDEX`, optionally with its kind (`TEXT`, `RANGE`, `POINT`) and `SEEK`.
    Index {
        /// The kind of index.
        kind: Option<Name>,
        /// Whether the index must be used for a seek.
        seek: bool,
        /// The variable.
        variable: Name,
        /// The label or type of the variable.
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

/// An `UNWIND` clause.
#[derive(Clone, Debug, PartialEq)]
pub struct Unwind {
    /// The list.
    pub list: Expression,
    /// The variable for each element.
    pub variable: Name,
}

/// The body of `WITH` and `RETURN`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Projection {
    /// Whether equal rows are merged: `DISTINCT`.
    pub distinct: bool,
    /// Whether all variables are projected: `*`.
    pub all: bool,
    /// The columns, in order.
    pub items: Vec<ProjectionItem>,
    /// The order of the rows and the part that is kept.
    pub page: Page,
    /// The condition of `WITH`; always `None` for `RETURN`.
    pub condition: Option<Expression>,
}

impl Projection {
    /// One column.
    pub fn new(expression: Expression, alias: Name) -> Self {
        let item = ProjectionItem { expression, alias: Some(alias), span: Span::default() };
        Self { items: vec![item], ..Self::default() }
    }
}

/// A column.
#[derive(Clone, Debug, PartialEq)]
pub struct ProjectionItem {
    /// The value.
    pub expression: Expression,
    /// The name behind `AS`.
    pub alias: Option<Name>,
    /// The bytes that it covers in the text.
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

/// An item of `ORDER BY`.
#[derive(Clone, Debug, PartialEq)]
pub struct SortItem {
    /// The value.
    pub expression: Expression,
    /// Whether large values come first: `DESC`.
    pub descending: bool,
    /// The bytes that it covers in the text.
    pub span: Span,
}

impl SortItem {
    /// The value by which rows are sorted: that of a column, where one of `columns` is named.
    pub fn value<'a>(&'a self, columns: &'a [ProjectionItem]) -> &'a Expression {
        let ExpressionKind::Variable(name) = &self.expression.kind else { return &self.expression };
        let is_named =
            |item: &&ProjectionItem| item.alias.as_ref().is_some_and(|alias| alias.text == name.text);
        columns.iter().find(is_named).map_or(&self.expression, |item| &item.expression)
    }
}

/// A `MERGE` clause.
#[derive(Clone, Debug, PartialEq)]
pub struct Merge {
    /// The pattern that is found or created.
    pub pattern: Pattern,
    /// The `ON CREATE SET` and `ON MATCH SET` actions, in order.
    pub actions: Vec<MergeAction>,
}

/// An `ON CREATE SET` or `ON MATCH SET` action.
#[derive(Clone, Debug, PartialEq)]
pub struct MergeAction {
    /// Whether the action applies to a created pattern rather than to a found one.
    pub on_create: bool,
    /// The changes.
    pub items: Vec<SetItem>,
    /// The bytes that it covers in the text.
    pub span: Span,
}

/// An item of `SET`: a change of a node or relationship.
#[derive(Clone, Debug, PartialEq)]
pub struct SetItem {
    /// The kind of change.
    pub kind: SetKind,
    /// The bytes that it covers in the text.
    pub span: Span,
}

/// The kinds of items of `SET`.
#[derive(Clone, Debug, PartialEq)]
pub enum SetKind {
    /// `n.key = value`, or `n[key] = value`
    Property {
        /// The property or index that is set.
        target: Expression,
        /// The new value.
        value: Expression,
    },
    /// `n = {…}`
    Replace {
        /// The variable.
        variable: Name,
        /// The map of all its new properties.
        value: Expression,
    },
    /// `n += {…}`
    Merge {
        /// The variable.
        variable: Name,
        /// The map of properties to add.
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

/// An item of `REMOVE`.
#[derive(Clone, Debug, PartialEq)]
pub struct RemoveItem {
    /// The kind of item.
    pub kind: RemoveKind,
    /// The bytes that it covers in the text.
    pub span: Span,
}

/// The kinds of items of `REMOVE`.
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

/// A `DELETE` clause.
#[derive(Clone, Debug, PartialEq)]
pub struct Delete {
    /// `DETACH` (true) or `NODETACH` (false), if written.
    pub detach: Option<bool>,
    /// The nodes, relationships and paths to delete.
    pub expressions: Vec<Expression>,
}

/// A `FOREACH` clause.
#[derive(Clone, Debug, PartialEq)]
pub struct ForEach {
    /// The variable for each element of the list.
    pub variable: Name,
    /// The list.
    pub list: Expression,
    /// The clauses that run for each element.
    pub clauses: Vec<Clause>,
}

/// A procedure call: `CALL procedure`.
#[derive(Clone, Debug, PartialEq)]
pub struct ProcedureCall {
    /// Whether rows without results are kept: `OPTIONAL CALL`.
    pub optional: bool,
    /// The parts of the procedure's name.
    pub name: Vec<Name>,
    /// The arguments. `None` passes the parameters with the names of the procedure's arguments.
    pub arguments: Option<Vec<Expression>>,
    /// The columns taken from the results.
    pub results: Option<Yield>,
}

/// A `YIELD` part of a procedure call.
#[derive(Clone, Debug, PartialEq)]
pub struct Yield {
    /// Whether all columns are taken: `*`.
    pub all: bool,
    /// The columns.
    pub items: Vec<YieldItem>,
    /// The condition behind `WHERE`.
    pub condition: Option<Expression>,
    /// The bytes that it covers in the text.
    pub span: Span,
}

/// A column of a procedure's results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct YieldItem {
    /// The column's name in the procedure.
    pub column: Name,
    /// The column's name in the query.
    pub alias: Option<Name>,
    /// The bytes that it covers in the text.
    pub span: Span,
}

/// A subquery clause: `CALL { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct CallSubquery {
    /// Whether rows without results are kept: `OPTIONAL CALL`.
    pub optional: bool,
    /// The imported variables, in the form `CALL (a, b) { … }`.
    pub imports: Option<Imports>,
    /// The query in the braces.
    pub query: Query,
    /// `IN TRANSACTIONS`
    pub transactions: Option<Transactions>,
}

/// The variables that a subquery imports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Imports {
    /// `(*)`
    All,
    /// `(a, b)`
    Variables(Vec<Name>),
}

/// The `IN TRANSACTIONS` part of a subquery.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transactions {
    /// Whether several transactions run at a time, and how many if written.
    pub concurrent: Option<Option<Expression>>,
    /// The number of rows per transaction.
    pub rows: Option<Expression>,
    /// The reaction to an error, if written.
    pub on_error: Option<OnError>,
    /// The variable that holds the outcome of each transaction.
    pub status: Option<Name>,
    /// The bytes that it covers in the text.
    pub span: Span,
}

/// The reactions to an error in a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnError {
    /// `CONTINUE`
    Continue,
    /// `BREAK`
    Break,
    /// `FAIL`
    Fail,
}

/// A `LOAD CSV` clause.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadCsv {
    /// Whether the first line names the columns.
    pub headers: bool,
    /// The address of the file.
    pub source: Expression,
    /// The variable for each line.
    pub variable: Name,
    /// The separator of fields.
    pub separator: Option<Expression>,
}
