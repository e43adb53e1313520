//! Headings: what a page or section is about.

use graphwright_core::text::identifier_words;
use graphwright_english::inflection::is_plural;

use super::{Block, BlockText, Entity, Meaning, Section, Walk, heading_words::is_not_fact_word};
use crate::{
    facts::{
        blocks::Table,
        collect::Status,
        notes,
        prose::{self, Token},
        values,
        vocabulary::{self, AllowedValue, Vocabulary},
        words,
    },
    headers::is_list_word,
};

/// `About the festival`, `To the Ostrel Archive`, `Friends of the Ostrel Archive`: the word for a type at the end is
/// not what the heading names.
fn only_mentions_type(tokens: &[Token]) -> bool {
    let is = |token: &Token, words: &[&str]| words.contains(&token.lower.as_str());
    let first = tokens
        .first()
        .is_some_and(|token| is(token, &["about", "to", "from", "dear", "for", "with", "before"]));
    let inner = tokens
        .windows(2)
        .any(|pair| is(&pair[0], &["of", "at", "for", "to"]) && is(&pair[1], &["the", "our"]));
    first || inner
}

/// The type that a folder or file name says: `services/checkout.md`.
pub(super) fn kind_of_path(vocabulary: &Vocabulary, source: &str) -> Option<usize> {
    let folders: Vec<&str> = source.split(['/', '\\']).collect();
    folders.iter().rev().skip(1).find_map(|folder| {
        let words = vocabulary::words(folder).join(" ");
        vocabulary.kinds_named(&prose::tokenise(&words)).first().copied()
    })
}

/// The file's name without its ending, or that of its folder where the file has a general name.
pub(super) fn stem_of(source: &str) -> &str {
    let mut parts = source.rsplit(['/', '\\']);
    let file = parts.next().unwrap_or(source);
    let stem = file.split('.').next().unwrap_or(file);
    let general = is_general_file(stem);
    parts.next().filter(|_| general).unwrap_or(stem)
}

/// Whether a file is called as files in many folders are.
pub(super) fn is_general_file(stem: &str) -> bool {
    matches!(stem.to_lowercase().as_str(), "readme" | "index" | "overview" | "main" | "")
}

/// The type that a file's name says of the records in it: `owners.csv`, `service-list-2024.json`, `london.stations.csv`.
pub(super) fn kind_of_file(vocabulary: &Vocabulary, source: &str) -> Option<usize> {
    let words = words_of_file(source);
    let kind = |words: &[String]| vocabulary.kinds_named(&prose::tokenise(&words.join(" "))).first().copied();
    parts_of_name(&words).find_map(kind).or_else(|| {
        let [stem] = words.as_slice() else { return None };
        // `starnames`, `userlist`.
        let begins = |word: &String| {
            let rest = stem.strip_prefix(word.as_str());
            rest.is_some_and(|rest| rest == "names" || is_list_word(rest))
        };
        vocabulary.types.iter().position(|kind| {
            kind.words.iter().any(|words| matches!(words.as_slice(), [only] if begins(only)))
        })
    })
}

/// What may be said by the words of a name, the likeliest first: all; without the first, as the last say what it is; without what
/// follows a plural (`interchanges_clean`).
pub(super) fn parts_of_name(words: &[String]) -> impl Iterator<Item = &[String]> {
    let tails = (0..words.len()).map(|first| &words[first..]);
    let heads = (1..words.len()).rev().map(|end| &words[..end]);
    tails.chain(heads.filter(|head| head.last().is_some_and(|last| is_plural(last))))
}

/// What a file is called, without numbers and words for lists.
pub(super) fn words_of_file(source: &str) -> Vec<String> {
    stem_of_file(source).into_iter().filter(|word| !is_list_word(word)).collect()
}

/// What a file is called, without numbers.
pub(super) fn stem_of_file(source: &str) -> Vec<String> {
    let file = source.rsplit(['/', '\\']).next().unwrap_or(source);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let is_number = |word: &String| word.bytes().all(|sign| sign.is_ascii_digit());
    identifier_words(stem).into_iter().filter(|word| !is_number(word)).collect()
}

impl Walk<'_> {
    pub(super) fn heading(&mut self, level: u8, text: &BlockText, rest: &[Block]) {
        while self.sections.last().is_some_and(|(open, _)| *open >= level) {
            self.sections.pop();
        }
        self.context.start_section();
        text.trimmed().clone_into(&mut self.heading);
        // A section that many documents have is no title, whatever its level.
        let is_title = level == 1 && !self.recurring.contains(text.trimmed());
        let title = (is_title || !self.title_read) && self.page.is_none();
        let section = self.read_heading(text, rest, title);
        self.context.spoken_of.retain(|(open, _)| *open < level);
        if section == Section::Other {
            let spoken_of = self.spoken_of(text);
            self.context.spoken_of.extend(spoken_of.into_iter().map(|entity| (level, entity)));
        }
        if title && !self.title_read {
            self.title_read = true;
            self.context.page = match &section {
                Section::Entity(entity) => Some(entity.clone()),
                _ => None,
            };
        } else if title {
            self.context.page = match &section {
                Section::Entity(entity) => Some(entity.clone()),
                _ => None,
            };
        }
        self.sections.push((level, section));
        self.context.section = self.sections.iter().rev().find_map(|(_, section)| match section {
            Section::Entity(entity) => Some(entity.clone()),
            _ => None,
        });
    }

    fn read_heading(&mut self, text: &BlockText, rest: &[Block], title: bool) -> Section {
        let shown = crate::facts::names::unquoted(strip_numbering(text.trimmed()));
        let tokens = prose::tokenise(shown);
        if tokens.is_empty() {
            return Section::Other;
        }
        // A record is one also if it is called `Proposal 28: roadmap`.
        let is_record =
            || title && self.kind_of_keys(&keys_below(rest), 2).is_some_and(|kind| self.is_of(&tokens, kind));
        if tokens.iter().any(|token| is_not_fact_word(&token.lower))
            && self.lexicon.gazetteer.lookup(shown).is_empty()
            && !is_record()
        {
            return Section::NotFact;
        }
        let start = text.text.find(shown).unwrap_or(0);
        let (shown, tokens) = match without_date(shown) {
            Some(bare) => (bare, prose::tokenise(bare)),
            None => (shown, tokens),
        };
        let (shown, tokens) = match self.without_year(shown, &tokens) {
            Some(bare) => (bare, prose::tokenise(bare)),
            None => (shown, tokens),
        };
        let (bare, of_topic) = self.without_topic(shown, tokens.clone());
        let (shown, tokens) = if self.lexicon.vocabulary.kinds_named(&of_topic).is_empty() {
            (shown, tokens)
        } else {
            (bare, of_topic)
        };
        if let Some(allowed) = self.value_of_heading(shown, &tokens) {
            return Section::Value(allowed);
        }
        if let Some((entity, range)) = self.entity_of_heading(shown, &tokens, rest, title) {
            let span = text.span(start + range.start..start + range.end);
            self.collector.mention(&entity, span);
            self.entry(&entity, Status::Fact, span);
            self.context.note(&entity);
            return Section::Entity(entity);
        }
        let words: Vec<Token> =
            tokens.iter().filter(|token| token.is_word() && !is_list_word(&token.lower)).cloned().collect();
        if let Some(kind) = self.lexicon.vocabulary.kinds_named(&words).first() {
            let plural =
                words.last().is_some_and(|word| word.singular.is_some()) || words.len() < tokens.len();
            let meanings = self.relation_meanings(shown);
            if !meanings.is_empty() && self.context_topic().is_some() && !title {
                return Section::Key(meanings);
            }
            if plural || title {
                return Section::Kind(*kind);
            }
            return Section::Key(vec![Meaning::Kind(*kind)]);
        }
        let meanings = self.lexicon.vocabulary.keys.meanings(shown);
        if !meanings.is_empty() {
            return Section::Key(meanings);
        }
        Section::Other
    }

    /// Whether a page is of a type, as its path or the first word of its title says.
    fn is_of(&self, tokens: &[Token], kind: usize) -> bool {
        let words: Vec<String> = tokens.iter().map(|token| token.lower.clone()).collect();
        let own = &self.lexicon.vocabulary.types[kind].words;
        self.path_kind == Some(kind) || own.iter().any(|phrase| words.starts_with(phrase))
    }

    /// The value of a property that a title is the word for, in the singular or plural, and nothing else: `Bicycles`.
    fn value_of_heading(&self, shown: &str, tokens: &[Token]) -> Option<AllowedValue> {
        let (length, found) = self.lexicon.vocabulary.allowed_values.find(tokens, 0)?;
        let [allowed] = found.as_slice() else { return None };
        let whole = length == tokens.len() && self.lexicon.gazetteer.lookup(shown).is_empty();
        whole.then_some(**allowed)
    }

    /// `Harbour Festival 2023` where the festival is known without the year.
    fn without_year<'t>(&self, shown: &'t str, tokens: &[Token]) -> Option<&'t str> {
        let (last, rest) = tokens.split_last()?;
        let bare = shown[..rest.last()?.end].trim_end();
        let known = self.lexicon.gazetteer.lookup(shown).is_empty()
            && !self.lexicon.gazetteer.lookup(bare).is_empty();
        (notes::is_year(&last.lower) && known).then_some(bare)
    }

    /// A title without `of the estate` under a title that names an estate: what is left is read for that estate.
    fn without_topic<'t>(&self, shown: &'t str, tokens: Vec<Token>) -> (&'t str, Vec<Token>) {
        let Some(topic) = self.context_topic() else { return (shown, tokens) };
        let Some(link) =
            tokens.iter().rposition(|token| matches!(token.lower.as_str(), "of" | "at" | "in" | "for"))
        else {
            return (shown, tokens);
        };
        let mut rest = &tokens[link + 1..];
        if rest.first().is_some_and(|token| words::is_determiner(&token.lower)) {
            rest = &rest[1..];
        }
        let named = rest.first().zip(rest.last()).is_some_and(|(first, last)| {
            self.lexicon.vocabulary.kinds_named(rest).contains(&topic.kind)
                || shown[first.start..last.end].eq_ignore_ascii_case(&topic.name)
        });
        if link == 0 || !named {
            return (shown, tokens);
        }
        let bare = shown[..tokens[link].start].trim_end();
        (bare, prose::tokenise(bare))
    }

    fn context_topic(&self) -> Option<Entity> {
        let of_section = self.sections.iter().rev().find_map(|(_, section)| match section {
            Section::Entity(entity) => Some(entity.clone()),
            _ => None,
        });
        of_section.or_else(|| self.page.clone())
    }

    /// What a heading that is a type's word says of the thing above: its own name, or the only relationship.
    fn relation_meanings(&self, shown: &str) -> Vec<Meaning> {
        let Some(topic) = self.context_topic() else { return Vec::new() };
        self.lexicon
            .vocabulary
            .keys
            .meaning_for(self.lexicon.vocabulary, shown, topic.kind)
            .filter(|meaning| matches!(meaning, Meaning::Relation { .. }))
            .into_iter()
            .collect()
    }

    /// The thing that a heading names: known, with its type's word, or by what stands below it.
    pub(super) fn entity_of_heading(
        &self,
        shown: &str,
        tokens: &[Token],
        rest: &[Block],
        title: bool,
    ) -> Option<(Entity, std::ops::Range<usize>)> {
        let vocabulary = self.lexicon.vocabulary;
        // `Service: Checkout`, `Checkout — service`.
        for separator in [": ", " — ", " – ", " - "] {
            if let Some((one, other)) = shown.split_once(separator) {
                for (word, name) in [(one, other), (other, one)] {
                    if let Some(kind) = vocabulary.kinds_named(&prose::tokenise(word)).first() {
                        let entity = self.known_or_new(name.trim(), *kind);
                        let start = shown.find(name.trim()).unwrap_or(0);
                        return Some((entity, start..start + name.trim().len()));
                    }
                }
                let named = self.entity_named(one, &[], false);
                if let Some(entity) = named {
                    return Some((entity, 0..one.len()));
                }
            }
        }
        if let Some(found) = self.identified(shown, tokens) {
            return Some(found);
        }
        // `Ashcombe (north)`, `Doe v Finch [2001] HC 4`.
        let bracket = shown.find(" (").into_iter().chain(shown.find(" [")).min();
        let bare = shown[..bracket.unwrap_or(shown.len())].trim();
        let range = 0..bare.len();
        if let Some(entity) =
            self.entity_named(shown, &[], false).or_else(|| self.entity_named(bare, &[], false))
        {
            return Some((entity, range));
        }
        let hits = self.lexicon.gazetteer.lookup(bare);
        if hits.len() > 1 {
            let wanted = self.listed_kind().or(self.path_kind)?;
            let entry =
                hits.into_iter().find(|entry| self.lexicon.gazetteer.entries[*entry].kind == wanted)?;
            let name = self.lexicon.gazetteer.entries[entry].name.clone();
            return Some((Entity { kind: wanted, name }, range));
        }
        let generic = tokens.iter().all(|token| {
            !token.is_word() || words::is_generic_noun(&token.lower) || words::is_closed(&token.lower)
        });
        if generic || tokens.len() > 9 || !vocabulary.keys.meanings(shown).is_empty() || shown.ends_with('?')
        {
            return None;
        }
        // A section that many documents have names nothing new.
        let kind = (!self.recurring.contains(shown)).then(|| self.kind_of_heading(bare, tokens, rest, title));
        if let Some(kind) = kind.flatten().filter(|kind| !self.is_group(tokens, *kind)) {
            // `RX-04 Back pain`: the identifier is the name.
            let first = &shown[tokens[0].start..tokens[0].end];
            if tokens.len() > 1
                && crate::facts::proper::is_identifier(first)
                && first.contains(|letter: char| letter.is_ascii_digit())
            {
                return Some((self.known_or_new(first, kind), tokens[0].start..tokens[0].end));
            }
            return Some((self.known_or_new(bare, kind), range));
        }
        None
    }

    /// `Reporting services`: several of the type.
    fn is_group(&self, tokens: &[Token], kind: usize) -> bool {
        tokens.last().is_some_and(|last| {
            let plural = last.singular.is_some() && !last.capital;
            plural && self.lexicon.vocabulary.kinds_named(std::slice::from_ref(last)).contains(&kind)
        })
    }

    /// `Guide RX-11: Asthma`, `RX-04 Back pain`: the identifier names the thing.
    fn identified(&self, shown: &str, tokens: &[Token]) -> Option<(Entity, std::ops::Range<usize>)> {
        let vocabulary = self.lexicon.vocabulary;
        for (at, token) in tokens.iter().enumerate().take(4) {
            let range = token.start..token.end;
            let text = &shown[range.clone()];
            if !crate::facts::proper::is_identifier(text) {
                continue;
            }
            let found = self.lexicon.gazetteer.lookup(text);
            if let [entry] = found.as_slice() {
                let entry = &self.lexicon.gazetteer.entries[*entry];
                return Some((Entity { kind: entry.kind, name: entry.name.clone() }, range));
            }
            // `Outage report OR-7`
            let nouns = tokens[..at].iter().rev().take_while(|token| words::is_generic_noun(&token.lower));
            let lead = &tokens[..at - nouns.count().min(at)];
            if let Some(kind) =
                vocabulary.kinds_named(&tokens[..at]).first().or(vocabulary.kinds_named(lead).first())
            {
                return Some((Entity { kind: *kind, name: text.to_owned() }, range));
            }
        }
        None
    }

    pub(super) fn known_or_new(&self, name: &str, kind: usize) -> Entity {
        let found = self
            .lexicon
            .gazetteer
            .lookup(name)
            .into_iter()
            .find(|entry| self.lexicon.gazetteer.entries[*entry].kind == kind);
        match found {
            Some(entry) => Entity { kind, name: self.lexicon.gazetteer.entries[entry].name.clone() },
            None => Entity { kind, name: name.to_owned() },
        }
    }

    /// The type of the thing that a heading names, by the list it stands in, its own words, or the fields below it.
    fn kind_of_heading(&self, shown: &str, tokens: &[Token], rest: &[Block], title: bool) -> Option<usize> {
        let vocabulary = self.lexicon.vocabulary;
        // Under the word for a value only what is written as a name has an entry.
        let name =
            tokens.iter().all(|token| token.capital || !token.is_word() || words::is_closed(&token.lower));
        let by_value = self.sections.iter().any(|(_, section)| matches!(section, Section::Value(_)));
        if let Some(kind) = self.listed_kind().filter(|_| !title && (name || !by_value)) {
            return Some(kind);
        }
        if let Some(kind) = super::super::definitions::defined_kind(self.lexicon, shown, rest) {
            return Some(kind);
        }
        let words: Vec<String> = tokens.iter().filter(|token| token.is_word()).map(inflect_last).collect();
        let capital = tokens[0].capital || tokens[0].lower.contains(['-', '_']);
        let listing =
            tokens.iter().any(|token| is_list_word(&token.lower) && !words::is_closed(&token.lower));
        if capital && !listing && !only_mentions_type(tokens) {
            let last_is_plural = tokens.last().is_some_and(|token| token.singular.is_some());
            for (kind, definition) in vocabulary.types.iter().enumerate() {
                let ends = definition
                    .words
                    .iter()
                    .any(|phrase| words.len() > phrase.len() && words.ends_with(phrase));
                let starts = definition
                    .words
                    .iter()
                    .any(|phrase| words.len() > phrase.len() && words.starts_with(phrase));
                if (ends && !last_is_plural)
                    || (starts
                        && tokens.len() <= 4
                        && tokens[1..].iter().any(|token| token.capital || token.is_number()))
                {
                    return Some(kind);
                }
            }
        }
        let keys = keys_below(rest);
        let by_fields = self.kind_of_keys(&keys, 2);
        if let Some(kind) = by_fields {
            // The record below names itself.
            let names = &vocabulary.types[kind].name_words;
            let named = keys.iter().any(|key| names.contains(&crate::facts::names::parts(key)));
            return by_fields.filter(|_| !named);
        }
        // `Loans and gifts` is a page on several things.
        let several = tokens.iter().any(|token| matches!(token.lower.as_str(), "and" | "&"))
            && tokens.last().is_some_and(|token| !token.capital);
        if title && self.path_kind.is_some() && !listing && !several {
            return self.path_kind;
        }
        None
    }

    /// The only type on which at least `least` of the keys mean something.
    pub(super) fn kind_of_keys(&self, keys: &[String], least: usize) -> Option<usize> {
        let vocabulary = self.lexicon.vocabulary;
        let mut best: Option<(usize, usize)> = None;
        let mut tie = false;
        for kind in 0..vocabulary.types.len() {
            let count = keys
                .iter()
                .filter(|key| {
                    vocabulary.keys.meanings(key).into_iter().any(|meaning| match meaning {
                        Meaning::Property(property) => vocabulary.properties[property].owner == kind,
                        Meaning::Relation { relation, inverse } => {
                            let relation = &vocabulary.relations[relation];
                            let own = if inverse { &relation.to } else { &relation.from };
                            own.contains(&kind)
                        }
                        Meaning::Kind(_) => false,
                    })
                })
                .count();
            if count >= least && best.is_none_or(|(_, known)| count >= known) {
                tie = best.is_some_and(|(_, known)| known == count);
                best = Some((kind, count));
            }
        }
        best.filter(|_| !tie).map(|(kind, _)| kind)
    }
}

fn inflect_last(token: &Token) -> String {
    token.singular.clone().unwrap_or_else(|| token.lower.clone())
}

/// A heading without the date after a comma or dash: `Building Panel, 6 May 2024`.
fn without_date(text: &str) -> Option<&str> {
    [", ", " — ", " – ", " - "].iter().find_map(|separator| {
        let (bare, date) = text.split_once(separator)?;
        values::date(date).map(|_| bare.trim())
    })
}

/// A heading without `3.2`, `1)` or `A.` before it.
pub(super) fn strip_numbering(text: &str) -> &str {
    let text = text.trim().trim_end_matches(':').trim();
    let Some((first, rest)) = text.split_once(' ') else { return text };
    let digits = first
        .trim_end_matches(['.', ')'])
        .split('.')
        .all(|part| part.chars().all(|letter| letter.is_ascii_digit()) && !part.is_empty());
    let letter = first.len() == 2 && first.ends_with(['.', ')']);
    if digits || letter { rest.trim() } else { text }
}

/// The keys of fields and two-column tables below a heading, up to the next heading.
fn keys_below(rest: &[Block]) -> Vec<String> {
    let mut keys = Vec::new();
    for block in rest.iter().take(12) {
        match block {
            Block::Heading { .. } => break,
            Block::Paragraph(text) | Block::Item { text } => {
                for line in text.text.lines() {
                    if let Some((key, _)) =
                        line.split_once(':').filter(|(key, value)| key.len() < 40 && !value.trim().is_empty())
                    {
                        keys.push(key.trim().to_owned());
                    }
                }
            }
            Block::Table(Table { header, rows, .. }) if header.len() == 2 => {
                keys.extend(header.first().map(|cell| cell.trimmed().to_owned()));
                keys.extend(
                    rows.iter().filter_map(|row| row.cells.first()).map(|cell| cell.trimmed().to_owned()),
                );
            }
            _ => {}
        }
    }
    keys
}
