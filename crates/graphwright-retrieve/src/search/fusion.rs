//! One score from words and meaning.

/// Brings cosines of all sections to 0…1 together: the least becomes 0, the greatest 1.
pub(super) fn spread(sections: &mut [Vec<f32>]) {
    let all = || sections.iter().flatten().copied();
    let (least, greatest) = (all().fold(f32::INFINITY, f32::min), all().fold(f32::NEG_INFINITY, f32::max));
    let range = greatest - least;
    for cosine in sections.iter_mut().flatten() {
        *cosine = if range > 0.0 { (*cosine - least) / range } else { 0.0 };
    }
}

/// The share of meaning that counts `weight`, and of words that counts the rest.
pub(super) fn fuse(coverage: f32, meaning: f32, weight: f32) -> f32 {
    weight * meaning + (1.0 - weight) * coverage
}
