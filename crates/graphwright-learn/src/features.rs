//! Weights of features: what the words around a place say for a part of a meaning.

use rustc_hash::FxHashMap;

/// FNV-1a (<http://www.isthe.com/chongo/tech/comp/fnv/>): the same on every machine.
pub(crate) fn hash(text: &str) -> u64 {
    hash_of(&[text])
}

/// The hash of texts one behind the other.
pub(crate) fn hash_of(texts: &[&str]) -> u64 {
    texts
        .iter()
        .flat_map(|text| text.bytes())
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// A part of a meaning, by its number.
pub(crate) type Part = u16;

/// How far a step of learning goes.
const RATE: f32 = 0.1;
/// What makes the first steps of a weight small.
const DAMPING: f32 = 0.3;
/// How strongly weights are drawn to zero, so that nothing is learned by heart.
const DECAY: f32 = 0.01;

#[derive(Clone, Copy, Debug, Default)]
struct Weight {
    value: f32,
    /// The sum of squared gradients (AdaGrad, Duchi, Hazan and Singer 2011).
    squares: f32,
}

/// Weights of features for parts, by feature.
#[derive(Clone, Debug, Default)]
pub(crate) struct Weights {
    rows: FxHashMap<u64, Vec<(Part, Weight)>>,
}

impl Weights {
    pub(crate) fn get(&self, feature: u64, part: Part) -> f32 {
        let row = self.rows.get(&feature);
        row.and_then(|row| row.iter().find(|(known, _)| *known == part))
            .map_or(0.0, |(_, weight)| weight.value)
    }

    /// Adds the weights of a feature to the scores of all parts.
    pub(crate) fn add_to(&self, feature: u64, scores: &mut [f32]) {
        for (part, weight) in self.rows.get(&feature).into_iter().flatten() {
            scores[usize::from(*part)] += weight.value;
        }
    }

    fn at(&mut self, feature: u64, part: Part) -> &mut Weight {
        let row = self.rows.entry(feature).or_default();
        let at = row.iter().position(|(known, _)| *known == part).unwrap_or_else(|| {
            row.push((part, Weight::default()));
            row.len() - 1
        });
        &mut row[at].1
    }

    pub(crate) fn set(&mut self, feature: u64, part: Part, value: f32) {
        self.at(feature, part).value = value;
    }

    /// Goes one step along a gradient, for each part at its own pace.
    pub(crate) fn step(&mut self, gradient: &FxHashMap<(u64, Part), f32>, pace: impl Fn(Part) -> f32) {
        for (&(feature, part), &slope) in gradient {
            if slope != 0.0 {
                let weight = self.at(feature, part);
                weight.squares += slope * slope;
                let slope = slope - DECAY * weight.value;
                weight.value += pace(part) * RATE * slope / (DAMPING + weight.squares.sqrt());
            }
        }
    }

    /// Adds a share of other weights.
    pub(crate) fn add(&mut self, other: &Self, share: f32) {
        for (feature, row) in &other.rows {
            for (part, weight) in row {
                self.at(*feature, *part).value += share * weight.value;
            }
        }
    }

    /// The weights that say something, in a fixed order.
    pub(crate) fn list(&self) -> Vec<(u64, Part, f32)> {
        let rows = self.rows.iter();
        let mut list: Vec<(u64, Part, f32)> = rows
            .flat_map(|(feature, row)| row.iter().map(move |(part, weight)| (*feature, *part, weight.value)))
            .filter(|(.., value)| value.abs() >= 0.005)
            .collect();
        list.sort_unstable_by_key(|(feature, part, _)| (*feature, *part));
        list
    }
}
