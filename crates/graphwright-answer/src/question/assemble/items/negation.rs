//! `not`, `no`, `without`, `neither … nor`, `other than`: what each turns into its opposite.

use graphwright_english::{questions::word, words};

use super::{Items, Link};
use crate::question::{arrange::leaves_out, plan::Quantifier};

impl Items<'_> {
    /// Gives the words that turned something into its opposite, or need not.
    pub(super) fn apply_negations(&mut self) -> Vec<usize> {
        let mut denied = Vec::new();
        for at in 0..self.tokens.len() {
            if !denied.contains(&at) {
                match self.leave_only(at) {
                    Some(end) => denied.extend(at..end),
                    None => denied.extend(self.apply_negation(at).then_some(at)),
                }
            }
        }
        denied
    }

    /// `Nothing but A`, `nobody except A`, `no city other than A`: only A. Where these words end.
    fn leave_only(&mut self, at: usize) -> Option<usize> {
        let word = |at: usize| word(self.tokens, at);
        let kind = self.things.iter().position(|thing| thing.first == at + 1 && thing.members.is_empty());
        let none = match (word(at), word(at + 1)) {
            ("nothing" | "nobody" | "none" | "nowhere", _) => at + 1,
            ("no" | "not", "one" | "anything" | "anyone" | "anybody") => at + 2,
            ("no", _) => self.things[kind?].end,
            _ => return None,
        };
        let end = match (word(none), word(none + 1)) {
            ("but" | "except" | "besides" | "save", _) => none + 1,
            ("other", "than") | ("apart" | "aside", "from") => none + 2,
            _ => return None,
        };
        let named = self.things.iter().position(|thing| thing.first >= end && !thing.members.is_empty())?;
        self.things[named].quantifier = Some(Quantifier::Only);
        if let Some(kind) = kind.filter(|kind| self.things[*kind].end == none) {
            self.remove_thing(kind);
        }
        Some(end)
    }

    /// A word of negation turns what comes next into its opposite.
    fn apply_negation(&mut self, at: usize) -> bool {
        let (this, next) = (word(self.tokens, at), word(self.tokens, at + 1));
        if leaves_out(self.tokens, at) {
            return self.exclude_next(at);
        }
        if (this, next) == ("out", "of") {
            let mut conditions = self.conditions.iter_mut();
            let without = conditions.find(|condition| condition.span.first == at + 2);
            return without.map(|condition| condition.negated = true).is_some();
        }
        let none = matches!(this, "no" | "nothing" | "nobody" | "nowhere");
        if none && self.denies_others(at) || self.denies_object(at) {
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
        // `Reviewed A but not B`: nothing says that B was reviewed. What is left out otherwise, nothing is made of.
        let goes_on = self.links.iter().any(|link| link.first == at + 1 && link.verb.is_some());
        if this == "not" && !goes_on && self.names_another(at) {
            return self.repeat_verb(at);
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
        // `No discontinued products`: the products are the ones that are not there.
        let is_adjective = matches!(this, "no" | "without")
            && condition.as_ref().zip(thing.as_ref()).is_some_and(|(condition, thing)| {
                condition.span.end == thing.first && thing.members.is_empty()
            });
        match (condition, thing, verbal) {
            (_, Some(thing), _) if is_adjective => thing.quantifier = Some(Quantifier::No),
            (Some(condition), ..) if condition_at < thing_at && condition_at < link_at => {
                condition.negated = true;
            }
            (_, Some(thing), _) if neither => {
                thing.quantifier = Some(Quantifier::No);
                self.things.iter_mut().filter(|thing| thing.first > at).for_each(|thing| thing.all = false);
            }
            (.., Some(link)) => {
                self.links[link].negated = true;
                self.links[link].denied_by = Some(at);
            }
            (_, Some(thing), _) => thing.quantifier = Some(Quantifier::No),
            (Some(condition), ..) => condition.negated = true,
            _ => return false,
        }
        true
    }

    /// Leaves out what is named next, or what has the value that comes next.
    fn exclude_next(&mut self, at: usize) -> bool {
        let mut named = self.things.iter_mut().filter(|thing| !thing.members.is_empty());
        let named = named.find(|thing| thing.first > at);
        let mut values = self.conditions.iter_mut().filter(|condition| condition.is_of_kind(self.schema));
        let value = values.find(|condition| condition.span.first > at);
        match (named, value) {
            (Some(named), Some(value)) if value.span.first < named.first => value.negated = true,
            (Some(named), _) => named.excluded = true,
            (None, Some(value)) => value.negated = true,
            (None, None) => return false,
        }
        true
    }

    /// `Coached A and no other team`: only A.
    fn denies_others(&mut self, at: usize) -> bool {
        let others =
            word(self.tokens, at + 1) == "other" && self.things.iter().any(|thing| thing.first == at + 2);
        let one = word(self.tokens, at + 1) == "one" && word(self.tokens, at + 2) == "else"
            || word(self.tokens, at) != "no" && word(self.tokens, at + 1) == "else";
        // `And in no other tournament`.
        let before =
            at.wrapping_sub(1 + usize::from(at > 0 && words::is_preposition(word(self.tokens, at - 1))));
        let joined = matches!(word(self.tokens, before), "and" | "but");
        let named = self.things.iter().rposition(|thing| thing.end < at && !thing.members.is_empty());
        let Some(named) = named.filter(|_| joined && (others || one)) else { return false };
        self.things[named].quantifier = Some(Quantifier::Only);
        if let Some(other) = self.things.iter().position(|thing| thing.first == at + 2) {
            self.remove_thing(other);
        }
        true
    }

    /// `Bought nothing`, `reviewed by nobody`: nothing follows, and the verb before is what is denied.
    fn denies_object(&mut self, at: usize) -> bool {
        let is_object = matches!(word(self.tokens, at), "nothing" | "nobody" | "none" | "nowhere")
            || word(self.tokens, at) == "no" && word(self.tokens, at + 1) == "one";
        let ends =
            self.things.iter().all(|thing| thing.first < at) && self.links.iter().all(|link| link.first < at);
        let verb = self.links.iter_mut().rfind(|link| link.own.is_none() && !link.shared);
        let near = |link: &&mut Link| (link.end..at).all(|at| words::is_preposition(word(self.tokens, at)));
        let Some(verb) = verb.filter(near).filter(|_| is_object && ends) else { return false };
        verb.negated = true;
        verb.denied_by = Some(at);
        true
    }

    /// Whether `not` is between two things, with only small words around it: `A but not B`, `with A and not with B`.
    fn names_another(&self, at: usize) -> bool {
        let is_small = |at: usize| {
            words::is_article(word(self.tokens, at)) || words::is_preposition(word(self.tokens, at))
        };
        let next = self.things.iter().find(|thing| thing.first > at);
        at > 0
            && matches!(word(self.tokens, at - 1), "but" | "and")
            && self.things.iter().any(|thing| thing.end + 1 == at)
            && next.is_some_and(|next| (at + 1..next.first).all(is_small))
    }

    /// Says the verb before once more, of what comes next and denied.
    fn repeat_verb(&mut self, at: usize) -> bool {
        let Some(object) = self.things.iter().position(|thing| thing.first > at) else { return false };
        let is_verb = |link: &Link| link.own.is_none() && !link.shared && link.end < at;
        let Some(verb) = self.links.iter().rposition(is_verb) else { return false };
        let before = self.things[..object].iter().rposition(|thing| thing.end <= at);
        let is_object = before.is_some_and(|before| self.things[before].first >= self.links[verb].end);
        let alike = before.is_some_and(|before| {
            self.things[before].members.is_empty() == self.things[object].members.is_empty()
        });
        if !(is_object && alike) {
            return false;
        }
        let repeated =
            Link { first: at, end: at + 1, negated: true, denied_by: Some(at), ..self.links[verb].clone() };
        self.links.insert(verb + 1, repeated);
        true
    }
}
