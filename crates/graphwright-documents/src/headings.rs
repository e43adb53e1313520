//! Headings that many documents have: they are sections of any document, and name nothing.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use crate::blocks::Block;

/// A heading of so many documents is one of sections.
const RECURS: usize = 3;

/// The headings that recur in a corpus, such as "Context" and "Non-goals" in records of decisions.
///
/// ```
/// use graphwright_documents::headings::RecurringHeadings;
///
/// let documents = [vec!["context", "falcon"], vec!["context"], vec!["context", "kestrel"]];
/// let recurring = RecurringHeadings::count(documents);
/// assert!(recurring.contains("1. Context:"));
/// assert!(!recurring.contains("Falcon"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecurringHeadings(Arc<BTreeSet<String>>);

impl RecurringHeadings {
    /// Counts the headings of documents, as [`keys`] gives them.
    pub fn count<'h, D: IntoIterator<Item = &'h str>>(documents: impl IntoIterator<Item = D>) -> Self {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for key in documents.into_iter().flatten() {
            *counts.entry(key).or_default() += 1;
        }
        counts.retain(|_, count| *count >= RECURS);
        Self(Arc::new(counts.into_keys().map(str::to_owned).collect()))
    }

    /// Tells whether a heading is one of many documents.
    pub fn contains(&self, heading: &str) -> bool {
        !self.0.is_empty() && self.0.contains(&key(heading))
    }

    /// Returns the keys that only one of the two has.
    pub fn difference<'s>(&'s self, other: &'s Self) -> impl Iterator<Item = &'s str> {
        self.0.symmetric_difference(&other.0).map(String::as_str)
    }
}

/// Returns the headings of a document for the count, each once.
pub fn keys(blocks: &[Block]) -> BTreeSet<String> {
    let headings = blocks.iter().filter_map(|block| match block {
        Block::Heading { text, .. } => Some(key(&text.text)),
        _ => None,
    });
    headings.filter(|key| !key.is_empty()).collect()
}

/// A heading in small letters, without its number and marks.
fn key(heading: &str) -> String {
    let words = heading.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    let numbered = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
    let words: Vec<String> = words.skip_while(numbered).map(str::to_lowercase).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use graphwright_core::document::TextFormat;

    use super::*;
    use crate::layout::Layout;

    #[test]
    fn a_heading_counts_once_in_a_document_and_without_its_number() {
        let layout = Layout::read(
            "# 1. Non-Goals\n\n## 2.1 Non-goals:\n\n## 2024\n\n## Gates\n",
            TextFormat::Markdown,
        );
        let found = keys(layout.blocks());
        assert_eq!(found.iter().collect::<Vec<_>>(), ["gates", "non goals"]);
        let recurring = RecurringHeadings::count(vec![found.iter().map(String::as_str); 3]);
        assert!(recurring.contains("NON-GOALS"));
        assert!(!RecurringHeadings::count([["gates"], ["gates"]]).contains("Gates"));
    }

    #[test]
    fn what_recurs_in_only_one_of_two_corpora_differs() {
        let count = |times: usize| RecurringHeadings::count(vec![["gates"]; times]);
        assert_eq!(count(3).difference(&count(2)).collect::<Vec<_>>(), ["gates"]);
        assert_eq!(count(3).difference(&count(4)).count(), 0);
    }
}
