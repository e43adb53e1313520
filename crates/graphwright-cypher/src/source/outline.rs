//! Where clauses and subqueries begin and end.

use std::ops::Range;

use super::Source;

/// A sequence of clauses: the whole text, or what stands in the braces of a subquery.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) kind: BlockKind,
    /// Its tokens, without the braces.
    pub(crate) tokens: Range<usize>,
    /// Its clauses. `EXISTS` and `COUNT` may have a bare pattern in place of clauses.
    pub(crate) clauses: Vec<Clause>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BlockKind {
    Query,
    Call,
    Exists,
    Count,
    Collect,
    Foreach,
}

/// A clause with what belongs to it (`WHERE`, `ORDER BY`, `ON CREATE SET` …).
#[derive(Clone, Debug)]
pub(crate) struct Clause {
    pub(crate) keyword: Keyword,
    /// Its tokens, with its keywords.
    pub(crate) tokens: Range<usize>,
}

/// What a clause does; `OPTIONAL` and `DETACH` belong to the clause that they begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keyword {
    Match,
    OptionalMatch,
    With,
    Return,
    Unwind,
    Call,
    Union,
    Finish,
    Create,
    Merge,
    Set,
    Delete,
    Remove,
    Foreach,
    LoadCsv,
    Use,
    Drop,
    Insert,
}

impl Keyword {
    /// Whether the clause changes the graph by itself.
    pub(crate) fn writes(self) -> bool {
        matches!(
            self,
            Self::Create
                | Self::Merge
                | Self::Set
                | Self::Delete
                | Self::Remove
                | Self::Foreach
                | Self::Insert
        )
    }
}

const KEYWORDS: [(&str, Keyword); 19] = [
    ("MATCH", Keyword::Match),
    ("OPTIONAL", Keyword::OptionalMatch),
    ("WITH", Keyword::With),
    ("RETURN", Keyword::Return),
    ("UNWIND", Keyword::Unwind),
    ("CALL", Keyword::Call),
    ("UNION", Keyword::Union),
    ("FINISH", Keyword::Finish),
    ("CREATE", Keyword::Create),
    ("MERGE", Keyword::Merge),
    ("SET", Keyword::Set),
    ("DELETE", Keyword::Delete),
    ("DETACH", Keyword::Delete),
    ("REMOVE", Keyword::Remove),
    ("FOREACH", Keyword::Foreach),
    ("LOAD", Keyword::LoadCsv),
    ("USE", Keyword::Use),
    ("DROP", Keyword::Drop),
    ("INSERT", Keyword::Insert),
];

impl Source<'_> {
    /// The text's blocks, the whole first, each before those within it.
    pub(crate) fn blocks(&self) -> Vec<Block> {
        let mut blocks = vec![self.block(BlockKind::Query, 0..self.len())];
        for index in 0..self.len() {
            if let Some(kind) = self.subquery(index) {
                blocks.push(self.block(kind, index + 1..self.partner(index)));
            } else if self.is_word(index, "FOREACH") && self.is_symbol(index + 1, "(") {
                let inner = index + 2..self.partner(index + 1);
                if let Some(bar) = self.level(inner.clone()).find(|&token| self.is_symbol(token, "|")) {
                    blocks.push(self.block(BlockKind::Foreach, bar + 1..inner.end));
                }
            }
        }
        blocks
    }

    /// What kind of subquery an opening brace begins, if it begins one.
    pub(crate) fn subquery(&self, brace: usize) -> Option<BlockKind> {
        if !self.is_symbol(brace, "{") {
            return None;
        }
        let before = brace.checked_sub(1)?;
        let at = |word| self.is_word(before, word) && !self.is_name_position(before);
        if at("EXISTS") {
            Some(BlockKind::Exists)
        } else if at("COUNT") {
            Some(BlockKind::Count)
        } else if at("COLLECT") {
            Some(BlockKind::Collect)
        } else if at("CALL") {
            Some(BlockKind::Call)
        } else {
            let imports = self.is_symbol(before, ")")
                && self.before(self.partner(before), |call| {
                    self.is_word(call, "CALL") && !self.is_name_position(call)
                });
            imports.then_some(BlockKind::Call)
        }
    }

    fn block(&self, kind: BlockKind, tokens: Range<usize>) -> Block {
        let mut clauses: Vec<Clause> = Vec::new();
        for index in self.level(tokens.clone()) {
            if let Some(keyword) = self.clause_keyword(index) {
                if let Some(last) = clauses.last_mut() {
                    last.tokens.end = index;
                }
                clauses.push(Clause { keyword, tokens: index..tokens.end });
            }
        }
        if kind == BlockKind::Query
            && let Some(last) = clauses.last_mut()
        {
            while last.tokens.end > last.tokens.start && self.is_symbol(last.tokens.end - 1, ";") {
                last.tokens.end -= 1;
            }
        }
        Block { kind, tokens, clauses }
    }

    /// The clause that a token begins, if it begins one.
    fn clause_keyword(&self, index: usize) -> Option<Keyword> {
        let (word, keyword) = *KEYWORDS.iter().find(|(word, _)| self.is_word(index, word))?;
        if self.is_name_position(index) || self.is_symbol(index + 1, ".") {
            return None;
        }
        let after = |words: &[&str]| self.before(index, |before| self.is_any_word(before, words));
        let continues = match keyword {
            Keyword::Match => after(&["OPTIONAL", "ON"]),
            Keyword::Call => after(&["OPTIONAL"]),
            Keyword::With => {
                let words = ["STARTS", "ENDS", "TIMESTAMP", "TIME"];
                let zone = self.is_any_word(index + 1, &["TIME", "TIMEZONE"]);
                self.before(index, |before| {
                    self.is_any_word(before, if zone { &words } else { &words[..2] })
                        && !self.is_name_position(before)
                })
            }
            Keyword::Create => after(&["ON"]),
            Keyword::Delete => word == "DELETE" && after(&["DETACH", "NODETACH"]),
            Keyword::Set => {
                after(&["CREATE", "MATCH"]) && index.checked_sub(2).is_some_and(|on| self.is_word(on, "ON"))
            }
            _ => false,
        };
        if continues {
            return None;
        }
        if keyword == Keyword::OptionalMatch && self.is_word(index + 1, "CALL") {
            return Some(Keyword::Call);
        }
        Some(keyword)
    }
}
