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
    /// Tells whether a message asks nothing of the graph: small talk, or a question about asking ("What can I ask?").
    pub(crate) fn asks_nothing(&self, message: &str) -> bool {
        if !self.question_kind(message).links.is_empty() {
            return false;
        }
        let check = self.check(message, Vec::new());
        check.asks_nothing(message) || check.asks_what_to_ask(message)
    }
}

impl AnswerCheck<'_> {
    /// "What can I ask?", "How can you help me?", "help": words for asking, and for the two who talk.
    fn asks_what_to_ask(&self, message: &str) -> bool {
        let tokens = tokenize(message);
        let is_about = |token: &Token| words::is_about_asking(&token.lower);
        (1..=MOST_WORDS).contains(&tokens.len())
            && tokens.iter().any(is_about)
            && tokens.iter().all(|token| is_about(token) || words::is_function_word(&token.lower))
            && !self.names_something(message)
    }

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
