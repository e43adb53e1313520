//! What sort of answer a question wants.

use graphwright_english::{
    inflection,
    questions::{Token, word},
    words,
};

use super::plan::Aggregate;

/// What sort of answer is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Entities or values.
    Which,
    /// How many.
    Count,
    /// Yes or no.
    Truth,
    /// A date.
    When,
    /// How two things hang together.
    Connection,
    /// What is known of one thing.
    About,
    /// A reason or a way to do something, which relationships do not tell.
    Reason,
}

/// The words that ask, and where they stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) form: Form,
    /// Position of the word that asks (`which`, `who`), if there is one.
    pub(crate) asker: Option<usize>,
    /// How many words at the beginning only ask.
    pub(crate) lead: usize,
    /// What is made of several values, and the word that says so.
    pub(crate) aggregate: Option<(Aggregate, usize)>,
    /// The word that only says that a date is wanted, as in `in which year`.
    pub(crate) date_word: Option<usize>,
    /// The last word of `how often`, `how many times`.
    pub(crate) times: Option<usize>,
    /// The first of the two words that say how far to go (`through five levels`), and how far.
    pub(crate) levels: Option<(usize, usize)>,
}

impl Head {
    /// Whether it asks how something is or is done, and for no number.
    pub(crate) fn asks_how(self, tokens: &[Token]) -> bool {
        let asker = self.asker.and_then(|at| tokens.get(at));
        self.form == Form::Which && asker.is_some_and(|token| token.lower == "how")
    }

    /// Whether it asks for somebody.
    pub(crate) fn asks_who(self, tokens: &[Token]) -> bool {
        let asker = self.asker.and_then(|at| tokens.get(at));
        asker.is_some_and(|token| matches!(token.lower.as_str(), "who" | "whom"))
    }

    /// How far the question wants to go, or else this far.
    pub(crate) fn levels_or(self, hops: usize) -> usize {
        self.levels.map_or(hops, |(_, levels)| levels)
    }

    /// The same, behind so many words that ask nothing.
    fn behind(self, words: usize) -> Self {
        let behind = |at: usize| at + words;
        Self {
            form: self.form,
            asker: self.asker.map(behind),
            lead: behind(self.lead),
            aggregate: self.aggregate.map(|(aggregate, at)| (aggregate, behind(at))),
            date_word: self.date_word.map(behind),
            times: self.times.map(behind),
            levels: self.levels.map(|(at, levels)| (behind(at), levels)),
        }
    }

    /// Whether a word says how far to go.
    pub(crate) fn counts_levels(self, at: usize) -> bool {
        self.levels.is_some_and(|(first, _)| (first..first + 2).contains(&at))
    }
}

pub(crate) fn read(tokens: &[Token]) -> Head {
    let greeting = tokens.iter().take_while(|token| words::is_courtesy(&token.lower)).count();
    if (1..tokens.len()).contains(&greeting) {
        return read(&tokens[greeting..]).behind(greeting);
    }
    let word = |at: usize| word(tokens, at);
    let mut lead = 0;
    while words::is_command(word(lead))
        || (lead > 0 && matches!(word(lead), "me" | "us" | "for" | "all" | "every" | "the" | "out"))
    {
        lead += 1;
    }
    // `Can you set it up` asks whether it can be.
    let is_asked = |at: usize| {
        matches!(word(at), "help" | "please" | "say" | "count")
            || inflection::bases(word(at)).iter().any(|base| words::is_command(base))
    };
    let asks_you = match (word(0), word(1)) {
        ("can" | "could" | "would", "you") => (2..5).any(is_asked),
        ("can" | "could" | "would" | "do", "you" | "want" | "would" | "need") => true,
        _ => false,
    };
    if word(0) == "i" || asks_you {
        while lead < tokens.len()
            && !words::is_relative(word(lead))
            && !words::is_command(word(lead))
            && !words::is_article(word(lead))
            && word(lead) != "how"
        {
            lead += 1;
        }
        while words::is_command(word(lead)) || matches!(word(lead), "me" | "us" | "all" | "the") {
            lead += 1;
        }
        if lead >= tokens.len() {
            lead = 0;
        }
    }
    let known = asks_what_is_known(tokens);
    lead = known.unwrap_or(lead);
    let described =
        matches!(word(0), "describe" | "summarise") || (word(0) == "tell" && word(lead) == "about");
    let asker = find_asker(tokens, lead);
    // `Are there more of this or that` asks which.
    let compares = words::is_be(word(lead))
        && word(lead + 1) == "there"
        && matches!(word(lead + 2), "more" | "fewer" | "less")
        && tokens.iter().any(|token| token.lower == "or");
    if compares {
        lead += 2;
    }
    let how_many = (0..tokens.len()).find(|&at| word(at) == "how" && matches!(word(at + 1), "many" | "much"));
    let times = (0..tokens.len()).find_map(|at| match (word(at), word(at + 1), word(at + 2)) {
        ("how", "often", _) => Some(at + 1),
        ("how", "many", "times") => Some(at + 2),
        _ => None,
    });
    // `Count the services that use it`.
    let counted =
        if asks_you { (2..4).find(|at| word(*at) == "count") } else { (word(0) == "count").then_some(0) };
    let how_many = how_many.or(counted.filter(|at| at + 1 < tokens.len() && !words::is_be(word(at + 1))));
    let how_many = how_many.or(times.map(|at| at - if word(at) == "often" { 1 } else { 2 }));
    // The phone number of a shop counts nothing.
    let counts = |at: usize| {
        at == 0 || words::is_filler(word(at - 1)) || find_aggregate(&tokens[at - 1..at]).is_some()
    };
    let number_of = (0..tokens.len()).find(|&at| {
        matches!(word(at), "number" | "count") && word(at + 1) == "of" && at <= lead + 4 && counts(at)
    });
    // `At what time does it leave`, not `in what time zone is it`.
    let is_time = |at: usize| word(at) == "time" && words::is_auxiliary(word(at + 1));
    let date_word = asker.map(|at| at + 1).filter(|&at| {
        matches!(word(at - 1), "which" | "what") && (words::is_date_word(word(at)) || is_time(at))
    });
    let form = if is_connection(tokens) {
        Form::Connection
    } else if asks_for_reason(tokens, lead) {
        Form::Reason
    } else if how_many.is_some() || number_of.is_some() {
        Form::Count
    } else if known
        .map_or(lead == 0 && is_truth(tokens), |at| matches!(word(at - 1), "whether" | "if" | "that"))
    {
        Form::Truth
    } else if asker.is_some_and(|at| word(at) == "when") || date_word.is_some() {
        Form::When
    } else if described {
        Form::About
    } else {
        Form::Which
    };
    let aggregate = find_aggregate(tokens);
    Head {
        form,
        asker: how_many.or(number_of).or(asker),
        lead,
        aggregate,
        date_word,
        times,
        levels: find_levels(tokens),
    }
}

/// `Why …`, `how do I …`.
fn asks_for_reason(tokens: &[Token], lead: usize) -> bool {
    let word = |at: usize| word(tokens, at);
    let does = |word: &str| words::is_do(word) || matches!(word, "to" | "can" | "could" | "should");
    word(lead) == "why" || (word(lead) == "how" && does(word(lead + 1)))
}

/// `Does the graph say who …` asks who; `do you know whether …` asks whether. The first word of what is asked.
fn asks_what_is_known(tokens: &[Token]) -> Option<usize> {
    let word = |at: usize| word(tokens, at);
    if !words::is_do(word(0)) {
        return None;
    }
    let tells = (2..5).find(|&at| {
        matches!(word(at), "say" | "know" | "tell" | "state" | "mention" | "show" | "record" | "contain")
    })?;
    let told = (tells + 1..tells + 3)
        .find(|&at| words::is_relative(word(at)) || matches!(word(at), "how" | "whether" | "if"))?;
    let clause = matches!(word(told), "whether" | "if" | "that");
    Some(if clause { told + 1 } else { told })
}

/// The most levels that a question may ask for.
const MOST_LEVELS: f64 = 20.0;

/// `Through five levels`, `within 3 hops`, `two levels deep`.
fn find_levels(tokens: &[Token]) -> Option<(usize, usize)> {
    (1..tokens.len()).find_map(|at| {
        let number = words::number(word(tokens, at)).or_else(|| word(tokens, at).parse().ok())?;
        let bounds = words::is_preposition(word(tokens, at - 1)) || word(tokens, at + 2) == "deep";
        (bounds && number >= 1.0 && words::is_level(word(tokens, at + 1)))
            .then_some((at, number.min(MOST_LEVELS) as usize))
    })
}

fn find_aggregate(tokens: &[Token]) -> Option<(Aggregate, usize)> {
    let word = |at: usize| word(tokens, at);
    (0..tokens.len()).find_map(|at| match word(at) {
        "average" => Some((Aggregate::Average, at)),
        "mean" if at > 0 && word(at - 1) == "the" => Some((Aggregate::Average, at)),
        "total" | "altogether" | "combined" | "overall" => Some((Aggregate::Sum, at)),
        "sum" if word(at + 1) == "of" => Some((Aggregate::Sum, at)),
        _ => None,
    })
}

/// The word that asks: at the beginning, behind a preposition there, or left where its answer would stand.
fn find_asker(tokens: &[Token], lead: usize) -> Option<usize> {
    let asks = |at: usize| words::is_asking(&tokens[at].lower);
    let first = (lead..tokens.len().min(lead + 2))
        .find(|&at| asks(at) && (at == lead || words::is_preposition(&tokens[lead].lower)));
    let last = || {
        let at = tokens.len().checked_sub(1)?;
        (asks(at) && !matches!(tokens[at].lower.as_str(), "where" | "how")).then_some(at)
    };
    let behind_preposition = || {
        (lead + 1..tokens.len()).find(|&at| {
            matches!(tokens[at].lower.as_str(), "which" | "what" | "whom" | "who")
                && (words::is_preposition(&tokens[at - 1].lower)
                    || words::is_auxiliary(&tokens[at - 1].lower))
        })
    };
    let any = || (lead + 1..tokens.len()).find(|&at| matches!(tokens[at].lower.as_str(), "what" | "when"));
    let statement = !tokens.get(lead).is_some_and(|token| words::is_auxiliary(&token.lower) && lead == 0);
    first.or_else(|| if statement { last().or_else(behind_preposition).or_else(any) } else { None })
}

fn is_truth(tokens: &[Token]) -> bool {
    tokens.first().is_some_and(|token| words::is_auxiliary(&token.lower))
}

fn is_connection(tokens: &[Token]) -> bool {
    let has = |wanted: &[&str]| tokens.iter().any(|token| wanted.contains(&token.stem.as_str()));
    let first = tokens.first().map_or("", |token| token.lower.as_str());
    let relation = has(&["connect", "relat", "link", "relationship", "path", "connection", "tie", "associ"]);
    let between = tokens.iter().any(|token| token.lower == "between");
    let second = tokens.get(1).map_or("", |token| token.stem.as_str());
    let what_connects = first == "what" && matches!(second, "connect" | "link" | "tie" | "relat" | "join");
    let how_related = first == "how" && relation;
    let from_to =
        tokens.iter().any(|token| token.lower == "from") && tokens.iter().any(|token| token.lower == "to");
    let noun = (between || (from_to && has(&["path", "rout", "chain"])))
        && has(&["relationship", "path", "connection", "link", "connect", "relat", "chain"]);
    what_connects || how_related || noun
}

#[cfg(test)]
mod tests {
    use super::*;
    use graphwright_english::questions::tokenize;

    #[rstest::rstest]
    #[case("Which services use it?", Form::Which, Some(0))]
    #[case("By whom is the library owned?", Form::Which, Some(1))]
    #[case("How many beds does the ward have?", Form::Count, Some(0))]
    #[case("What is the number of services?", Form::Count, Some(3))]
    #[case("What is the total number of services?", Form::Count, Some(4))]
    #[case("What is the phone number of the shop?", Form::Which, Some(0))]
    #[case("Does ledger use it?", Form::Truth, None)]
    #[case("When was it launched?", Form::When, Some(0))]
    #[case("At what time does it leave?", Form::When, Some(1))]
    #[case("In what time zone is it?", Form::Which, Some(1))]
    #[case("What connects A and B?", Form::Connection, Some(0))]
    #[case("How is A related to B?", Form::Connection, Some(0))]
    #[case("Is there a path between A and B?", Form::Connection, None)]
    #[case("List all services", Form::Which, None)]
    #[case("The film was directed by who", Form::Which, Some(5))]
    #[case("Tell me about ledger", Form::About, None)]
    #[case("Why does ledger use it?", Form::Reason, None)]
    #[case("How do I restart ledger?", Form::Reason, Some(0))]
    #[case("How long is it?", Form::Which, Some(0))]
    #[case("How often has Ada rented it?", Form::Count, Some(0))]
    #[case("How many times was it rented?", Form::Count, Some(0))]
    #[case("Count the services that use it", Form::Count, Some(0))]
    #[case("Hi, who owns it?", Form::Which, Some(1))]
    #[case("I was wondering what it uses", Form::Which, Some(3))]
    fn forms(#[case] question: &str, #[case] form: Form, #[case] asker: Option<usize>) {
        let head = read(&tokenize(question));
        assert_eq!((head.form, head.asker), (form, asker));
    }
}
