//! A collection of passages in memory, for tests.

use std::{collections::BTreeMap, rc::Rc};

use graphwright_english::{names::tokens, words::is_function_word};

use super::{
    KnownNames, Named, Passages, Question, chains::Ranked, names_in_question, rank_by_chains, title_keys,
};
use crate::Result;

pub(super) struct Collection {
    words: Vec<Vec<String>>,
    names: Vec<(String, Named)>,
    credits: Vec<Vec<(u32, f32)>>,
}

impl Collection {
    pub(super) fn new(passages: &[(&str, &str)]) -> Self {
        let mut known = KnownNames::default();
        for (title, text) in passages {
            for title in &title_keys(title) {
                known.insert(title);
            }
            known.read(text);
        }
        let mut names: BTreeMap<String, Named> = BTreeMap::new();
        for (number, (title, text)) in (0..).zip(passages) {
            let headed = title_keys(title);
            for name in known.find(text).union(&headed) {
                let named = names.entry(name.clone()).or_default();
                named.mentioned.push(number);
                if headed.contains(name) {
                    named.headed.push(number);
                }
            }
        }
        let words = |(title, text): &(&str, &str)| {
            tokens(&format!("{title} {text}")).into_iter().map(|token| token.text).collect()
        };
        let words = passages.iter().map(words).collect();
        Self { words, names: names.into_iter().collect(), credits: Vec::new() }
    }

    pub(super) fn name(&self, name: u32) -> &str {
        &self.names[name as usize].0
    }

    pub(super) fn rank(&self, question: &str) -> Result<Vec<Ranked>> {
        let asked: Vec<String> = tokens(question).into_iter().map(|token| token.text).collect();
        let asked: Vec<&String> = asked.iter().filter(|word| !is_function_word(word)).collect();
        let has = |words: &Vec<String>| {
            let found = (0..).zip(&asked).filter(|(_, word)| words.contains(word));
            found.map(|(number, _)| (number, 1.0)).collect()
        };
        let passages = Self {
            words: self.words.clone(),
            names: self.names.clone(),
            credits: self.words.iter().map(has).collect(),
        };
        let known = |key: &str| -> Result<Option<u32>> {
            Ok(self.names.iter().position(|(name, _)| name == key).map(|at| at as u32))
        };
        let names = names_in_question(question, known)?;
        let candidates: Vec<u32> = (0..self.words.len() as u32).collect();
        let weights = vec![1.0; asked.len()];
        let question =
            Question { weights: &weights, names: &names, candidates: &candidates, meaning_weight: 0.4 };
        rank_by_chains(&passages, &question)
    }
}

impl Passages for Collection {
    fn count(&self) -> usize {
        self.words.len()
    }

    fn credits(&self, passage: u32) -> &[(u32, f32)] {
        &self.credits[passage as usize]
    }

    fn meaning(&self, _passage: u32) -> f32 {
        0.0
    }

    fn closeness(&self, _passage: u32) -> f32 {
        0.0
    }

    fn document(&self, _passage: u32) -> Option<u64> {
        None
    }

    fn names_in(&self, passage: u32) -> Result<Vec<u32>> {
        let has = |named: &Named| named.mentioned.contains(&passage);
        Ok((0..).zip(&self.names).filter(|(_, (_, named))| has(named)).map(|(number, _)| number).collect())
    }

    fn passages_with(&self, name: u32) -> Result<Rc<Named>> {
        Ok(Rc::new(self.names[name as usize].1.clone()))
    }
}
