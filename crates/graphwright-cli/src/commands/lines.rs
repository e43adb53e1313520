//! Lines: reads them from standard input, none of them without end, and writes them as JSON.

use std::{
    io::{self, BufRead, ErrorKind, Read, Write},
    path::Path,
};

use anyhow::{Context, Result};
use graphwright::exchange::NewFile;
use serde::Serialize;
use serde_json::json;

use crate::{output::Output, render::count};

/// The most bytes of a line: those of a question with large parameters.
const MOST_BYTES: u64 = 64_000_000;

/// Returns the next line without its end, or `None` where nothing is left.
///
/// By bytes: a line that is no UTF-8 is one bad line, and not the end of the input.
pub(super) fn next_line(source: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    if source.take(MOST_BYTES + 1).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    } else if line.len() as u64 > MOST_BYTES {
        let message = format!("a line of it is longer than {} MB", MOST_BYTES / 1_000_000);
        return Err(io::Error::new(ErrorKind::FileTooLarge, message));
    }
    Ok(Some(line))
}

/// Writes items as JSON Lines to a file, or without one to standard output. The noun is that of one item.
pub(super) fn write_lines<T: Serialize>(
    items: &[T],
    file: Option<&Path>,
    noun: &'static str,
    output: &Output,
) -> Result<()> {
    let Some(path) = file else {
        return items.iter().try_for_each(|item| output.line(item));
    };
    let failed = || format!("cannot write {}", path.display());
    let mut target = NewFile::create(path).with_context(failed)?;
    for item in items {
        serde_json::to_writer(&mut target, item).map_err(io::Error::from).with_context(failed)?;
        target.write_all(b"\n").with_context(failed)?;
    }
    target.finish().with_context(failed)?;
    output.print(&json!({"exported": items.len(), "file": path}), |_| {
        format!("{} written to {}", count(items.len(), noun), path.display())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_with_their_end_or_with_the_input() {
        let mut source = &b"one\n\ntwo"[..];
        let mut next = || next_line(&mut source).unwrap();
        assert_eq!(
            [next(), next(), next(), next()],
            [Some(b"one".to_vec()), Some(vec![]), Some(b"two".to_vec()), None]
        );
    }

    #[test]
    fn a_line_without_end_is_an_error() {
        let error = next_line(&mut io::BufReader::new(io::repeat(0))).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::FileTooLarge);
    }
}
