//! Cuts a long text into regions that are split one by one: the splitter's work for each passage grows with all that
//! follows it.

use std::ops::Range;

/// The most bytes of a region. Texts up to this length are one.
const MOST_BYTES: usize = 64 * 1024;

/// Cuts a text at the last of `borders` in reach, else at a blank line, a line break, a space, or anywhere.
///
/// `borders` are ascending.
pub(super) fn regions(text: &str, borders: &[usize]) -> Vec<Range<usize>> {
    let mut regions = Vec::new();
    let mut start = 0;
    while text.len() - start > MOST_BYTES {
        let end = cut(text, start, borders);
        regions.push(start..end);
        start = end;
    }
    regions.push(start..text.len());
    regions
}

fn cut(text: &str, start: usize, borders: &[usize]) -> usize {
    let most = text.floor_char_boundary(start + MOST_BYTES);
    // Not in the first half, so that no region is short.
    let least = text.ceil_char_boundary(start + MOST_BYTES / 2);
    let border = borders[..borders.partition_point(|border| *border <= most)].last();
    if let Some(border) = border.filter(|border| **border >= least) {
        return *border;
    }
    let reach = &text[least..most];
    ["\n\n", "\n", " "]
        .into_iter()
        .find_map(|gap| reach.rfind(gap).map(|at| least + at + gap.len()))
        .unwrap_or(most)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lengths(text: &str, borders: &[usize]) -> Vec<usize> {
        regions(text, borders).into_iter().map(|region| region.len()).collect()
    }

    #[test]
    fn a_long_text_is_cut_at_the_largest_gap_in_reach() {
        assert_eq!(lengths("short", &[2]), [5]);
        assert_eq!(lengths(&"x".repeat(100_000), &[50_000, 60_000, 70_000]), [60_000, 40_000]);
        assert_eq!(lengths(&"x".repeat(100_000), &[10]), [65_536, 34_464]);
        assert_eq!(lengths(&"ä".repeat(50_000), &[]), [65_536, 34_464]);
        let lines = format!("{}\n\n{} {}", "x".repeat(40_000), "y".repeat(20_000), "z".repeat(40_000));
        assert_eq!(lengths(&lines, &[]), [40_002, 60_001]);
    }
}
