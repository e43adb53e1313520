//! Splits that come out the same each time.

/// FNV-1a (<http://www.isthe.com/chongo/tech/comp/fnv/>).
pub(crate) fn hash(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// A query without its values: two questions of one shape ask for the same with other values.
pub(crate) fn shape(query: &str) -> String {
    let mut shape = String::new();
    let mut in_text = false;
    for letter in query.chars() {
        if letter == '"' {
            in_text = !in_text;
            shape.push('"');
        } else if !in_text {
            shape.push(letter);
        }
    }
    shape
}
