//! `not`, `no`, `without`, `neither … nor`, `other than`: what each turns into its opposite.

use graphwright_english::{questions::word, words};

use super::{Items, Link};
use crate::question::plan::Quantifier;

impl Items<'_> {
    /// Gives the words that turned something into its opposite, or need not.
    pub(super) fn apply_negations(&mut self) -> Vec<usize> {
        (0..self.tokens.len()).filter(|&at| self.apply_negation(at)).collect()
    }

    /// A word of negation turns what comes next into its opposite.
    fn apply_negation(&mut self, at: usize) -> bool {
        let (this, next) = (word(self.tokens, at), word(self.tokens, at + 1));
        if matches!(
            (this, next),
            ("except" | "excluding" | "besides", _) | ("other", "than") | ("apart" | "aside", "from")
        ) {
            let mut named = self.things.iter_mut().filter(|thing| !thing.members.is_empty());
            let Some(thing) = named.find(|thing| thing.first > at) else { return false };
            thing.excluded = true;
            return true;
        }
        let asks = at == self.head.lead && words::is_auxiliary(this);
        let compares =
            matches!((this, next), ("no" | "not", "later" | "more" | "less" | "earlier" | "fewer"));
        let is_said = self.links.iter().any(|link| link.first <= at && at < link.end);
        let lacks = words::is_lacking(this);
        if asks || compares || is_said || !(lacks || words::is_negation(this)) {
            return asks || compares || is_said;
        }
        if this == "not" && self.repeat_verb(at) {
            return true;
        }
        let neither = matches!(this, "neither" | "nor");
        let behind = self.links.iter().position(|link| link.own.is_none() && link.first >= at);
        let thing = self.things.iter_mut().find(|thing| thing.first > at);
        let condition = self.conditions.iter_mut().find(|condition| condition.span.first > at);
        let link_at = behind.map_or(usize::MAX, |link| self.links[link].first);
        let thing_at = thing.as_ref().map_or(usize::MAX, |thing| thing.first);
        let condition_at = condition.as_ref().map_or(usize::MAX, |condition| condition.span.first);
        let verbal =
            behind.filter(|_| !lacks && !matches!(this, "no" | "without") && link_at <= condition_at);
        match (condition, thing, verbal) {
            (Some(condition), ..) if condition_at < thing_at && condition_at < link_at => {
                condition.negated = true;
            }
            (_, Some(thing), _) if neither => {
                thing.quantifier = Some(Quantifier::No);
                self.things.iter_mut().filter(|thing| thing.first > at).for_each(|thing| thing.all = false);
            }
            (.., Some(link)) => self.links[link].negated = true,
            (_, Some(thing), _) => thing.quantifier = Some(Quantifier::No),
            (Some(condition), ..) => condition.negated = true,
            _ => return false,
        }
        true
    }

    /// `Reviewed A but not B`: nothing says that B was reviewed.
    fn repeat_verb(&mut self, at: usize) -> bool {
        let joins = at > 0 && matches!(word(self.tokens, at - 1), "but" | "and");
        let Some(object) = self.things.iter().position(|thing| thing.first > at).filter(|_| joins) else {
            return false;
        };
        let is_next = (at + 1..self.things[object].first).all(|at| words::is_article(word(self.tokens, at)));
        let is_verb = |link: &Link| link.own.is_none() && link.end < at;
        let Some(verb) = self.links.iter().rposition(is_verb).filter(|_| is_next) else { return false };
        let before = self.things[..object].iter().rposition(|thing| thing.end <= at);
        let is_object = before.is_some_and(|before| self.things[before].first >= self.links[verb].end);
        let alike = before.is_some_and(|before| {
            self.things[before].members.is_empty() == self.things[object].members.is_empty()
        });
        if !(is_object && alike) {
            return false;
        }
        let repeated = Link { first: at, end: at + 1, negated: true, ..self.links[verb].clone() };
        self.links.insert(verb + 1, repeated);
        true
    }
}
