//! Options for describing a schema.

use crate::selection::Selection;

/// Options for describing a schema: what to describe, and how closely to look.
#[derive(Clone, Debug)]
pub struct SchemaOptions {
    /// The labels to describe.
    pub labels: Selection,
    /// The relationship types to describe.
    pub relationship_types: Selection,
    /// The number of elements of a label or type to look at for properties and samples. Defaults to
    /// 1,000.
    pub sample: usize,
    /// The number of sample values to keep for a property. Defaults to 5.
    pub values: usize,
}

impl Default for SchemaOptions {
    fn default() -> Self {
        Self { labels: Selection::All, relationship_types: Selection::All, sample: 1_000, values: 5 }
    }
}
