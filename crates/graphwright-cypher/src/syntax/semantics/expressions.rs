//! Expressions: the variables that they use and their possible types.

use graphwright_core::Span;

use super::{
    Aggregates, Checker,
    clauses::Role,
    functions::{self, Function},
    patterns::Purpose,
    types::Type,
};
use crate::{
    diagnostic::{Code, Diagnostic},
    syntax::tree::{
        BinaryOperator, Case, CaseCondition, Expression, ExpressionKind, FunctionCall, Literal, Pattern,
        PatternComprehension, ProjectedEntry, SubqueryBody, SubqueryExpression, SubqueryKind, UnaryOperator,
    },
};

impl<'t> Checker<'t> {
    pub(super) fn optional_condition(&mut self, condition: Option<&'t Expression>) {
        if let Some(condition) = condition {
            self.condition(condition);
        }
    }

    /// Checks an expression that must be true or false, and may be a pattern.
    pub(super) fn condition(&mut self, expression: &'t Expression) {
        if let ExpressionKind::Pattern(pattern) = &expression.kind
            && pattern.shortest.is_none()
        {
            self.patterns(std::slice::from_ref(&**pattern), Purpose::Predicate);
            return;
        }
        let found = self.expression(expression);
        self.expect(found, Type::BOOLEAN, expression.span);
    }

    /// Checks an expression and returns its possible types.
    pub(super) fn expression(&mut self, expression: &'t Expression) -> Type {
        let span = expression.span;
        match &expression.kind {
            ExpressionKind::Literal(literal) => type_of(literal),
            ExpressionKind::Parameter(_) | ExpressionKind::Invalid => Type::ANY,
            ExpressionKind::Variable(name) => self.variable(name),
            ExpressionKind::Property { base, .. } => {
                let found = self.expression(base);
                self.expect(found, Type::HOLDER, base.span);
                if found.is_only(Type::ENTITY) { Type::PROPERTY } else { Type::ANY }
            }
            ExpressionKind::Index { base, index } => {
                let (found, place) = (self.expression(base), self.expression(index));
                if found.is_only(Type::PROPERTY) {
                    self.expect(place, Type::INTEGER, index.span);
                }
                self.element_type(base)
            }
            ExpressionKind::Slice { base, from, to } => {
                let found = self.expression(base);
                self.expect(found, Type::LIST, base.span);
                for bound in [from, to].into_iter().flatten() {
                    let found = self.expression(bound);
                    self.expect(found, Type::INTEGER, bound.span);
                }
                Type::LIST
            }
            ExpressionKind::Labels { base, .. } => {
                let found = self.expression(base);
                self.expect(found, Type::ENTITY, base.span);
                Type::BOOLEAN
            }
            ExpressionKind::Unary { operator: UnaryOperator::Not, operand } => {
                self.condition(operand);
                Type::BOOLEAN
            }
            ExpressionKind::Unary { operand, .. } => {
                let found = self.expression(operand);
                self.expect(found, Type::NUMBER | Type::DURATION, operand.span);
                found
            }
            ExpressionKind::Binary { operator, left, right } => self.binary(*operator, left, right),
            ExpressionKind::Logical { operands, .. } => {
                for operand in operands {
                    self.condition(operand);
                }
                Type::BOOLEAN
            }
            ExpressionKind::Comparison { first, rest } => {
                self.expression(first);
                for (_, operand) in rest {
                    self.expression(operand);
                }
                Type::BOOLEAN
            }
            ExpressionKind::Test { operand, .. } => {
                self.expression(operand);
                Type::BOOLEAN
            }
            ExpressionKind::List(items) => {
                for item in items {
                    self.expression(item);
                }
                Type::LIST
            }
            ExpressionKind::Map(entries) => {
                for (_, value) in entries {
                    self.expression(value);
                }
                Type::MAP
            }
            ExpressionKind::MapProjection { base, items } => {
                let found = self.variable(base);
                self.expect(found, Type::CONTAINER, base.span);
                for item in items {
                    match item {
                        ProjectedEntry::Variable(name) => {
                            self.variable(name);
                        }
                        ProjectedEntry::Entry(_, value) => {
                            self.expression(value);
                        }
                        ProjectedEntry::Property(_) | ProjectedEntry::All => {}
                    }
                }
                Type::MAP
            }
            ExpressionKind::Case(case) => self.case(case),
            ExpressionKind::CountStar => {
                self.aggregate(span, |_| {});
                Type::INTEGER
            }
            ExpressionKind::Call(call) => self.function(call, span),
            ExpressionKind::Pattern(pattern) => self.pattern_value(pattern, span),
            ExpressionKind::Subquery(subquery) => self.subquery_value(subquery),
            ExpressionKind::PatternComprehension(comprehension) => self.pattern_comprehension(comprehension),
            _ => self.over_list(expression),
        }
    }

    /// Checks an expression that reads each element of a list.
    fn over_list(&mut self, expression: &'t Expression) -> Type {
        match &expression.kind {
            ExpressionKind::ListComprehension(comprehension) => {
                let element = self.list_of(&comprehension.list);
                self.with_local(&comprehension.variable, element, |checker| {
                    checker.without_aggregates(|checker| {
                        checker.optional_condition(comprehension.condition.as_ref());
                        if let Some(value) = &comprehension.value {
                            checker.expression(value);
                        }
                    });
                });
                Type::LIST
            }
            ExpressionKind::Quantified(quantified) => {
                let element = self.list_of(&quantified.list);
                self.with_local(&quantified.variable, element, |checker| {
                    checker.without_aggregates(|checker| {
                        checker.optional_condition(quantified.condition.as_ref());
                    });
                });
                Type::BOOLEAN
            }
            ExpressionKind::Reduce(reduce) => {
                self.expression(&reduce.initial);
                let element = self.list_of(&reduce.list);
                self.with_local(&reduce.accumulator, Type::ANY, |checker| {
                    checker.with_local(&reduce.variable, element, |checker| {
                        checker.without_aggregates(|checker| {
                            checker.expression(&reduce.value);
                        });
                    });
                });
                Type::ANY
            }
            _ => Type::ANY,
        }
    }

    /// Runs `read` where no aggregate may stand, as in the expressions evaluated for each element
    /// of a list.
    fn without_aggregates(&mut self, read: impl FnOnce(&mut Self)) {
        let aggregates = match self.aggregates {
            Aggregates::Inside => Aggregates::Inside,
            _ => Aggregates::Forbidden,
        };
        self.with_aggregates(aggregates, read);
    }

    /// Checks a list and returns the type of its elements.
    fn list_of(&mut self, list: &'t Expression) -> Type {
        let found = self.expression(list);
        self.expect(found, Type::LIST, list.span);
        self.element_type(list)
    }

    /// Returns the possible types of a list's elements, if the list is a literal or made by a known
    /// function.
    pub(super) fn element_type(&self, list: &Expression) -> Type {
        if let ExpressionKind::Call(call) = &list.kind {
            return match call.name.as_slice() {
                [name] => functions::elements(&name.text),
                _ => Type::ANY,
            };
        }
        let ExpressionKind::List(items) = &list.kind else { return Type::ANY };
        let element = items.iter().map(|item| match &item.kind {
            ExpressionKind::Literal(literal) => type_of(literal),
            ExpressionKind::Variable(name) => self.scope.get(&*name.text).copied().unwrap_or(Type::ANY),
            ExpressionKind::List(_) => Type::LIST,
            ExpressionKind::Map(_) => Type::MAP,
            _ => Type::ANY,
        });
        element.reduce(|left, right| left | right).unwrap_or(Type::ANY)
    }

    fn binary(&mut self, operator: BinaryOperator, left: &'t Expression, right: &'t Expression) -> Type {
        use BinaryOperator::{
            Add, Concatenate, Contains, Divide, EndsWith, In, Matches, Modulo, Multiply, Power, StartsWith,
            Subtract,
        };
        let (left_type, right_type) = (self.expression(left), self.expression(right));
        match operator {
            In => {
                self.expect(right_type, Type::LIST, right.span);
                Type::BOOLEAN
            }
            StartsWith | EndsWith | Contains | Matches => Type::BOOLEAN,
            // Cypher does not subtract times from each other. SQL does, so this gets advice of its
            // own.
            Subtract if left_type.is_only(Type::TEMPORAL) || right_type.is_only(Type::TEMPORAL) => {
                self.expect(left_type, Type::CALCULABLE, left.span);
                if !right_type.may_be(Type::DURATION) {
                    let message = format!("expected a duration, found {right_type}");
                    let help = "write duration.between(earlier, later)";
                    self.report_with_help(Code::InvalidArgumentType, right.span, message, help);
                }
                Type::TEMPORAL
            }
            Subtract | Multiply | Divide | Modulo | Power => {
                let operand = match operator {
                    Subtract => Type::CALCULABLE,
                    Multiply | Divide => Type::NUMBER_OR_DURATION,
                    _ => Type::NUMBER,
                };
                self.expect(left_type, operand, left.span);
                self.expect(right_type, operand, right.span);
                let known = |found: Type| found == Type::INTEGER || found == Type::FLOAT;
                if !known(left_type) || !known(right_type) {
                    operand
                } else if operator == Power || left_type != right_type {
                    Type::FLOAT
                } else {
                    left_type
                }
            }
            Add if left_type == Type::INTEGER && right_type == Type::INTEGER => Type::INTEGER,
            Add if left_type.is_only(Type::TEMPORAL) => {
                self.expect(right_type, Type::DURATION | Type::LIST, right.span);
                Type::TEMPORAL | Type::LIST
            }
            Add if right_type.is_only(Type::TEMPORAL) => {
                self.expect(left_type, Type::DURATION | Type::LIST, left.span);
                Type::TEMPORAL | Type::LIST
            }
            Add | Concatenate => {
                if operator == Concatenate {
                    self.expect(left_type, Type::TEXT_OR_LIST, left.span);
                    self.expect(right_type, Type::TEXT_OR_LIST, right.span);
                }
                if left_type == Type::LIST || right_type == Type::LIST {
                    Type::LIST
                } else if left_type == Type::STRING && right_type == Type::STRING {
                    Type::STRING
                } else {
                    Type::ANY
                }
            }
        }
    }

    fn case(&mut self, case: &'t Case) -> Type {
        if let Some(subject) = &case.subject {
            self.expression(subject);
        }
        let mut found = Type::NULL;
        for alternative in &case.alternatives {
            for condition in &alternative.conditions {
                match condition {
                    CaseCondition::Value(value) if case.subject.is_none() => self.condition(value),
                    CaseCondition::Value(value)
                    | CaseCondition::Comparison(_, value)
                    | CaseCondition::Binary(_, value) => {
                        self.expression(value);
                    }
                    CaseCondition::Test { .. } => {}
                }
            }
            found = found | self.expression(&alternative.value);
        }
        if let Some(otherwise) = &case.otherwise {
            found = found | self.expression(otherwise);
        }
        found
    }

    fn function(&mut self, call: &'t FunctionCall, span: Span) -> Type {
        let name: Vec<&str> = call.name.iter().map(|part| &*part.text).collect();
        let name = name.join(".");
        let Some(function) = Function::from_name(&name) else {
            // A function with a namespace may have been installed on the server.
            if call.name.len() == 1 {
                let message = format!("expected a function that Cypher has, found `{name}`");
                self.report(Code::UnknownFunction, span, message);
            } else if let Some(variable) = call.name.first().filter(|first| self.was_variable(&first.text)) {
                let message =
                    format!("expected a function, found a method of the variable `{}`", variable.text);
                self.report_with_help(Code::UnknownFunction, span, message, "write function(value)");
            }
            for argument in &call.arguments {
                self.expression(argument);
            }
            return Type::ANY;
        };
        if let [Expression { kind: ExpressionKind::Pattern(pattern), span: argument }] =
            call.arguments.as_slice()
            && name.eq_ignore_ascii_case("size")
            && pattern.shortest.is_none()
        {
            self.with_own_scope(|checker| checker.patterns(std::slice::from_ref(&**pattern), Purpose::Match));
            self.size_of_pattern(span, *argument);
            return Type::INTEGER;
        }
        let count = call.arguments.len();
        if count < function.least || count > function.most {
            let message = format!("expected {}, found {count}", arguments(function.least, function.most));
            self.report(Code::InvalidNumberOfArguments, span, message);
        }
        let read = |checker: &mut Self| {
            for (index, argument) in call.arguments.iter().enumerate() {
                if name.eq_ignore_ascii_case("exists") {
                    checker.existence(argument, (count == 1).then_some(span));
                    continue;
                }
                let found = checker.expression(argument);
                if index == 0 {
                    checker.expect(found, function.argument, argument.span);
                }
            }
        };
        if crate::functions::is_aggregate(&name) {
            self.aggregate(span, read);
        } else {
            // Neo4j refuses an aggregate over random values.
            if name.eq_ignore_ascii_case("rand") && self.aggregates == Aggregates::Inside {
                let message = "expected a value of the row, found a random one";
                self.report(Code::NonConstantExpression, span, message);
            }
            read(self);
        }
        match call.arguments.as_slice() {
            [list] if matches!(name.to_ascii_lowercase().as_str(), "head" | "last") => {
                self.element_type(list)
            }
            _ => function.result,
        }
    }

    /// Checks an argument of `exists`: a pattern or, as in older versions and in the embedded
    /// store, a property. `call` is the span of the call if this is its only argument.
    fn existence(&mut self, argument: &'t Expression, call: Option<Span>) {
        match &argument.kind {
            ExpressionKind::Pattern(_) => self.condition(argument),
            ExpressionKind::Property { .. } | ExpressionKind::Index { .. } | ExpressionKind::Invalid => {
                self.expression(argument);
            }
            kind => {
                let found = self.expression(argument);
                let message = format!("expected a pattern, found {found}");
                let mut diagnostic = Diagnostic::new(Code::InvalidArgumentType, argument.span, message);
                if let (ExpressionKind::Variable(name), Some(call)) = (kind, call) {
                    let fixed =
                        format!("{} IS NOT NULL", self.text.get(name.span.range()).unwrap_or_default());
                    diagnostic = diagnostic.with_help(format!("write {fixed}")).with_fix(call, fixed, true);
                }
                self.diagnostics.push(diagnostic);
            }
        }
    }

    /// Reports `size((a)-->(b))`, which Neo4j 5 no longer has.
    fn size_of_pattern(&mut self, span: Span, argument: Span) {
        let fixed = format!("COUNT {{ {} }}", self.text.get(argument.range()).unwrap_or_default());
        let message = "expected a list or text, found a pattern, which stands only in conditions";
        let diagnostic = Diagnostic::new(Code::UnexpectedSyntax, argument, message)
            .with_help(format!("write {fixed}"))
            .with_fix(span, fixed, true);
        self.diagnostics.push(diagnostic);
    }

    /// Checks the arguments of an aggregate, and whether an aggregate may stand here.
    fn aggregate(&mut self, span: Span, read: impl FnOnce(&mut Self)) {
        match self.aggregates {
            Aggregates::Allowed => {}
            Aggregates::Inside => {
                let message = "expected a value of each row, found an aggregate within an aggregate";
                self.report_with_help(
                    Code::NestedAggregation,
                    span,
                    message,
                    "put the inner one into a WITH before",
                );
            }
            Aggregates::Forbidden => {
                let message = "expected a value of each row, found an aggregate";
                self.report_with_help(
                    Code::InvalidAggregation,
                    span,
                    message,
                    "put the aggregate into a WITH before and use its name here",
                );
            }
        }
        self.with_aggregates(Aggregates::Inside, read);
    }

    fn pattern_value(&mut self, pattern: &'t Pattern, span: Span) -> Type {
        if pattern.shortest.is_some() {
            self.with_own_scope(|checker| checker.patterns(std::slice::from_ref(pattern), Purpose::Match));
            return Type::PATH | Type::LIST;
        }
        let message = "expected a value, found a pattern, which stands only in conditions";
        let help = "write EXISTS { … }, COUNT { … } or a pattern comprehension";
        self.report_with_help(Code::UnexpectedSyntax, span, message, help);
        Type::BOOLEAN
    }

    fn pattern_comprehension(&mut self, comprehension: &'t PatternComprehension) -> Type {
        self.with_own_scope(|checker| {
            checker.without_aggregates(|checker| {
                checker.patterns(std::slice::from_ref(&comprehension.pattern), Purpose::Match);
                checker.optional_condition(comprehension.condition.as_ref());
                checker.expression(&comprehension.value);
            });
        });
        Type::LIST
    }

    fn subquery_value(&mut self, subquery: &'t SubqueryExpression) -> Type {
        let constants = std::mem::replace(&mut self.constants, self.scope.clone());
        self.with_own_scope(|checker| {
            checker.with_aggregates(Aggregates::Forbidden, |checker| match &subquery.body {
                SubqueryBody::Patterns { patterns, condition } => {
                    checker.patterns(patterns, Purpose::Match);
                    checker.optional_condition(condition.as_ref());
                }
                SubqueryBody::Query(query) => checker.query(query, Role::Value),
            });
        });
        self.constants = constants;
        match subquery.kind {
            SubqueryKind::Exists => Type::BOOLEAN,
            SubqueryKind::Count => Type::INTEGER,
            SubqueryKind::Collect => Type::LIST,
        }
    }
}

fn type_of(literal: &Literal) -> Type {
    match literal {
        Literal::Null => Type::NULL,
        Literal::Boolean(_) => Type::BOOLEAN,
        Literal::Integer(_) => Type::INTEGER,
        Literal::Float(_) | Literal::Infinity | Literal::NotANumber => Type::FLOAT,
        Literal::String(_) => Type::STRING,
    }
}

fn arguments(least: usize, most: usize) -> String {
    let plural = if most == 1 { "" } else { "s" };
    match most {
        0 => "no argument".to_owned(),
        usize::MAX => format!("at least {least} argument"),
        _ if least == most => format!("{least} argument{plural}"),
        _ => format!("{least} to {most} argument{plural}"),
    }
}
