//! Mutations of attacks: other spellings and surroundings in which they stay attacks.

use graphwright_cypher::lexer::{Token, TokenKind, tokenize};

use super::{Case, Effect};

/// Texts that may stand between two tokens.
const BETWEEN: [&str; 9] =
    [" ", "\n", "\t", "/**/", " // read only\n", "/* ; */", "/* ' */", "\u{a0}", "\u{2028}"];

/// Blanks as character codes.
const CODED: [&str; 2] = ["\\u0020", "\\u000A"];

/// Keywords that are not names anywhere in the corpus, so that their case is free.
const CASELESS: [&str; 27] = [
    "AS", "BY", "CALL", "CASE", "CREATE", "CSV", "DELETE", "DETACH", "DROP", "END", "FOREACH", "FROM", "IN",
    "LIMIT", "LOAD", "MATCH", "MERGE", "OPTIONAL", "REMOVE", "RETURN", "SET", "UNION", "UNWIND", "USE",
    "WHERE", "WITH", "YIELD",
];

/// Words with which a query may begin that allows other clauses before it.
const BEGINNINGS: [&str; 9] =
    ["CREATE", "FOREACH", "LOAD", "MATCH", "MERGE", "OPTIONAL", "RETURN", "UNWIND", "WITH"];

/// Clauses that change nothing and leave one row.
const BEFORE: [&str; 4] = [
    "WITH 1 AS zz\n",
    "UNWIND [1] AS zz\n",
    "MATCH (zz:Person)\nWITH zz LIMIT 1\n",
    "OPTIONAL MATCH (zz:Nobody)\nWITH count(zz) AS zz\n",
];

/// Texts around a query that turn it into a subquery.
const AROUND: [(&str, &str); 3] = [
    ("UNWIND [1] AS zz\nCALL {\n", "\n}\nRETURN *"),
    ("UNWIND [1] AS zz\nCALL () {\n", "\n}\nRETURN *"),
    ("MATCH (zz:Person)\nWITH zz LIMIT 1\nCALL (*) {\n", "\n}\nRETURN *"),
];

const COMMENTS: [(&str, &str); 4] =
    [("/* read only */ ", ""), ("// MATCH (n)\n", ""), ("", "\n// RETURN n"), ("", "\n/* all */")];

/// Returns a case as the choices spell it. A zero changes nothing, and neither does the end of the
/// choices.
pub(crate) fn mutate(case: &Case, choices: &[u8]) -> String {
    let mut choices = Choices(choices.iter());
    let [nests, begins, ends, comments, codes] = [(); 5].map(|()| choices.next());
    let Ok(tokens) = tokenize(&case.query) else {
        return with_comments(case.query.clone(), comments);
    };
    let tokens = tokens.tokens;
    let is_part = can_be_part(case, &tokens);
    let mut text = respell(&case.query, &tokens, codes % 4 == 1, &mut choices);
    if is_part && ends % 2 == 1 && can_return(case, &tokens) {
        text.push_str("\nRETURN 1 AS yy");
    }
    if is_part {
        // A subquery needs names for its columns, which a query of the corpus with rows may lack.
        if let Some((before, after)) = pick(&AROUND, nests).filter(|_| can_return(case, &tokens)) {
            text = format!("{before}{text}{after}");
        } else if let Some(before) = pick(&BEFORE, begins) {
            text = format!("{before}{text}");
        }
    }
    with_comments(text, comments)
}

/// A source of numbers that ends in zeros.
struct Choices<'a>(std::slice::Iter<'a, u8>);

impl Choices<'_> {
    fn next(&mut self) -> usize {
        self.0.next().copied().unwrap_or_default().into()
    }
}

/// Returns `None` for zero, and otherwise one of the items.
fn pick<T: Copy>(items: &[T], choice: usize) -> Option<T> {
    choice.checked_sub(1).map(|choice| items[choice % items.len()])
}

fn with_comments(text: String, choice: usize) -> String {
    match pick(&COMMENTS, choice) {
        Some((before, after)) => format!("{before}{text}{after}"),
        None => text,
    }
}

/// Returns whether clauses may stand around the query: it is one statement of clauses without
/// options before it.
fn can_be_part(case: &Case, tokens: &[Token]) -> bool {
    let is = |token: &Token, words: &[&str]| words.iter().any(|word| token.is_word(&case.query, word));
    tokens.first().is_some_and(|first| is(first, &BEGINNINGS))
        && case.effect != Effect::Administers
        && !tokens.iter().any(|token| token.is_symbol(";") || is(token, &["TRANSACTIONS", "UNION"]))
}

/// Returns whether a clause with rows may end the query.
fn can_return(case: &Case, tokens: &[Token]) -> bool {
    case.effect == Effect::Writes && !tokens.iter().any(|token| token.is_word(&case.query, "RETURN"))
}

/// Returns the tokens in other spellings and with more between them, some characters as codes.
fn respell(text: &str, tokens: &[Token], coded: bool, choices: &mut Choices<'_>) -> String {
    let mut respelt = String::new();
    let mut end = 0;
    for (place, token) in tokens.iter().enumerate() {
        respelt.push_str(&text[end..token.span.start]);
        if place > 0 && end < token.span.start {
            let blanks: &[&str] = if coded { &CODED } else { &BETWEEN };
            respelt.push_str(pick(blanks, choices.next() % 24).unwrap_or_default());
        }
        let is_function = tokens.get(place + 1).is_some_and(|next| next.is_symbol("("))
            && !place.checked_sub(1).is_some_and(|before| tokens[before].is_symbol("."));
        let choice = choices.next();
        let spelling = token.text(text);
        let is_plain = token.kind == TokenKind::Word && spelling.is_ascii() && !spelling.contains('\\');
        let is_caseless = CASELESS.contains(&spelling.to_uppercase().as_str());
        respelt.push_str(&match choice % 8 {
            1 if is_plain && is_caseless => spelling.to_lowercase(),
            2 if is_plain && is_caseless => spelling.to_uppercase(),
            3 if is_plain && is_caseless => in_mixed_case(spelling, choice / 8),
            4 if is_plain && coded => with_code(spelling, choice / 8),
            5 if is_plain && token.keyword.is_none() && !is_function => format!("`{spelling}`"),
            _ => spelling.to_owned(),
        });
        end = token.span.end;
    }
    respelt.push_str(&text[end..]);
    respelt
}

fn in_mixed_case(word: &str, choice: usize) -> String {
    let letters = word.chars().enumerate();
    letters
        .map(|(place, letter)| {
            let is_upper = (choice >> (place % 5)) & 1 == 1;
            if is_upper { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() }
        })
        .collect()
}

/// Returns a word with one letter as a code.
fn with_code(word: &str, choice: usize) -> String {
    let place = choice % word.len();
    let code = u32::from(word.as_bytes()[place]);
    format!("{}\\u{code:04x}{}", &word[..place], &word[place + 1..])
}
