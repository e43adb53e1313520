//! What can be wrong with a query, in a form that programs can act on.

use graphwright_core::Span;
use serde::{Deserialize, Serialize};

/// Something wrong with a query.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// The kind of fault.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// Where it is, in bytes of the text.
    #[serde(flatten)]
    pub span: Span,
    /// What is wrong, as "expected …, found …".
    pub message: String,
    /// What to do, where that is known.
    pub help: Option<String>,
    /// A change of the text that repairs it, where that is known.
    pub fix: Option<Fix>,
}

/// How bad a fault is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The query runs, and is most likely right.
    Hint,
    /// The query runs, and its answer may not be what was asked for.
    Warning,
    /// The query fails, or finds nothing whatever the data.
    Error,
}

/// A change of the text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fix {
    /// What is replaced.
    #[serde(flatten)]
    pub span: Span,
    /// What stands there then.
    pub text: String,
    /// Whether it may be applied without asking: nothing else can have been meant.
    pub safe: bool,
}

impl Diagnostic {
    pub(crate) fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self { code, severity: Severity::Error, span, message: message.into(), help: None, fix: None }
    }

    pub(crate) fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// The kinds of faults. Their names are those of the openCypher technology compatibility kit where it has one.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        #[non_exhaustive]
        pub enum Code {
            $($(#[$doc])* $name,)*
        }

        impl Code {
            /// Every code.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// A stable name for programs, as `undefined_variable`.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }
        }
    };
}

codes! {
    /// Something else was expected in this place.
    UnexpectedSyntax = "unexpected_syntax",
    /// A string, name, comment or bracket is not closed.
    Unclosed = "unclosed",
    /// Brackets or operators are nested too deeply.
    NestedTooDeeply = "nested_too_deeply",
    /// A number is not written as one.
    InvalidNumberLiteral = "invalid_number_literal",
    /// An integer does not fit into 64 bits.
    IntegerOverflow = "integer_overflow",
    /// A float is beyond the largest one.
    FloatingPointOverflow = "floating_point_overflow",
    /// `\u` is not followed by four, or `\U` by eight hexadecimal digits of a character.
    InvalidUnicodeLiteral = "invalid_unicode_literal",
    /// A character has no meaning in Cypher.
    InvalidUnicodeCharacter = "invalid_unicode_character",
    /// A variable is used that nothing before defines.
    UndefinedVariable = "undefined_variable",
    /// A variable is defined a second time.
    VariableAlreadyBound = "variable_already_bound",
    /// A variable is used as another kind of thing than it is.
    VariableTypeConflict = "variable_type_conflict",
    /// A value has a type that cannot stand in this place.
    InvalidArgumentType = "invalid_argument_type",
    /// A function has too few or too many arguments.
    InvalidNumberOfArguments = "invalid_number_of_arguments",
    /// No function has that name.
    UnknownFunction = "unknown_function",
    /// An aggregate stands where rows are not grouped.
    InvalidAggregation = "invalid_aggregation",
    /// An aggregate stands within an aggregate.
    NestedAggregation = "nested_aggregation",
    /// An expression mixes aggregates with values that are not grouping keys.
    AmbiguousAggregationExpression = "ambiguous_aggregation_expression",
    /// A value must not depend on variables.
    NonConstantExpression = "non_constant_expression",
    /// A number must not be negative.
    NegativeIntegerArgument = "negative_integer_argument",
    /// Clauses do not go together in this order.
    InvalidClauseComposition = "invalid_clause_composition",
    /// The parts of a `UNION` have other columns.
    DifferentColumnsInUnion = "different_columns_in_union",
    /// Two columns have the same name.
    ColumnNameConflict = "column_name_conflict",
    /// An expression in `WITH` or a subquery's `RETURN` needs a name.
    NoExpressionAlias = "no_expression_alias",
    /// `*` stands where there are no variables.
    NoVariablesInScope = "no_variables_in_scope",
    /// A new relationship needs exactly one type.
    NoSingleRelationshipType = "no_single_relationship_type",
    /// A new relationship needs a direction.
    RequiresDirectedRelationship = "requires_directed_relationship",
    /// A pattern cannot be written this way here.
    InvalidRelationshipPattern = "invalid_relationship_pattern",
    /// One pattern uses a relationship twice.
    RelationshipUniquenessViolation = "relationship_uniqueness_violation",
    /// A path of variable length cannot be created.
    CreatingVarLength = "creating_var_length",
    /// A parameter cannot stand for the properties here.
    InvalidParameterUse = "invalid_parameter_use",
    /// This cannot be deleted.
    InvalidDelete = "invalid_delete",
    /// Implicit and explicit arguments of a procedure are mixed.
    InvalidArgumentPassingMode = "invalid_argument_passing_mode",
}
