//! No attack of the corpus passes the gate, nor does one in another spelling; harmless look-alikes
//! do.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod corpus;

use std::{collections::HashSet, time::SystemTime};

use corpus::{Case, Hole, cases, classes, harmless, mutate};
use graphwright_core::Statement;
use graphwright_cypher::{
    Gate, InvalidName, LONG_RANGE, StatementBuilder, Writes,
    lexer::{TokenKind, tokenize},
};
use proptest::{
    prelude::*,
    sample::Index,
    test_runner::{Config, RngSeed, TestRunner},
};

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
    assert!(all.len() >= 490 && not_runnable * 100 <= all.len() * 15, "{not_runnable} of {}", all.len());
}

/// Returns as what an attack passes, if it does. One that asks for a long range may pass with a bound
/// that stops it when it runs.
fn passes(gate: &Gate, case: &Case, query: &str) -> Option<String> {
    let text = gate.check(query).ok()?.statement.text().to_owned();
    let stopped = case.effect == corpus::Effect::BreaksLimit && text.contains(LONG_RANGE);
    (!stopped).then_some(text)
}

#[test]
fn no_attack_passes() {
    let gate = Gate::default();
    let passed: Vec<_> = cases()
        .iter()
        .filter_map(|case| Some((case.id.clone(), passes(&gate, case, &case.query)?)))
        .collect();
    assert!(passed.is_empty(), "{passed:#?}");
}

#[test]
fn writing_mode_lets_no_other_attack_pass() {
    let gate = Gate { writes: Writes::Plain, ..Gate::default() };
    for case in cases().into_iter().filter(|case| case.effect != corpus::Effect::Writes) {
        assert_eq!(passes(&gate, &case, &case.query), None, "{}", case.id);
    }
}

#[test]
fn harmless_look_alikes_pass() {
    let queries = harmless();
    let gate = Gate::default();
    let refused: Vec<_> =
        queries.iter().filter_map(|query| gate.check(query).err().map(|refusal| (query, refusal))).collect();
    println!("{} harmless look-alikes, {} refused", queries.len(), refused.len());
    assert!(queries.len() >= 850, "{}", queries.len());
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

/// Builds the template with the input as a value in place of the quotes around it.
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

/// Returns text of the corpus in place of text from source code, the only kind that the builder
/// takes.
fn fixed(text: &str) -> &'static str {
    Box::leak(text.to_owned().into_boxed_str())
}

/// Returns the kinds of the tokens, ignoring how names are quoted.
fn shape(text: &str) -> Vec<TokenKind> {
    let kind = |kind| if kind == TokenKind::QuotedName { TokenKind::Word } else { kind };
    tokenize(text).unwrap().tokens.iter().map(|token| kind(token.kind)).collect()
}

/// Runs `cases` mutations of attacks. A seed always gives the same ones.
fn no_mutation_passes(seed: u64, cases: u32) {
    let all = corpus::cases();
    let config =
        Config { cases, failure_persistence: None, rng_seed: RngSeed::Fixed(seed), ..Config::default() };
    let strategy = (any::<Index>(), prop::collection::vec(any::<u8>(), 0..120));
    let found = TestRunner::new(config).run(&strategy, |(index, choices)| {
        let case = index.get(&all);
        let text = mutate(case, &choices);
        prop_assert_eq!(passes(&Gate::default(), case, &text), None, "{} passes", case.id);
        Ok(())
    });
    if let Err(found) = found {
        panic!("seed {seed}: {found}");
    }
}

#[test]
fn no_attack_passes_in_another_spelling() {
    no_mutation_passes(20_250_101, 8_000);
}

#[test]
fn no_attack_passes_in_a_fresh_spelling() {
    let seed = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs();
    no_mutation_passes(seed, 2_000);
}
