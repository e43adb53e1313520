//! `More orders than Ada`: what is counted, compared with that of another one.

use graphwright_english::{questions::word, words};

use super::Items;
use crate::question::{Piece, plan::Quantifier};

impl Items<'_> {
    /// Takes out the names with whose number another one is compared. A comparison that is not understood is left over.
    pub(super) fn take_comparisons(&mut self) {
        for number in (0..self.conditions.len()).rev() {
            let Piece::More(compare) = self.conditions[number].span.piece else { continue };
            let end = self.conditions.remove(number).span.end;
            match self.compared(end) {
                Some((counted, named)) => {
                    let others = self.remove_thing(named).members.concat();
                    let thing = &mut self.things[counted];
                    (thing.quantifier, thing.compared) = (Some(Quantifier::Than(compare)), others);
                }
                None => self.unread.push(end - 1),
            }
        }
    }

    /// The thing behind `more`, and the named one behind `than` or `as`.
    fn compared(&self, from: usize) -> Option<(usize, usize)> {
        let joint = (from..self.tokens.len()).find(|&at| matches!(word(self.tokens, at), "than" | "as"))?;
        let counted = self.things.iter().position(|thing| thing.first >= from)?;
        let is_counted = self.things[counted].members.is_empty() && self.things[counted].end <= joint;
        let is_behind =
            |at: usize| at > joint && (joint + 1..at).all(|at| words::is_article(word(self.tokens, at)));
        let named = self.things.iter().position(|thing| is_behind(thing.first) && !thing.members.is_empty());
        named.filter(|_| is_counted).map(|named| (counted, named))
    }
}
