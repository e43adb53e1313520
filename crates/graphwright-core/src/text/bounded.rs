use std::io::{self, ErrorKind, Read};

/// Reads a whole text, unless it is longer than `most_bytes`: a device or a pipe that somebody names may have no end.
///
/// ```
/// use graphwright_core::text::read_at_most;
///
/// assert_eq!(read_at_most("ledger".as_bytes(), 6)?, "ledger");
/// assert!(read_at_most(std::io::repeat(b'x'), 1_000_000).is_err());
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// [`ErrorKind::FileTooLarge`] if it is longer, [`ErrorKind::InvalidData`] if it is not UTF-8, and what the source fails with.
pub fn read_at_most(source: impl Read, most_bytes: u64) -> io::Result<String> {
    let mut bytes = Vec::new();
    // One byte more tells a text of exactly the limit from a longer one.
    source.take(most_bytes.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most_bytes {
        let message = format!("it is longer than {} MB", most_bytes / 1_000_000);
        return Err(io::Error::new(ErrorKind::FileTooLarge, message));
    }
    String::from_utf8(bytes)
        .map_err(|_| io::Error::new(ErrorKind::InvalidData, "stream did not contain valid UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_long_and_what_is_no_text_are_told_apart() {
        let kind = |bytes: &[u8], most| read_at_most(bytes, most).unwrap_err().kind();
        assert_eq!(kind("größer".as_bytes(), 3), ErrorKind::FileTooLarge);
        assert_eq!(kind(b"a\xff", 3), ErrorKind::InvalidData);
        assert_eq!(read_at_most("größer".as_bytes(), 8).unwrap(), "größer");
    }
}
