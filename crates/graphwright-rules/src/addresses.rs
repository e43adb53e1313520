//! People with their addresses: `Ada Roe <ada@example.org>`.

/// The name before a mail address; the text itself where there is none.
///
/// Markdown shows an address in angle brackets without them.
pub(crate) fn without_address(text: &str) -> &str {
    let Some(start) = address(text) else { return text };
    let name = text[..start].trim_end_matches([' ', '\t', '\n', '<', '(', '[', ',']);
    if name.trim().is_empty() { text } else { name }
}

/// Whether a text has a mail address.
pub(crate) fn has_address(text: &str) -> bool {
    address(text).is_some()
}

/// Where the first word that is a mail address begins.
fn address(text: &str) -> Option<usize> {
    let is_address = |word: &str| {
        let parts = word.trim_matches(['<', '>', '(', ')', '[', ']', ',', ';', '.']).split_once('@');
        parts.is_some_and(|(user, host)| !user.is_empty() && host.contains('.') && !host.contains('@'))
    };
    text.split_whitespace().filter(|word| is_address(word)).find_map(|word| text.find(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_what_stands_before_the_address() {
        for text in ["Ada Roe <ada@x.org>", "Ada Roe ada@x.org", "Ada Roe (ada@x.org)", "Ada Roe"] {
            assert_eq!(without_address(text), "Ada Roe", "{text}");
        }
        assert_eq!(without_address("ada@x.org"), "ada@x.org");
        assert_eq!(without_address("Ada (@ada)"), "Ada (@ada)");
    }
}
