//! Frames: a length in four bytes (little-endian), then as many bytes.

use std::io::{self, Read, Write};

/// The most bytes of a frame. A frame that claims more is not read.
const LONGEST: u32 = 1 << 30;

/// Writes a frame and flushes.
pub(crate) fn write(writer: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    let length = u32::try_from(bytes.len()).ok().filter(|length| *length <= LONGEST);
    let length = length.ok_or_else(|| io::Error::other("a message of more than 1 GiB"))?;
    writer.write_all(&length.to_le_bytes())?;
    writer.write_all(bytes)?;
    writer.flush()
}

/// Reads a frame. Returns `None` at the end.
pub(crate) fn read(reader: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 4];
    if let Err(error) = reader.read_exact(&mut length) {
        return if error.kind() == io::ErrorKind::UnexpectedEof { Ok(None) } else { Err(error) };
    }
    let length = u32::from_le_bytes(length);
    if length > LONGEST {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "not a frame"));
    }
    // What is not sent is not allocated.
    let mut bytes = Vec::new();
    let read = reader.take(u64::from(length)).read_to_end(&mut bytes)?;
    if read < length as usize {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(Some(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_come_back_one_by_one() {
        let mut bytes = Vec::new();
        write(&mut bytes, b"one").unwrap();
        write(&mut bytes, b"").unwrap();
        let mut reader = bytes.as_slice();
        assert_eq!(read(&mut reader).unwrap().unwrap(), b"one");
        assert_eq!(read(&mut reader).unwrap().unwrap(), b"");
        assert!(read(&mut reader).unwrap().is_none());
    }

    #[test]
    fn what_is_no_frame_is_an_error() {
        assert!(read(&mut b"\xff\xff\xff\xffabc".as_slice()).is_err());
        assert!(read(&mut b"\x05\0\0\0abc".as_slice()).is_err(), "shorter than it says");
    }
}
