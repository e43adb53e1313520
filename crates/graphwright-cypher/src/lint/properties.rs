//! Properties that nodes and relationships do not have.

use graphwright_core::names::is_reserved;

use super::{
    Checker,
    index::{Element, ElementKind},
    names::nearest,
    scope::Holder,
};
use crate::{
    builder::quote,
    diagnostic::{Code, Diagnostic},
    syntax::tree::{Expression, ExpressionKind, Name},
};

/// The most owners of a property that a message names.
const EXAMPLES: usize = 4;

impl Checker<'_> {
    /// Checks the `{key: value}` of a node or relationship.
    pub(super) fn property_map(&mut self, holder: &Holder, map: &Expression) {
        let ExpressionKind::Map(entries) = &map.kind else { return };
        for (key, value) in entries {
            self.property(holder, key);
            self.entry(holder, key, value);
        }
    }

    /// Reports a property that its holder does not have.
    pub(super) fn property(&mut self, holder: &Holder, key: &Name) {
        let elements = self.schema.elements(holder.kind);
        let possible = elements.of(&holder.names);
        let has_it = |element: &Element| element.properties.contains_key(&*key.text);
        if is_reserved(&key.text) || key.text.is_empty() || possible.clone().any(has_it) {
            return;
        }
        let complete = elements.complete && possible.clone().all(|element| element.complete);
        // If no properties were looked at, or the schema lists none at all, nothing is known of
        // them.
        let none = |element: &Element| element.properties.is_empty();
        if !complete && possible.clone().all(none) || !self.schema.has_properties() {
            return;
        }
        let mut own: Vec<&str> = Vec::new();
        own.extend(possible.flat_map(|element| element.properties.keys().map(|name| &**name)));
        own.sort_unstable();
        own.dedup();
        let near = nearest(&key.text, own.iter().copied());
        if self.creating && near.is_none() {
            return;
        }
        let what = self.holder_text(holder);
        let owners = self.owners(&key.text);
        let diagnostic = if holder.names.known().is_none() {
            let what = if holder.kind == ElementKind::Node { "node" } else { "relationship" };
            Diagnostic::new(
                Code::UnknownProperty,
                key.span,
                format!("no {what} has a property `{}`", key.text),
            )
        } else if owners.is_empty() {
            Diagnostic::new(Code::UnknownProperty, key.span, format!("{what} has no property `{}`", key.text))
        } else {
            let message = format!("`{}` is a property of {owners}, not of {what}", key.text);
            Diagnostic::new(Code::MisplacedProperty, key.span, message)
        };
        let diagnostic = match near {
            Some(near) => {
                let text = quote(near.name).unwrap_or_else(|_| near.name.to_owned());
                let safe = near.alone && !self.creating;
                diagnostic.with_help(format!("did you mean `{}`?", near.name)).with_fix(key.span, text, safe)
            }
            None if holder.names.known().is_some() => diagnostic.with_help(own_text(&own)),
            None => diagnostic,
        };
        if near.is_none() {
            self.ask_name(key.span, &key.text, own.iter().copied());
        }
        self.report(diagnostic, complete);
    }

    /// Returns the labels and types that have a property, as text.
    fn owners(&self, key: &str) -> String {
        let of = |kind| {
            let owners = self.schema.elements(kind).list.iter();
            owners
                .filter(|element| element.properties.contains_key(key))
                .map(|element| format!("`{}`", element.name))
        };
        let mut owners: Vec<String> = of(ElementKind::Node).chain(of(ElementKind::Relationship)).collect();
        if owners.len() > EXAMPLES {
            owners.truncate(EXAMPLES);
            owners.push("…".to_owned());
        }
        owners.join(", ")
    }

    fn holder_text(&self, holder: &Holder) -> String {
        match holder.kind {
            ElementKind::Node => self.label_text(&holder.names),
            ElementKind::Relationship => self.type_text(&holder.names),
        }
    }
}

fn own_text(own: &[&str]) -> String {
    const MOST: usize = 12;
    if own.is_empty() {
        return "it has no properties".to_owned();
    }
    let more = if own.len() > MOST { ", …" } else { "" };
    format!("its properties are {}{more}", own[..own.len().min(MOST)].join(", "))
}
