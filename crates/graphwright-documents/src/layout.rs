//! The structure of a text: its blocks, links and front matter.

use std::sync::Arc;

use graphwright_core::document::TextFormat;

use crate::{
    blocks::{self, Block, head, markdown},
    links::{self, WrittenLink},
};
/// The structure found in a text.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) blocks: Arc<[Block]>,
    pub(crate) links: Vec<WrittenLink>,
    /// The front matter of Markdown.
    pub(crate) front_matter: Option<head::Read>,
}

impl Layout {
    /// Reads a text in one pass.
    pub(crate) fn read(text: &str, format: TextFormat) -> Self {
        let markdown::Markdown { mut blocks, links, front_matter } = match format {
            TextFormat::Markdown => markdown::read(&links::without_templates(text)),
            _ => markdown::Markdown {
                blocks: blocks::read_unmarked(text, format),
                ..markdown::Markdown::default()
            },
        };
        blocks::end_sentences_at_fields(&mut blocks);
        Self { blocks: blocks.into(), links, front_matter }
    }

    /// The structure of a text whose blocks are known.
    pub(crate) fn of_blocks(blocks: Vec<Block>) -> Self {
        Self { blocks: blocks.into(), links: Vec::new(), front_matter: None }
    }

    pub(crate) fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// Returns the first heading of level one, else the first heading.
    pub(crate) fn title(&self) -> Option<String> {
        self.heading(1).or_else(|| self.heading(u8::MAX))
    }

    /// Returns what a line `Title: …` in the first block says.
    pub(crate) fn stated_title(&self) -> Option<String> {
        let Some(Block::Paragraph(text)) = self.blocks.first() else { return None };
        let title = |line: &str| {
            let (key, value) = line.split_once(':')?;
            key.trim().eq_ignore_ascii_case("title").then(|| value.trim().to_owned())
        };
        text.text.lines().find_map(title).filter(|title| !title.is_empty())
    }

    /// Returns what a file that is one record calls it.
    pub(crate) fn stated_name(&self) -> Option<String> {
        let said = |wanted: &str| {
            self.blocks.iter().find_map(|block| match block {
                Block::Field { key, value, .. } if key.eq_ignore_ascii_case(wanted) => {
                    Some(value.on_one_line())
                }
                _ => None,
            })
        };
        let is_record =
            !self.blocks.is_empty() && self.blocks.iter().all(|block| matches!(block, Block::Field { .. }));
        ["title", "name"].into_iter().find_map(said).filter(|name| is_record && !name.is_empty())
    }

    /// Returns the first heading of at most this level.
    pub(crate) fn heading(&self, most: u8) -> Option<String> {
        self.blocks.iter().find_map(|block| match block {
            Block::Heading { level, text, .. } if *level <= most => {
                Some(text.on_one_line()).filter(|words| !words.is_empty())
            }
            _ => None,
        })
    }
}
