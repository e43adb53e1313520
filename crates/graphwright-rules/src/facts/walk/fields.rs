//! `key: value` lines and front matter.

mod dates;

use std::collections::BTreeMap;

use graphwright_core::{Span, Value};
use graphwright_documents::extraction::DropReason;
use graphwright_ontology::DataType;

use super::{Block, BlockText, Entity, Meaning, Walk};
use crate::{
    addresses::without_address,
    facts::{
        collect::Status,
        inflection,
        keys::fit,
        notes, prose, values,
        vocabulary::{Property, Vocabulary},
        words,
    },
    head::split_field,
};

/// A key with its value, and what the key means.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field<'f> {
    pub(super) key: &'f str,
    pub(super) meaning: Meaning,
    pub(super) value: &'f BlockText,
    pub(super) span: Span,
}

/// Whether a key asks for several things.
pub(super) fn is_plural_key(key: &str) -> bool {
    let last = key.trim().rsplit([' ', '_', '.']).next().unwrap_or("").to_lowercase();
    inflection::is_plural(&last)
}

/// The unit in the brackets of a key: `Length (km)`.
fn unit_of_key(key: &str) -> Option<&str> {
    let (_, rest) = key.split_once('(')?;
    let unit = rest.split(')').next()?.trim().trim_start_matches("in ");
    values::unit(unit).map(|_| unit)
}

/// The value that a bare number is with the unit in the brackets of its key.
pub(super) fn with_unit_of_key(key: &str, shown: &str, property: &Property) -> Option<Value> {
    let bare = shown.chars().all(|letter| letter.is_ascii_digit() || matches!(letter, '.' | ',' | ' '));
    let unit = unit_of_key(key).filter(|_| bare && !shown.is_empty())?;
    values::read_measured(&format!("{shown} {unit}"), &property.definition, property.measure)
}

impl Walk<'_> {
    /// Takes the lines `key: value` out of a block; returns what is left as prose.
    pub(super) fn take_fields(&mut self, text: &BlockText) -> Vec<BlockText> {
        let Some(topic) = self.context.topic().cloned() else {
            return vec![text.clone()];
        };
        let mut prose = Vec::new();
        let mut from = 0;
        let mut start = 0;
        for line in field_lines(&text.text) {
            let end = start + line.len();
            if let Some((key, value)) = split_field(line)
                && let Some(meaning) = self.lexicon.vocabulary.keys.meaning_for(
                    self.lexicon.vocabulary,
                    &line[key.clone()],
                    topic.kind,
                )
            {
                if !text.text[from..start].trim().is_empty() {
                    prose.push(text.part(from..start));
                }
                let value = text.trim(start + value.start..start + value.end);
                let span = text.span(text.trim(start..end));
                let value = text.part(value);
                let field = Field { key: &line[key], meaning, value: &value, span };
                self.field_value(&topic, &field, 1.0, self.base());
                from = end;
            }
            start = end;
        }
        if from == 0 {
            return vec![text.clone()];
        }
        if !text.text[from..].trim().is_empty() {
            prose.push(text.part(from..text.text.len()));
        }
        prose
    }

    /// A field of the front matter speaks of the page.
    pub(super) fn front_field(&mut self, key: &str, value: &BlockText, rest: &[Block]) {
        if self.context.page.is_none() {
            let title = rest.iter().find_map(|block| match block {
                Block::Heading { text, .. } => Some(text.trimmed().to_owned()),
                _ => None,
            });
            if let Some(title) = title {
                self.context.page = self.entity_named(&title, &[], false);
            }
        }
        let Some(page) = self.context.page.clone() else { return };
        if let Some(meaning) =
            self.lexicon.vocabulary.keys.meaning_for(self.lexicon.vocabulary, key, page.kind)
        {
            let span = value.span(0..value.text.len());
            self.field_value(&page, &Field { key, meaning, value, span }, 1.0, Status::Fact);
        }
    }

    /// States what a field says of a thing.
    pub(super) fn field_value(&mut self, entity: &Entity, field: &Field<'_>, confidence: f64, base: Status) {
        let vocabulary = self.lexicon.vocabulary;
        let Field { key, meaning, value, span } = *field;
        if value.is_wholly(&[crate::facts::text::MarkKind::Struck]) {
            return;
        }
        match meaning {
            Meaning::Property(property) => {
                let (shown, note) = without_note(value.trimmed());
                let status = base.max(notes::status(note.split(' ')));
                let entry = &vocabulary.properties[property];
                let read = with_unit_of_key(key, shown, entry)
                    .or_else(|| values::read_measured(value.trimmed(), &entry.definition, entry.measure))
                    .filter(|_| note.is_empty() || vocabulary.is_free_text(property))
                    .or_else(|| values::read_measured(shown, &entry.definition, entry.measure))
                    .or_else(|| self.date_in_order(shown, &entry.definition));
                self.note_order_of_dates(entity, shown);
                match read {
                    Some(read) => {
                        self.collector.mention(entity, span);
                        self.collector.property(entity, property, read, status, confidence, span);
                    }
                    None if !words::is_no_value(&shown.to_lowercase()) => {
                        let what = || format!("{}.{} = {}", entity.name, entry.name, value.trimmed());
                        self.collector.drop(DropReason::BadValue, span, what);
                    }
                    None => {}
                }
                let is_text = entry.definition.kind == DataType::String;
                if let Some(meaning) = is_text.then(|| self.relation_said_by(key, entity.kind)).flatten() {
                    self.field_value(entity, &Field { meaning, ..*field }, confidence, base);
                }
            }
            Meaning::Relation { relation, inverse } => {
                let definition = &vocabulary.relations[relation];
                let allowed = if inverse { definition.from.clone() } else { definition.to.clone() };
                for (other, status, range) in self.named_in_list(value, &allowed, is_plural_key(key)) {
                    self.collector.mention(entity, span);
                    self.collector.mention(&other, value.span(range));
                    self.context.note(&other);
                    self.context.pointers.give_role(&other, &key.trim().to_lowercase());
                    let (from, to) = if inverse { (&other, entity) } else { (entity, &other) };
                    self.collector.fact(
                        relation,
                        from,
                        to,
                        status.max(base),
                        confidence,
                        span,
                        BTreeMap::new(),
                    );
                }
            }
            Meaning::Kind(_) => {}
        }
    }

    /// The relationship that a key says by its own words, where it is that of a property as well: a page has its `author`, and is
    /// by somebody.
    fn relation_said_by(&self, key: &str, kind: usize) -> Option<Meaning> {
        let vocabulary = self.lexicon.vocabulary;
        let meanings = vocabulary.keys.exact_meanings(key).iter();
        let mut relations = meanings.filter(|meaning| matches!(meaning, Meaning::Relation { .. }));
        relations.find_map(|meaning| fit(vocabulary, *meaning, kind))
    }

    /// The entities that a value lists.
    pub(super) fn named_in_list(
        &mut self,
        value: &BlockText,
        allowed: &[usize],
        plural: bool,
    ) -> Vec<(Entity, Status, std::ops::Range<usize>)> {
        let mut found = Vec::new();
        let whole = value.trim(0..value.text.len());
        let people = allowed.iter().all(|kind| self.lexicon.vocabulary.types[*kind].human);
        let known = |text: &str| {
            let found = self.lexicon.gazetteer.lookup(text);
            found.iter().any(|entry| allowed.contains(&self.lexicon.gazetteer.entries[*entry].kind))
        };
        let pieces = if value.items.is_empty() {
            list_pieces(&value.text, whole, (plural, people), &known)
        } else {
            value.items.clone()
        };
        for range in pieces {
            let struck = value.marks.iter().any(|mark| {
                mark.kind == crate::facts::text::MarkKind::Struck
                    && mark.range.start <= range.start
                    && mark.range.end >= range.end
            });
            let shown = without_address(&value.text[range.clone()]);
            let (bare, note) = without_note(shown);
            let tokens = prose::tokenise(bare);
            let denied = tokens.iter().any(|token| {
                matches!(
                    token.lower.as_str(),
                    "not"
                        | "no"
                        | "former"
                        | "formerly"
                        | "planned"
                        | "previously"
                        | "proposed"
                        | "was"
                        | "until"
                )
            });
            if struck || denied {
                continue;
            }
            let status = notes::status(note.split(' '));
            // `Falcon (fast)`: a new name ends before the bracket.
            let whole = note.is_empty() || !self.lexicon.gazetteer.lookup(shown).is_empty();
            let by_path =
                self.pages.named_by_path(shown).filter(|page| allowed.contains(&page.kind)).cloned();
            let by_name =
                || whole.then(|| self.entity_named(shown, &restrict(self, shown, allowed), true)).flatten();
            let named = by_path
                .or_else(by_name)
                .or_else(|| self.entity_named(bare, &restrict(self, bare, allowed), true))
                .or_else(|| self.known_at_start(bare, allowed));
            if let Some(entity) = named.filter(|entity| allowed.contains(&entity.kind)) {
                let span = value.span(range.clone());
                self.read_note(&entity, &shown[bare.len()..], status, span);
                found.push((entity, status, range));
            }
        }
        found
    }

    /// Reads what a bracket after a name is: an allowed value of one of its properties (`Falcon (Redis)`).
    fn read_note(&mut self, entity: &Entity, bracket: &str, status: Status, span: Span) {
        let note = bracket.trim().trim_start_matches('(').trim_end_matches(')');
        let tokens = prose::tokenise(note);
        let vocabulary = self.lexicon.vocabulary;
        let Some((length, found)) = vocabulary.allowed_values.find(&tokens, 0) else { return };
        let own: Vec<_> = found
            .into_iter()
            .filter(|allowed| vocabulary.properties[allowed.property].owner == entity.kind)
            .copied()
            .collect();
        if let [only] = own.as_slice()
            && length == tokens.len()
        {
            let definition = &vocabulary.properties[only.property].definition;
            let value = values::from_json(&definition.values[only.value]);
            self.collector.property(entity, only.property, value, status.max(self.base()), 0.9, span);
        }
    }

    /// A known name that a longer piece starts with: `Falcon, for queues`; `Falcon 2.1`.
    fn known_at_start(&self, text: &str, allowed: &[usize]) -> Option<Entity> {
        let tokens = prose::tokenise(text);
        let start =
            usize::from(tokens.first().is_some_and(|token| matches!(token.lower.as_str(), "the" | "a")));
        let (length, hits) = self.lexicon.gazetteer.find(&tokens, start)?;
        let next = tokens.get(start + length);
        if next.is_some_and(|next| {
            next.is_word()
                && !next.is_number()
                && !words::is_closed(&next.lower)
                && !next.lower.starts_with('v')
        }) {
            let follows = self.lexicon.vocabulary.type_words.find(&tokens, start + length).is_some();
            if !follows {
                return None;
            }
        }
        let fitting: Vec<_> = hits
            .iter()
            .filter(|hit| allowed.contains(&self.lexicon.gazetteer.entries[hit.entry].kind))
            .collect();
        let [only] = fitting.as_slice() else { return None };
        let entry = &self.lexicon.gazetteer.entries[only.entry];
        Some(Entity { kind: entry.kind, name: entry.name.clone() })
    }
}

/// The types among the allowed ones that a text may be: the one whose word it holds, else all.
fn restrict(walk: &Walk<'_>, text: &str, allowed: &[usize]) -> Vec<usize> {
    let vocabulary: &Vocabulary = walk.lexicon.vocabulary;
    let parts = crate::facts::names::parts(text);
    let by_word: Vec<usize> = allowed
        .iter()
        .copied()
        .filter(|kind| vocabulary.strip_type_words(*kind, &parts).len() < parts.len())
        .collect();
    if by_word.len() == 1 && walk.lexicon.gazetteer.lookup(text).is_empty() {
        by_word
    } else {
        allowed.to_vec()
    }
}

/// The lines of a text; a line with fields among its sentences (`A note. Owner: A. Tier: 1.`) as several.
fn field_lines(text: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    for line in whole_lines(text) {
        let mut start = 0;
        for (at, _) in line.match_indices(". ").chain(line.match_indices("; ")) {
            let (head, tail) = line.split_at(at + 2);
            let Some(head) = head.get(start..).filter(|head| ends_sentence(head)) else { continue };
            let begins = tail.trim_start().starts_with(|letter: char| letter.is_alphanumeric());
            // After a semicolon a list of values may go on.
            let list = line[at..].starts_with(';');
            let fields = !list && split_field(head).is_some() || split_field(tail).is_some();
            if begins && fields {
                lines.push(head);
                start = at + 2;
            }
        }
        lines.push(&line[start..]);
    }
    lines
}

/// The lines of a text, one that ends in a colon with the next: a line may be broken between key and value.
fn whole_lines(text: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut start = 0;
    for (at, _) in text.match_indices('\n') {
        if !text[start..at].trim_end().ends_with(':') {
            lines.push(&text[start..=at]);
            start = at + 1;
        }
    }
    lines.push(&text[start..]);
    lines
}

/// Whether the full stop at the end of a piece ends a sentence: not after an initial or an abbreviation.
fn ends_sentence(piece: &str) -> bool {
    let last = piece.trim_end().trim_end_matches(['.', ';']).rsplit([' ', '.']).next().unwrap_or("");
    !last.is_empty()
        && (last.len() > 1 || last.starts_with(|letter: char| letter.is_ascii_digit()))
        && !words::is_abbreviation(&last.to_lowercase())
}

/// A value and the note in brackets at its end.
pub(super) fn without_note(text: &str) -> (&str, String) {
    let text = text.trim();
    if let Some(open) = text.find(" (").filter(|_| text.ends_with(')')) {
        return (text[..open].trim(), text[open + 2..text.len() - 1].to_lowercase());
    }
    (text, String::new())
}

/// Whether two words with `and` between them look like one name: `Roads and Bridges`, `Of Salt and Thunder`; not
/// `Ann Lee and Bo Ek` where people are named.
fn is_one_name(left: &str, right: &str, people: bool, known: &dyn Fn(&str) -> bool) -> bool {
    let (left, right) = (left.trim(), right.split([',', ';', '(']).next().unwrap_or(right).trim());
    let capital = |text: &str| text.starts_with(char::is_uppercase);
    let single = !left.contains(' ') || !people;
    single && capital(left) && capital(right) && !known(left) && !known(right)
}

/// Splits a value at commas, semicolons, line ends and `and`, unless the whole is known. Whether several are asked for, and
/// whether they are people, decides what an `and` between new names means.
pub(super) fn list_pieces(
    text: &str,
    whole: std::ops::Range<usize>,
    (plural, people): (bool, bool),
    known: &dyn Fn(&str) -> bool,
) -> Vec<std::ops::Range<usize>> {
    if known(&text[whole.clone()]) {
        return vec![whole];
    }
    let mut pieces = Vec::new();
    let mut start = whole.start;
    let mut depth = 0_usize;
    let bytes = text.as_bytes();
    let mut at = whole.start;
    while at < whole.end {
        let rest = &text[at..whole.end];
        let length = match bytes[at] {
            b'(' => {
                depth += 1;
                0
            }
            b')' => {
                depth = depth.saturating_sub(1);
                0
            }
            b',' | b';' | b'\n' | b'|' if depth == 0 => 1,
            b'/' if depth == 0 && rest.starts_with("/ ") => 1,
            _ if depth == 0 && rest.starts_with(" × ") => " × ".len(),
            _ if depth == 0
                && rest.starts_with(" and ")
                && !known(text[start..whole.end].trim())
                && (plural || !is_one_name(&text[start..at], &rest[5..], people, known)) =>
            {
                5
            }
            _ if depth == 0 && rest.starts_with(" & ") && known(text[start..at].trim()) => 3,
            _ => 0,
        };
        if length > 0 {
            pieces.push(start..at);
            at += length;
            start = at;
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    pieces.push(start..whole.end);
    pieces
        .into_iter()
        .map(|range| {
            let piece = &text[range.clone()];
            let trimmed =
                piece.trim().trim_start_matches("and ").trim_start_matches("the ").trim_end_matches('.');
            let start = range.start + piece.find(trimmed).unwrap_or(0);
            start..start + trimmed.len()
        })
        .filter(|range| !range.is_empty())
        .collect()
}
