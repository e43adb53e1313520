//! Schema and administration commands: named by their first words, otherwise unread.

use super::Parser;
use crate::{
    lexer::{Keyword, TokenKind},
    syntax::tree::Command,
};

/// The words that make a command of `CREATE` and `DROP`. A pattern has a bracket or `=` there.
const OBJECTS: [&str; 19] = [
    "ALIAS",
    "BTREE",
    "COMPOSITE",
    "CONSTRAINT",
    "DATABASE",
    "FULLTEXT",
    "INDEX",
    "LOOKUP",
    "POINT",
    "RANGE",
    "ROLE",
    "SERVER",
    "TEXT",
    "UNIQUE",
    "USER",
    "VECTOR",
    "IMMUTABLE",
    "AUTH",
    "REMOTE",
];

impl Parser<'_> {
    /// Reads a command, if the statement is one.
    pub(super) fn command(&mut self) -> Option<Command> {
        let words = self.command_words()?;
        let start = self.at;
        let names: Vec<String> =
            (start..start + words).map(|index| self.token_text(index).to_ascii_uppercase()).collect();
        while !self.at_end() && !self.at_symbol(";") {
            self.at += 1;
        }
        let span = self.span_from(self.tokens.get(start).map_or(0, |token| token.span.start));
        let text = self.text.get(span.range()).unwrap_or_default();
        Some(Command { name: names.join(" ").into(), text: text.into(), span })
    }

    /// Returns how many words name the command.
    fn command_words(&self) -> Option<usize> {
        let second = || self.kind_at(1) == Some(TokenKind::Word);
        match self.keyword()? {
            Keyword::Create
                if self.keyword_at(1) == Some(Keyword::Or)
                    && self.keyword_at(2) == Some(Keyword::Replace) =>
            {
                Some(if self.is_object(3) { 4 } else { 3 })
            }
            Keyword::Create if self.is_object(1) => Some(2),
            Keyword::Drop
            | Keyword::Alter
            | Keyword::Show
            | Keyword::Rename
            | Keyword::Grant
            | Keyword::Deny
            | Keyword::Revoke
            | Keyword::Start
            | Keyword::Stop
            | Keyword::Terminate
            | Keyword::Enable
            | Keyword::Disable
            | Keyword::Deallocate
            | Keyword::Reallocate
            | Keyword::DryRun
                if second() =>
            {
                Some(2)
            }
            Keyword::Reallocate => Some(1),
            _ => None,
        }
    }

    fn is_object(&self, offset: usize) -> bool {
        // `CREATE index = (a)-->(b)` creates a named path.
        let is_pattern = self.symbol_at(offset + 1, "=");
        let word = self.tokens.get(self.at + offset).filter(|token| token.kind == TokenKind::Word);
        !is_pattern && word.is_some_and(|word| OBJECTS.iter().any(|object| word.is_word(self.text, object)))
    }
}
