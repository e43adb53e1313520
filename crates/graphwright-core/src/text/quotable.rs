//! Text from elsewhere, made fit to be quoted to a model.

use std::borrow::Cow;

use super::visible;

/// The characters that end a line, for some reader at least: the mandatory breaks of UAX #14.
const BREAKS: [char; 7] = ['\n', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}'];

/// Makes a text from elsewhere fit to be quoted to a model: every line break becomes a line feed,
/// and what would be hidden is shown as [`visible`] shows it.
///
/// So who puts a mark before each line of the result has marked all that a reader may take for a
/// line, and nothing in the text looks like a heading, a number or a note around it.
///
/// ```
/// use graphwright_core::text::quotable;
///
/// assert_eq!(quotable("one\r\ntwo\u{2028}three\u{202e}"), "one\ntwo\nthree\\u{202e}");
/// ```
pub fn quotable(text: &str) -> Cow<'_, str> {
    if !text.contains(&BREAKS[1..]) {
        return visible(text);
    }
    let broken = text.replace("\r\n", "\n").replace(BREAKS, "\n");
    Cow::Owned(visible(&broken).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_break_is_a_line_feed() {
        for line_break in BREAKS {
            assert_eq!(quotable(&format!("one{line_break}two{line_break}")), "one\ntwo\n", "{line_break:?}");
        }
        assert_eq!(quotable("\r\n\n\r"), "\n\n\n");
        assert!(matches!(quotable("one\ntwo"), Cow::Borrowed("one\ntwo")));
    }
}
