//! Questions that compare two numbers, as the two questions for these numbers: `are there more trips to A than to B` asks how many
//! there are to A, and how many to B.

use graphwright_english::{
    inflection::{is_plural, singular},
    questions::{Token, tokenize, word},
    thesaurus, words,
};

/// Two questions for numbers, and whether the first is to be the greater one.
#[derive(Debug, PartialEq)]
pub(crate) struct Sides {
    pub(crate) questions: [String; 2],
    pub(crate) more: bool,
}

/// Splits a question that compares two numbers. `None` if it does not, or not in a way that is known.
pub(crate) fn sides(question: &str) -> Option<Sides> {
    let tokens = tokenize(question);
    let said = Said { question, tokens: &tokens };
    let mut thans = (0..tokens.len()).filter(|at| said.word(*at) == "than");
    let than = thans.next().filter(|_| thans.next().is_none())?;
    if !words::is_auxiliary(said.word(0)) || tokens.iter().any(|token| words::is_negation(&token.lower)) {
        return None;
    }
    (1..than).find_map(|at| match said.word(at) {
        // `More expensive than it`.
        "more" | "less" if at + 2 == than && !is_plural(said.word(at + 1)) => {
            said.of_adjective(at, than, said.word(at + 1), said.word(at) == "more")
        }
        "more" | "fewer" | "less" => said.of_number(at, than, said.word(at) == "more"),
        comparative if at + 1 == than => {
            let (adjective, more) = thesaurus::graded(comparative, "er")?;
            said.of_adjective(at, than, &adjective, more)
        }
        _ => None,
    })
}

/// A question and its words.
struct Said<'q> {
    question: &'q str,
    tokens: &'q [Token],
}

impl Said<'_> {
    fn word(&self, at: usize) -> &str {
        word(self.tokens, at)
    }

    /// The words from one to another, as they were written.
    fn text(&self, from: usize, end: usize) -> &str {
        if from < end { &self.question[self.tokens[from].start..self.tokens[end - 1].end] } else { "" }
    }

    fn end(&self) -> usize {
        self.tokens.len()
    }

    /// `Is A higher than B` asks how high A is, and how high B.
    fn of_adjective(&self, at: usize, than: usize, adjective: &str, more: bool) -> Option<Sides> {
        let auxiliary = self.word(0);
        // `Did A last longer than B`: the verb stands before the comparative.
        let subject = if words::is_be(auxiliary) { at } else { at - 1 };
        let verb = self.text(subject, at);
        let ask = |thing: &str| joined(&["how", adjective, auxiliary, thing, verb]);
        let (one, other) = (self.text(1, subject), self.text(than + 1, self.end()));
        (!one.is_empty() && !other.is_empty()).then(|| Sides { questions: [ask(one), ask(other)], more })
    }

    /// `Does A have more X than B`, `are there more X in A than in B`.
    fn of_number(&self, at: usize, than: usize, more: bool) -> Option<Sides> {
        let is_preposition = |at: &usize| words::is_preposition(self.word(*at)) && self.word(*at) != "of";
        let rest = (at + 1..than).find(is_preposition).unwrap_or(than);
        let counted = self.text(at + 1, rest);
        let auxiliary = self.word(0);
        let other = than + 1;
        let ask = |parts: &[&str]| joined(&[&["how many", counted, auxiliary], parts].concat());
        let questions = if is_preposition(&other) {
            // `In A … than in B`.
            let same = (rest..than).find(|at| self.word(*at) == self.word(other))?;
            let (before, one) = (self.text(1, at), self.text(rest, same));
            let last = self.other_one(same, than);
            // `On Saturdays` is said of both; `upon Tyne` is part of a name.
            let is_time = |at: usize| {
                self.tokens
                    .get(at)
                    .is_some_and(|token| !token.is_capital() || words::is_weekday(&singular(&token.lower)))
            };
            let both = (other + 2..self.end()).find(|at| is_preposition(at) && is_time(at + 1));
            let both = self.text(both.unwrap_or(self.end()), self.end());
            [ask(&[before, self.text(rest, than), both]), ask(&[before, one, &last])]
        } else {
            let verb = at - 1;
            if verb < 2 || words::is_auxiliary(self.word(verb)) && !words::is_have(self.word(verb)) {
                return None;
            }
            // `In 2012` is said of both.
            let both = (other + 1..self.end()).find(is_preposition).unwrap_or(self.end());
            let further = [self.text(verb, at), self.text(rest, than), self.text(both, self.end())];
            [self.text(1, verb), self.text(other, both)].map(|thing| ask(&[&[thing], &further[..]].concat()))
        };
        (!counted.is_empty()).then_some(Sides { questions, more })
    }

    /// What stands behind `than`, where `one` is for the words that stand in its place from `same` on: `the 1978 one`.
    fn other_one(&self, same: usize, than: usize) -> String {
        let other = than + 1;
        match (other..self.end()).find(|at| matches!(self.word(*at), "one" | "ones")) {
            Some(one) => joined(&[
                self.text(other, one),
                self.text((same + one - other).min(than), than),
                self.text(one + 1, self.end()),
            ]),
            None => self.text(other, self.end()).to_owned(),
        }
    }
}

fn joined(parts: &[&str]) -> String {
    let parts: Vec<&str> = parts.iter().copied().filter(|part| !part.is_empty()).collect();
    parts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rstest::rstest]
    #[case(
        "Are there more trips to Redlynch than to James Cook University?",
        "how many trips are there to Redlynch",
        "how many trips are there to James Cook University"
    )]
    #[case(
        "Are there more trips on the 150E than on the 150 on Saturdays?",
        "how many trips are there on the 150E on Saturdays",
        "how many trips are there on the 150 on Saturdays"
    )]
    #[case(
        "Are there more pubs in Hull than in Newcastle upon Tyne?",
        "how many pubs are there in Hull",
        "how many pubs are there in Newcastle upon Tyne"
    )]
    #[case(
        "Do we have more customers in France than in Germany?",
        "how many customers do we have in France",
        "how many customers do we have in Germany"
    )]
    #[case(
        "Were there more teams at the 1982 World Cup than at the 1978 one?",
        "how many teams were there at the 1982 World Cup",
        "how many teams were there at the 1978 World Cup"
    )]
    #[case(
        "Did Oakland win more games than the New York Yankees in 2012?",
        "how many games did Oakland win in 2012",
        "how many games did the New York Yankees win in 2012"
    )]
    #[case(
        "Does Spain have more players than Italy?",
        "how many players does Spain have",
        "how many players does Italy have"
    )]
    #[case("Is K2 higher than Mont Blanc?", "how high is K2", "how high is Mont Blanc")]
    #[case("Is Tea more expensive than Ale?", "how expensive is Tea", "how expensive is Ale")]
    #[case("Did A1 last longer than B2?", "how long did A1 last", "how long did B2 last")]
    fn numbers_are_compared(#[case] question: &str, #[case] one: &str, #[case] other: &str) {
        let found = sides(question).unwrap();
        assert_eq!(found, Sides { questions: [one.to_owned(), other.to_owned()], more: true });
    }

    #[rstest::rstest]
    #[case("Is K2 lower than Mont Blanc?")]
    #[case("Are there fewer trips to A than to B?")]
    fn the_first_is_less(#[case] question: &str) {
        assert!(!sides(question).unwrap().more);
    }

    #[rstest::rstest]
    #[case("Which peaks are higher than K2?")]
    #[case("Is K2 not higher than Mont Blanc?")]
    #[case("Does it have more than two doors?")]
    fn others_are_not(#[case] question: &str) {
        assert_eq!(sides(question), None);
    }
}
