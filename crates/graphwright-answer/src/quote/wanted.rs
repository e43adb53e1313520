//! The kind of answer that a question wants, and whether a text has one.

use std::collections::HashSet;

use graphwright_english::{
    inflection::base_stem,
    names,
    questions::{Token, tokenize, word},
    thesaurus, words,
};

/// The most words between a number and what it counts.
const COUNTED_WITHIN: usize = 5;

/// What an answer must have, beside what the question says.
#[derive(Clone, Debug, PartialEq)]
enum Kind {
    Anything,
    /// A number, and behind it what is counted, if something is.
    Number(Option<String>),
    /// A date or a year.
    Date,
    /// The name of a person or another thing.
    Name,
}

/// What a question wants to be told.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    kind: Kind,
    /// The words of the question, which are no answer to it.
    asked: HashSet<String>,
}

impl Wanted {
    pub(super) fn read(question: &str) -> Self {
        let asked = names::tokens(question).into_iter().map(|token| token.text).collect();
        Self { kind: kind(&tokenize(question)), asked }
    }

    /// Tells whether a text has something of the kind that is wanted.
    pub(super) fn is_in(&self, text: &str) -> bool {
        match &self.kind {
            Kind::Anything => true,
            Kind::Number(None) => self.numbers(text).next().is_some(),
            Kind::Number(Some(counted)) => self.numbers(text).any(|(number, rest)| {
                let near = names::tokens(rest);
                let counts = near.iter().take(COUNTED_WITHIN).any(|token| base_stem(&token.text) == *counted);
                counts && !is_year(number)
            }),
            Kind::Date => names::tokens(text).iter().any(|token| {
                !self.asked.contains(&token.text)
                    && token.text.starts_with(|first: char| first.is_ascii_digit())
            }),
            Kind::Name => self.has_name(text),
        }
    }

    /// The numbers in a text that stand for an amount, each with what follows it: no part of a name (`v2`, `RFC 1728`).
    fn numbers<'t>(&self, text: &'t str) -> impl Iterator<Item = (&'t str, &'t str)> {
        let (mut behind_name, mut begins) = (false, true);
        text.split_whitespace().filter_map(move |chunk| {
            let bare = chunk.trim_matches(|sign: char| !sign.is_alphanumeric());
            let after_name = behind_name;
            let ends = chunk.ends_with(['.', ':', '!', '?', ',', ';']);
            behind_name = bare.starts_with(char::is_uppercase) && !begins && !ends;
            begins = ends;
            let is_amount = bare.chars().all(|letter| letter.is_ascii_digit() || matches!(letter, '.' | ','))
                || words::number(&bare.to_lowercase()).is_some_and(|number| number > 0.0);
            let is_sign = |sign: char| matches!(sign, '#' | '/');
            let is_new =
                !bare.is_empty() && !chunk.contains(is_sign) && !self.asked.contains(&bare.to_lowercase());
            // Both are parts of one text.
            let end = chunk.as_ptr() as usize - text.as_ptr() as usize + chunk.len();
            (is_amount && is_new && !after_name).then(|| (bare, &text[end..]))
        })
    }

    /// A word with a capital inside a sentence, or a handle.
    fn has_name(&self, text: &str) -> bool {
        names::tokens(text).iter().any(|token| {
            let before = &text[..token.start];
            let begins = before.trim_end_matches(|sign: char| !sign.is_alphanumeric() && !is_end(sign));
            let is_capital = text[token.start..].starts_with(char::is_uppercase)
                && !begins.is_empty()
                && !begins.ends_with(is_end);
            let is_new = !self.asked.contains(&token.text) && token.text.chars().count() > 1;
            is_new && (is_capital || before.ends_with(['@', '#']))
        })
    }
}

fn is_end(sign: char) -> bool {
    matches!(sign, '.' | '!' | '?')
}

fn is_year(number: &str) -> bool {
    number.len() == 4 && (number.starts_with("19") || number.starts_with("20"))
}

fn kind(tokens: &[Token]) -> Kind {
    let word = |at: usize| word(tokens, at);
    let how = (0..tokens.len()).find(|&at| word(at) == "how");
    let measured = |at: usize| {
        matches!(word(at), "many" | "much" | "often" | "far" | "long")
            || !thesaurus::measures(&tokens[at].stem).is_empty()
    };
    if let Some(at) = how.map(|at| at + 1).filter(|&at| at < tokens.len() && measured(at)) {
        let counted = tokens.get(at + 1).filter(|_| word(at) == "many");
        return Kind::Number(counted.map(|token| token.stem.clone()));
    }
    let number =
        |at: usize| matches!(word(at), "number" | "amount" | "price" | "cost" | "age" | "share" | "salary");
    match word(0) {
        "who" | "whom" | "whose" => Kind::Name,
        "when" => Kind::Date,
        "why" | "how" => Kind::Anything,
        _ if (1..tokens.len()).any(|at| number(at) && word(at + 1) == "of") => Kind::Number(None),
        "which" | "what" | "in" if (1..3).any(|at| matches!(word(at), "year" | "date" | "day" | "month")) => {
            Kind::Date
        }
        _ => Kind::Anything,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rstest::rstest]
    #[case("How many services are there?", "We run three small services.", true)]
    #[case("How many services are there?", "In 2019 services were few.", false)]
    #[case("How many services are there?", "The services follow RFC 12.", false)]
    #[case("What share of users drive?", "Roughly 33% of them do.", true)]
    #[case("How old is the bridge?", "The bridge by Orde is 90 years of age.", true)]
    #[case("What is the price of the jug?", "The jug is blue.", false)]
    #[case("Who made the jug?", "The jug was made by Ina Moss.", true)]
    #[case("Who made the jug?", "The jug was made in a hurry. It is blue.", false)]
    #[case("Who owns the page?", "owner: #platform", true)]
    #[case("When was it made?", "It was made on 3 May.", true)]
    #[case("When was it made?", "It was made in a hurry.", false)]
    #[case("Why was it made?", "It was made for sale.", true)]
    fn the_kind_of_answer(#[case] question: &str, #[case] text: &str, #[case] has: bool) {
        assert_eq!(Wanted::read(question).is_in(text), has);
    }
}
