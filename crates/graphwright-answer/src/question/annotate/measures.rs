//! Dates, numbers, comparisons and superlatives.

use graphwright_english::{dates::Days, inflection::base_stem, questions::Token, thesaurus, words};

use super::{Annotator, Compare, Measure, Piece, Span};
use crate::{lexicon::Meaning, schema::Property};

impl Annotator<'_> {
    pub(super) fn measure_spans(&self, first: usize, spans: &mut Vec<Span>) {
        let rest = &self.tokens[first..];
        self.comparative(first, spans);
        let (compare, skip) = comparison(rest);
        let amount = matches!(
            rest[0].lower.as_str(),
            "more"
                | "less"
                | "greater"
                | "fewer"
                | "higher"
                | "lower"
                | "at"
                | "over"
                | "above"
                | "below"
                | "exceeding"
        ) && skip > 0;
        if let Some((days, length)) = read_days(&rest[skip..]).filter(|_| !amount) {
            let between = (rest[0].lower == "between" || rest[0].lower == "from")
                .then(|| self.second_date(first + skip + length));
            let (days, extra) = match between.flatten() {
                Some((last, extra)) => (Days { first: days.first, last: last.last }, extra),
                None => (days, 0),
            };
            let compare = if extra > 0 { Compare::Is } else { compare };
            let end = first + skip + length + extra;
            spans.push(Span { first, end, piece: Piece::Time(compare, days), weight: 1.0 });
        }
        self.range(first, spans);
        if let Some(length) = single(rest) {
            let piece = Piece::Quantity(Compare::Is, 1.0, Vec::new());
            spans.push(Span { first, end: first + length, piece, weight: 0.95 });
        }
        if let Some((number, length)) = quantity(&rest[skip..]) {
            let mut end = first + skip + length;
            let mut compare = compare;
            if self.tokens.get(end).is_some_and(|token| token.lower == "or") {
                match self.tokens.get(end + 1).map(|token| token.lower.as_str()) {
                    Some("more" | "greater" | "higher" | "later") => {
                        (compare, end) = (Compare::AtLeast, end + 2);
                    }
                    Some("less" | "fewer" | "lower" | "earlier") => {
                        (compare, end) = (Compare::AtMost, end + 2);
                    }
                    _ => {}
                }
            }
            let compare = match rest[0].lower.as_str() {
                "by" | "since" | "from" | "in" | "on" | "during" if skip > 0 => Compare::Is,
                _ => compare,
            };
            end += usize::from(self.is_unit(end));
            let bare = skip == 0 && words::number(&rest[0].lower).is_some();
            if !(bare && matches!(rest[0].lower.as_str(), "one" | "zero")) {
                spans.push(Span {
                    first,
                    end,
                    piece: Piece::Quantity(compare, number, Vec::new()),
                    weight: 0.95,
                });
            }
        }
        if let Some((most, measure, length)) = self.extreme(first) {
            spans.push(Span {
                first,
                end: first + length,
                piece: Piece::Extreme(most, measure),
                weight: 1.0,
            });
        }
    }

    /// `deeper than 14 metres`, `older than 30`: the adjective says which property is compared.
    fn comparative(&self, first: usize, spans: &mut Vec<Span>) {
        let word = self.tokens[first].lower.as_str();
        let than = self.tokens.get(first + 1).is_some_and(|token| token.lower == "than");
        let Some((more, base)) = base_of_comparative(word).filter(|_| than) else { return };
        let Some((number, length)) = quantity(&self.tokens[first + 2..]) else { return };
        let properties = self.measured_by(base);
        if properties.is_empty() {
            return;
        }
        let end = first + 2 + length;
        let end = end + usize::from(self.is_unit(end));
        let compare = if more { Compare::Above } else { Compare::Below };
        spans.push(Span { first, end, piece: Piece::Quantity(compare, number, properties), weight: 1.0 });
    }

    /// Properties that an adjective measures.
    fn measured_by(&self, adjective: &str) -> Vec<Property> {
        let token = Token { stem: base_stem(adjective), ..self.tokens[0].clone() };
        let senses = self.lexicon.properties_by_thesaurus(&token).into_iter();
        let property = |meaning| match meaning {
            Meaning::Property(property) => Some(property),
            _ => None,
        };
        senses.filter_map(|sense| property(sense.meaning)).collect()
    }

    /// Whether the word is a unit that goes with the number before it, and not a word of the graph.
    fn is_unit(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| {
            words::is_unit(&token.lower) && self.lexicon.phrases(std::slice::from_ref(token)).is_empty()
        })
    }

    /// `Between 20 and 30 euros`.
    fn range(&self, first: usize, spans: &mut Vec<Span>) {
        let rest = &self.tokens[first..];
        if !matches!(rest[0].lower.as_str(), "between" | "from") {
            return;
        }
        let Some((low, length)) = quantity(&rest[1..]) else { return };
        let joined = rest.get(1 + length).is_some_and(|token| matches!(token.lower.as_str(), "and" | "to"));
        let Some((high, more)) = rest.get(2 + length..).and_then(quantity).filter(|_| joined) else { return };
        let end = first + 2 + length + more;
        let end = end + usize::from(self.is_unit(end));
        spans.push(Span { first, end, piece: Piece::Between(low, high), weight: 0.95 });
    }

    fn second_date(&self, at: usize) -> Option<(Days, usize)> {
        let joined = self
            .tokens
            .get(at)
            .is_some_and(|token| matches!(token.lower.as_str(), "and" | "to" | "until" | "till"));
        let (days, length) = read_days(self.tokens.get(at + 1..)?)?;
        joined.then_some((days, length + 1))
    }

    fn extreme(&self, first: usize) -> Option<(bool, Measure, usize)> {
        let token = &self.tokens[first];
        let next = self.tokens.get(first + 1);
        let next_word = next.map_or("", |next| next.lower.as_str());
        let by_adjective = |adjective: &str| {
            let found = self.measured_by(adjective);
            if found.is_empty() { Measure::Beside } else { Measure::Properties(found) }
        };
        match token.lower.as_str() {
            "most" | "fewest" | "least" if next_word == "recent" || next_word == "recently" => {
                Some((token.lower == "most", Measure::Date, 2))
            }
            "most" | "least"
                if !thesaurus::measures(&base_stem(next_word)).is_empty()
                    && !self.lexicon.properties_by_thesaurus(next?).is_empty() =>
            {
                Some((token.lower == "most", by_adjective(next_word), 2))
            }
            "most" => Some((true, Measure::Number, 1)),
            "fewest" | "least" => Some((false, Measure::Number, 1)),
            "latest" | "newest" | "last" | "youngest" => Some((true, Measure::Date, 1)),
            "earliest" | "oldest" | "first" => Some((false, Measure::Date, 1)),
            "highest" | "largest" | "greatest" | "biggest" | "maximum" | "top" => {
                Some((true, by_adjective(superlative_base(&token.lower)), 1))
            }
            "lowest" | "smallest" | "minimum" => Some((false, Measure::Beside, 1)),
            "shortest" => Some((false, by_adjective("long"), 1)),
            "cheapest" => Some((false, by_adjective("expensive"), 1)),
            word => {
                let base = word.strip_suffix("est").filter(|base| base.len() > 2)?;
                let measure = by_adjective(base);
                let known = measure != Measure::Beside || !thesaurus::measures(&base_stem(base)).is_empty();
                known.then_some((true, measure, 1))
            }
        }
    }
}

/// The adjective of a comparative, and whether the comparative says that there is more of what it measures.
fn base_of_comparative(word: &str) -> Option<(bool, &str)> {
    Some(match word {
        "shorter" => (false, "long"),
        "smaller" => (false, "big"),
        "cheaper" => (false, "expensive"),
        "lighter" => (false, "heavy"),
        "younger" => (false, "old"),
        "lower" => (false, "high"),
        "shallower" => (false, "deep"),
        "bigger" => (true, "big"),
        "larger" => (true, "large"),
        "heavier" => (true, "heavy"),
        "older" => (true, "old"),
        word => (true, word.strip_suffix("er").filter(|base| base.len() > 2)?),
    })
}

fn superlative_base(word: &str) -> &str {
    match word {
        "largest" | "biggest" => "large",
        "highest" => "high",
        _ => "big",
    }
}

/// A date or span at the beginning, with how many words it takes.
fn read_days(tokens: &[Token]) -> Option<(Days, usize)> {
    /// No date has more words.
    const MOST_WORDS: usize = 5;
    let words: Vec<&str> = tokens.iter().take(MOST_WORDS).map(|token| token.lower.as_str()).collect();
    Days::at_start_of(&words)
}

/// `A single grape`, `only one grape`: how many words say that there is one and no more.
fn single(tokens: &[Token]) -> Option<usize> {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.lower.as_str());
    match (word(0), word(1)) {
        ("single", _) => Some(1),
        ("only" | "exactly" | "just", "one") => Some(2),
        _ => None,
    }
}

/// The comparison that the first words express, and how many words it takes.
fn comparison(tokens: &[Token]) -> (Compare, usize) {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.lower.as_str());
    match (word(0), word(1), word(2)) {
        ("no" | "not", "later" | "more" | "greater", "than") | ("on" | "in", "or", "before") => {
            (Compare::AtMost, 3)
        }
        ("no", "earlier" | "less" | "fewer", "than") | ("on" | "in", "or", "after") => (Compare::AtLeast, 3),
        ("more" | "greater" | "higher" | "larger" | "longer" | "later", "than", _) => (Compare::Above, 2),
        ("less" | "fewer" | "lower" | "smaller" | "shorter" | "earlier", "than", _) | ("prior", "to", _) => {
            (Compare::Below, 2)
        }
        ("at", "least", _) | ("starting", "in" | "from", _) => (Compare::AtLeast, 2),
        ("at", "most", _) | ("up", "to", _) => (Compare::AtMost, 2),
        ("before" | "under" | "below", ..) => (Compare::Below, 1),
        ("until" | "till" | "by", ..) => (Compare::AtMost, 1),
        ("after" | "over" | "above" | "exceeding", ..) => (Compare::Above, 1),
        // `From 2018 on`; the ones `from 2018` are of that year.
        ("since", ..) | ("from", _, "on" | "onward" | "onwards") => (Compare::AtLeast, 1),
        ("from" | "in" | "on" | "during" | "exactly" | "between" | "around" | "of", ..) => (Compare::Is, 1),
        _ => (Compare::Is, 0),
    }
}

/// A number at the beginning, with how many words it takes.
fn quantity(tokens: &[Token]) -> Option<(f64, usize)> {
    let word = &tokens.first()?.lower;
    let number = words::number(word).or_else(|| {
        let digits: String = word.chars().filter(|letter| *letter != ',').collect();
        let scaled = |suffix: &str, factor: f64| {
            digits
                .strip_suffix(suffix)
                .and_then(|digits| digits.parse::<f64>().ok())
                .map(|number| number * factor)
        };
        let plain = digits.chars().next()?.is_ascii_digit().then(|| digits.parse().ok()).flatten();
        plain.or_else(|| scaled("k", 1e3)).or_else(|| scaled("m", 1e6)).or_else(|| scaled("bn", 1e9))
    })?;
    let factor = match tokens.get(1).map(|token| token.lower.as_str()) {
        Some("hundred") => 1e2,
        Some("thousand") => 1e3,
        Some("million") => 1e6,
        Some("billion") => 1e9,
        _ => return Some((number, 1)),
    };
    Some((number * factor, 2))
}
