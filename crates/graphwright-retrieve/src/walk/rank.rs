//! Ranking all nodes by how close they are to some.

use crate::{Follow, NodeIndex, Topology};

/// How to rank.
#[derive(Clone, Debug, PartialEq)]
pub struct RankOptions {
    /// The chance of walking on rather than going back to a seed; the default is 0.85.
    pub damping: f64,
    /// Ends when the ranks change by less than this in sum; the default is 1e-6.
    pub tolerance: f64,
    /// Ends after so many rounds; the default is 100.
    pub rounds: usize,
    /// What is followed.
    pub follow: Follow,
}

impl Default for RankOptions {
    fn default() -> Self {
        Self { damping: 0.85, tolerance: 1e-6, rounds: 100, follow: Follow::default() }
    }
}

/// A way on from a node.
struct Link {
    from: NodeIndex,
    to: NodeIndex,
    /// Of those who walk on from there, how many take it.
    share: f64,
}

impl Topology {
    /// Personalised PageRank: how often a walker is met at each node who follows relationships by their weight and goes
    /// back to a seed (by the seeds' weights) with the chance `1 − damping`, or where there is no way on. The ranks stand in
    /// the order of the nodes and sum to 1; without a seed of positive weight they are 0.
    ///
    /// T. Haveliwala, *Topic-Sensitive PageRank*, WWW 2002; by power iteration.
    pub fn page_rank(&self, seeds: &[(NodeIndex, f64)], options: &RankOptions) -> Vec<f64> {
        let mut home = vec![0.0; self.node_count()];
        let total: f64 = seeds.iter().map(|(_, weight)| weight.max(0.0)).sum();
        if total <= 0.0 {
            return home;
        }
        for (seed, weight) in seeds {
            home[seed.position()] += weight.max(0.0) / total;
        }
        let links = self.links(&options.follow);
        let mut walks_on = vec![false; home.len()];
        for link in &links {
            walks_on[link.from.position()] = true;
        }
        let stuck_at: Vec<usize> = (0..home.len()).filter(|&node| !walks_on[node]).collect();
        let mut ranks = home.clone();
        for _ in 0..options.rounds {
            let mut next = vec![0.0; ranks.len()];
            for link in &links {
                next[link.to.position()] += options.damping * ranks[link.from.position()] * link.share;
            }
            let stuck: f64 = stuck_at.iter().map(|&node| ranks[node]).sum();
            let back = 1.0 - options.damping + options.damping * stuck;
            for (rank, home) in next.iter_mut().zip(&home) {
                *rank += back * home;
            }
            let change: f64 = next.iter().zip(&ranks).map(|(now, before)| (now - before).abs()).sum();
            ranks = next;
            if change < options.tolerance {
                break;
            }
        }
        ranks
    }

    /// All ways on, in one list: every round walks all of them, and filtering the neighbours costs more than the sums.
    fn links(&self, follow: &Follow) -> Vec<Link> {
        let following = self.following(follow);
        let mut links = Vec::new();
        for from in self.nodes() {
            let first = links.len();
            links.extend(following.steps(from).filter_map(|step| {
                let share = self.edge(step.relationship).weight;
                (share > 0.0).then_some(Link { from, to: step.node, share })
            }));
            let sum: f64 = links[first..].iter().map(|link| link.share).sum();
            for link in &mut links[first..] {
                link.share /= sum;
            }
        }
        links
    }
}
