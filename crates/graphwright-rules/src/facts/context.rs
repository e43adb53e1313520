//! What a document has spoken of so far: what pronouns and descriptions stand for.

use std::collections::HashMap;

use super::{references::Pointers, vocabulary::Vocabulary};

/// An entity by its type and name.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Entity {
    /// Index of its type in the vocabulary.
    pub(super) kind: usize,
    pub(super) name: String,
}

/// What was spoken of.
#[derive(Clone, Debug, Default)]
pub(super) struct Context {
    /// What the page is about.
    pub(super) page: Option<Entity>,
    /// What the section is about, where its title names something else.
    pub(super) section: Option<Entity>,
    /// What the item of a list is about.
    pub(super) item: Option<Entity>,
    /// The subjects of the sentence before, in this paragraph.
    pub(super) subjects: Vec<Entity>,
    /// All that the sentence before names, in this paragraph and in order.
    pub(super) last: Vec<Entity>,
    /// What the titles of the page and of the open sections speak of.
    pub(super) spoken_of: Vec<(u8, Entity)>,
    /// What the document has named, by the words that may stand for it.
    pub(super) pointers: Pointers,
    /// The entity of each type named last, in this section.
    recent: HashMap<usize, Entity>,
    /// How many entities of each type this paragraph names.
    named: HashMap<usize, Vec<Entity>>,
}

impl Context {
    /// What stands for a missing subject: the thing that the item, section or page is about.
    pub(super) fn topic(&self) -> Option<&Entity> {
        self.item.as_ref().or(self.section.as_ref()).or(self.page.as_ref())
    }

    /// Whether an entity was named, or is what the page or section is about.
    pub(super) fn has_spoken_of(&self, entity: &Entity) -> bool {
        [&self.item, &self.section, &self.page].into_iter().any(|topic| topic.as_ref() == Some(entity))
            || self.pointers.has(entity)
    }

    /// Starts a new paragraph.
    pub(super) fn start_paragraph(&mut self) {
        self.subjects.clear();
        self.last.clear();
        self.named.clear();
        self.item = None;
    }

    /// Starts a new section.
    pub(super) fn start_section(&mut self) {
        self.start_paragraph();
        self.recent.clear();
    }

    /// Notes an entity that was named.
    pub(super) fn note(&mut self, entity: &Entity) {
        self.pointers.note(entity);
        self.recent.insert(entity.kind, entity.clone());
        let named = self.named.entry(entity.kind).or_default();
        if !named.contains(entity) {
            named.push(entity.clone());
        }
    }

    /// The one of several entities that was spoken of last: a subject, the only one named in this paragraph, the topic.
    pub(super) fn nearest<'e>(&self, candidates: &[&'e Entity]) -> Option<&'e Entity> {
        let only = |is_near: &dyn Fn(&Entity) -> bool| {
            let mut near = candidates.iter().filter(|entity| is_near(entity));
            near.next().filter(|_| near.next().is_none()).copied()
        };
        only(&|entity| self.subjects.contains(entity))
            .or_else(|| {
                only(&|entity| self.named.get(&entity.kind).is_some_and(|named| named.contains(entity)))
            })
            .or_else(|| only(&|entity| self.topic() == Some(entity)))
    }

    /// What a description (`the service`) stands for.
    pub(super) fn described(&self, kinds: &[usize]) -> Option<Entity> {
        let fits = |entity: &&Entity| kinds.contains(&entity.kind);
        if let [only] = self.subjects.iter().filter(fits).collect::<Vec<_>>().as_slice() {
            return Some((*only).clone());
        }
        let named: Vec<&Entity> = kinds.iter().filter_map(|kind| self.named.get(kind)).flatten().collect();
        match named.as_slice() {
            [only] => return Some((*only).clone()),
            [] => {}
            _ => return None,
        }
        if let Some(topic) = self.topic().filter(fits) {
            return Some(topic.clone());
        }
        if let Some(page) = self.page.as_ref().filter(fits) {
            return Some(page.clone());
        }
        let mut titles = self.spoken_of.iter().map(|(_, entity)| entity).filter(fits);
        if let Some(only) = titles.next().filter(|_| titles.next().is_none()) {
            return Some(only.clone());
        }
        let recent: Vec<&Entity> = kinds.iter().filter_map(|kind| self.recent.get(kind)).collect();
        match recent.as_slice() {
            [only] => Some((*only).clone()),
            _ => None,
        }
    }

    /// What a pronoun stands for. `own` are the subjects of the clauses before it in its own sentence.
    pub(super) fn pronoun(
        &self,
        vocabulary: &Vocabulary,
        word: &str,
        own: &[Entity],
        allowed: &[usize],
    ) -> Vec<Entity> {
        // The reader is no part of what is told.
        if matches!(word, "you" | "your" | "yours" | "yourself") {
            return Vec::new();
        }
        let human = match word {
            "he" | "him" | "his" => Some(true),
            "it" | "its" | "itself" => Some(false),
            _ => None,
        };
        let plural = matches!(word, "they" | "their" | "them" | "these" | "those" | "both" | "each");
        // A ship is `she`.
        let suits = |entity: &Entity| {
            let kind = &vocabulary.types[entity.kind];
            match word {
                "she" | "her" => kind.human,
                _ => human.is_none_or(|human| kind.human == human),
            }
        };
        let fits = |entity: &Entity| allowed.contains(&entity.kind) && suits(entity);
        // What is said in this sentence is not its own place.
        let own = if matches!(word, "there" | "here") { &[] } else { own };
        let mut named = false;
        for candidates in [own, self.subjects.as_slice()] {
            let number = match word {
                "both" => candidates.len() == 2,
                _ => plural || candidates.len() == 1,
            };
            if !candidates.is_empty() && number && candidates.iter().all(fits) {
                return candidates.to_vec();
            }
            // What was named meanwhile is nearer than the page.
            named |= !candidates.is_empty() && candidates.iter().any(suits);
            if named && (candidates != own || self.subjects.is_empty()) {
                return if plural { self.several(word, &fits) } else { self.other_named(&fits) };
            }
        }
        if plural {
            return self.several(word, &fits);
        }
        let topic = self.topic().filter(|entity| allowed.contains(&entity.kind));
        let she = matches!(word, "she" | "her");
        let named = if human == Some(true) || topic.is_none() { self.other_named(&fits) } else { Vec::new() };
        if !named.is_empty() {
            return named;
        }
        topic.filter(|entity| she || suits(entity)).into_iter().cloned().collect()
    }

    /// The things of the sentence before that a plural may stand for.
    fn several(&self, word: &str, fits: &dyn Fn(&Entity) -> bool) -> Vec<Entity> {
        let several: Vec<Entity> = self.last.iter().filter(|entity| fits(entity)).cloned().collect();
        let number = if word == "both" { several.len() == 2 } else { several.len() > 1 };
        if number { several } else { Vec::new() }
    }

    /// The only thing of the sentence before that may stand in a place where its subject may not.
    fn other_named(&self, fits: &dyn Fn(&Entity) -> bool) -> Vec<Entity> {
        let fitting: Vec<&Entity> = self.last.iter().filter(|entity| fits(entity)).collect();
        match fitting.as_slice() {
            [only] => vec![(*only).clone()],
            _ => Vec::new(),
        }
    }
}
