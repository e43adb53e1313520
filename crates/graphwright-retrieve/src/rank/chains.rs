//! Finds the chains of passages that say together what a question asks.
//!
//! A chain is worth the share of the question that its passages have together, less what its links lack: each passage
//! of a chain must mention a name that the one before it mentions too, and the rarer the name, the stronger the link. A
//! passage is ranked by all chains that it stands in, so that one which helps many of them comes before a dead end.
//!
//! The idea that a question is answered by passages which complement each other along shared names is that of
//! HippoRAG (Gutiérrez et al. 2024, <https://arxiv.org/abs/2405.14831>) and of beam search over passages (Das et al.
//! 2019, <https://arxiv.org/abs/1910.10470>; Asai et al. 2020, <https://arxiv.org/abs/1911.10470>). Here
//! no model is needed: what a question still lacks is the words and names of it that no passage of the chain has.
//!
//! The constants were chosen for questions of several hops (MuSiQue, HotpotQA) and of one (on public documents)
//! together; `docs/retrieval.md` has the figures, and what other values change.

use std::{
    collections::{HashMap, HashSet},
    rc::Rc,
};

use super::{Named, Passages, fusion::fuse};
use crate::Result;

/// The most passages that begin a chain.
const BEGINNINGS: usize = 20;
/// The most chains that are extended.
const BEAM: usize = 30;
/// The most passages of a chain.
const LONGEST: usize = 3;
/// The most passages that one name leads to. Commoner names lead only to what they head.
const MOST_MENTIONS: usize = 60;
/// What a passage more costs where no link leads to it; a link of full strength costs nothing.
const COST: f32 = 0.3;
/// Strength of a link by a name that heads neither passage, relative to one that does.
const IN_PASSING: f32 = 0.7;
/// Strength of the link between two passages that the question itself names.
const BOTH_NAMED: f32 = 0.5;
/// What words that stand close together in one of the passages add, where all of the question in one is worth 1.
const CLOSENESS: f32 = 0.2;
/// How much chains that score less count: one that scores this much less counts 1/e.
const TEMPERATURE: f32 = 0.03;

/// A question, prepared for ranking.
#[derive(Debug)]
pub(crate) struct Question<'a> {
    /// Weight of each word.
    pub(crate) weights: &'a [f32],
    /// The names in it.
    pub(crate) names: &'a [u32],
    /// The passages that plain search finds.
    pub(crate) candidates: &'a [u32],
    /// How much of what the words leave open meaning can fill.
    pub(crate) meaning_weight: f32,
}

/// A link from the passage before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Link {
    /// The name that both mention; `None` if the question names both.
    pub(crate) name: Option<u32>,
    /// Strength, from 0 to 1.
    pub(crate) strength: f32,
}

/// A chain of passages.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Chain {
    /// The passages in order.
    pub(crate) passages: Vec<u32>,
    /// The links between them.
    pub(crate) links: Vec<Link>,
    /// Score, at most 1 plus what closeness adds.
    score: f32,
}

/// A ranked passage.
#[derive(Clone, Debug)]
pub(crate) struct Ranked {
    /// The passage.
    pub(crate) passage: u32,
    /// Score, from 0 to 1.
    pub(crate) score: f32,
    /// The best chain that it stands in, if that scores more than the passage by itself.
    pub(crate) chain: Option<Rc<Chain>>,
}

/// Ranks the candidates, and what chains of passages lead to, best first.
pub(crate) fn rank_by_chains(passages: &impl Passages, question: &Question<'_>) -> Result<Vec<Ranked>> {
    let mut search = Search::new(passages, question)?;
    let mut singles = search.singles();
    singles.sort_by(|left, right| right.1.total_cmp(&left.1).then(left.0.cmp(&right.0)));
    let mut votes = Votes::default();
    for &(passage, score) in &singles {
        votes.add(passage, score);
    }
    let begin = singles.iter().take(BEGINNINGS).map(|&(passage, _)| search.begin(passage));
    let mut beam: Vec<State> = begin.collect();
    for _ in 1..LONGEST {
        beam = search.extend(&beam)?;
        for state in &beam {
            votes.add_chain(&state.chain);
        }
    }
    Ok(votes.into_ranked())
}

/// A chain that may be extended.
struct State {
    chain: Rc<Chain>,
    /// How far the chain has each term.
    covered: Vec<f32>,
    worth: Worth,
}

/// What a chain is worth.
#[derive(Clone, Copy, Debug)]
struct Worth {
    /// Share of the question's terms, by weight.
    coverage: f32,
    /// The most of any passage.
    meaning: f32,
    /// The most of any passage.
    closeness: f32,
    /// What the links lack.
    cost: f32,
}

struct Search<'a, P> {
    passages: &'a P,
    question: &'a Question<'a>,
    /// Share of each term in the question: first the words, then the names.
    shares: Vec<f32>,
    names: Vec<Rc<Named>>,
    /// Passages that a name of the question heads, with the strength of the link to them.
    named: Vec<(u32, f32)>,
    links: HashMap<u32, Rc<[(u32, Link)]>>,
}

impl<'a, P: Passages> Search<'a, P> {
    fn new(passages: &'a P, question: &'a Question<'a>) -> Result<Self> {
        let count = passages.count();
        let names: Vec<Rc<Named>> =
            question.names.iter().map(|&name| passages.passages_with(name)).collect::<Result<_>>()?;
        let mut shares = question.weights.to_vec();
        shares.extend(names.iter().map(|named| named.inverse_frequency(count)));
        let total: f32 = shares.iter().sum();
        if total > 0.0 {
            for share in &mut shares {
                *share /= total;
            }
        }
        let heads = names.iter().filter(|named| named.headed.len() <= BEGINNINGS);
        let mut named: Vec<(u32, f32)> = heads
            .flat_map(|named| {
                let strength = BOTH_NAMED * named.rarity(count);
                named.headed.iter().map(move |&passage| (passage, strength))
            })
            .collect();
        named.sort_by(|left, right| left.0.cmp(&right.0).then(right.1.total_cmp(&left.1)));
        named.dedup_by_key(|(passage, _)| *passage);
        Ok(Self { passages, question, shares, names, named, links: HashMap::new() })
    }

    /// Scores each candidate by itself.
    fn singles(&self) -> Vec<(u32, f32)> {
        let named = self.named.iter().map(|(passage, _)| *passage);
        let mut candidates: Vec<u32> = self.question.candidates.iter().copied().chain(named).collect();
        candidates.sort_unstable();
        candidates.dedup();
        candidates.into_iter().map(|passage| (passage, self.begin(passage).chain.score)).collect()
    }

    fn score(&self, worth: Worth) -> f32 {
        let fused = fuse(worth.coverage.min(1.0), worth.meaning, self.question.meaning_weight);
        fused + CLOSENESS * worth.closeness - worth.cost
    }

    /// Returns what a chain with this coverage is worth with one passage more.
    fn worth(&self, before: Worth, coverage: f32, passage: u32, link: Link) -> Worth {
        Worth {
            coverage,
            meaning: before.meaning.max(self.passages.meaning(passage)),
            closeness: before.closeness.max(self.passages.closeness(passage)),
            cost: before.cost + COST * (1.0 - link.strength),
        }
    }

    /// Calls `visit` with each term that a passage has, and how far.
    fn terms_of(&self, passage: u32, mut visit: impl FnMut(usize, f32)) {
        for &(word, credit) in self.passages.credits(passage) {
            visit(word as usize, credit);
        }
        for (at, named) in self.names.iter().enumerate() {
            visit(self.question.weights.len() + at, named.credit(passage));
        }
    }

    fn begin(&self, passage: u32) -> State {
        let mut covered = vec![0.0; self.shares.len()];
        let mut coverage = 0.0;
        self.terms_of(passage, |term, credit| {
            covered[term] = credit;
            coverage += self.shares[term] * credit;
        });
        let (meaning, closeness) = (self.passages.meaning(passage), self.passages.closeness(passage));
        let worth = Worth { coverage, meaning, closeness, cost: 0.0 };
        let chain = Chain { passages: vec![passage], links: Vec::new(), score: self.score(worth) };
        State { chain: Rc::new(chain), covered, worth }
    }

    /// Extends chains by one passage, and keeps the best.
    fn extend(&mut self, beam: &[State]) -> Result<Vec<State>> {
        let mut steps: Vec<(f32, usize, u32, Link)> = Vec::new();
        for (at, state) in beam.iter().enumerate() {
            let last = state.chain.passages.last().copied().unwrap_or_default();
            let links = self.links_of(last)?;
            let by_question = self.links_by_question(last);
            for &(passage, link) in links.iter().chain(&by_question) {
                if !state.chain.passages.contains(&passage) {
                    steps.push((self.gain(state, passage, link), at, passage, link));
                }
            }
        }
        steps.sort_unstable_by(|left, right| {
            right.0.total_cmp(&left.0).then_with(|| (left.1, left.2).cmp(&(right.1, right.2)))
        });
        let (mut seen, mut next) = (HashSet::new(), Vec::new());
        for (score, at, passage, link) in steps {
            let mut set: Vec<u32> = beam[at].chain.passages.iter().copied().chain([passage]).collect();
            set.sort_unstable();
            if seen.insert(set) {
                next.push(self.step(&beam[at], passage, link, score));
            }
            if next.len() == BEAM {
                break;
            }
        }
        Ok(next)
    }

    /// Returns the score of a chain with one passage more.
    fn gain(&self, state: &State, passage: u32, link: Link) -> f32 {
        let mut coverage = state.worth.coverage;
        self.terms_of(passage, |term, credit| {
            coverage += self.shares[term] * (credit - state.covered[term]).max(0.0);
        });
        self.score(self.worth(state.worth, coverage, passage, link))
    }

    fn step(&self, state: &State, passage: u32, link: Link, score: f32) -> State {
        let mut covered = state.covered.clone();
        self.terms_of(passage, |term, credit| covered[term] = covered[term].max(credit));
        let coverage = covered.iter().zip(&self.shares).map(|(credit, share)| credit * share).sum();
        let mut chain = Chain::clone(&state.chain);
        chain.passages.push(passage);
        chain.links.push(link);
        chain.score = score;
        let worth = self.worth(state.worth, coverage, passage, link);
        State { chain: Rc::new(chain), covered, worth }
    }

    /// The passages that a question names beside one that it names.
    fn links_by_question(&self, passage: u32) -> Vec<(u32, Link)> {
        if self.named.binary_search_by_key(&passage, |(named, _)| *named).is_err() {
            return Vec::new();
        }
        let link = |&(passage, strength): &(u32, f32)| (passage, Link { name: None, strength });
        self.named.iter().map(link).collect()
    }

    /// The passages of other documents that share a name with one, each by its strongest link.
    fn links_of(&mut self, passage: u32) -> Result<Rc<[(u32, Link)]>> {
        if let Some(known) = self.links.get(&passage) {
            return Ok(Rc::clone(known));
        }
        let count = self.passages.count();
        let document = self.passages.document(passage);
        let mut links: Vec<(u32, Link)> = Vec::new();
        for name in self.passages.names_in(passage)? {
            let named = self.passages.passages_with(name)?;
            let rarity = named.rarity(count);
            let heads = named.headed.binary_search(&passage).is_ok();
            let is_common = named.mentioned.len() > MOST_MENTIONS;
            let reached = if is_common { &named.headed } else { &named.mentioned };
            for &other in reached {
                let full = heads || is_common || named.headed.binary_search(&other).is_ok();
                let strength = if full { rarity } else { IN_PASSING * rarity };
                links.push((other, Link { name: Some(name), strength }));
            }
        }
        links.sort_unstable_by(|left, right| {
            left.0.cmp(&right.0).then(right.1.strength.total_cmp(&left.1.strength))
        });
        links.dedup_by_key(|(other, _)| *other);
        links.retain(|&(other, _)| {
            other != passage && (document.is_none() || self.passages.document(other) != document)
        });
        let links: Rc<[_]> = links.into();
        self.links.insert(passage, Rc::clone(&links));
        Ok(links)
    }
}

/// What the chains say of each passage.
#[derive(Default)]
struct Votes {
    by_passage: HashMap<u32, Vote>,
}

#[derive(Default)]
struct Vote {
    sum: f32,
    alone: f32,
    chain: Option<Rc<Chain>>,
}

impl Votes {
    fn add(&mut self, passage: u32, score: f32) {
        let vote = self.by_passage.entry(passage).or_default();
        vote.sum += weight(score);
        vote.alone = score;
    }

    fn add_chain(&mut self, chain: &Rc<Chain>) {
        for &passage in &chain.passages {
            let vote = self.by_passage.entry(passage).or_default();
            vote.sum += weight(chain.score);
            let best = vote.chain.as_ref().map_or(vote.alone, |best| best.score);
            if chain.score > best {
                vote.chain = Some(Rc::clone(chain));
            }
        }
    }

    fn into_ranked(self) -> Vec<Ranked> {
        let smooth = |vote: &Vote| 1.0 + TEMPERATURE * vote.sum.ln();
        let reached =
            |vote: &Vote| vote.chain.as_ref().map_or(vote.alone, |chain| chain.score.max(vote.alone));
        let greatest = |measure: fn(&Vote) -> f32| self.by_passage.values().map(measure).fold(0.0, f32::max);
        // The smooth maximum exceeds the scores of the chains, and these may exceed 1 by what closeness adds.
        let scale = greatest(reached) / (1.0 + CLOSENESS) / greatest(smooth).max(f32::MIN_POSITIVE);
        let mut ranked: Vec<Ranked> = self
            .by_passage
            .into_iter()
            .map(|(passage, vote)| {
                let score = (scale * smooth(&vote)).clamp(0.0, 1.0);
                Ranked { passage, score, chain: vote.chain }
            })
            .collect();
        ranked
            .sort_by(|left, right| right.score.total_cmp(&left.score).then(left.passage.cmp(&right.passage)));
        ranked
    }
}

fn weight(score: f32) -> f32 {
    ((score - 1.0) / TEMPERATURE).exp()
}

#[cfg(test)]
mod tests {
    use crate::rank::fixture::Collection;

    fn order(collection: &Collection, question: &str) -> Vec<u32> {
        collection.rank(question).unwrap().iter().map(|ranked| ranked.passage).collect()
    }

    fn collection() -> Collection {
        Collection::new(&[
            ("Journal of Integration", "It is published by the Vienna Society on paper."),
            ("Adolescence", "Stanley Hall was the first president of the Vienna Society."),
            ("Printing", "The first president of a journal association printed."),
            ("Presidents", "A first president leads an association that published little."),
            ("Ada Lovelace", "She was a mathematician."),
            ("Charles Babbage", "He made engines."),
        ])
    }

    #[test]
    fn a_passage_that_completes_another_comes_before_one_with_more_of_the_words() {
        let collection = collection();
        let question = "Who was first president of the association that published Journal of Integration?";
        let ranked = collection.rank(question).unwrap();
        let best: Vec<u32> = ranked.iter().take(2).map(|ranked| ranked.passage).collect();
        assert_eq!(best, [0, 1]);
        let chain = ranked[1].chain.as_ref().unwrap();
        let name = chain.links[0].name.map(|name| collection.name(name));
        assert_eq!((chain.passages.as_slice(), name), ([0, 1].as_slice(), Some("vienna society")));
        assert!(ranked.iter().all(|ranked| (0.0..=1.0).contains(&ranked.score)));
    }

    #[test]
    fn passages_that_the_question_names_stand_together() {
        let best = order(&collection(), "Who is older, Ada Lovelace or Charles Babbage?");
        assert_eq!(best[..2], [4, 5]);
    }

    #[test]
    fn without_links_the_order_is_that_of_plain_search() {
        let collection = Collection::new(&[("", "nothing here"), ("", "red apples"), ("", "red pears here")]);
        assert_eq!(order(&collection, "red pears"), [2, 1, 0]);
        assert!(collection.rank("").unwrap().iter().all(|ranked| ranked.chain.is_none()));
    }
}
