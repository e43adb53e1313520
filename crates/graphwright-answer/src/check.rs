//! The check of what a model writes: each statement against the evidence that it cites.
//!
//! A text in Markdown is read as statements (`statements`), each with the citations in it or around it (`citations`). What a
//! statement says must stand in what it cites: its names (`names`), its numbers and dates (`quantities`), and how it relates the
//! things that it names (`claims`, `relations`).

mod blocks;
mod citations;
mod claims;
mod graph;
mod judge;
mod names;
mod passages;
mod piece;
mod quantities;
mod refusal;
mod relations;
mod repair;
mod sentence;
mod statements;
mod talk;
#[cfg(test)]
mod tests;

use std::{fmt, ops::Range, sync::Arc};

use graphwright_english::questions::{Token, phrase_key, tokenize};
use graphwright_llm::ChatModel;

pub use self::{blocks::CheckedBlocks, judge::Judged, talk::is_small_talk};
use self::{
    graph::Graph,
    names::Vocabulary,
    piece::Piece,
    quantities::Quantities,
    refusal::{is_refusal, is_talk},
    sentence::{EvidenceName, Sentence},
    statements::{Place, Statement},
};
use crate::{AnswerPath, Answerer};

/// The mark behind a statement that the evidence does not bear out.
pub const UNVERIFIED: &str = "[unverified]";

/// A piece of evidence that a text may cite by its number.
#[derive(Clone, Debug, Default)]
pub struct Citable {
    /// The text as the model saw it.
    pub text: String,
    /// The facts that it tells, if it was made from a graph.
    pub paths: Vec<AnswerPath>,
    /// Whether it reports that a tool failed. It bears out nothing.
    pub failed: bool,
}

impl From<&str> for Citable {
    /// Evidence that is text alone, such as a passage of a document.
    fn from(text: &str) -> Self {
        Self { text: text.to_owned(), ..Self::default() }
    }
}

/// Why a statement is not borne out.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Fault {
    /// It cites nothing.
    Uncited,
    /// It cites only numbers of which there is no evidence.
    NoSuchEvidence {
        /// The numbers.
        numbers: Vec<usize>,
    },
    /// It cites only calls that failed.
    FailedCall,
    /// Names, numbers or dates do not stand in what it cites.
    Missing {
        /// The names, numbers and dates as the statement has them.
        what: Vec<String>,
    },
    /// It denies what the evidence says.
    Denied {
        /// What the evidence says.
        fact: String,
    },
    /// It says the other way round what the evidence says.
    Reversed {
        /// What the evidence says.
        fact: String,
    },
    /// The evidence relates the things in another way.
    OtherRelation {
        /// What the evidence says.
        fact: String,
    },
    /// The evidence tells of the things, and does not relate them so.
    NotConnected,
    /// A judge finds that the evidence does not support all of it.
    Unsupported {
        /// What the judge finds missing, in its words. May be empty.
        missing: String,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Uncited => formatter.write_str("it cites no evidence"),
            Self::NoSuchEvidence { numbers } => {
                let numbers: Vec<String> = numbers.iter().map(|number| format!("[{number}]")).collect();
                write!(formatter, "there is no evidence {}", numbers.join(", "))
            }
            Self::FailedCall => formatter.write_str("the call that it cites failed"),
            Self::Missing { what } => {
                write!(formatter, "the cited evidence does not have {}", what.join(", "))
            }
            Self::Denied { fact } => write!(formatter, "it denies what the evidence says: {fact}"),
            Self::Reversed { fact } => write!(formatter, "the evidence says it the other way round: {fact}"),
            Self::OtherRelation { fact } => write!(formatter, "the evidence says something else: {fact}"),
            Self::NotConnected => formatter.write_str("the cited evidence does not connect these so"),
            Self::Unsupported { missing } => {
                formatter.write_str("a judge finds that the evidence does not support it")?;
                if missing.is_empty() { Ok(()) } else { write!(formatter, ": {missing}") }
            }
        }
    }
}

/// A statement of a text.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckedStatement {
    /// Where it stands in the text, in bytes, with its citations.
    pub range: Range<usize>,
    /// What it says, without citations and layout.
    pub words: String,
    /// The evidence that it cites, numbered from 1.
    pub cited: Vec<usize>,
    /// Whether it states something. Headings, leads and talk do not.
    pub claims: bool,
    /// Why it is not borne out, if it is not.
    pub fault: Option<Fault>,
}

/// A text of a model, statement by statement.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CheckedText {
    /// The text as it was written.
    pub text: String,
    /// Its statements in order.
    pub statements: Vec<CheckedStatement>,
    /// Whether it says that the question cannot be answered, and states nothing.
    pub is_refusal: bool,
}

impl CheckedText {
    /// Tells whether a statement is borne out.
    pub fn has_support(&self) -> bool {
        self.borne_out().next().is_some()
    }

    fn borne_out(&self) -> impl Iterator<Item = &CheckedStatement> {
        self.statements.iter().filter(|statement| statement.claims && statement.fault.is_none())
    }

    /// Returns the statements that are not borne out, each with the reason.
    pub fn faults(&self) -> impl Iterator<Item = (&str, &Fault)> {
        let statements = self.statements.iter();
        statements
            .filter_map(|statement| Some((&self.text[statement.range.clone()], statement.fault.as_ref()?)))
    }

    /// Returns the numbers of the evidence that bears something out, in order.
    pub fn cited(&self) -> Vec<usize> {
        let mut cited: Vec<usize> =
            self.borne_out().flat_map(|statement| statement.cited.iter().copied()).collect();
        cited.sort_unstable();
        cited.dedup();
        cited
    }

    /// Returns the words of the statements that are borne out, without citations and layout.
    pub fn supported_words(&self) -> String {
        self.borne_out().map(|statement| statement.words.as_str()).collect::<Vec<_>>().join(" ")
    }

    /// Returns the text with [`UNVERIFIED`] behind each statement that is not borne out.
    pub fn marked(&self) -> String {
        let mut text = self.text.clone();
        for statement in self.statements.iter().rev().filter(|statement| statement.fault.is_some()) {
            let end = statement.range.end;
            if !text[end..].trim_start().starts_with(UNVERIFIED) {
                text.insert_str(end, &format!(" {UNVERIFIED}"));
            }
        }
        text.trim().to_owned()
    }

    /// Returns the text without the statements that are not borne out.
    pub fn supported(&self) -> String {
        let mut text = self.text.clone();
        for statement in self.statements.iter().rev().filter(|statement| statement.fault.is_some()) {
            remove(&mut text, statement.range.clone());
        }
        text.trim().to_owned()
    }
}

/// Takes a range out of a text. Of a line that holds nothing else, the marks of its layout go as well.
fn remove(text: &mut String, range: Range<usize>) {
    let line_start = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
    let line_end = text[range.end..].find('\n').map_or(text.len(), |at| range.end + at + 1);
    let mut around = text[line_start..range.start].chars().chain(text[range.end..line_end].chars());
    let alone = around.all(|letter| !letter.is_alphabetic());
    let before = text[..range.start].trim_end_matches(' ').len();
    let behind = text.len() - text[range.end..].trim_start_matches(' ').len();
    let (from, to) = match alone {
        true => (line_start, line_end),
        // One of the spaces around goes as well.
        false if before > line_start => (before, range.end),
        false => (range.start, behind),
    };
    text.replace_range(from..to, "");
    // Nor are two empty lines left in place of a paragraph.
    if alone && text[..from].ends_with("\n\n") && text[from..].starts_with('\n') {
        text.remove(from);
    }
}

/// Checks texts against numbered evidence.
///
/// ```
/// use graphwright_answer::{AnswerCheck, Citable};
///
/// let evidence = vec![Citable::from("Ada -OWNS-> ledger")];
/// let check = AnswerCheck::new("Who owns ledger?", evidence);
/// let checked = check.check("Ada owns ledger [1]. Bob owns it too [1].");
/// assert_eq!(checked.marked(), "Ada owns ledger [1]. Bob owns it too [1]. [unverified]");
/// assert_eq!(checked.supported(), "Ada owns ledger [1].");
/// ```
#[derive(Debug)]
pub struct AnswerCheck<'a> {
    asked: String,
    question: Vec<Token>,
    quantities: Quantities,
    pieces: Vec<Piece>,
    names: Vec<EvidenceName>,
    graph: Option<Graph<'a>>,
    judge: Option<Arc<dyn ChatModel>>,
}

impl Answerer {
    /// Returns a check of answers to a question that knows the names and relationships of the graph, with the answerer's judge.
    pub fn check(&self, question: &str, evidence: Vec<Citable>) -> AnswerCheck<'_> {
        let graph = Graph::new(&self.interpreter, &self.topology);
        AnswerCheck { graph: Some(graph), judge: self.judge.clone(), ..AnswerCheck::new(question, evidence) }
    }
}

impl AnswerCheck<'_> {
    /// Creates a check that knows only the evidence: names are told by their capitals, and relations are not compared.
    pub fn new(question: &str, evidence: Vec<Citable>) -> Self {
        let pieces: Vec<Piece> = evidence.into_iter().map(Piece::new).collect();
        let mut names: Vec<EvidenceName> = Vec::new();
        for name in pieces.iter().flat_map(|piece| &piece.named) {
            if !names.iter().any(|known| known.id == name.id && known.key == name.key) {
                names.push(name.clone());
            }
        }
        let (asked, quantities) = (question.to_owned(), Quantities::read(question));
        Self { asked, question: tokenize(question), quantities, pieces, names, graph: None, judge: None }
    }

    /// Sets a model that judges what the check bears out, where [`judge`](Self::judge) is called.
    #[must_use]
    pub fn with_judge(self, model: Arc<dyn ChatModel>) -> Self {
        Self { judge: Some(model), ..self }
    }

    /// Tells whether a text counts only after a judge has seen it as a whole.
    fn has_judge(&self) -> bool {
        self.judge.is_some()
    }

    /// Checks a text.
    pub fn check(&self, text: &str) -> CheckedText {
        let names = |text: &str| {
            let mentions = sentence::mentions(text, &self.names, self.graph);
            mentions.into_iter().map(|mention| mention.range).collect()
        };
        let read = statements::read(text, self.pieces.len(), &names);
        let mut statements = Vec::with_capacity(read.len());
        let mut refuses = false;
        for (at, statement) in read.iter().enumerate() {
            let cited = self.known(&statement.cited);
            let own_citation = !cited.is_empty();
            let refusal =
                is_refusal(&statement.words) && !(own_citation && self.names_something(&statement.words));
            refuses |= refusal;
            let claims = !refusal && self.states_something(statement, !cited.is_empty());
            let fault = if claims { self.fault(statement, &read[at + 1..], &cited) } else { None };
            let (range, words) = (statement.range.clone(), statement.words.clone());
            statements.push(CheckedStatement { range, words, cited, claims, fault });
        }
        let stated = statements.iter().any(|statement| statement.claims && statement.fault.is_none());
        CheckedText { text: text.to_owned(), statements, is_refusal: refuses && !stated }
    }

    fn known(&self, numbers: &[usize]) -> Vec<usize> {
        numbers.iter().copied().filter(|number| (1..=self.pieces.len()).contains(number)).collect()
    }

    fn states_something(&self, statement: &Statement, cites: bool) -> bool {
        let words = &statement.words;
        let has_words = words.chars().any(char::is_alphabetic);
        let names = statement.place == Place::Title || statement.place == Place::Code;
        if names || statement.only_cites || !has_words || words.trim_end().ends_with('?') {
            return false;
        }
        cites || !(statement.is_lead() || is_talk(words) && !self.names_something(words))
    }

    /// Tells whether a text has a name of the graph or of the evidence, or a number.
    fn names_something(&self, text: &str) -> bool {
        let quantities = Quantities::read(text);
        let numbers = quantities.amounts.iter().any(|amount| !amount.is_trivial(text));
        let tokens = tokenize(text);
        let known = tokens.iter().any(|token| {
            let span = std::slice::from_ref(token);
            let key = phrase_key(span);
            self.names.iter().any(|name| name.key == key)
                || self.graph.is_some_and(|graph| !graph.named(span).is_empty() && token.is_capital())
        });
        numbers || known
    }

    fn fault(&self, statement: &Statement, after: &[Statement], cited: &[usize]) -> Option<Fault> {
        if cited.is_empty() {
            let numbers = statement.cited.clone();
            return Some(if numbers.is_empty() { Fault::Uncited } else { Fault::NoSuchEvidence { numbers } });
        }
        let pieces: Vec<&Piece> = cited
            .iter()
            .filter_map(|number| self.pieces.get(number - 1))
            .filter(|piece| !piece.failed)
            .collect();
        if pieces.is_empty() {
            return Some(Fault::FailedCall);
        }
        let sentences = Sentence::read_all(&statement.words, &self.names, self.graph);
        let mut vocabulary = Vocabulary::default();
        vocabulary.add(&self.question);
        for piece in &pieces {
            vocabulary.add(&piece.tokens);
        }
        let mut what: Vec<String> = Vec::new();
        for sentence in &sentences {
            what.extend(names::missing(sentence, &pieces, &vocabulary, self.graph));
        }
        what.extend(self.missing_quantities(statement, after, &sentences, &pieces));
        if !what.is_empty() {
            what.dedup();
            return Some(Fault::Missing { what });
        }
        let graph = self.graph?;
        sentences.iter().find_map(|sentence| relations::fault(sentence, &pieces, &self.names, graph))
    }

    fn missing_quantities(
        &self,
        statement: &Statement,
        after: &[Statement],
        sentences: &[Sentence],
        pieces: &[&Piece],
    ) -> Vec<String> {
        let text = &statement.words;
        let claimed = Quantities::read(text);
        let mut known: Vec<&Quantities> = pieces.iter().map(|piece| &piece.quantities).collect();
        known.push(&self.quantities);
        let named = |range: &Range<usize>| {
            let mut mentions = sentences.iter().flat_map(|sentence| &sentence.mentions);
            mentions.any(|mention| mention.range.contains(&range.start))
        };
        let counts = counts(after, sentences, pieces);
        let dates = claimed.dates.iter().filter(|date| !named(&date.range));
        let absent_dates = dates.filter(|date| {
            let as_number = claimed.amounts.iter().filter(|amount| amount.range == date.range);
            !known.iter().any(|known| known.have_date(date))
                && !as_number.into_iter().any(|amount| known.iter().any(|known| known.have_amount(amount)))
        });
        let absent: Vec<Range<usize>> = absent_dates.map(|date| date.range.clone()).collect();
        let amounts = claimed.amounts.iter().filter(|amount| {
            let is_date = claimed.dates.iter().any(|date| date.range.contains(&amount.range.start));
            let counted = amount.counts && amount.is_any_of(&counts);
            !is_date
                && !named(&amount.range)
                && !counted
                && !amount.is_trivial(text)
                && !known.iter().any(|known| known.have_amount(amount))
        });
        let ranges = absent.into_iter().chain(amounts.map(|amount| amount.range.clone()));
        ranges.map(|range| text[range].to_owned()).collect()
    }
}

/// Numbers that a statement may count: what it names, the items behind it, the evidence, what that tells of.
fn counts(after: &[Statement], sentences: &[Sentence], pieces: &[&Piece]) -> Vec<usize> {
    let named = sentences.iter().map(|sentence| sentence.mentions.len()).sum::<usize>();
    let listed = after.iter().take_while(|other| matches!(other.place, Place::Item | Place::Row)).count();
    let facts = pieces.iter().map(|piece| piece.facts.len()).sum::<usize>();
    let things = pieces.iter().map(|piece| piece.named.len()).sum::<usize>();
    let lines = pieces.iter().map(|piece| piece.text.lines().count()).sum::<usize>();
    let beside = [named, things].map(|count| count.saturating_sub(1));
    [named, listed, facts, things, lines, pieces.len()].into_iter().chain(beside).collect()
}
