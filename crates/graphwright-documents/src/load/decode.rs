//! Decodes bytes to text: UTF-8 with or without a byte order mark, UTF-16 with one.

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
