//! The words of a text, and their stems.

use graphwright_english::{inflection::base_stem, names};

/// The fewest letters with which words of one root begin alike, and the share of the longer stem that these are.
const ROOT: (usize, f64) = (5, 0.6);

/// The words of a text with their stems, in order.
#[derive(Debug)]
pub(super) struct Stems {
    stems: Vec<String>,
    pub(super) words: Vec<String>,
}

impl Stems {
    pub(super) fn of(text: &str) -> Self {
        let words: Vec<String> = names::tokens(text).into_iter().map(|token| token.text).collect();
        Self { stems: words.iter().map(|word| base_stem(word)).collect(), words }
    }

    /// The stems that stand side by side.
    pub(super) fn pairs(&self) -> Vec<[String; 2]> {
        self.stems.windows(2).map(|pair| [pair[0].clone(), pair[1].clone()]).collect()
    }

    /// Tells whether these stand there, one behind the other.
    pub(super) fn have(&self, stems: &[String]) -> bool {
        self.stems.windows(stems.len()).any(|words| words == stems)
    }

    /// Tells whether these stand there, anywhere.
    pub(super) fn have_all(&self, stems: &[String]) -> bool {
        stems.iter().all(|stem| self.stems.contains(stem))
    }

    /// Tells whether a word stands there that seems to be of the same root: `recovery` for `recover`.
    pub(super) fn have_root_of(&self, stem: &str) -> bool {
        let (least, share) = ROOT;
        self.stems.iter().any(|other| {
            let alike = stem.bytes().zip(other.bytes()).take_while(|(left, right)| left == right).count();
            alike >= least && alike as f64 >= share * stem.len().max(other.len()) as f64
        })
    }
}
