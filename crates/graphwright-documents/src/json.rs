//! The structure of JSON text, which need not be valid.

/// Returns the bytes outside of strings, each with its offset and the number of lists and maps that are open behind it.
pub(crate) fn structure(text: &str) -> impl Iterator<Item = (usize, u8, usize)> {
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    text.bytes().enumerate().filter_map(move |(offset, byte)| {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            _ if quoted => {}
            _ => {
                match byte {
                    b'[' | b'{' => depth += 1,
                    b']' | b'}' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                return Some((offset, byte, depth));
            }
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_in_strings_is_left_out() {
        let found: Vec<_> = structure(r#"[{"a]\"":1}]"#).collect();
        assert_eq!(
            found,
            [(0, b'[', 1), (1, b'{', 2), (8, b':', 2), (9, b'1', 2), (10, b'}', 1), (11, b']', 0)]
        );
    }
}
