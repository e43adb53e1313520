//! The kind of answer that a question wants, and whether a text has one.

use std::collections::HashSet;

use graphwright_english::{
    dates,
    inflection::{base_stem, is_plural},
    names,
    questions::{Token, tokenize, word},
    thesaurus, words,
};

/// The most words between a number and what it counts.
const COUNTED_WITHIN: usize = 5;
/// The most words between a number and the unit of time that it counts, both included.
const UNIT_WITHIN: usize = 3;

/// Words for the parts of time that are counted, by their stems.
const TIMES: [&str; 9] = ["second", "minut", "hour", "day", "night", "week", "month", "quarter", "year"];
/// Words that tell how soon or how often.
const PACES: [&str; 9] =
    ["immediately", "hourly", "daily", "nightly", "weekly", "monthly", "quarterly", "yearly", "annually"];

/// What an answer must have, beside what the question says.
#[derive(Clone, Debug, PartialEq)]
enum Kind {
    Anything,
    /// A number, and behind it what is counted, if something is.
    Number(Option<String>),
    /// How long, how often or how soon.
    Time,
    /// The number of a version.
    Version,
    /// A date or a year.
    Date,
    /// The name of a person or another thing.
    Name,
}

/// What a question wants to be told.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    kind: Kind,
    /// Whether several things are asked for (`which pages …`).
    pub(super) several: bool,
    /// The stem of the word behind `which` or `what`.
    pub(super) noun: Option<String>,
    /// The words of the question, which are no answer to it.
    pub(super) asked: HashSet<String>,
}

impl Wanted {
    pub(super) fn read(question: &str) -> Self {
        let asked = names::tokens(question).into_iter().map(|token| token.text).collect();
        let tokens = tokenize(question);
        let asker = tokens.iter().position(|token| matches!(token.lower.as_str(), "which" | "what"));
        let noun = asker.and_then(|asker| tokens.get(asker + 1)).map(|noun| noun.stem.clone());
        Self { kind: kind(&tokens), several: is_for_several(&tokens), noun, asked }
    }

    /// Tells whether a text has something of the kind that is wanted; `None` where anything may be an answer.
    pub(super) fn found_in(&self, text: &str) -> Option<bool> {
        (self.kind != Kind::Anything).then(|| self.is_in(text))
    }

    /// Tells whether a text has an amount, a time, a version or a date that is wanted.
    pub(super) fn is_measured_in(&self, text: &str) -> bool {
        self.kind != Kind::Name && self.found_in(text) == Some(true)
    }

    fn is_in(&self, text: &str) -> bool {
        match &self.kind {
            Kind::Anything => true,
            Kind::Number(None) => self.numbers(text).next().is_some(),
            Kind::Number(Some(counted)) => self.numbers(text).any(|(number, rest)| {
                let near = names::tokens(rest);
                let counts = near.iter().take(COUNTED_WITHIN).any(|token| base_stem(&token.text) == *counted);
                counts && !is_year(number)
            }),
            Kind::Time => has_time(text),
            Kind::Version => tokenize(text).iter().any(|token| {
                let number = token.lower.strip_prefix('v').unwrap_or(&token.lower);
                let is_number = number.starts_with(|first: char| first.is_ascii_digit());
                let is_version = number.contains('.') || number.len() < token.lower.len();
                is_number && is_version && !self.asked.contains(&token.lower)
            }),
            Kind::Date => names::tokens(text).iter().any(|token| {
                !self.asked.contains(&token.text)
                    && (is_year(&token.text)
                        // In small letters, `may` is a verb.
                        || (dates::is_month(&token.text) && text[token.start..].starts_with(char::is_uppercase)))
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

/// Tells whether a text has a length of time, or says how often: a number or `every` before a part of time.
fn has_time(text: &str) -> bool {
    let words: Vec<String> = names::tokens(text).into_iter().map(|token| token.text).collect();
    let counts = |word: &str| {
        word.starts_with(|first: char| first.is_ascii_digit())
            || words::number(word).is_some()
            || matches!(word, "a" | "an" | "each" | "every" | "per" | "few" | "several")
    };
    let is_time = |word: &str| TIMES.contains(&&*base_stem(word));
    words.iter().enumerate().any(|(at, word)| {
        let mut near = words.iter().skip(at + 1).take(UNIT_WITHIN - 1);
        PACES.contains(&&**word) || (counts(word) && near.any(|word| is_time(word)))
    })
}

fn is_year(number: &str) -> bool {
    let is_number = number.chars().all(|letter| letter.is_ascii_digit());
    is_number && number.len() == 4 && (number.starts_with("19") || number.starts_with("20"))
}

fn kind(tokens: &[Token]) -> Kind {
    let word = |at: usize| word(tokens, at);
    let how = (0..tokens.len()).find(|&at| word(at) == "how");
    let measured = |at: usize| {
        matches!(word(at), "many" | "much" | "often" | "far" | "long" | "quickly" | "soon")
            || !thesaurus::measures(&tokens[at].stem).is_empty()
    };
    let asks = |at: usize| matches!(word(at), "which" | "what");
    let is_version = |at: usize| matches!(&*tokens[at].stem, "version" | "releas");
    if (1..tokens.len()).any(|at| is_version(at) && (at.saturating_sub(3)..at).any(asks)) {
        return Kind::Version;
    }
    if let Some(at) = how.map(|at| at + 1).filter(|&at| at < tokens.len() && measured(at)) {
        if matches!(word(at), "often" | "long" | "quickly" | "soon") || word(at + 1) == "time" {
            return Kind::Time;
        }
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
        "which" | "what" | "in" | "on"
            if (1..3).any(|at| matches!(word(at), "year" | "date" | "day" | "month")) =>
        {
            Kind::Date
        }
        _ => Kind::Anything,
    }
}

/// Tells whether a question is for several things: `which pages …`, `list the core libraries …`.
fn is_for_several(tokens: &[Token]) -> bool {
    let word = |at: usize| word(tokens, at);
    let Some(first) = (0..2).find(|&at| matches!(word(at), "which" | "what" | "list")) else { return false };
    let passed = |at: &usize| matches!(word(*at), "are" | "of" | "the" | "all");
    let noun = (first + 1..tokens.len()).find(|at| !passed(at)).unwrap_or(tokens.len());
    let is_noun = |at: usize| is_plural(word(at)) && !words::is_likely_verb(word(at));
    (noun..(noun + 2).min(tokens.len())).any(is_noun)
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
    #[case("When was it made?", "It may be made of 12 parts.", false)]
    #[case("How often are hosts checked?", "A job checks each host every 15 minutes.", true)]
    #[case("How often are hosts checked?", "Reports come daily.", true)]
    #[case("How long does a login last?", "All 12 logins are alike.", false)]
    #[case("Which version of Go do we use?", "We use Go 1.22 here.", true)]
    #[case("Which version of Go do we use?", "We use Go in 3 places.", false)]
    #[case("Why was it made?", "It was made for sale.", true)]
    fn the_kind_of_answer(#[case] question: &str, #[case] text: &str, #[case] has: bool) {
        assert_eq!(Wanted::read(question).is_in(text), has);
    }

    #[rstest::rstest]
    #[case("Which pages are about backups?", true)]
    #[case("List the core libraries.", true)]
    #[case("Which team owns it?", false)]
    #[case("What is the status of the page?", false)]
    fn several_things(#[case] question: &str, #[case] several: bool) {
        assert_eq!(Wanted::read(question).several, several);
    }
}
