//! The number of matches of patterns and the length of their paths.

use graphwright_core::{GraphSchema, Span, schema::ElementSchema};

use super::{
    ASSUMED_MATCHES,
    conditions::{self, Narrowing},
};
use crate::syntax::tree::{
    Expression, ExpressionKind, LabelExpression, LabelKind, Name, Pattern, PatternElement,
};

/// The most relationships of a path whose bound is in the text, unless only the shortest is wanted.
pub(super) const MOST_HOPS: u64 = 16;

/// Returns what the properties and conditions within a pattern narrow down.
pub(super) fn narrowings(pattern: &Pattern) -> Vec<Narrowing> {
    let element_narrowings =
        |variable: Option<&Name>, properties: Option<&Expression>, condition: Option<&Expression>| {
            let variable = variable.map_or("", |name| &*name.text);
            let entries: Vec<_> = match properties.map(|properties| &properties.kind) {
                Some(ExpressionKind::Map(entries)) => entries.iter().map(|(_, value)| value).collect(),
                _ => properties.into_iter().collect(),
            };
            let mut found: Vec<_> =
                entries.into_iter().filter_map(|value| Narrowing::from_property(variable, value)).collect();
            found.extend(condition.map(conditions::narrowings).unwrap_or_default());
            found
        };
    let part_narrowings = |element: &PatternElement| match element {
        PatternElement::Node(node) => {
            element_narrowings(node.variable.as_ref(), node.properties.as_deref(), node.condition.as_deref())
        }
        PatternElement::Relationship(found) => element_narrowings(
            found.variable.as_ref(),
            found.properties.as_deref(),
            found.condition.as_deref(),
        ),
        PatternElement::Group(group) => {
            let mut found = narrowings(&group.pattern);
            found.extend(group.condition.as_deref().map(conditions::narrowings).unwrap_or_default());
            found
        }
    };
    pattern.elements.iter().flat_map(part_narrowings).collect()
}

/// Returns the number of matches of a pattern that nothing narrows down. The schema can only lower
/// the assumed number.
pub(super) fn matches(pattern: &Pattern, schema: Option<&GraphSchema>) -> u64 {
    let counted = schema.and_then(|schema| {
        let mut nodes = 0;
        let mut paths: Option<u64> = None;
        for element in &pattern.elements {
            match element {
                PatternElement::Node(node) => nodes = count(node.labels.as_ref(), &schema.labels),
                PatternElement::Relationship(found) if found.hops.is_none() && found.quantifier.is_none() => {
                    let count = count(found.types.as_ref(), &schema.relationship_types);
                    paths = Some(paths.unwrap_or(1).saturating_mul(count));
                }
                PatternElement::Relationship(_) | PatternElement::Group(_) => return None,
            }
        }
        // Without a direction each relationship matches twice.
        Some(paths.map_or(nodes, |paths| paths.saturating_mul(2)).max(1))
    });
    counted.map_or(ASSUMED_MATCHES, |counted| counted.min(ASSUMED_MATCHES))
}

/// Returns the number of elements with the labels or types.
fn count(names: Option<&LabelExpression>, elements: &[ElementSchema]) -> u64 {
    let all = || elements.iter().map(|element| element.count).fold(0, u64::saturating_add);
    match names.map(|names| &names.kind) {
        Some(LabelKind::Name(name)) => {
            elements.iter().find(|element| *element.name == *name.text).map_or(0, |element| element.count)
        }
        Some(LabelKind::And(parts) | LabelKind::Colons(parts)) => {
            parts.iter().map(|part| count(Some(part), elements)).min().unwrap_or_default()
        }
        Some(LabelKind::Or(parts)) => {
            parts.iter().map(|part| count(Some(part), elements)).fold(0, u64::saturating_add)
        }
        _ => all(),
    }
}

/// Returns the place where a pattern asks for longer paths than [`MOST_HOPS`].
pub(super) fn too_long(pattern: &Pattern) -> Option<Span> {
    if pattern.shortest.is_some() {
        return None;
    }
    pattern.elements.iter().find_map(|element| {
        let (quantifier, hops) = match element {
            PatternElement::Relationship(relationship) => (&relationship.quantifier, &relationship.hops),
            PatternElement::Group(group) => (&group.quantifier, &None),
            PatternElement::Node(_) => return None,
        };
        let quantifier = quantifier
            .as_ref()
            .filter(|quantifier| is_long(quantifier.most) || is_long(Some(quantifier.least)));
        let hops = hops.as_ref().filter(|hops| is_long(hops.most) || is_long(hops.least));
        quantifier.map(|quantifier| quantifier.span).or(hops.map(|hops| hops.span))
    })
}

fn is_long(hops: Option<u64>) -> bool {
    hops.is_some_and(|hops| hops > MOST_HOPS)
}
