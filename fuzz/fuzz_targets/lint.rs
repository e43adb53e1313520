//! The lint has an answer to every text, and its fixes are of bytes that are there.
#![no_main]

use std::sync::LazyLock;

use graphwright_core::GraphSchema;
use graphwright_cypher::{lint::Lint, render, syntax::parse};

static LINT: LazyLock<Lint> = LazyLock::new(|| {
    let schema = include_str!("../../crates/graphwright-cypher/tests/public_lint/schemas/wwc.json");
    Lint::new(&GraphSchema::from_json(schema).expect("a schema"))
});

libfuzzer_sys::fuzz_target!(|text: &str| {
    // Also of what could not be read: the tree is all that the lint asks for.
    let found = LINT.check(&parse(text).tree, text);
    for diagnostic in &found {
        assert!(text.get(diagnostic.span.range()).is_some(), "{diagnostic:?}");
        if let Some(fix) = &diagnostic.fix {
            assert!(text.get(fix.span.range()).is_some(), "{diagnostic:?}");
        }
    }
    render("text", text, &found);
});
