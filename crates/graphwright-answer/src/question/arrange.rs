//! Puts the words of a question in the order in which they are read: of ways to say the same, one.

use graphwright_english::{
    inflection,
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
    list_everyone(&mut tokens);
    say_direction(&mut tokens);
    put_role_before(&mut tokens);
    tokens
}

/// Whether words that leave out what comes next stand at a position.
pub(super) fn leaves_out(tokens: &[Token], at: usize) -> bool {
    matches!(
        (word(tokens, at), word(tokens, at + 1)),
        ("except" | "excluding" | "besides", _)
            | ("other", "than")
            | ("apart" | "aside", "from")
            | ("not", "counting" | "including")
    )
}

/// Whether a number stands at a position, in figures or words.
pub(super) fn says_number(tokens: &[Token], at: usize) -> bool {
    tokens.get(at).is_some_and(|token| token.has_digit() || words::number(&token.lower).is_some())
}

/// `Besides A, who wrote it` as `who wrote it besides A`.
fn put_exception_behind(question: &str, tokens: &mut [Token]) {
    if !leaves_out(tokens, 0) {
        return;
    }
    let follows_comma = |at: &usize| question[tokens[at - 1].end..tokens[*at].start].contains(',');
    let asks = |at: &usize| {
        let asker = word(tokens, *at);
        matches!(
            asker,
            "who" | "whom" | "whose" | "which" | "what" | "how" | "when" | "where" | "list" | "name"
        ) || matches!(asker, "in" | "by" | "of" | "for" | "with" | "to" | "on")
            && matches!(word(tokens, at + 1), "which" | "whom" | "what" | "whose")
    };
    if let Some(asker) = (2..tokens.len()).find(|at| follows_comma(at) && asks(at)) {
        // At the beginning, a capital tells nothing.
        let first = &mut tokens[0];
        first.text.clone_from(&first.lower);
        tokens.rotate_left(asker);
    }
}

/// Where `top 3` stands.
fn top_of(tokens: &[Token]) -> Option<usize> {
    (0..tokens.len()).find(|&at| word(tokens, at) == "top" && says_number(tokens, at + 1))
}

/// `The top 3 oldest actors` as `the 3 oldest actors`.
fn say_superlative_once(tokens: &mut Vec<Token>) {
    let Some(top) = top_of(tokens) else { return };
    let behind = word(tokens, top + 2);
    if matches!(behind, "most" | "least" | "fewest" | "latest") || thesaurus::graded(behind, "est").is_some()
    {
        tokens.remove(top);
    }
}

/// `The top 3 actors by number of films` as `the 3 actors with the most films`.
fn say_how_many(tokens: &mut Vec<Token>) {
    let Some(top) = top_of(tokens) else { return };
    let number_of = |by: usize| {
        let number = by + 1 + usize::from(word(tokens, by + 1) == "the");
        let says = word(tokens, by) == "by" && word(tokens, number) == "number";
        (says && word(tokens, number + 1) == "of").then_some(by..=number + 1)
    };
    let Some(said) = (top + 2..tokens.len()).find_map(number_of) else { return };
    let place = (tokens[*said.start()].start, tokens[*said.end()].end);
    tokens.splice(said, ["with", "the", "most"].map(|word| token(word, place)));
    tokens.remove(top);
}

/// `Films that do not have a review` as `films that have no review`.
fn deny_thing(tokens: &mut Vec<Token>) {
    let denied = |at: usize| {
        let have = match (word(tokens, at), word(tokens, at + 1)) {
            ("dont" | "doesnt", _) => at + 1,
            ("do" | "does", "not") => at + 2,
            _ => return None,
        };
        let is_had = word(tokens, have) == "have" && matches!(word(tokens, have + 1), "a" | "an" | "any");
        is_had.then_some(at..have)
    };
    let Some(denial) = (1..tokens.len()).find_map(denied) else { return };
    let article = &mut tokens[denial.end + 1];
    *article = token("no", (article.start, article.end));
    tokens.drain(denial);
}

/// `Films that have Ada as their director` as `films that have the director Ada`.
fn put_role_before(tokens: &mut Vec<Token>) {
    /// No role has more words.
    const MOST_WORDS: usize = 3;
    let has = |at: &usize| words::is_have(word(tokens, *at)) || word(tokens, *at) == "with";
    let plays = |at: &usize| {
        let article = word(tokens, at + 1);
        word(tokens, *at) == "as"
            && (words::is_article(article) || matches!(article, "its" | "their" | "his" | "her"))
    };
    let Some(has) = (0..tokens.len()).find(has) else { return };
    let Some(plays) = (has + 2..tokens.len()).find(plays) else { return };
    let ends = |at: &usize| words::is_preposition(word(tokens, *at)) || words::is_relative(word(tokens, *at));
    let end = (plays + 2..tokens.len()).find(ends).unwrap_or(tokens.len());
    let named = tokens[has + 1].is_capital() || tokens[has + 1].quote.is_some();
    if !named || !(plays + 3..=plays + 2 + MOST_WORDS).contains(&end) {
        return;
    }
    let article = (tokens[plays + 1].start, tokens[plays + 1].end);
    tokens[plays + 1] = token("the", article);
    let role: Vec<Token> = tokens.drain(plays..end).skip(1).collect();
    let named = tokens.split_off(has + 1);
    tokens.extend(role.into_iter().chain(named));
}

/// `List everyone who did it` as `list those who did it`.
fn list_everyone(tokens: &mut [Token]) {
    let lists = words::is_command(word(tokens, 0));
    let of_all = matches!(word(tokens, 1), "everyone" | "everybody" | "anyone" | "anybody");
    if lists && of_all && matches!(word(tokens, 2), "who" | "that") {
        tokens[1] = token("those", (tokens[1].start, tokens[1].end));
    }
}

/// `Furthest to the north`, `northernmost`, `most northerly` as `northernest`: a superlative like others.
fn say_direction(tokens: &mut Vec<Token>) {
    const DIRECTIONS: [&str; 4] = ["north", "south", "east", "west"];
    let direction = |word: &str| DIRECTIONS.into_iter().find(|direction| *direction == word);
    let said = |at: usize| match (word(tokens, at), word(tokens, at + 1)) {
        ("furthest" | "farthest", "to") if word(tokens, at + 2) == "the" => {
            Some((direction(word(tokens, at + 3))?, at + 4))
        }
        ("furthest" | "farthest", next) => Some((direction(next)?, at + 2)),
        ("most", next) => Some((direction(next.strip_suffix("erly")?)?, at + 2)),
        (most, _) => Some((direction(most.strip_suffix("ernmost")?)?, at + 1)),
    };
    let Some((at, (direction, end))) = (0..tokens.len()).find_map(|at| Some((at, said(at)?))) else { return };
    let place = (tokens[at].start, tokens[end - 1].end);
    // It is told as it was written.
    let written: Vec<&str> = tokens[at..end].iter().map(|token| token.text.as_str()).collect();
    let text = written.join(" ");
    tokens.splice(at..end, [Token { text, ..token(&format!("{direction}ernest"), place) }]);
    let locates = |word: &str| inflection::bases(word).iter().any(|base| words::is_locating(base));
    if let Some(verb) = at.checked_sub(1).map(|verb| &mut tokens[verb]).filter(|verb| locates(&verb.lower)) {
        *verb = token("is", (verb.start, verb.end));
    }
}

/// A word that stands for others at some place.
fn token(said: &str, (start, end): (usize, usize)) -> Token {
    Token { start, end, ..tokenize(said).swap_remove(0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rstest::rstest]
    #[case("Which track lies furthest to the north?", "which track is northernest")]
    #[case("The farthest west of them", "the westernest of them")]
    #[case("The easternmost and the most southerly", "the easternest and the most southerly")]
    #[case("Which film went furthest?", "which film went furthest")]
    fn directions_are_superlatives(#[case] question: &str, #[case] expected: &str) {
        let read: Vec<String> = arranged(question).into_iter().map(|token| token.lower).collect();
        assert_eq!(read.join(" "), expected);
    }

    #[rstest::rstest]
    #[case("Besides Tom Hanks, who acted in it?", "who acted in it besides Tom Hanks")]
    #[case(
        "Other than A, B and C, in which films did D act?",
        "in which films did D act other than A B and C"
    )]
    #[case("Besides Tom Hanks and others in it?", "Besides Tom Hanks and others in it")]
    #[case("Not counting A, who acted in it?", "who acted in it not counting A")]
    #[case("Top 3 oldest actors", "3 oldest actors")]
    #[case("The top three newest films", "The three newest films")]
    #[case("Who are the top 3 actors by number of films?", "Who are the 3 actors with the most films")]
    #[case("The top 3 cities by population", "The top 3 cities by population")]
    #[case("Which films do not have a review?", "Which films have no review")]
    #[case("Which films don't have any actors?", "Which films have no actors")]
    #[case("Which films have Tom Hanks as their director?", "Which films have the director Tom Hanks")]
    #[case("Films with Ada as a director in 2001", "Films with the director Ada in 2001")]
    #[case("Which track lies furthest to the north?", "Which track is furthest to the north")]
    #[case("Which films have music as their theme?", "Which films have music as their theme")]
    #[case("List everyone who managed it", "List those who managed it")]
    #[case("Did everyone who managed it win?", "Did everyone who managed it win")]
    #[case("Which films do not have to be seen?", "Which films do not have to be seen")]
    fn words_are_put_in_the_order_in_which_they_are_read(#[case] question: &str, #[case] expected: &str) {
        let texts: Vec<String> = arranged(question).into_iter().map(|token| token.text).collect();
        assert_eq!(texts.join(" "), expected);
    }
}
