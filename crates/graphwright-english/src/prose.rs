//! Running text: tokens with byte ranges, sentences, word classes, and nouns made of verbs.

pub mod grammar;
pub mod inflect;
pub mod tokens;
