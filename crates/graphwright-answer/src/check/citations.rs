//! Citations in the styles that models write: `[1]`, `[1, 2]`, `[1-3]`, `(1, 2)`, `【1†source】`, `[^1]`, `[[1]](url)`, `<sup>1</sup>`, `¹`.

use std::ops::Range;

/// The longest citation in bytes, from bracket to bracket.
const LONGEST: usize = 80;
/// The most pieces that a range such as `[1-30]` may name.
const LONGEST_RANGE: usize = 100;
/// Words that may stand before the numbers: `[Evidence 2]`.
const INTRODUCTIONS: [&str; 12] = [
    "evidence", "source", "sources", "fact", "facts", "passage", "passages", "result", "results", "ref",
    "see", "and",
];
const SUPERSCRIPTS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];

/// A citation with the numbers that it names.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Citation {
    pub(super) range: Range<usize>,
    pub(super) numbers: Vec<usize>,
}

/// Finds the citations of a text, in their order. Numbers in round brackets are citations only where the text has no others, and
/// only if there is evidence of all their numbers (`count` pieces): `the second (2) team` is none.
pub(super) fn find(text: &str, count: usize) -> Vec<Citation> {
    let mut found = scan(text, |rest| bracketed(rest).or_else(|| superscript(rest)));
    let mut spoken = scan_words(text, count);
    spoken.retain(|spoken| {
        !found
            .iter()
            .any(|other| other.range.start < spoken.range.end && spoken.range.start < other.range.end)
    });
    found.extend(spoken);
    found.sort_by_key(|citation| citation.range.start);
    if found.is_empty() {
        found = scan(text, in_parentheses);
        found.retain(|citation| {
            let follows_word = text[..citation.range.start].trim_end_matches(' ').ends_with(is_of_sentence);
            follows_word && citation.numbers.iter().all(|number| (1..=count).contains(number))
        });
    }
    join_ranges(text, found)
}

fn is_of_sentence(letter: char) -> bool {
    letter.is_alphanumeric()
        || matches!(letter, '.' | ',' | '!' | '"' | '”' | '\'' | '’' | '*' | '`' | '%' | ')')
}

/// Looks for a citation at each place. `read` gives its length and numbers.
fn scan(text: &str, read: impl Fn(&str) -> Option<(usize, Vec<usize>)>) -> Vec<Citation> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(letter) = text[at..].chars().next() {
        match read(&text[at..]) {
            Some((length, numbers)) => {
                found.push(Citation { range: at..at + length, numbers });
                at += length;
            }
            None => at += letter.len_utf8(),
        }
    }
    found
}

/// Finds citations in words, as `passage 2`, if there is so much evidence.
fn scan_words(text: &str, count: usize) -> Vec<Citation> {
    const SPOKEN: [&str; 6] = ["passage ", "source ", "evidence ", "passage id ", "result ", "fact "];
    // Letters of ASCII alone change, so that places stay what they are.
    let lower = text.to_ascii_lowercase();
    let starts =
        SPOKEN.iter().flat_map(|word| lower.match_indices(word).map(|(at, word)| (at, at + word.len())));
    let cited = starts.filter_map(|(at, from)| {
        let digits = text[from..].find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len() - from);
        let number = plain(&text[from..from + digits]).filter(|number| (1..=count).contains(number))?;
        let alone = !text[..at].ends_with(char::is_alphanumeric)
            && !text[from + digits..].starts_with(char::is_alphanumeric);
        alone.then(|| Citation { range: at..from + digits, numbers: vec![number] })
    });
    cited.collect()
}

/// Reads `[…]` or `【…】`, with the address of a link behind it.
fn bracketed(rest: &str) -> Option<(usize, Vec<usize>)> {
    let unescaped = rest.strip_prefix('\\').unwrap_or(rest);
    let (open, close) = match unescaped.chars().next()? {
        '[' => ('[', ']'),
        '【' => ('【', '】'),
        '［' => ('［', '］'),
        '<' => return tagged(rest),
        _ => return None,
    };
    let start = rest.len() - unescaped.len() + open.len_utf8();
    let mut depth = 1;
    let mut end = None;
    for (at, letter) in rest[start..].char_indices().take_while(|(at, _)| *at < LONGEST) {
        depth += i32::from(letter == open) - i32::from(letter == close);
        if depth == 0 {
            end = Some(start + at);
            break;
        }
    }
    let end = end?;
    let numbers = numbers(rest[start..end].trim_matches(['[', ']', '\\']))?;
    let behind = end + close.len_utf8();
    Some((behind + address(&rest[behind..]), numbers))
}

/// The length of `(https://…)` or `(#…)` behind a link's text.
fn address(rest: &str) -> usize {
    let Some(inside) = rest.strip_prefix('(') else { return 0 };
    let Some(end) = inside.find([')', '\n', ' ']) else { return 0 };
    let is_address = inside.starts_with("http") || inside.starts_with('#');
    if is_address && inside[end..].starts_with(')') { end + 2 } else { 0 }
}

/// Reads `<sup>1</sup>`.
fn tagged(rest: &str) -> Option<(usize, Vec<usize>)> {
    let inside = rest.strip_prefix("<sup>")?;
    let end = inside.find("</sup>").filter(|end| *end < LONGEST)?;
    let numbers = numbers(inside[..end].trim_matches(['[', ']']))?;
    Some((end + "<sup></sup>".len(), numbers))
}

/// Reads raised figures, which are no power of a number.
fn superscript(rest: &str) -> Option<(usize, Vec<usize>)> {
    let raised: Vec<usize> =
        rest.chars().map_while(|letter| SUPERSCRIPTS.iter().position(|raised| *raised == letter)).collect();
    let number =
        raised.iter().fold(0_usize, |number, digit| number.saturating_mul(10).saturating_add(*digit));
    let length = rest.chars().take(raised.len()).map(char::len_utf8).sum();
    (!raised.is_empty()).then(|| (length, vec![number]))
}

fn in_parentheses(rest: &str) -> Option<(usize, Vec<usize>)> {
    let inside = rest.strip_prefix('(')?;
    let end = inside.find(')').filter(|end| *end < LONGEST)?;
    Some((end + 2, numbers(&inside[..end])?))
}

/// Reads `1, 2-4 and 7`; nothing if anything else stands there.
fn numbers(inside: &str) -> Option<Vec<usize>> {
    let spread = inside.replace(['–', '—', '−'], "-").replace(" - ", "-").replace(" to ", "-");
    let mut found = Vec::new();
    for part in spread.split([',', ';', ' ', '&', '\u{a0}']).filter(|part| !part.is_empty()) {
        let part = part.trim_start_matches(['^', '#', '[']).trim_end_matches([':', '.', ']']);
        let part = part.split('†').next().unwrap_or(part);
        if part.is_empty() || INTRODUCTIONS.contains(&part.to_lowercase().as_str()) {
            continue;
        }
        match part.split_once('-') {
            Some((first, last)) => {
                let (first, last): (usize, usize) = (plain(first)?, plain(last)?);
                let is_range = first <= last && last - first < LONGEST_RANGE;
                found.extend(is_range.then_some(first..=last)?);
            }
            None => found.push(plain(part)?),
        }
    }
    (!found.is_empty()).then_some(found)
}

/// Reads a number of up to three figures: longer ones are years.
fn plain(text: &str) -> Option<usize> {
    text.parse().ok().filter(|_| text.len() <= 3 && text.bytes().all(|byte| byte.is_ascii_digit()))
}

/// `[1]-[3]` names 2 too.
fn join_ranges(text: &str, citations: Vec<Citation>) -> Vec<Citation> {
    let mut joined: Vec<Citation> = Vec::new();
    for citation in citations {
        if let Some(last) = joined.last_mut()
            && matches!(&text[last.range.end..citation.range.start], "-" | "–" | " - " | " – ")
            && let ([.., first], [end, ..]) = (last.numbers.as_slice(), citation.numbers.as_slice())
            && first < end
            && end - first < LONGEST_RANGE
        {
            let between = *first + 1..*end;
            last.numbers.extend(between.chain(citation.numbers));
            last.range.end = citation.range.end;
        } else {
            joined.push(citation);
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers_of(text: &str) -> Vec<usize> {
        find(text, 20).into_iter().flat_map(|citation| citation.numbers).collect()
    }

    #[test]
    fn all_styles_are_read() {
        for (text, expected) in [
            ("Ada owns it [1].", &[1][..]),
            ("Ada owns it [1][2].", &[1, 2]),
            ("Ada owns it [1, 2; 5].", &[1, 2, 5]),
            ("Ada owns it [1-3].", &[1, 2, 3]),
            ("Ada owns it [1]–[3].", &[1, 2, 3]),
            ("Ada owns it [1 to 3].", &[1, 2, 3]),
            ("Ada owns it (1, 2).", &[1, 2]),
            ("Ada owns it 【1】【2†source】.", &[1, 2]),
            ("Ada owns it【7†L1-L4】.", &[7]),
            ("Ada owns it [^1][^2].", &[1, 2]),
            ("Ada owns it [[3]](https://a.b/c).", &[3]),
            ("Ada owns it [3](#e3).", &[3]),
            ("Ada owns it \\[4\\].", &[4]),
            ("Ada owns it [Evidence 4] and [sources 5 and 6].", &[4, 5, 6]),
            ("Ada owns it<sup>2</sup>.", &[2]),
            ("Ada owns it¹².", &[12]),
            ("Ada owns it (see [2]).", &[2]),
            ("As passage 2 says, Ada owns it.", &[2]),
        ] {
            assert_eq!(numbers_of(text), expected, "{text}");
        }
    }

    #[test]
    fn other_brackets_are_none() {
        for text in [
            "Ada [sic] owns it.",
            "See [the page](https://a.b).",
            "It was founded [2019].",
            "It began [2019-04-08].",
            "(1) Ada owns it.",
            "It has 30 seats (99).",
            "[unverified]",
            "[ ] to do",
        ] {
            assert!(numbers_of(text).is_empty(), "{text}");
        }
        assert_eq!(numbers_of("The second (2) team owns it [1]."), [1]);
    }
}
