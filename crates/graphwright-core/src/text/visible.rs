//! Text from elsewhere, made safe to print: what a terminal would obey or hide is shown as text.

use std::{borrow::Cow, fmt::Write};

/// Shows what a terminal would obey or hide as text, in the form of Rust's `{:?}`: `\u{1b}`.
///
/// Shown are control characters (C0 but for line feed and tab, DEL, C1), separators of lines and
/// paragraphs, controls of the direction of writing, tags, marks of byte order and other format
/// characters that have no look of their own. A carriage return before a line feed is part of the
/// line break and left out. All else stays as it is, in any script: joiners and the space of no
/// width too, unless they follow an ASCII character, where they shape nothing and only hide.
///
/// ```
/// use graphwright_core::text::visible;
///
/// assert_eq!(visible("\u{1b}[2Jnew\tline\n"), "\\u{1b}[2Jnew\tline\n");
/// assert_eq!(visible("می\u{200c}خواهم"), "می\u{200c}خواهم");
/// ```
pub fn visible(text: &str) -> Cow<'_, str> {
    let is_kept = |character| matches!(character, '\n' | '\t');
    if text.contains("\r\n") {
        return Cow::Owned(escaped(&text.replace("\r\n", "\n"), is_kept, escape_debug).into_owned());
    }
    escaped(text, is_kept, escape_debug)
}

/// Shows what [`visible`] shows, and line feeds and tabs too: for a name within a line.
///
/// ```
/// use graphwright_core::text::visible_on_one_line;
///
/// assert_eq!(visible_on_one_line("a.md\nerror: none"), "a.md\\nerror: none");
/// ```
pub fn visible_on_one_line(text: &str) -> Cow<'_, str> {
    escaped(text, |_| false, escape_debug)
}

/// Escapes in a text in JSON what [`visible`] would show, as `\u001b`. It stays the same JSON.
///
/// ```
/// use graphwright_core::text::visible_json;
///
/// assert_eq!(visible_json("\"a\u{202e}b\""), "\"a\\u202eb\"");
/// ```
pub fn visible_json(json: &str) -> Cow<'_, str> {
    // Outside of strings, JSON has only these, and inside of them it has them escaped.
    escaped(json, |character| matches!(character, '\n' | '\r' | '\t'), escape_json)
}

/// Escapes what is hidden and not to be kept.
fn escaped(text: &str, is_kept: impl Fn(char) -> bool, escape: impl Fn(&mut String, char)) -> Cow<'_, str> {
    let mut previous = None;
    let mut is_escaped = |character: char| {
        let hidden = is_hidden(character, previous) && !is_kept(character);
        previous = Some(character);
        hidden
    };
    let Some(first) = text.char_indices().find(|(_, character)| is_escaped(*character)) else {
        return Cow::Borrowed(text);
    };
    let (plain, rest) = text.split_at(first.0);
    let mut shown = String::with_capacity(text.len() + 16);
    shown.push_str(plain);
    escape(&mut shown, first.1);
    for character in rest.chars().skip(1) {
        if is_escaped(character) { escape(&mut shown, character) } else { shown.push(character) }
    }
    Cow::Owned(shown)
}

fn escape_debug(shown: &mut String, character: char) {
    shown.extend(character.escape_debug());
}

fn escape_json(shown: &mut String, character: char) {
    for unit in character.encode_utf16(&mut [0; 2]) {
        let _ = write!(shown, "\\u{unit:04x}");
    }
}

/// Whether a character steers what is seen and is not seen itself.
///
/// The ranges are those of the properties `Bidi_Control` and `Default_Ignorable_Code_Point` of
/// Unicode 17 (UAX #9 and UAX #44) without what writing in some script needs: the soft hyphen,
/// joiners of graphemes, vowels, fillers and selectors of variants.
fn is_hidden(character: char, previous: Option<char>) -> bool {
    match character {
        ' '..='~' => false,
        // The space of no width (Khmer, Thai) and the two joiners (Persian, Hindi, emoji).
        '\u{200b}'..='\u{200d}' => previous.is_some_and(|previous| previous.is_ascii()),
        // The direction of writing, and separators of lines and paragraphs.
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        // Invisible operators, deprecated format characters, byte order, annotations.
        | '\u{2060}'..='\u{2065}' | '\u{206a}'..='\u{206f}' | '\u{feff}' | '\u{fff0}'..='\u{fffb}'
        // Shorthand, music, tags.
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e00ff}' => true,
        _ => character.is_control(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_obeys_is_shown() {
        assert_eq!(visible("\u{1b}]52;c;aGk=\u{7}"), "\\u{1b}]52;c;aGk=\\u{7}");
        assert_eq!(visible("safe\rfake"), "safe\\rfake");
        assert_eq!(visible("a\u{9b}2Jb\u{7f}\u{8}\u{b}\u{c}\0"), "a\\u{9b}2Jb\\u{7f}\\u{8}\\u{b}\\u{c}\\0");
        assert_eq!(visible("a\u{85}b\u{2028}c\u{2029}d"), "a\\u{85}b\\u{2028}c\\u{2029}d");
    }

    #[test]
    fn what_turns_or_hides_text_is_shown() {
        let hidden = "\u{61c}\u{200e}\u{200f}\u{202a}\u{202e}\u{2066}\u{2069}\u{2060}\u{feff}\u{fff9}\u{e0001}\u{e0061}";
        let shown: String =
            hidden.chars().map(|character| format!("\\u{{{:x}}}", character as u32)).collect();
        assert_eq!(visible(hidden), shown);
        assert_eq!(visible("pay\u{200b}pal"), "pay\\u{200b}pal");
    }

    #[test]
    fn ordinary_text_is_not_copied() {
        for text in [
            "",
            "two\nlines\tand a tab",
            "größer naïve e\u{301}",
            "می\u{200c}خواهم",
            "क्\u{200d}ष",
            "ខ្មែរ\u{200b}ខ្មែរ",
            "👩\u{200d}💻 ❤\u{fe0f}\u{200d}🔥 1\u{fe0f}\u{20e3}",
            "שלום 漢字 co\u{ad}operate",
        ] {
            assert!(matches!(visible(text), Cow::Borrowed(_)), "{text:?}");
        }
    }

    #[test]
    fn line_breaks_of_windows_are_line_breaks() {
        assert_eq!(visible("one\r\ntwo\r"), "one\ntwo\\r");
        assert_eq!(visible_on_one_line("one\r\n\ttwo"), "one\\r\\n\\ttwo");
    }

    #[test]
    fn json_stays_the_same_json() {
        let text = "a\u{85}\u{7f}\u{202e}\u{e0041}\u{1b}é";
        let json = serde_json::to_string(text).unwrap();
        let shown = visible_json(&json);
        assert_eq!(shown, r#""a\u0085\u007f\u202e\udb40\udc41\u001bé""#);
        assert_eq!(serde_json::from_str::<String>(&shown).unwrap(), text);
    }
}
