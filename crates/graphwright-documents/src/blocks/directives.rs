//! Directives of documentation tools in Markdown.

use std::{ops::Range, sync::LazyLock};

use regex::Regex;

/// Matches three things: `:::image source="…" alt-text="…":::`, which may reach over several lines;
/// a line that opens or closes a block, such as `:::note` and `:::`; and the mark of a callout,
/// such as `[!NOTE]`.
static DIRECTIVE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let attribute = r#"\s+[\w-]+=(?:"[^"]*"|'[^']*'|[^\s"':]+)"#;
    let whole = format!(r":::[A-Za-z][\w-]*(?:{attribute})*\s*:::");
    Regex::new(&format!(r"{whole}|(?m:^[ \t>]*:::.*$)|(?m:^[ \t>]*\[![A-Za-z][^\]\n]*\])")).ok()
});

/// Finds the directives of a documentation tool in a text. They lay out the page and say nothing in
/// sentences.
pub(crate) fn directives(text: &str) -> Vec<Range<usize>> {
    let Some(directive) = DIRECTIVE.as_ref().filter(|_| text.contains(":::") || text.contains("[!")) else {
        return Vec::new();
    };
    directive.find_iter(text).map(|found| found.range()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_of_documentation_tools_are_found() {
        let text = "One :::image source=\"a.png\" alt-text=\"A gate:\nopen.\"::: two.\n\n:::note Title\nInside.\n:::\n\n\
                    > [!NOTE]\n> Said. [!not this]\n\n:::image type='icon' source=b.svg::: **Label**\n";
        let found: Vec<&str> = directives(text).into_iter().map(|range| &text[range]).collect();
        assert_eq!(
            found,
            [
                ":::image source=\"a.png\" alt-text=\"A gate:\nopen.\":::",
                ":::note Title",
                ":::",
                "> [!NOTE]",
                ":::image type='icon' source=b.svg:::",
            ]
        );
        assert!(directives("Plain text with a :: in it.").is_empty());
    }
}
