//! Diagnostics: faults of a query in a form that programs can act on.

use graphwright_core::Span;
use serde::{Deserialize, Serialize};

/// A fault of a query.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// The kind of fault.
    pub code: Code,
    /// The severity.
    pub severity: Severity,
    /// The place, in bytes of the text.
    #[serde(flatten)]
    pub span: Span,
    /// The message, as "expected …, found …".
    pub message: String,
    /// The advice what to do, if known.
    pub help: Option<String>,
    /// A change of the text that mends it, if known.
    pub fix: Option<Fix>,
    /// Stored values or names that may have been meant, nearest first. Empty unless the store was
    /// asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<String>,
}

/// The severity of a fault, from mild to grave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The query runs and is most likely right.
    Hint,
    /// The query runs, but its answer may not be what was asked for.
    Warning,
    /// The query fails, or finds nothing whatever the data.
    Error,
}

/// A change of the text that mends a fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fix {
    /// The bytes to replace.
    #[serde(flatten)]
    pub span: Span,
    /// The replacement.
    pub text: String,
    /// Whether it may be applied without asking, because nothing else can have been meant.
    pub safe: bool,
}

impl Diagnostic {
    pub(crate) fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: code.severity(),
            span,
            message: message.into(),
            help: None,
            fix: None,
            candidates: Vec::new(),
        }
    }

    pub(crate) fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub(crate) fn with_fix(mut self, span: Span, text: impl Into<String>, safe: bool) -> Self {
        self.fix = Some(Fix { span, text: text.into(), safe });
        self
    }

    pub(crate) fn with_candidates(mut self, candidates: impl Iterator<Item = String>) -> Self {
        self.candidates = candidates.collect();
        self
    }

    /// Lowers the severity to `worst`, unless it is lower already.
    pub(crate) fn at_most(mut self, worst: Severity) -> Self {
        self.severity = self.severity.min(worst);
        self
    }
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal $severity:ident,)*) => {
        /// The kinds of faults.
        ///
        /// Their names are those of the openCypher technology compatibility kit where it has one.
        /// `docs/lint.md` describes those of the lint.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        #[non_exhaustive]
        pub enum Code {
            $($(#[$doc])* $name,)*
        }

        impl Code {
            /// All codes.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// Returns a stable name for programs, as `undefined_variable`.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }

            /// Returns the worst severity of the fault. A less certain finding is reported with a
            /// lower one.
            pub fn severity(self) -> Severity {
                match self {
                    $(Self::$name => Severity::$severity,)*
                }
            }
        }
    };
}

codes! {
    /// Something else was expected in this place.
    UnexpectedSyntax = "unexpected_syntax" Error,
    /// A string, name, comment or bracket is not closed.
    Unclosed = "unclosed" Error,
    /// Brackets or operators are nested too deeply.
    NestedTooDeeply = "nested_too_deeply" Error,
    /// A number is not written as one.
    InvalidNumberLiteral = "invalid_number_literal" Error,
    /// An integer does not fit into 64 bits.
    IntegerOverflow = "integer_overflow" Error,
    /// A float is beyond the largest one.
    FloatingPointOverflow = "floating_point_overflow" Error,
    /// `\u` is not followed by four hexadecimal digits of a character.
    InvalidUnicodeLiteral = "invalid_unicode_literal" Error,
    /// A character has no meaning in Cypher.
    InvalidUnicodeCharacter = "invalid_unicode_character" Error,
    /// A variable is used that nothing before defines.
    UndefinedVariable = "undefined_variable" Error,
    /// A variable is defined a second time.
    VariableAlreadyBound = "variable_already_bound" Error,
    /// A variable is used as another kind of thing than it is.
    VariableTypeConflict = "variable_type_conflict" Error,
    /// A value has a type that cannot stand in this place.
    InvalidArgumentType = "invalid_argument_type" Error,
    /// A function has too few or too many arguments.
    InvalidNumberOfArguments = "invalid_number_of_arguments" Error,
    /// No function has that name.
    UnknownFunction = "unknown_function" Error,
    /// An aggregate stands where rows are not grouped.
    InvalidAggregation = "invalid_aggregation" Error,
    /// An aggregate stands within an aggregate.
    NestedAggregation = "nested_aggregation" Error,
    /// An expression mixes aggregates with values that are not grouping keys.
    AmbiguousAggregationExpression = "ambiguous_aggregation_expression" Error,
    /// A value must not depend on variables.
    NonConstantExpression = "non_constant_expression" Error,
    /// A number must not be negative.
    NegativeIntegerArgument = "negative_integer_argument" Error,
    /// Clauses do not go together in this order.
    InvalidClauseComposition = "invalid_clause_composition" Error,
    /// The parts of a `UNION` have other columns.
    DifferentColumnsInUnion = "different_columns_in_union" Error,
    /// Two columns have the same name.
    ColumnNameConflict = "column_name_conflict" Error,
    /// An expression in `WITH` or a subquery's `RETURN` needs a name.
    NoExpressionAlias = "no_expression_alias" Error,
    /// `*` stands where there are no variables.
    NoVariablesInScope = "no_variables_in_scope" Error,
    /// A new relationship needs exactly one type.
    NoSingleRelationshipType = "no_single_relationship_type" Error,
    /// A new relationship needs a direction.
    RequiresDirectedRelationship = "requires_directed_relationship" Error,
    /// A pattern cannot be written this way here.
    InvalidRelationshipPattern = "invalid_relationship_pattern" Error,
    /// One pattern uses a relationship twice.
    RelationshipUniquenessViolation = "relationship_uniqueness_violation" Error,
    /// A path of variable length cannot be created.
    CreatingVarLength = "creating_var_length" Error,
    /// A parameter cannot stand for the properties here.
    InvalidParameterUse = "invalid_parameter_use" Error,
    /// This cannot be deleted.
    InvalidDelete = "invalid_delete" Error,
    /// Implicit and explicit arguments of a procedure are mixed.
    InvalidArgumentPassingMode = "invalid_argument_passing_mode" Error,

    /// The graph has no node with this label.
    UnknownLabel = "unknown_label" Error,
    /// The graph has no relationship of this type.
    UnknownRelationshipType = "unknown_relationship_type" Error,
    /// Nothing that can stand here has this property.
    UnknownProperty = "unknown_property" Error,
    /// Other labels or types have this property, but not the one that it is asked of.
    MisplacedProperty = "misplaced_property" Error,
    /// The relationship is there in the other direction only.
    WrongDirection = "wrong_direction" Error,
    /// No relationship of this type connects these labels.
    UnconnectedLabels = "unconnected_labels" Error,
    /// A property is compared with a value of another type.
    ValueTypeMismatch = "value_type_mismatch" Error,
    /// A property holds nothing that has this part.
    MissingPart = "missing_part" Error,
    /// A property has few values, and this is none of them.
    UnknownValue = "unknown_value" Warning,
    /// No stored value is this text, and others are near to it.
    DistantValue = "distant_value" Hint,
    /// Something is compared with null, which is never true.
    ComparisonWithNull = "comparison_with_null" Error,
    /// `<>` drops rows without the property too.
    NullDropped = "null_dropped" Hint,
    /// Rows without the property come first.
    NullOrder = "null_order" Warning,
    /// Nothing connects two patterns.
    CartesianProduct = "cartesian_product" Warning,
    /// `sum` or `avg` of what is no number.
    AggregateOfText = "aggregate_of_text" Error,
    /// An aggregate of what rows are grouped by.
    GroupedByItself = "grouped_by_itself" Hint,
    /// A whole node is returned, with its vector.
    WholeNodeWithVector = "whole_node_with_vector" Warning,
    /// Equal rows come for each match of the pattern.
    RepeatedRows = "repeated_rows" Hint,
    /// `id()` is deprecated.
    DeprecatedId = "deprecated_id" Hint,
    /// Neo4j 5 has no `exists()` of a property.
    DeprecatedExists = "deprecated_exists" Warning,
    /// `CALL { WITH a … }` is deprecated.
    DeprecatedImport = "deprecated_import" Hint,
}
