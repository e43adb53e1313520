//! The words of a text, brought to their stems.

use graphwright_english::{inflection::base_stem, names};

/// The stems of a text, in order.
#[derive(Debug)]
pub(super) struct Stems(Vec<String>);

impl Stems {
    pub(super) fn of(text: &str) -> Self {
        Self(names::tokens(text).iter().map(|token| base_stem(&token.text)).collect())
    }

    /// Tells whether these stand there, one behind the other.
    pub(super) fn have(&self, stems: &[String]) -> bool {
        self.0.windows(stems.len()).any(|words| words == stems)
    }

    /// Tells whether these stand there, anywhere.
    pub(super) fn have_all(&self, stems: &[String]) -> bool {
        stems.iter().all(|stem| self.0.contains(stem))
    }

    pub(super) fn are_several(&self) -> bool {
        self.0.len() > 1
    }
}
