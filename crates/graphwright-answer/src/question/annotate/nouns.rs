//! What stands around a word: whether it is a noun by its place, and which preposition leads the clause.

use graphwright_english::{inflection, questions::word, words};

use super::Annotator;

impl Annotator<'_> {
    /// The preposition of `on which`, `in whom` before a verb.
    pub(super) fn fronted_preposition(&self, verb: usize) -> Option<&str> {
        let before = self.tokens[self.head.lead..verb].windows(2).rev();
        let mut pairs = before.filter(|pair| {
            words::is_preposition(&pair[0].lower)
                && matches!(pair[1].lower.as_str(), "which" | "whom" | "what" | "who")
        });
        pairs.next().map(|pair| pair[0].lower.as_str())
    }

    /// Whether the word stands where a noun stands: right behind an article or the word that asks.
    pub(super) fn is_noun_by_place(&self, at: usize) -> bool {
        self.is_behind_owner(at)
            || self.is_behind_article(at)
            || self.is_asked_for(at)
            || (at > 0 && at == self.head.lead)
    }

    /// Whether it stands right behind the word that asks: `which states`, `how many states`.
    pub(super) fn is_asked_for(&self, at: usize) -> bool {
        let before = word(self.tokens, at.wrapping_sub(1));
        let asks = self.head.asker.is_some_and(|asker| asker + 1 == at && before != "who");
        asks || before == "many"
    }

    /// Whether it is what somebody has: `Ada's followers`.
    pub(super) fn is_behind_owner(&self, at: usize) -> bool {
        at.checked_sub(1).is_some_and(|before| self.tokens[before].is_possessive())
    }

    /// Whether the word is a noun that is counted: `the most reviews`, `how many reviews`, `no review`, `without a review`.
    pub(super) fn is_counted_by_place(&self, at: usize) -> bool {
        let before = word(self.tokens, at.wrapping_sub(1));
        let counts =
            matches!(before, "many" | "most" | "fewest" | "more" | "fewer" | "no" | "without" | "of")
                || words::number(before).is_some()
                || at.checked_sub(1).is_some_and(|at| self.tokens[at].has_digit());
        let token = &self.tokens[at];
        let lacks = |before: usize| matches!(word(self.tokens, before), "no" | "without");
        let is_lacked = lacks(at.wrapping_sub(1)) || self.is_behind_article(at) && lacks(at.wrapping_sub(2));
        (counts || self.is_behind_article(at))
            && (inflection::is_plural(&token.lower) || is_lacked)
            && !self.lexicon.has_type(token)
    }

    pub(super) fn is_behind_article(&self, at: usize) -> bool {
        let before = word(self.tokens, at.wrapping_sub(1));
        words::is_plain_determiner(before) && !words::is_relative(before)
    }
}
