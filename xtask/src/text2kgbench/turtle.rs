//! The part of Turtle (W3C, 2014) in which the benchmark writes its ontologies: IRIs in angle brackets, prefixed
//! names, plain strings, and lists of predicates and objects.

use anyhow::{Result, bail};

/// Subject, predicate and object; an IRI without its brackets, a string without its quotes.
pub(crate) type Statement = (String, String, String);

/// Reads all statements of a file; prefixes are not expanded.
pub(crate) fn parse(text: &str) -> Result<Vec<Statement>> {
    let mut statements = Vec::new();
    let (mut subject, mut predicate) = (None, None);
    let mut rest = text.trim_start();
    while let Some((token, after)) = next(rest)? {
        rest = after;
        match token {
            "@prefix" => rest = rest.split_once(" .").map_or("", |(_, after)| after).trim_start(),
            "." => (subject, predicate) = (None, None),
            ";" => predicate = None,
            "," => {}
            term => match (&subject, &predicate) {
                (None, _) => subject = Some(bare(term)),
                (_, None) => predicate = Some(bare(term)),
                (Some(subject), Some(predicate)) => {
                    statements.push((subject.clone(), predicate.clone(), bare(term)));
                }
            },
        }
    }
    Ok(statements)
}

/// The first token and what follows it, or nothing at the end.
fn next(text: &str) -> Result<Option<(&str, &str)>> {
    let length = match text.chars().next() {
        None => return Ok(None),
        Some('<') => text.find('>').map(|end| end + 1),
        Some('"') => text[1..].find('"').map(|end| end + 2),
        Some(';' | ',' | '.') => Some(1),
        Some(_) => Some(text.find([' ', '\n', '\t', '\r', ';', ',']).unwrap_or(text.len())),
    };
    let Some(length) = length else {
        bail!("not closed: {}", text.lines().next().unwrap_or_default());
    };
    Ok(Some((&text[..length], text[length..].trim_start())))
}

fn bare(term: &str) -> String {
    term.trim_matches(['<', '>', '"']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn lists_of_predicates_and_objects() {
        let text = "@prefix a: <http://a/> .\n\n<x#1> a owl:Class ;\n  rdfs:label \"film, or so\",\n  \"movie\" .\n<x#2> b <c.d> .";
        let statements: Vec<String> = parse(text)
            .unwrap()
            .into_iter()
            .map(|(subject, predicate, object)| format!("{subject} {predicate} {object}"))
            .collect();
        assert_eq!(
            statements,
            ["x#1 a owl:Class", "x#1 rdfs:label film, or so", "x#1 rdfs:label movie", "x#2 b c.d"]
        );
    }

    #[test]
    fn an_open_string_is_an_error() {
        assert!(parse("<x> a \"film .").is_err());
    }
}
