//! Puts the words of a question in the order in which they are read: of ways to say the same, one.

use graphwright_english::{
    questions::{Token, tokenize, word},
    thesaurus, words,
};

/// Arranges the words of a question.
pub(crate) fn arranged(question: &str) -> Vec<Token> {
    let mut tokens = tokenize(question);
    put_exception_behind(question, &mut tokens);
    say_superlative_once(&mut tokens);
    say_how_many(&mut tokens);
    deny_thing(&mut tokens);
    tokens
}

/// `Besides A, who wrote it` as `who wrote it besides A`.
fn put_exception_behind(question: &str, tokens: &mut [Token]) {
    let excepts = match (word(tokens, 0), word(tokens, 1)) {
        ("besides" | "except" | "excluding", _) => true,
        ("other", second) => second == "than",
        ("apart" | "aside", second) => second == "from",
        _ => false,
    };
    let follows_comma = |at: &usize| question[tokens[at - 1].end..tokens[*at].start].contains(',');
    let asks = |at: &usize| {
        let asker = word(tokens, *at);
        matches!(
            asker,
            "who" | "whom" | "whose" | "which" | "what" | "how" | "when" | "where" | "list" | "name"
        ) || matches!(asker, "in" | "by" | "of" | "for" | "with" | "to" | "on")
            && matches!(word(tokens, at + 1), "which" | "whom" | "what" | "whose")
    };
    let found = (2..tokens.len()).filter(|_| excepts).find(|at| follows_comma(at) && asks(at));
    if let Some(asker) = found {
        // At the beginning, a capital tells nothing.
        let first = &mut tokens[0];
        first.text.clone_from(&first.lower);
        tokens.rotate_left(asker);
    }
}

/// `The top 3 oldest actors` as `the 3 oldest actors`.
fn say_superlative_once(tokens: &mut Vec<Token>) {
    let is_top = |at: &usize| {
        let ranks = matches!(
            word(tokens, at + 2),
            "most" | "least" | "fewest" | "latest" | "oldest" | "youngest" | "newest"
        ) || thesaurus::graded(word(tokens, at + 2), "est").is_some();
        word(tokens, *at) == "top" && is_number(tokens, at + 1) && ranks
    };
    if let Some(at) = (0..tokens.len()).find(is_top) {
        tokens.remove(at);
    }
}

/// `The top 3 actors by number of films` as `the 3 actors with the most films`.
fn say_how_many(tokens: &mut Vec<Token>) {
    let by = (1..tokens.len()).find(|&at| {
        let behind = at + 1 + usize::from(word(tokens, at + 1) == "the");
        word(tokens, at) == "by" && word(tokens, behind) == "number" && word(tokens, behind + 1) == "of"
    });
    let top = (0..tokens.len()).find(|at| word(tokens, *at) == "top" && is_number(tokens, at + 1));
    let (Some(by), Some(top)) = (by, top) else { return };
    let Some(of) = (by..tokens.len()).find(|at| word(tokens, *at) == "of").filter(|_| top < by) else {
        return;
    };
    let place = (tokens[by].start, tokens[of].end);
    let said = ["with", "the", "most"].map(|said| Token { start: place.0, end: place.1, ..token(said) });
    tokens.splice(by..=of, said);
    tokens.remove(top);
}

/// `Films that do not have a review` as `films that have no review`.
fn deny_thing(tokens: &mut Vec<Token>) {
    let denies = |at: &usize| {
        let auxiliary = word(tokens, *at);
        let behind = match auxiliary {
            "dont" | "doesnt" => at + 1,
            "do" | "does" if word(tokens, at + 1) == "not" => at + 2,
            _ => return false,
        };
        word(tokens, behind) == "have" && matches!(word(tokens, behind + 1), "a" | "an" | "any")
    };
    let Some(at) = (1..tokens.len()).find(denies) else { return };
    let Some(have) = (at..tokens.len()).find(|at| word(tokens, *at) == "have") else { return };
    let place = (tokens[have + 1].start, tokens[have + 1].end);
    tokens[have + 1] = Token { start: place.0, end: place.1, ..token("no") };
    tokens.drain(at..have);
}

fn token(said: &str) -> Token {
    tokenize(said).swap_remove(0)
}

fn is_number(tokens: &[Token], at: usize) -> bool {
    let said = word(tokens, at);
    words::number(said).is_some() || said.parse::<u32>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rstest::rstest]
    #[case("Besides Tom Hanks, who acted in it?", "who acted in it besides Tom Hanks")]
    #[case(
        "Other than A, B and C, in which films did D act?",
        "in which films did D act other than A B and C"
    )]
    #[case("Besides Tom Hanks and others in it?", "Besides Tom Hanks and others in it")]
    #[case("Top 3 oldest actors", "3 oldest actors")]
    #[case("Who are the top 3 actors by number of films?", "Who are the 3 actors with the most films")]
    #[case("The top 3 cities by population", "The top 3 cities by population")]
    #[case("Which films do not have a review?", "Which films have no review")]
    #[case("Which films don't have any actors?", "Which films have no actors")]
    #[case("Which films do not have to be seen?", "Which films do not have to be seen")]
    fn words_are_put_in_the_order_in_which_they_are_read(#[case] question: &str, #[case] expected: &str) {
        let texts: Vec<String> = arranged(question).into_iter().map(|token| token.text).collect();
        assert_eq!(texts.join(" "), expected);
    }
}
