//! What was read without a fault is printed as text that reads the same.
#![no_main]

use graphwright_cypher::syntax::{parse, print};

libfuzzer_sys::fuzz_target!(|text: &str| {
    let parsed = parse(text);
    if parsed.diagnostics.is_empty() {
        let printed = print(&parsed.tree);
        let again = parse(&printed);
        assert!(again.diagnostics.is_empty(), "{printed}: {:?}", again.diagnostics);
        assert_eq!(print(&again.tree), printed);
    }
});
