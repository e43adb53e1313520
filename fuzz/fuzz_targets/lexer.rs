//! Any text is split into tokens that lie one behind the other, or refused.
#![no_main]

use graphwright_cypher::lexer::tokenize;

libfuzzer_sys::fuzz_target!(|text: &str| {
    if let Ok(found) = tokenize(text) {
        for pair in found.tokens.windows(2) {
            assert!(pair[0].span.end <= pair[1].span.start);
        }
        assert!(found.tokens.iter().all(|token| !token.text(text).is_empty()));
    }
});
