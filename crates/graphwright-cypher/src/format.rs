//! Formatting: canonical text that keeps its comments.

use graphwright_core::Span;

use crate::{
    diagnostic::Diagnostic,
    lexer::{Token, scan},
    syntax::{
        parse, print,
        tree::{Clause, Statement, StatementBody, Tree},
        visit::{Visit, walk_clause, walk_statement},
    },
};

/// Formats a text as [`print`](crate::syntax::print()) does, with its comments. Formatting again
/// changes nothing.
///
/// A comment behind a clause stays on its line. Any other comment gets a line of its own before the
/// clause that it leads or stands in.
///
/// ```
/// use graphwright_cypher::format;
///
/// let text = "match (n:Person) // all of them\nwhere n.age>3 return n.name /* no more */";
/// assert_eq!(format(text).unwrap(), "\
/// // all of them
/// MATCH (n:Person) WHERE n.age > 3
/// RETURN n.name /* no more */");
/// ```
///
/// # Errors
/// Returns the faults that keep the text from being parsed.
pub fn format(text: &str) -> Result<String, Vec<Diagnostic>> {
    let parsed = parse(text);
    if !parsed.diagnostics.is_empty() {
        return Err(parsed.diagnostics);
    }
    let printed = print(&parsed.tree);
    let (tokens, _) = scan(text);
    if tokens.comments.is_empty() {
        return Ok(printed);
    }
    let anchors = anchors(&parsed.tree, &printed);
    let placed = Placing { text, tokens: &tokens.tokens, anchors: &anchors };
    let inserts = comments_outside_commands(&tokens.comments, &parsed.tree)
        .filter_map(|comment| placed.insert(comment, &printed))
        .collect();
    Ok(weave(&printed, inserts))
}

/// Returns the comments outside of commands, which are printed as written, with their comments.
fn comments_outside_commands(comments: &[Span], tree: &Tree) -> impl Iterator<Item = Span> {
    let commands: Vec<_> = tree
        .statements
        .iter()
        .filter_map(|statement| match &statement.body {
            StatementBody::Command(command) => Some(command.span),
            StatementBody::Query(_) => None,
        })
        .collect();
    let inside = move |comment: &Span| {
        commands.iter().any(|command| command.start <= comment.start && comment.end <= command.end)
    };
    comments.iter().copied().filter(move |comment| !inside(comment))
}

/// A statement or clause that begins a line of the printed text.
#[derive(Clone, Copy, Debug)]
struct Anchor {
    /// The start in the original text.
    source: usize,
    /// The start in the printed text.
    printed: usize,
}

/// The starts of statements and clauses, in the order of the text.
#[derive(Default)]
struct Starts(Vec<usize>);

impl Visit for Starts {
    fn visit_statement(&mut self, statement: &Statement) {
        self.0.push(statement.span.start);
        walk_statement(self, statement);
    }

    fn visit_clause(&mut self, clause: &Clause) {
        self.0.push(clause.span.start);
        walk_clause(self, clause);
    }
}

/// Returns the anchors of a printed tree. Parsing the printed text gives the same tree, with its
/// places there.
fn anchors(tree: &Tree, printed: &str) -> Vec<Anchor> {
    let starts = |tree: &Tree| {
        let mut starts = Starts::default();
        starts.visit_tree(tree);
        starts.0
    };
    let begins_line = |anchor: &Anchor| line_start(printed, anchor.printed).1.trim().is_empty();
    let pairs = starts(tree).into_iter().zip(starts(&parse(printed).tree));
    let mut anchors: Vec<_> =
        pairs.map(|(source, printed)| Anchor { source, printed }).filter(begins_line).collect();
    // A statement begins where its first clause does.
    anchors.dedup_by_key(|anchor| anchor.source);
    anchors
}

/// Returns where the line of a byte begins, and the text on it before the byte.
fn line_start(text: &str, at: usize) -> (usize, &str) {
    let before = text.get(..at).unwrap_or_default();
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    (start, &before[start..])
}

/// A text to insert into the printed text.
struct Insert {
    at: usize,
    text: String,
}

struct Placing<'a> {
    text: &'a str,
    tokens: &'a [Token],
    anchors: &'a [Anchor],
}

impl Placing<'_> {
    fn insert(&self, comment: Span, printed: &str) -> Option<Insert> {
        let written = on_lines(self.text.get(comment.range())?.trim_end());
        let next = self.tokens.partition_point(|token| token.span.start < comment.start);
        let begun = self.anchors.partition_point(|anchor| anchor.source < comment.start);
        let current = begun.checked_sub(1).and_then(|last| self.anchors.get(last));
        let next_anchor = self.anchors.get(begun);
        let leads = self
            .tokens
            .get(next)
            .is_none_or(|token| next_anchor.is_some_and(|anchor| anchor.source == token.span.start));
        // A comment before `}` or `UNION` stands behind its clause too.
        let ends = leads || self.tokens.get(next).is_some_and(|token| self.ends_clauses(token));
        let line_end = |at: usize| {
            let rest = printed.get(at..).unwrap_or_default();
            at + rest.find('\n').unwrap_or(rest.len())
        };
        let insert = match (current, next_anchor) {
            (Some(current), _) if ends && self.follows_on_line(next, comment) => {
                let at = match next_anchor {
                    Some(anchor) if leads => line_start(printed, anchor.printed).0.saturating_sub(1),
                    None if leads => printed.len(),
                    _ => line_end(current.printed),
                };
                Insert { at, text: format!(" {written}") }
            }
            (Some(anchor), _) if !leads => own_line(printed, anchor, &written),
            (_, Some(anchor)) => own_line(printed, anchor, &written),
            (_, None) => Insert { at: printed.len(), text: format!("\n{written}") },
        };
        Some(insert)
    }

    fn ends_clauses(&self, token: &Token) -> bool {
        token.is_symbol(";") || token.is_symbol("}") || token.is_word(self.text, "UNION")
    }

    /// Returns whether a comment ends the line of the token before it. A comment of several lines
    /// does not count.
    fn follows_on_line(&self, next: usize, comment: Span) -> bool {
        let has_line_end =
            |from: usize, to: usize| self.text.get(from..to).is_some_and(|between| between.contains('\n'));
        if has_line_end(comment.start, comment.end) {
            return false;
        }
        let before = next.checked_sub(1).and_then(|last| self.tokens.get(last));
        let after = self.tokens.get(next);
        before.is_some_and(|token| !has_line_end(token.span.end, comment.start))
            && after.is_none_or(|token| has_line_end(comment.end, token.span.start))
    }
}

/// Returns a comment with spaces for the line ends of Unicode that end no comment in Cypher: an editor
/// would show what stands behind them as a line of the query.
fn on_lines(comment: &str) -> String {
    comment.replace(['\u{b}', '\u{c}', '\u{1c}', '\u{1d}', '\u{1e}', '\u{85}', '\u{2028}', '\u{2029}'], " ")
}

/// Returns an insertion of a line for the comment alone, before the line that begins at the anchor.
fn own_line(printed: &str, anchor: &Anchor, written: &str) -> Insert {
    let (at, indent) = line_start(printed, anchor.printed);
    Insert { at, text: format!("{indent}{written}\n") }
}

fn weave(printed: &str, mut inserts: Vec<Insert>) -> String {
    inserts.sort_by_key(|insert| insert.at);
    let mut woven = String::with_capacity(printed.len() + 64);
    let mut at = 0;
    for insert in inserts {
        woven.push_str(printed.get(at..insert.at).unwrap_or_default());
        woven.push_str(&insert.text);
        at = insert.at;
    }
    woven.push_str(printed.get(at..).unwrap_or_default());
    woven
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn formatted(text: &str) -> String {
        format(text).unwrap()
    }

    #[test]
    fn comments_stay_where_they_belong() {
        let text = "\
// what it is for
match (a:A)-->(b) // pairs
where a.x = /* by key */ 1
// the answer
return a, /* both */ b limit 5; // one
/* two */ /* three */
match (n) call (n) { // inner
  match (n)-->(m) return m // found
} return m
union // or
return 1 as m
// end";
        insta::assert_snapshot!(formatted(text), @r"
        // what it is for
        // pairs
        /* by key */
        MATCH (a:A)-->(b) WHERE a.x = 1
        // the answer
        /* both */
        RETURN a, b LIMIT 5; // one
        /* two */
        /* three */
        MATCH (n)
        CALL (n) { // inner
          MATCH (n)-->(m)
          RETURN m // found
        }
        RETURN m
        UNION // or
        RETURN 1 AS m
        // end
        ");
    }

    #[test]
    fn comments_within_commands_are_theirs() {
        assert_eq!(
            formatted("create index /* x */ foo for (n:N) on (n.x) // done"),
            "create index /* x */ foo for (n:N) on (n.x) // done"
        );
    }

    #[test]
    fn faults_are_told() {
        let faults = format("match (n retrun n // c").unwrap_err();
        assert_eq!(faults[0].span.start, 9);
    }

    const WRITTEN: &str = "MATCH p = (a:A {x: 1})-[r:R*1..2]->(b) WHERE a.x > 1 AND EXISTS { MATCH (b)-->(c) RETURN c } \
        WITH a, count(*) AS n ORDER BY n CALL (a) { MATCH (a)--(m) RETURN m UNION RETURN 1 AS m } \
        RETURN a {.x, y: [i IN [1, 2] | i + 1]}, n UNION ALL RETURN 1 AS a, 2 AS n ; EXPLAIN UNWIND [1] AS x RETURN x";

    proptest! {
        #[test]
        fn no_comment_is_lost_and_nothing_else_changes(
            places in proptest::collection::vec((0_usize..200, 0_usize..4), 1..6)
        ) {
            let tokens = scan(WRITTEN).0.tokens;
            let mut text = String::new();
            for (index, token) in tokens.iter().enumerate() {
                for (number, (_, kind)) in
                    places.iter().enumerate().filter(|(_, (place, _))| place % tokens.len() == index)
                {
                    let comment = ["/*N*/ ", " // N\n", "\n// N\n", "/* N\n */\n"][*kind];
                    text.push_str(&comment.replace('N', &format!("c{number}c")));
                }
                text.push_str(token.text(WRITTEN));
                text.push(' ');
            }
            let formatted = format(&text).unwrap();
            for number in 0..places.len() {
                let comment = format!("c{number}c");
                prop_assert_eq!(formatted.matches(&comment).count(), 1, "{}\n{}", text, formatted);
            }
            let parsed = parse(&formatted);
            prop_assert_eq!(parsed.diagnostics, []);
            prop_assert_eq!(print(&parsed.tree), print(&parse(WRITTEN).tree));
            prop_assert_eq!(format(&formatted).unwrap(), formatted);
        }
    }
}
