//! The fields of a head that is no valid YAML, such as that of a template: its lines `key: value`.

use std::ops::Range;

use super::super::{Block, text::BlockText};

/// Returns the lines `key: value` in a range of a text.
pub(super) fn fields(text: &str, range: Range<usize>) -> Vec<Block> {
    let mut at = range.start;
    let mut found = Vec::new();
    for line in text[range].split_inclusive('\n') {
        if let Some((key, value)) = line.split_once(':')
            && !key.trim().is_empty()
            && !line.starts_with([' ', '\t', '-', '#'])
        {
            let shown = value.trim().trim_matches(['"', '\'', '[', ']']);
            let from = key.len() + 1 + value.find(shown).unwrap_or(0);
            found.push(Block::Field {
                key: key.trim().to_owned(),
                value: BlockText::copied(shown, at + from),
                group: None,
            });
        }
        at += line.len();
    }
    found
}
