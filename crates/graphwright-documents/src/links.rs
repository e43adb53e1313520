//! Links between documents, and the documents to which they lead.

mod targets;
mod templates;

use std::{collections::BTreeSet, ops::Range};

use graphwright_core::Span;
use pulldown_cmark::{Event, Tag, TagEnd};

pub use targets::{Lead, LinkTargets};
pub(crate) use templates::without_templates;

/// A link that may lead to another document.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Link {
    /// Path below the ingested folder, without anchor. Begins with `/` if the link in the text
    /// does.
    pub target: String,
    /// Text of the link.
    pub text: String,
    /// Byte range of the link in the document.
    pub span: Span,
}

/// A link as it is written in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WrittenLink {
    target: String,
    text: String,
    span: Span,
}

/// A collector of the links of Markdown: inline, by reference, or as HTML.
#[derive(Debug, Default)]
pub(crate) struct LinkReader {
    pub(crate) found: Vec<WrittenLink>,
    open: Option<WrittenLink>,
}

impl LinkReader {
    pub(crate) fn event(&mut self, event: &Event<'_>, range: &Range<usize>) {
        let span = Span::new(range.start, range.end);
        match (event, &mut self.open) {
            (Event::Start(Tag::Link { dest_url, .. }), _) => {
                self.open = Some(WrittenLink { target: dest_url.to_string(), text: String::new(), span });
            }
            (Event::Text(piece) | Event::Code(piece), Some(link)) => link.text.push_str(piece),
            (Event::SoftBreak | Event::HardBreak, Some(link)) => link.text.push(' '),
            (Event::End(TagEnd::Link), _) => self.found.extend(self.open.take()),
            (Event::Html(html) | Event::InlineHtml(html), _) => {
                let written = references(html).map(|target| WrittenLink {
                    target: target.to_owned(),
                    text: String::new(),
                    span,
                });
                self.found.extend(written);
            }
            _ => {}
        }
    }
}

/// Returns the links of the document at `source` to anything that is not a web address.
///
/// Relative paths start at the document's folder. Links within the document are left out. If
/// several links have one target, the longest text stays.
pub(crate) fn resolve_all(source: &str, written: &[WrittenLink]) -> Vec<Link> {
    let links: BTreeSet<Link> = written
        .iter()
        .filter_map(|link| {
            Some(Link { target: resolve(source, &link.target)?, text: link.text.clone(), span: link.span })
        })
        .collect();
    let mut seen = BTreeSet::new();
    // One link to a target is enough; the set is sorted, so the longest text comes last.
    links.into_iter().rev().filter(|link| seen.insert(link.target.clone())).collect()
}

/// Returns the values of `href` in a piece of HTML.
fn references(html: &str) -> impl Iterator<Item = &str> {
    html.split("href=").skip(1).filter_map(|rest| {
        let quote = rest.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        rest[1..].split(quote).next()
    })
}

/// Resolves a link in the document at `source` to a path.
///
/// Returns `None` for web addresses and for anchors in the same document.
fn resolve(source: &str, link: &str) -> Option<String> {
    let path = link.split(['#', '?']).next().unwrap_or_default().trim();
    let scheme = path.split_once(':').is_some_and(|(scheme, _)| !scheme.contains('/'));
    if path.is_empty() || scheme || path.starts_with("//") {
        return None;
    }
    let path = unescape(path);
    let (absolute, mut parts): (bool, Vec<&str>) = match path.strip_prefix('/') {
        Some(_) => (true, Vec::new()),
        None => (false, source.split('/').rev().skip(1).collect::<Vec<_>>().into_iter().rev().collect()),
    };
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            name => parts.push(name),
        }
    }
    let joined = parts.join("/");
    (!joined.is_empty() && joined != source).then(|| if absolute { format!("/{joined}") } else { joined })
}

/// Decodes escapes such as `%20`. Anything else stays.
fn unescape(path: &str) -> String {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let [first, tail @ ..] = rest {
        let escape = match (first, tail) {
            (b'%', [high, low, after @ ..]) => std::str::from_utf8(&[*high, *low])
                .ok()
                .and_then(|figures| u8::from_str_radix(figures, 16).ok())
                .map(|byte| (byte, after)),
            _ => None,
        };
        let (byte, after) = escape.unwrap_or((*first, tail));
        bytes.push(byte);
        rest = after;
    }
    String::from_utf8(bytes).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use graphwright_core::{Document, Properties, document::TextFormat};

    use crate::ParsedDocument;

    fn links(source: &str, text: &str) -> Vec<(String, String)> {
        let document = Document {
            id: source.to_owned(),
            source: source.to_owned(),
            title: String::new(),
            text: text.to_owned(),
            format: TextFormat::Markdown,
            hash: String::new(),
            metadata: Properties::new(),
        };
        let mut links: Vec<_> =
            ParsedDocument::from(document).links().into_iter().map(|link| (link.target, link.text)).collect();
        links.sort();
        links
    }

    #[test]
    fn all_forms_of_links_are_read() {
        let text = "[a](../x/a.md#part) [b][1] <a href=\"c%20d.md\">c</a> [out](https://example.org/a.md) [self](#top) \
                    [root](/site/docs/e) [mail](mailto:a@b.c) [me](here.md)\n\n[1]: b.md \"B\"\n";
        let found = links("docs/here.md", text);
        let targets: Vec<_> = found.iter().map(|(target, _)| target.as_str()).collect();
        assert_eq!(targets, ["/site/docs/e", "docs/b.md", "docs/c d.md", "x/a.md"]);
        assert_eq!(found[3].1, "a");
    }

    #[test]
    fn links_above_the_folder_lead_nowhere() {
        assert_eq!(links("a.md", "[x](../x.md)"), vec![]);
    }
}
