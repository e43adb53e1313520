//! Running text: tokens with byte ranges, sentences, word classes, and nouns made from verbs.
//!
//! Start with [`tokens::tokenise`], then split the tokens with [`tokens::sentences`] and ask
//! [`grammar`] for the class of each word.

pub mod grammar;
pub mod inflect;
pub mod tokens;
