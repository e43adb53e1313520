//! Sections that are fields: `## Status` with `Accepted` below it, as in records of decisions (Nygard 2011, MADR).

use graphwright_documents::blocks::{Block, text::BlockText};

/// A section of more blocks is text.
const MOST_BLOCKS: usize = 6;
/// A block of more words is text.
const MOST_WORDS: usize = 12;

/// A heading with a few words below it.
#[derive(Clone, Debug)]
pub(crate) struct Section {
    pub(crate) key: String,
    pub(crate) value: BlockText,
    /// Numbers of its blocks, with that of the heading.
    pub(crate) blocks: Vec<usize>,
}

/// The short sections of a document, of the highest level below its title.
pub(super) fn short(blocks: &[Block], title: Option<usize>) -> Vec<Section> {
    let headings: Vec<(usize, u8, &BlockText)> = blocks
        .iter()
        .enumerate()
        .filter_map(|(index, block)| match block {
            Block::Heading { level, text, .. } if Some(index) != title => Some((index, *level, text)),
            _ => None,
        })
        .collect();
    let Some(highest) = headings.iter().map(|(_, level, _)| *level).min() else { return Vec::new() };
    let ends = headings.iter().skip(1).map(|(index, ..)| *index).chain([blocks.len()]);
    let sections = headings.iter().zip(ends).filter(|((_, level, _), _)| *level == highest);
    let read = |(&(index, _, text), end): (&(usize, u8, &BlockText), usize)| {
        let value = value_of(blocks.get(index + 1..end)?)?;
        let key = text.on_one_line().trim_end_matches(':').to_owned();
        Some(Section { key, value, blocks: (index..end).collect() })
    };
    sections.filter_map(read).collect()
}

/// What a short section says: its first line, or the items of its list.
fn value_of(body: &[Block]) -> Option<BlockText> {
    let short = |text: &BlockText| text.text.split_whitespace().count() <= MOST_WORDS;
    let texts: Option<Vec<&BlockText>> = body
        .iter()
        .map(|block| match block {
            Block::Paragraph(text) | Block::Item { text } => Some(text).filter(|text| short(text)),
            _ => None,
        })
        .collect();
    let texts = texts.filter(|texts| texts.len() <= MOST_BLOCKS)?;
    let items = body.iter().all(|block| matches!(block, Block::Item { .. }));
    match texts.as_slice() {
        [] => None,
        [_, _, ..] if items => Some(BlockText::list(texts.iter().map(|text| {
            let range = text.trim(0..text.text.len());
            (&text.text[range.clone()], text.span(range).range())
        }))),
        [first, ..] => {
            let end = first.text.trim_end().find('\n').unwrap_or(first.text.len());
            Some(first.part(first.trim(0..end))).filter(|value| !value.text.is_empty())
        }
    }
}

#[cfg(test)]
mod tests {
    use graphwright_core::{Document, Properties, document::TextFormat};
    use graphwright_documents::ParsedDocument;

    use crate::head::Head;

    #[test]
    fn a_heading_with_a_few_words_below_it_is_a_field() {
        let text = "# Use gates\n\n## Status\n\nAccepted\n\nReplaces 3.\n\n## Deciders\n\n- Ada Roe\n- Bo Ek\n\n## Context\n\n\
                    The gates have been open for longer than anybody here is able to remember, says Bo.\n\n### Note\n\nShort.\n\n## Empty\n";
        let document = ParsedDocument::from(Document {
            id: "a".to_owned(),
            source: "a".to_owned(),
            title: "a".to_owned(),
            text: text.to_owned(),
            format: TextFormat::Markdown,
            hash: String::new(),
            metadata: Properties::new(),
        });
        let sections = Head::read(document.blocks(), &document.text).sections;
        let shown: Vec<String> = sections
            .iter()
            .map(|section| {
                format!("{} = {} ({:?})", section.key, section.value.on_one_line(), section.blocks)
            })
            .collect();
        assert_eq!(shown, ["Status = Accepted ([1, 2, 3])", "Deciders = Ada Roe; Bo Ek ([4, 5, 6])"]);
    }
}
