//! Labels and types that the graph does not have.

use super::{
    Checker,
    index::{ElementKind, Elements},
    names::{Names, Nearest, nearest},
};
use crate::{
    builder::quote,
    diagnostic::{Code, Diagnostic},
    syntax::tree::{LabelExpression, LabelKind, Name},
};
use graphwright_core::names::is_reserved;

impl Checker<'_> {
    /// Returns the names that a label expression allows, and reports unknown ones. `likely` are the
    /// types that fit between the nodes, for a type that may be misspelled.
    pub(super) fn resolve(&mut self, labels: &LabelExpression, kind: ElementKind, likely: &[u16]) -> Names {
        match &labels.kind {
            LabelKind::Name(name) => self.resolve_name(name, kind, likely),
            LabelKind::Wildcard | LabelKind::Dynamic { .. } | LabelKind::Invalid => Names::Any,
            LabelKind::Not(operand) => {
                self.optionally(|checker| {
                    checker.resolve(operand, kind, likely);
                });
                Names::Any
            }
            LabelKind::And(operands) | LabelKind::Colons(operands) => {
                let mut found = Names::Any;
                for operand in operands {
                    let more = self.resolve(operand, kind, likely);
                    found.add(more);
                }
                found
            }
            LabelKind::Or(operands) => {
                let mut found = Some(Names::Written([].into()));
                for operand in operands {
                    self.optionally(|checker| match checker.resolve(operand, kind, likely) {
                        Names::Any => found = None,
                        more => found.iter_mut().for_each(|found| found.add(more.clone())),
                    });
                }
                found.unwrap_or(Names::Any)
            }
        }
    }

    /// Returns whether all names of a label expression are known.
    pub(super) fn knows(&self, labels: &LabelExpression, kind: ElementKind) -> bool {
        match &labels.kind {
            LabelKind::Name(name) => self.schema.elements(kind).number(&name.text).is_some(),
            LabelKind::Wildcard | LabelKind::Dynamic { .. } | LabelKind::Invalid => true,
            LabelKind::Not(operand) => self.knows(operand, kind),
            LabelKind::And(operands) | LabelKind::Colons(operands) | LabelKind::Or(operands) => {
                operands.iter().all(|operand| self.knows(operand, kind))
            }
        }
    }

    /// Checks a label or type that something is tested for or given. Whether that is a node or a
    /// relationship is unknown.
    pub(super) fn label_test(&mut self, labels: &LabelExpression) {
        self.resolve(labels, ElementKind::Node, &[]);
    }

    fn resolve_name(&mut self, name: &Name, kind: ElementKind, likely: &[u16]) -> Names {
        let elements = self.schema.elements(kind);
        if let Some(number) = elements.number(&name.text) {
            return Names::Written([number].into());
        }
        if elements.list.is_empty() || is_reserved(&name.text) || name.text.is_empty() {
            return Names::Any;
        }
        let found = meant(&name.text, elements, likely);
        // A new label may be meant where no known one is near.
        if self.creating && found.is_none() {
            return Names::Any;
        }
        let certain = elements.complete;
        let diagnostic = self.unknown_name(name, kind, found);
        self.report(diagnostic, certain);
        if found.is_none() {
            self.ask_name(name.span, &name.text, elements.names());
        }
        match found {
            Some(found) if found.alone => {
                elements.number(found.name).map_or(Names::Any, |number| Names::Written([number].into()))
            }
            _ => Names::Any,
        }
    }

    fn unknown_name(&self, name: &Name, kind: ElementKind, found: Option<Nearest<'_>>) -> Diagnostic {
        let schema = self.schema;
        let (code, message, other) = match kind {
            ElementKind::Node => {
                (Code::UnknownLabel, format!("no node has the label `{}`", name.text), &schema.types)
            }
            ElementKind::Relationship => {
                let message = format!("no relationship has the type `{}`", name.text);
                (Code::UnknownRelationshipType, message, &schema.labels)
            }
        };
        let diagnostic = Diagnostic::new(code, name.span, message);
        let help = match (kind, found) {
            (ElementKind::Node, _) if other.number(&name.text).is_some() => {
                format!("`{0}` is a relationship type: write it between nodes, as -[:{0}]->", name.text)
            }
            (ElementKind::Relationship, None) if other.number(&name.text).is_some() => {
                format!("`{0}` is a label: write it in a node, as (:{0})", name.text)
            }
            (_, Some(found)) => format!("did you mean `{}`?", found.name),
            (_, None) => list_of_known(schema.elements(kind), kind),
        };
        let diagnostic = diagnostic.with_help(help);
        match found {
            Some(found) => {
                let text = quote(found.name).unwrap_or_else(|_| found.name.to_owned());
                diagnostic.with_fix(name.span, text, found.alone && !self.creating)
            }
            None => diagnostic,
        }
    }
}

/// Returns the name that was probably meant: one with nearly this spelling, or the only one that
/// fits.
fn meant<'n>(name: &str, elements: &'n Elements, likely: &[u16]) -> Option<Nearest<'n>> {
    let fitting = || likely.iter().filter_map(|&number| elements.get(number)).map(|element| &*element.name);
    let by_spelling = nearest(name, fitting()).or_else(|| nearest(name, elements.names()));
    by_spelling.or_else(|| match likely {
        [_] => fitting().next().map(|name| Nearest { name, alone: true, same: false }),
        _ => None,
    })
}

/// Returns the known names, as far as a message shows them.
fn list_of_known(elements: &Elements, kind: ElementKind) -> String {
    const MOST: usize = 12;
    let plural = match kind {
        ElementKind::Node => "labels",
        ElementKind::Relationship => "relationship types",
    };
    let names: Vec<&str> = elements.names().take(MOST).collect();
    let more = if elements.list.len() > MOST { ", …" } else { "" };
    format!("the {plural} are {}{more}", names.join(", "))
}
