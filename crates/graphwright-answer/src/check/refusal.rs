//! Sentences by which a model says that it found no answer, and those by which it talks of itself.

use graphwright_english::{inflection::base_stem, questions::tokenize, words};

/// What the instructions ask a model to write.
const MARKER: &str = "not in the graph";

/// Tells whether a sentence says that the question cannot be answered.
pub(super) fn is_refusal(sentence: &str) -> bool {
    let lower = sentence.to_lowercase().replace('’', "'");
    let plain: String = lower.chars().filter(|letter| letter.is_alphanumeric() || *letter == ' ').collect();
    if plain.split_whitespace().collect::<Vec<_>>().join(" ").contains(MARKER) {
        return true;
    }
    let tokens = tokenize(&lower);
    let has = |wanted: &dyn Fn(&str) -> bool| tokens.iter().any(|token| wanted(&token.lower));
    let negated = has(&|word| {
        words::is_negation(word)
            || matches!(word, "no" | "unable" | "insufficient" | "unknown" | "cant" | "dont")
    }) || lower.contains("n't");
    let speaker = has(&|word| matches!(word, "i" | "we"));
    let tells = tokens.iter().any(|token| {
        words::is_act_of_telling(&token.stem) || words::is_act_of_telling(&base_stem(&token.lower))
    });
    let unable =
        lower.contains("unable to") || lower.contains("not able to") || lower.contains("not possible to");
    negated && tells && (has(&words::is_source) || speaker || unable)
}

/// Tells whether a sentence talks to the reader and states nothing: `Let me know if you need more`.
pub(super) fn is_talk(sentence: &str) -> bool {
    const OFFERS: [&str; 6] =
        ["let me know", "feel free", "if you need", "if you want", "if you have", "if you would"];
    let lower = sentence.to_lowercase();
    let tokens = tokenize(sentence);
    let first = tokens.first().map_or("", |token| &token.lower);
    let speaker =
        tokens.iter().any(|token| matches!(token.lower.as_str(), "i" | "me" | "my" | "ill" | "im" | "ive"));
    let greets = matches!(first, "sure" | "certainly" | "hello" | "hi" | "thanks" | "sorry" | "okay" | "ok")
        && tokens.len() <= 8;
    let offers = OFFERS.iter().any(|offer| lower.contains(offer));
    speaker || greets || offers || (tokens.len() <= 2 && matches!(first, "yes" | "no"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_are_understood_in_any_dress() {
        for text in [
            "NOT IN THE GRAPH",
            "**Not in the graph.**",
            "\"NOT IN THE GRAPH\".",
            "The evidence does not contain information about the founder.",
            "I couldn't find any information about that in the graph.",
            "There is no information on who founded ledger in the provided evidence.",
            "I don't know.",
            "I am unable to answer this question.",
            "The provided passages don't mention a founder.",
            "Unfortunately, the graph doesn't say who founded it.",
            "It is not possible to determine the founder from the context.",
            "The available data is insufficient to answer the question.",
        ] {
            assert!(is_refusal(text), "{text}");
        }
        for text in [
            "Payments does not own ledger.",
            "ledger has no owner.",
            "Payments owns ledger.",
            "The service is not in production.",
        ] {
            assert!(!is_refusal(text), "{text}");
        }
    }

    #[test]
    fn talk_states_nothing() {
        assert!(
            is_talk("Let me know if you need more.")
                && is_talk("Sure, here is the answer.")
                && is_talk("Yes.")
        );
        assert!(!is_talk("It is old.") && !is_talk("You should use it.") && !is_talk("Payments owns it."));
    }
}
