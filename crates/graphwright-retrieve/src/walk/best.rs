//! Finds the best-scored paths between nodes.

use super::{
    ball::Ball,
    part::Part,
    passing::Passing,
    paths::{PathOptions, Paths},
};
use crate::{NodeIndex, Step, Topology};

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
        self.best_paths_from(FIRST_STEPS, from, to, options)
    }

    /// As [`best_paths`](Self::best_paths), where paths are first looked for after some steps.
    pub(super) fn best_paths_from(
        &self,
        first: usize,
        from: &[NodeIndex],
        to: &[NodeIndex],
        options: &PathOptions,
    ) -> Paths {
        let passing = Passing::new(self, from, to, &options.follow, &options.labels);
        let mut balls = Balls::new(self, &passing, from, to, options.max_hops);
        let mut events = first;
        loop {
            let (twice, cancelled) = balls.grow(events, options);
            let read = balls.ahead.steps.iter().chain(&balls.behind.steps).copied();
            let part = Part::new(self, read.chain(balls.between_the_nearest()), from, to);
            let found = part.best_paths(options, options.max_hops, twice.div_ceil(2));
            let (stopped, is_cut) = (cancelled || found.stopped, found.paths.len() > options.limit);
            if stopped || is_cut || twice == u64::MAX {
                let paths = found.paths.into_iter().map(|(_, path)| path).take(options.limit).collect();
                return Paths { paths, max_hops: options.max_hops, truncated: stopped || is_cut };
            }
            events = balls.events() * GROWTH;
        }
    }
}

/// The balls around both ends.
struct Balls<'a> {
    ahead: Ball<'a>,
    behind: Ball<'a>,
    passing: &'a Passing<'a>,
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
            passing,
        }
    }

    /// Returns twice the cost below which all paths lie within the balls.
    ///
    /// Say that a step lies `i` hops behind the start of a path and `j` before its end, and inner steps are fewer than `a` and `b` hops from them, so that `i + j ≤ a + b`.
    ///
    /// - `i < a`, `j ≥ b`: what follows costs at least the least of `b` hops, so it was read ahead if the path costs less than that and the inner radius.
    /// - `i ≥ a`, `j < b`: likewise behind.
    /// - `i = a`, `j = b`: if twice the path's cost is less than both diameters, one of the balls is past the middle of the step.
    /// - `i < a`, `j < b`: a step that is outside both radii though the path costs less begins and ends nearer than the least of the hops. There are few such nodes, see [`between_the_nearest`](Self::between_the_nearest).
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

    /// Returns the steps between the nodes nearest to the ends, however much they cost.
    fn between_the_nearest(&self) -> impl Iterator<Item = (NodeIndex, Step)> + '_ {
        let pairs =
            self.ahead.nearest().flat_map(|node| self.behind.nearest().map(move |other| (node, other)));
        pairs.flat_map(|(node, other)| self.passing.between(node, other).map(move |step| (node, step)))
    }
}

/// Reads on where the middles of steps are not known yet.
fn read_middle(ball: &mut Ball<'_>) {
    if ball.diameter() == ball.inner_radius().saturating_mul(2) {
        ball.read_inner()
    } else {
        ball.read_outer()
    }
}

/// Makes the radius of a ball larger, or the least of the other.
fn read_inner(ball: &mut Ball<'_>, other: &mut Ball<'_>) {
    if other.may_grow_least() && other.events < ball.events { other.read_inner() } else { ball.read_inner() }
}
