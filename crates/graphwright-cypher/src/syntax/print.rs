//! The printer: a tree as canonical text.
//!
//! [`print`](fn@print) writes one clause per line, without brackets and quotes that are not needed.
//! Parsing the text gives the same tree again. Comments are not part of a tree, so they are not
//! printed.

mod clause;
mod dialect;
mod expression;
#[cfg(test)]
pub(crate) mod generate;
mod pattern;
#[cfg(test)]
mod tests;

use graphwright_core::Span;

use self::dialect::Plain;
pub use self::dialect::{Dialect, Place};
use super::tree::{Expression, Name, PrefixKind, Query, SingleQuery, Statement, StatementBody, Tree};
use crate::lexer::{Keyword, is_name_part, is_name_start};

/// Prints a tree as Cypher text.
///
/// ```
/// use graphwright_cypher::syntax::{parse, print};
///
/// let parsed = parse(
///     "match (n:Person{name:\"Ann\"})--(m) where ((n.age)>3) return m.name as name limit 5",
/// );
/// assert_eq!(print(&parsed.tree), "\
/// MATCH (n:Person {name: 'Ann'})--(m) WHERE n.age > 3
/// RETURN m.name AS name LIMIT 5");
/// ```
pub fn print(tree: &Tree) -> String {
    let mut printer = Printer::new(&Plain);
    printer.tree(tree);
    printer.text
}

/// Prints a query as Cypher text.
pub fn print_query(query: Query) -> String {
    let span = query.span;
    let statement = Statement { prefixes: Vec::new(), body: StatementBody::Query(query), span };
    print(&Tree { statements: vec![statement] })
}

/// Writes a tree as text in a dialect, and tells where its parts come from.
///
/// ```
/// use graphwright_cypher::syntax::{parse, print::{Dialect, print_with}};
///
/// /// A reader that knows no word for infinity.
/// struct Old;
///
/// impl Dialect for Old {
///     fn infinity(&self) -> &'static str {
///         "1e999"
///     }
/// }
///
/// let text = "match (n) where n.x < INF return n";
/// let (printed, origins) = print_with(&parse(text).tree, &Old);
/// assert_eq!(printed, "MATCH (n) WHERE n.x < 1e999\nRETURN n");
/// assert_eq!(Some(origins.of(printed.find("1e999").unwrap())), text.find("INF"));
/// ```
pub fn print_with(tree: &Tree, dialect: &dyn Dialect) -> (String, Origins) {
    let mut printer = Printer { origins: Some(Origins::default()), ..Printer::new(dialect) };
    printer.tree(tree);
    (printer.text, printer.origins.unwrap_or_default())
}

/// Prints an expression as Cypher text.
pub fn print_expression(expression: &Expression) -> String {
    let mut printer = Printer::new(&Plain);
    printer.expression(expression);
    printer.text
}

/// Prints the name of a variable.
pub(crate) fn print_name(name: &Name) -> String {
    let mut printer = Printer::new(&Plain);
    printer.variable(name);
    printer.text
}

/// Where the parts of a printed text stood in the text that its tree was read from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origins {
    /// Where nodes begin in the text, in order, with where they stood before.
    starts: Vec<(usize, usize)>,
}

impl Origins {
    /// The byte that a byte of the printed text comes from: where the innermost node that is written there began. Nodes
    /// that stand nowhere count as what is around them.
    pub fn of(&self, offset: usize) -> usize {
        let after = self.starts.partition_point(|(start, _)| *start <= offset);
        after.checked_sub(1).and_then(|last| self.starts.get(last)).map_or(offset, |(_, origin)| *origin)
    }
}

struct Printer<'d> {
    text: String,
    dialect: &'d dyn Dialect,
    /// Where nodes stood before, if that is asked for.
    origins: Option<Origins>,
    /// How far lines are moved in.
    indent: usize,
    /// The number of expressions around the current clauses. Lines are not broken within an
    /// expression.
    inline: usize,
    /// Whether `|` would end the expression being written.
    bar_ends: bool,
}

impl<'d> Printer<'d> {
    fn new(dialect: &'d dyn Dialect) -> Self {
        Self { text: String::new(), dialect, origins: None, indent: 0, inline: 0, bar_ends: false }
    }

    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Records that the next text stood at `span` in the source. Nodes made by a rewrite have an
    /// empty span and are left out.
    fn note(&mut self, span: Span) {
        if let Some(origins) = &mut self.origins
            && span != Span::default()
        {
            origins.starts.push((self.text.len(), span.start));
        }
    }

    fn tree(&mut self, tree: &Tree) {
        for (index, statement) in tree.statements.iter().enumerate() {
            self.push(if index > 0 { ";\n" } else { "" });
            self.statement(statement);
        }
    }

    /// Writes items with a separator between them.
    fn separated<T>(
        &mut self,
        items: impl IntoIterator<Item = T>,
        separator: &str,
        mut write: impl FnMut(&mut Self, T),
    ) {
        for (index, item) in items.into_iter().enumerate() {
            self.push(if index > 0 { separator } else { "" });
            write(self, item);
        }
    }

    /// Begins a new line, or writes a space where lines are not broken.
    fn line(&mut self) {
        if self.inline > 0 {
            self.text.push(' ');
        } else {
            self.text.push('\n');
            self.text.extend(std::iter::repeat_n(' ', self.indent * 2));
        }
    }

    fn statement(&mut self, statement: &Statement) {
        for prefix in &statement.prefixes {
            match &prefix.kind {
                PrefixKind::Explain => self.push("EXPLAIN "),
                PrefixKind::Profile => self.push("PROFILE "),
                PrefixKind::Options { version, settings } => {
                    self.push("CYPHER ");
                    if let Some(version) = version {
                        self.push(version);
                        self.push(" ");
                    }
                    for (name, value) in settings {
                        self.name(name);
                        self.push(" = ");
                        self.name(value);
                        self.push(" ");
                    }
                }
            }
        }
        match &statement.body {
            StatementBody::Query(query) => self.query(query),
            StatementBody::Command(command) => self.push(&command.text),
        }
    }

    fn query(&mut self, query: &Query) {
        self.single_query(&query.first);
        for union in &query.unions {
            self.line();
            self.push(if union.all { "UNION ALL" } else { "UNION" });
            self.line();
            self.single_query(&union.query);
        }
    }

    fn single_query(&mut self, query: &SingleQuery) {
        for (index, clause) in query.clauses.iter().enumerate() {
            if index > 0 {
                self.line();
            }
            self.clause(clause);
        }
    }

    /// Writes a name where any word may stand: of a label, type, property or key.
    fn name(&mut self, name: &Name) {
        self.name_unless(name, self.dialect.quotes(&name.text));
    }

    /// Writes a name where a keyword would be read as one.
    fn variable(&mut self, name: &Name) {
        let is_reserved = Keyword::from_word(&name.text).is_some_and(Keyword::is_reserved);
        self.name_unless(name, is_reserved || self.dialect.quotes(&name.text));
    }

    fn name_unless(&mut self, name: &Name, quoted: bool) {
        self.note(name.span);
        let plain = name.text.starts_with(is_name_start) && name.text.chars().all(is_name_part);
        if plain && !quoted {
            self.push(&name.text);
        } else {
            self.text.push('`');
            self.push(&name.text.replace('`', "``"));
            self.text.push('`');
        }
    }
}
