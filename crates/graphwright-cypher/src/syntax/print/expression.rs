//! Printing of expressions.

use super::{Place, Printer};
use crate::{
    lexer::Keyword,
    syntax::{
        level,
        tree::{
            BinaryOperator, CallForm, Case, CaseCondition, ComparisonOperator, Expression, ExpressionKind,
            FunctionCall, Literal, LogicalOperator, Name, NormalForm, ProjectedEntry, QuantifiedKind,
            SubqueryBody, SubqueryExpression, SubqueryKind, Test, TrimSide, TypeKind, UnaryOperator,
            ValueType,
        },
    },
};

impl LogicalOperator {
    /// Returns the operator as Cypher writes it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Or => "OR",
            Self::Xor => "XOR",
            Self::And => "AND",
        }
    }
}

impl BinaryOperator {
    /// Returns the operator as Cypher writes it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::In => "IN",
            Self::StartsWith => "STARTS WITH",
            Self::EndsWith => "ENDS WITH",
            Self::Contains => "CONTAINS",
            Self::Matches => "=~",
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Concatenate => "||",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Modulo => "%",
            Self::Power => "^",
        }
    }
}

impl ComparisonOperator {
    /// Returns the operator as Cypher writes it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::NotEqual => "<>",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
        }
    }
}

impl NormalForm {
    fn as_str(self) -> &'static str {
        match self {
            Self::Nfc => "NFC",
            Self::Nfd => "NFD",
            Self::Nfkc => "NFKC",
            Self::Nfkd => "NFKD",
        }
    }
}

fn level_of(expression: &Expression) -> u8 {
    match &expression.kind {
        ExpressionKind::Logical { operator, .. } => operator.level(),
        ExpressionKind::Unary { operator: UnaryOperator::Not, .. } => level::NOT,
        // Behind a path, `-` and `<` would continue it.
        ExpressionKind::Pattern(pattern) if pattern.shortest.is_none() => level::NOT,
        ExpressionKind::Comparison { .. } => level::COMPARISON,
        ExpressionKind::Test { .. } => level::PREDICATE,
        ExpressionKind::Binary { operator, .. } => operator.level(),
        ExpressionKind::Unary { .. } => level::SIGN,
        ExpressionKind::Labels { .. } => level::LABELS,
        ExpressionKind::Property { .. } | ExpressionKind::Index { .. } | ExpressionKind::Slice { .. } => {
            level::POSTFIX
        }
        _ => level::VALUE,
    }
}

/// Returns whether the first element of a list would be read as the beginning of a comprehension.
fn reads_as_comprehension(expression: &Expression) -> bool {
    match &expression.kind {
        ExpressionKind::Binary { operator: BinaryOperator::In, left, .. } => {
            matches!(left.kind, ExpressionKind::Variable(_)) || reads_as_comprehension(left)
        }
        ExpressionKind::Binary { left, .. } => begins_with_pattern(left) || reads_as_comprehension(left),
        ExpressionKind::Logical { operands, .. } => {
            operands.first().is_some_and(|first| begins_with_pattern(first) || reads_as_comprehension(first))
        }
        ExpressionKind::Comparison { first, .. } => reads_as_comprehension(first),
        ExpressionKind::Test { operand, .. } => reads_as_comprehension(operand),
        _ => false,
    }
}

fn begins_with_pattern(expression: &Expression) -> bool {
    matches!(&expression.kind, ExpressionKind::Pattern(pattern) if pattern.shortest.is_none())
}

impl Printer<'_> {
    pub(super) fn expression(&mut self, expression: &Expression) {
        self.expression_in(expression, false);
    }

    pub(super) fn expression_before_bar(&mut self, expression: &Expression) {
        self.expression_in(expression, true);
    }

    fn expression_in(&mut self, expression: &Expression, bar_ends: bool) {
        let outer = std::mem::replace(&mut self.bar_ends, bar_ends);
        self.bare(expression);
        self.bar_ends = outer;
    }

    /// An operand, in brackets unless it holds together at least so strongly.
    fn operand(&mut self, place: Place, expression: &Expression, least: u8) {
        if level_of(expression) < least || self.dialect.brackets(place, expression) {
            self.in_brackets(expression);
        } else {
            self.bare(expression);
        }
    }

    fn in_brackets(&mut self, expression: &Expression) {
        self.push("(");
        self.expression(expression);
        self.push(self.dialect.before_closing(expression));
        self.push(")");
    }

    fn bare(&mut self, expression: &Expression) {
        self.note(expression.span);
        let brackets = self.bar_ends && self.dialect.brackets(Place::BeforeBar, expression);
        self.push(if brackets { "(" } else { "" });
        if self.text.ends_with('(') {
            self.push(self.dialect.behind_opening(expression));
        }
        self.kind(expression);
        self.push(if brackets { ")" } else { "" });
    }

    fn kind(&mut self, expression: &Expression) {
        match &expression.kind {
            ExpressionKind::Literal(literal) => self.literal(literal),
            ExpressionKind::Parameter(name) => {
                self.push("$");
                // A parameter may be a number.
                let plain = !name.text.is_empty() && name.text.chars().all(crate::lexer::is_name_part);
                if plain { self.push(&name.text) } else { self.name(name) }
            }
            ExpressionKind::Variable(name) => self.variable(name),
            ExpressionKind::Property { base, key } => {
                self.operand(Place::Base, base, level::POSTFIX);
                self.push(".");
                self.name(key);
            }
            ExpressionKind::Index { base, index } => {
                self.operand(Place::Base, base, level::POSTFIX);
                self.push("[");
                self.part(index);
                self.push("]");
            }
            ExpressionKind::Slice { base, from, to } => {
                self.operand(Place::Base, base, level::POSTFIX);
                self.push("[");
                for (word, bound) in [("", from), ("..", to)] {
                    if let Some(bound) = bound {
                        self.push(word);
                        self.part(bound);
                    }
                }
                self.push(if to.is_none() { "..]" } else { "]" });
            }
            ExpressionKind::Labels { base, labels } => {
                self.operand(Place::Base, base, level::POSTFIX);
                self.push(":");
                let brackets = self.bar_ends && matches!(labels.kind, crate::syntax::tree::LabelKind::Or(_));
                self.push(if brackets { "(" } else { "" });
                self.labels(labels);
                self.push(if brackets { ")" } else { "" });
            }
            ExpressionKind::Unary { operator, operand } => {
                let (text, least) = match operator {
                    UnaryOperator::Minus => ("-", level::SIGN),
                    UnaryOperator::Plus => ("+", level::SIGN),
                    UnaryOperator::Not => ("NOT ", level::NOT),
                };
                self.push(text);
                self.operand(Place::Behind(*operator), operand, least);
            }
            ExpressionKind::Binary { operator, left, right } => {
                let own = operator.level();
                self.operand(Place::Left(*operator), left, own);
                self.push(" ");
                self.push(operator.as_str());
                self.push(" ");
                // `a - -(b)` would be read as a path.
                let sign = matches!(right.kind, ExpressionKind::Unary { .. });
                self.operand(Place::Right(*operator), right, if sign { level::VALUE } else { own + 1 });
            }
            ExpressionKind::Logical { operator, operands } => {
                let own = operator.level();
                let between = format!(" {} ", operator.as_str());
                self.separated(operands, &between, |printer, operand| {
                    printer.operand(Place::Joined(*operator), operand, own + 1);
                });
            }
            ExpressionKind::Comparison { first, rest } => {
                self.operand(Place::Compared, first, level::PREDICATE);
                for (operator, operand) in rest {
                    self.push(" ");
                    self.push(operator.as_str());
                    self.push(" ");
                    self.operand(Place::Compared, operand, level::PREDICATE);
                }
            }
            ExpressionKind::Test { operand, negated, test } => {
                self.operand(Place::Tested, operand, level::PREDICATE);
                self.push(" ");
                self.test(*negated, test);
            }
            ExpressionKind::List(items) => self.list(items),
            ExpressionKind::Map(entries) => {
                self.push("{");
                self.separated(entries, ", ", |printer, (key, value)| printer.entry(key, value));
                self.push("}");
            }
            ExpressionKind::MapProjection { base, items } => self.map_projection(base, items),
            ExpressionKind::Case(case) => self.case(case),
            ExpressionKind::Call(call) => self.function(call),
            ExpressionKind::CountStar => self.push("count(*)"),
            ExpressionKind::ListComprehension(comprehension) => {
                self.push("[");
                self.element_of(&comprehension.variable, &comprehension.list, true);
                if let Some(condition) = &comprehension.condition {
                    self.push(" WHERE ");
                    self.expression_before_bar(condition);
                }
                self.optional(" | ", comprehension.value.as_ref());
                self.push("]");
            }
            ExpressionKind::PatternComprehension(comprehension) => {
                self.push("[");
                self.pattern(&comprehension.pattern);
                if let Some(condition) = &comprehension.condition {
                    self.push(" WHERE ");
                    self.expression_before_bar(condition);
                }
                self.push(" | ");
                self.expression(&comprehension.value);
                self.push("]");
            }
            ExpressionKind::Quantified(quantified) => {
                self.push(match quantified.kind {
                    QuantifiedKind::All => "all(",
                    QuantifiedKind::Any => "any(",
                    QuantifiedKind::None => "none(",
                    QuantifiedKind::Single => "single(",
                });
                self.element_of(&quantified.variable, &quantified.list, false);
                self.optional(" WHERE ", quantified.condition.as_ref());
                self.push(")");
            }
            ExpressionKind::Reduce(reduce) => {
                self.push("reduce(");
                self.variable(&reduce.accumulator);
                self.push(" = ");
                self.expression(&reduce.initial);
                self.push(", ");
                self.element_of(&reduce.variable, &reduce.list, true);
                self.push(" | ");
                self.expression(&reduce.value);
                self.push(")");
            }
            ExpressionKind::Subquery(subquery) => self.subquery_expression(subquery),
            ExpressionKind::Pattern(pattern) => self.pattern(pattern),
            ExpressionKind::Invalid => {}
        }
    }

    fn element_of(&mut self, variable: &Name, list: &Expression, before_bar: bool) {
        self.variable(variable);
        self.push(" IN ");
        self.part_in(list, before_bar);
    }

    /// Writes an expression in a place where the engine reads no comparison without brackets.
    pub(super) fn part(&mut self, expression: &Expression) {
        self.part_in(expression, false);
    }

    pub(super) fn part_before_bar(&mut self, expression: &Expression) {
        self.part_in(expression, true);
    }

    fn part_in(&mut self, expression: &Expression, bar_ends: bool) {
        if self.dialect.brackets(Place::Part, expression) {
            self.in_brackets(expression);
        } else {
            self.expression_in(expression, bar_ends);
        }
    }

    fn entry(&mut self, key: &Name, value: &Expression) {
        self.name(key);
        self.push(": ");
        self.expression(value);
    }

    fn literal(&mut self, literal: &Literal) {
        match literal {
            Literal::Null => self.push("null"),
            Literal::Boolean(value) => self.push(if *value { "true" } else { "false" }),
            Literal::Integer(value) => self.push(&value.to_string()),
            Literal::Float(value) if value.is_finite() => self.push(&format!("{value:?}")),
            Literal::Infinity | Literal::Float(f64::INFINITY) => self.push(self.dialect.infinity()),
            Literal::NotANumber | Literal::Float(_) => self.push(self.dialect.not_a_number()),
            Literal::String(value) => {
                self.push("'");
                for character in value.chars() {
                    match character {
                        '\\' => self.push(r"\\"),
                        '\'' => self.push(r"\'"),
                        _ => match self.dialect.escape(character) {
                            Some(escape) => self.push(escape),
                            None => self.text.push(character),
                        },
                    }
                }
                self.push("'");
            }
        }
    }

    fn list(&mut self, items: &[Expression]) {
        self.push("[");
        for (index, item) in items.iter().enumerate() {
            self.push(if index > 0 { ", " } else { "" });
            if index == 0 && reads_as_comprehension(item) {
                self.in_brackets(item);
            } else {
                self.expression(item);
            }
        }
        self.push("]");
    }

    fn map_projection(&mut self, base: &Name, items: &[ProjectedEntry]) {
        // `count {` would begin a subquery.
        let subquery = matches!(Keyword::from_word(&base.text), Some(Keyword::Count | Keyword::Collect));
        if subquery {
            self.name_unless(base, true);
        } else {
            self.variable(base);
        }
        self.push(" {");
        self.separated(items, ", ", |printer, item| match item {
            ProjectedEntry::All => printer.push(".*"),
            ProjectedEntry::Property(key) => {
                printer.push(".");
                printer.name(key);
            }
            ProjectedEntry::Variable(name) => printer.name(name),
            ProjectedEntry::Entry(key, value) => printer.entry(key, value),
        });
        self.push("}");
    }

    fn function(&mut self, call: &FunctionCall) {
        // The parser has forms of its own for these names; in back-ticks they are plain functions.
        let special = match call.name.as_slice() {
            [only] => match Keyword::from_word(&only.text) {
                Some(Keyword::Trim | Keyword::Normalize) => {
                    call.form == CallForm::Plain && call.arguments.len() != 1
                }
                Some(Keyword::Reduce) => true,
                keyword => keyword.is_some_and(|keyword| keyword.is_reserved() && keyword != Keyword::Exists),
            },
            _ => false,
        };
        self.separated(&call.name, ".", |printer, part| printer.name_unless(part, special));
        self.push(if call.distinct { "(DISTINCT " } else { "(" });
        match call.form {
            CallForm::Plain => self.separated(&call.arguments, ", ", Self::expression),
            CallForm::Trim(side) => {
                self.push(match side {
                    TrimSide::Both => "BOTH ",
                    TrimSide::Leading => "LEADING ",
                    TrimSide::Trailing => "TRAILING ",
                });
                if let Some((text, characters)) = call.arguments.split_last() {
                    self.separated(characters, ", ", Self::expression);
                    self.push(if characters.is_empty() { "FROM " } else { " FROM " });
                    self.expression(text);
                }
            }
            CallForm::Normalize(form) => {
                self.separated(&call.arguments, ", ", Self::expression);
                self.push(", ");
                self.push(form.as_str());
            }
        }
        self.push(")");
    }

    fn case(&mut self, case: &Case) {
        self.push("CASE");
        self.optional(" ", case.subject.as_ref());
        for alternative in &case.alternatives {
            self.push(" WHEN ");
            self.separated(&alternative.conditions, ", ", Self::case_condition);
            self.push(" THEN ");
            self.expression(&alternative.value);
        }
        self.optional(" ELSE ", case.otherwise.as_ref());
        self.push(" END");
    }

    fn case_condition(&mut self, condition: &CaseCondition) {
        match condition {
            CaseCondition::Value(value) => self.expression(value),
            CaseCondition::Comparison(operator, value) => {
                self.push(operator.as_str());
                self.push(" ");
                self.expression(value);
            }
            CaseCondition::Binary(operator, value) => {
                self.push(operator.as_str());
                self.push(" ");
                self.expression(value);
            }
            CaseCondition::Test { negated, test } => self.test(*negated, test),
        }
    }

    fn test(&mut self, negated: bool, test: &Test) {
        self.push(if negated { "IS NOT " } else { "IS " });
        match test {
            Test::Null => self.push("NULL"),
            Test::Normalized(form) => {
                self.push(form.map_or("", NormalForm::as_str));
                self.push(if form.is_some() { " NORMALIZED" } else { "NORMALIZED" });
            }
            Test::Type(value_type) => {
                self.push(":: ");
                self.value_type(value_type);
            }
        }
    }

    fn value_type(&mut self, value_type: &ValueType) {
        match &value_type.kind {
            TypeKind::Named(name) => self.push(name),
            TypeKind::List(inner) => {
                self.push("LIST<");
                self.value_type(inner);
                self.push(">");
            }
            TypeKind::Union(parts) => {
                let [open, close] = self.dialect.around_types();
                self.push(open);
                self.separated(parts, " | ", Self::value_type);
                self.push(close);
            }
        }
        self.push(if value_type.not_null { " NOT NULL" } else { "" });
    }

    fn subquery_expression(&mut self, subquery: &SubqueryExpression) {
        self.push(match subquery.kind {
            SubqueryKind::Exists => "EXISTS { ",
            SubqueryKind::Count => "COUNT { ",
            SubqueryKind::Collect => "COLLECT { ",
        });
        self.inline += 1;
        match &subquery.body {
            SubqueryBody::Patterns { patterns, condition } => {
                self.separated(patterns, ", ", Self::pattern);
                self.optional(" WHERE ", condition.as_ref());
            }
            SubqueryBody::Query(query) => self.query(query),
        }
        self.inline -= 1;
        self.push(" }");
    }
}
