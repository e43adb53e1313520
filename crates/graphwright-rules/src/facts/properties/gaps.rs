//! Values whose verb is left out: `X opened in 1901 and Y in 1904`; `X has 200 seats, Y 340`.

use crate::facts::{clauses::Reader, collect::Status, grammar, slots::Term, units::Sentence};

impl Reader<'_, '_> {
    /// Reads names with another value of a property that was just given, each after `,`, `;` or `and`.
    pub(super) fn read_value_gaps(
        &mut self,
        sentence: &Sentence<'_>,
        start: usize,
        property: usize,
        status: Status,
    ) {
        let mut at = start;
        loop {
            let mut name = at;
            while matches!(sentence.word(name), "," | ";" | "and" | "while" | "but") {
                name += 1;
            }
            if name == at {
                return;
            }
            while sentence.is_word(name) && grammar::is_determiner(sentence.word(name)) {
                name += 1;
            }
            let Some(mention) = sentence.name_at(name) else { return };
            let mut value = name + 1;
            while matches!(
                sentence.word(value),
                "in" | "on" | "at" | "with" | "for" | "one" | "of" | "only" | "just" | "another"
            ) {
                value += 1;
            }
            let Some(token) = sentence.units.get(value).map(|unit| unit.tokens.start) else { return };
            let Some((found, end)) = self.value_at(sentence, token, property, false) else { return };
            let last = sentence.unit_of[end - 1];
            let ends = matches!(sentence.word(last + 1), "" | "," | ";" | "." | "and");
            if !ends {
                return;
            }
            self.give(sentence, &(vec![Term::Name(mention)], status, name), property, &found, last);
            at = last + 1;
        }
    }
}
