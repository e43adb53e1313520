use proptest::prelude::*;

use super::*;

fn pieces(text: &str) -> Vec<String> {
    let tokens = tokenize(text).unwrap();
    tokens.tokens.iter().map(|token| format!("{:?} {}", token.kind, token.text(text))).collect()
}

fn texts(text: &str) -> Vec<&str> {
    tokenize(text).unwrap().tokens.iter().map(|token| token.text(text)).collect()
}

#[test]
fn tokens_have_their_kinds() {
    let text =
        r"MATCH (n:`a``b`)-[:R*1..3]->() WHERE n.x >= .5e-3 AND n.y = 'it\'s' RETURN $p + $`q r` // end";
    insta::assert_snapshot!(pieces(text).join("\n"), @r#"
Word MATCH
Symbol("(") (
Word n
Symbol(":") :
QuotedName `a``b`
Symbol(")") )
Symbol("-") -
Symbol("[") [
Symbol(":") :
Word R
Symbol("*") *
Integer 1
Symbol("..") ..
Integer 3
Symbol("]") ]
Symbol("-") -
Symbol(">") >
Symbol("(") (
Symbol(")") )
Word WHERE
Word n
Symbol(".") .
Word x
Symbol(">=") >=
Float .5e-3
Word AND
Word n
Symbol(".") .
Word y
Symbol("=") =
String 'it\'s'
Word RETURN
Parameter $p
Symbol("+") +
Parameter $`q r`
"#);
}

#[test]
fn numbers_and_ranges_are_told_apart() {
    assert_eq!(texts("[*1..3]"), ["[", "*", "1", "..", "3", "]"]);
    assert_eq!(texts("[*..3]"), ["[", "*", "..", "3", "]"]);
    assert_eq!(texts("[*2..]"), ["[", "*", "2", "..", "]"]);
    assert_eq!(
        texts("1.5 .5 1e9 1E-9 0x1F 0o17 1_000 1.name"),
        ["1.5", ".5", "1e9", "1E-9", "0x1F", "0o17", "1_000", "1", ".", "name"]
    );
    assert!(tokenize("1abc").is_err());
}

#[test]
fn arrows_are_single_symbols() {
    assert_eq!(
        texts("(a)<--(b)-->(c)"),
        ["(", "a", ")", "<", "-", "-", "(", "b", ")", "-", "-", ">", "(", "c", ")"]
    );
    assert_eq!(texts("a<-1"), ["a", "<", "-", "1"]);
}

#[test]
fn comments_stand_apart() {
    let text = "/* a // b */ RETURN 1 // '\nRETURN \"//\" /**/";
    let found = tokenize(text).unwrap();
    assert_eq!(found.tokens.len(), 4);
    let comments: Vec<_> = found.comments.iter().map(|span| &text[span.range()]).collect();
    assert_eq!(comments, ["/* a // b */", "// '", "/**/"]);
}

#[test]
fn names_lose_their_quotes() {
    let text = "`a``b` $`c d` $e f";
    let tokens = tokenize(text).unwrap().tokens;
    let names: Vec<_> = tokens.iter().map(|token| token.name(text).unwrap()).collect();
    assert_eq!(names, ["a`b", "c d", "e", "f"]);
}

#[test]
fn what_is_not_closed_is_an_error_with_its_place() {
    for (text, message, start) in [
        ("RETURN 'x", "this string is not closed with '", 7),
        ("RETURN \"x\\\"", "this string is not closed with \"", 7),
        ("MATCH (`a``)", "this name is not closed with a back-tick", 7),
        ("RETURN 1 /* x", "this comment is not closed with */", 9),
        ("RETURN $", "a parameter's name must follow $", 7),
        ("RETURN 1 ~ 2", "`~` has no meaning in Cypher", 9),
    ] {
        let error = tokenize(text).unwrap_err();
        assert_eq!((error.message.as_str(), error.span.start), (message, start), "{text}");
    }
}

proptest! {
    #[test]
    fn any_text_is_split_or_refused(text in any::<String>()) {
        let _ = tokenize(&text);
    }

    #[test]
    fn tokens_and_comments_cover_all_but_white_space(text in "[a-z0-9'\"`$(){}*./\\\\<>=:\\- \\n]{0,40}") {
        if let Ok(found) = tokenize(&text) {
            let mut spans: Vec<_> = found.tokens.iter().map(|token| token.span).chain(found.comments).collect();
            spans.sort();
            let mut at = 0;
            for span in spans {
                prop_assert!(text[at..span.start].trim().is_empty());
                prop_assert!(span.start < span.end);
                at = span.end;
            }
            prop_assert!(text[at..].trim().is_empty());
        }
    }
}

/// Expects what Neo4j 5.26 reads, as the ignored tests of `graphwright-neo4j` show.
#[test]
fn names_have_combining_marks_and_no_signs() {
    for name in ["e\u{301}", "क\u{94d}ष", "n\u{663}", "Ⅷ", "a‿b", "ªa", "größe", "名前"] {
        assert_eq!(tokenize(name).unwrap().tokens.len(), 1, "{name}");
    }
    for name in ["\u{301}e", "n²", "€a", "ⓐ", "a№", "😀", "𝒜", "a゛"] {
        assert!(tokenize(name).is_err(), "{name}");
    }
}
