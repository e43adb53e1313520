//! Random trees for the property test of the printer.

use graphwright_core::Span;
use proptest::{collection::vec, option, prelude::*, sample::select};

use crate::syntax::tree::*;

pub(crate) fn trees() -> impl Strategy<Value = Tree> {
    vec(statements(), 1..3).prop_map(|statements| Tree { statements })
}

fn statements() -> impl Strategy<Value = Statement> {
    (queries(expressions()), any::<bool>()).prop_map(|(query, explained)| Statement {
        prefixes: explained
            .then(|| Prefix { kind: PrefixKind::Explain, span: Span::default() })
            .into_iter()
            .collect(),
        body: StatementBody::Query(query),
        span: Span::default(),
    })
}

fn names() -> impl Strategy<Value = Name> {
    select(vec!["n", "m", "x", "order", "end", "a b", "null", "count", "é", "_1", "where", "t`k", "In"])
        .prop_map(Name::new)
}

fn boxed(expression: Expression) -> Box<Expression> {
    Box::new(expression)
}

type Expressions = BoxedStrategy<Expression>;

fn expressions() -> Expressions {
    let leaf = prop_oneof![
        literals().prop_map(ExpressionKind::Literal),
        names().prop_map(ExpressionKind::Variable),
        names().prop_map(ExpressionKind::Parameter),
        Just(ExpressionKind::CountStar),
    ];
    leaf.prop_map(Expression::new)
        .prop_recursive(4, 40, 4, |inner| compound(inner.boxed()).prop_map(Expression::new))
        .boxed()
}

fn literals() -> impl Strategy<Value = Literal> {
    prop_oneof![
        Just(Literal::Null),
        any::<bool>().prop_map(Literal::Boolean),
        (0..=i64::MAX as u64).prop_map(Literal::Integer),
        any::<f64>()
            .prop_filter("finite", |value| value.is_finite())
            .prop_map(|value| Literal::Float(value.abs())),
        Just(Literal::Infinity),
        any::<String>().prop_map(|text| Literal::String(text.into())),
    ]
}

fn compound(inner: Expressions) -> impl Strategy<Value = ExpressionKind> {
    prop_oneof![operators(inner.clone()), containers(inner.clone()), scopes(inner)]
}

fn operators(inner: Expressions) -> impl Strategy<Value = ExpressionKind> {
    use BinaryOperator::{
        Add, Concatenate, Contains, Divide, EndsWith, In, Matches, Modulo, Multiply, Power, StartsWith,
        Subtract,
    };
    let binary = select(vec![
        Add,
        Subtract,
        Concatenate,
        Multiply,
        Divide,
        Modulo,
        Power,
        In,
        StartsWith,
        EndsWith,
        Contains,
        Matches,
    ]);
    let unary = select(vec![UnaryOperator::Minus, UnaryOperator::Plus, UnaryOperator::Not]);
    let logical = select(vec![LogicalOperator::And, LogicalOperator::Or, LogicalOperator::Xor]);
    prop_oneof![
        (binary, inner.clone(), inner.clone()).prop_map(|(operator, left, right)| ExpressionKind::Binary {
            operator,
            left: boxed(left),
            right: boxed(right)
        }),
        (unary, inner.clone())
            .prop_map(|(operator, operand)| ExpressionKind::Unary { operator, operand: boxed(operand) }),
        (logical, vec(inner.clone(), 2..4))
            .prop_map(|(operator, operands)| ExpressionKind::Logical { operator, operands }),
        (inner.clone(), vec((comparisons(), inner.clone()), 1..3))
            .prop_map(|(first, rest)| ExpressionKind::Comparison { first: boxed(first), rest }),
        (inner.clone(), any::<bool>(), tests()).prop_map(|(operand, negated, test)| ExpressionKind::Test {
            operand: boxed(operand),
            negated,
            test
        }),
        (inner.clone(), labels(inner))
            .prop_map(|(base, labels)| ExpressionKind::Labels { base: boxed(base), labels }),
    ]
}

fn comparisons() -> impl Strategy<Value = ComparisonOperator> {
    use ComparisonOperator::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
    select(vec![Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual])
}

fn tests() -> impl Strategy<Value = Test> {
    let leaf = (select(vec!["INTEGER", "ZONED DATETIME", "ANY", "STRING"]), any::<bool>()).prop_map(
        |(name, not_null)| ValueType { kind: TypeKind::Named(name), not_null, span: Span::default() },
    );
    let types = leaf.prop_recursive(2, 6, 3, |inner| {
        let kinds = prop_oneof![
            inner.clone().prop_map(|inner| TypeKind::List(Box::new(inner))),
            vec(inner, 1..3).prop_map(TypeKind::Union),
        ];
        (kinds, any::<bool>()).prop_map(|(kind, not_null)| ValueType {
            kind,
            not_null,
            span: Span::default(),
        })
    });
    prop_oneof![
        Just(Test::Null),
        option::of(select(vec![NormalForm::Nfc, NormalForm::Nfkd])).prop_map(Test::Normalized),
        types.prop_map(Test::Type),
    ]
}

fn containers(inner: Expressions) -> impl Strategy<Value = ExpressionKind> {
    let entry = prop_oneof![
        Just(ProjectedEntry::All),
        names().prop_map(ProjectedEntry::Property),
        names().prop_map(ProjectedEntry::Variable),
        (names(), inner.clone()).prop_map(|(key, value)| ProjectedEntry::Entry(key, value)),
    ];
    let functions =
        select(vec![vec!["size"], vec!["apoc", "text", "join"], vec!["all"], vec!["exists"], vec!["count"]]);
    prop_oneof![
        vec(inner.clone(), 0..3).prop_map(ExpressionKind::List),
        vec((names(), inner.clone()), 0..3).prop_map(ExpressionKind::Map),
        (inner.clone(), names()).prop_map(|(base, key)| ExpressionKind::Property { base: boxed(base), key }),
        (inner.clone(), inner.clone())
            .prop_map(|(base, index)| ExpressionKind::Index { base: boxed(base), index: boxed(index) }),
        (inner.clone(), option::of(inner.clone()), option::of(inner.clone())).prop_map(|(base, from, to)| {
            ExpressionKind::Slice { base: boxed(base), from: from.map(boxed), to: to.map(boxed) }
        }),
        (names(), vec(entry, 0..3)).prop_map(|(base, items)| ExpressionKind::MapProjection { base, items }),
        (functions, any::<bool>(), vec(inner, 1..3)).prop_map(|(name, distinct, arguments)| {
            let name = name.into_iter().map(Name::new).collect();
            ExpressionKind::Call(Box::new(FunctionCall { name, distinct, arguments, form: CallForm::Plain }))
        }),
    ]
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "a strategy is cheap to clone, and callers have one to give"
)]
fn scopes(inner: Expressions) -> impl Strategy<Value = ExpressionKind> {
    let optional = || option::of(inner.clone());
    let kinds =
        select(vec![QuantifiedKind::All, QuantifiedKind::Any, QuantifiedKind::None, QuantifiedKind::Single]);
    let subqueries = select(vec![SubqueryKind::Exists, SubqueryKind::Count, SubqueryKind::Collect]);
    let bodies = prop_oneof![
        (vec(patterns(inner.clone()), 1..3), optional())
            .prop_map(|(patterns, condition)| SubqueryBody::Patterns { patterns, condition }),
        queries(inner.clone()).prop_map(SubqueryBody::Query),
    ];
    prop_oneof![
        (names(), inner.clone(), optional(), optional()).prop_map(|(variable, list, condition, value)| {
            ExpressionKind::ListComprehension(Box::new(ListComprehension {
                variable,
                list,
                condition,
                value,
            }))
        }),
        (paths(inner.clone()), option::of(names()), optional(), inner.clone()).prop_map(
            |(mut pattern, variable, condition, value)| {
                pattern.variable = variable;
                ExpressionKind::PatternComprehension(Box::new(PatternComprehension {
                    pattern,
                    condition,
                    value,
                }))
            }
        ),
        (kinds, names(), inner.clone(), optional()).prop_map(|(kind, variable, list, condition)| {
            ExpressionKind::Quantified(Box::new(Quantified { kind, variable, list, condition }))
        }),
        (names(), inner.clone(), names(), inner.clone(), inner.clone()).prop_map(
            |(accumulator, initial, variable, list, value)| {
                ExpressionKind::Reduce(Box::new(Reduce { accumulator, initial, variable, list, value }))
            }
        ),
        cases(inner.clone()),
        (subqueries, bodies)
            .prop_map(|(kind, body)| ExpressionKind::Subquery(Box::new(SubqueryExpression { kind, body }))),
        paths(inner.clone()).prop_map(|pattern| ExpressionKind::Pattern(Box::new(pattern))),
    ]
}

fn cases(inner: Expressions) -> impl Strategy<Value = ExpressionKind> {
    let condition = prop_oneof![
        inner.clone().prop_map(CaseCondition::Value),
        (comparisons(), inner.clone())
            .prop_map(|(operator, value)| CaseCondition::Comparison(operator, value)),
        (any::<bool>(), tests()).prop_map(|(negated, test)| CaseCondition::Test { negated, test }),
    ];
    let with_subject = vec((vec(condition, 1..3), inner.clone()), 1..3);
    let without =
        vec((inner.clone().prop_map(|value| vec![CaseCondition::Value(value)]), inner.clone()), 1..3);
    let parts = prop_oneof![(inner.clone().prop_map(Some), with_subject), (Just(None), without),];
    (parts, option::of(inner)).prop_map(|((subject, alternatives), otherwise)| {
        let alternatives = alternatives
            .into_iter()
            .map(|(conditions, value)| Alternative { conditions, value, span: Span::default() })
            .collect();
        ExpressionKind::Case(Box::new(Case { subject, alternatives, otherwise }))
    })
}

fn labels(inner: Expressions) -> impl Strategy<Value = LabelExpression> {
    let leaf = prop_oneof![
        names().prop_map(LabelKind::Name),
        Just(LabelKind::Wildcard),
        (any::<bool>(), inner)
            .prop_map(|(any, expression)| LabelKind::Dynamic { any, expression: boxed(expression) }),
    ];
    let label = |kind| LabelExpression { kind, span: Span::default() };
    leaf.prop_map(label).prop_recursive(2, 6, 3, move |inner| {
        prop_oneof![
            inner.clone().prop_map(|operand| LabelKind::Not(Box::new(operand))),
            vec(inner.clone(), 2..4).prop_map(LabelKind::And),
            vec(inner.clone(), 2..4).prop_map(LabelKind::Or),
            vec(inner, 2..4).prop_map(LabelKind::Colons),
        ]
        .prop_map(label)
    })
}

fn patterns(inner: Expressions) -> impl Strategy<Value = Pattern> {
    let count =
        || (1..9_u64).prop_map(|count| Expression::new(ExpressionKind::Literal(Literal::Integer(count))));
    let selectors = option::weighted(
        0.3,
        prop_oneof![
            Just(Selector::AnyShortest),
            Just(Selector::AllShortest),
            option::of(count()).prop_map(Selector::Any),
            count().prop_map(Selector::Shortest),
            option::of(count()).prop_map(Selector::ShortestGroups),
        ],
    );
    let group = (paths(inner.clone()), option::of(inner.clone()), option::of(quantifiers())).prop_map(
        |(pattern, condition, quantifier)| {
            PatternElement::Group(PatternGroup {
                pattern: Box::new(pattern),
                condition: condition.map(boxed),
                quantifier,
                span: Span::default(),
            })
        },
    );
    (option::of(names()), selectors, paths(inner), option::weighted(0.2, group)).prop_map(
        |(variable, selector, mut pattern, group)| {
            pattern.variable = variable;
            pattern.selector = selector;
            pattern.elements.extend(group);
            pattern
        },
    )
}

fn quantifiers() -> impl Strategy<Value = Quantifier> {
    (0..3_u64, option::of(3..9_u64)).prop_map(|(least, most)| Quantifier {
        least,
        most,
        span: Span::default(),
    })
}

/// Returns paths of two nodes or more.
#[expect(
    clippy::needless_pass_by_value,
    reason = "a strategy is cheap to clone, and callers have one to give"
)]
fn paths(inner: Expressions) -> impl Strategy<Value = Pattern> {
    let properties = || {
        option::of(
            vec((names(), inner.clone()), 0..2)
                .prop_map(|entries| boxed(Expression::new(ExpressionKind::Map(entries)))),
        )
    };
    let node = || {
        (
            option::of(names()),
            option::of(labels(inner.clone())),
            properties(),
            option::weighted(0.2, inner.clone().prop_map(boxed)),
        )
            .prop_map(|(variable, labels, properties, condition)| NodePattern {
                variable,
                labels,
                properties,
                condition,
                span: Span::default(),
            })
    };
    let hops = (option::of(0..3_u64), option::of(3..9_u64)).prop_map(|(least, most)| Hops {
        least,
        most,
        span: Span::default(),
    });
    let direction = select(vec![Direction::Left, Direction::Right, Direction::Either]);
    let relationship = (
        direction,
        option::of(names()),
        option::of(labels(inner.clone())),
        option::of(hops),
        properties(),
        option::weighted(0.2, inner.clone().prop_map(boxed)),
        option::weighted(0.2, quantifiers()),
    )
        .prop_map(|(direction, variable, types, hops, properties, condition, quantifier)| {
            RelationshipPattern {
                direction,
                variable,
                types,
                hops,
                properties,
                condition,
                quantifier,
                span: Span::default(),
            }
        });
    (node(), vec((relationship, node()), 1..3)).prop_map(|(first, steps)| {
        let mut elements = vec![PatternElement::Node(first)];
        for (relationship, node) in steps {
            elements.extend([PatternElement::Relationship(relationship), PatternElement::Node(node)]);
        }
        Pattern { variable: None, selector: None, shortest: None, elements, span: Span::default() }
    })
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "a strategy is cheap to clone, and callers have one to give"
)]
fn queries(inner: Expressions) -> impl Strategy<Value = Query> {
    let single = || {
        vec(clauses(inner.clone()), 1..3).prop_map(|clauses| SingleQuery { clauses, span: Span::default() })
    };
    (single(), option::weighted(0.2, (any::<bool>(), single()))).prop_map(|(first, union)| Query {
        first,
        unions: union.map(|(all, query)| Union { all, query, span: Span::default() }).into_iter().collect(),
        span: Span::default(),
    })
}

fn clauses(inner: Expressions) -> impl Strategy<Value = Clause> {
    let projection = || {
        let item = (inner.clone(), option::of(names())).prop_map(|(expression, alias)| ProjectionItem {
            expression,
            alias,
            span: Span::default(),
        });
        let sort = (inner.clone(), any::<bool>()).prop_map(|(expression, descending)| SortItem {
            expression,
            descending,
            span: Span::default(),
        });
        let page = (vec(sort, 0..2), option::of(inner.clone()), option::of(inner.clone()))
            .prop_map(|(order, skip, limit)| Page { order, skip, limit });
        (any::<bool>(), any::<bool>(), vec(item, 1..3), page).prop_map(|(distinct, all, items, page)| {
            Projection { distinct, all, items, page, condition: None }
        })
    };
    let set = prop_oneof![
        (names(), names(), inner.clone()).prop_map(|(variable, key, value)| {
            let base = boxed(Expression::new(ExpressionKind::Variable(variable)));
            SetKind::Property { target: Expression::new(ExpressionKind::Property { base, key }), value }
        }),
        (names(), inner.clone()).prop_map(|(variable, value)| SetKind::Merge { variable, value }),
        (names(), labels(inner.clone())).prop_map(|(variable, labels)| SetKind::Labels { variable, labels }),
    ]
    .prop_map(|kind| SetItem { kind, span: Span::default() });
    prop_oneof![
        (any::<bool>(), vec(patterns(inner.clone()), 1..3), option::of(inner.clone())).prop_map(
            |(optional, patterns, condition)| {
                ClauseKind::Match(Match { optional, mode: None, patterns, hints: Vec::new(), condition })
            }
        ),
        projection().prop_map(ClauseKind::Return),
        (projection(), option::of(inner.clone())).prop_map(|(mut projection, condition)| {
            projection.condition = condition;
            ClauseKind::With(projection)
        }),
        (inner.clone(), names()).prop_map(|(list, variable)| ClauseKind::Unwind(Unwind { list, variable })),
        vec(patterns(inner.clone()), 1..3).prop_map(ClauseKind::Create),
        vec(set, 1..3).prop_map(ClauseKind::Set),
        (option::of(any::<bool>()), vec(inner.clone(), 1..3))
            .prop_map(|(detach, expressions)| ClauseKind::Delete(Delete { detach, expressions })),
        (vec(names(), 1..3), option::of(vec(inner, 0..3))).prop_map(|(name, arguments)| {
            ClauseKind::Call(ProcedureCall { optional: false, name, arguments, results: None })
        }),
        Just(ClauseKind::Finish),
    ]
    .prop_map(|kind| Clause { kind, span: Span::default() })
}
