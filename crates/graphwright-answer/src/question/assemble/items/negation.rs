//! `not`, `no`, `without`, `neither … nor`, `other than`: what each turns into its opposite.

use graphwright_english::{questions::word, words};

use super::Items;

impl Items<'_> {
    pub(super) fn apply_negations(&mut self) {
        (0..self.tokens.len()).for_each(|at| self.apply_negation(at));
    }

    /// A word of negation turns what comes next into its opposite.
    fn apply_negation(&mut self, at: usize) {
        let (this, next) = (word(self.tokens, at), word(self.tokens, at + 1));
        if matches!(
            (this, next),
            ("except" | "excluding" | "besides", _) | ("other", "than") | ("apart", "from")
        ) {
            let mut named = self.things.iter_mut().filter(|thing| !thing.members.is_empty());
            if let Some(thing) = named.find(|thing| thing.first > at) {
                thing.excluded = true;
            }
            return;
        }
        let asks = at == self.head.lead && words::is_auxiliary(this);
        let compares =
            matches!((this, next), ("no" | "not", "later" | "more" | "less" | "earlier" | "fewer"));
        let is_said = self.links.iter().any(|link| link.first <= at && at < link.end);
        let lacks = words::is_lacking(this);
        if asks || compares || is_said || !(lacks || words::is_negation(this)) {
            return;
        }
        let neither = matches!(this, "neither" | "nor");
        let before = self.links.iter().rposition(|link| link.own.is_none() && link.first < at);
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
            _ if neither => {
                if let Some(link) = before.or(behind) {
                    self.links[link].negated = true;
                }
                self.things.iter_mut().filter(|thing| thing.first > at).for_each(|thing| thing.all = false);
            }
            (.., Some(link)) => self.links[link].negated = true,
            (_, Some(thing), _) => thing.negated = true,
            (Some(condition), ..) => condition.negated = true,
            _ => {}
        }
    }
}
