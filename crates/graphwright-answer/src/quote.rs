//! What the documents say: the sentences of found passages that answer a question.
//!
//! A sentence is to the point if it accounts for what the question names, for what it says of it, each by itself, and
//! has something of the kind that is asked for. Rare words count more; words that only stand near it count less. The
//! numbers here were chosen on the questions with odd numbers of several collections of documents; docs/answers.md has
//! the figures of the others.

mod cut;
mod stems;
mod terms;
mod wanted;

use graphwright_retrieve::Passage;

use self::{
    cut::{BEHIND, Cut},
    terms::{Term, terms},
    wanted::Wanted,
};

/// The most quotations of an answer.
const MOST_QUOTES: usize = 3;

/// What the score of the passage among those found counts, where all terms of the question count 1.
const PLACE: f64 = 0.3;
/// The share of what a question names that a sentence accounts for, if it is to the point.
const LEAST_NAMED: f64 = 0.5;
/// The share of its other words.
const LEAST_SAID: f64 = 0.45;
/// The share of both together; of further quotations, half.
const LEAST: f64 = 0.5;

/// A passage that a search found.
#[derive(Debug)]
pub(crate) struct Found {
    /// The document's title and the headings above the passage.
    pub(crate) heading: String,
    pub(crate) passage: Passage,
}

/// Chooses quotations, best first; none where nothing is to the point.
pub(crate) fn quote(question: &str, found: &[Found]) -> Vec<Passage> {
    let wanted = Wanted::read(question);
    choose(question, found, |rated| rated.is_to_the_point(&wanted))
}

/// Chooses quotations that tell of all that the question names, together.
pub(crate) fn quote_connection(question: &str, found: &[Found]) -> Vec<Passage> {
    choose(question, found, |rated| rated.share.names_all)
}

fn choose(question: &str, found: &[Found], to_the_point: impl Fn(&Rated<'_>) -> bool) -> Vec<Passage> {
    let cuts: Vec<Cut<'_>> = found.iter().map(Cut::new).collect();
    let sentences: Vec<_> = cuts.iter().flat_map(|cut| &cut.words).collect();
    let mut rated = rate(&terms(question, &sentences), &cuts);
    rated.sort_by(|left, right| right.score().total_cmp(&left.score()));
    let Some(first) = rated.iter().position(to_the_point) else {
        return Vec::new();
    };
    // A sentence of a better passage may have the higher score and still not be to the point.
    rated.drain(..first);
    let mut quotes: Vec<Passage> = Vec::new();
    for rated in rated.into_iter().filter(|rated| rated.share.all >= LEAST / 2.0) {
        let quote = rated.quote();
        let shared = |other: &Passage| {
            other.chunk == quote.chunk && other.start < quote.end && quote.start < other.end
        };
        if !quotes.iter().any(|other| shared(other) || other.text == quote.text) {
            quotes.push(quote);
        }
        if quotes.len() == MOST_QUOTES {
            break;
        }
    }
    quotes
}

/// Rates all sentences that say something.
fn rate<'a>(terms: &[Term], cuts: &'a [Cut<'a>]) -> Vec<Rated<'a>> {
    let best = cuts.iter().map(|cut| cut.found.passage.score).fold(f64::MIN_POSITIVE, f64::max);
    let rated = cuts.iter().flat_map(|cut| {
        let place = PLACE * cut.found.passage.score / best;
        cut.quotable().map(move |at| Rated { share: Share::of(terms, cut, at), place, cut, at })
    });
    rated.collect()
}

/// A sentence that may be quoted.
struct Rated<'a> {
    share: Share,
    place: f64,
    cut: &'a Cut<'a>,
    at: usize,
}

impl Rated<'_> {
    fn score(&self) -> f64 {
        self.share.all + self.place
    }

    fn quote(&self) -> Passage {
        self.cut.quote(self.at, self.score() / (1.0 + PLACE))
    }

    fn is_to_the_point(&self, wanted: &Wanted) -> bool {
        let Share { all, named, said, .. } = self.share;
        all >= LEAST && named >= LEAST_NAMED && said >= LEAST_SAID && wanted.is_in(&self.quote().text)
    }
}

/// The share of a question's terms, by weight, that a sentence accounts for.
#[derive(Clone, Copy, Debug)]
struct Share {
    all: f64,
    /// Of those that name something.
    named: f64,
    /// Of the others.
    said: f64,
    /// Whether each name is in the quotation, or in the headings above.
    names_all: bool,
}

impl Share {
    fn of(terms: &[Term], cut: &Cut<'_>, at: usize) -> Self {
        let (mut had, mut weights) = ([0.0; 2], [0.0; 2]);
        let mut names_all = terms.iter().any(|term| term.is_name);
        for term in terms {
            let (kind, credit) = (usize::from(term.is_name), cut.credit(at, term));
            had[kind] += term.weight * credit;
            weights[kind] += term.weight;
            names_all &= !term.is_name || credit >= BEHIND;
        }
        // A question without names asks for none.
        let share = |had: f64, of: f64| if of > 0.0 { had / of } else { 1.0 };
        let all = if terms.is_empty() { 0.0 } else { share(had[0] + had[1], weights[0] + weights[1]) };
        Self { all, named: share(had[1], weights[1]), said: share(had[0], weights[0]), names_all }
    }
}

#[cfg(test)]
mod tests {
    use super::{cut::MOST_WORDS, *};

    fn found(heading: &str, text: &str, score: f64) -> Found {
        let passage = Passage {
            document: "notes.md".into(),
            chunk: format!("notes.md#{heading}"),
            start: 100,
            end: 100 + text.len(),
            page: None,
            text: text.into(),
            score,
        };
        Found { heading: heading.into(), passage }
    }

    fn quotes(question: &str, found: &[Found]) -> Vec<String> {
        quote(question, found).into_iter().map(|quote| quote.text).collect()
    }

    #[test]
    fn the_sentence_with_most_of_the_question_leads() {
        let passages = [
            found("Hosting", "We host much. There are three environments in the cloud.\n\n- Staging\n", 0.5),
            found("Backups", "The cloud is backed up.", 0.6),
        ];
        let quoted = quotes("How many environments are in the cloud?", &passages);
        assert_eq!(quoted[0], "There are three environments in the cloud.");
        let place = &quote("How many environments are in the cloud?", &passages)[0];
        assert_eq!((place.start, place.end), (114, 156));
    }

    #[test]
    fn headings_and_what_follows_count_and_other_things_do_not() {
        let dated = [found("Union types", "- Start Date: 2015-12-29\n- Issue: 32836", 0.5)];
        assert_eq!(quotes("What is the start date of union types?", &dated).len(), 1);
        let other = [found("Other", "- Start Date: 2015-12-29", 0.5)];
        assert!(quotes("What is the start date of union types?", &other).is_empty());
        assert!(quotes("", &dated).is_empty() && quotes("How many?", &dated).is_empty());
        assert!(quotes("Who?", &[]).is_empty());
    }

    #[test]
    fn headings_links_and_rulers_are_not_quoted() {
        let passages =
            [found("", "# Rate limits\n\n[limits]: https://example.org/rate/limits\n\n| --- |\n", 0.5)];
        assert!(quotes("What are the rate limits?", &passages).is_empty());
    }

    #[test]
    fn a_quotation_is_of_bounded_length_and_stands_in_the_text() {
        let long = format!("Ledger über {}", "wörd ".repeat(200));
        let passages = [found("", &long, 0.5)];
        let quote = &quote("What is ledger über?", &passages)[0];
        assert_eq!(quote.text.split_whitespace().count(), MOST_WORDS);
        assert_eq!(&long[quote.start - 100..quote.end - 100], quote.text);
    }
}
