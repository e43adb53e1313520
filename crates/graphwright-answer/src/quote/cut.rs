//! A passage cut into sentences, and the quotations that begin at each of them.

use std::ops::{Range, RangeInclusive};

use graphwright_english::words;
use graphwright_retrieve::{Passage, field, sentences};

use super::{Found, stems::Stems, terms::Term};

/// The most words of a quotation.
pub(super) const MOST_WORDS: usize = 60;
/// What begins and ends a block of code.
const FENCE: &str = "```";
/// The most words of a sentence that says nothing without the line that introduces it.
const FRAGMENT: usize = 3;

/// A passage cut into sentences.
#[derive(Debug)]
pub(super) struct Cut<'a> {
    pub(super) found: &'a Found,
    /// Whether each line is a row of a table, and the first of the document their header.
    pub(super) of_rows: bool,
    sentences: Vec<Range<usize>>,
    /// The field of a record that each sentence is of: of front matter, or of a block or file of TOML, YAML or JSON.
    fields: Vec<Option<OfRecord>>,
    /// The words of each sentence.
    pub(super) words: Vec<Stems>,
    /// The words of the headings above and of the document's name.
    pub(super) above: Stems,
}

impl<'a> Cut<'a> {
    pub(super) fn new(found: &'a Found) -> Self {
        let text = &found.passage.text;
        let of_rows = is_of_rows(&found.passage.document);
        let sentences = if of_rows { lines(text) } else { sentences(text) };
        let words = sentences.iter().map(|sentence| Stems::of(&text[sentence.clone()])).collect();
        let above = Stems::of(&format!("{} {}", found.heading, found.passage.document));
        let fields = if of_rows { vec![None; sentences.len()] } else { fields(text, &sentences) };
        Self { found, of_rows, sentences, fields, words, above }
    }

    /// The sentences that say something: no headings, questions without an answer, targets of links, rulers, objects of JSON,
    /// marks of templates or signs around code, and no items of a field.
    pub(super) fn quotable(&self) -> impl Iterator<Item = usize> {
        (0..self.sentences.len()).filter(|&at| {
            let text = self.sentence(at);
            let is_target = text.starts_with('[') && text.contains("]: ");
            let is_item = is_item(text) && self.fields[at].is_some();
            let is_sign = text.starts_with(['#', '{']) || text.starts_with(FENCE);
            let is_header = self.of_rows && at == 0 && self.found.passage.start == 0;
            let has_more = || self.last(self.first(at), at) > at;
            let has_list = self.is_field(at) && has_more();
            let says = self.words[at].words.len() > 1 || self.first(at) < at || has_list;
            // Of frequent questions the answers are quoted.
            let asks = text.ends_with('?') && !has_more();
            says && !is_sign && !is_target && !is_item && !is_header && !asks
        })
    }

    /// Tells whether a quotation has all terms but the word for what is asked. A row of values does not say what its columns
    /// are: what is not there may be something else.
    pub(super) fn says_all(&self, quotation: &Quotation<'_>, terms: &[Term], asked: Option<&str>) -> bool {
        let is_asked = |term: &Term| term.stems.iter().any(|stem| Some(stem.as_str()) == asked);
        let says = |term: &Term| {
            is_asked(term) || self.words[quotation.said.clone()].iter().any(|words| term.said_by(words) > 0.0)
        };
        terms.iter().all(says)
    }

    fn sentence(&self, at: usize) -> &str {
        &self.found.passage.text[self.sentences[at].clone()]
    }

    /// Returns the first sentence that is quoted with one: the heading or the announcement before a few words (`Status`
    /// before `Accepted`), else the sentence itself.
    fn first(&self, at: usize) -> usize {
        let is_fragment = (1..=FRAGMENT).contains(&self.words[at].words.len());
        let introduces = |before: &usize| {
            let line = self.sentence(*before);
            line.starts_with('#') || line.ends_with(':')
        };
        at.checked_sub(1).filter(|before| is_fragment && introduces(before)).unwrap_or(at)
    }

    /// Returns the last sentence that is quoted with one: of the same paragraph, of the list that it announces, or of the answer to
    /// the question that it is, as far as there is room.
    fn last(&self, begin: usize, at: usize) -> usize {
        if self.of_rows {
            return at;
        }
        let text = &self.found.passage.text;
        let start = self.sentences[begin].start;
        let fits = |&next: &usize| {
            let follows = if self.is_field(at) {
                self.fields[next].is_some_and(|of| of.field == at)
            } else {
                self.breaks_before(next) < 2 || self.sentence(next - 1).ends_with([':', '?'])
            };
            follows
                && !self.sentence(next).starts_with('#')
                && text[start..self.sentences[next].end].split_whitespace().count() <= MOST_WORDS
        };
        (at + 1..self.sentences.len()).take_while(fits).last().unwrap_or(at)
    }

    /// The number of line breaks before a sentence.
    fn breaks_before(&self, at: usize) -> usize {
        breaks_before(&self.found.passage.text, &self.sentences, at)
    }

    /// Whether a sentence is, or begins, a field of a record.
    fn is_field(&self, at: usize) -> bool {
        self.fields[at].is_some_and(|of| of.field == at)
    }

    /// The quotations that begin at sentences which say something, and those of records up to one of their fields.
    pub(super) fn quotations(&self) -> impl Iterator<Item = Quotation<'_>> {
        self.quotable()
            .flat_map(|at| std::iter::once(self.quotation(self.first(at), at)).chain(self.record_up_to(at)))
    }

    /// A record from its first field to this one, if there is room.
    fn record_up_to(&self, at: usize) -> Option<Quotation<'_>> {
        let first = self.fields[at].filter(|of| of.field == at && of.record < at)?.record;
        let text = &self.found.passage.text[self.sentences[first].start..self.sentences[at].end];
        (text.split_whitespace().count() <= MOST_WORDS).then(|| self.quotation(first, at))
    }

    fn quotation(&self, first: usize, at: usize) -> Quotation<'_> {
        let last = self.last(first, at);
        let record = self.is_field(at).then_some(if first < at { Record::UpToField } else { Record::Field });
        let (start, end) = (self.sentences[first].start, self.sentences[last].end);
        let text = &self.found.passage.text;
        Quotation {
            sentence: &text
                [if record.is_some() { self.sentences[at].start } else { start }..self.sentences[at].end],
            text: first_words(&text[start..end], MOST_WORDS),
            record,
            said: first..=at,
            shown: first..=last,
        }
    }

    /// Where to begin a quotation up to some end: `It has two gates` says little without the sentence before, if there is room for that.
    fn begin(&self, first: usize, end: usize) -> usize {
        let is_before = |at: usize| {
            let before = at.checked_sub(1).filter(|_| self.points_back(at) && self.breaks_before(at) < 2)?;
            let text = &self.found.passage.text[self.sentences[before].start..end];
            let is_sentence = !self.sentence(before).starts_with(['#', '|']) && self.fields[before].is_none();
            (is_sentence && text.split_whitespace().count() <= MOST_WORDS).then_some(before)
        };
        std::iter::successors(Some(first), |first| is_before(*first)).last().unwrap_or(first)
    }

    /// Tells whether a sentence begins with a word that points to what was said before: `it`, `this`, `therefore`.
    fn points_back(&self, at: usize) -> bool {
        let begins = self.sentence(at).starts_with(char::is_alphabetic);
        begins && self.words[at].words.first().is_some_and(|word| words::is_pointing_back(word))
    }

    /// The passage of a quotation, with what stands before it as far as it points back to that. What stands behind it makes room
    /// where it says nothing of the question.
    pub(super) fn passage(&self, quotation: &Quotation<'_>, says_more: bool, score: f64) -> Passage {
        let passage = &self.found.passage;
        let (first, at) = (*quotation.said.start(), *quotation.said.end());
        let start = self.sentences[first].start;
        let mut end = start + quotation.text.len();
        let mut begin = self.begin(first, end);
        if begin == first && !says_more {
            begin = self.begin(first, self.sentences[at].end);
            end = if begin < first { self.sentences[self.last(begin, at)].end } else { end };
        }
        let start = self.sentences[begin].start;
        Passage {
            start: passage.start + start,
            end: passage.start + end,
            text: passage.text[start..end].to_owned(),
            score: (score * 1000.0).round() / 1000.0,
            ..passage.clone()
        }
    }
}

/// Tells whether a document holds rows of values, one on each line.
fn is_of_rows(document: &str) -> bool {
    let ending = document.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    ending.is_some_and(|ending| matches!(ending.as_str(), "csv" | "tsv" | "xlsx"))
}

/// The lines of a text that are not empty.
fn lines(text: &str) -> Vec<Range<usize>> {
    let mut start = 0;
    let ranges = text.split_inclusive('\n').map(|line| {
        let range = start..start + line.trim_end().len();
        start += line.len();
        range
    });
    ranges.filter(|range| !range.is_empty()).collect()
}

/// What of a record a quotation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Record {
    Field,
    /// All from the first field to one that tells which record it is.
    UpToField,
}

/// A field of a record, by its sentence, and the record, by its first field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct OfRecord {
    field: usize,
    record: usize,
}

/// A sentence with what is quoted with it.
#[derive(Debug)]
pub(super) struct Quotation<'a> {
    /// The sentence, with what introduces it.
    pub(super) sentence: &'a str,
    /// All that is quoted, up to [`MOST_WORDS`].
    pub(super) text: &'a str,
    /// What of a record it is, if it is of one.
    pub(super) record: Option<Record>,
    /// The sentence, with what introduces it, by the numbers of sentences.
    pub(super) said: RangeInclusive<usize>,
    /// All that is quoted, too.
    pub(super) shown: RangeInclusive<usize>,
}

impl Quotation<'_> {
    /// The name and the value of a field such as `- Status: Accepted`, if the sentence is one.
    pub(super) fn field(&self) -> Option<(&str, &str)> {
        let line = self.sentence.trim_start_matches(|sign: char| !sign.is_alphanumeric());
        let is_name = |name: &str| !name.contains(['(', '/', '\n']);
        field(line).filter(|(name, _)| is_name(name) && !self.sentence.contains(". "))
    }

    /// Tells whether it has items of a list.
    pub(super) fn is_list(&self) -> bool {
        let is_item = |line: &&str| {
            let line = line.trim_start();
            let number = line.trim_start_matches(|sign: char| sign.is_ascii_digit());
            line.starts_with(['-', '*', '+', '|'])
                || (number.len() < line.len() && number.starts_with(['.', ')']))
        };
        self.text.lines().filter(is_item).count() > 1
    }
}

/// The field of a record that each sentence is of. Records have several fields, on lines that follow one another; what goes
/// on in a line, or is a list below it, is of its field.
fn fields(text: &str, sentences: &[Range<usize>]) -> Vec<Option<OfRecord>> {
    let mut found: Vec<Option<OfRecord>> = Vec::new();
    let mut last: Option<OfRecord> = None;
    for (at, sentence) in sentences.iter().enumerate() {
        let line = &text[sentence.clone()];
        let breaks = breaks_before(text, sentences, at);
        let goes_on = at > 0 && breaks == 0 || is_item(line);
        let is_sign = line.starts_with(['[', ']']);
        if breaks > 1 || !(goes_on || is_sign || is_field(line)) {
            last = None;
        }
        if !goes_on && is_field(line) {
            last = Some(OfRecord { field: at, record: last.map_or(at, |last| last.record) });
        }
        found.push(last.filter(|_| !is_sign));
    }
    let is_alone = |of: &OfRecord| {
        !found.iter().flatten().any(|other| other.record == of.record && other.field != of.field)
    };
    found.iter().map(|of| of.filter(|of| !is_alone(of))).collect()
}

/// Tells whether a line is an item of a list, and no ruler.
fn is_item(line: &str) -> bool {
    line.starts_with("- ")
}

fn is_field(line: &str) -> bool {
    line.starts_with(|sign: char| sign == '"' || sign.is_alphabetic()) && field(line).is_some()
}

/// The number of line breaks before a sentence.
fn breaks_before(text: &str, sentences: &[Range<usize>], at: usize) -> usize {
    let before = at.checked_sub(1).map_or(0, |before| sentences[before].end);
    text[before..sentences[at].start].matches('\n').count()
}

/// Cuts a text behind its first words.
fn first_words(text: &str, most: usize) -> &str {
    let starts = text.char_indices().filter(|&(at, letter)| {
        !letter.is_whitespace() && text[..at].chars().next_back().is_none_or(char::is_whitespace)
    });
    let end = starts.map(|(at, _)| at).nth(most);
    text[..end.unwrap_or(text.len())].trim_end()
}
