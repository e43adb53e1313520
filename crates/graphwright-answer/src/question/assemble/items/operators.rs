//! `All`, `only`, `both`, `own`, `other`, `each`: words that change which things are meant. One of which nothing is made is
//! left over, so that the answer can tell it.

use graphwright_english::{
    inflection,
    questions::{Token, word},
    words,
};

use super::{Group, Items, Link, Thing, distinct};
use crate::{
    question::{
        Form, Piece, Segmentation,
        annotate::Measure,
        arrange::says_number,
        plan::{Aggregate, Quantifier},
    },
    schema::{Content, Property},
};

impl Items<'_> {
    /// Reads each of these words that no span has; `denied` are those that turned something into its opposite.
    pub(super) fn apply_operators(&mut self, segmentation: &Segmentation, denied: &[usize]) {
        self.share();
        self.point_back();
        for at in self.head.lead..self.tokens.len() {
            let in_span = segmentation.spans.iter().any(|span| span.has(at));
            let is_operator = words::is_operator(word(self.tokens, at)) || self.joins_verbs_by_or(at);
            if is_operator && !in_span && !denied.contains(&at) && !self.apply_operator(at, denied) {
                self.unread.push(at);
            }
        }
    }

    /// `Who wrote or directed it`: that one of both is enough, no reading says.
    fn joins_verbs_by_or(&self, at: usize) -> bool {
        let is_verb = |link: &&Link| link.own.is_none() && !link.vague;
        word(self.tokens, at) == "or"
            && self.links.iter().filter(is_verb).any(|link| link.end == at)
            && self.links.iter().filter(is_verb).any(|link| link.first == at + 1)
    }

    /// `Who played for the team they coached`: one team, as with `their own`.
    fn point_back(&mut self) {
        for at in self.head.lead..self.tokens.len() {
            let is_pronoun = matches!(word(self.tokens, at), "they" | "he" | "she" | "it");
            let is_before_verb = self.links.iter().any(|link| {
                let between = at + 1..link.first;
                link.own.is_none()
                    && link.first > at
                    && between.len() <= 3
                    && between.into_iter().all(|at| {
                        let word = word(self.tokens, at);
                        words::is_auxiliary(word) || words::is_adverb(word)
                    })
            });
            let is_that = matches!(word(self.tokens, at.wrapping_sub(1)), "that" | "which");
            let end = at.saturating_sub(usize::from(is_that));
            let thing = self.things.iter_mut().find(|thing| thing.end == end && thing.members.is_empty());
            if let Some(thing) = thing.filter(|_| is_pronoun && is_before_verb) {
                thing.own = Some(at);
                self.unread.push(at);
            }
        }
    }

    /// Whether a verb follows the thing that a word stands before.
    fn is_subject(&self, at: usize) -> bool {
        let end = self.beside(at).map(|thing| self.things[thing].end);
        end.is_some_and(|end| self.links.iter().any(|link| link.own.is_none() && link.first >= end))
    }

    /// `Ada alone`: nobody else.
    fn close(&mut self, at: usize) -> bool {
        let named = self.things.iter_mut().find(|thing| thing.end == at && !thing.members.is_empty());
        named.map(|thing| thing.quantifier = Some(Quantifier::Only)).is_some()
    }

    /// Whether something was made of the word.
    fn apply_operator(&mut self, at: usize, denied: &[usize]) -> bool {
        let (before, next) = (word(self.tokens, at.wrapping_sub(1)), word(self.tokens, at + 1));
        let follows = |wanted: &str| self.tokens[at + 1..].iter().any(|token| token.lower == wanted);
        match word(self.tokens, at) {
            // `At all`, `in all`, `the only`, `whether or not`.
            "all"
                if words::is_preposition(before) && !words::is_preposition(next) && self.ends_clause(at) =>
            {
                true
            }
            "only" if before == "the" => {
                // `Is Ada the only author`.
                let named = self.thing_at(at).filter(|&thing| !self.things[thing].members.is_empty());
                if let Some(thing) = named {
                    self.things[thing].quantifier = Some(Quantifier::Only);
                }
                true
            }
            "not" if before == "or" => true,
            // `13 per cent` is an amount.
            "per" if says_number(self.tokens, at.wrapping_sub(1)) => true,
            "each" if next == "other" => false,
            // `And no other`: read with the `no`.
            "other" if before == "no" && denied.contains(&(at - 1)) => true,
            // `How many teams entered every race` asks of those that entered all.
            "each" | "every" | "per"
                if self.head.form == Form::Count
                    && (word(self.tokens, at) != "every" || self.is_subject(at))
                    && self.count_for_each(at) =>
            {
                true
            }
            "both" if follows("and") || self.names_several() => true,
            "either" => follows("or"),
            "all" | "every" | "each" | "both" => self.quantify(at, Quantifier::All),
            "exactly" => !self.has_number_behind(at),
            "only" if self.has_number_behind(at) => self.is_counted_behind(at),
            "only" | "solely" | "exclusively" => {
                self.is_counted_behind(at) || self.quantify(at, Quantifier::Only)
            }
            "just" => {
                let behind = at + 1 + usize::from(words::is_article(next));
                !self.things.iter().any(|thing| thing.first == behind) || self.quantify(at, Quantifier::Only)
            }
            "alone" => self.close(at),
            "than" if before == "other" => denied.contains(&(at - 1)),
            "than" => self.things.iter().any(|thing| !thing.compared.is_empty()),
            // `Who else`: others than those that are named.
            "else" if at.checked_sub(1).is_some_and(|before| denied.contains(&before)) => true,
            "else" if self.hops.is_some() && matches!(before, "somebody" | "someone" | "something") => true,
            "else" if words::is_asking(before) => {
                self.things.iter_mut().filter(|thing| thing.asker).for_each(|thing| thing.other = true);
                true
            }
            // `How many does it own`: a verb.
            "own" if !self.is_of_somebody(at) => true,
            "own" => {
                // Read once a further relationship joins the thing, and left over until then.
                self.mark_next(at, |thing| thing.own = Some(at));
                false
            }
            "other" | "others" | "another" if next != "than" => {
                self.mark_next(at, |thing| thing.other = true)
            }
            // `How many different actors`.
            "different" => self.head.form == Form::Count && matches!(before, "many" | "of"),
            "together" => self.names_several(),
            _ => false,
        }
    }

    /// Whether several are named that must all be met.
    pub(in super::super) fn names_several(&self) -> bool {
        self.things.iter().any(|thing| thing.all && !thing.excluded && thing.members.len() > 1)
    }

    /// Whether a word stands behind one for its owner.
    fn is_of_somebody(&self, at: usize) -> bool {
        let before = at.checked_sub(1).map(|before| &self.tokens[before]);
        before.is_some_and(|token| token.is_possessive() || words::is_possessive(&token.lower))
    }

    fn has_number_behind(&self, at: usize) -> bool {
        (at + 1..at + 4).any(|behind| says_number(self.tokens, behind))
    }

    fn ends_clause(&self, at: usize) -> bool {
        self.beside(at).is_none()
    }

    /// The thing that a word stands before, with only small words, values or names in between.
    fn beside(&self, at: usize) -> Option<usize> {
        let next = self.things.iter().position(|thing| thing.first > at)?;
        self.only_small_words(at + 1, self.things[next].first).then_some(next)
    }

    fn mark_next(&mut self, at: usize, mark: impl FnOnce(&mut Thing)) -> bool {
        let next = self.beside(at);
        next.map(|next| mark(&mut self.things[next])).is_some()
    }

    /// `All suppliers` asked for are just the suppliers; `supply all competitors` supply each of them.
    fn quantify(&mut self, at: usize, quantifier: Quantifier) -> bool {
        let behind_verb = || {
            self.things.iter().position(|thing| thing.first > at).filter(|_| quantifier == Quantifier::Only)
        };
        let Some(next) = self.beside(at).map(|next| self.kind_behind(next)).or_else(behind_verb) else {
            return self.conditions.iter().any(|condition| {
                condition.properties().is_some() && self.only_small_words(at + 1, condition.span.first)
            });
        };
        // `Only directed films`: everybody who directs directs films.
        if quantifier == Quantifier::Only && self.is_any(next) {
            return false;
        }
        let thing = &mut self.things[next];
        if Some(next) == self.answer || thing.asker {
            return true;
        }
        if thing.members.len() > 1 && quantifier == Quantifier::All {
            thing.all = true;
            return true;
        }
        // Of one that is named, there are not all.
        let is_one =
            quantifier == Quantifier::All && matches!(thing.members.as_slice(), [one] if one.len() == 1);
        if thing.quantifier.is_some() || is_one {
            return false;
        }
        thing.quantifier = Some(quantifier);
        if quantifier == Quantifier::All {
            self.pass_over_object(at, next);
        }
        true
    }

    /// `Sold orders to all customers`: each of them got some, not all of them the same.
    fn pass_over_object(&mut self, at: usize, all: usize) {
        let Some(object) = all.checked_sub(1).filter(|object| Some(*object) != self.answer) else { return };
        let end = self.things[object].end;
        let is_plural = inflection::is_plural(word(self.tokens, end.wrapping_sub(1)));
        let joined = end + 1 == at && words::is_preposition(word(self.tokens, end));
        let thing = &mut self.things[object];
        thing.passed |= is_plural && joined && thing.members.is_empty() && !thing.asker;
    }

    /// `All Seafood products`: the thing of a kind that a name stands right before.
    fn kind_behind(&self, thing: usize) -> usize {
        let is_kind =
            self.things.get(thing + 1).is_some_and(|next| self.stands_before(&self.things[thing], next));
        if is_kind { thing + 1 } else { thing }
    }

    /// `Seafood products`: whether a name stands right before a type.
    pub(in super::super) fn stands_before(&self, name: &Thing, kind: &Thing) -> bool {
        name.end == kind.first
            && !name.members.is_empty()
            && kind.members.is_empty()
            && kind.labels.is_some()
            && self.tokens.get(name.end.wrapping_sub(1)).is_none_or(|last| !last.is_possessive())
    }

    /// Whether all that is said of a thing is its type.
    fn is_any(&self, thing: usize) -> bool {
        let Thing { first, end, members, .. } = &self.things[thing];
        let is_behind = |at: usize| at >= *end;
        members.is_empty()
            && !self.links.iter().any(|link| is_behind(link.first) || link.own == Some(thing))
            && !self.things.iter().any(|thing| is_behind(thing.first))
            && !self.conditions.iter().any(|condition| {
                is_behind(condition.span.first)
                    || condition.span.end == *first && condition.is_of_kind(self.schema)
            })
    }

    /// `Only one`, `has only ever directed one film`: the number says so.
    fn is_counted_behind(&self, at: usize) -> bool {
        let next = self.things.iter().find(|thing| thing.first > at);
        next.is_some_and(|thing| {
            matches!(thing.quantifier, Some(Quantifier::Count(..) | Quantifier::Range(..)))
        })
    }

    /// `How many services does each team own`, `how many firms are there per sector`.
    fn count_for_each(&mut self, at: usize) -> bool {
        if let Some(next) = self.beside(at).filter(|next| Some(*next) != self.answer) {
            self.group = Some(Group::Thing(next));
            return true;
        }
        let named = self.conditions.iter().position(|condition| {
            matches!(condition.span.piece, Piece::Property(_)) && condition.span.first == at + 1
        });
        let Some(properties) =
            named.and_then(|at| self.conditions.remove(at).properties().map(<[_]>::to_vec))
        else {
            return false;
        };
        self.group = Some(Group::Property(properties, None));
        true
    }

    /// `How many films does a director have on average`: the number for each director.
    pub(super) fn average_of_each(&mut self) {
        let averages = self.head.aggregate.is_some_and(|(aggregate, _)| aggregate == Aggregate::Average);
        if self.group.is_some() || !averages || self.head.form != Form::Count {
            return;
        }
        let is_any = |thing: &Thing| {
            let before = thing.first.checked_sub(1).map_or("", |at| word(self.tokens, at));
            thing.members.is_empty() && matches!(before, "a" | "an" | "per" | "each" | "every")
        };
        let other = |thing: &usize| Some(*thing) != self.answer && is_any(&self.things[*thing]);
        self.group = (0..self.things.len()).find(other).map(Group::Thing);
    }

    /// `Which country has the most customers`, where customers have a country; `the most common country of customers`: their
    /// number for each.
    pub(super) fn count_for_each_value(&mut self) {
        let asker = self.head.asker.filter(|_| self.head.form == Form::Which && self.group.is_none());
        let ranking = self.conditions.iter().find_map(|condition| match condition.span.piece {
            Piece::Extreme(order, Measure::Number) => Some((condition.span.end, order)),
            _ => None,
        });
        let (Some(asker), Some((ranked, order))) = (asker, ranking) else { return };
        let is_named = |at: usize| {
            let mut conditions = self.conditions.iter().filter(|condition| condition.span.first == at);
            conditions.find_map(|condition| condition.properties()).map(<[_]>::to_vec)
        };
        let counted = self.things.iter().position(|thing| thing.first == ranked);
        let at = if counted.is_some() { asker + 1 } else { ranked };
        // `The most beds` are the greatest number of them.
        let is_number = |property: &Property| self.schema.property(*property).content == Content::Number;
        let named = is_named(at).filter(|named| counted.is_some() || !named.iter().any(is_number));
        let Some(properties) = named else { return };
        let counted = match self.things.as_slice() {
            [] => {
                let labels = properties.iter().flat_map(|property| &self.schema.property(*property).labels);
                let labels = Some(distinct(labels.copied()));
                self.things.push(Thing { labels, ..Thing::new(ranked, ranked) });
                &self.things[0]
            }
            [only] => only,
            _ => return,
        };
        let labels = counted.labels.clone().unwrap_or_default();
        let has_one = properties.iter().any(|property| self.schema.have(&labels, *property));
        if counted.members.is_empty() && has_one {
            self.conditions.retain(|condition| {
                condition.span.first != at && !matches!(condition.span.piece, Piece::Extreme(..))
            });
            self.answer = Some(0);
            self.group = Some(Group::Property(properties, Some(order)));
        }
    }

    /// `Suppliers shared between A's competitors` supply two of them or more; of the named, all are meant anyway. `Acted in and
    /// directed the same film`: one film.
    fn share(&mut self) {
        for number in (0..self.links.len()).rev() {
            let link = &self.links[number];
            if !link.shared {
                continue;
            }
            let (first, end) = (link.first, link.end);
            let between =
                matches!(word(self.tokens, end), "between" | "among" | "amongst" | "by" | "to" | "with");
            let verbs =
                self.links.iter().filter(|other| other.own.is_none() && !other.shared && other.end <= first);
            let (verbs, said) = (verbs.count(), word(self.tokens, first));
            let Some(next) = self.things.iter().position(|thing| thing.first >= end) else { continue };
            if said == "same"
                && verbs > 1
                && self.things[next].first == end
                && self.things[next].members.is_empty()
            {
                self.things[next].own = Some(first);
                self.links.remove(number);
            } else if between && said != "same" && self.things.iter().any(|thing| thing.end <= first) {
                let group = self.possessed(next);
                let thing = &mut self.things[group];
                if thing.members.is_empty() {
                    thing.quantifier = Some(Quantifier::Count(crate::question::Compare::AtLeast, 2.0));
                } else if thing.members.len() < 2 {
                    continue;
                }
                self.links.remove(number);
            }
        }
    }

    /// What a thing has, where it stands as the owner (`A's competitors`), or itself.
    pub(in super::super) fn possessed(&self, thing: usize) -> usize {
        let is_owner = |at: usize| {
            let end = self.things[at].end;
            at + 1 < self.things.len() && self.tokens.get(end).is_some_and(Token::is_possessive)
        };
        (thing..self.things.len()).find(|&at| !is_owner(at)).unwrap_or(thing)
    }
}
