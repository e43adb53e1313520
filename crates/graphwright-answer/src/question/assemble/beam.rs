//! The best of many drafts, without keeping the others.

use super::draft::Draft;

/// The best drafts of those that were added, so many at most: of the higher score first, of equal score the one with fewer
/// joins, then the one that came first.
#[derive(Debug)]
pub(super) struct Beam {
    most: usize,
    drafts: Vec<Draft>,
    /// What is scored lower is not among the best.
    floor: f64,
}

impl Beam {
    pub(super) fn new(most: usize) -> Self {
        Self { most, drafts: Vec::new(), floor: f64::NEG_INFINITY }
    }

    /// Whether a draft of this score may be among the best. Asked before one is made, which costs more.
    pub(super) fn admits(&self, score: f64) -> bool {
        score >= self.floor
    }

    pub(super) fn push(&mut self, draft: Draft) {
        if !self.admits(draft.score) {
            return;
        }
        self.drafts.push(draft);
        if self.drafts.len() >= self.most * 4 {
            self.settle();
        }
    }

    pub(super) fn extend(&mut self, drafts: impl IntoIterator<Item = Draft>) {
        drafts.into_iter().for_each(|draft| self.push(draft));
    }

    /// The best, in order.
    pub(super) fn best(mut self) -> Vec<Draft> {
        self.settle();
        self.drafts
    }

    fn settle(&mut self) {
        self.drafts.sort_by(|left, right| {
            right.score.total_cmp(&left.score).then(left.joins.len().cmp(&right.joins.len()))
        });
        self.drafts.truncate(self.most);
        if let Some(last) = self.drafts.get(self.most - 1) {
            self.floor = last.score;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(score: f64, guessed: usize) -> Draft {
        Draft {
            joins: Vec::new(),
            labels: Vec::new(),
            parts: Vec::new(),
            score,
            guessed,
            extremes: Vec::new(),
            counts: Vec::new(),
            copies: Vec::new(),
            places: Vec::new(),
            different: Vec::new(),
            unused: Vec::new(),
        }
    }

    #[test]
    fn the_best_stay_in_the_order_in_which_they_came() {
        let scores = [0.5, 0.9, 0.1, 0.9, 0.5, 0.3, 0.9, 0.7, 0.5, 0.2, 0.7, 0.9, 0.5, 0.9];
        let all: Vec<Draft> = scores.iter().enumerate().map(|(place, score)| draft(*score, place)).collect();
        for most in 1..=scores.len() {
            let mut sorted = all.clone();
            sorted.sort_by(|left, right| right.score.total_cmp(&left.score));
            let mut beam = Beam::new(most);
            beam.extend(all.clone());
            let places = |drafts: &[Draft]| drafts.iter().map(|draft| draft.guessed).collect::<Vec<_>>();
            assert_eq!(places(&beam.best()), places(&sorted[..most]), "{most}");
        }
    }

    #[test]
    fn what_cannot_be_among_the_best_is_not_admitted() {
        let mut beam = Beam::new(1);
        beam.extend((0..4).map(|place| draft(0.5, place)));
        assert!(beam.admits(0.5));
        assert!(!beam.admits(0.4));
    }
}
