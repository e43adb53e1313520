//! Constructs of Cypher that the suite must show often enough.

macro_rules! constructs {
    ($($name:ident = $words:literal),* $(,)?) => {
        /// A construct of Cypher that the suite counts.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[expect(missing_docs, reason = "the words beside each say it")]
        pub enum Construct {
            $($name),*
        }

        impl Construct {
            /// All constructs.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];
        }

        impl std::fmt::Display for Construct {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str(match self {
                    $(Self::$name => $words),*
                })
            }
        }
    };
}

constructs! {
    Label = "label",
    LabelExpression = "label expression",
    Type = "relationship type",
    Types = "several relationship types",
    Outgoing = "direction ->",
    Incoming = "direction <-",
    Undirected = "no direction",
    PatternProperties = "properties in a pattern",
    PatternWhere = "WHERE in a pattern",
    OneHop = "1 hop",
    TwoHops = "2 hops",
    ThreeHops = "3 hops",
    FourHops = "4 hops",
    VariableLength = "variable length",
    SeveralPatterns = "several patterns",
    Where = "WHERE",
    Comparison = "comparison",
    NullPredicate = "IS NULL",
    StringPredicate = "string predicate",
    In = "IN",
    And = "AND",
    Or = "OR",
    Xor = "XOR",
    Not = "NOT",
    LabelPredicate = "label predicate",
    PatternPredicate = "pattern predicate",
    Optional = "OPTIONAL MATCH",
    Exists = "EXISTS {}",
    Count = "COUNT {}",
    Collect = "COLLECT {}",
    Call = "CALL {}",
    Aggregation = "aggregation",
    DistinctAggregation = "aggregation of DISTINCT",
    With = "WITH",
    WithWhere = "WITH … WHERE",
    Distinct = "DISTINCT",
    OrderBy = "ORDER BY",
    Skip = "SKIP",
    Limit = "LIMIT",
    Unwind = "UNWIND",
    Union = "UNION",
    Case = "CASE",
    ListComprehension = "list comprehension",
    ListPredicate = "all, any, none, single",
    Reduce = "reduce",
    ListAccess = "list index and slice",
    PatternComprehension = "pattern comprehension",
    MapProjection = "map projection",
    ShortestPath = "shortestPath",
    Path = "named path",
    StringFunction = "string function",
    NumberFunction = "number function",
    Arithmetic = "arithmetic",
    ListFunction = "list function",
    TemporalFunction = "temporal function",
    GraphFunction = "function of nodes, relationships and paths",
    Coalesce = "coalesce",
    Parameter = "parameter",
    Create = "CREATE",
    Merge = "MERGE",
    Set = "SET",
    Remove = "REMOVE",
    Delete = "DELETE",
}
