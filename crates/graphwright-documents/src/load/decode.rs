//! Decodes bytes to text: UTF-8 with or without a byte order mark, UTF-16 with one, and the encodings before Unicode.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};

/// Decodes a file to text, without the byte order mark.
///
/// Refuses invalid bytes and names their offset. Replacing them would put text into the graph that
/// is not in the file.
pub(super) fn decode(bytes: &[u8]) -> Result<String, String> {
    let text = match bytes {
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes)?,
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes)?,
        [0xef, 0xbb, 0xbf, rest @ ..] => utf8(rest, 3)?.to_owned(),
        _ => utf8(bytes, 0)?.to_owned(),
    };
    match text.find('\0') {
        Some(offset) => Err(format!("is a binary file, not text (a zero byte at offset {offset})")),
        None => Ok(text),
    }
}

/// Turns text in an encoding that older programs write (Windows-1252, KOI8-R, Shift_JIS …) into UTF-8, and says so. Bytes
/// that are UTF-8 but for a fault, or no text, stay as they are.
pub(super) fn in_utf8(bytes: &[u8]) -> (Cow<'_, [u8]>, Option<String>) {
    match transcode(bytes) {
        Some((text, encoding)) => (
            text.into_bytes().into(),
            Some(format!("its text is not UTF-8 and was read as {encoding}; save it as UTF-8")),
        ),
        None => (bytes.into(), None),
    }
}

fn transcode(bytes: &[u8]) -> Option<(String, &'static str)> {
    let is_control = |byte: &u8| byte.is_ascii_control() && !byte.is_ascii_whitespace();
    // Of UTF-8 with a fault, some letters are right.
    let is_utf8 = bytes.utf8_chunks().any(|chunk| !chunk.valid().is_ascii());
    let has_mark = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
    if bytes.is_ascii() || is_utf8 || has_mark || bytes.iter().any(is_control) {
        return None;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    let encoding = detector.guess(None, Utf8Detection::Deny);
    let text = encoding.decode_without_bom_handling_and_without_replacement(bytes)?;
    // What Windows-1252 has no letter for is decoded as a control character.
    let is_text = !text.chars().any(|letter| matches!(letter, '\u{80}'..='\u{9f}'));
    is_text.then(|| (text.into_owned(), encoding.name()))
}

/// Returns whether the first bytes of a file are text that [`decode`] would accept.
pub(super) fn looks_like_text(head: &[u8]) -> bool {
    if head.starts_with(&[0xff, 0xfe]) || head.starts_with(&[0xfe, 0xff]) {
        return true;
    }
    let valid = match std::str::from_utf8(head) {
        Ok(_) => true,
        // The cut may fall inside a character.
        Err(error) => error.error_len().is_none(),
    };
    valid && !head.contains(&0)
}

fn utf8(bytes: &[u8], before: usize) -> Result<&str, String> {
    std::str::from_utf8(bytes).map_err(|error| {
        let offset = error.valid_up_to();
        let byte = bytes.get(offset).copied().unwrap_or_default();
        let place = format!("byte 0x{byte:02x} at offset {}", offset + before);
        if bytes[..bytes.len().min(8192)].contains(&0) {
            format!("is a binary file, not text ({place})")
        } else {
            format!("is not valid UTF-8 ({place}); save it as UTF-8")
        }
    })
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, String> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    if !rest.is_empty() {
        return Err(format!("is not valid UTF-16 (half a character at offset {})", bytes.len() + 1));
    }
    let mut text = String::with_capacity(pairs.len());
    let mut offset = 2;
    for decoded in char::decode_utf16(pairs.iter().map(|pair| unit(*pair))) {
        let character = decoded
            .map_err(|_| format!("is not valid UTF-16 (half a pair at offset {offset}); save it as UTF-8"))?;
        text.push(character);
        offset += 2 * character.len_utf16();
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rstest::rstest]
    #[case(b"Caf\xe9 opening hours", Some("Caf\u{e9} opening hours"))]
    #[case(b"The \x93north\x94 gate \x96 open", Some("The \u{201c}north\u{201d} gate \u{2013} open"))]
    #[case("Café \u{fffd}".as_bytes(), None)]
    #[case(b"caf\xc3\xa9 and caf\xe9", None)]
    #[case(b"a\x00\xe9", None)]
    #[case(b"%PDF \x01\xe2\xe3", None)]
    #[case(b"a \x81", None)]
    #[case(b"plain", None)]
    fn older_encodings_are_read(#[case] bytes: &[u8], #[case] expected: Option<&str>) {
        let (read, remark) = in_utf8(bytes);
        assert_eq!(remark.is_some(), expected.is_some());
        assert_eq!(read, expected.map_or(bytes, str::as_bytes));
    }

    #[test]
    fn the_encoding_is_found_by_its_letters() {
        let (koi8, ..) = encoding_rs::KOI8_R.encode("Ворота открыты до полудня, затем закрыты.");
        let (read, remark) = in_utf8(&koi8);
        assert_eq!(read, "Ворота открыты до полудня, затем закрыты.".as_bytes());
        assert!(remark.unwrap().contains("KOI8"));
    }
}
