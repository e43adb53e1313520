//! Converts HTML to Markdown.

mod depth;

use std::{borrow::Cow, sync::LazyLock};

use dom_smoothie::{Config, Readability};
use htmd::{Element, HtmlToMarkdown, element_handler::Handlers};
use regex::{Captures, Regex};

use crate::layout::Layout;
use graphwright_core::document::TextFormat;

/// Elements whose text is not part of a page's content.
const SKIPPED: [&str; 13] = [
    "script", "style", "noscript", "template", "nav", "header", "footer", "aside", "form", "iframe", "svg",
    "button", "head",
];

/// A page as Markdown.
pub(super) struct Page {
    pub(super) text: String,
    pub(super) title: Option<String>,
}

/// Converts a page to Markdown.
///
/// Takes the main text if it holds between half and three quarters of the words, that is, if the
/// page has much beside it. Otherwise takes the whole body without navigation, scripts and forms,
/// which keeps the page's structure.
pub(super) fn to_markdown(html: &str) -> Result<Page, String> {
    let whole = convert(html)?;
    let article = Readability::new(html, None, Some(Config::default()))
        .ok()
        .and_then(|mut readability| readability.parse().ok());
    let page_title = article.as_ref().map(|article| article.title.trim().to_owned());
    let title =
        Layout::read(&whole, TextFormat::Markdown).title().or(page_title).filter(|title| !title.is_empty());
    let all = words(&whole);
    let main = match &article {
        Some(article) => Some(convert(&article.content)?)
            .filter(|main| words(main) * 2 >= all && words(main) * 4 <= all * 3),
        None => None,
    };
    let mut text = main.unwrap_or(whole);
    if let Some(title) = &title
        && !text.lines().any(|line| line.starts_with("# "))
    {
        text = format!("# {title}\n\n{text}");
    }
    Ok(Page { text, title })
}

/// Converts a page, or a piece of one, without navigation, scripts and forms.
pub(super) fn convert(html: &str) -> Result<String, String> {
    depth::check(html)?;
    // Keeps definition lists: `term` with `: definition` below it.
    let converter = HtmlToMarkdown::builder()
        .skip_tags(SKIPPED.to_vec())
        .add_handler(vec!["dt"], |handlers: &dyn Handlers, element: Element<'_>| {
            let term = handlers.walk_children(element.node).content;
            Some(format!("\n\n{}", one_line(&term)).into())
        })
        .add_handler(vec!["dd"], |handlers: &dyn Handlers, element: Element<'_>| {
            let definition = handlers.walk_children(element.node).content;
            Some(format!("\n: {}\n", one_line(&definition)).into())
        })
        .build();
    converter.convert(&with_even_rows(html)).map_err(|error| format!("cannot be read as HTML: {error}"))
}

/// Matches a table, or a table row with its cells.
static ROW: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?is)<table\b|(<tr\b[^>]*>)(.*?)(</tr\s*>)").ok());
/// Matches the tag of a cell up to its name.
static CELL: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?i)(</?)t[hd]\b").ok());

/// Makes the first row of each table its header, and the others plain.
///
/// The converter reads only one kind of cell in a row. It would lose the values of rows that begin
/// with a header cell.
fn with_even_rows(html: &str) -> Cow<'_, str> {
    let (Some(row), Some(cell)) = (&*ROW, &*CELL) else { return Cow::Borrowed(html) };
    let mut first = true;
    row.replace_all(html, |found: &Captures<'_>| {
        let (Some(open), Some(cells), Some(close)) = (found.get(1), found.get(2), found.get(3)) else {
            first = true;
            return found[0].to_owned();
        };
        let kind = if std::mem::take(&mut first) { "${1}th" } else { "${1}td" };
        format!("{}{}{}", open.as_str(), cell.replace_all(cells.as_str(), kind), close.as_str())
    })
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

#[cfg(test)]
mod tests {
    #[test]
    fn rows_with_headers_of_their_own_keep_their_values() {
        let html = "<table><tr><th>Phase</th><td>3</td></tr><tr><th>Sponsor</th><td>Merrow</td></tr></table>";
        let page = super::convert(html).unwrap();
        assert_eq!(page, "| Phase   | 3      |\n| ------- | ------ |\n| Sponsor | Merrow |");
    }

    #[test]
    fn a_list_of_definitions_stays_one() {
        let html = "<dl><dt>Rowing <b>Club</b></dt>\n<dd>Founded 1903.</dd>\n<dt>Chess Club</dt><dd>Meets weekly.</dd></dl>";
        let page = super::convert(html).unwrap();
        assert_eq!(page, "Rowing **Club**\n: Founded 1903.\n\nChess Club\n: Meets weekly.");
    }
}
