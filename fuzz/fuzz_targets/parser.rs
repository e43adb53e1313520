//! Any text has a tree, faults lie in the text, and the semantic stage reads any tree.
#![no_main]

use graphwright_cypher::syntax::{check, parse};

libfuzzer_sys::fuzz_target!(|text: &str| {
    let parsed = parse(text);
    for found in parsed.diagnostics.iter().chain(&check(&parsed.tree, text)) {
        assert!(text.get(found.span.range()).is_some());
    }
});
