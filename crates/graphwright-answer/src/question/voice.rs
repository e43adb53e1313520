//! Active or passive: what stands around a verb.

use graphwright_english::{inflection, questions::Token, words};

use crate::lexicon;

/// The voice of a verb at `at`.
pub(crate) fn voice(tokens: &[Token], at: usize) -> lexicon::Voice {
    let word = &tokens[at].lower;
    let next = tokens.get(at + 1).map(|token| token.lower.as_str());
    let after_next = tokens.get(at + 2).map(|token| token.lower.as_str());
    let fronted_by =
        tokens.first().is_some_and(|token| token.lower == "by") && inflection::is_participle(word);
    let by = next == Some("by")
        || fronted_by
        || (after_next == Some("by") && next.is_some_and(|next| next.ends_with("ly")));
    if by {
        return lexicon::Voice { passive: true, by: true };
    }
    // `X is descended from Y` says no more than `X descends from Y`.
    let state = next == Some("from") && matches!(word.as_str(), "descended" | "derived" | "sprung");
    if !inflection::is_participle(word) || state {
        return lexicon::Voice::default();
    }
    let passive = if let Some(auxiliary) = governing_auxiliary(tokens, at) {
        words::is_be(auxiliary)
    } else {
        let after_pronoun = at > 0
            && matches!(tokens[at - 1].lower.as_str(), "who" | "that" | "which" | "what" | "and" | "or");
        !after_pronoun
            && next.is_none_or(words::is_preposition)
            && !(next.is_none() && has_own_subject(&tokens[..at]))
    };
    lexicon::Voice { passive, by: false }
}

/// `the case that Ada decided`, `the case which the court decided`: between the pronoun and the verb stands its subject.
fn has_own_subject(before: &[Token]) -> bool {
    let pronoun = before.iter().rposition(|token| matches!(token.lower.as_str(), "that" | "which" | "whom"));
    let subject = pronoun.filter(|&at| at > 0).and_then(|at| before.get(at + 1));
    subject.is_some_and(|token| token.is_capital() || words::is_plain_determiner(&token.lower))
}

/// The nearest helping verb before the verb in its clause.
fn governing_auxiliary(tokens: &[Token], at: usize) -> Option<&str> {
    for token in tokens[..at].iter().rev() {
        let word = token.lower.as_str();
        if words::is_auxiliary(word) {
            return Some(word);
        }
        if matches!(word, "that" | "who" | "whom" | "whose" | "and" | "but" | "or" | "where" | "which") {
            return None;
        }
    }
    None
}
