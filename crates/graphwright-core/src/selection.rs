//! Selects some of the names of a graph: of labels, relationship types or properties.

/// A choice of names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Selection {
    /// All names.
    #[default]
    All,
    /// No names.
    None,
    /// Only these names.
    Only(Vec<String>),
    /// All names but these.
    Except(Vec<String>),
}

impl Selection {
    /// Returns whether `name` is selected.
    pub fn includes(&self, name: &str) -> bool {
        match self {
            Self::All => true,
            Self::None => false,
            Self::Only(names) => names.iter().any(|candidate| candidate == name),
            Self::Except(names) => names.iter().all(|candidate| candidate != name),
        }
    }

    /// Selects only these names.
    pub fn only<T: Into<String>>(names: impl IntoIterator<Item = T>) -> Self {
        Self::Only(names.into_iter().map(Into::into).collect())
    }
}
