//! No attack of the corpus gets through the gate, nor does one that is spelt differently; harmless look-alikes do.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod corpus;

use std::collections::HashSet;

use corpus::{Case, Hole, cases, classes};
use graphwright_core::Statement;
use graphwright_cypher::{
    Gate, InvalidName, StatementBuilder,
    lexer::{TokenKind, tokenize},
};
use proptest::prelude::*;

#[test]
fn the_corpus_is_large_and_well_formed() {
    let mut ids = HashSet::new();
    let mut queries = HashSet::new();
    for (class, cases) in classes() {
        let runnable = cases.iter().filter(|case| case.needs.is_none()).count();
        assert!(runnable >= 20, "{class} has only {runnable} cases that Community can run");
        for case in cases {
            assert!(case.id.starts_with(&class) && !case.why.is_empty(), "{}", case.id);
            if let (Some(template), Some(input)) = (&case.template, &case.input) {
                assert_eq!(template.replace("{input}", input), case.query, "{}", case.id);
            }
            assert!(ids.insert(case.id.clone()), "{} is there twice", case.id);
            assert!(queries.insert(case.query), "{} is there under another id", case.id);
        }
    }
    let all = cases();
    let not_runnable = all.iter().filter(|case| case.needs.is_some()).count();
    assert!(all.len() >= 300 && not_runnable * 100 <= all.len() * 15, "{not_runnable} of {}", all.len());
}

#[test]
fn no_attack_passes() {
    let gate = Gate::default();
    let passed: Vec<_> = cases()
        .into_iter()
        .filter_map(|case| {
            gate.check(&case.query).ok().map(|checked| (case.id, checked.statement.text().to_owned()))
        })
        .collect();
    assert!(passed.is_empty(), "{passed:#?}");
}

#[test]
fn writing_mode_lets_no_other_attack_pass() {
    let gate = Gate { write: true, ..Gate::default() };
    for case in cases().into_iter().filter(|case| case.effect != corpus::Effect::Writes) {
        assert!(gate.check(&case.query).is_err(), "{}: {}", case.id, case.query);
    }
}

#[test]
fn harmless_look_alikes_pass() {
    let queries: Vec<String> = serde_json::from_str(include_str!("harmless.json")).unwrap();
    assert!(queries.len() >= 100);
    let refused: Vec<_> = queries
        .iter()
        .filter_map(|query| Gate::default().check(query).err().map(|refusal| (query, refusal)))
        .collect();
    assert!(refused.is_empty(), "{refused:#?}");
}

#[test]
fn the_builder_takes_what_breaks_out_of_a_format() {
    let holes = cases().into_iter().filter_map(|case| Some((case.hole?, case)));
    let mut seen = 0;
    for (hole, case) in holes {
        match hole {
            Hole::String | Hole::Number if !case.query.contains("*1..") => {
                let statement = with_value(&case, case.input.as_deref().unwrap());
                let harmless = with_value(&case, "Ada");
                assert_eq!(statement.text(), harmless.text(), "{}: the text depends on the value", case.id);
            }
            Hole::Name => {
                if let Ok(statement) = with_name(&case, case.input.as_deref().unwrap()) {
                    let harmless = with_name(&case, "Ada").unwrap();
                    assert_eq!(shape(statement.text()), shape(harmless.text()), "{}", case.id);
                }
            }
            // The builder writes no comments, and bounds of paths only from whole numbers.
            _ => continue,
        }
        seen += 1;
    }
    assert!(seen >= 25, "{seen}");
}

/// The template as the builder has it, with the input as a value in place of the quotes around it.
fn with_value(case: &Case, input: &str) -> Statement {
    let (before, after) = case.template.as_deref().unwrap().split_once("{input}").unwrap();
    let (before, value, after) = match case.hole.unwrap() {
        Hole::String => {
            let open = before.rfind(['\'', '"']).unwrap();
            let close = after.find(['\'', '"']).unwrap();
            (
                &before[..open],
                format!("{}{input}{}", &before[open + 1..], &after[..close]),
                &after[close + 1..],
            )
        }
        _ => (before, input.to_owned(), after),
    };
    StatementBuilder::new(fixed(before)).value(value).text(fixed(after)).build().unwrap()
}

fn with_name(case: &Case, input: &str) -> Result<Statement, InvalidName> {
    let template = case.template.as_deref().unwrap().replace("`{input}`", "{input}");
    let (before, after) = template.split_once("{input}").unwrap();
    StatementBuilder::new(fixed(before)).name(input).text(fixed(after)).build()
}

/// The builder takes text of the source code only; here that of the corpus stands for it.
fn fixed(text: &str) -> &'static str {
    Box::leak(text.to_owned().into_boxed_str())
}

/// The kinds of the tokens, without how names are quoted.
fn shape(text: &str) -> Vec<TokenKind> {
    let kind = |kind| if kind == TokenKind::QuotedName { TokenKind::Word } else { kind };
    tokenize(text).unwrap().tokens.iter().map(|token| kind(token.kind)).collect()
}

/// The same tokens with more blanks and comments between them, and keywords in another case.
fn respell(text: &str, choices: &[u8]) -> Option<String> {
    const BETWEEN: [&str; 10] =
        [" ", "\n", "\t", "  ", "/**/", " // read only\n", "/* ; */", "\u{a0}", "\u{2028}", "\r\n"];
    let tokens = tokenize(text).ok()?.tokens;
    let mut choices = choices.iter().cycle().copied();
    let mut respelt = String::new();
    let mut end = 0;
    for token in &tokens {
        let choice = choices.next()?;
        respelt.push_str(text.get(end..token.span.start)?);
        if choice > 128 && end < token.span.start {
            respelt.push_str(BETWEEN[usize::from(choice) % BETWEEN.len()]);
        }
        let spelling = token.text(text);
        match token.keyword {
            Some(_) if choice % 3 == 1 => respelt.push_str(&spelling.to_lowercase()),
            Some(_) if choice % 3 == 2 => respelt.push_str(&spelling.to_uppercase()),
            _ => respelt.push_str(spelling),
        }
        end = token.span.end;
    }
    respelt.push_str(text.get(end..)?);
    Some(respelt)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_attack_passes_in_another_spelling(index in any::<prop::sample::Index>(), choices in prop::collection::vec(any::<u8>(), 1..40)) {
        use std::sync::LazyLock;
        static CASES: LazyLock<Vec<Case>> = LazyLock::new(cases);
        let case = index.get(&CASES);
        if let Some(text) = respell(&case.query, &choices) {
            prop_assert!(Gate::default().check(&text).is_err(), "{}: {text}", case.id);
        }
    }
}
