//! A schema prepared for lookups.

use std::collections::HashMap;

use graphwright_core::{
    GraphSchema, Value,
    schema::{ElementSchema, IndexKind, PropertySchema, Target},
};

use super::{
    iso::{is_date, is_moment},
    names::Names,
};

/// Nodes or relationships.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ElementKind {
    Node,
    Relationship,
}

/// A schema, indexed by names.
#[derive(Debug, Default)]
pub(super) struct SchemaIndex {
    pub(super) labels: Elements,
    pub(super) types: Elements,
    /// The numbers of the labels that each type connects.
    patterns: Vec<Vec<(u16, u16)>>,
}

/// The labels or the types of a schema.
#[derive(Debug, Default)]
pub(super) struct Elements {
    pub(super) list: Vec<Element>,
    numbers: HashMap<Box<str>, u16>,
    /// Whether the list is complete.
    pub(super) complete: bool,
}

/// A label or type.
#[derive(Debug)]
pub(super) struct Element {
    pub(super) name: Box<str>,
    pub(super) properties: HashMap<Box<str>, Property>,
    /// Whether the list of properties is complete.
    pub(super) complete: bool,
    /// Whether the list of connected labels is complete; only for types.
    connections_complete: bool,
    /// The property that holds a vector, if any.
    pub(super) vector: Option<Box<str>>,
}

/// A property of a label or type.
#[derive(Debug, Default)]
pub(super) struct Property {
    /// The names of its types; empty if they are unknown.
    pub(super) types: Vec<Box<str>>,
    /// All values, if they are few.
    pub(super) values: Option<Vec<Value>>,
    /// Whether elements without the property were seen.
    pub(super) has_nulls: bool,
    /// The function that reads the sampled texts, if all of them are dates or times.
    pub(super) read_by: Option<&'static str>,
}

impl SchemaIndex {
    pub(super) fn new(schema: &GraphSchema) -> Self {
        let mut labels = Elements::new(&schema.labels);
        let mut types = Elements::new(&schema.relationship_types);
        let mut patterns = vec![Vec::new(); types.list.len()];
        let mut counts = vec![0_u64; types.list.len()];
        for pattern in &schema.patterns {
            let ends = (labels.number(&pattern.from), labels.number(&pattern.to));
            // A pattern that names an unlisted label or type shows that the list is incomplete.
            labels.complete &= ends.0.is_some() && ends.1.is_some();
            let Some(kind) = types.number(&pattern.kind) else {
                types.complete = false;
                continue;
            };
            if let ((Some(from), Some(to)), kind) = (ends, usize::from(kind)) {
                patterns[kind].push((from, to));
                counts[kind] += pattern.count;
            }
        }
        // If patterns have fewer relationships than their type, it also connects unlisted labels,
        // or nodes without any.
        let mut totals = schema.relationship_types.iter().map(|element| element.count).zip(&counts);
        labels.complete &= totals.all(|(count, known)| *known >= count);
        for (element, pairs) in types.list.iter_mut().zip(&patterns) {
            element.connections_complete = labels.complete && !pairs.is_empty();
        }
        let mut index = Self { labels, types, patterns };
        index.add_constrained(schema);
        index
    }

    /// Adds the properties that only an index or constraint names, such as vectors.
    fn add_constrained(&mut self, schema: &GraphSchema) {
        for index in &schema.indexes {
            let element = match &index.target {
                Target::Label(label) => self.labels.element_mut(label),
                Target::RelationshipType(kind) => self.types.element_mut(kind),
            };
            let Some(element) = element else { continue };
            element.know(&index.properties);
            if let (IndexKind::Vector { .. }, Some(property)) = (&index.kind, index.properties.first()) {
                element.vector = Some(property.as_str().into());
            }
        }
        for constraint in &schema.constraints {
            if let Some(element) = self.labels.element_mut(&constraint.label) {
                element.know(&constraint.properties);
            }
        }
    }

    /// Returns whether the schema lists any property.
    pub(super) fn has_properties(&self) -> bool {
        let mut elements = self.labels.list.iter().chain(&self.types.list);
        elements.any(|element| !element.properties.is_empty())
    }

    pub(super) fn elements(&self, kind: ElementKind) -> &Elements {
        match kind {
            ElementKind::Node => &self.labels,
            ElementKind::Relationship => &self.types,
        }
    }

    /// Returns each start label, type and end label that the names allow.
    pub(super) fn connections<'a>(
        &'a self,
        from: &'a Names,
        types: &'a Names,
        to: &'a Names,
    ) -> impl Iterator<Item = (u16, u16, u16)> + 'a {
        self.patterns
            .iter()
            .enumerate()
            .filter_map(|(kind, pairs)| Some((u16::try_from(kind).ok()?, pairs)))
            .filter(|(kind, _)| types.may_be(*kind))
            .flat_map(|(kind, pairs)| pairs.iter().map(move |&(start, end)| (start, kind, end)))
            .filter(|(start, _, end)| from.may_be(*start) && to.may_be(*end))
    }

    /// Returns whether all connections of these types are known, and there are some.
    pub(super) fn connects_only_known(&self, types: &Names) -> bool {
        let complete = |element: &Element| element.connections_complete;
        match types.known() {
            None => self.types.complete && self.types.list.iter().all(complete),
            Some(numbers) => {
                !numbers.is_empty()
                    && numbers.iter().all(|&number| self.types.get(number).is_some_and(complete))
            }
        }
    }

    /// Returns whether any connection of these types is known.
    pub(super) fn is_connected(&self, types: &Names) -> bool {
        self.patterns.iter().enumerate().any(|(kind, pairs)| {
            !pairs.is_empty() && u16::try_from(kind).is_ok_and(|kind| types.may_be(kind))
        })
    }
}

impl Elements {
    fn new(elements: &[ElementSchema]) -> Self {
        // A number has 16 bits.
        let list: Vec<Element> = elements.iter().take(usize::from(u16::MAX)).map(Element::new).collect();
        let numbers = (0..).zip(&list).map(|(number, element)| (element.name.clone(), number)).collect();
        // An empty list says that nothing is known, and not that nothing is there.
        Self { complete: !list.is_empty(), list, numbers }
    }

    pub(super) fn number(&self, name: &str) -> Option<u16> {
        self.numbers.get(name).copied()
    }

    pub(super) fn get(&self, number: u16) -> Option<&Element> {
        self.list.get(usize::from(number))
    }

    fn element_mut(&mut self, name: &str) -> Option<&mut Element> {
        let number = self.number(name)?;
        self.list.get_mut(usize::from(number))
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.list.iter().map(|element| &*element.name)
    }

    /// Returns the elements that a node or relationship with these names may be.
    pub(super) fn of<'a, 'n>(
        &'a self,
        names: &'n Names,
    ) -> impl Iterator<Item = &'a Element> + Clone + use<'a, 'n> {
        let known = names.known();
        (0..).zip(&self.list).filter_map(move |(number, element): (u16, _)| {
            known.is_none_or(|known| known.contains(&number)).then_some(element)
        })
    }
}

impl Element {
    fn new(schema: &ElementSchema) -> Self {
        // A schema written by hand counts nothing, and is taken to be complete.
        let complete = schema.observed >= schema.count;
        let property = |property: &PropertySchema| Property {
            types: property.types.iter().map(|name| name.as_str().into()).collect(),
            values: property.values.clone(),
            has_nulls: property.count < schema.observed,
            read_by: read_by(property),
        };
        Self {
            name: schema.name.as_str().into(),
            properties: schema
                .properties
                .iter()
                .map(|found| (found.name.as_str().into(), property(found)))
                .collect(),
            complete,
            connections_complete: false,
            vector: schema
                .properties
                .iter()
                .find(|property| is_vector(property))
                .map(|found| found.name.as_str().into()),
        }
    }

    fn know(&mut self, properties: &[String]) {
        for property in properties {
            self.properties.entry(property.as_str().into()).or_default();
        }
    }
}

/// The length above which a list of numbers is taken to be a vector.
const LONGEST_LIST: usize = 128;

fn is_vector(property: &PropertySchema) -> bool {
    let long = |value: &Value| {
        value.as_list().is_some_and(|list| {
            list.len() > LONGEST_LIST && list.iter().all(|item| item.as_float().is_some())
        })
    };
    property.samples.iter().any(long)
}

/// Returns the function that reads the texts of a property, if all samples are dates or times.
fn read_by(property: &PropertySchema) -> Option<&'static str> {
    let texts = || property.samples.iter().map(|sample| sample.as_str().unwrap_or_default());
    if property.samples.is_empty() {
        None
    } else if texts().all(is_date) {
        Some("date")
    } else {
        texts().all(is_moment).then_some("datetime")
    }
}
