//! Finds the best-scored paths between nodes.

use super::{
    ball::Ball,
    part::Part,
    passing::Passing,
    paths::{PathOptions, Paths},
};
use crate::{NodeIndex, Topology};

/// The steps that both balls read before paths are first looked for.
const FIRST_STEPS: usize = 2_000;
/// How many times as many steps are read where those before were not enough.
const GROWTH: usize = 2;
/// How many steps pass before the caller is asked whether to stop.
const STEPS_BETWEEN_QUESTIONS: usize = 256;

impl Topology {
    /// Finds the paths with the highest products of weights from any of `from` to any of `to`, best first.
    ///
    /// Products are compared to about twelve digits. Of equal paths the shorter comes first; of equally long ones the one
    /// from the lowest start, then the one whose first different step comes first in [`steps`](Self::steps). A path touches
    /// `from` and `to` only at its ends.
    ///
    /// Balls of steps grow around both ends, strongest steps first, the one of fewer steps first. All paths up to a cost lie within the
    /// balls where their radii add up to it, so best-first search within them finds the best of all as soon as those found are below it: the
    /// work depends on how near the ends are to each other, not on the size of the graph.
    pub fn best_paths(&self, from: &[NodeIndex], to: &[NodeIndex], options: &PathOptions) -> Paths {
        let pace = |events: usize| FIRST_STEPS.max(events * GROWTH);
        self.best_paths_at(pace, from, to, options)
    }

    /// As [`best_paths`](Self::best_paths); `pace` says after how many steps paths are looked for, by the number of those so far.
    pub(super) fn best_paths_at(
        &self,
        pace: impl Fn(usize) -> usize,
        from: &[NodeIndex],
        to: &[NodeIndex],
        options: &PathOptions,
    ) -> Paths {
        let passing = Passing::new(self, from, to, &options.follow, &options.labels);
        let mut balls = Balls::new(self, &passing, from, to, options.max_hops);
        loop {
            let (twice, cancelled) = balls.grow(pace(balls.events()), options);
            let read = balls.ahead.steps.iter().chain(&balls.behind.steps).copied();
            let found =
                Part::new(self, read, from, to).best_paths(options, options.max_hops, twice.div_ceil(2));
            let (stopped, is_cut) = (cancelled || found.stopped, found.paths.len() > options.limit);
            if stopped || is_cut || twice == u64::MAX {
                let paths = found.paths.into_iter().map(|(_, path)| path).take(options.limit).collect();
                return Paths { paths, max_hops: options.max_hops, truncated: stopped || is_cut };
            }
        }
    }
}

/// The balls around both ends.
struct Balls<'a> {
    ahead: Ball<'a>,
    behind: Ball<'a>,
}

/// Twice the costs below which all steps of paths lie within the balls, by where they lie.
struct Known {
    ahead: u64,
    middle: u64,
    behind: u64,
}

impl<'a> Balls<'a> {
    /// The inner steps of both balls and one between them make up the longest path.
    fn new(
        topology: &'a Topology,
        passing: &'a Passing<'a>,
        from: &[NodeIndex],
        to: &[NodeIndex],
        max_hops: usize,
    ) -> Self {
        let inner = max_hops.saturating_sub(1);
        Self {
            ahead: Ball::new(topology, passing.ahead(), from, to, inner.div_ceil(2)),
            behind: Ball::new(topology, passing.behind(), to, from, inner / 2),
        }
    }

    /// Returns twice the cost below which all paths lie within the balls.
    ///
    /// Say that a step lies `i` hops behind the start of a path and `j` before its end, and that inner steps are fewer than `a`
    /// and `b` hops from them: `i + j ≤ a + b`, since the path would be too long else. `j > b` means `i < a`: what follows costs
    /// no less than the least of `b` hops, so the step was read ahead if the path costs less than that and the inner radius.
    /// Likewise for `i > a`. Else both balls reach the step, and if twice the path's cost is below both diameters together, one is past its
    /// middle.
    fn known(&self) -> Known {
        let inner = |ball: &Ball<'_>, other: &Ball<'_>| {
            ball.inner_radius().saturating_add(other.least()).saturating_mul(2)
        };
        Known {
            ahead: inner(&self.ahead, &self.behind),
            behind: inner(&self.behind, &self.ahead),
            middle: self.ahead.diameter().saturating_add(self.behind.diameter()),
        }
    }

    fn events(&self) -> usize {
        self.ahead.events + self.behind.events
    }

    /// Reads so many steps, or all that there are. Returns twice the cost below which all paths are known, and whether it was cancelled.
    fn grow(&mut self, events: usize, options: &PathOptions) -> (u64, bool) {
        for round in 1_usize.. {
            let known = self.known();
            let all = known.ahead.min(known.middle).min(known.behind);
            let is_cancelled = round.is_multiple_of(STEPS_BETWEEN_QUESTIONS) && options.cancel.is_cancelled();
            if is_cancelled || all == u64::MAX || self.events() >= events {
                return (all, is_cancelled);
            }
            let (ahead, behind) = (&mut self.ahead, &mut self.behind);
            if all == known.middle {
                read_middle(if ahead.events <= behind.events { ahead } else { behind });
            } else if all == known.ahead {
                read_inner(ahead, behind);
            } else {
                read_inner(behind, ahead);
            }
        }
        (0, true)
    }
}

/// Reads on where the middles of steps are not known yet.
fn read_middle(ball: &mut Ball<'_>) {
    if ball.diameter() == ball.inner_radius().saturating_mul(2) {
        ball.read_inner();
    } else {
        ball.read_outer();
    }
}

/// Makes the radius of a ball larger, or the least of the other.
fn read_inner(ball: &mut Ball<'_>, other: &mut Ball<'_>) {
    if other.may_grow_least() && other.events < ball.events { other.read_inner() } else { ball.read_inner() }
}
