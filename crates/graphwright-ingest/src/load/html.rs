//! From HTML to Markdown.

use dom_smoothie::{Config, Readability};
use htmd::{Element, HtmlToMarkdown, element_handler::Handlers};

/// Elements whose text is not what the page says.
const SKIPPED: [&str; 13] = [
    "script", "style", "noscript", "template", "nav", "header", "footer", "aside", "form", "iframe", "svg",
    "button", "head",
];

/// A page as Markdown.
pub(super) struct Page {
    pub(super) text: String,
    pub(super) title: Option<String>,
}

/// Takes the main text where the page has a good deal beside it (the main text holds between half and three quarters
/// of the words), else the whole body without navigation, scripts and forms, which keeps the page's structure.
pub(super) fn to_markdown(html: &str) -> Result<Page, String> {
    let whole = convert(html)?;
    let article = Readability::new(html, None, Some(Config::default()))
        .ok()
        .and_then(|mut readability| readability.parse().ok());
    let page_title = article.as_ref().map(|article| article.title.trim().to_owned());
    let title = super::markdown::title(&whole).or(page_title).filter(|title| !title.is_empty());
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

fn convert(html: &str) -> Result<String, String> {
    // A list of definitions stays one: `term` and `: definition` below it.
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
    converter.convert(html).map_err(|error| format!("cannot be read as HTML: {error}"))
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
    fn a_list_of_definitions_stays_one() {
        let html = "<dl><dt>Rowing <b>Club</b></dt>\n<dd>Founded 1903.</dd>\n<dt>Chess Club</dt><dd>Meets weekly.</dd></dl>";
        let page = super::convert(html).unwrap();
        assert_eq!(page, "Rowing **Club**\n: Founded 1903.\n\nChess Club\n: Meets weekly.");
    }
}
