//! Base forms of words, by rules of endings and a list of forms, both from a file.

use std::collections::{HashMap, HashSet};

use super::{Tag, features::straight};
use crate::{EnglishError, Result};

const LONGEST_ENDING: usize = 5;

/// Letters to cut off a word, and what to put there.
#[derive(Debug)]
struct Change {
    cut: usize,
    added: Box<str>,
}

#[derive(Debug, Default)]
pub(super) struct Lemmas {
    /// Tags whose words keep their capitals.
    own_letters: HashSet<Tag>,
    endings: HashMap<(Tag, Box<str>), Change>,
    forms: HashMap<(Tag, Box<str>), Box<str>>,
}

impl Lemmas {
    /// Reads the lines that `tools/parser/lemmas.py` describes.
    pub(super) fn read(lines: &str) -> Result<Self> {
        let mut lemmas = Self::default();
        for line in lines.split_terminator('\n') {
            lemmas
                .take(line)
                .ok_or_else(|| EnglishError::damaged(format!("no rule for base forms: {line:?}")))?;
        }
        Ok(lemmas)
    }

    fn take(&mut self, line: &str) -> Option<()> {
        let mut columns = line.split('\t');
        let (tag, form) = (Tag::named(columns.next()?)?, columns.next()?);
        match (columns.next(), columns.next()) {
            (Some(cut), Some(added)) => {
                let change = Change { cut: cut.parse().ok()?, added: added.into() };
                self.endings.insert((tag, form.strip_prefix('-')?.into()), change);
            }
            (Some(lemma), None) => {
                self.forms.insert((tag, form.into()), lemma.into());
            }
            _ => {
                self.own_letters.insert(tag);
            }
        }
        Some(())
    }

    /// Returns the base form of a word.
    pub(super) fn of(&self, form: &str, tag: Tag) -> String {
        let mut form: String = form.chars().map(straight).collect();
        if !self.own_letters.contains(&tag) {
            form = form.to_lowercase();
        }
        let mut key = (tag, form.into_boxed_str());
        if let Some(lemma) = self.forms.get(&key) {
            return lemma.to_string();
        }
        let form = std::mem::take(&mut key.1).into_string();
        self.changed(&form, tag).unwrap_or(form)
    }

    /// Applies the rule with the longest ending.
    fn changed(&self, form: &str, tag: Tag) -> Option<String> {
        let starts = form.char_indices().rev().map(|(start, _)| start).take(LONGEST_ENDING);
        let mut starts: Vec<usize> = std::iter::once(form.len()).chain(starts).collect();
        starts.reverse();
        let found = starts.into_iter().find_map(|start| self.endings.get(&(tag, form[start..].into())));
        let change = found.filter(|change| change.cut <= form.chars().count())?;
        let kept = form.char_indices().rev().take(change.cut).last().map_or(form.len(), |(start, _)| start);
        Some(format!("{}{}", &form[..kept], change.added))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_comes_before_the_longest_ending_and_that_before_shorter_ones() {
        let lines = "VERB\t-ed\t2\t\nVERB\t-ied\t3\ty\nVERB\tdied\tdie\nPROPN\tletters\n";
        let lemmas = Lemmas::read(lines).unwrap();
        let of = |form, tag| lemmas.of(form, tag);
        assert_eq!([of("Walked", Tag::Verb), of("carried", Tag::Verb)], ["walk", "carry"]);
        assert_eq!([of("died", Tag::Verb), of("read", Tag::Verb)], ["die", "read"]);
        assert_eq!([of("Reed", Tag::Propn), of("Reed’s", Tag::X)], ["Reed", "reed's"]);
    }

    #[test]
    fn a_broken_line_is_an_error() {
        assert!(Lemmas::read("VERB\t-ed\ttwo\t").is_err());
        assert!(Lemmas::read("VRB\tsaw\tsee").is_err());
    }
}
