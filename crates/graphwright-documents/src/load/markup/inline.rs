//! Marks within lines of markup.

use std::{borrow::Cow, collections::BTreeMap, sync::LazyLock};

use regex::{Captures, Regex};

/// Targets by name: `.. _name: target`, or attributes of a document.
pub(super) type Names = BTreeMap<String, String>;

/// ``` ``code`` ```, `` :role:`text <target>` ``, `` `text <target>`_ ``, `` `name`_ ``.
static RST: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"``(?<code>[^`]+)``|:(?<role>[\w:+-]+):`(?<said>[^`]+)`|`(?<named>[^`]+)`(?<end>__?)?").ok()
});
/// `link:target[text]`, `xref:target[text]`, `https://…[text]`, `<<target,text>>`.
static ASCIIDOC: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let macros = r"(?:link:|xref:|(?<web>https?://))(?<to>[^\s\[\]]+)\[(?<label>[^\]]*)\]";
    Regex::new(&format!(r"{macros}|<<(?<anchor>[^,>]+)(?:,\s*(?<text>[^>]+))?>>|(?<code>`[^`]+`)|(?<open>^|[\s(])\*(?<bold>[^*\s][^*]*)\*")).ok()
});

/// `name_`, where the document says what it leads to.
static REFERENCE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\b(?<name>[A-Za-z][\w.-]*)_(?<end>[\s.,;:)]|$)").ok());

pub(super) fn rst<'t>(line: &'t str, targets: &Names) -> Cow<'t, str> {
    let Some(references) = REFERENCE.as_ref().filter(|_| !targets.is_empty() && line.contains('_')) else {
        return marked(line, targets);
    };
    let linked = references.replace_all(line, |found: &Captures<'_>| {
        match targets.get(&found["name"].to_lowercase()) {
            Some(target) => format!("[{}]({target}){}", &found["name"], &found["end"]),
            None => found[0].to_owned(),
        }
    });
    match linked {
        Cow::Borrowed(line) => marked(line, targets),
        Cow::Owned(line) => Cow::Owned(marked(&line, targets).into_owned()),
    }
}

fn marked<'t>(line: &'t str, targets: &Names) -> Cow<'t, str> {
    let Some(marks) = RST.as_ref().filter(|_| line.contains('`')) else { return Cow::Borrowed(line) };
    marks.replace_all(line, |found: &Captures<'_>| {
        if let Some(code) = found.name("code") {
            return format!("`{}`", code.as_str());
        }
        if let (Some(role), Some(said)) = (found.name("role"), found.name("said")) {
            return of_role(role.as_str(), said.as_str());
        }
        let named = found.name("named").map_or("", |named| named.as_str());
        match (with_target(named), targets.get(&named.to_lowercase())) {
            (Some((text, target)), _) if found.name("end").is_some() => format!("[{text}]({target})"),
            (None, Some(target)) => format!("[{named}]({target})"),
            _ => named.to_owned(),
        }
    })
}

/// A document or section is linked; the name of anything else is code.
fn of_role(role: &str, said: &str) -> String {
    let (text, target) = with_target(said).unwrap_or((said, said));
    match role {
        "doc" => format!("[{text}]({target})"),
        "ref" | "term" | "abbr" | "emphasis" | "strong" | "sup" | "sub" | "title" => text.to_owned(),
        "pep" | "rfc" => format!("{} {text}", role.to_uppercase()),
        _ => format!("`{text}`"),
    }
}

/// `text <target>`.
fn with_target(said: &str) -> Option<(&str, &str)> {
    let (text, target) = said.strip_suffix('>')?.rsplit_once('<')?;
    Some((text.trim(), target.trim()))
}

pub(super) fn asciidoc(line: &str, attributes: &Names) -> String {
    let line = with_attributes(line, attributes);
    let Some(marks) = ASCIIDOC.as_ref() else { return line.into_owned() };
    let rewritten = marks.replace_all(&line, |found: &Captures<'_>| {
        let text = |name: &str| found.name(name).map_or("", |found| found.as_str());
        if !text("code").is_empty() {
            return text("code").to_owned();
        }
        if !text("bold").is_empty() {
            return format!("{}**{}**", text("open"), text("bold"));
        }
        if !text("to").is_empty() {
            let target = format!("{}{}", text("web"), text("to"));
            let label = text("label").trim_end_matches('^');
            return format!("[{}]({target})", if label.is_empty() { &target } else { label });
        }
        // A section of this document is no link; `file.adoc#section` is.
        let (anchor, shown) = (text("anchor"), text("text"));
        let shown = if shown.is_empty() { anchor } else { shown };
        if anchor.contains('.') { format!("[{shown}]({anchor})") } else { shown.to_owned() }
    });
    rewritten.into_owned()
}

/// A line with the values of `{attributes}`.
fn with_attributes<'t>(line: &'t str, attributes: &Names) -> Cow<'t, str> {
    let mut line = Cow::Borrowed(line);
    for (name, value) in attributes {
        let mark = format!("{{{name}}}");
        if line.contains(&mark) {
            line = Cow::Owned(line.replace(&mark, value));
        }
    }
    line
}
