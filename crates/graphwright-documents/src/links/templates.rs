//! Targets of links that a site generator fills in: `[x]({{ site.baseurl }}{% link _docs/x.md %})` of Jekyll,
//! `[x]({{< relref "docs/x.md" >}})` of Hugo.

use std::{borrow::Cow, sync::LazyLock};

use regex::{Captures, Regex};

/// A target of a link with a template in it.
static TARGET: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"\]\((?<target>(?:[^(){}\s]|\{\{[^{}\n]*\}\}|\{%[^%\n]*%\})*\{[{%](?:[^(){}\s]|\{\{[^{}\n]*\}\}|[^{}\n)]*[%}]\})*)\)").ok()
});
/// A template; one that leads to a file names it.
static TEMPLATE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let link = r"\{%-?\s*(?:link|post_url)\s+(?<link>[^\s%]+)\s*-?%\}";
    let reference = r#"\{\{[<%]\s*(?:rel)?ref\s+["']?(?<ref>[^\s"'>]+)["']?\s*[>%]\}\}"#;
    Regex::new(&format!(r"{link}|{reference}|\{{\{{[^{{}}\n]*\}}\}}|\{{%[^%\n]*%\}}")).ok()
});

/// Returns a text with the paths that templates in its links name in their place. Each byte of the rest stays where it is.
pub(crate) fn without_templates(text: &str) -> Cow<'_, str> {
    let Some(targets) = TARGET.as_ref().filter(|_| text.contains("({")) else { return Cow::Borrowed(text) };
    targets.replace_all(text, |found: &Captures<'_>| {
        let written = &found["target"];
        let path = filled_in(written).filter(|path| !path.is_empty() && path.len() <= written.len());
        path.map_or_else(|| found[0].to_owned(), |path| format!("]({path:<width$})", width = written.len()))
    })
}

/// A target from the root of the site.
fn filled_in(target: &str) -> Option<String> {
    let filled = TEMPLATE.as_ref()?.replace_all(target, |found: &Captures<'_>| {
        let path = found.name("link").or_else(|| found.name("ref")).map_or("", |path| path.as_str());
        if path.is_empty() { String::new() } else { format!("/{}", path.trim_start_matches('/')) }
    });
    // `width` counts letters, not bytes.
    filled.is_ascii().then(|| filled.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_give_way_to_the_paths_that_they_name() {
        for (written, target) in [
            ("[a]({{ site.baseurl }}{% link _docs/ops/x.md %})", "/_docs/ops/x.md"),
            ("[a]({% link x.md %}#part)", "/x.md#part"),
            ("[a]({{ site.baseurl }}/docs/x/)", "/docs/x/"),
            ("[a]({{< relref \"docs/x.md#part\" >}})", "/docs/x.md#part"),
            ("[a]({{% ref \"docs/x.md\" %}})", "/docs/x.md"),
        ] {
            let whole = format!("See {written} (or {{{{ b }}}}) there.");
            let found = without_templates(&whole);
            assert_eq!(found.len(), whole.len(), "{written}");
            let shown = found.split_once("](").and_then(|(_, rest)| rest.split_once(')'));
            assert_eq!(shown.map(|(target, _)| target.trim()), Some(target), "{written}");
            assert!(found.ends_with("(or {{ b }}) there."), "{found}");
        }
        let plain = "[a](b.md) {{ c }} ({{ d }})";
        assert_eq!(without_templates(plain), plain);
    }
}
