//! Small talk: a message that asks nothing, and a reply that tells nothing of the graph.

use graphwright_english::{
    inflection::base_stem,
    questions::{Token, tokenize},
    words,
};

use super::AnswerCheck;
use crate::Answerer;

/// The most words of small talk, and of a message in words that are not known as such ("Danke!").
const MOST_WORDS: usize = 8;
const MOST_UNKNOWN_WORDS: usize = 3;

/// Tells whether a message is small talk ("Thanks!", "Thank you for your help"): no word of it asks or names anything.
pub fn is_small_talk(message: &str) -> bool {
    has_only_talk(message, words::is_courtesy)
}

/// Tells whether a message has a word that makes it talk, and beside it only small words and words for asking.
fn has_only_talk(message: &str, makes_it: fn(&str) -> bool) -> bool {
    let tokens = tokenize(message);
    let is_talk = |word: &str| {
        words::is_courtesy(word) || words::is_about_asking(word) || words::is_function_word(word)
    };
    (1..=MOST_WORDS).contains(&tokens.len())
        && tokens.iter().any(|token| makes_it(&token.lower))
        && tokens.iter().all(|token| is_talk(&token.lower))
}

impl Answerer {
    /// Tells whether a person's message is small talk ("Thanks!") and the reply to it states nothing of the graph. No evidence
    /// is wanted for such a reply.
    pub fn is_talk(&self, message: &str, reply: &str) -> bool {
        let check = self.check(message, Vec::new());
        check.asks_nothing(message)
            && self.question_kind(message).links.is_empty()
            && check.tells_nothing(reply)
    }
}

impl Answerer {
    /// Tells whether a message asks nothing of the graph: small talk, or a question about asking ("What can I ask?"). Where the
    /// graph has questions or answers, a question for them speaks of nobody who asks.
    pub(crate) fn asks_nothing(&self, message: &str) -> bool {
        let tokens = tokenize(message);
        let of_graph = tokens.iter().any(|token| self.interpreter.lexicon.has_type(token));
        let speaks_of_us = tokens.iter().any(|token| matches!(token.lower.as_str(), "i" | "you" | "me"));
        has_only_talk(message, |word| words::is_courtesy(word) || words::is_about_asking(word))
            && (speaks_of_us || !of_graph)
            && self.question_kind(message).links.is_empty()
    }
}

impl AnswerCheck<'_> {
    fn asks_nothing(&self, message: &str) -> bool {
        let tokens = tokenize(message);
        let polite = tokens.first().is_some_and(|first| words::is_courtesy(&first.lower));
        let most = if polite { MOST_WORDS } else { MOST_UNKNOWN_WORDS };
        let asks = |token: &Token| {
            let word = token.lower.as_str();
            // "Thank you, that was all": a verb asks where it comes first.
            let verb =
                words::is_be(word) || words::is_do(word) || words::is_have(word) || words::is_modal(word);
            words::is_question_word(word) && !(polite && verb)
                || words::is_asking(word)
                || words::is_command(word)
                || self.graph.is_some_and(|graph| graph.is_term(&base_stem(word)))
        };
        (1..=most).contains(&tokens.len())
            && !message.contains('?')
            && !tokens.iter().any(asks)
            && !self.names_something(message)
    }

    fn tells_nothing(&self, reply: &str) -> bool {
        let checked = self.check(reply);
        let tells = |words: &str| self.names_something(words);
        !checked.is_refusal
            && checked.statements.iter().all(|statement| !statement.claims || !tells(&statement.words))
    }
}
