//! Expressions as trees over the tokens of a text.

use std::ops::Range;

use crate::{
    lexer::TokenKind,
    source::{BlockKind, Source},
};

/// An expression and the tokens it is written with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Expression {
    pub(super) tokens: Range<usize>,
    pub(super) shape: Shape,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Null,
    Boolean,
    Integer,
    Float,
    Text,
    Parameter,
    Variable,
    /// `*` of `count(*)`.
    Star,
    Parentheses(Box<Expression>),
    Property(Box<Expression>),
    /// `n:Label`.
    Labelled(Box<Expression>),
    Subscript(Box<Expression>, Box<Expression>),
    /// A list and its bounds, as far as they are written.
    Slice(Box<Expression>, Vec<Expression>),
    /// A call, by its name in lower case.
    Call(String, Vec<Expression>),
    Not(Box<Expression>),
    /// `-x`, `+x`.
    Sign(Box<Expression>),
    Binary(Operator, Box<Expression>, Box<Expression>),
    /// `IS NULL`, `IS :: TYPE` and their opposites.
    Test(Box<Expression>),
    List(Vec<Expression>),
    /// The values of a map.
    Map(Vec<Expression>),
    /// What goes through a list (a comprehension, a quantifier, `reduce`): local variables, then the parts; the
    /// list is the first part, or the second of `reduce`.
    Each(Through, Vec<usize>, Vec<Expression>),
    /// What is compared (if anything), then pairs of condition and result, and the last result.
    Case(Option<Box<Expression>>, Vec<(Expression, Expression)>, Option<Box<Expression>>),
    /// `COUNT { … }`; with the opening brace.
    Subquery(usize),
    /// A pattern comprehension, with its condition and result; `n {.a, b: 1}` with its values.
    Pattern(Vec<Expression>),
    Projection(Vec<Expression>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Through {
    /// `[x IN list WHERE condition | result]`.
    Comprehension,
    /// `all`, `any`, `none`, `single`.
    Quantifier,
    Reduce,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Or,
    Xor,
    And,
    Equal,
    Unequal,
    /// `<`, `<=`, `>`, `>=`.
    Order,
    In,
    /// `STARTS WITH`, `ENDS WITH`, `CONTAINS`, `=~`.
    TextTest,
    Add,
    Join,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    Power,
}

impl Expression {
    /// The parts directly within, in the order in which they are written.
    pub(super) fn parts(&self) -> Vec<&Expression> {
        match &self.shape {
            Shape::Parentheses(inner)
            | Shape::Property(inner)
            | Shape::Labelled(inner)
            | Shape::Not(inner)
            | Shape::Sign(inner)
            | Shape::Test(inner) => vec![inner],
            Shape::Subscript(left, right) | Shape::Binary(_, left, right) => vec![left, right],
            Shape::Slice(list, bounds) => std::iter::once(&**list).chain(bounds).collect(),
            Shape::Call(_, parts)
            | Shape::List(parts)
            | Shape::Map(parts)
            | Shape::Each(_, _, parts)
            | Shape::Pattern(parts)
            | Shape::Projection(parts) => parts.iter().collect(),
            Shape::Case(operand, branches, otherwise) => operand
                .as_deref()
                .into_iter()
                .chain(branches.iter().flat_map(|(condition, result)| [condition, result]))
                .chain(otherwise.as_deref())
                .collect(),
            _ => Vec::new(),
        }
    }

    /// The expression without parentheses around it.
    pub(super) fn bare(&self) -> &Expression {
        match &self.shape {
            Shape::Parentheses(inner) => inner.bare(),
            _ => self,
        }
    }
}

/// Reads a whole range as one expression; `None` if it is none that we know.
pub(super) fn parse(source: &Source<'_>, range: Range<usize>) -> Option<Expression> {
    let mut parser = Parser { source, at: range.start, end: range.end };
    let expression = parser.expression(0)?;
    (parser.at == range.end).then_some(expression)
}

struct Parser<'a, 'b> {
    source: &'a Source<'b>,
    at: usize,
    end: usize,
}

/// Words of expressions that are no variables.
const NO_NAMES: [&str; 18] = [
    "AND", "OR", "XOR", "NOT", "IN", "IS", "STARTS", "ENDS", "CONTAINS", "WITH", "CASE", "WHEN", "THEN",
    "ELSE", "END", "WHERE", "AS", "DISTINCT",
];

/// How tightly `NOT` and a sign hold what follows.
const NOT: u8 = 4;
const SIGN: u8 = 11;

impl Parser<'_, '_> {
    fn symbol(&self, symbol: &str) -> bool {
        self.at < self.end && self.source.is_symbol(self.at, symbol)
    }

    fn word(&self, word: &str) -> bool {
        self.at < self.end && self.source.is_word(self.at, word)
    }

    fn take_symbol(&mut self, symbol: &str) -> Option<()> {
        self.symbol(symbol).then(|| self.at += 1)
    }

    fn take_word(&mut self, word: &str) -> Option<()> {
        self.word(word).then(|| self.at += 1)
    }

    fn make(&self, start: usize, shape: Shape) -> Expression {
        Expression { tokens: start..self.at, shape }
    }

    /// The operator here with its precedence and how many tokens it has.
    fn operator(&self) -> Option<(Operator, u8, usize)> {
        if self.at >= self.end {
            return None;
        }
        let (source, at) = (self.source, self.at);
        let symbols = [
            ("=", Operator::Equal, 5),
            ("<>", Operator::Unequal, 5),
            ("!=", Operator::Unequal, 5),
            ("<", Operator::Order, 5),
            ("<=", Operator::Order, 5),
            (">", Operator::Order, 5),
            (">=", Operator::Order, 5),
            ("=~", Operator::TextTest, 6),
            ("+", Operator::Add, 8),
            ("-", Operator::Subtract, 8),
            ("||", Operator::Join, 8),
            ("*", Operator::Multiply, 9),
            ("/", Operator::Divide, 9),
            ("%", Operator::Modulo, 9),
            ("^", Operator::Power, 10),
        ];
        if let Some((_, operator, level)) = symbols.iter().find(|(symbol, ..)| source.is_symbol(at, symbol)) {
            return Some((*operator, *level, 1));
        }
        let words = [
            ("OR", Operator::Or, 1),
            ("XOR", Operator::Xor, 2),
            ("AND", Operator::And, 3),
            ("IN", Operator::In, 6),
            ("CONTAINS", Operator::TextTest, 6),
        ];
        if let Some((_, operator, level)) = words.iter().find(|(word, ..)| source.is_word(at, word)) {
            return Some((*operator, *level, 1));
        }
        (source.is_any_word(at, &["STARTS", "ENDS"]) && source.is_word(at + 1, "WITH")).then_some((
            Operator::TextTest,
            6,
            2,
        ))
    }

    fn expression(&mut self, least: u8) -> Option<Expression> {
        let start = self.at;
        let mut left = if self.take_word("NOT").is_some() {
            let operand = self.expression(NOT)?;
            self.make(start, Shape::Not(Box::new(operand)))
        } else if self.symbol("-") || self.symbol("+") {
            self.at += 1;
            let operand = self.expression(SIGN)?;
            self.make(start, Shape::Sign(Box::new(operand)))
        } else {
            self.postfix()?
        };
        loop {
            if least <= 6 && self.word("IS") {
                self.type_test()?;
                left = self.make(start, Shape::Test(Box::new(left)));
                continue;
            }
            let Some((operator, level, tokens)) = self.operator().filter(|(_, level, _)| *level >= least)
            else {
                return Some(left);
            };
            self.at += tokens;
            let right = self.expression(level + 1)?;
            left = self.make(start, Shape::Binary(operator, Box::new(left), Box::new(right)));
        }
    }

    /// `IS NULL`, `IS NOT :: LIST<STRING NOT NULL> NOT NULL` …
    fn type_test(&mut self) -> Option<()> {
        self.take_word("IS")?;
        let _ = self.take_word("NOT");
        if self.take_word("NULL").is_some() {
            return Some(());
        }
        if self.take_symbol("::").is_none() {
            self.take_word("TYPED")?;
        }
        let ends = ["AND", "OR", "XOR", "AS", "THEN", "ELSE", "END", "WHEN"];
        while self.at < self.end
            && !self.source.is_any_word(self.at, &ends)
            && !self.source.is_any_symbol(self.at, &[",", ")", "]", "}", "=", "<>"])
        {
            self.at += 1;
        }
        Some(())
    }

    fn postfix(&mut self) -> Option<Expression> {
        let start = self.at;
        let mut found = self.atom()?;
        loop {
            if self.symbol(".") && self.source.is_name(self.at + 1) {
                self.at += 2;
                found = self.make(start, Shape::Property(Box::new(found)));
            } else if self.symbol("[") {
                let close = self.source.partner(self.at);
                found = self.subscript(start, found, close)?;
            } else if self.symbol(":") && self.source.is_name(self.at + 1) {
                while self.symbol(":") && self.source.is_name(self.at + 1) {
                    self.at += 2;
                }
                found = self.make(start, Shape::Labelled(Box::new(found)));
            } else {
                return Some(found);
            }
        }
    }

    fn subscript(&mut self, start: usize, list: Expression, close: usize) -> Option<Expression> {
        let inner = self.at + 1..close;
        let dots = self.source.level(inner.clone()).find(|&index| self.source.is_symbol(index, ".."));
        let shape = match dots {
            Some(dots) => {
                let bounds = [inner.start..dots, dots + 1..inner.end].into_iter();
                let bounds = bounds.filter(|bound| !bound.is_empty());
                let bounds = bounds.map(|bound| parse(self.source, bound)).collect::<Option<_>>()?;
                Shape::Slice(Box::new(list), bounds)
            }
            None => Shape::Subscript(Box::new(list), Box::new(parse(self.source, inner)?)),
        };
        self.at = close + 1;
        Some(self.make(start, shape))
    }

    fn atom(&mut self) -> Option<Expression> {
        if self.at >= self.end {
            return None;
        }
        let (source, start) = (self.source, self.at);
        if source.is_symbol(start, "(") {
            let close = source.partner(start);
            let inner = parse(source, start + 1..close)?;
            self.at = close + 1;
            return Some(self.make(start, Shape::Parentheses(Box::new(inner))));
        }
        if source.is_symbol(start, "[") {
            return self.brackets(start);
        }
        if source.is_symbol(start, "{") {
            let values = self.entries(start)?;
            self.at = source.partner(start) + 1;
            return Some(self.make(start, Shape::Map(values)));
        }
        if let Some(shape) = self.literal(start) {
            self.at += 1;
            return Some(self.make(start, shape));
        }
        if !source.is_name(start) {
            return None;
        }
        if source.is_word(start, "CASE") && !source.is_any_symbol(start + 1, &[".", ")", ","]) {
            return self.case(start);
        }
        if source.subquery(start + 1).is_some_and(|kind| kind != BlockKind::Call) {
            self.at = source.partner(start + 1) + 1;
            return Some(self.make(start, Shape::Subquery(start + 1)));
        }
        self.name(start)
    }

    fn literal(&self, at: usize) -> Option<Shape> {
        let source = self.source;
        Some(match source.kind(at)? {
            TokenKind::Integer => Shape::Integer,
            TokenKind::Float => Shape::Float,
            TokenKind::String => Shape::Text,
            TokenKind::Parameter => Shape::Parameter,
            TokenKind::Symbol("*") => Shape::Star,
            _ if source.is_symbol(at + 1, "(") || source.is_symbol(at + 1, ".") => return None,
            _ if source.is_word(at, "NULL") => Shape::Null,
            _ if source.is_any_word(at, &["TRUE", "FALSE"]) => Shape::Boolean,
            _ => return None,
        })
    }

    /// A variable, a map projection or a call.
    fn name(&mut self, start: usize) -> Option<Expression> {
        let source = self.source;
        let mut last = start;
        while source.is_symbol(last + 1, ".") && source.is_name(last + 2) {
            last += 2;
        }
        if source.is_symbol(last + 1, "(") {
            let name: String = (start..=last).map(|index| source.text(index)).collect();
            return self.call(start, &name.to_lowercase(), last + 1);
        }
        if source.is_any_word(start, &NO_NAMES) && !source.is_any_symbol(start + 1, &[".", ":"]) {
            return None;
        }
        self.at = start + 1;
        if source.is_symbol(start + 1, "{") && source.subquery(start + 1).is_none() {
            let values = self.entries(start + 1)?;
            self.at = source.partner(start + 1) + 1;
            return Some(self.make(start, Shape::Projection(values)));
        }
        Some(self.make(start, Shape::Variable))
    }

    fn call(&mut self, start: usize, name: &str, open: usize) -> Option<Expression> {
        let source = self.source;
        let close = source.partner(open);
        self.at = close + 1;
        let inner = open + 1..close;
        let goes_through = source.is_name(open + 1) && source.is_word(open + 2, "IN");
        if goes_through && ["all", "any", "none", "single"].contains(&name) {
            let parts = self.through(open + 3..close)?;
            return Some(self.make(start, Shape::Each(Through::Quantifier, vec![open + 1], parts)));
        }
        if name == "reduce" && source.is_symbol(open + 2, "=") {
            let comma = source.level(inner.clone()).find(|&index| source.is_symbol(index, ","))?;
            let first = parse(source, open + 3..comma)?;
            let mut parts = vec![first];
            parts.extend(self.through(comma + 3..close)?);
            let variables = vec![open + 1, comma + 1];
            return Some(self.make(start, Shape::Each(Through::Reduce, variables, parts)));
        }
        let inner = if source.is_word(inner.start, "DISTINCT") { inner.start + 1..inner.end } else { inner };
        let arguments = match name {
            "shortestpath" | "allshortestpaths" => Vec::new(),
            _ => super::projection::split(source, inner)
                .into_iter()
                .map(|argument| parse(source, argument))
                .collect::<Option<_>>()?,
        };
        Some(self.make(start, Shape::Call(name.to_owned(), arguments)))
    }

    /// `list WHERE condition | result` as its parts.
    fn through(&self, range: Range<usize>) -> Option<Vec<Expression>> {
        let source = self.source;
        let marks = |index: &usize| {
            source.is_symbol(*index, "|")
                || source.is_word(*index, "WHERE") && !source.is_name_position(*index)
        };
        let mut parts = Vec::new();
        let mut start = range.start;
        for mark in source.level(range.clone()).filter(marks).chain([range.end]) {
            parts.push(parse(source, start..mark)?);
            start = mark + 1;
        }
        Some(parts)
    }

    fn brackets(&mut self, start: usize) -> Option<Expression> {
        let source = self.source;
        let close = source.partner(start);
        self.at = close + 1;
        if source.is_name(start + 1) && source.is_word(start + 2, "IN") {
            let parts = self.through(start + 3..close)?;
            return Some(self.make(start, Shape::Each(Through::Comprehension, vec![start + 1], parts)));
        }
        let bar = source.level(start + 1..close).find(|&index| source.is_symbol(index, "|"));
        if let Some(bar) = bar {
            let filter = source.level(start + 1..bar).find(|&index| source.is_word(index, "WHERE"));
            let mut parts = Vec::new();
            if let Some(filter) = filter {
                parts.push(parse(source, filter + 1..bar)?);
            }
            parts.push(parse(source, bar + 1..close)?);
            return Some(self.make(start, Shape::Pattern(parts)));
        }
        let items = super::projection::split(source, start + 1..close);
        let items = items.into_iter().map(|item| parse(source, item)).collect::<Option<_>>()?;
        Some(self.make(start, Shape::List(items)))
    }

    /// The values of `{a: 1, .b, c, .*}`.
    fn entries(&self, open: usize) -> Option<Vec<Expression>> {
        let source = self.source;
        let mut values = Vec::new();
        for part in super::projection::split(source, open + 1..source.partner(open)) {
            if source.is_symbol(part.start + 1, ":") {
                values.push(parse(source, part.start + 2..part.end)?);
            }
        }
        Some(values)
    }

    fn case(&mut self, start: usize) -> Option<Expression> {
        self.at += 1;
        let operand = if self.word("WHEN") { None } else { Some(Box::new(self.expression(0)?)) };
        let mut branches = Vec::new();
        while self.take_word("WHEN").is_some() {
            let condition = self.expression(0)?;
            self.take_word("THEN")?;
            branches.push((condition, self.expression(0)?));
        }
        let otherwise = match self.take_word("ELSE") {
            Some(()) => Some(Box::new(self.expression(0)?)),
            None => None,
        };
        self.take_word("END")?;
        Some(self.make(start, Shape::Case(operand, branches, otherwise)))
    }
}
