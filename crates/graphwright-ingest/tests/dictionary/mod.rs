//! An extractor for tests that knows only names and cues: a name of the dictionary is a mention, and two names with a cue
//! between them and nothing else are a fact.

use aho_corasick::{AhoCorasick, MatchKind};
use async_trait::async_trait;
use graphwright_core::{Chunk, Document, Span};
use graphwright_ingest::{
    Extraction, Extractor, Ontology, Result,
    extract::{ExtractedEntity, ExtractedFact, KnownEntities, KnownEntity},
};

#[derive(Debug)]
pub(crate) struct DictionaryExtractor;

#[async_trait]
impl Extractor for DictionaryExtractor {
    fn identity(&self) -> String {
        "dictionary-1".to_owned()
    }

    async fn survey(&self, _: &Document, _: &Ontology) -> Result<Vec<KnownEntity>> {
        Ok(Vec::new())
    }

    async fn extract(
        &self,
        document: &Document,
        _: &[Chunk],
        ontology: &Ontology,
        known: &KnownEntities,
    ) -> Result<Extraction> {
        let forms: Vec<(&KnownEntity, &String)> = known
            .entities
            .iter()
            .flat_map(|entity| {
                std::iter::once(&entity.name).chain(&entity.aliases).map(move |name| (entity, name))
            })
            .collect();
        let matcher = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .build(forms.iter().map(|(_, name)| name))
            .expect("builds");
        let text = &document.text;
        let whole = |start: usize, end: usize| {
            let before = text[..start].chars().next_back();
            let after = text[end..].chars().next();
            !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
        };
        let mut extraction = Extraction::default();
        let mut last: Option<(usize, usize, Span)> = None;
        for found in matcher.find_iter(text).filter(|found| whole(found.start(), found.end())) {
            let (entity, _) = forms[found.pattern().as_usize()];
            let span = Span::new(found.start(), found.end());
            let index = mention(&mut extraction, entity, span);
            if let Some((from, end, start)) = last {
                let between = text[end..span.start].trim();
                for (kind, relationship) in &ontology.relationships {
                    let ends = if relationship.cues.iter().any(|cue| cue == between) {
                        Some((from, index))
                    } else {
                        relationship.inverse_cues.iter().any(|cue| cue == between).then_some((index, from))
                    };
                    if let Some((from, to)) = ends.filter(|(from, to)| from != to) {
                        extraction.facts.push(ExtractedFact {
                            kind: kind.clone(),
                            from,
                            to,
                            properties: std::collections::BTreeMap::new(),
                            confidence: 1.0,
                            span: Span::new(start.start, span.end),
                        });
                    }
                }
            }
            last = Some((index, span.end, span));
        }
        Ok(extraction)
    }
}

fn mention(extraction: &mut Extraction, entity: &KnownEntity, span: Span) -> usize {
    let same = |one: &ExtractedEntity| one.kind == entity.kind && one.name == entity.name;
    if let Some(index) = extraction.entities.iter().position(same) {
        extraction.entities[index].mentions.push(span);
        return index;
    }
    extraction.entities.push(ExtractedEntity {
        kind: entity.kind.clone(),
        name: entity.name.clone(),
        aliases: entity.aliases.clone(),
        mentions: vec![span],
        properties: Vec::new(),
    });
    extraction.entities.len() - 1
}
