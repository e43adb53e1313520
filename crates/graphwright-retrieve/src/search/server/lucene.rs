//! Writes queries in the syntax of Lucene, which the full-text indexes of Neo4j read.

use super::super::query::Clause;

/// Writes a query. Any of the words may match; phrases must.
pub(super) fn query(clauses: &[Clause]) -> String {
    clauses.iter().map(clause).collect::<Vec<_>>().join(" ")
}

fn clause(clause: &Clause) -> String {
    match clause {
        Clause::Word(word) => escaped(word),
        Clause::Prefix(prefix) => format!("{}*", escaped(prefix)),
        Clause::Fuzzy(word, distance) => format!("{}~{distance}", escaped(word)),
        Clause::Phrase(words) => {
            let words: Vec<String> = words.iter().map(|word| escaped(word)).collect();
            format!("+\"{}\"", words.join(" "))
        }
    }
}

/// Puts a backslash before what has a meaning in the syntax. Words are lower-case, so none is an
/// operator.
fn escaped(word: &str) -> String {
    let mut text = String::with_capacity(word.len());
    for letter in word.chars() {
        if !letter.is_alphanumeric() {
            text.push('\\');
        }
        text.push(letter);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{super::super::query::parse, *};

    #[test]
    fn words_are_escaped_and_phrases_required() {
        let lucene = |text: &str| query(&parse(text));
        assert_eq!(
            lucene("C++ OR auth* \"never expire\" libary~1"),
            "c\\+\\+ auth* +\"never expire\" libary~1"
        );
    }
}
