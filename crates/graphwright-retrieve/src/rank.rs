//! Ranks passages by the names that connect them.
//!
//! A question such as "Who was the first president of the association that published the journal?" has no passage
//! that says it all: one names the association, another its president. [`chains`] finds such sets of passages, in
//! which each brings what the others lack; [`pagerank`] lets weight flow from passages along the names in them, for
//! comparison and for walks over any graph. [`names`] finds the names in plain texts without a model.
//!
//! Nothing here knows how passages are stored: it reads them through [`Passages`].

mod chains;
mod diffusion;
mod fusion;
mod names;
mod pagerank;

use std::rc::Rc;

use crate::Result;

pub(crate) use chains::{Chain, Question, Ranked, rank_by_chains};
pub(crate) use diffusion::rank_by_pagerank;
pub(crate) use fusion::fuse;
pub(crate) use names::{KnownNames, names_in_question, title_keys};
pub use pagerank::{PageRank, PageRankOptions, WeightedGraph};

/// Passages as one question sees them, and the names in them.
pub(crate) trait Passages {
    /// Number of passages; they are numbered from 0.
    fn count(&self) -> usize;

    /// How far a passage has each word of the question, from above 0 to 1, by the number of the word.
    fn credits(&self, passage: u32) -> &[(u32, f32)];

    /// Similarity of a passage to the question in meaning, from 0 to 1.
    fn meaning(&self, passage: u32) -> f32;

    /// The share of the question's words that stand close together in a passage, from 0 to 1; 0 where that is not known.
    fn closeness(&self, passage: u32) -> f32;

    /// Number of the document of a passage, if it is a part of one.
    fn document(&self, passage: u32) -> Option<u64>;

    /// The names in a passage that others have, too, ascending, with those that head it.
    fn names_in(&self, passage: u32) -> Result<Vec<u32>>;

    /// The passages with a name. It is asked for often.
    fn passages_with(&self, name: u32) -> Result<Rc<Named>>;
}

/// The passages with a name, ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Named {
    /// All passages that mention it.
    pub(crate) mentioned: Vec<u32>,
    /// Those of them that it heads.
    pub(crate) headed: Vec<u32>,
}

impl Named {
    /// Returns how far a passage is about the name: 1 if it heads the passage, less if it is mentioned there.
    fn credit(&self, passage: u32) -> f32 {
        if self.headed.binary_search(&passage).is_ok() {
            1.0
        } else if self.mentioned.binary_search(&passage).is_ok() {
            MENTIONED
        } else {
            0.0
        }
    }

    /// Returns how rare the name is, from 0 (in all of `passages`) to 1 (in one).
    fn rarity(&self, passages: usize) -> f32 {
        let count = passages as f32;
        (1.0 + count / self.mentioned.len().max(1) as f32).ln() / (1.0 + count).ln()
    }

    /// Returns BM25's inverse document frequency.
    fn inverse_frequency(&self, passages: usize) -> f32 {
        let count = self.mentioned.len() as f32;
        (1.0 + (passages as f32 - count + 0.5) / (count + 0.5)).ln()
    }
}

/// What the mention of a name counts, where a passage under that name counts 1.
const MENTIONED: f32 = 0.5;

#[cfg(test)]
mod fixture;
