//! Dates, numbers, comparisons and superlatives.

use graphwright_core::text::identifier_words;
use graphwright_english::{
    dates::{self, Days},
    inflection::{self, base_stem},
    questions::{Token, word},
    thesaurus, words,
};
use graphwright_retrieve::NodeIndex;

use super::{Annotator, CLOSE, Compare, Measure, Order, Piece, Span};
use crate::{
    duration::seconds,
    lexicon::{Meaning, Sense},
    question::{Form, sides::is_amount},
    schema::{Content, Property},
};

impl Annotator<'_> {
    pub(super) fn measure_spans(&self, first: usize, spans: &mut Vec<Span>) {
        let rest = &self.tokens[first..];
        let mut push = |length, piece, weight| spans.push(Span::new(first, first + length, piece, weight));
        if let Some((piece, length)) = self.comparative(rest) {
            push(length, piece, 1.0);
        }
        let (compare, skip) = comparison(rest);
        // `Before the 1990s`.
        let article = skip > 0 && compare != Compare::Is && words::is_article(word(rest, skip));
        let from = skip + usize::from(article);
        let is_amount = skip > 0 && words::is_amount(word(rest, 0));
        let in_article = words::is_article(word(self.tokens, (first + from).wrapping_sub(1)));
        let days =
            rest.get(from..).and_then(|rest| read_days(rest).or_else(|| decade(rest).filter(|_| in_article)));
        if let Some((days, length)) = days.filter(|_| !is_amount) {
            let spans_two = matches!(word(rest, 0), "between" | "from");
            let last = spans_two.then(|| second_date(&rest[from + length..])).flatten();
            let (piece, length) = match last {
                Some((last, more)) => {
                    (Piece::Time(Compare::Is, Days { first: days.first, last: last.last }), length + more)
                }
                // `In May 1992 or earlier`.
                None => match or_more(rest, from + length).filter(|_| compare == Compare::Is) {
                    Some(compare) => (Piece::Time(compare, days), length + 2),
                    None => (Piece::Time(compare, days), length),
                },
            };
            push(from + length, piece, 1.0);
        }
        if let Some((month, length)) = month(rest) {
            push(length, Piece::Month(month), 1.0);
        }
        if let Some((piece, length)) = self.range(rest) {
            push(length, piece, 0.95);
        }
        if word(rest, 0) == "single" && self.has_superlative() {
            // `The most in a single order`: in any one.
            push(1, Piece::Silent, 1.0);
        } else if let Some(length) = single(rest) {
            push(length, Piece::Quantity(Compare::Is, 1.0, Vec::new()), 0.95);
        }
        if let Some((number, length)) = rest.get(skip..).and_then(quantity)
            && !(skip == 0 && matches!(word(rest, 0), "one" | "zero") && !self.is_only(first))
        {
            let dates = ["by", "since", "from", "in", "on", "during"];
            let is_behind = skip > 0 && dates.contains(&word(rest, 0));
            let end = skip + length;
            // `In 2008` is when, unless it is how many of something.
            let is_in = word(self.tokens, first.wrapping_sub(1)) == "in"
                && !rest.get(length).is_some_and(|next| inflection::is_plural(&next.lower));
            let is_year =
                (is_behind || skip == 0 && is_in) && length == 1 && read_days(&rest[skip..]).is_some();
            let (compare, end) = match or_more(rest, end) {
                Some(_) if is_behind => (Compare::Is, end + 2),
                Some(compare) => (compare, end + 2),
                None => (if is_behind { Compare::Is } else { compare }, end),
            };
            if !is_year {
                push(end + self.unit(rest, end), Piece::Quantity(compare, number, Vec::new()), 0.95);
            }
        }
        let is_bound = word(self.tokens, first.wrapping_sub(1)) == "at";
        let extreme = self.extreme(rest).filter(|_| !is_bound).or_else(|| self.greater_of_two(first));
        if let Some((most, measure, length)) = extreme {
            // `The first two`.
            let several = several(rest, length);
            push(length, Piece::Extreme(Order::first(most), measure.clone()), 1.0);
            if let Some(count) = several {
                push(length + 1, Piece::Extreme(Order { count, ..Order::first(most) }, measure), 1.0);
            }
        }
        // `The two largest`.
        if let Some(count) = several(rest, 0)
            && let Some((most, measure, length)) = self.extreme(&rest[1..])
        {
            push(length + 1, Piece::Extreme(Order { count, ..Order::first(most) }, measure), 1.0);
        }
        // `The second largest`.
        if let Some(place) = words::ordinal(word(rest, 0)).filter(|place| *place > 1)
            && let Some((most, measure, length)) = self.extreme(&rest[1..])
        {
            push(length + 1, Piece::Extreme(Order { place, ..Order::first(most) }, measure), 1.0);
        }
        if let Some((piece, length)) = self.ranked(rest) {
            push(length, piece, if length > 1 { 1.05 } else { 0.95 });
        }
        if let Some((piece, length)) = self.than_entity(rest) {
            push(length, piece, 1.0);
        }
        if let Some((piece, length)) = self.amount_done(rest) {
            push(length, piece, 1.05);
        }
        if let Some((piece, length)) = self.times_done(first) {
            push(length, piece, 1.05);
        }
        if let Some((properties, verb)) = self.number_done(first) {
            // Not the games that they have.
            let is_other = |span: &Span| span.first == first && matches!(span.piece, Piece::Property(_));
            spans.retain(|span| !is_other(span));
            spans.push(Span::new(first, first + 1, Piece::Property(properties), 1.05));
            spans.push(Span::new(verb, verb + 1, Piece::Silent, 1.0));
        }
    }

    /// `More than once`, `at least three times`, `exactly twice`; not `three times as many`, nor `once it is there`.
    fn times_done(&self, first: usize) -> Option<(Piece, usize)> {
        let rest = &self.tokens[first..];
        let (compare, skip) = comparison(rest);
        let number = rest.get(skip..)?;
        let adverb = match word(number, 0) {
            "once" => Some(1.0),
            "twice" => Some(2.0),
            "thrice" => Some(3.0),
            _ => None,
        };
        let times = || quantity(number).filter(|(_, length)| word(number, *length) == "times");
        let (number, length) = match adverb {
            // A bare `once` may be when.
            Some(number) if skip > 0 || number > 1.0 => (number, skip + 1),
            Some(_) => return None,
            None => times().map(|(number, length)| (number, skip + length + 1))?,
        };
        (word(rest, length) != "as").then_some((Piece::Times(compare, number), length))
    }

    /// `How many games did they win`, where things have `games won`. With the place of the verb.
    fn number_done(&self, noun: usize) -> Option<(Vec<Property>, usize)> {
        if self.head.form != Form::Count || word(self.tokens, noun.wrapping_sub(1)) != "many" {
            return None;
        }
        (noun + 1..self.tokens.len()).find_map(|verb| {
            let mut properties =
                self.properties_named(&[self.tokens[noun].clone(), self.tokens[verb].clone()]);
            properties.retain(|property| self.schema.property(*property).content == Content::Number);
            (!properties.is_empty()).then_some((properties, verb))
        })
    }

    /// `Came third`, `the 10th stop`, `the top four`, where things have a place in an order.
    fn ranked(&self, tokens: &[Token]) -> Option<(Piece, usize)> {
        let top = usize::from(word(tokens, 0) == "top");
        let (compare, place, length) = match (top, words::ordinal(word(tokens, 0))) {
            (0, Some(place)) => (Compare::Is, place as f64, 1),
            (1, _) => quantity(&tokens[1..]).map(|(count, length)| (Compare::AtMost, count, length + 1))?,
            _ => return None,
        };
        let ranks = self.schema.ranks();
        // `Third place`, where that is what they have.
        let named = tokens.get(length).is_some_and(|next| words::is_rank(&next.lower));
        (!ranks.is_empty()).then(|| (Piece::Quantity(compare, place, ranks), length + usize::from(named)))
    }

    /// `Won more than 105 games`, `won the most games`, where things have `games won`.
    fn amount_done(&self, tokens: &[Token]) -> Option<(Piece, usize)> {
        let (verb, rest) = tokens.split_first()?;
        let done = |noun: usize| -> Vec<Property> {
            let Some(noun) = rest.get(noun) else { return Vec::new() };
            let mut properties = self.properties_named(&[noun.clone(), verb.clone()]);
            properties.retain(|property| self.schema.property(*property).content == Content::Number);
            properties
        };
        let (compare, skip) = comparison(rest);
        if let Some((number, length)) = rest.get(skip..).and_then(quantity) {
            let (compare, end) = match or_more(rest, skip + length) {
                Some(compare) => (compare, skip + length + 2),
                None => (compare, skip + length),
            };
            let properties = done(end);
            return (!properties.is_empty())
                .then_some((Piece::Quantity(compare, number, properties), end + 2));
        }
        let article = usize::from(words::is_article(word(rest, 0)));
        let most = match word(rest, article) {
            "most" => true,
            "fewest" | "least" => false,
            _ => return None,
        };
        let properties = done(article + 1);
        let piece = Piece::Extreme(Order::first(most), Measure::Properties(properties.clone()));
        (!properties.is_empty()).then_some((piece, article + 3))
    }

    /// `Which is older, A or B`, `who wrote more books, A or B`: a comparative ranks what is offered.
    fn greater_of_two(&self, first: usize) -> Option<(bool, Measure, usize)> {
        let rest = &self.tokens[first..];
        let offers = rest.iter().any(|token| token.lower == "or")
            || matches!(word(self.tokens, self.head.lead), "of" | "between");
        if !offers || word(rest, 1) == "than" || word(rest, 2) == "than" {
            return None;
        }
        // `Which has the higher melting point, A or B`: the noun says of what.
        let beside = || {
            let (adjective, most) = thesaurus::graded(word(rest, 0), "er")?;
            let known = !thesaurus::measures(&base_stem(&adjective)).is_empty();
            known.then_some((most, Measure::Beside, 1))
        };
        self.ranked_by(first).or_else(beside)
    }

    /// What a comparative of one word ranks by, and whether what is more of it comes first.
    pub(super) fn graded(&self, comparative: &str) -> Option<(Measure, bool)> {
        match comparative {
            "older" | "earlier" => return Some((Measure::Date, false)),
            "newer" | "younger" | "later" => return Some((Measure::Date, true)),
            _ => {}
        }
        let (adjective, most) = thesaurus::graded(comparative, "er")?;
        let measured = self.measured_by(&adjective);
        (!measured.is_empty()).then_some((Measure::Properties(measured), most))
    }

    /// `Before Top Gun`, `older than Ada`, `in the same year as Apollo 13`: compared with the value of something named.
    fn than_entity(&self, tokens: &[Token]) -> Option<(Piece, usize)> {
        let (compare, properties, start) = match (word(tokens, 0), word(tokens, 1)) {
            ("before", _) => (Compare::Below, Vec::new(), 1),
            ("after", _) => (Compare::Above, Vec::new(), 1),
            // `Cost the same as Chai`: the verb says what of it.
            ("same", "as") => (Compare::Is, Vec::new(), 2),
            ("same", _) => {
                let end = (2..5).find(|&at| word(tokens, at) == "as")?;
                let property = tokens.get(1..end)?;
                let is_date = matches!(property, [one] if words::is_date_word(&one.lower));
                let named = self.properties_named(property);
                (is_date || !named.is_empty()).then_some((Compare::Is, named, end + 1))?
            }
            _ if let Some(compared) = self.compared_property(tokens) => compared,
            (comparative, "than") => {
                let (measure, most) = self.graded(comparative)?;
                let properties = match measure {
                    Measure::Properties(properties) => properties,
                    _ => Vec::new(),
                };
                (if most { Compare::Above } else { Compare::Below }, properties, 2)
            }
            ("more" | "less", adjective) if word(tokens, 2) == "than" => {
                let measured = self.measured_by(adjective);
                let compare = if word(tokens, 0) == "more" { Compare::Above } else { Compare::Below };
                (!measured.is_empty()).then_some((compare, measured, 3))?
            }
            _ => return None,
        };
        let start = start + usize::from(words::is_article(word(tokens, start)));
        let longest = (self.lexicon.names.longest + 2).min(tokens.len().saturating_sub(start));
        let name = |length: &usize| self.named_one(&tokens[start..], *length);
        let length = (1..=longest).rev().find(|length| !name(length).is_empty())?;
        let of_year = word(tokens, 0) == "same" && word(tokens, 1) == "year";
        let piece = if of_year {
            Piece::SameYear(name(&length))
        } else {
            Piece::Than(compare, name(&length), properties)
        };
        Some((piece, start + length))
    }

    /// `A higher zone than Bank`: how the property that stands before `than` is compared, and the place behind that.
    fn compared_property(&self, tokens: &[Token]) -> Option<(Compare, Vec<Property>, usize)> {
        /// No name of a property that is compared so has more words.
        const MOST_WORDS: usize = 3;
        let (_, most) =
            thesaurus::graded(word(tokens, 0), "er").filter(|(adjective, _)| is_amount(adjective))?;
        let than = (2..=MOST_WORDS + 1).find(|&at| word(tokens, at) == "than")?;
        let properties = self.properties_named(&tokens[1..than]);
        let compare = if most { Compare::Above } else { Compare::Below };
        (!properties.is_empty()).then_some((compare, properties, than + 1))
    }

    /// What the first words are called by, or the only thing of whose name they are a part: `Richard Durbin` of `Richard J. Durbin`. Not
    /// by one word of it, nor by a part of a longer name.
    fn named_one(&self, tokens: &[Token], length: usize) -> Vec<NodeIndex> {
        let (words, behind) = tokens.split_at(length);
        let named = self.lexicon.names.exact(words);
        let goes_on = behind.first().is_some_and(Token::is_capital);
        if !named.is_empty() || length < 2 || goes_on || !words.iter().all(Token::is_capital) {
            return named;
        }
        let all: Vec<&Token> = words.iter().collect();
        let partly = self.lexicon.names.partial(words, 1).into_iter().map(|(node, _)| node);
        partly.filter(|node| self.lexicon.names.has_in_one_name(*node, &all)).collect()
    }

    fn properties_named(&self, words: &[Token]) -> Vec<Property> {
        let senses = self.lexicon.phrases(words).into_iter();
        let property = |sense: Sense| match sense.meaning {
            Meaning::Property(property) => Some(property),
            _ => None,
        };
        senses.filter_map(property).collect()
    }

    /// `Has only ever directed one`: a few words before stands `only`.
    fn is_only(&self, at: usize) -> bool {
        self.tokens[at.saturating_sub(3)..at].iter().any(|token| token.lower == "only")
    }

    /// `deeper than 14 metres`, `older than 30`: the adjective says which property is compared.
    pub(super) fn comparative(&self, tokens: &[Token]) -> Option<(Piece, usize)> {
        let (adjective, more, start) = match word(tokens, 0) {
            more @ ("more" | "less") if word(tokens, 2) == "than" => {
                (word(tokens, 1).to_owned(), more == "more", 3)
            }
            comparative => {
                let graded = thesaurus::graded(comparative, "er").filter(|_| word(tokens, 1) == "than");
                let (adjective, more) = graded?;
                (adjective, more, 2)
            }
        };
        let (number, length) = quantity(tokens.get(start..)?)?;
        let properties = self.measured_by(&adjective);
        let compare = if more { Compare::Above } else { Compare::Below };
        let end = start + length + self.unit(tokens, start + length);
        let number = number * self.units_of_time(word(tokens, start + length), &properties);
        (!properties.is_empty()).then_some((Piece::Quantity(compare, number, properties), end))
    }

    /// Adds what `how many units were ordered` and `100 units of tea` ask for, in place of what else has units.
    pub(super) fn unit_spans(&self, first: usize, spans: &mut Vec<Span>) {
        let counted = matches!(word(self.tokens, first.wrapping_sub(1)), "many" | "of")
            || first.checked_sub(1).is_some_and(|at| quantity(&self.tokens[at..]).is_some());
        let quantities = self.lexicon.quantities();
        if !counted || quantities.is_empty() || !words::is_counted_unit(word(self.tokens, first)) {
            return;
        }
        // `Units in stock` are others, where the question speaks of a stock.
        let mut properties: Vec<Property> = Vec::new();
        for span in spans.iter().filter(|span| span.first == first && span.end == first + 1) {
            let Piece::Property(others) = &span.piece else { continue };
            properties.extend(others.iter().filter(|property| self.says_rest(**property, first)));
        }
        if properties.is_empty() {
            properties.extend(quantities);
        }
        let is_replaced = |span: &Span| {
            span.first == first && span.end == first + 1 && matches!(span.piece, Piece::Property(_))
        };
        spans.retain(|span| !is_replaced(span));
        spans.push(Span::new(first, first + 1, Piece::Property(properties), 0.9));
    }

    /// Whether the question has all words of the name of a property beside the one at a place.
    fn says_rest(&self, property: Property, at: usize) -> bool {
        let name = identifier_words(&self.schema.property(property).name);
        let is_said = |(place, word): (usize, &String)| {
            let stem = base_stem(word);
            // `On order` is so of units; what is a type or a relationship otherwise says no property.
            let before = place.checked_sub(1).map(|before| name[before].as_str());
            let is_other = self.lexicon.frames.is_head(&stem);
            let says = |at: usize| {
                let token = &self.tokens[at];
                let led = at > 0 && before == Some(self.tokens[at - 1].lower.as_str());
                token.stem == stem && (led || !is_other && !self.lexicon.has_type(token))
            };
            self.tokens[at].stem == stem || (0..self.tokens.len()).any(says)
        };
        name.iter().enumerate().filter(|(_, word)| !words::is_filler(word)).all(is_said)
    }

    fn has_superlative(&self) -> bool {
        (0..self.tokens.len()).any(|at| self.extreme(&self.tokens[at..]).is_some())
    }

    /// Properties that an adjective measures.
    pub(super) fn measured_by(&self, adjective: &str) -> Vec<Property> {
        let token = Token { stem: base_stem(adjective), ..self.tokens[0].clone() };
        let senses = self.lexicon.properties_by_thesaurus(&token);
        // What is called `cost` before what has a name with this word in it.
        let best = senses.iter().map(|sense| sense.weight).fold(0.0, f64::max);
        let property = |sense: &Sense| match sense.meaning {
            Meaning::Property(property) if sense.weight > best - CLOSE => Some(property),
            _ => None,
        };
        let measured: Vec<Property> = senses.iter().filter_map(property).collect();
        if measured.is_empty() { self.measured_by_meaning(adjective) } else { measured }
    }

    /// How many of the units that the names of properties say make one that a word says: 60,000 `milliseconds` a `minute`. One
    /// where either says none.
    fn units_of_time(&self, unit: &str, properties: &[Property]) -> f64 {
        let of_property = |property: &Property| {
            let name = identifier_words(&self.schema.property(*property).name);
            name.iter().find_map(|word| seconds(&format!("1 {word}")))
        };
        let mut own = properties.iter().map(of_property);
        match (seconds(&format!("1 {unit}")), own.next().flatten()) {
            (Some(said), Some(first)) if own.all(|other| other == Some(first)) => said / first,
            _ => 1.0,
        }
    }

    /// One where the word is a unit that goes with the number before it, and not a word of the graph.
    fn unit(&self, tokens: &[Token], at: usize) -> usize {
        let unit = tokens.get(at..=at).filter(|unit| words::is_unit(&unit[0].lower));
        usize::from(unit.is_some_and(|unit| self.lexicon.phrases(unit).is_empty()))
    }

    /// `Between 20 and 30 euros`.
    fn range(&self, tokens: &[Token]) -> Option<(Piece, usize)> {
        if !matches!(word(tokens, 0), "between" | "from") {
            return None;
        }
        let (low, length) = quantity(&tokens[1..])?;
        let joined = matches!(word(tokens, 1 + length), "and" | "to");
        let (high, more) = tokens.get(2 + length..).and_then(quantity).filter(|_| joined)?;
        let end = 2 + length + more;
        Some((Piece::Between(low, high), end + self.unit(tokens, end)))
    }

    pub(super) fn extreme(&self, tokens: &[Token]) -> Option<(bool, Measure, usize)> {
        let (most, measure, length) = self.superlative(tokens)?;
        // `The greatest number of trips` is of the most, where no property is called so.
        let counted = &tokens[length..tokens.len().min(length + 3)];
        let counts = (word(counted, 0), word(counted, 1)) == ("number", "of")
            && (2..=counted.len()).all(|end| self.lexicon.phrases(&counted[..end]).is_empty());
        Some(if counts { (most, Measure::Number, length + 2) } else { (most, measure, length) })
    }

    fn superlative(&self, tokens: &[Token]) -> Option<(bool, Measure, usize)> {
        let by_adjective = |adjective: &str| {
            let found = self.measured_by(adjective);
            if found.is_empty() { Measure::Beside } else { Measure::Properties(found) }
        };
        let is_measure = |adjective: &str| !thesaurus::measures(&base_stem(adjective)).is_empty();
        match (word(tokens, 0), word(tokens, 1)) {
            (word @ ("most" | "fewest" | "least"), "recent" | "recently") => {
                Some((word == "most", Measure::Date, 2))
            }
            (word @ ("most" | "least"), adjective)
                if is_measure(adjective) && !self.lexicon.properties_by_thesaurus(&tokens[1]).is_empty() =>
            {
                Some((word == "most", by_adjective(adjective), 2))
            }
            (word @ ("most" | "least"), "often" | "frequently" | "common" | "frequent") => {
                Some((word == "most", Measure::Number, 2))
            }
            (word @ ("most" | "fewest" | "least"), _) => Some((word == "most", Measure::Number, 1)),
            ("latest" | "newest" | "last" | "youngest", _) => Some((true, Measure::Date, 1)),
            ("earliest" | "oldest" | "first", _) => Some((false, Measure::Date, 1)),
            ("greatest" | "maximum" | "top", _) => Some((true, by_adjective("big"), 1)),
            ("minimum", _) => Some((false, Measure::Beside, 1)),
            (word, _) => {
                let (adjective, most) = thesaurus::graded(word, "est")?;
                let measure = by_adjective(&adjective);
                (measure != Measure::Beside || is_measure(&adjective)).then_some((most, measure, 1))
            }
        }
    }
}

/// A date or span at the beginning, with how many words it takes.
fn read_days(tokens: &[Token]) -> Option<(Days, usize)> {
    /// No date has more words.
    const MOST_WORDS: usize = 5;
    let words: Vec<&str> = tokens.iter().take(MOST_WORDS).map(|token| token.lower.as_str()).collect();
    Days::at_start_of(&words)
}

/// `The nineties`, `the 90s`: a decade of the last century. Earlier ones may be of this century too.
fn decade(tokens: &[Token]) -> Option<(Days, usize)> {
    const NAMES: [&str; 7] =
        ["thirties", "forties", "fifties", "sixties", "seventies", "eighties", "nineties"];
    let named = NAMES.iter().position(|name| *name == word(tokens, 0)).map(|place| (place + 3) * 10);
    let figures = || word(tokens, 0).strip_suffix('s')?.parse().ok();
    let decade = named.or_else(figures).filter(|decade| (30..=90).contains(decade) && decade % 10 == 0)?;
    Some((Days::parse(&format!("19{decade}s"))?, 1))
}

/// `In May`, `during the month of May`: a month of any year, with how many words it takes.
fn month(tokens: &[Token]) -> Option<(i8, usize)> {
    let word = |at: usize| word(tokens, at);
    let named = match (word(0), word(1), word(2), word(3)) {
        ("in" | "during" | "every" | "each", "the", "month", "of") => 4,
        ("in" | "during" | "every" | "each", ..) => 1,
        _ => return None,
    };
    let month = dates::month(word(named))?;
    tokens.get(named..).and_then(read_days).is_none().then_some((month, named + 1))
}

/// The date of `and 2020` behind another.
fn second_date(tokens: &[Token]) -> Option<(Days, usize)> {
    let joined = matches!(word(tokens, 0), "and" | "to" | "until" | "till");
    let (days, length) = read_days(tokens.get(1..)?)?;
    joined.then_some((days, length + 1))
}

/// `A single grape`, `only one grape`: how many words say that there is one and no more.
fn single(tokens: &[Token]) -> Option<usize> {
    match (word(tokens, 0), word(tokens, 1)) {
        ("single", _) => Some(1),
        ("only" | "exactly" | "just", "one") => Some(2),
        _ => None,
    }
}

/// The comparison that the first words express, and how many words it takes.
fn comparison(tokens: &[Token]) -> (Compare, usize) {
    match (word(tokens, 0), word(tokens, 1), word(tokens, 2)) {
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

/// A small whole number above one at a position.
fn several(tokens: &[Token], at: usize) -> Option<usize> {
    let word = word(tokens, at);
    let number = words::number(word).map(|number| number as usize).or_else(|| word.parse().ok());
    number.filter(|number| (2..=100).contains(number))
}

/// The comparison of `or more` at a position.
fn or_more(tokens: &[Token], at: usize) -> Option<Compare> {
    match (word(tokens, at), word(tokens, at + 1)) {
        ("or", "more" | "greater" | "higher" | "later" | "after" | "newer" | "above" | "over") => {
            Some(Compare::AtLeast)
        }
        ("or", "less" | "fewer" | "lower" | "earlier" | "before" | "older" | "below" | "under") => {
            Some(Compare::AtMost)
        }
        _ => None,
    }
}

/// A number at the beginning, with how many words it takes.
fn quantity(tokens: &[Token]) -> Option<(f64, usize)> {
    let first = word(tokens, 0);
    let figures = || {
        let figures = first.replace(',', "");
        let scales = [("", 1.0), ("k", 1e3), ("m", 1e6), ("bn", 1e9)];
        let read =
            |(suffix, scale): (&str, f64)| Some(figures.strip_suffix(suffix)?.parse::<f64>().ok()? * scale);
        let unsigned = figures.strip_prefix('-').unwrap_or(&figures);
        unsigned
            .starts_with(|first: char| first.is_ascii_digit())
            .then(|| scales.into_iter().find_map(read))?
    };
    let number = words::number(first).or_else(figures)?;
    let scale = match word(tokens, 1) {
        "hundred" => 1e2,
        "thousand" => 1e3,
        "million" => 1e6,
        "billion" => 1e9,
        _ => return Some((number, 1)),
    };
    Some((number * scale, 2))
}
