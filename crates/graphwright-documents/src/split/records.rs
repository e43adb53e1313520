//! Finds the borders of records in CSV, JSON and JSON Lines.

use std::ops::Range;

use crate::json::structure;

/// A record is split only if it is so many times longer than a passage: what its parts are of stands in another part.
const FAR_TOO_LONG: usize = 8;
/// What is nested deeper is not split.
const DEEPEST: usize = 32;

/// Returns the starts of passages that hold whole records.
///
/// A passage has at most `size` characters unless one record is longer. `borders` are the starts of
/// records, ascending.
pub(super) fn gather(text: &str, borders: &[usize], size: usize) -> Vec<usize> {
    let mut starts = vec![0];
    let mut length = 0;
    let mut from = 0;
    for &border in borders.iter().skip_while(|border| **border == 0).chain([&text.len()]) {
        let record = text[from..border].chars().count();
        if length > 0 && length + record > size {
            starts.push(from);
            length = 0;
        }
        length += record;
        from = border;
    }
    starts
}

/// Returns the starts of the lines.
pub(super) fn line_borders(text: &str) -> Vec<usize> {
    let after_breaks =
        text.match_indices('\n').map(|(offset, _)| offset + 1).filter(|offset| *offset < text.len());
    std::iter::once(0).chain(after_breaks).collect()
}

/// Returns the starts of the elements in the outermost list or map, and of the elements of those that are far too long for
/// passages of `size` bytes. The text must be valid JSON.
pub(super) fn json_borders(text: &str, size: usize) -> Vec<usize> {
    let commas = structure(text).filter(|(_, byte, _)| *byte == b',');
    let commas: Vec<(usize, usize)> = commas.map(|(offset, _, depth)| (offset + 1, depth)).collect();
    let mut borders = vec![0];
    add_borders(&commas, 0..text.len(), 1, size.saturating_mul(FAR_TOO_LONG), &mut borders);
    borders
}

/// Adds where the elements at a depth start, and within those that are longer than `most` the deeper ones. `commas` are those in
/// the part of the text, each with the offset behind it and its depth.
fn add_borders(
    commas: &[(usize, usize)],
    part: Range<usize>,
    depth: usize,
    most: usize,
    borders: &mut Vec<usize>,
) {
    let (mut start, mut from) = (part.start, 0);
    let own = commas.iter().enumerate().filter(|(_, (_, own))| *own == depth);
    let ends = own.map(|(at, (offset, _))| (at, *offset)).chain([(commas.len(), part.end)]);
    for (at, end) in ends {
        if end - start > most && from < at && depth < DEEPEST {
            add_borders(&commas[from..at], start..end, depth + 1, most, borders);
        }
        if end < part.end {
            borders.push(end);
        }
        (start, from) = (end, at + 1);
    }
}
