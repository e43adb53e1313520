//! Names: what writers capitalise, abbreviate or mark, again and again.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use graphwright_core::english::singular;

use super::text::{Text, Word, words};
use crate::resolve::normalise;

/// A name with the shorter forms that the documents introduce for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    pub text: String,
    pub aliases: BTreeSet<String>,
    /// How often it stands in the texts.
    pub count: usize,
}

/// A single word must be capitalised in more than this share of its places.
const MOSTLY: f64 = 0.8;
/// A name has at most so many words.
const LONGEST: usize = 6;

/// The names of a corpus, the most frequent first.
pub(super) fn find(texts: &[Text], least: usize) -> Vec<Name> {
    let mut inside: HashMap<String, usize> = HashMap::new();
    let mut opening: Vec<Vec<String>> = Vec::new();
    let mut small: HashMap<String, usize> = HashMap::new();
    let mut abbreviations: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
    for block in texts.iter().flat_map(|text| &text.blocks) {
        let words = words(block);
        for word in words.iter().filter(|word| is_small(word.text)) {
            *small.entry(word.text.to_lowercase()).or_default() += 1;
        }
        for run in runs(&words) {
            let first = run[0];
            let parts: Vec<String> = run.iter().map(|word| word.text.to_owned()).collect();
            // The capital of a sentence's first word says nothing, unless the word has others.
            if first.opens && !has_inner_capital(first.text) {
                opening.push(parts);
            } else {
                *inside.entry(parts.join(" ")).or_default() += 1;
            }
        }
        for (short, long) in abbreviations_in(block, &words) {
            *abbreviations.entry(long).or_default().entry(short).or_default() += 1;
        }
    }
    // At the start of a sentence, what is a name elsewhere counts, with or without the first word.
    for parts in opening {
        let whole = parts.join(" ");
        let rest = parts[1..].join(" ");
        if let Some(count) = inside.get_mut(&whole) {
            *count += 1;
        } else if let Some(count) = inside.get_mut(&rest) {
            *count += 1;
        }
    }
    let known = |name: &str| small.get(&name.to_lowercase()).copied().unwrap_or_default();
    inside.retain(|name, count| {
        let alone = !name.contains(' ');
        // "AI-driven" describes, it does not name.
        let describes = name.rsplit_once('-').is_some_and(|(_, last)| is_small(last));
        *count >= least && !describes && (!alone || (*count as f64) > MOSTLY * (*count + known(name)) as f64)
    });
    add_marked(texts, least, &small, &mut inside);
    assemble(inside, abbreviations)
}

/// Runs of capitalised words; `of` and `for` may stand between two of them.
fn runs<'w, 't>(words: &'w [Word<'t>]) -> Vec<&'w [Word<'t>]> {
    let mut runs = Vec::new();
    let mut start = 0;
    while start < words.len() {
        if !is_capitalised(words[start].text) || is_function_word(words[start].text) {
            start += 1;
            continue;
        }
        let mut end = start + 1;
        while end < words.len() && words[end].joins {
            if is_capitalised(words[end].text) && !is_function_word(words[end].text) {
                end += 1;
            } else if matches!(words[end].text, "of" | "for")
                && words.get(end + 1).is_some_and(|next| next.joins && is_capitalised(next.text))
                && end > start + 1
            {
                end += 2;
            } else {
                break;
            }
        }
        if end - start <= LONGEST {
            runs.push(&words[start..end]);
        }
        start = end;
    }
    runs
}

fn is_capitalised(word: &str) -> bool {
    word.chars().next().is_some_and(char::is_uppercase) && word.chars().count() > 1
}

fn has_inner_capital(word: &str) -> bool {
    word.chars().skip(1).any(|character| character.is_uppercase() || character.is_numeric())
}

fn is_small(word: &str) -> bool {
    word.chars().next().is_some_and(char::is_lowercase)
}

/// Words that carry no name, whatever their case.
pub(super) fn is_function_word(word: &str) -> bool {
    const WORDS: [&str; 78] = [
        "a", "about", "after", "all", "also", "although", "an", "and", "any", "as", "at", "because",
        "before", "but", "by", "can", "each", "every", "for", "from", "he", "here", "how", "i", "if", "in",
        "into", "is", "it", "its", "may", "many", "more", "most", "must", "new", "no", "not", "note", "now",
        "of", "on", "one", "or", "other", "our", "see", "she", "should", "since", "so", "some", "such",
        "than", "that", "the", "their", "then", "there", "these", "they", "this", "those", "through", "to",
        "use", "we", "what", "when", "where", "which", "while", "who", "why", "will", "with", "you", "your",
    ];
    WORDS.contains(&word.to_lowercase().as_str())
}

/// `long form (SHORT)` where the letters of the short form are the first letters of the words before it.
fn abbreviations_in(block: &str, words: &[Word<'_>]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (index, word) in words.iter().enumerate() {
        let short = word.text;
        let bracketed = block[..word.start].ends_with('(') && block[word.end..].starts_with(')');
        let letters: Vec<char> = short.trim_end_matches('s').chars().collect();
        let upper =
            letters.len() >= 2 && letters.iter().all(|letter| letter.is_uppercase() || letter.is_numeric());
        if !bracketed || !upper {
            continue;
        }
        // Small words inside may have no letter of their own.
        for length in letters.len()..=letters.len() + 2 {
            let Some(before) = index.checked_sub(length).map(|start| &words[start..index]) else { break };
            let contiguous = before.iter().skip(1).all(|word| word.joins);
            if contiguous && spells(before, &letters) {
                found.push((short.trim_end_matches('s').to_owned(), join(before)));
                break;
            }
        }
    }
    found
}

fn spells(words: &[Word<'_>], letters: &[char]) -> bool {
    let mut letters = letters.iter();
    let mut next = letters.next();
    for (index, word) in words.iter().enumerate() {
        let first = word.text.chars().next().map(|letter| letter.to_ascii_uppercase());
        if next.copied() == first {
            next = letters.next();
        } else if index == 0 || !is_function_word(word.text) {
            return false;
        }
    }
    next.is_none()
}

fn join(words: &[Word<'_>]) -> String {
    words.iter().map(|word| word.text).collect::<Vec<_>>().join(" ")
}

/// Short marked terms that several documents mark, but for words that they rather write in small letters.
fn add_marked(
    texts: &[Text],
    least: usize,
    small: &HashMap<String, usize>,
    names: &mut HashMap<String, usize>,
) {
    let mut marked: BTreeMap<&str, (BTreeSet<usize>, usize)> = BTreeMap::new();
    for (index, text) in texts.iter().enumerate() {
        for term in text.marked.iter().filter(|term| is_term(term)) {
            let entry = marked.entry(term).or_default();
            entry.0.insert(index);
            entry.1 += 1;
        }
    }
    for (term, (documents, count)) in marked {
        let common = !is_small(term)
            && !term.contains(' ')
            && small.get(&term.to_lowercase()).is_some_and(|others| *others > count);
        if documents.len() >= 2.min(texts.len()) && count >= least && !common {
            let total = names.entry(term.to_owned()).or_default();
            *total = (*total).max(count);
        }
    }
}

/// A few words without the punctuation of a sentence, not all of them small words of the language.
fn is_term(text: &str) -> bool {
    let words = text.split_whitespace().count();
    let sentence =
        text.ends_with(['.', ':', '!', '?', ',']) || text.contains(['=', '(', ')', '{', '<', '|', '"', '$']);
    let telling =
        text.split_whitespace().any(|word| !is_function_word(word) && word.chars().any(char::is_alphabetic));
    (1..=3).contains(&words) && !sentence && telling && text.len() > 2 && text.len() <= 40
}

/// What the forms of a name have in common: its words, the last in the singular.
fn form(name: &str) -> String {
    let words = normalise(name);
    match words.rsplit_once(' ') {
        Some((before, last)) => format!("{before} {}", singular(last)),
        None if name.chars().filter(|character| character.is_uppercase()).count() > 1 => {
            singular(&words).into_owned()
        }
        None => words,
    }
}

/// Joins the forms of each name, and gives the abbreviations to what they stand for.
fn assemble(
    counts: HashMap<String, usize>,
    abbreviations: BTreeMap<String, BTreeMap<String, usize>>,
) -> Vec<Name> {
    let mut counts: Vec<(String, usize)> = counts.into_iter().collect();
    counts.sort_by(|left, right| right.1.cmp(&left.1).then_with(|| left.0.cmp(&right.0)));
    let mut by_form: BTreeMap<String, Name> = BTreeMap::new();
    for (text, count) in counts {
        match by_form.get_mut(&form(&text)) {
            Some(name) => {
                name.count += count;
                // Another number of the noun is another form of the name.
                if normalise(&name.text) != normalise(&text) {
                    name.aliases.insert(text);
                }
            }
            None => drop(by_form.insert(form(&text), Name { text, aliases: BTreeSet::new(), count })),
        }
    }
    for (long, shorts) in abbreviations {
        for (short, count) in shorts {
            let short_form = form(&short);
            // The same letters may stand for several things; then they are nobody's name.
            let own = by_form.remove(&short_form);
            let name = by_form.entry(form(&long)).or_insert_with(|| Name {
                text: long.clone(),
                aliases: BTreeSet::new(),
                count: 0,
            });
            name.count += count + own.map_or(0, |own| own.count);
            name.aliases.insert(short.clone());
        }
    }
    let mut names: Vec<Name> = by_form.into_values().collect();
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    names
        .iter()
        .flat_map(|name| &name.aliases)
        .for_each(|alias| *seen.entry(alias.clone()).or_default() += 1);
    for name in &mut names {
        name.aliases.retain(|alias| seen.get(alias) == Some(&1));
    }
    names.sort_by(|left, right| right.count.cmp(&left.count).then_with(|| left.text.cmp(&right.text)));
    names
}
