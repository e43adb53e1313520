//! Label and type expressions: `A&!(B|C)`, `%`.

use std::ops::Range;

use crate::{
    edit::Edits,
    gate::is_keyword,
    lexer::unquote,
    rewrite::{
        Pass, Result, RewriteError,
        pattern::{ElementKind, paths},
    },
    source::Source,
};

/// What labels a node must have, or which type a relationship.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Labels {
    /// The label as it is written.
    Name(String),
    Any,
    Not(Box<Labels>),
    And(Vec<Labels>),
    Or(Vec<Labels>),
}

impl Labels {
    /// Whether the engine reads it in a pattern.
    pub(super) fn is_native(&self, kind: ElementKind) -> bool {
        let names = |parts: &[Labels]| parts.iter().all(|part| matches!(part, Self::Name(_)));
        match self {
            Self::Name(_) => true,
            Self::Or(parts) => names(parts),
            Self::And(parts) => kind == ElementKind::Node && names(parts),
            Self::Any | Self::Not(_) => false,
        }
    }

    /// Names as the engine reads them in a pattern.
    pub(super) fn plain(&self) -> String {
        let joined = |parts: &[Labels], separator: &str| {
            let parts: Vec<_> = parts.iter().map(Self::plain).collect();
            parts.join(separator)
        };
        match self {
            Self::Name(name) => format!(":{name}"),
            Self::And(parts) => joined(parts, ""),
            Self::Or(parts) => joined(parts, "|").replace("|:", "|"),
            Self::Any | Self::Not(_) => String::new(),
        }
    }

    /// What stays in the pattern, and what becomes a condition.
    pub(super) fn split(self, kind: ElementKind) -> (String, Vec<Labels>) {
        let parts = match self {
            Self::And(parts) if kind == ElementKind::Node => parts,
            other => vec![other],
        };
        let (names, rest): (Vec<_>, Vec<_>) =
            parts.into_iter().partition(|part| matches!(part, Self::Name(_)));
        let kept = names.iter().filter_map(|name| match name {
            Self::Name(name) => Some(format!(":{name}")),
            _ => None,
        });
        (kept.collect(), rest)
    }

    /// The same as a condition on a variable.
    pub(super) fn condition(&self, variable: &str, kind: ElementKind) -> String {
        let all = |parts: &[Labels], word: &str| {
            let parts: Vec<_> = parts.iter().map(|part| part.condition(variable, kind)).collect();
            format!("({})", parts.join(word))
        };
        match self {
            Self::Name(name) if kind == ElementKind::Node => format!("{variable}:{name}"),
            Self::Name(name) => {
                let name = unquote(name);
                format!("type({variable}) = '{}'", name.replace('\\', "\\\\").replace('\'', "\\'"))
            }
            Self::Any if kind == ElementKind::Node => {
                format!("any(label IN labels({variable}) WHERE label <> 'Node')")
            }
            Self::Any => format!("{variable} IS NOT NULL"),
            // The engine takes a label test in brackets for a pattern, which is never null.
            Self::Not(inner) => format!("NOT {}", inner.condition(variable, kind)),
            Self::And(parts) => all(parts, " AND "),
            Self::Or(parts) => all(parts, " OR "),
        }
    }
}

/// Reads the expression after a colon; the range begins with the colon.
pub(super) fn read(source: &Source<'_>, range: &Range<usize>) -> Result<Labels> {
    let mut reader = Reader { source, at: range.start + 1, end: range.end };
    let labels = reader.any_of()?;
    if reader.at < range.end {
        return Err(RewriteError::syntax("this is no label expression", source.span(reader.at)));
    }
    Ok(labels)
}

struct Reader<'a> {
    source: &'a Source<'a>,
    at: usize,
    end: usize,
}

impl Reader<'_> {
    fn accept(&mut self, symbols: &[&str]) -> bool {
        let found = self.at < self.end
            && self.source.is_any_symbol(self.at, symbols)
            && !self.source.is_body_bar(self.at);
        self.at += usize::from(found);
        found
    }

    fn any_of(&mut self) -> Result<Labels> {
        let mut parts = vec![self.all_of()?];
        while self.accept(&["|"]) {
            self.accept(&[":"]);
            parts.push(self.all_of()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Labels::Or(parts) })
    }

    fn all_of(&mut self) -> Result<Labels> {
        let mut parts = vec![self.one()?];
        while self.accept(&["&", ":"]) {
            match self.one()? {
                Labels::And(more) => parts.extend(more),
                part => parts.push(part),
            }
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Labels::And(parts) })
    }

    fn one(&mut self) -> Result<Labels> {
        if self.accept(&["!"]) {
            return Ok(Labels::Not(Box::new(self.one()?)));
        }
        if self.accept(&["%"]) {
            return Ok(Labels::Any);
        }
        if self.accept(&["("]) {
            let inner = self.any_of()?;
            if self.accept(&[")"]) {
                return Ok(inner);
            }
        } else if self.at < self.end && self.source.is_name(self.at) {
            self.at += 1;
            return Ok(Labels::Name(self.source.text(self.at - 1).to_owned()));
        }
        Err(RewriteError::syntax("a label must stand here", self.source.span(self.at)))
    }
}

/// `n:A|B` as a condition; the engine reads `n:A` alone.
pub(super) fn in_expressions(pass: &Pass<'_>, edits: &mut Edits) {
    let source = pass.source;
    let paths = paths(source, pass.blocks);
    let inside: Vec<Range<usize>> = paths.iter().map(|path| path.tokens.clone()).collect();
    let is_variable_of = |kind: ElementKind, name: &str| {
        paths.iter().flat_map(|path| &path.elements).any(|element| {
            element.kind == kind && element.variable.is_some_and(|variable| source.text(variable) == name)
        })
    };
    let mut at = 1;
    while at < source.len() {
        let colon = at;
        at += 1;
        let is_test = source.is_symbol(colon, ":")
            && !source.is_map_colon(colon)
            && source.is_name(colon - 1)
            && !is_keyword(source, colon - 1)
            && !source.is_name_position(colon - 1)
            && !inside.iter().any(|range| range.contains(&colon));
        if !is_test {
            continue;
        }
        let mut reader = Reader { source, at: colon + 1, end: source.len() };
        let Ok(labels) = reader.any_of() else { continue };
        at = reader.at;
        let variable = source.text(colon - 1);
        let is_relationship = is_variable_of(ElementKind::Relationship, variable)
            && !is_variable_of(ElementKind::Node, variable);
        let kind = if is_relationship { ElementKind::Relationship } else { ElementKind::Node };
        let is_call = colon >= 3 && source.is_name(colon - 3) && !is_keyword(source, colon - 3);
        let in_brackets = colon >= 2
            && source.is_symbol(colon - 2, "(")
            && at < source.len()
            && source.is_symbol(at, ")")
            && !is_call;
        let tokens = if in_brackets { colon - 2..at + 1 } else { colon - 1..at };
        let stays = !is_relationship && !in_brackets && matches!(labels, Labels::Name(_));
        if !stays && !in_update(pass, colon) {
            edits.replace(source.span_of(&tokens), labels.condition(variable, kind));
        }
    }
}

/// `SET n:A:B` and `REMOVE n:A:B` give labels rather than ask for them.
fn in_update(pass: &Pass<'_>, index: usize) -> bool {
    use crate::source::Keyword;
    let clauses = pass.blocks.iter().flat_map(|block| &block.clauses);
    clauses
        .filter(|clause| clause.tokens.contains(&index))
        .any(|clause| matches!(clause.keyword, Keyword::Set | Keyword::Remove | Keyword::Merge))
}
