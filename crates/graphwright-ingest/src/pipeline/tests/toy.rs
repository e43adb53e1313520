//! An extractor for tests. It reads `X uses Y [since YEAR]`, `X likes Y`, `X has tier N`, `X has port N` and
//! `X is also called Y`.

use async_trait::async_trait;
use graphwright_core::{Chunk, Span, Value};
use graphwright_documents::{
    Extraction, Extractor, ParsedDocument, Result,
    extraction::{ExtractedEntity, ExtractedFact, ExtractedProperty, KnownEntities, KnownEntity},
};
use graphwright_llm::{Embedder, EmbedderIdentity};
use graphwright_ontology::Ontology;
use regex::Regex;

pub(super) fn ontology() -> Ontology {
    let text = "
name: toy
nodes:
  Service:
    properties:
      tier: {type: integer}
relationships:
  USES:
    from: [Service]
    to: [Service]
    properties:
      since: {type: date}
";
    Ontology::parse(text, std::path::Path::new("toy.yaml")).expect("reads")
}

#[derive(Debug)]
pub(super) struct ToyExtractor;

#[async_trait]
impl Extractor for ToyExtractor {
    fn identity(&self) -> String {
        "toy-1".to_owned()
    }

    async fn survey(&self, document: &ParsedDocument, _: &Ontology) -> Result<Vec<KnownEntity>> {
        let called = Regex::new(r"([\w-]+) is also called ([\w-]+)").expect("a pattern");
        let known = called.captures_iter(&document.text).map(|found| KnownEntity {
            kind: "Service".to_owned(),
            name: found[1].to_owned(),
            aliases: vec![found[2].to_owned()],
            ..KnownEntity::default()
        });
        Ok(known.collect())
    }

    async fn extract(
        &self,
        document: &ParsedDocument,
        _: &[Chunk],
        _: &Ontology,
        _: &KnownEntities,
    ) -> Result<Extraction> {
        assert!(!document.text.contains("defect"), "a document that it cannot bear");
        let mut extraction = Extraction::default();
        let uses = Regex::new(r"([\w-]+) (uses|likes) ([\w-]+)(?: since (\d{4}))?").expect("a pattern");
        for found in uses.captures_iter(&document.text) {
            let all = found.get(0).expect("a match");
            let from = entity(&mut extraction, found.get(1).expect("a name"));
            let to = entity(&mut extraction, found.get(3).expect("a name"));
            let since = found.get(4).map(|year| ("since".to_owned(), Value::from(year.as_str())));
            extraction.facts.push(ExtractedFact {
                kind: found[2].to_uppercase(),
                from,
                to,
                properties: since.into_iter().collect(),
                confidence: 1.0,
                span: Span::new(all.start(), all.end()),
            });
        }
        let value = Regex::new(r"([\w-]+) has (tier|port) (\w+)").expect("a pattern");
        for found in value.captures_iter(&document.text) {
            let all = found.get(0).expect("a match");
            let index = entity(&mut extraction, found.get(1).expect("a name"));
            extraction.entities[index].properties.push(ExtractedProperty {
                name: found[2].to_owned(),
                value: Value::from(&found[3]),
                confidence: 1.0,
                span: Span::new(all.start(), all.end()),
            });
        }
        Ok(extraction)
    }
}

fn entity(extraction: &mut Extraction, name: regex::Match<'_>) -> usize {
    let span = Span::new(name.start(), name.end());
    if let Some(index) = extraction.entities.iter().position(|entity| entity.name == name.as_str()) {
        extraction.entities[index].mentions.push(span);
        return index;
    }
    let kind = "Service".to_owned();
    let name = name.as_str().to_owned();
    extraction.entities.push(ExtractedEntity {
        kind,
        name,
        mentions: vec![span],
        ..ExtractedEntity::default()
    });
    extraction.entities.len() - 1
}

/// An embedder for tests: the length of the text, and one.
#[derive(Debug)]
pub(super) struct LengthEmbedder(EmbedderIdentity);

impl LengthEmbedder {
    pub(super) fn new(name: &str) -> Self {
        Self(EmbedderIdentity { name: name.to_owned(), weights: String::new(), dimensions: 2 })
    }
}

#[async_trait]
impl Embedder for LengthEmbedder {
    fn identity(&self) -> &EmbedderIdentity {
        &self.0
    }

    async fn embed(&self, texts: &[String]) -> graphwright_llm::Result<Vec<Vec<f32>>> {
        let unit = |text: &String| {
            let length = text.len() as f32;
            let norm = length.hypot(1.0);
            vec![length / norm, 1.0 / norm]
        };
        Ok(texts.iter().map(unit).collect())
    }
}
