//! What the documents say: the sentences of found passages that answer a question.
//!
//! Each sentence is rated by what tells that it answers the question (`clues`): the words that it shares with it, likeness in
//! meaning, the kind of thing that is asked for, the place of its passage. The best is quoted, if it is as likely to
//! answer as not; docs/answers.md has the figures.

mod clues;
mod cut;
mod reading;
mod stems;
mod terms;
mod vectors;
mod wanted;

use graphwright_retrieve::Passage;

pub(crate) use self::vectors::dot;

use self::{
    clues::{Asked, Clues, Place},
    cut::{Cut, Quotation},
    reading::InPassage,
    vectors::Likeness,
    wanted::Wanted,
};

/// The most quotations of an answer.
const MOST_QUOTES: usize = 3;

/// How many of the sentences that are rated best without likeness are compared with the question in meaning.
const MOST_COMPARED: usize = 32;
/// The greatest margin of the first passage that tells something.
const MOST_MARGIN: f64 = 0.2;
/// The margin of a passage that is alone: that of first passages on average.
const MEAN_MARGIN: f64 = 0.07;
/// The rating from which a quotation is to the point.
const LEAST: f64 = 0.0;
/// That of further quotations.
const LEAST_FURTHER: f64 = -2.0;

/// A passage that a search found.
#[derive(Debug)]
pub(crate) struct Found {
    /// The document's title and the headings above the passage.
    pub(crate) heading: String,
    pub(crate) passage: Passage,
}

/// Chooses quotations, best first; none where nothing is to the point.
pub(crate) fn quote(question: &str, found: &[Found]) -> Vec<Passage> {
    choose(question, found, |candidate| candidate.rating() >= LEAST)
}

/// Tells whether a question is for several things: `which pages …`.
pub(crate) fn asks_for_several(question: &str) -> bool {
    Wanted::read(question).several
}

/// Chooses quotations that tell of all that the question names, together.
pub(crate) fn quote_connection(question: &str, found: &[Found]) -> Vec<Passage> {
    choose(question, found, |candidate| candidate.names_all)
}

fn choose(question: &str, found: &[Found], to_the_point: impl Fn(&Candidate<'_>) -> bool) -> Vec<Passage> {
    let cuts: Vec<Cut<'_>> = found.iter().map(Cut::new).collect();
    let asked = Asked::read(question, &cuts);
    if asked.terms.is_empty() {
        return Vec::new();
    }
    let rated = rate(&asked, &cuts);
    let Some(first) = rated.iter().position(to_the_point) else {
        return Vec::new();
    };
    let further = rated[first + 1..].iter().filter(|candidate| candidate.rating() >= LEAST_FURTHER);
    let mut quotes: Vec<Passage> = Vec::new();
    for candidate in rated[first..=first].iter().chain(further) {
        let quote = candidate.passage();
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

/// Finds the sentences that say something, the best first.
fn rate<'a>(asked: &Asked, cuts: &'a [Cut<'a>]) -> Vec<Candidate<'a>> {
    let mut candidates = candidates(asked, cuts);
    sort(&mut candidates);
    candidates.truncate(MOST_COMPARED);
    for candidate in &mut candidates {
        candidate.compare(asked);
    }
    sort(&mut candidates);
    candidates
}

fn sort(candidates: &mut [Candidate<'_>]) {
    candidates.sort_by(|left, right| right.rating().total_cmp(&left.rating()));
}

/// The quotations that may answer, with all clues but likeness in meaning.
fn candidates<'a>(asked: &Asked, cuts: &'a [Cut<'a>]) -> Vec<Candidate<'a>> {
    let mut likeness = Likeness::new(&asked.terms);
    let margin = match cuts {
        [first, second, ..] => {
            1.0 - second.found.passage.score / first.found.passage.score.max(f64::MIN_POSITIVE)
        }
        _ => MEAN_MARGIN,
    };
    let mut candidates = Vec::new();
    for (at, cut) in cuts.iter().enumerate() {
        let passage = InPassage::read(&asked.terms, &asked.pairs, &mut likeness, cut);
        let place = Place {
            rank: 1.0 / (1.0 + at as f64),
            margin: if at == 0 { margin.clamp(0.0, MOST_MARGIN) } else { 0.0 },
        };
        let may_answer = |quotation: &Quotation<'_>| {
            !asked.is_beside(quotation)
                && (!cut.of_rows || cut.says_all(quotation, &asked.terms, asked.noun()))
        };
        candidates.extend(cut.quotations().filter(may_answer).map(|quotation| {
            let shares = passage.shares(&asked.terms, &quotation);
            let names_all = passage.names_all(&asked.terms, &quotation);
            Candidate { clues: asked.clues(&shares, &quotation, place), names_all, cut, quotation }
        }));
    }
    let most_said = candidates.iter().map(|candidate| candidate.clues.said()).fold(0.0, f64::max);
    for candidate in &mut candidates {
        candidate.clues.compare_said(most_said);
    }
    candidates
}

/// A quotation that may be made.
struct Candidate<'a> {
    clues: Clues,
    /// Whether it says all that the question names.
    names_all: bool,
    cut: &'a Cut<'a>,
    quotation: Quotation<'a>,
}

impl Candidate<'_> {
    /// The logarithm of the odds that it answers.
    fn rating(&self) -> f64 {
        self.clues.rating()
    }

    /// Compares it with the question in meaning.
    fn compare(&mut self, asked: &Asked) {
        let with_headings = format!("{} {}", self.cut.found.heading, self.quotation.sentence);
        self.clues.set_likeness(asked.alike(self.quotation.text), asked.alike(&with_headings));
    }

    fn passage(&self) -> Passage {
        let probability = 1.0 / (1.0 + (-self.rating()).exp());
        self.cut.passage(&self.quotation, self.clues.says_more(), probability)
    }
}

/// A quotation that may be made for a question, and what tells whether it answers.
#[derive(Clone, Debug)]
pub struct RatedQuotation {
    /// What is quoted. Its score is the probability that it answers.
    pub quote: Passage,
    /// The clues, whose weights `tools/quotes` fits.
    pub clues: Vec<f64>,
}

/// All quotations that may be made, each with all of its clues.
pub(crate) fn rated(question: &str, found: &[Found]) -> Vec<RatedQuotation> {
    let cuts: Vec<Cut<'_>> = found.iter().map(Cut::new).collect();
    let asked = Asked::read(question, &cuts);
    let mut candidates = candidates(&asked, &cuts);
    for candidate in &mut candidates {
        candidate.compare(&asked);
    }
    sort(&mut candidates);
    let rated = |candidate: &Candidate<'_>| RatedQuotation {
        quote: candidate.passage(),
        clues: candidate.clues.to_vec(),
    };
    candidates.iter().map(rated).collect()
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
    fn a_sentence_that_points_back_comes_with_the_one_before() {
        let text =
            "Crowl is a hamlet above the bay. It is also where the first mill was built. The mill burned.";
        let built = &quote("Where was the first mill built?", &[found("Places", text, 0.8)])[0];
        assert_eq!(built.text, text);
        assert_eq!((built.start, built.end), (100, 100 + text.len()));
        let apart = text.replace("bay. It", "bay.\n\nIt");
        assert!(
            quotes("Where was the first mill built?", &[found("Places", &apart, 0.8)])[0]
                .starts_with("It is")
        );
    }

    #[test]
    fn a_question_is_quoted_with_its_answer() {
        let faq = "Can I sell discs with it?\n\nGo ahead, nobody needs a permission for that.\n\nCan I change it?\n";
        let quoted = quotes("May I sell discs with it?", &[found("Frequent questions", faq, 0.8)]);
        assert_eq!(quoted[0], "Can I sell discs with it?\n\nGo ahead, nobody needs a permission for that.");
        assert!(quotes("Can I change it?", &[found("", "Can I change it?\n", 0.8)]).is_empty());
    }

    #[test]
    fn what_says_nothing_of_the_question_makes_room_for_what_is_pointed_back_to() {
        let behind = "Nobody knows who made it in those days, and there is no paper, no letter and no bill that would tell. "
            .repeat(2);
        let text = format!("Below the bay stands Crowl. It is the oldest mill of the county. {behind}");
        let quoted = quotes("Which is the oldest mill of the county?", &[found("Places", &text, 0.8)]);
        assert!(quoted[0].starts_with("Below the bay stands Crowl. It is the oldest mill"), "{quoted:?}");
    }

    #[test]
    fn headings_links_and_rulers_are_not_quoted() {
        let passages =
            [found("", "# Rate limits\n\n[limits]: https://example.org/rate/limits\n\n| --- |\n", 0.5)];
        assert!(quotes("What are the rate limits?", &passages).is_empty());
        let objects = "{\"name\": \"rate\", \"limits\": \"12\"},\n{% for limit in rates %}\n";
        assert!(quotes("What are the rate limits?", &[found("Rate limits", objects, 0.5)]).is_empty());
    }

    #[test]
    fn a_word_is_quoted_with_the_heading_above_it() {
        let record = "# Serverless functions\n\nDate: 2022-09-22\n\n## Status\n\nRejected\n";
        let quoted = quotes(
            "What is the status of serverless functions?",
            &[found("Serverless functions", record, 0.7)],
        );
        assert_eq!(quoted[0], "## Status\n\nRejected");
    }

    #[test]
    fn of_a_record_the_field_that_answers_is_quoted() {
        let toml =
            "```toml\n[gate]\nid = \"G-7\"\nowner = \"Harbour Office\"\nmended = [\n  \"1.2\",\n]\n```\n";
        let yaml = "id: G-7\nowner: Harbour Office\nmended:\n- 1.2\n- 1.4\n---\n";
        let quotes = |question: &str, text: &str| quotes(question, &[found("The north gate", text, 0.7)]);
        let owner = "Who is the owner of the north gate?";
        assert_eq!(quotes(owner, toml)[0], "owner = \"Harbour Office\"");
        assert_eq!(quotes(owner, yaml)[0], "owner: Harbour Office");
        let mended = "When was the north gate mended?";
        assert_eq!(quotes(mended, toml)[0], "mended = [\n  \"1.2\",\n]");
        assert_eq!(quotes(mended, yaml)[0], "mended:\n- 1.2\n- 1.4");
        assert!(quotes("Who painted the north gate?", toml).is_empty());
        let json =
            "{\n\"name\": \"sail\",\n\"kind\": \"cloth\"\n},\n{\n\"name\": \"oar\",\n\"kind\": \"wood\"\n}\n";
        assert!(quotes("How many kinds of sail are there?", json).is_empty());
    }

    #[test]
    fn words_of_the_same_root_and_of_like_meaning_count() {
        let text = "Each host runs a job for the synchronisation of its clock every 15 minutes. Logs are kept elsewhere.";
        let passages = [found("System tools", text, 0.6), found("Network", "Hosts are in one network.", 0.4)];
        let quoted = quotes("How often do the hosts synchronize their clocks?", &passages);
        assert!(quoted[0].starts_with("Each host runs a job"), "{quoted:?}");
    }

    #[test]
    fn a_quotation_is_of_bounded_length_and_stands_in_the_text() {
        let long = "Ledger über ".repeat(100);
        let passages = [found("", &long, 0.5)];
        let quote = &quote("What is ledger über?", &passages)[0];
        assert_eq!(quote.text.split_whitespace().count(), MOST_WORDS);
        assert_eq!(&long[quote.start - 100..quote.end - 100], quote.text);
    }
}
