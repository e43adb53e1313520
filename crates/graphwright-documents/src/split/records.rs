//! Finds the borders of records in CSV, JSON and JSON Lines.

use crate::json::structure;

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

/// Returns the starts of the elements in the outermost list or map. The text must be valid JSON.
pub(super) fn json_borders(text: &str) -> Vec<usize> {
    let commas = structure(text).filter(|(_, byte, depth)| (*byte, *depth) == (b',', 1));
    std::iter::once(0).chain(commas.map(|(offset, ..)| offset + 1)).collect()
}
