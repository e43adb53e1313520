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

/// The ways to split a question that compares two numbers, the likelier first. None if it does not, or not in a way that is known.
pub(crate) fn sides(question: &str) -> Vec<Sides> {
    let tokens = tokenize(question);
    let said = Said { question, tokens: &tokens };
    let mut thans = (0..tokens.len()).filter(|at| said.word(*at) == "than");
    let Some(than) = thans.next().filter(|_| thans.next().is_none()) else { return Vec::new() };
    if !words::is_auxiliary(said.word(0)) || tokens.iter().any(|token| words::is_negation(&token.lower)) {
        return Vec::new();
    }
    let found = (1..than).map(|at| said.split_at(at, than)).find(|found| found.iter().any(Option::is_some));
    found.into_iter().flatten().flatten().collect()
}

/// The name of a property that is compared has fewer words.
const MOST_NAME: usize = 4;

/// Whether an adjective says how much there is of anything: `a higher zone`, `a greater diameter`.
pub(super) fn is_amount(adjective: &str) -> bool {
    matches!(adjective, "great" | "high" | "big" | "large" | "long")
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

    /// What the word before `than` compares, in up to two ways.
    fn split_at(&self, at: usize, than: usize) -> [Option<Sides>; 2] {
        match self.word(at) {
            // `More expensive than it`.
            "more" | "less" if at + 2 == than && !is_plural(self.word(at + 1)) => {
                [self.of_adjective(at, than, self.word(at + 1), self.word(at) == "more"), None]
            }
            "more" | "fewer" | "less" => [self.of_number(at, than, self.word(at) == "more"), None],
            comparative => {
                let Some((adjective, more)) = thesaurus::graded(comparative, "er") else {
                    return [None, None];
                };
                if at + 1 == than {
                    // The `Bank of England` is no bank that England has.
                    let of_property = self.of_named_property(at, than, &adjective, more);
                    [of_property, self.of_adjective(at, than, &adjective, more)]
                } else {
                    let is_near = at + MOST_NAME >= than && is_amount(&adjective);
                    [if is_near { self.of_property(at, than, more) } else { None }, None]
                }
            }
        }
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

    /// `Is A in a higher X than B`, `does A have a greater X than B` ask for the X of A, and for that of B.
    fn of_property(&self, at: usize, than: usize, more: bool) -> Option<Sides> {
        let article = at.checked_sub(1).filter(|&at| words::is_article(self.word(at)))?;
        let verb = article.checked_sub(1)?;
        let is_led = words::is_preposition(self.word(verb)) || words::is_have(self.word(verb));
        let subject = if is_led { verb } else { article };
        let is_preposition = |at: &usize| words::is_preposition(self.word(*at)) && self.word(*at) != "of";
        // `In 2012` is said of both.
        let both = (than + 2..self.end()).find(is_preposition).unwrap_or(self.end());
        let (name, both_said) = (self.text(at + 1, than), self.text(both, self.end()));
        let ask = |thing: &str| joined(&["what is the", name, "of", thing, both_said]);
        let (one, other) = (self.text(1, subject), self.text(than + 1, both));
        (!one.is_empty() && !other.is_empty()).then(|| Sides { questions: [ask(one), ask(other)], more })
    }

    /// `Is the X of A greater than that of B`, `is A's X greater than B's`.
    fn of_named_property(&self, at: usize, than: usize, adjective: &str, more: bool) -> Option<Sides> {
        let owner = (1..at).find(|&at| self.word(at) == "of" || self.tokens[at].is_possessive())?;
        let is_of = self.word(owner) == "of";
        let behind = (self.word(than + 1), self.word(than + 2));
        let (one, other) = (self.text(1, at), self.text(than + 1, self.end()));
        let other = match behind {
            ("that" | "those", "of") if is_of => {
                joined(&[self.text(1, owner), self.text(than + 2, self.end())])
            }
            _ if !is_of && self.tokens.last()?.is_possessive() => joined(&[other, self.text(owner + 1, at)]),
            _ if is_amount(adjective) => other.to_owned(),
            _ => return None,
        };
        let ask = |asked: &str| joined(&["what is", asked]);
        Some(Sides { questions: [ask(one), ask(&other)], more })
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
    #[case("Is Oxford in a higher zone than Bank?", "what is the zone of Oxford", "what is the zone of Bank")]
    #[case("Does K2 have a greater height than X?", "what is the height of K2", "what is the height of X")]
    #[case(
        "Did Ada have a higher pay than Bob in 2012?",
        "what is the pay of Ada in 2012",
        "what is the pay of Bob in 2012"
    )]
    #[case("Is the pay of Ada greater than that of Bob?", "what is the pay of Ada", "what is the pay of Bob")]
    #[case(
        "Is the pay of Ada higher than the rent of Bob?",
        "what is the pay of Ada",
        "what is the rent of Bob"
    )]
    #[case("Is Ada's pay higher than Bob's?", "what is Ada's pay", "what is Bob's pay")]
    fn numbers_are_compared(#[case] question: &str, #[case] one: &str, #[case] other: &str) {
        let found = sides(question).swap_remove(0);
        assert_eq!(found, Sides { questions: [one.to_owned(), other.to_owned()], more: true });
    }

    #[rstest::rstest]
    #[case("Is K2 lower than Mont Blanc?")]
    #[case("Are there fewer trips to A than to B?")]
    fn the_first_is_less(#[case] question: &str) {
        assert!(!sides(question)[0].more);
    }

    #[rstest::rstest]
    #[case("Which peaks are higher than K2?")]
    #[case("Is K2 not higher than Mont Blanc?")]
    #[case("Does it have more than two doors?")]
    fn others_are_not(#[case] question: &str) {
        assert_eq!(sides(question), []);
    }
}
