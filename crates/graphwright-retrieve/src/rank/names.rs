//! Finds names in plain texts, without a model.
//!
//! A name is a run of words with capitals (`Journal of Mathematical Physics`), or what heads a passage, wherever it is
//! written. Names are compared by their words in lower case ([`key`]).

use std::collections::{BTreeSet, HashMap, HashSet};

use graphwright_english::{
    dates,
    names::{Token, key, tokens},
    words,
};

/// The most words of a name.
const LONGEST: usize = 8;
/// Words in lower case inside a name.
const INSIDE: [&str; 16] =
    ["of", "the", "de", "la", "von", "van", "der", "for", "in", "on", "to", "del", "di", "du", "le", "al"];
/// The most words in lower case between two with capitals.
const MOST_INSIDE: usize = 2;

/// What is known of the names in a collection before its texts are read for them.
#[derive(Debug, Default)]
pub(crate) struct KnownNames {
    /// Names that head passages, and names of entities.
    keys: HashSet<String>,
    /// The most words of such a name by its first word.
    longest: HashMap<String, usize>,
    /// How much more often a word has a capital than not.
    capitals: HashMap<String, i32>,
}

impl KnownNames {
    /// Adds a name.
    pub(crate) fn insert(&mut self, name: &str) {
        let words = tokens(name);
        if !words.is_empty() && words.len() <= LONGEST && !is_common(&words) {
            let longest = self.longest.entry(words[0].text.clone()).or_default();
            *longest = words.len().max(*longest);
            self.keys.insert(key(&words));
        }
    }

    /// Counts how the words of a text are written: a word that mostly has no capital is no name by itself.
    pub(crate) fn read(&mut self, text: &str) {
        for word in tokens(text) {
            let capital = is_capital(text, &word);
            let count = self.capitals.entry(word.text).or_default();
            *count += if capital { 1 } else { -1 };
        }
    }

    /// Finds the names in a text, by their keys.
    pub(crate) fn find(&self, text: &str) -> BTreeSet<String> {
        let words = tokens(text);
        let mut found = BTreeSet::new();
        for mut run in runs(text, &words) {
            while let [first, rest @ ..] = run
                && (words::is_function_word(&first.text) || (rest.is_empty() && !self.is_proper(first)))
            {
                run = rest;
            }
            if run.len() <= LONGEST && !is_common(run) {
                found.insert(key(run));
            }
        }
        for (start, first) in words.iter().enumerate() {
            let Some(&longest) = self.longest.get(&first.text) else { continue };
            let lengths = (1..=longest.min(words.len() - start)).rev();
            let lengths = lengths.filter(|&length| length > 1 || is_capital(text, first));
            let mut keys = lengths.map(|length| key(&words[start..start + length]));
            found.extend(keys.find(|key| self.keys.contains(key)));
        }
        found
    }

    fn is_proper(&self, word: &Token) -> bool {
        self.capitals.get(&word.text).is_some_and(|count| *count > 0)
    }
}

/// Returns the names by which a title may be mentioned: itself, without what is in brackets behind it, and what stands
/// before a comma (`Rochester, New York`).
pub(crate) fn title_keys(title: &str) -> BTreeSet<String> {
    let bare = title.split_once(" (").map_or(title, |(before, _)| before);
    let head = bare.split_once(',').map_or(bare, |(before, _)| before);
    let names = [title, bare, head].map(tokens);
    names.iter().filter(|words| words.len() <= LONGEST && !is_common(words)).map(|words| key(words)).collect()
}

/// Finds the names in a question, longest first, none within another. `known` returns the number of a name by its key.
pub(crate) fn names_in_question<E>(
    question: &str,
    mut known: impl FnMut(&str) -> Result<Option<u32>, E>,
) -> Result<Vec<u32>, E> {
    let words = tokens(question);
    let mut taken = vec![false; words.len()];
    let mut names = Vec::new();
    for length in (1..=LONGEST.min(words.len())).rev() {
        for start in 0..=words.len() - length {
            let run = &words[start..start + length];
            let is_single = length == 1 && !is_capital(question, &run[0]);
            if is_single || is_common(run) || taken[start..start + length].iter().all(|&taken| taken) {
                continue;
            }
            if let Some(name) = known(&key(run))? {
                taken[start..start + length].fill(true);
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
    }
    Ok(names)
}

/// Tells whether words name nothing by themselves: function words, numbers, months, single letters.
fn is_common(words: &[Token]) -> bool {
    let tells_nothing = |word: &Token| {
        let text = word.text.as_str();
        words::is_function_word(text)
            || dates::is_calendar_name(text)
            || text.chars().all(|letter| letter.is_ascii_digit())
    };
    words.iter().all(tells_nothing) || (words.len() == 1 && words[0].text.chars().count() < 2)
}

fn is_capital(text: &str, word: &Token) -> bool {
    text[word.start..].starts_with(char::is_uppercase)
}

/// Finds the runs of words with capitals. Numbers, and a few words in lower case, may stand inside.
fn runs<'w>(text: &str, words: &'w [Token]) -> Vec<&'w [Token]> {
    let mut runs = Vec::new();
    let mut start = 0;
    while start < words.len() {
        if !is_capital(text, &words[start]) {
            start += 1;
            continue;
        }
        let (mut end, mut inside) = (start + 1, 0);
        for (at, pair) in words.windows(2).enumerate().skip(start) {
            let [before, word] = pair else { break };
            if !follows(text, before, word) {
                break;
            }
            let is_part = is_capital(text, word) || word.text.starts_with(|sign: char| sign.is_ascii_digit());
            if is_part {
                (end, inside) = (at + 2, 0);
            } else if INSIDE.contains(&word.text.as_str()) && inside < MOST_INSIDE {
                inside += 1;
            } else {
                break;
            }
        }
        runs.push(&words[start..end]);
        start = end;
    }
    runs
}

/// Tells whether a word may go on with the name that the word before it belongs to.
fn follows(text: &str, before: &Token, word: &Token) -> bool {
    let is_initial = before.text.chars().count() <= 2 && &text[before.end..word.start] == ". ";
    !word.after_punctuation || is_initial
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(known: &KnownNames, text: &str) -> Vec<String> {
        known.find(text).into_iter().collect()
    }

    #[test]
    fn runs_of_capitals_are_names_and_common_words_at_the_start_are_not() {
        let mut known = KnownNames::default();
        for text in ["The river rises in Arkansas.", "It was the river.", "The Rank Organisation"] {
            known.read(text);
        }
        assert_eq!(found(&known, "The University of Vienna is old."), ["university of vienna"]);
        assert_eq!(found(&known, "In May G. Stanley Hall came. River"), ["g stanley hall"]);
        assert_eq!(found(&known, "She left Arkansas. River boats did too."), ["arkansas"]);
    }

    #[test]
    fn what_heads_a_passage_is_a_name_also_in_lower_case() {
        let mut known = KnownNames::default();
        known.insert("Aircraft carrier");
        known.insert("Ports");
        assert_eq!(found(&known, "It landed on an aircraft carrier in ports."), ["aircraft carrier"]);
    }

    #[test]
    fn titles_are_mentioned_without_what_tells_them_apart() {
        let keys = |title: &str| title_keys(title).into_iter().collect::<Vec<_>>();
        assert_eq!(keys("Hello Love (song)"), ["hello love", "hello love song"]);
        assert_eq!(keys("Rochester, New York"), ["rochester", "rochester new york"]);
        assert!(keys("1984").is_empty());
    }

    #[test]
    fn the_longest_names_of_a_question_count() {
        let dictionary = ["new york", "new york city", "york", "brother"];
        let known = |key: &str| -> Result<_, ()> {
            Ok(dictionary.iter().position(|name| *name == key).map(|at| at as u32))
        };
        assert_eq!(names_in_question("Whose brother left New York City?", known), Ok(vec![1]));
        assert_eq!(names_in_question("Did Brother play in York?", known), Ok(vec![3, 2]));
        assert_eq!(names_in_question("", known), Ok(vec![]));
    }
}
