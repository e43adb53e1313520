//! A set of rows of a segment.

/// A set of rows, one bit for each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Rows {
    words: Vec<u64>,
    len: usize,
}

impl Rows {
    /// Creates the set of none of `len` rows.
    pub(super) fn none(len: usize) -> Self {
        Self { words: vec![0; len.div_ceil(64)], len }
    }

    /// Creates the set of all of `len` rows.
    pub(super) fn all(len: usize) -> Self {
        let mut rows = Self { words: vec![u64::MAX; len.div_ceil(64)], len };
        if let (Some(last), 1..) = (rows.words.last_mut(), len % 64) {
            *last = (1 << (len % 64)) - 1;
        }
        rows
    }

    pub(super) fn insert(&mut self, row: u32) {
        self.words[row as usize / 64] |= 1 << (row % 64);
    }

    pub(super) fn remove(&mut self, row: u32) {
        self.words[row as usize / 64] &= !(1 << (row % 64));
    }

    pub(super) fn contains(&self, row: u32) -> bool {
        self.words[row as usize / 64] >> (row % 64) & 1 == 1
    }

    /// Keeps the rows that are in both sets.
    pub(super) fn intersect(&mut self, other: &Self) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word &= other;
        }
    }

    pub(super) fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        self.words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    /// Reads what [`to_bytes`](Self::to_bytes) made, or returns `None` if it is not for `len` rows.
    pub(super) fn from_bytes(bytes: &[u8], len: usize) -> Option<Self> {
        let (words, rest) = bytes.as_chunks();
        let words: Vec<u64> = words.iter().map(|&word| u64::from_le_bytes(word)).collect();
        (rest.is_empty() && words.len() == len.div_ceil(64)).then_some(Self { words, len })
    }
}

/// Returns the rows that are in both sets, where `None` stands for all rows.
pub(super) fn both(one: Option<Rows>, other: Option<Rows>) -> Option<Rows> {
    match (one, other) {
        (Some(mut one), Some(other)) => {
            one.intersect(&other);
            Some(one)
        }
        (one, other) => one.or(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_hold_what_was_put_in() {
        for len in [0, 1, 63, 64, 65, 200] {
            assert_eq!(Rows::all(len).count(), len);
            assert_eq!(Rows::from_bytes(&Rows::all(len).to_bytes(), len), Some(Rows::all(len)));
        }
        let mut rows = Rows::none(130);
        rows.insert(3);
        rows.insert(129);
        assert!(rows.contains(129) && !rows.contains(128) && rows.count() == 2);
        let mut others = Rows::all(130);
        others.remove(3);
        assert_eq!(
            both(Some(rows), Some(others)).map(|rows| (rows.count(), rows.contains(129))),
            Some((1, true))
        );
        assert_eq!(Rows::from_bytes(&[0; 8], 65), None);
    }
}
