//! Things that have some words in their names.

use super::{Items, Thing};
use crate::question::{Piece, Segmentation, plan::Called};

impl Items<'_> {
    /// `Stops on Mill Street`, `hail and ride stops`: of the things that the noun beside the words stands for, those that are called so.
    pub(super) fn call_things(&mut self, segmentation: &Segmentation) {
        for span in &segmentation.spans {
            let Piece::Called(nodes) = &span.piece else { continue };
            let is_beside = |thing: &Thing| {
                thing.end == span.first || thing.end + 1 == span.first || thing.first == span.end
            };
            let is_open = |thing: &Thing| thing.members.is_empty() && thing.called.is_none();
            let Some(thing) = self.things.iter_mut().find(|thing| is_beside(thing) && is_open(thing)) else {
                self.unread.extend(span.first..span.end);
                continue;
            };
            let words = self.tokens[span.first..span.end].iter().map(|token| token.text.as_str());
            let words = words.collect::<Vec<_>>().join(" ");
            thing.called = Some(Called { words, nodes: nodes.clone() });
            (thing.first, thing.end) = (thing.first.min(span.first), thing.end.max(span.end));
        }
    }
}
