//! `not`, `no`, `without`, `neither … nor`, `other than`: what each turns into its opposite.

use graphwright_english::words;

use super::Items;

impl Items<'_> {
    /// A word of negation turns what comes next into its opposite.
    pub(super) fn apply_negations(&mut self) {
        for at in 0..self.tokens.len() {
            let word = self.tokens[at].lower.as_str();
            if matches!(word, "except" | "excluding" | "besides")
                || (word == "other" && self.is_word(at + 1, "than"))
                || (word == "apart" && self.is_word(at + 1, "from"))
            {
                if let Some(thing) =
                    self.things.iter_mut().find(|thing| thing.first > at && !thing.members.is_empty())
                {
                    thing.excluded = true;
                }
                continue;
            }
            let said = self.links.iter().any(|link| link.first <= at && at < link.end);
            if said
                || !(words::is_negation(word) || words::is_lacking(word))
                || (at == self.head.lead && words::is_auxiliary(word))
            {
                continue;
            }
            if matches!(
                (word, self.tokens.get(at + 1).map(|token| token.lower.as_str())),
                ("no" | "not", Some("later" | "more" | "less" | "earlier" | "fewer"))
            ) {
                continue;
            }
            let link = self.links.iter().position(|link| link.own.is_none() && link.first >= at);
            let thing = self.things.iter().position(|thing| thing.first > at);
            let condition = self.conditions.iter().position(|condition| condition.span.first > at);
            let link_at = link.map_or(usize::MAX, |link| self.links[link].first);
            let thing_at = thing.map_or(usize::MAX, |thing| self.things[thing].first);
            let condition_at =
                condition.map_or(usize::MAX, |condition| self.conditions[condition].span.first);
            let verbal = !(words::is_lacking(word) || matches!(word, "no" | "without" | "neither" | "nor"));
            let of_value = condition.filter(|_| condition_at < thing_at && condition_at < link_at);
            if let Some(condition) = of_value.filter(|_| word == "neither" || word == "nor") {
                self.conditions[condition].negated = true;
            } else if word == "neither" || word == "nor" {
                let before = self.links.iter().rposition(|link| link.own.is_none() && link.first < at);
                if let Some(link) = before.or(link) {
                    self.links[link].negated = true;
                }
                for thing in self.things.iter_mut().filter(|thing| thing.first > at) {
                    thing.all = false;
                }
            } else if let Some(link) =
                link.filter(|_| verbal && link_at <= condition_at && link_at != usize::MAX)
            {
                self.links[link].negated = true;
            } else if let Some(condition) =
                condition.filter(|_| condition_at < thing_at && condition_at < link_at)
            {
                self.conditions[condition].negated = true;
            } else if let Some(thing) = thing {
                self.things[thing].negated = true;
            } else if let Some(condition) = condition {
                self.conditions[condition].negated = true;
            }
        }
    }
}
