//! The document as a thing of its own: its type by path, folder, the fields at its head or the headings that it shares with
//! others; its title; its head as a record.

use graphwright_core::Span;
use graphwright_documents::{ParsedDocument, extraction::DropReason};
use graphwright_ontology::DataType;

use super::{
    Block, BlockText, Entity, Meaning, Walk, fields::Field, heading_words::is_not_fact_word, headings,
    links::identifiers,
};
use crate::{
    facts::{
        collect::Status,
        names, prose, values,
        vocabulary::{self, Kind, Vocabulary},
    },
    head::{self, Head},
};

/// So many fields at the head of a document, beside its title, or sections show that it is of the type that has them.
const TELLING_FIELDS: usize = 2;

/// A synonym of so few letters is taken for an acronym where it stands before a number.
const LONGEST_ACRONYM: usize = 4;

impl Walk<'_> {
    /// Makes the document an entity, where it shows of which type. Returns the numbers of the blocks that were read for it.
    pub(super) fn open_page(&mut self, document: &ParsedDocument, blocks: &[Block]) -> Vec<usize> {
        let mut head = Head::read(blocks, &document.text);
        let Some((kind, telling)) = self.kind_of_page(document, &head, blocks) else {
            return self.open_part(document, head);
        };
        // A template's own title names nothing.
        head.heading = head.heading.filter(|(heading, ..)| !self.recurring.contains(heading));
        let vocabulary = self.lexicon.vocabulary;
        let known = self.pages.told_apart(&document.source).filter(|known| known.kind == kind).cloned();
        let own = head.fields.iter().find(|(key, _)| is_title(vocabulary, kind, key));
        // Where the head gives another title, the heading is that of a section.
        let is_section =
            |heading: &str| own.is_some_and(|(_, title)| names::key(title.trimmed()) != names::key(heading));
        if let Some((heading, _, index)) = head.heading.as_ref().filter(|(heading, ..)| !is_section(heading))
        {
            let tokens = prose::tokenise(heading);
            // `Roadmap for 2020` with a full head is such a thing; with few fields it tells of what is no fact yet.
            let planned = tokens.iter().any(|token| is_not_fact_word(&token.lower));
            let of_template = || self.headings_of_template(blocks, kind, &[]).next().is_some();
            if planned && telling <= TELLING_FIELDS && !of_template() {
                return Vec::new();
            }
            let said = self.entity_of_heading(heading, &tokens, &blocks[index + 1..], true);
            let said = said.filter(|(entity, _)| !planned && (entity.kind != kind || known.is_none()));
            if let Some((entity, _)) = said {
                // The title says it itself, and is read as titles are.
                if entity.kind == kind {
                    return self.titled_page(&entity, &head, document);
                }
                // `Use the new gate` is a decision, though it ends with the word for a gate: little below it is of a gate.
                let own = telling < usize::MAX && 2 * self.telling(&head, blocks, entity.kind) > telling;
                if own || self.names_another(&head, blocks, kind) {
                    return Vec::new();
                }
            }
        }
        let (title, span) = match (own, &head.heading) {
            (Some((_, value)), _) => (value.on_one_line(), value.span(0..value.text.len())),
            (None, Some((heading, span, _))) => (heading.clone(), *span),
            (None, None) => (String::new(), first_span(&head, blocks)),
        };
        let (name, others) = names_of(vocabulary, kind, &title, &document.source);
        if name.is_empty() {
            return Vec::new();
        }
        let titled = self.known_or_new(&name, kind);
        let entity = known.unwrap_or_else(|| titled.clone());
        self.collector.mention(&entity, span);
        for other in others.iter().chain(Some(&titled.name).filter(|_| titled != entity)) {
            self.collector.other_name(&entity, other);
        }
        self.context.note(&entity);
        self.context.page = Some(entity.clone());
        self.page = Some(entity.clone());
        let mut read = self.read_head(&entity, &head);
        read.extend(head.heading.filter(|(heading, ..)| !is_section(heading)).map(|(_, _, index)| index));
        read
    }

    /// Makes the text of a folder that of the thing which a record beside it describes: `README.md` and `about.yaml`.
    fn open_part(&mut self, document: &ParsedDocument, head: Head) -> Vec<usize> {
        let Some(entity) = self.pages.beside(&document.source).cloned() else { return Vec::new() };
        let Some((heading, span, index)) = head.heading else { return Vec::new() };
        self.collector.mention(&entity, span);
        if heading != entity.name {
            self.collector.other_name(&entity, &heading);
        }
        self.context.note(&entity);
        self.context.page = Some(entity.clone());
        self.page = Some(entity);
        vec![index]
    }

    /// Reads the head of a document whose title names it as any title does.
    fn titled_page(&mut self, page: &Entity, head: &Head, document: &ParsedDocument) -> Vec<usize> {
        let title = head.heading.as_ref().map_or("", |(title, _, _)| title);
        let (_, others) = names_of(self.lexicon.vocabulary, page.kind, title, &document.source);
        for other in others.iter().filter(|other| **other != page.name) {
            self.collector.other_name(page, other);
        }
        self.read_head(page, head)
    }

    /// The type of a document, by the paths that the ontology gives a type, or by the fields at its head and its sections;
    /// with how many of them tell.
    fn kind_of_page(
        &self,
        document: &ParsedDocument,
        head: &Head,
        blocks: &[Block],
    ) -> Option<(usize, usize)> {
        let vocabulary = self.lexicon.vocabulary;
        let kinds = 0..vocabulary.types.len();
        if let Some(kind) = kind_by_pattern(vocabulary, &document.source) {
            return Some((kind, usize::MAX));
        }
        let counts: Vec<usize> = kinds.map(|kind| self.telling(head, blocks, kind)).collect();
        let most = counts.iter().copied().max().filter(|most| *most >= TELLING_FIELDS)?;
        let mut best = (0..counts.len()).filter(|kind| counts[*kind] == most);
        best.next().filter(|_| best.next().is_none()).map(|kind| (kind, most))
    }

    /// Whether a head has a field for the name of what it tells of: `Case: Doe v Roe` below the name of a court. A section
    /// called so tells of it.
    fn names_another(&self, head: &Head, blocks: &[Block], kind: usize) -> bool {
        let words = &self.lexicon.vocabulary.types[kind].words;
        let texts = head.blocks.iter().filter_map(|index| match blocks.get(*index)? {
            Block::Paragraph(text) | Block::Item { text } => Some(text.text.lines()),
            _ => None,
        });
        let lines = texts.flatten().filter_map(|line| line.split_once(':').map(|(key, _)| key));
        let fields = head.fields.iter().map(|(key, _)| key.as_str());
        fields.chain(lines).any(|key| words.contains(&names::parts(key)))
    }

    /// How many fields of a head, beside its title, and sections are those of a type.
    fn telling(&self, head: &Head, blocks: &[Block], kind: usize) -> usize {
        let vocabulary = self.lexicon.vocabulary;
        let tells = |key: &str| {
            let own = &vocabulary.types[kind].key;
            let is_key = own != "name" && key.eq_ignore_ascii_case(own);
            is_key || !is_title(vocabulary, kind, key) && self.meaning_of_field(head, key, kind).is_some()
        };
        let fields = head.fields.iter().filter(|(key, _)| tells(key)).count();
        let is_field = |section: &&head::Section| self.section_field(section, kind).is_some();
        let sections: Vec<&str> =
            head.sections.iter().filter(is_field).map(|section| section.key.as_str()).collect();
        // `NEP 9: Arrays` is titled as such things are.
        let is_numbered = |title: &str| {
            identifiers_of_title(title).any(|name| {
                let word = name.rsplit_once(' ').map_or("", |(word, _)| word).to_lowercase();
                vocabulary.types[kind].words.contains(&vec![word])
            })
        };
        let title = usize::from(head.heading.as_ref().is_some_and(|(title, ..)| is_numbered(title)));
        title + fields + sections.len() + self.headings_of_template(blocks, kind, &sections).count()
    }

    /// The headings that many documents have and that are words for what a thing of a type has, but for some: sections of a
    /// template for such things.
    fn headings_of_template<'b>(
        &self,
        blocks: &'b [Block],
        kind: usize,
        but: &[&str],
    ) -> impl Iterator<Item = &'b Block> {
        let vocabulary = self.lexicon.vocabulary;
        blocks.iter().filter(move |block| match block {
            Block::Heading { text, .. } => {
                let heading = text.on_one_line();
                self.recurring.contains(&heading)
                    && !but.contains(&heading.trim_end_matches(':'))
                    && vocabulary.keys.meaning_for(vocabulary, &heading, kind).is_some()
            }
            _ => false,
        })
    }

    /// What a short section says of a page of a type. The word for a type heads a list of what there is of it, unless it is
    /// that for a relationship too, and heads names alone.
    fn section_field(&self, section: &head::Section, kind: usize) -> Option<Meaning> {
        let vocabulary = self.lexicon.vocabulary;
        let lists_type = || {
            vocabulary.keys.meanings(&section.key).iter().any(|meaning| matches!(meaning, Meaning::Kind(_)))
        };
        let meaning = vocabulary.keys.meaning_for(vocabulary, &section.key, kind)?;
        // Items that say more than names are read as those of any list.
        let is_names =
            matches!(meaning, Meaning::Relation { .. }) && !section.value.text.contains([':', '(', '–', '—']);
        let is_field = is_names || !lists_type();
        (is_field && !is_title(vocabulary, kind, &section.key)).then_some(meaning)
    }

    /// What a field of a head says of a page. Of a key within maps, `affected.versions.fixed`, its own name is enough where no
    /// other field has it, and where none of the maps has a name: what has one is a thing of its own (`author.name`).
    fn meaning_of_field(&self, head: &Head, key: &str, kind: usize) -> Option<Meaning> {
        let vocabulary = self.lexicon.vocabulary;
        let meaning = |key: &str| vocabulary.keys.meaning_for(vocabulary, key, kind);
        meaning(key).or_else(|| {
            let (maps, own) = key.rsplit_once('.')?;
            let is_within =
                |map: &str| maps == map || maps.strip_prefix(map).is_some_and(|rest| rest.starts_with('.'));
            let names_map = |other: &str| {
                let (map, last) = other.rsplit_once('.')?;
                Some(
                    is_within(map)
                        && (head::is_name(last) || head::is_title(last) || last.eq_ignore_ascii_case("id")),
                )
            };
            let mut others = head.fields.iter().map(|(other, _)| other.as_str());
            let is_own_thing = others.clone().any(|other| names_map(other) == Some(true));
            let is_other = |other: &str| other != key && other.rsplit('.').next() == Some(own);
            (!is_own_thing && !others.any(is_other)).then(|| meaning(own)).flatten()
        })
    }

    /// Reads the fields of a page. Returns the numbers of the blocks that were read.
    fn read_head(&mut self, page: &Entity, head: &Head) -> Vec<usize> {
        let vocabulary = self.lexicon.vocabulary;
        for (key, value) in &head.fields {
            if is_title(vocabulary, page.kind, key) {
                continue;
            }
            let meaning = self.meaning_of_field(head, key, page.kind);
            if !matches!(meaning, Some(Meaning::Relation { .. })) {
                self.refer_by_paths(page, value);
            }
            if let Some(meaning) = meaning {
                self.read_field(page, key, meaning, &self.state_of(key, meaning, value));
            } else {
                let what = || format!("{}.{key} = {}", page.name, value.trimmed());
                self.collector.drop(DropReason::UnknownProperty, value.span(0..value.text.len()), what);
            }
        }
        let mut read = head.blocks.clone();
        for section in &head.sections {
            if let Some(meaning) = self.section_field(section, page.kind) {
                let value = self.state_of(&section.key, meaning, &section.value);
                self.read_field(page, &section.key, meaning, &value);
                // `Superseded by X` says more than the value.
                if value.text.len() == section.value.text.len() {
                    read.extend(&section.blocks);
                }
            }
        }
        read
    }

    /// A value without what is said of it, where it is an allowed one or how things stand: `Superseded by X`.
    fn state_of(&self, key: &str, meaning: Meaning, value: &BlockText) -> BlockText {
        let Meaning::Property(property) = meaning else { return value.clone() };
        let definition = &self.lexicon.vocabulary.properties[property].definition;
        let state = values::without_signs(head::state(&value.text));
        let is_value = |text: &str| values::read(text, definition).is_some();
        let cut = if definition.values.is_empty() {
            definition.kind == DataType::String && head::is_state(key) && value.items.is_empty()
        } else {
            !is_value(&value.text) && is_value(state)
        };
        match value.text.find(state).filter(|_| cut && !state.is_empty()) {
            Some(start) => value.part(start..start + state.len()),
            None => value.clone(),
        }
    }

    fn read_field(&mut self, page: &Entity, key: &str, meaning: Meaning, value: &BlockText) {
        let span = value.span(0..value.text.len());
        match meaning {
            Meaning::Property(property) if !value.items.is_empty() => {
                self.record_property(page, property, key, value, span);
            }
            meaning => self.field_value(page, &Field { key, meaning, value, span }, 1.0, Status::Fact),
        }
    }
}

/// The type whose pattern of paths fits best: one that would not fit a folder further up.
fn kind_by_pattern(vocabulary: &Vocabulary, source: &str) -> Option<usize> {
    let fits = |kind: &usize, path: &str| vocabulary.types[*kind].pages.is_match(path);
    let mut kinds: Vec<usize> = (0..vocabulary.types.len()).filter(|kind| fits(kind, source)).collect();
    let mut path = source.to_owned();
    while kinds.len() > 1
        && let Some((folder, file)) = path.rsplit_once('/')
    {
        path = folder.rsplit_once('/').map_or(file.to_owned(), |(above, _)| format!("{above}/{file}"));
        let (general, special): (Vec<usize>, Vec<usize>) = kinds.iter().partition(|kind| fits(kind, &path));
        kinds = if special.is_empty() { general } else { special };
    }
    kinds.first().copied()
}

/// Whether a key at the head of a document gives its title.
fn is_title(vocabulary: &Vocabulary, kind: usize, key: &str) -> bool {
    let names = &vocabulary.types[kind].name_words;
    head::is_title(key) || names.contains(&crate::facts::names::parts(key))
}

fn first_span(head: &Head, blocks: &[Block]) -> Span {
    let field = head.fields.first().map(|(_, value)| value.span(0..value.text.len()));
    let block = || {
        blocks.iter().find_map(|block| match block {
            Block::Heading { span, .. } => Some(*span),
            Block::Paragraph(text) | Block::Item { text } => Some(text.span(0..text.text.len())),
            _ => None,
        })
    };
    field.or_else(block).unwrap_or_default()
}

/// The name of a document and what else it is called: `RFC 8` for `0008-new-intrinsics.md`.
fn names_of(vocabulary: &Vocabulary, kind: usize, title: &str, source: &str) -> (String, Vec<String>) {
    let own = &vocabulary.types[kind];
    // `0012-gates/adr.md` is named by its folder.
    let folder = source.rsplit('/').nth(1);
    let is_kind = |stem: &str| own.words.contains(&vocabulary::words(stem));
    let stem = Some(headings::stem_of(source)).filter(|stem| !is_kind(stem)).or(folder).unwrap_or_default();
    let words = vocabulary::words(stem);
    let is_number =
        |word: Option<&String>| word.is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
    // `0008-new-intrinsics`, `pep-0008`, `adr-12-storage`; not `2024-03-01-outage`.
    let kind_first = words.first().is_some_and(|first| own.words.contains(&vec![first.clone()]));
    let at = usize::from(kind_first);
    let number = words.get(at).filter(|word| is_number(Some(word)) && !is_number(words.get(at + 1)));
    let plain = number.map(|number| match number.trim_start_matches('0') {
        "" => "0",
        plain => plain,
    });
    let called = |name: &str| {
        [plain, number.map(String::as_str)].map(|number| number.map(|number| format!("{name} {number}")))
    };
    let short = words.first().filter(|_| kind_first).map(|word| word.to_uppercase());
    let by_label = [called(&spaced(&own.label)), short.map_or([None, None], |short| called(&short))];
    let numbered = by_label.iter().flatten().flatten().min_by_key(|name| name.len()).cloned();
    let mut others: Vec<String> = by_label.into_iter().flatten().flatten().collect();
    others.extend(own.acronyms().flat_map(|acronym| called(&acronym)).flatten());
    others.extend(identifiers_of_title(title).filter(|name| {
        // `Amendment (RFC 12)` in the file with another number names that.
        plain.is_none_or(|plain| {
            name.rsplit(' ').next().is_some_and(|own| own.trim_start_matches('0') == plain)
        })
    }));
    // `36. Use gates` is also called `Use gates`.
    others.extend(Some(headings::strip_numbering(title)).filter(|bare| *bare != title).map(str::to_owned));
    others.sort_by(|one, other| one.len().cmp(&other.len()).then(one.cmp(other)));
    others.dedup();
    if !title.is_empty() {
        return (title.to_owned(), others);
    }
    // A file name that people have written is one.
    if stem.contains(' ') {
        return (stem.to_owned(), others);
    }
    let rest: Vec<&str> = words
        .iter()
        .filter(|word| Some(*word) != number && !own.words.contains(&vec![(*word).clone()]))
        .map(String::as_str)
        .collect();
    (numbered.as_deref().into_iter().chain(rest).collect::<Vec<_>>().join(" "), others)
}

impl Kind {
    /// `RFC` where the ontology has it for a synonym.
    fn acronyms(&self) -> impl Iterator<Item = String> {
        self.words.iter().filter_map(|words| match words.as_slice() {
            [word] if word.len() <= LONGEST_ACRONYM && !word.eq_ignore_ascii_case(&self.label) => {
                Some(word.to_uppercase())
            }
            _ => None,
        })
    }
}

/// The identifiers that a title begins with, or has in brackets: `RFC 2451: Gates`, `Gates (RFC 2451)`.
fn identifiers_of_title(title: &str) -> impl Iterator<Item = String> {
    let names = |range: &std::ops::Range<usize>| {
        let (before, after) = (&title[..range.start], &title[range.end..]);
        before.is_empty() || before.ends_with(['(', '[']) && after.starts_with([')', ']'])
    };
    identifiers(title).into_iter().filter(move |(range, _)| names(range)).map(|(_, name)| name)
}

/// `DecisionRecord` as `Decision Record`.
fn spaced(label: &str) -> String {
    let mut shown = String::new();
    for letter in label.chars() {
        if letter.is_uppercase() && shown.ends_with(char::is_lowercase) {
            shown.push(' ');
        }
        shown.push(letter);
    }
    shown
}
