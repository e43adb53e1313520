//! Sentences with their right readings.

use crate::{reading::Reading, sentence::Sentence};

/// A sentence with its right readings.
pub(crate) struct Lesson {
    pub(crate) sentence: Sentence,
    pub(crate) right: Vec<Reading>,
}

/// Puts numbers into an order that is the same each time.
pub(crate) fn shuffle(order: &mut [usize], seed: &mut u64) {
    for at in (1..order.len()).rev() {
        // Xorshift (Marsaglia 2003).
        *seed ^= *seed << 13;
        *seed ^= *seed >> 7;
        *seed ^= *seed << 17;
        order.swap(at, (*seed % (at as u64 + 1)) as usize);
    }
}
