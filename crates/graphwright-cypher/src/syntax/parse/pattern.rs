//! Patterns of paths.

use super::Parser;
use crate::{
    diagnostic::{Code, Diagnostic},
    lexer::{Keyword, TokenKind},
    syntax::tree::{
        Direction, Expression, Hops, NodePattern, Pattern, PatternElement, PatternGroup, Quantifier,
        RelationshipPattern, Selector, ShortestFunction,
    },
};

impl Parser<'_> {
    pub(super) fn patterns(&mut self) -> Vec<Pattern> {
        self.list(Self::pattern)
    }

    /// Reads a path with its variable and its selector.
    pub(super) fn pattern(&mut self) -> Pattern {
        let start = self.start();
        let variable = (self.name_at(0) && self.symbol_at(1, "=")).then(|| {
            let name = self.take_name();
            self.at += 1;
            name
        });
        let selector = self.selector();
        let mut pattern = self.shortest_or_path();
        pattern.variable = variable;
        pattern.selector = selector;
        pattern.span = self.span_from(start);
        pattern
    }

    fn selector(&mut self) -> Option<Selector> {
        let keyword = self.keyword().filter(|_| !self.symbol_at(1, "="))?;
        let selector = match keyword {
            Keyword::All | Keyword::Any if self.keyword_at(1) == Some(Keyword::Shortest) => {
                self.at += 2;
                if keyword == Keyword::All { Selector::AllShortest } else { Selector::AnyShortest }
            }
            Keyword::All => {
                self.at += 1;
                Selector::All
            }
            Keyword::Any => {
                self.at += 1;
                Selector::Any(self.path_count())
            }
            Keyword::Shortest => {
                self.at += 1;
                let count = self.path_count();
                self.eat_paths();
                return Some(match count {
                    _ if self.eat_keyword(Keyword::Groups) || self.eat_keyword(Keyword::Group) => {
                        Selector::ShortestGroups(count)
                    }
                    Some(count) => Selector::Shortest(count),
                    None => {
                        self.fail("how many paths");
                        Selector::AnyShortest
                    }
                });
            }
            _ => return None,
        };
        self.eat_paths();
        Some(selector)
    }

    fn path_count(&mut self) -> Option<Expression> {
        matches!(self.kind(), Some(TokenKind::Integer | TokenKind::Parameter)).then(|| self.atom())
    }

    fn eat_paths(&mut self) {
        if !self.eat_keyword(Keyword::Paths) {
            self.eat_keyword(Keyword::Path);
        }
    }

    pub(super) fn shortest_or_path(&mut self) -> Pattern {
        let start = self.start();
        let function = match self.keyword() {
            Some(Keyword::ShortestPath) => ShortestFunction::Single,
            Some(Keyword::AllShortestPaths) => ShortestFunction::All,
            _ => return self.path(),
        };
        self.at += 1;
        self.expect_symbol("(");
        let mut pattern = self.path();
        self.expect_symbol(")");
        pattern.shortest = Some(function);
        pattern.span = self.span_from(start);
        pattern
    }

    /// Reads nodes, relationships and groups.
    pub(super) fn path(&mut self) -> Pattern {
        let start = self.start();
        let mut elements: Vec<PatternElement> = Vec::new();
        loop {
            let after_node = matches!(elements.last(), Some(PatternElement::Node(_)));
            let after_relationship = matches!(elements.last(), Some(PatternElement::Relationship(_)));
            if self.at_symbol("(") {
                // A node begins with neither a bracket nor the variable of a path.
                let is_group = self.symbol_at(1, "(") || self.name_at(1) && self.symbol_at(2, "=");
                if is_group {
                    let group = self.nested(|parser| Some(parser.group()));
                    elements.extend(group.map(PatternElement::Group));
                } else if after_node {
                    self.fail("a relationship");
                } else {
                    elements.push(PatternElement::Node(self.node()));
                }
            } else if !elements.is_empty()
                && !after_relationship
                && (self.at_symbol("-") || self.at_symbol("<"))
            {
                elements.push(PatternElement::Relationship(self.relationship()));
            } else {
                if elements.is_empty() || after_relationship {
                    self.fail("a node, as `(n)`");
                }
                break;
            }
        }
        Pattern { variable: None, selector: None, shortest: None, elements, span: self.span_from(start) }
    }

    fn group(&mut self) -> PatternGroup {
        let start = self.start();
        self.at += 1;
        let pattern = Box::new(self.pattern());
        let condition = self.condition().map(Box::new);
        self.expect_symbol(")");
        let quantifier = self.quantifier();
        PatternGroup { pattern, condition, quantifier, span: self.span_from(start) }
    }

    fn node(&mut self) -> NodePattern {
        let start = self.start();
        self.at += 1;
        let variable = self.element_variable();
        let from = self.at;
        let labels = self.element_labels();
        self.refuse_colons_behind_bars(from..self.at, "a label");
        let properties = self.element_properties();
        let condition = self.condition().map(Box::new);
        self.expect_symbol(")");
        NodePattern { variable, labels, properties, condition, span: self.span_from(start) }
    }

    fn element_variable(&mut self) -> Option<crate::syntax::tree::Name> {
        let is_word = match self.keyword() {
            // A variable may be called `where` or `is`.
            Some(Keyword::Where) => ![")", "]", ":", "{", "*"].iter().any(|symbol| self.symbol_at(1, symbol)),
            Some(Keyword::Is) => self.name_at(1) || self.symbol_at(1, "!") || self.symbol_at(1, "%"),
            _ => false,
        };
        if is_word { None } else { self.optional_name(&[]) }
    }

    fn element_labels(&mut self) -> Option<crate::syntax::tree::LabelExpression> {
        let outer = std::mem::replace(&mut self.bar_ends, false);
        let labels = (self.eat_symbol(":") || self.eat_keyword(Keyword::Is)).then(|| self.label_expression());
        self.bar_ends = outer;
        labels
    }

    fn element_properties(&mut self) -> Option<Box<Expression>> {
        let is_some = self.at_symbol("{") || self.kind() == Some(TokenKind::Parameter);
        is_some.then(|| Box::new(self.atom()))
    }

    fn relationship(&mut self) -> RelationshipPattern {
        let start = self.start();
        let mut found = RelationshipPattern::default();
        let left = self.eat_symbol("<");
        self.expect_symbol("-");
        if self.eat_symbol("[") {
            found.variable = self.element_variable();
            let from = self.at;
            found.types = self.element_labels();
            let types = from..self.at;
            found.hops = self.hops();
            found.properties = self.element_properties();
            found.condition = self.condition().map(Box::new);
            self.expect_symbol("]");
            if !found.has_only_types() {
                self.refuse_colons_behind_bars(types, "a type");
            }
        }
        self.expect_symbol("-");
        let right = self.eat_symbol(">");
        found.direction = match (left, right) {
            (true, false) => Direction::Left,
            (false, true) => Direction::Right,
            _ => Direction::Either,
        };
        found.quantifier = self.quantifier();
        found.span = self.span_from(start);
        found
    }

    fn hops(&mut self) -> Option<Hops> {
        let start = self.start();
        if !self.eat_symbol("*") {
            return None;
        }
        let least = self.optional_integer();
        let most = if self.eat_symbol("..") { self.optional_integer() } else { least };
        let span = self.span_from(start);
        Some(Hops { least, most, span })
    }

    fn optional_integer(&mut self) -> Option<u64> {
        (self.kind() == Some(TokenKind::Integer)).then(|| {
            self.at += 1;
            let token = self.at - 1;
            self.integer_up_to(token, i64::MAX as u64)
        })
    }

    fn quantifier(&mut self) -> Option<Quantifier> {
        let start = self.start();
        let (least, most) = if self.eat_symbol("+") {
            (1, None)
        } else if self.eat_symbol("*") {
            (0, None)
        } else if self.eat_symbol("{") {
            let least = self.optional_integer();
            let most = if self.eat_symbol(",") {
                self.optional_integer()
            } else {
                if least.is_none() {
                    self.fail("how often the path repeats");
                }
                least
            };
            self.expect_symbol("}");
            (least.unwrap_or(0), most)
        } else {
            return None;
        };
        let span = self.span_from(start);
        if most.is_some_and(|most| most < least) && !self.failed {
            let message = "expected the lower bound before the upper one, found them the other way round";
            self.report(Diagnostic::new(Code::UnexpectedSyntax, span, message));
        }
        Some(Quantifier { least, most, span })
    }

    /// Returns whether the bracket `offset` tokens ahead begins a path of two or more nodes rather
    /// than an expression.
    pub(super) fn pattern_ahead(&self, offset: usize) -> bool {
        let length = self.partner_offset(offset);
        if length == 0 || !self.node_ahead(offset) {
            return false;
        }
        let arrow = offset + length + 1;
        let line = if self.symbol_at(arrow, "<") && self.symbol_at(arrow + 1, "-") {
            arrow + 1
        } else if self.symbol_at(arrow, "-") {
            arrow
        } else {
            return false;
        };
        if self.symbol_at(line + 1, "[") {
            let length = self.partner_offset(line + 1);
            return length > 0 && self.symbol_at(line + 1 + length + 1, "-");
        }
        // Only these continue a path: `(a)--b` subtracts a negative number.
        let after = if self.symbol_at(line + 2, ">") { line + 3 } else { line + 2 };
        self.symbol_at(line + 1, "-")
            && ["(", "{", "+", "*"].iter().any(|symbol| self.symbol_at(after, symbol))
    }

    /// Returns whether the content of the bracket begins like a node.
    fn node_ahead(&self, offset: usize) -> bool {
        let follows = |at: usize| {
            [")", ":", "{"].iter().any(|symbol| self.symbol_at(at, symbol))
                || matches!(self.keyword_at(at), Some(Keyword::Where | Keyword::Is))
                || self.kind_at(at) == Some(TokenKind::Parameter)
        };
        follows(offset + 1) || self.name_at(offset + 1) && follows(offset + 2)
    }
}
