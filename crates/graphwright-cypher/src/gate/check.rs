//! The checks, one after another; the first that fails gives the refusal.

use graphwright_core::Span;

use super::{Gate, Refusal, RefusalCode, names};
use crate::{
    lexer::TokenKind,
    source::{Block, BlockKind, Clause, Keyword, Source},
};

pub(super) struct Check<'a> {
    pub(super) gate: &'a Gate,
    pub(super) source: &'a Source<'a>,
    pub(super) blocks: &'a [Block],
}

/// Whether any clause at any depth changes the graph.
pub(super) fn writes(blocks: &[Block]) -> bool {
    blocks.iter().flat_map(|block| &block.clauses).any(|clause| clause.keyword.writes())
}

/// Whether what follows CREATE makes an index, a constraint or something of the administration.
pub(super) fn is_schema_command(source: &Source<'_>, index: usize) -> bool {
    const WORDS: [&str; 17] = [
        "INDEX",
        "CONSTRAINT",
        "FULLTEXT",
        "VECTOR",
        "RANGE",
        "POINT",
        "TEXT",
        "LOOKUP",
        "BTREE",
        "OR",
        "DATABASE",
        "COMPOSITE",
        "ALIAS",
        "USER",
        "ROLE",
        "SERVER",
        "IMMUTABLE",
    ];
    source.is_any_word(index, &WORDS)
}

impl Check<'_> {
    pub(super) fn run(&self) -> Result<(), Refusal> {
        self.one_statement()?;
        self.escapes()?;
        for block in self.blocks {
            self.block(block)?;
        }
        for index in 0..self.source.len() {
            self.token(index)?;
        }
        Ok(())
    }

    fn refuse(
        &self,
        code: RefusalCode,
        index: usize,
        message: impl Into<String>,
        help: &str,
    ) -> Result<(), Refusal> {
        Err(Refusal::new(code, self.source.span(index), message, help))
    }

    fn one_statement(&self) -> Result<(), Refusal> {
        let source = self.source;
        let last = (0..source.len()).rev().find(|&index| !source.is_symbol(index, ";"));
        let Some(last) = last else {
            return self.refuse(RefusalCode::Syntax, 0, "there is no statement", "write a MATCH … RETURN …");
        };
        match (0..last).find(|&index| source.is_symbol(index, ";")) {
            Some(index) => self.refuse(
                RefusalCode::SeveralStatements,
                index,
                "this holds more than one statement",
                "send the statements one at a time",
            ),
            None => Ok(()),
        }
    }

    /// Some engines read `\uXXXX` before anything else, so that it can close a string or a name.
    fn escapes(&self) -> Result<(), Refusal> {
        const HELP: &str = "write the character itself, or pass the value as a parameter";
        for index in 0..self.source.len() {
            let text = self.source.text(index);
            let harmful = match self.source.kind(index) {
                Some(TokenKind::String) => has_harmful_code(text),
                Some(TokenKind::QuotedName | TokenKind::Parameter) => text.contains("\\u"),
                _ => false,
            };
            if harmful || text.contains('\0') {
                let message = "this character code could end the text it is in";
                return self.refuse(RefusalCode::Escape, index, message, HELP);
            }
        }
        match self.source.comments().iter().find(|comment| self.source.slice(**comment).contains("\\u")) {
            Some(&comment) => {
                let message = "this character code could end the comment it is in";
                Err(Refusal::new(RefusalCode::Escape, comment, message, HELP))
            }
            None => Ok(()),
        }
    }

    fn block(&self, block: &Block) -> Result<(), Refusal> {
        let source = self.source;
        let mut first = block.tokens.start;
        if block.kind == BlockKind::Query && source.is_any_word(first, &["EXPLAIN", "PROFILE"]) {
            first += 1;
        }
        let begins = block.clauses.first().map_or(block.tokens.end, |clause| clause.tokens.start);
        let bare_pattern = matches!(block.kind, BlockKind::Exists | BlockKind::Count)
            && block.clauses.is_empty()
            && first < block.tokens.end;
        if (begins != first || block.clauses.is_empty()) && !bare_pattern {
            return self.beginning(first);
        }
        block.clauses.iter().try_for_each(|clause| self.clause(clause))
    }

    /// What begins with none of the known clauses is a command, or no Cypher.
    fn beginning(&self, first: usize) -> Result<(), Refusal> {
        const COMMANDS: [&str; 13] = [
            "SHOW",
            "ALTER",
            "GRANT",
            "DENY",
            "REVOKE",
            "START",
            "STOP",
            "RENAME",
            "TERMINATE",
            "ENABLE",
            "CYPHER",
            "DEALLOCATE",
            "REALLOCATE",
        ];
        let word = self.source.text(first);
        if self.source.is_any_word(first, &COMMANDS) {
            let message = format!("{} is an administration command", word.to_uppercase());
            return self.refuse(
                RefusalCode::Command,
                first,
                message,
                "ask for the schema in place of commands",
            );
        }
        let message = if word.is_empty() {
            "a clause is missing here".to_owned()
        } else {
            format!("`{word}` begins no clause")
        };
        self.refuse(
            RefusalCode::Syntax,
            first,
            message,
            "begin with MATCH, OPTIONAL MATCH, WITH, UNWIND, CALL or RETURN",
        )
    }

    fn clause(&self, clause: &Clause) -> Result<(), Refusal> {
        let source = self.source;
        let first = clause.tokens.start;
        let refuse = |code, message: &str, help: &str| self.refuse(code, first, message, help);
        match clause.keyword {
            Keyword::LoadCsv => {
                refuse(RefusalCode::LoadCsv, "LOAD CSV reads files", "import files with graphwright import")
            }
            Keyword::Use => refuse(RefusalCode::UseDatabase, "USE chooses another database", "leave USE out"),
            Keyword::Drop => refuse(RefusalCode::Command, "DROP is a schema command", "leave it out"),
            Keyword::Insert => {
                refuse(RefusalCode::Write, "INSERT is not allowed", "write CREATE, where writing is open")
            }
            Keyword::Create if is_schema_command(source, first + 1) => refuse(
                RefusalCode::Command,
                "this is a schema command",
                "indexes and constraints have a call of their own",
            ),
            keyword if keyword.writes() && !self.gate.write => refuse(
                RefusalCode::Write,
                &format!(
                    "{} changes the graph, and only reading is allowed",
                    source.text(first).to_uppercase()
                ),
                "ask for what is there; put the word in back-ticks if it is a name",
            ),
            Keyword::Call => self.call(clause),
            _ => Ok(()),
        }
    }

    fn call(&self, clause: &Clause) -> Result<(), Refusal> {
        let source = self.source;
        let call = if source.is_word(clause.tokens.start, "OPTIONAL") {
            clause.tokens.start + 1
        } else {
            clause.tokens.start
        };
        let mut at = call + 1;
        if source.is_symbol(at, "(") {
            at = source.partner(at) + 1;
        }
        if source.is_symbol(at, "{") {
            let after = source.partner(at) + 1;
            if source.is_word(after, "IN") {
                let help = "leave IN TRANSACTIONS out; each statement is one transaction";
                return self.refuse(
                    RefusalCode::Transactions,
                    after,
                    "IN TRANSACTIONS commits by itself",
                    help,
                );
            }
            return Ok(());
        }
        let Some((name, _)) = self.qualified_name(call + 1) else {
            return self.refuse(
                RefusalCode::Procedure,
                call + 1,
                "a procedure's name must follow CALL",
                "name it in full",
            );
        };
        if names::is_procedure(&name) {
            return Ok(());
        }
        let message = format!("the procedure {name} is not on the list of reading procedures");
        self.refuse(
            RefusalCode::Procedure,
            call + 1,
            message,
            "write it with MATCH, or use db.labels and the like",
        )
    }

    /// A name with its namespaces, and the token after it.
    fn qualified_name(&self, first: usize) -> Option<(String, usize)> {
        let mut name = self.source.is_name(first).then(|| self.source.name(first))??.into_owned();
        let mut at = first + 1;
        while self.source.is_symbol(at, ".") && self.source.is_name(at + 1) {
            name.push('.');
            name.push_str(&self.source.name(at + 1)?);
            at += 2;
        }
        Some((name, at))
    }

    fn token(&self, index: usize) -> Result<(), Refusal> {
        let source = self.source;
        match source.kind(index) {
            Some(TokenKind::Word | TokenKind::QuotedName) => {
                self.adjacent(index)?;
                self.function(index)
            }
            Some(TokenKind::String | TokenKind::Integer | TokenKind::Float) => self.adjacent(index),
            Some(TokenKind::Parameter) => {
                if source.before(index, |before| {
                    source.is_any_symbol(before, &[":", "&", "!"]) && !source.is_map_colon(before)
                }) {
                    let help = "write the label or type itself";
                    return self.refuse(
                        RefusalCode::DynamicName,
                        index,
                        "a parameter cannot be a label or type here",
                        help,
                    );
                }
                self.adjacent(index)
            }
            Some(TokenKind::Symbol("$")) => self.refuse(
                RefusalCode::DynamicName,
                index,
                "a label or type cannot be made from an expression",
                "write the label or type itself",
            ),
            Some(TokenKind::Symbol("{")) if source.subquery(index).is_none() => self.braces(index),
            _ => Ok(()),
        }
    }

    /// Two operands beside each other have a word missing or misspelt between them; no clause that the gate does not know
    /// can hide there.
    fn adjacent(&self, index: usize) -> Result<(), Refusal> {
        let source = self.source;
        if !source.before(index, |before| self.ends_operand(before)) {
            return Ok(());
        }
        let word = source.text(index);
        if source.kind(index) == Some(TokenKind::Word)
            && (names::is_connective(word) || self.begins_clause(index))
        {
            return Ok(());
        }
        self.refuse(
            RefusalCode::Syntax,
            index,
            format!("`{word}` is not expected here"),
            "check the spelling of the words around it",
        )
    }

    fn begins_clause(&self, index: usize) -> bool {
        const CONTINUES: [&str; 4] = ["MATCH", "DELETE", "SET", "CREATE"];
        let clauses = || self.blocks.iter().flat_map(|block| &block.clauses);
        clauses().any(|clause| clause.tokens.start == index) || self.source.is_any_word(index, &CONTINUES)
    }

    fn ends_operand(&self, index: usize) -> bool {
        let source = self.source;
        match source.kind(index) {
            Some(TokenKind::Symbol(symbol)) => matches!(symbol, ")" | "]" | "}"),
            Some(TokenKind::Word) => {
                source.is_name_position(index)
                    || !names::is_connective(source.text(index))
                        && !self.begins_clause(index)
                        && !self.is_other_keyword(index)
            }
            Some(_) => true,
            None => false,
        }
    }

    fn is_other_keyword(&self, index: usize) -> bool {
        const WORDS: [&str; 8] =
            ["EXPLAIN", "PROFILE", "CALL", "NODETACH", "COUNT", "COLLECT", "ANY", "TRANSACTIONS"];
        self.source.is_any_word(index, &WORDS)
    }

    fn function(&self, index: usize) -> Result<(), Refusal> {
        let source = self.source;
        let begins = !source.before(index, |before| source.is_symbol(before, "."));
        if !begins {
            return Ok(());
        }
        let Some((name, after)) = self.qualified_name(index) else { return Ok(()) };
        if !source.is_symbol(after, "(") || names::is_function(&name) {
            return Ok(());
        }
        let single_word = after == index + 1 && source.kind(index) == Some(TokenKind::Word);
        let is_label = source.before(index, |before| source.is_any_symbol(before, &[":", "|", "&", "!"]));
        let is_procedure = source.before(index, |before| source.is_word(before, "CALL"));
        if single_word && names::may_precede_parenthesis(&name) || is_label || is_procedure {
            return Ok(());
        }
        let span = Span::new(source.span(index).start, source.span(after - 1).end);
        let message = format!("the function {name} is not on the list of functions that only compute");
        Err(Refusal::new(RefusalCode::Function, span, message, "use a function of standard Cypher"))
    }

    /// Braces that are no subquery hold a map, a projection or a quantifier, never a clause.
    fn braces(&self, open: usize) -> Result<(), Refusal> {
        let source = self.source;
        let close = source.partner(open);
        let mut starts = vec![open + 1];
        starts.extend(
            source
                .level(open + 1..close)
                .filter(|&index| source.is_symbol(index, ","))
                .map(|comma| comma + 1),
        );
        for start in starts {
            let is_entry =
                source.is_name(start) && (source.is_any_symbol(start + 1, &[":", ","]) || start + 1 == close);
            let fits = start == close
                || is_entry
                || source.is_any_symbol(start, &[".", ","])
                || matches!(source.kind(start), Some(TokenKind::Integer | TokenKind::Parameter));
            if !fits {
                let help = "write a map as {key: value}, and subqueries as CALL { … } or EXISTS { … }";
                return self.refuse(RefusalCode::Syntax, start, "this is no entry of a map", help);
            }
        }
        Ok(())
    }
}

/// Whether a character code in a string could end it. A backslash that is itself escaped begins none.
fn has_harmful_code(string: &str) -> bool {
    let mut characters = string.chars();
    while let Some(character) = characters.next() {
        if character == '\\' && characters.next() == Some('u') && is_harmful(characters.as_str().get(..4)) {
            return true;
        }
    }
    false
}

/// Whether the character of four hexadecimal digits could end a string or a name.
fn is_harmful(digits: Option<&str>) -> bool {
    let code = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()).and_then(char::from_u32);
    code.is_none_or(|character| character.is_control() || matches!(character, '\'' | '"' | '`' | '\\'))
}
