//! Ranks passages by PageRank over the graph of passages and names.
//!
//! As in HippoRAG 2 (Gutiérrez et al. 2025, <https://arxiv.org/abs/2502.14802>), weight begins at the names of the
//! question and at the passages that plain search finds. Where a question names nothing, it begins at passages alone.

use super::{
    Passages,
    pagerank::{PageRank, PageRankOptions, WeightedGraph},
};
use crate::Result;

/// Power of a passage's score by which it is a seed: the best few count.
const SHARPNESS: i32 = 4;
/// The most that a rank may be too low for each unit of degree: far less than what tells the first ten apart.
const ERROR: f64 = 1e-5;
/// How much more weight flows from a name to what it heads than to what mentions it.
const HEADED: f64 = 5.0;

/// The passages, and behind them the names.
struct Bipartite<'a, P>(&'a P);

impl<P: Passages> WeightedGraph for Bipartite<'_, P> {
    type Node = u32;

    fn neighbours(&self, node: u32, visit: &mut dyn FnMut(u32, f64)) -> Result<()> {
        let passages = self.0.count() as u32;
        if node < passages {
            for name in self.0.names_in(node)? {
                let rarity = self.0.passages_with(name)?.rarity(passages as usize);
                visit(passages + name, f64::from(rarity));
            }
        } else {
            let named = self.0.passages_with(node - passages)?;
            for &passage in &named.mentioned {
                let heads = named.headed.binary_search(&passage).is_ok();
                visit(passage, if heads { HEADED } else { 1.0 });
            }
        }
        Ok(())
    }
}

/// Ranks passages by PageRank, best first. `found` are the passages that plain search finds, with their scores, and
/// `names` the names of the question.
pub(crate) fn rank_by_pagerank(
    passages: &impl Passages,
    found: &[(u32, f32)],
    names: &[u32],
) -> Result<Vec<(u32, f32)>> {
    let count = passages.count();
    let sharp = |score: f32| f64::from(score).powi(SHARPNESS);
    let total: f64 = found.iter().map(|(_, score)| sharp(*score)).sum();
    let mut seeds: Vec<(u32, f64)> = found
        .iter()
        .map(|&(passage, score)| (passage, sharp(score) / total.max(f64::MIN_POSITIVE)))
        .collect();
    let rarities: Vec<f64> = names
        .iter()
        .map(|&name| Ok(f64::from(passages.passages_with(name)?.rarity(count))))
        .collect::<Result<_>>()?;
    let total: f64 = rarities.iter().sum();
    seeds.extend(names.iter().zip(&rarities).map(|(name, rarity)| (count as u32 + name, rarity / total)));
    let options = PageRankOptions { error: ERROR, ..PageRankOptions::default() };
    let rank = PageRank::of(&Bipartite(passages), &seeds, &options, || false)?;
    let ranked = rank.nodes.into_iter().filter(|(node, _)| (*node as usize) < count);
    Ok(ranked.map(|(passage, rank)| (passage, rank as f32)).collect())
}
