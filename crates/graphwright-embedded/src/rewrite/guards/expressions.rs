//! Guards expressions of all kinds, their parts first.

use graphwright_cypher::syntax::{
    tree::{
        BinaryOperator, ComparisonOperator, Expression, ExpressionKind, Literal, ShortestFunction,
        SubqueryBody, UnaryOperator,
    },
    visit::Visit,
};

use super::{Guard, Kind, Kinds, Operand, Scope, checks::number, cypher, fails};
use crate::rewrite::{
    ADDED,
    kinds::{binary, common},
};

impl Guard<'_, '_> {
    /// Puts guards into and around an expression. Returns what is known of its value.
    pub(super) fn expression(&mut self, expression: &mut Expression, scope: &Scope) -> Kinds {
        match &mut expression.kind {
            ExpressionKind::Literal(literal) => known(literal).into(),
            ExpressionKind::Parameter(name) => {
                let value = self.context.rewritten.parameters.get(&*name.text);
                value.map_or_else(Kinds::default, Kinds::from_value)
            }
            ExpressionKind::Variable(name) => {
                let kinds = scope.get(name).unwrap_or_default();
                let own = if name.text.starts_with(ADDED) { Kind::Ours } else { kinds.own };
                Kinds { own, ..kinds }
            }
            ExpressionKind::Property { .. } => self.property(expression, scope).into(),
            ExpressionKind::Index { base, index } => {
                let known = self.expression(base, scope);
                if known.own == Kind::Unknown {
                    // The engine reads texts in brackets as lists.
                    self.change(base, |base| {
                        cypher!(
                            "CASE WHEN $base IS :: STRING NOT NULL THEN $fail ELSE $base END",
                            base = base,
                            fail = fails("a string has no items"),
                        )
                    });
                }
                self.expression(index, scope);
                known.items.into()
            }
            ExpressionKind::Slice { .. } => self.slice(expression, scope),
            ExpressionKind::Labels { base: operand, .. } | ExpressionKind::Test { operand, .. } => {
                self.expression(operand, scope);
                Kind::Boolean.into()
            }
            ExpressionKind::Unary { operator: UnaryOperator::Not, operand } => {
                self.truth(operand, scope);
                Kind::Boolean.into()
            }
            ExpressionKind::Unary { .. } => self.sign(expression, scope),
            ExpressionKind::Binary { .. } => self.binary(expression, scope).into(),
            ExpressionKind::Logical { operands, .. } => {
                for operand in operands {
                    self.truth(operand, scope);
                }
                Kind::Boolean.into()
            }
            ExpressionKind::Comparison { .. } => {
                self.comparison(expression, scope);
                Kind::Boolean.into()
            }
            ExpressionKind::List(items) => {
                let kinds: Vec<_> = items.iter_mut().map(|item| self.expression(item, scope).own).collect();
                Kinds::list_of(common(kinds.into_iter()))
            }
            ExpressionKind::Map(entries) => {
                for (_, value) in entries {
                    self.expression(value, scope);
                }
                Kind::Map.into()
            }
            ExpressionKind::MapProjection { .. } => self.projection(expression, scope).into(),
            ExpressionKind::Case(_) => self.case(expression, scope).into(),
            ExpressionKind::Call(_) => self.call(expression, scope),
            ExpressionKind::CountStar => Kind::Integer.into(),
            ExpressionKind::ListComprehension(comprehension) => {
                let items = self.gone_through(&mut comprehension.list, scope);
                let mut inner = scope.clone();
                inner.set(&comprehension.variable, items);
                if let Some(condition) = &mut comprehension.condition {
                    self.truth(condition, &inner);
                }
                let value = comprehension.value.as_mut().map(|value| self.expression(value, &inner).own);
                Kinds::list_of(value.unwrap_or(items))
            }
            ExpressionKind::PatternComprehension(comprehension) => {
                let mut inner = scope.clone();
                inner.visit_pattern(&comprehension.pattern);
                if let Some(condition) = &mut comprehension.condition {
                    self.truth(condition, &inner);
                }
                Kinds::list_of(self.expression(&mut comprehension.value, &inner).own)
            }
            ExpressionKind::Quantified(quantified) => {
                let items = self.gone_through(&mut quantified.list, scope);
                let mut inner = scope.clone();
                inner.set(&quantified.variable, items);
                if let Some(condition) = &mut quantified.condition {
                    self.truth(condition, &inner);
                }
                Kind::Boolean.into()
            }
            ExpressionKind::Reduce(reduce) => {
                self.expression(&mut reduce.initial, scope);
                let items = self.gone_through(&mut reduce.list, scope);
                let mut inner = scope.clone();
                inner.set(&reduce.accumulator, Kind::Unknown);
                inner.set(&reduce.variable, items);
                self.expression(&mut reduce.value, &inner);
                Kinds::default()
            }
            ExpressionKind::Subquery(subquery) => {
                match &mut subquery.body {
                    SubqueryBody::Patterns { patterns, condition } => {
                        let mut inner = scope.clone();
                        for path in patterns {
                            inner.visit_pattern(path);
                        }
                        self.filter(condition.as_mut(), &inner);
                    }
                    SubqueryBody::Query(query) => self.query(query, scope),
                }
                Kind::Integer.into()
            }
            ExpressionKind::Pattern(pattern) if pattern.shortest == Some(ShortestFunction::Single) => {
                Kind::Path.into()
            }
            ExpressionKind::Pattern(_) | ExpressionKind::Invalid => Kinds::default(),
        }
    }

    /// Guards an operand of `AND`, `OR`, `XOR` or `NOT`, or a whole condition. A list is true
    /// unless it is empty, as in Neo4j.
    pub(super) fn truth(&mut self, expression: &mut Expression, scope: &Scope) {
        match self.expression(expression, scope).own {
            Kind::Boolean | Kind::Null | Kind::Ours => {}
            Kind::Unknown => self.change(expression, |value| {
                cypher!(
                    "CASE WHEN $value IS :: BOOLEAN THEN $value WHEN $value IS :: LIST<ANY> THEN size($value) > 0 \
                     ELSE $fail END",
                    value = value,
                    fail = fails("a condition must be a boolean"),
                )
            }),
            Kind::List => expression.kind = cypher!("size($list) > 0", list = &*expression).kind,
            _ => self.wrong("a condition must be a boolean", expression),
        }
    }

    /// Guards a list that is iterated. Returns the kind of its items.
    fn gone_through(&mut self, list: &mut Expression, scope: &Scope) -> Kind {
        let kinds = self.expression(list, scope);
        self.list(list, kinds.own);
        kinds.items
    }

    /// Guards a value that is read as a list. If it is no list, it is taken for the only item, as
    /// in Neo4j.
    pub(super) fn list(&mut self, value: &mut Expression, kind: Kind) {
        match kind {
            Kind::Unknown => self.change(value, |value| {
                cypher!("CASE WHEN $value IS :: LIST<ANY> THEN $value ELSE [$value] END", value = value)
            }),
            Kind::Text => value.kind = fails("a list is wanted, not a string").kind,
            _ => {}
        }
    }

    /// Guards `list[from..to]`, which is null if a bound is null.
    fn slice(&mut self, expression: &mut Expression, scope: &Scope) -> Kinds {
        let ExpressionKind::Slice { base, from, to } = &mut expression.kind else { return Kinds::default() };
        let kinds = self.expression(base, scope);
        self.list(base, kinds.own);
        let mut nulls = Vec::new();
        let mut is_null = false;
        for bound in from.iter_mut().chain(to.iter_mut()) {
            match self.expression(bound, scope).own {
                Kind::Null => is_null = true,
                Kind::Unknown => nulls.push(cypher!("$bound IS NULL", bound = &**bound)),
                _ => {}
            }
        }
        if is_null {
            expression.kind = ExpressionKind::Literal(Literal::Null);
        } else if let Some(any) = Expression::any_of(nulls)
            && self.context.may_grow(&any)
        {
            expression.kind =
                cypher!("CASE WHEN $any THEN null ELSE $part END", any = any, part = &*expression).kind;
        }
        Kinds::list_of(kinds.items)
    }

    fn sign(&mut self, expression: &mut Expression, scope: &Scope) -> Kinds {
        let ExpressionKind::Unary { operator, operand } = &mut expression.kind else {
            return Kinds::default();
        };
        let kinds = self.expression(operand, scope);
        let operator = *operator;
        let operand = std::mem::take(&mut **operand);
        // The engine reads no plus here.
        let signed = |value: Expression| match operator {
            UnaryOperator::Minus => cypher!("-$value", value = value),
            _ => value,
        };
        let fail = || fails("only numbers have a sign");
        let result = match kinds.own {
            Kind::Integer | Kind::Float | Kind::Null | Kind::Ours => signed(operand),
            Kind::Duration if operator == UnaryOperator::Plus => operand,
            Kind::Unknown => self.bind([operand], |[value]| {
                cypher!(
                    "CASE WHEN $number THEN $result ELSE $fail END",
                    number = number(value),
                    result = signed(value.clone()),
                    fail = fail(),
                )
            }),
            _ => fail(),
        };
        expression.kind = result.kind;
        kinds.own.into()
    }

    fn binary(&mut self, expression: &mut Expression, scope: &Scope) -> Kind {
        let ExpressionKind::Binary { operator, left, right } = &mut expression.kind else {
            return Kind::Unknown;
        };
        let operator = *operator;
        let kinds = [self.expression(left, scope).own, self.expression(right, scope).own];
        let mut operands = operands([&mut **left, &mut **right], kinds);
        let guarded = match operator {
            BinaryOperator::In => self.within(&mut operands),
            BinaryOperator::StartsWith | BinaryOperator::EndsWith | BinaryOperator::Contains => None,
            BinaryOperator::Matches => self.matched(&mut operands),
            BinaryOperator::Concatenate => self.joined(&mut operands),
            _ => self.arithmetic(operator, &mut operands),
        };
        if let Some(guarded) = guarded {
            expression.kind = guarded.kind;
        } else {
            let [first, second] = operands;
            (**left, **right) = (first.value, second.value);
        }
        binary(operator, kinds[0], kinds[1])
    }

    fn comparison(&mut self, expression: &mut Expression, scope: &Scope) {
        let filters = std::mem::take(&mut self.filters);
        let ExpressionKind::Comparison { first, rest } = &mut expression.kind else { return };
        let [(operator, second)] = rest.as_mut_slice() else { return };
        let operator = *operator;
        let kinds = [self.expression(first, scope).own, self.expression(second, scope).own];
        let mut operands = operands([&mut **first, second], kinds);
        self.filters = filters;
        let compared = self.compared(operator, &mut operands);
        self.filters = false;
        if let Some(guarded) = compared {
            expression.kind = guarded.kind;
        } else {
            let [left, right] = operands;
            (**first, *second) = (left.value, right.value);
        }
    }

    /// Guards a comparison. Returns `None` if the engine is right.
    pub(super) fn compared(
        &mut self,
        operator: ComparisonOperator,
        operands: &mut [Operand; 2],
    ) -> Option<Expression> {
        match operator {
            ComparisonOperator::Equal => self.equal(operands),
            ComparisonOperator::NotEqual => {
                self.equal(operands).map(|equal| cypher!("NOT $equal", equal = equal))
            }
            _ => self.order(operator, operands),
        }
    }
}

fn operands(values: [&mut Expression; 2], kinds: [Kind; 2]) -> [Operand; 2] {
    let [left, right] = values.map(std::mem::take);
    let [first, second] = kinds;
    [Operand { value: left, kind: first }, Operand { value: right, kind: second }]
}

fn known(literal: &Literal) -> Kind {
    match literal {
        Literal::Null => Kind::Null,
        Literal::Boolean(_) => Kind::Boolean,
        Literal::Integer(_) => Kind::Integer,
        Literal::Float(_) | Literal::Infinity | Literal::NotANumber => Kind::Float,
        Literal::String(_) => Kind::Text,
    }
}
