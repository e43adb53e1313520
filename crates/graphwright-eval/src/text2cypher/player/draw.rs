//! Draws that depend on what they are for and on nothing else: neither on the order of calls nor on other draws.

/// Draws for one question.
#[derive(Clone, Copy, Debug)]
pub(super) struct Draw {
    key: [u8; blake3::KEY_LEN],
}

impl Draw {
    /// Makes the draws of a seed for what is named.
    pub(super) fn new(seed: u64, about: &[&str]) -> Self {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&seed.to_le_bytes());
        for part in about {
            // The zero byte keeps two texts from running together.
            hasher.update(part.as_bytes()).update(b"\0");
        }
        Self { key: *hasher.finalize().as_bytes() }
    }

    /// Draws a number from 0 to below 1 for a purpose, always the same one.
    pub(super) fn share(self, purpose: &str) -> f64 {
        let hash = blake3::keyed_hash(&self.key, purpose.as_bytes());
        let mut bytes = [0; 4];
        bytes.copy_from_slice(&hash.as_bytes()[..4]);
        f64::from(u32::from_le_bytes(bytes)) / (f64::from(u32::MAX) + 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_even_and_always_the_same() {
        let drawn = |seed, about: &[&str]| Draw::new(seed, about).share("class");
        let share = |number: u32| drawn(1, &["set", &number.to_string()]);
        let below = (0..2_000).filter(|number| share(*number) < 0.25).count();
        assert!((430..570).contains(&below), "{below}");
        assert_eq!(share(7).to_bits(), share(7).to_bits());
        assert_ne!(drawn(1, &["ab", "c"]).to_bits(), drawn(1, &["a", "bc"]).to_bits());
        assert_ne!(drawn(2, &["set", "7"]).to_bits(), share(7).to_bits());
    }
}
