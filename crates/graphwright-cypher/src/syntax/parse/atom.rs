//! Values: literals, names, calls, maps, lists and brackets.

use super::Parser;
use crate::{
    diagnostic::{Code, Diagnostic},
    lexer::{Keyword, TokenKind, unescape, unquote},
    syntax::tree::{
        CallForm, Expression, ExpressionKind, FunctionCall, Literal, Name, NormalForm, ProjectedEntry,
        TrimSide,
    },
};

impl Parser<'_> {
    pub(super) fn atom(&mut self) -> Expression {
        let start = self.start();
        let kind = match self.kind() {
            Some(TokenKind::Word) => self.word(),
            Some(TokenKind::QuotedName) => self.named(),
            Some(TokenKind::Integer) => {
                self.at += 1;
                ExpressionKind::Literal(Literal::Integer(self.signed_integer_value()))
            }
            Some(TokenKind::Float) => {
                self.at += 1;
                ExpressionKind::Literal(Literal::Float(self.float_value()))
            }
            Some(TokenKind::String) => {
                self.at += 1;
                ExpressionKind::Literal(Literal::String(unescape(self.token_text(self.at - 1)).into()))
            }
            Some(TokenKind::Parameter) => {
                self.at += 1;
                let text = unquote(self.token_text(self.at - 1).get(1..).unwrap_or_default());
                ExpressionKind::Parameter(Name { text: text.into(), span: self.span_from(start) })
            }
            Some(TokenKind::Symbol("(")) => return self.brackets(),
            Some(TokenKind::Symbol("[")) => self.brackets_of_list(),
            Some(TokenKind::Symbol("{")) => self.map(),
            _ => {
                self.fail("an expression");
                ExpressionKind::Invalid
            }
        };
        Expression { kind, span: self.span_from(start) }
    }

    fn brackets(&mut self) -> Expression {
        let start = self.start();
        if self.pattern_ahead(0) {
            let pattern = Box::new(self.path());
            return Expression { kind: ExpressionKind::Pattern(pattern), span: self.span_from(start) };
        }
        self.at += 1;
        let mut inner = self.expression();
        self.expect_symbol(")");
        // The tree has no node for brackets, so the inner expression covers them.
        inner.span = self.span_from(start);
        inner
    }

    fn map(&mut self) -> ExpressionKind {
        self.at += 1;
        ExpressionKind::Map(self.list_until("}", |parser| {
            let key = parser.expect_name("a key");
            parser.expect_symbol(":");
            (key, parser.expression())
        }))
    }

    fn word(&mut self) -> ExpressionKind {
        let Some(keyword) = self.keyword() else { return self.named() };
        let call = self.symbol_at(1, "(");
        let braces = self.symbol_at(1, "{") && !self.symbol_at(2, ".");
        let literal = match keyword {
            Keyword::True => Literal::Boolean(true),
            Keyword::False => Literal::Boolean(false),
            Keyword::Null => Literal::Null,
            Keyword::Inf | Keyword::Infinity => Literal::Infinity,
            Keyword::Nan => Literal::NotANumber,
            Keyword::Count if call && self.symbol_at(2, "*") && self.symbol_at(3, ")") => {
                self.at += 4;
                return ExpressionKind::CountStar;
            }
            // `count {.*}` projects a variable with that name.
            Keyword::Exists | Keyword::Count | Keyword::Collect if braces => {
                return self.subquery_expression(keyword);
            }
            Keyword::All | Keyword::Any | Keyword::None | Keyword::Single
                if call && self.name_at(2) && self.keyword_at(3) == Some(Keyword::In) =>
            {
                return self.quantified(keyword);
            }
            Keyword::Reduce if call && self.name_at(2) && self.symbol_at(3, "=") => return self.reduce(),
            Keyword::ShortestPath | Keyword::AllShortestPaths if call => {
                return ExpressionKind::Pattern(Box::new(self.shortest_or_path()));
            }
            Keyword::Trim if call => return self.trim(),
            Keyword::Normalize if call => return self.normalize(),
            Keyword::Case if !self.name_here() => return self.case(),
            _ if is_structural(keyword) && !self.name_here() => {
                self.fail("an expression");
                return ExpressionKind::Invalid;
            }
            _ => return self.named(),
        };
        self.at += 1;
        ExpressionKind::Literal(literal)
    }

    /// Returns whether a structural keyword can only be a name here, as the next token shows.
    fn name_here(&self) -> bool {
        match self.kind_at(1) {
            None => true,
            Some(TokenKind::Symbol(symbol)) => match symbol {
                "(" | "{" | "$" => false,
                "*" => !matches!(self.keyword(), Some(Keyword::Return | Keyword::With)),
                "[" => !matches!(self.keyword(), Some(Keyword::Unwind | Keyword::In | Keyword::Case)),
                "-" | "+" => !matches!(
                    self.keyword(),
                    Some(Keyword::Case | Keyword::Return | Keyword::Limit | Keyword::Skip)
                ),
                _ => true,
            },
            Some(TokenKind::Word) => self.keyword_at(1).is_some_and(|next| {
                let is_by = matches!(
                    next,
                    Keyword::By
                        | Keyword::All
                        | Keyword::Distinct
                        | Keyword::When
                        | Keyword::Not
                        | Keyword::Case
                );
                is_structural(next)
                    && !is_by
                    && !matches!(
                        (self.keyword(), next),
                        (Some(Keyword::Optional), Keyword::Match | Keyword::Call)
                            | (Some(Keyword::Detach | Keyword::NoDetach), Keyword::Delete)
                            | (Some(Keyword::Starts | Keyword::Ends), Keyword::With)
                    )
            }),
            Some(_) => false,
        }
    }

    /// Reads a variable, a function call or a map projection.
    fn named(&mut self) -> ExpressionKind {
        let mut parts = 1;
        while self.symbol_at(parts, ".") && self.name_at(parts + 1) {
            parts += 2;
        }
        if self.symbol_at(parts, "(") {
            return self.function(parts.div_ceil(2));
        }
        let name = self.take_name();
        if self.at_symbol("{") {
            return self.map_projection(name);
        }
        ExpressionKind::Variable(name)
    }

    fn function(&mut self, parts: usize) -> ExpressionKind {
        let mut name = Vec::with_capacity(parts);
        for part in 0..parts {
            self.at += usize::from(part > 0);
            name.push(self.take_name());
        }
        self.at += 1;
        let distinct = self.at_distinct();
        self.at += usize::from(distinct);
        // `count(ALL x)` is `count(x)`, but `count(all)` counts a variable.
        if self.at_keyword(Keyword::All) && (self.name_at(1) || self.kind_at(1) == Some(TokenKind::Parameter))
        {
            self.at += 1;
        }
        let arguments = self.list_until(")", Self::expression);
        ExpressionKind::Call(Box::new(FunctionCall { name, distinct, arguments, form: CallForm::Plain }))
    }

    fn trim(&mut self) -> ExpressionKind {
        let side = match self.keyword_at(2) {
            // `trim(both)` trims a variable.
            _ if [")", ".", ","].iter().any(|symbol| self.symbol_at(3, symbol)) => None,
            Some(Keyword::Both) => Some(TrimSide::Both),
            Some(Keyword::Leading) => Some(TrimSide::Leading),
            Some(Keyword::Trailing) => Some(TrimSide::Trailing),
            _ => None,
        };
        let name = vec![self.take_name()];
        self.at += 1 + usize::from(side.is_some());
        let mut arguments = Vec::new();
        // `trim(from)` trims a variable.
        let at_from = self.at_keyword(Keyword::From) && !self.name_here();
        if !at_from && !self.at_symbol(")") {
            arguments = self.list(Self::expression);
        }
        let mut form = side.map_or(CallForm::Plain, CallForm::Trim);
        if self.eat_keyword(Keyword::From) {
            form = CallForm::Trim(side.unwrap_or(TrimSide::Both));
            arguments.push(self.expression());
        } else if side.is_some() {
            self.fail_keyword("FROM", &["FROM"]);
        }
        self.expect_symbol(")");
        ExpressionKind::Call(Box::new(FunctionCall { name, distinct: false, arguments, form }))
    }

    fn normalize(&mut self) -> ExpressionKind {
        let name = vec![self.take_name()];
        self.at += 1;
        let arguments = vec![self.expression()];
        let mut form = CallForm::Plain;
        if self.eat_symbol(",") {
            match self.normal_form() {
                Some(found) => form = CallForm::Normalize(found),
                None => self.fail_keyword("NFC, NFD, NFKC or NFKD", &["NFC", "NFD", "NFKC", "NFKD"]),
            }
        }
        self.expect_symbol(")");
        ExpressionKind::Call(Box::new(FunctionCall { name, distinct: false, arguments, form }))
    }

    pub(super) fn normal_form(&mut self) -> Option<NormalForm> {
        let form = match self.keyword()? {
            Keyword::Nfc => NormalForm::Nfc,
            Keyword::Nfd => NormalForm::Nfd,
            Keyword::Nfkc => NormalForm::Nfkc,
            Keyword::Nfkd => NormalForm::Nfkd,
            _ => return None,
        };
        self.at += 1;
        Some(form)
    }

    fn map_projection(&mut self, base: Name) -> ExpressionKind {
        self.at += 1;
        let items = self.list_until("}", |parser| {
            if parser.eat_symbol(".") {
                if parser.eat_symbol("*") {
                    return ProjectedEntry::All;
                }
                return ProjectedEntry::Property(parser.expect_name("a property"));
            }
            let name = parser.expect_name("`.property`, a variable or a key");
            if parser.eat_symbol(":") {
                return ProjectedEntry::Entry(name, parser.expression());
            }
            ProjectedEntry::Variable(name)
        });
        ExpressionKind::MapProjection { base, items }
    }

    /// Returns the value of the integer just read, which may be 2⁶³ behind a minus.
    fn signed_integer_value(&mut self) -> u64 {
        let token = self.at - 1;
        let negative = token
            .checked_sub(1)
            .and_then(|before| self.tokens.get(before))
            .is_some_and(|before| before.is_symbol("-"));
        self.integer_up_to(token, i64::MAX as u64 + u64::from(negative))
    }

    /// Returns the value of the integer `token`, or reports that it exceeds `most` and returns
    /// `most`.
    pub(super) fn integer_up_to(&mut self, token: usize, most: u64) -> u64 {
        let text = self.token_text(token).replace('_', "");
        let (digits, radix) = match text.get(..2) {
            Some("0x" | "0X") => (text.get(2..), 16),
            Some("0o" | "0O") => (text.get(2..), 8),
            _ => (Some(text.as_str()), 10),
        };
        let digits = digits.unwrap_or_default();
        // Older versions of Cypher read such a number as an octal one.
        if radix == 10
            && digits.len() > 1
            && digits.starts_with('0')
            && digits.bytes().all(|digit| digit < b'8')
        {
            let message = "expected an integer that does not begin with 0, found one";
            self.report_number(token, Code::InvalidNumberLiteral, message);
        }
        let value = u64::from_str_radix(digits, radix);
        if let Ok(value) = value
            && value <= most
        {
            return value;
        }
        // The lexer has reported what is no number at all.
        if !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(radix)) {
            self.report_number(
                token,
                Code::IntegerOverflow,
                "expected an integer of 64 bits, found a larger one",
            );
        }
        most
    }

    fn float_value(&mut self) -> f64 {
        let token = self.at - 1;
        let value = self.token_text(token).replace('_', "").parse::<f64>().unwrap_or_default();
        if value.is_infinite() {
            self.report_number(
                token,
                Code::FloatingPointOverflow,
                "expected a float of 64 bits, found a larger one",
            );
            return f64::MAX;
        }
        value
    }

    fn report_number(&mut self, token: usize, code: Code, message: &str) {
        let span = self.tokens.get(token).map_or_else(|| self.here(), |token| token.span);
        self.report(Diagnostic::new(code, span, message));
    }
}

/// Returns whether a keyword joins parts of a query. Where a value is expected, such a word shows
/// that one may be missing.
fn is_structural(keyword: Keyword) -> bool {
    use Keyword::{
        All, And, As, Asc, Ascending, By, Case, Contains, Desc, Descending, Distinct, Else, End, Ends, From,
        In, Is, Not, On, Or, Starts, Then, Union, Using, When, Where, Xor, Yield,
    };
    keyword.begins_clause()
        || matches!(
            keyword,
            And | As
                | By
                | Case
                | Contains
                | Desc
                | Descending
                | Asc
                | Ascending
                | Distinct
                | Else
                | End
                | Ends
                | From
                | In
                | Is
                | On
                | Or
                | Starts
                | Then
                | Union
                | Using
                | When
                | Where
                | Xor
                | Yield
                | Not
                | All
        )
}
