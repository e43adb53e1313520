//! Words that the texts use as verbs.

use std::collections::{HashMap, HashSet};

use graphwright_english::inflection::{self as english, Form};

use crate::infer::{
    common_words::{PARTICLES, is_function_word},
    text::{Text, Word, words},
};

/// The bases of the verbs of a corpus.
#[derive(Debug)]
pub(in crate::infer) struct Bases {
    known: HashSet<String>,
    /// Verbs that tell the reader what to do rather than what things do.
    orders: HashSet<String>,
    /// Words in `s` that the texts use as plurals, whatever their base may do.
    plurals: HashSet<String>,
}

/// Words in `s` that are no verbs in the third person.
const NO_VERBS: [&str; 14] = [
    "is",
    "was",
    "as",
    "its",
    "this",
    "thus",
    "plus",
    "versus",
    "across",
    "towards",
    "always",
    "besides",
    "perhaps",
    "sometimes",
];

/// Verbs so common that a small corpus may use them in one form only.
const COMMON: [&str; 13] = [
    "use",
    "depend",
    "run",
    "own",
    "provide",
    "support",
    "contain",
    "require",
    "call",
    "need",
    "include",
    "offer",
    "integrate",
];

/// A verb is an order when it opens sentences so many times as often as it tells of something.
const MOSTLY_ORDERS: usize = 3;

impl Bases {
    /// Words that the corpus uses as the base of a verb (after `to`, a modal verb or a pronoun) more often than as a noun
    /// (after an article, a possessive or a preposition).
    pub(in crate::infer) fn of(texts: &[Text]) -> Self {
        const BEFORE_VERBS: [&str; 12] =
            ["to", "can", "will", "should", "must", "may", "might", "could", "would", "you", "they", "we"];
        const BEFORE_NOUNS: [&str; 17] = [
            "the", "a", "an", "your", "its", "their", "this", "that", "each", "every", "any", "of", "for",
            "in", "from", "and", "no",
        ];
        const AFTER_NOUNS: [&str; 18] = [
            "is", "are", "was", "were", "has", "have", "can", "should", "must", "will", "of", "for", "and",
            "or", "that", "which", "you", "so",
        ];
        let mut counts: HashMap<String, (usize, usize)> = HashMap::new();
        let mut opening: HashMap<String, usize> = HashMap::new();
        let mut within: HashMap<String, usize> = HashMap::new();
        let mut ended: HashMap<String, usize> = HashMap::new();
        for block in texts.iter().flat_map(|text| &text.blocks) {
            let words = words(block);
            for (index, word) in words.iter().enumerate() {
                let counted = if word.opens { &mut opening } else { &mut within };
                *counted.entry(word.text.to_lowercase()).or_default() += 1;
                let next = words.get(index + 1).filter(|next| next.joins && !next.opens);
                if next.is_none_or(|next| AFTER_NOUNS.contains(&next.text)) {
                    *ended.entry(word.text.to_lowercase()).or_default() += 1;
                }
            }
            for pair in words.windows(2).filter(|pair| pair[1].joins) {
                let word = pair[1].text;
                if is_function_word(word) && word != "use" || !word.chars().all(char::is_lowercase) {
                    continue;
                }
                if BEFORE_VERBS.contains(&pair[0].text) {
                    counts.entry(word.to_owned()).or_default().0 += 1;
                } else if BEFORE_NOUNS.contains(&pair[0].text) {
                    counts.entry(word.to_owned()).or_default().1 += 1;
                }
            }
        }
        let verbs = counts.into_iter().filter(|(_, (verb, noun))| verb > noun).map(|(word, _)| word);
        let known: HashSet<String> = verbs.chain(COMMON.map(str::to_owned)).collect();
        let is_order = |base: &&String| {
            let told = within.get(&in_third_person(base)).copied().unwrap_or_default();
            opening.get(*base).is_some_and(|orders| *orders > MOSTLY_ORDERS * told.max(1))
        };
        let orders = known.iter().filter(is_order).cloned().collect();
        let is_plural = |(word, ended): &(String, usize)| {
            let all = within.get(word).copied().unwrap_or_default()
                + opening.get(word).copied().unwrap_or_default();
            word.ends_with('s') && *ended * 2 > all
        };
        let plurals = ended.into_iter().filter(is_plural).map(|(word, _)| word).collect();
        Self { known, orders, plurals }
    }

    pub(in crate::infer) fn contains(&self, word: &str) -> bool {
        self.known.contains(word)
    }

    /// Whether the texts mostly tell the reader to do it.
    pub(super) fn is_order(&self, base: &str) -> bool {
        self.orders.contains(base)
    }

    /// The base of a verb in the third person, if the corpus uses the base as a verb.
    pub(in crate::infer) fn third_person(&self, word: &str) -> Option<String> {
        if NO_VERBS.contains(&word) || !word.ends_with('s') || self.plurals.contains(word) {
            return None;
        }
        english::bases(word).into_iter().find(|base| self.contains(base) && in_third_person(base) == word)
    }

    /// The base of a participle, if the corpus uses the base as a verb or the participle is irregular.
    pub(super) fn of_participle(&self, word: &str) -> Option<String> {
        let regular = |base: &String| self.contains(base) && word.ends_with("ed");
        let irregular = || english::irregular_base(word).map(str::to_owned);
        english::bases(word).into_iter().find(regular).or_else(irregular)
    }

    /// The verb in the present that goes on after a name, with its preposition, and how many words that takes.
    pub(in crate::infer) fn after(
        &self,
        name: &str,
        words: &[Word<'_>],
    ) -> Option<((String, Option<String>), usize)> {
        let joined = words.iter().take_while(|word| word.joins && !word.opens).count();
        let words = &words[..joined];
        let at = words.iter().position(|word| !word.text.ends_with("ly") && word.text != "also")?;
        let verb = words[at].text;
        let plural = || Some(verb.to_owned()).filter(|verb| name.ends_with('s') && self.contains(verb));
        let base = self.third_person(verb).or_else(plural)?;
        let particle = words.get(at + 1).map(|word| word.text).filter(|word| PARTICLES.contains(word));
        let length = at + 1 + usize::from(particle.is_some());
        Some(((base, particle.map(str::to_owned)), length))
    }
}

/// The third person of a base.
pub(super) fn in_third_person(base: &str) -> String {
    let third = english::forms(base).into_iter().find(|(_, form)| form.has(Form::THIRD));
    third.map_or_else(|| base.to_owned(), |(word, _)| word)
}
