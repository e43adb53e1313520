//! Finds running titles and page numbers: lines that recur on most pages in one place.

use std::collections::{BTreeMap, BTreeSet};

use super::lines::Line;

/// Minimum number of pages on which a line must recur.
const REPEATED: usize = 3;

/// What recurs: its place in points, and its text.
type Key = (i64, i64, String);

/// Removes the lines that recur on most pages, or on most left or right ones, in one place.
///
/// At the head and at the foot of a page they may differ in their numbers.
pub(super) fn without_running(mut lines: Vec<Line>) -> Vec<Line> {
    let mut times: BTreeMap<Key, usize> = BTreeMap::new();
    let pages: Vec<&[Line]> = lines.chunk_by(|line, next| line.page == next.page).collect();
    for page in &pages {
        let here: BTreeSet<Key> = page.iter().map(key).collect();
        for key in here {
            *times.entry(key).or_default() += 1;
        }
    }
    let most = (pages.len() * 2).div_ceil(5).max(REPEATED);
    times.retain(|_, times| *times >= most);
    lines.retain(|line| !times.contains_key(&key(line)));
    lines
}

fn key(line: &Line) -> Key {
    let text = line.text();
    if !line.in_margin {
        return (line.y.round() as i64, line.start().round() as i64, text);
    }
    // A centred line begins elsewhere when its number is longer.
    let numbers_left_out = text.split(|letter: char| letter.is_ascii_digit());
    let words: Vec<&str> = numbers_left_out.filter(|words| !words.is_empty()).collect();
    (line.y.round() as i64, 0, words.join("0"))
}
