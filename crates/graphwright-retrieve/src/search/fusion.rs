//! Brings cosines to the scale of words.

/// The least and the greatest cosine of what was searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spread {
    least: f32,
    greatest: f32,
}

impl Default for Spread {
    fn default() -> Self {
        Self { least: f32::INFINITY, greatest: f32::NEG_INFINITY }
    }
}

impl Spread {
    /// Adds cosines.
    pub(super) fn extend(&mut self, cosines: impl IntoIterator<Item = f32>) {
        for cosine in cosines {
            self.least = self.least.min(cosine);
            self.greatest = self.greatest.max(cosine);
        }
    }

    /// Scales a cosine to 0…1: the least becomes 0, the greatest 1.
    pub(super) fn place(self, cosine: f32) -> f32 {
        let range = self.greatest - self.least;
        if range > 0.0 && range.is_finite() { ((cosine - self.least) / range).clamp(0.0, 1.0) } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(left: f32, right: f32) -> bool {
        (left - right).abs() < 1e-6
    }

    #[test]
    fn cosines_are_spread_over_all_that_was_searched() {
        let mut spread = Spread::default();
        assert!(close(spread.place(0.5), 0.0));
        spread.extend([0.2, 0.4]);
        spread.extend([0.6]);
        assert!(
            close(spread.place(0.2), 0.0) && close(spread.place(0.4), 0.5) && close(spread.place(0.6), 1.0)
        );
        let mut equal = Spread::default();
        equal.extend([0.3, 0.3]);
        assert!(close(equal.place(0.3), 0.0));
    }
}
