//! Finds out how deep the elements of a page lie in one another, before a library walks them by recursion.

/// The deepest nesting that is read. Pages that people write reach some fifty.
const DEEPEST: usize = 128;

/// Elements that hold nothing, or that end where the next one of their kind begins.
const NOT_COUNTED: [&str; 30] = [
    "a", "area", "base", "br", "col", "colgroup", "embed", "hr", "img", "input", "link", "meta", "source",
    "track", "wbr", "param", "p", "li", "dt", "dd", "tr", "td", "th", "thead", "tbody", "tfoot", "option",
    "optgroup", "rt", "rp",
];

/// Refuses a page whose elements lie too deep in one another.
pub(super) fn check(html: &str) -> Result<(), String> {
    let mut depth = 0_usize;
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        if let Some(comment) = rest.strip_prefix("!--") {
            rest = comment.split_once("-->").map_or("", |(_, after)| after);
            continue;
        }
        let closes = rest.starts_with('/');
        let name = &rest[usize::from(closes)..];
        let length = name.bytes().take_while(u8::is_ascii_alphanumeric).count();
        let name = name[..length].to_ascii_lowercase();
        if !name.starts_with(|letter: char| letter.is_ascii_alphabetic()) || NOT_COUNTED.contains(&&*name) {
            continue;
        }
        if closes {
            depth = depth.saturating_sub(1);
            continue;
        }
        depth += 1;
        if depth > DEEPEST {
            return Err(format!(
                "nests its elements more than {DEEPEST} deep; simplify it, or save it as text"
            ));
        }
        if matches!(&*name, "script" | "style") {
            let end = rest.find("</").unwrap_or(rest.len());
            rest = &rest[end..];
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_lies_in_one_another_counts() {
        let deep = |tag: &str, times: usize| check(&tag.repeat(times));
        assert_eq!(deep("<div>", 128), Ok(()));
        assert!(deep("<div>", 129).is_err());
        assert!(deep("<b class='x'>text", 129).is_err());
        assert_eq!(deep("<div><p>text</div>", 10_000), Ok(()));
        assert_eq!(deep("<li>one<li>two<br>", 10_000), Ok(()));
        assert_eq!(deep("<!-- <div> --><script>if (a <b) {}</script>1 < 2", 10_000), Ok(()));
    }

    #[test]
    fn the_deepest_page_is_read_and_a_deeper_one_refused() {
        for open in ["<div>", "<table><tr><td>", "<ul><li>", "<blockquote><p>", "<b>"] {
            let page = format!("<html><body>{}text", open.repeat(125));
            assert!(super::super::to_markdown(&page).is_ok_and(|page| page.text.contains("text")), "{open}");
            let page = format!("<html><body>{}text", open.repeat(20_000));
            assert!(super::super::to_markdown(&page).is_err(), "{open}");
        }
    }
}
