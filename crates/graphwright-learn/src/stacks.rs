//! Pruning of candidates by size.

use crate::shapes::Limits;

/// How many candidates are taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Most {
    /// Of all sizes together.
    pub(crate) together: usize,
    /// Of each size, where sizes are kept apart.
    pub(crate) each: usize,
}

/// How many candidates of each size may still be taken. A bound is less tight the larger a tree is. Where sizes are looked for
/// that nothing taught, only trees of one size are compared by it, so that large ones crowd out no small ones (as stacks of
/// hypotheses are pruned, Koehn, Och and Marcu 2003).
pub(crate) struct Stacks(Vec<usize>);

impl Stacks {
    pub(crate) fn of(most: Most, limits: &Limits) -> Self {
        let apart = limits.reach() > limits.usual();
        Self(if apart { vec![most.each; limits.reach() + 1] } else { vec![most.together] })
    }

    /// Takes one of a size, where there is room.
    pub(crate) fn take(&mut self, size: usize) -> bool {
        let stack = size.min(self.0.len() - 1);
        let has_room = self.0[stack] > 0;
        self.0[stack] = self.0[stack].saturating_sub(1);
        has_room
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(forks: bool) -> [bool; 4] {
        let limits = Limits { steps: 2, forks, ..Limits::default() };
        let mut stacks = Stacks::of(Most { together: 8, each: 2 }, &limits);
        [3, 3, 3, 0].map(|size| stacks.take(size))
    }

    #[test]
    fn large_ones_leave_room_for_small_ones() {
        assert_eq!(taken(true), [true, true, false, true]);
    }

    #[test]
    fn sizes_that_were_learned_are_compared() {
        assert_eq!(taken(false), [true; 4]);
    }
}
