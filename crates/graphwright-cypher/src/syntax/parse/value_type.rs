//! Types of values.

use super::Parser;
use crate::{
    lexer::Keyword,
    syntax::tree::{TYPE_NAMES, TypeKind, ValueType},
};

impl Parser<'_> {
    pub(super) fn value_type(&mut self) -> ValueType {
        let start = self.start();
        let first = self.value_type_part();
        // In `[x IN list WHERE x :: INTEGER | x]` the bar belongs to the comprehension.
        if self.bar_ends || !self.at_symbol("|") {
            return first;
        }
        let mut parts = vec![first];
        while self.eat_symbol("|") {
            parts.push(self.value_type_part());
        }
        ValueType { kind: TypeKind::Union(parts), not_null: false, span: self.span_from(start) }
    }

    fn value_type_part(&mut self) -> ValueType {
        let start = self.start();
        let kind = if self.eat_keyword(Keyword::List) || self.eat_word("ARRAY") {
            self.list_type()
        } else if self.keyword() == Some(Keyword::Any) && self.symbol_at(1, "<") {
            self.at += 2;
            self.union_type()
        } else {
            self.named_type()
        };
        let mut found = ValueType { kind, not_null: self.not_null(), span: self.span_from(start) };
        while !self.failed && (self.eat_keyword(Keyword::List) || self.eat_word("ARRAY")) {
            let kind = TypeKind::List(Box::new(found));
            found = ValueType { kind, not_null: self.not_null(), span: self.span_from(start) };
            self.climb(1);
        }
        found
    }

    fn list_type(&mut self) -> TypeKind {
        self.expect_symbol("<");
        let outer = std::mem::replace(&mut self.bar_ends, false);
        let inner = self.nested(|parser| Some(parser.value_type()));
        self.bar_ends = outer;
        self.expect_symbol(">");
        inner.map_or(TypeKind::Named("ANY"), |inner| TypeKind::List(Box::new(inner)))
    }

    /// Reads `ANY<A | B>`; the first bracket has been read already.
    fn union_type(&mut self) -> TypeKind {
        let parts = self.nested(|parser| {
            let mut parts = vec![parser.value_type_part()];
            while parser.eat_symbol("|") {
                parts.push(parser.value_type_part());
            }
            parts
        });
        self.expect_symbol(">");
        TypeKind::Union(parts)
    }

    fn named_type(&mut self) -> TypeKind {
        let found = TYPE_NAMES.iter().filter(|(words, _)| {
            words.iter().enumerate().all(|(offset, word)| {
                self.token_at(offset).is_some_and(|token| token.is_word(self.text, word))
            })
        });
        // `TIME WITH TIME ZONE` begins like other names, so the longest name wins.
        if let Some((words, name)) = found.max_by_key(|(words, _)| words.len()) {
            self.at += words.len();
            return TypeKind::Named(name);
        }
        let names: Vec<&str> = TYPE_NAMES.iter().map(|(_, name)| *name).collect();
        self.fail_keyword("a type", &names);
        TypeKind::Named("ANY")
    }

    fn not_null(&mut self) -> bool {
        if self.eat_symbol("!") {
            return true;
        }
        let found = self.at_keyword(Keyword::Not) && self.keyword_at(1) == Some(Keyword::Null);
        self.at += if found { 2 } else { 0 };
        found
    }
}
