//! Reads title and front matter of Markdown, and finds what in it is not text.

use std::{ops::Range, sync::LazyLock};

use graphwright_core::{Properties, Value};
use pulldown_cmark::{Event, HeadingLevel, MetadataBlockKind, Options, Parser, Tag, TagEnd};
use regex::Regex;

/// Matches `:::image source="…" alt-text="…":::`, which may span several lines; a line that opens
/// or closes a block, such as `:::note` and `:::`; and the mark of a callout, such as `[!NOTE]`.
static DIRECTIVE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let attribute = r#"\s+[\w-]+=(?:"[^"]*"|'[^']*'|[^\s"':]+)"#;
    let whole = format!(r":::[A-Za-z][\w-]*(?:{attribute})*\s*:::");
    Regex::new(&format!(r"{whole}|(?m:^[ \t>]*:::.*$)|(?m:^[ \t>]*\[![A-Za-z][^\]\n]*\])")).ok()
});

/// Returns the ranges of directives for documentation tools, which lay out the page and state
/// nothing.
pub(crate) fn directives(text: &str) -> Vec<Range<usize>> {
    let Some(directive) = DIRECTIVE.as_ref().filter(|_| text.contains(":::") || text.contains("[!")) else {
        return Vec::new();
    };
    directive.find_iter(text).map(|found| found.range()).collect()
}

/// Returns the first heading of level one, or the first heading if there is none.
pub(super) fn title(text: &str) -> Option<String> {
    let mut first = None;
    let mut heading: Option<(HeadingLevel, String)> = None;
    for event in
        Parser::new_ext(text, Options::ENABLE_YAML_STYLE_METADATA_BLOCKS | Options::ENABLE_HEADING_ATTRIBUTES)
    {
        match event {
            Event::Start(Tag::Heading { level, .. }) => heading = Some((level, String::new())),
            Event::Text(piece) | Event::Code(piece) => {
                if let Some((_, words)) = &mut heading {
                    words.push_str(&piece);
                }
            }
            Event::SoftBreak | Event::HardBreak => {
                if let Some((_, words)) = &mut heading {
                    words.push(' ');
                }
            }
            Event::End(TagEnd::Heading(_)) => {
                let Some((level, words)) = heading.take() else { continue };
                let words = words.trim().to_owned();
                if words.is_empty() {
                    continue;
                }
                if level == HeadingLevel::H1 {
                    return Some(words);
                }
                first.get_or_insert(words);
            }
            _ => {}
        }
    }
    first
}

/// Parses the front matter: texts, numbers, truth values, and lists of texts. Deeper values are
/// left out.
///
/// The block stays in the text, so that what is extracted from it has a range.
pub(super) fn front_matter(text: &str) -> Result<Properties, String> {
    let mut block: Option<String> = None;
    for (event, range) in Parser::new_ext(text, Options::ENABLE_YAML_STYLE_METADATA_BLOCKS).into_offset_iter()
    {
        match (event, &mut block) {
            (Event::Start(Tag::MetadataBlock(MetadataBlockKind::YamlStyle)), None) if range.start == 0 => {
                block = Some(String::new());
            }
            (Event::Text(piece), Some(block)) => block.push_str(&piece),
            _ => break,
        }
    }
    block.map_or_else(|| Ok(Properties::new()), |block| read_block(&block))
}

fn read_block(block: &str) -> Result<Properties, String> {
    // Here, `y`, `no` and `on` are words.
    let options = serde_saphyr::options! { strict_booleans: true };
    let read: serde_json::Value = serde_saphyr::from_str_with_options(block, options).map_err(|error| {
        let line = error.location().map_or(1, |location| location.line() + 1);
        format!("its front matter is not valid YAML (line {line}); correct it or take it out")
    })?;
    let serde_json::Value::Object(map) = read else { return Ok(Properties::new()) };
    Ok(map.iter().filter_map(|(key, value)| Some((key.clone(), simple(value)?))).collect())
}

fn simple(json: &serde_json::Value) -> Option<Value> {
    Some(match json {
        serde_json::Value::String(text) => Value::from(text.as_str()),
        serde_json::Value::Bool(truth) => Value::Boolean(*truth),
        serde_json::Value::Number(number) => match number.as_i64() {
            Some(whole) => Value::Integer(whole),
            None => Value::Float(number.as_f64()?),
        },
        serde_json::Value::Array(items) => {
            let texts =
                items.iter().map(|item| item.as_str().map(Value::from)).collect::<Option<Vec<_>>>()?;
            Value::List(texts)
        }
        serde_json::Value::Null | serde_json::Value::Object(_) => return None,
    })
}
