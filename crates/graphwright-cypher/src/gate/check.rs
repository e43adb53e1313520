//! The checks of a statement: the walk through its tree, and its characters.

use graphwright_core::Span;

use super::{Gate, Refusal, RefusalCode, Writes, names};
use crate::{
    functions::is_function,
    lexer::{Token, TokenKind},
    syntax::{
        Code, Diagnostic, Parsed,
        tree::{
            CallSubquery, Clause, ClauseKind, Expression, ExpressionKind, FunctionCall, LabelExpression,
            LabelKind, Merge, Name, Pattern, PatternElement, PrefixKind, ProcedureCall, Query, RemoveKind,
            SetItem, SetKind, Statement, StatementBody,
        },
        visit::{Visit, walk_clause, walk_expression, walk_labels, walk_set_item, walk_statement},
    },
};

/// Returns the query of a text, if it is a single statement that may run.
pub(super) fn check<'t>(
    gate: &Gate,
    text: &str,
    parsed: &'t Parsed,
    tokens: &[Token],
) -> Result<&'t Query, Refusal> {
    // Character codes come first: to a server that decodes them before parsing, the tree may be
    // another one.
    characters(text, parsed, tokens)?;
    if let Some(fault) = parsed.diagnostics.first() {
        return Err(syntax(fault));
    }
    let (statement, query) = match parsed.tree.statements.as_slice() {
        [statement] => match &statement.body {
            StatementBody::Query(query) => (statement, query),
            StatementBody::Command(command) => {
                let message = format!("{} is a schema or administration command", command.name);
                let help = "ask for the schema in place of commands; indexes and constraints have a call of their own";
                return Err(Refusal::new(RefusalCode::Command, command.span, message, help));
            }
        },
        [_, second, ..] => {
            let message = "this holds more than one statement";
            let help = "send the statements one at a time";
            return Err(Refusal::new(RefusalCode::SeveralStatements, second.span, message, help));
        }
        [] => {
            let help = "write a MATCH … RETURN …";
            return Err(Refusal::new(RefusalCode::Syntax, Span::default(), "there is no statement", help));
        }
    };
    let mut check = Check { gate, writes: writes(query), refusal: None };
    check.visit_statement(statement);
    match check.refusal {
        Some(refusal) => Err(refusal),
        None => Ok(query),
    }
}

/// Returns whether any clause at any depth changes the graph.
pub(super) fn writes(query: &Query) -> bool {
    struct UpdateFinder(bool);
    impl Visit for UpdateFinder {
        fn visit_clause(&mut self, clause: &Clause) {
            self.0 |= clause.kind.updates();
            walk_clause(self, clause);
        }
    }
    let mut finder = UpdateFinder(false);
    finder.visit_query(query);
    finder.0
}

fn syntax(fault: &Diagnostic) -> Refusal {
    let help = fault.help.clone().unwrap_or_else(|| "write one valid Cypher statement".to_owned());
    Refusal::new(RefusalCode::Syntax, fault.span, fault.message.clone(), help)
}

/// Refuses character codes that could close a string, a name or a comment. Neo4j decodes `\uXXXX`
/// before anything else.
fn characters(text: &str, parsed: &Parsed, tokens: &[Token]) -> Result<(), Refusal> {
    let refuse = |span| {
        let message = "this character code could end the text it is in";
        let help = "write the character itself, or pass the value as a parameter";
        Err(Refusal::new(RefusalCode::Escape, span, message, help))
    };
    for token in tokens {
        let written = token.text(text);
        let harmful = match token.kind {
            TokenKind::String => has_harmful_code(written),
            // A name needs no character code, so any is refused.
            TokenKind::QuotedName | TokenKind::Parameter => written.contains("\\u"),
            _ => false,
        };
        if harmful || written.contains('\0') {
            return refuse(token.span);
        }
    }
    for &comment in &parsed.comments {
        if has_code(text.get(comment.range()).unwrap_or_default()) {
            return refuse(comment);
        }
    }
    let outside_of_quotes = |fault: &&Diagnostic| {
        fault.code == Code::InvalidUnicodeLiteral
            && text.get(fault.span.range()).is_some_and(|written| written.starts_with("\\u"))
    };
    match parsed.diagnostics.iter().find(outside_of_quotes) {
        Some(fault) => Err(Refusal { code: RefusalCode::Escape, ..syntax(fault) }),
        None => Ok(()),
    }
}

/// Returns whether a text contains a character code.
fn has_code(text: &str) -> bool {
    text.match_indices("\\u").any(|(at, mark)| {
        let digits = text.get(at + mark.len()..).and_then(|rest| rest.get(..4));
        digits.is_some_and(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
    })
}

/// Returns whether a character code in a string could end it. An escaped backslash begins no code.
fn has_harmful_code(string: &str) -> bool {
    let mut characters = string.chars();
    while let Some(character) = characters.next() {
        if character == '\\' && characters.next() == Some('u') && is_harmful(characters.as_str().get(..4)) {
            return true;
        }
    }
    false
}

/// Returns whether the character of four hexadecimal digits could end a string or a name.
fn is_harmful(digits: Option<&str>) -> bool {
    let Some(code) = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()) else { return true };
    // Halves of surrogate pairs are no characters of their own, and stand for none of these.
    char::from_u32(code)
        .is_some_and(|character| character.is_control() || matches!(character, '\'' | '"' | '`' | '\\'))
}

struct Check<'g> {
    gate: &'g Gate,
    /// Whether the statement changes the graph anywhere.
    writes: bool,
    /// The first reason against the statement.
    refusal: Option<Refusal>,
}

impl Check<'_> {
    fn refuse(&mut self, code: RefusalCode, span: Span, message: impl Into<String>, help: &str) {
        if self.refusal.is_none() {
            self.refusal = Some(Refusal::new(code, span, message, help));
        }
    }

    /// Checks a clause that changes the graph.
    fn change(&mut self, clause: &Clause, word: &str) {
        let first = word.split(' ').next().unwrap_or_default();
        let span = Span::new(clause.span.start, clause.span.start + first.len());
        if self.gate.writes == Writes::None {
            let message = format!("{word} changes the graph, and only reading is allowed");
            let help = "ask for what is there; put the word in back-ticks if it is a name";
            return self.refuse(RefusalCode::Write, span, message, help);
        }
        let is_script = self.gate.writes == Writes::Script;
        match &clause.kind {
            ClauseKind::Insert(_) if !is_script => {
                self.refuse(RefusalCode::Write, span, "INSERT is not allowed", "write CREATE");
            }
            ClauseKind::ForEach(_) if !is_script => {
                let help = "write UNWIND and the clause behind it";
                self.refuse(RefusalCode::Write, span, "FOREACH is not allowed", help);
            }
            ClauseKind::Create(patterns) | ClauseKind::Insert(patterns) => self.made(patterns),
            ClauseKind::Merge(Merge { pattern, .. }) => self.made(std::slice::from_ref(pattern)),
            ClauseKind::Remove(items) => {
                for item in items {
                    if let RemoveKind::Property(target) = &item.kind {
                        self.property(target);
                    }
                }
            }
            _ => {}
        }
        walk_clause(self, clause);
    }

    /// Refuses labels and types of created elements that are not in the schema.
    fn made(&mut self, patterns: &[Pattern]) {
        for element in patterns.iter().flat_map(|pattern| &pattern.elements) {
            match element {
                PatternElement::Node(node) => self.known_labels(node.labels.as_ref()),
                PatternElement::Relationship(relationship) => self.known_types(relationship.types.as_ref()),
                PatternElement::Group(_) => {}
            }
        }
    }

    fn known_labels(&mut self, labels: Option<&LabelExpression>) {
        let Some(schema) = &self.gate.schema else { return };
        let unknown = labels
            .into_iter()
            .flat_map(named)
            .find(|name| !schema.labels.iter().any(|label| *label.name == *name.text));
        if let Some(name) = unknown {
            self.unknown("label", name);
        }
    }

    fn known_types(&mut self, types: Option<&LabelExpression>) {
        let Some(schema) = &self.gate.schema else { return };
        let unknown = types
            .into_iter()
            .flat_map(named)
            .find(|name| !schema.relationship_types.iter().any(|kind| *kind.name == *name.text));
        if let Some(name) = unknown {
            self.unknown("relationship type", name);
        }
    }

    fn unknown(&mut self, what: &str, name: &Name) {
        let message = format!("the {what} {} is not in the schema, and a write makes no new ones", name.text);
        let help = "use the labels and relationship types of the graph";
        self.refuse(RefusalCode::UnknownName, name.span, message, help);
    }

    /// Refuses to set or remove a property whose name the text does not show.
    fn property(&mut self, target: &Expression) {
        if matches!(target.kind, ExpressionKind::Index { .. }) && self.gate.writes != Writes::Script {
            let message = "the name of a property that is changed cannot be made from an expression";
            self.refuse(RefusalCode::DynamicName, target.span, message, "write the property itself");
        }
    }

    fn procedure(&mut self, call: &ProcedureCall) {
        let (Some(first), Some(last)) = (call.name.first(), call.name.last()) else { return };
        let span = Span::new(first.span.start, last.span.end);
        let name = joined(&call.name);
        if self.writes && self.gate.writes != Writes::Script {
            let message = format!("a statement that writes calls no procedure, and this calls {name}");
            return self.refuse(RefusalCode::Procedure, span, message, "call it in a statement of its own");
        }
        if !names::is_procedure(&name) && !is_listed(&self.gate.procedures, &name) {
            let message = format!("the procedure {name} is not on the list of reading procedures");
            let help = "write it with MATCH, or use db.labels and the like";
            self.refuse(RefusalCode::Procedure, span, message, help);
        }
    }

    fn function(&mut self, call: &FunctionCall) {
        let (Some(first), Some(last)) = (call.name.first(), call.name.last()) else { return };
        let name = joined(&call.name);
        if !is_function(&name) && !is_listed(&self.gate.functions, &name) {
            let span = Span::new(first.span.start, last.span.end);
            let message = format!("the function {name} is not on the list of functions that only compute");
            self.refuse(RefusalCode::Function, span, message, "use a function of standard Cypher");
        }
    }

    fn subquery(&mut self, subquery: &CallSubquery) {
        if let Some(transactions) = &subquery.transactions {
            let help = "leave IN TRANSACTIONS out; each statement is one transaction";
            let message = "IN TRANSACTIONS commits by itself";
            self.refuse(RefusalCode::Transactions, transactions.span, message, help);
        }
    }
}

impl Visit for Check<'_> {
    fn visit_statement(&mut self, statement: &Statement) {
        for prefix in &statement.prefixes {
            if matches!(prefix.kind, PrefixKind::Options { .. }) {
                let message =
                    "CYPHER is an administration command: it chooses how the server runs a statement";
                self.refuse(RefusalCode::Command, prefix.span, message, "leave it out");
            }
        }
        walk_statement(self, statement);
    }

    fn visit_clause(&mut self, clause: &Clause) {
        if self.refusal.is_some() {
            return;
        }
        match &clause.kind {
            ClauseKind::Match(_)
            | ClauseKind::Unwind(_)
            | ClauseKind::With(_)
            | ClauseKind::Return(_)
            | ClauseKind::Page(_)
            | ClauseKind::Finish => walk_clause(self, clause),
            ClauseKind::Call(call) => {
                self.procedure(call);
                walk_clause(self, clause);
            }
            ClauseKind::Subquery(subquery) => {
                self.subquery(subquery);
                walk_clause(self, clause);
            }
            ClauseKind::Create(_) => self.change(clause, "CREATE"),
            ClauseKind::Insert(_) => self.change(clause, "INSERT"),
            ClauseKind::Merge(_) => self.change(clause, "MERGE"),
            ClauseKind::Set(_) => self.change(clause, "SET"),
            ClauseKind::Remove(_) => self.change(clause, "REMOVE"),
            ClauseKind::Delete(delete) => self.change(
                clause,
                match delete.detach {
                    Some(true) => "DETACH DELETE",
                    Some(false) => "NODETACH DELETE",
                    None => "DELETE",
                },
            ),
            ClauseKind::ForEach(_) => self.change(clause, "FOREACH"),
            ClauseKind::LoadCsv(_) => {
                let help = "import the files instead";
                self.refuse(RefusalCode::LoadCsv, clause.span, "LOAD CSV reads files", help);
            }
            ClauseKind::Use(_) => {
                let message = "USE chooses another database";
                self.refuse(RefusalCode::UseDatabase, clause.span, message, "leave USE out");
            }
            ClauseKind::Invalid => {
                let message = "this is no clause of Cypher";
                self.refuse(RefusalCode::Syntax, clause.span, message, "write one valid Cypher statement");
            }
        }
    }

    fn visit_set_item(&mut self, item: &SetItem) {
        match &item.kind {
            SetKind::Property { target, .. } => self.property(target),
            SetKind::Labels { labels, .. } => self.known_labels(Some(labels)),
            SetKind::Replace { .. } | SetKind::Merge { .. } => {}
        }
        walk_set_item(self, item);
    }

    fn visit_labels(&mut self, labels: &LabelExpression) {
        match &labels.kind {
            LabelKind::Dynamic { .. } => {
                let message = "a label or type cannot be made from an expression";
                let help = "write the label or type itself";
                self.refuse(RefusalCode::DynamicName, labels.span, message, help);
            }
            LabelKind::Invalid => {
                let message = "this is no label or type";
                self.refuse(RefusalCode::Syntax, labels.span, message, "write the label or type itself");
            }
            _ => walk_labels(self, labels),
        }
    }

    fn visit_expression(&mut self, expression: &Expression) {
        match &expression.kind {
            ExpressionKind::Call(call) => self.function(call),
            ExpressionKind::Invalid => {
                let message = "this is no expression of Cypher";
                self.refuse(
                    RefusalCode::Syntax,
                    expression.span,
                    message,
                    "write one valid Cypher statement",
                );
            }
            _ => {}
        }
        walk_expression(self, expression);
    }
}

/// Returns the names in a label expression.
fn named(labels: &LabelExpression) -> Vec<&Name> {
    match &labels.kind {
        LabelKind::Name(name) => vec![name],
        LabelKind::Not(operand) => named(operand),
        LabelKind::And(operands) | LabelKind::Or(operands) | LabelKind::Colons(operands) => {
            operands.iter().flat_map(named).collect()
        }
        LabelKind::Wildcard | LabelKind::Dynamic { .. } | LabelKind::Invalid => Vec::new(),
    }
}

pub(super) fn joined(name: &[Name]) -> String {
    name.iter().map(|part| &*part.text).collect::<Vec<_>>().join(".")
}

fn is_listed(list: &[String], name: &str) -> bool {
    list.iter().any(|listed| listed.eq_ignore_ascii_case(name))
}
