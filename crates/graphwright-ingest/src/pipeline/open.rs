//! Types that come in from passages: what several documents tell of, and the ontology lacks.
//!
//! A document that names such types waits until more are read. Then the types that enough documents name become part of the
//! ontology, and what waits is added under it.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use graphwright_documents::Extraction;
use graphwright_ontology::{NodeType, Ontology, RelationshipType};

use super::{
    Graph, Ingest,
    plan::Plan,
    read::{Known, Reading, Written},
};
use crate::{
    NewType, Result,
    propose::{MOST_NEW_RELATIONSHIPS, MOST_NEW_TYPES},
    report::IngestReport,
};

/// The least number of documents that tell of a type which comes in.
const LEAST_DOCUMENTS: usize = 2;

/// What is known of a type that may come in.
#[derive(Default)]
struct Candidate {
    documents: BTreeSet<usize>,
    example: String,
    from: BTreeSet<String>,
    to: BTreeSet<String>,
}

impl Candidate {
    fn told(&self, name: &str) -> NewType {
        NewType {
            name: name.to_owned(),
            documents: self.documents.len() as u64,
            example: self.example.clone(),
        }
    }
}

/// Returns the ontology with the types that enough of the extractions name, those of the most documents first, and these types.
fn admit(ontology: &Ontology, extractions: &[&Extraction]) -> (Ontology, Vec<NewType>) {
    let (mut ontology, mut admitted) = (ontology.clone(), Vec::new());
    let mut labels: BTreeMap<&str, Candidate> = BTreeMap::new();
    for (index, extraction) in extractions.iter().enumerate() {
        let others = extraction.entities.iter().filter(|entity| !ontology.nodes.contains_key(&entity.kind));
        for entity in others {
            let candidate = labels.entry(&entity.kind).or_default();
            if candidate.documents.is_empty() {
                candidate.example.clone_from(&entity.name);
            }
            candidate.documents.insert(index);
        }
    }
    let room = MOST_NEW_TYPES.saturating_sub(ontology.nodes.values().filter(|node| node.added).count());
    for (label, candidate) in chosen(labels, room) {
        admitted.push(candidate.told(label));
        ontology.nodes.insert(label.to_owned(), NodeType { added: true, ..NodeType::default() });
    }
    let mut kinds: BTreeMap<&str, Candidate> = BTreeMap::new();
    for (index, extraction) in extractions.iter().enumerate() {
        for fact in &extraction.facts {
            let ends = (extraction.entities.get(fact.from), extraction.entities.get(fact.to));
            let (Some(from), Some(to)) = ends else { continue };
            let known = |label: &str| ontology.nodes.contains_key(label);
            if ontology.relationships.contains_key(&fact.kind) || !known(&from.kind) || !known(&to.kind) {
                continue;
            }
            let candidate = kinds.entry(&fact.kind).or_default();
            if candidate.documents.is_empty() {
                candidate.example = format!("{} to {}", from.name, to.name);
            }
            candidate.documents.insert(index);
            candidate.from.insert(from.kind.clone());
            candidate.to.insert(to.kind.clone());
        }
    }
    let added = ontology.relationships.values().filter(|relationship| relationship.added).count();
    for (kind, candidate) in chosen(kinds, MOST_NEW_RELATIONSHIPS.saturating_sub(added)) {
        admitted.push(candidate.told(kind));
        let (from, to) = (candidate.from.into_iter().collect(), candidate.to.into_iter().collect());
        let relationship = RelationshipType { from, to, added: true, ..RelationshipType::default() };
        ontology.relationships.insert(kind.to_owned(), relationship);
    }
    (ontology, admitted)
}

fn chosen(candidates: BTreeMap<&str, Candidate>, room: usize) -> Vec<(&str, Candidate)> {
    let mut chosen: Vec<_> = candidates
        .into_iter()
        .filter(|(_, candidate)| candidate.documents.len() >= LEAST_DOCUMENTS)
        .collect();
    chosen.sort_by_key(|(_, candidate)| std::cmp::Reverse(candidate.documents.len()));
    chosen.truncate(room);
    chosen
}

impl Ingest {
    /// Decides which types come in, and adds the documents that wait for it.
    pub(super) async fn add_waiting(
        &self,
        plan: &mut Plan,
        known: &Known,
        graph: &mut Graph,
        report: &mut IngestReport,
        written: &mut Written<'_>,
    ) -> Result<()> {
        let waiting: Vec<(usize, Reading)> = std::mem::take(&mut graph.waiting);
        let extractions: Vec<&Extraction> = waiting.iter().map(|(_, reading)| &reading.extraction).collect();
        let (ontology, new) = admit(&plan.ontology, &extractions);
        if !new.is_empty() {
            let added = ontology.nodes.iter().filter(|(_, node)| node.added).map(|(label, _)| label.clone());
            self.store.create_keys(added.collect()).await?;
            ontology.save(self.store.as_ref()).await?;
            graph.ledger.set_ontology(&ontology);
            plan.ontology = Arc::new(ontology);
            report.new_types.extend(new);
        }
        for (index, reading) in waiting {
            self.check_cancelled()?;
            self.add(plan, &plan.files[index], reading, known, graph, report).await?;
            if graph.pending.is_due() {
                written.tell(self.flush(graph).await?);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use graphwright_core::Span;
    use graphwright_documents::extraction::{ExtractedEntity, ExtractedFact};

    use super::*;

    /// A document with entities, and a fact of its own type from each to the next.
    fn document(entities: &[(&str, &str)], fact: &str) -> Extraction {
        let entity = |(kind, name): &(&str, &str)| ExtractedEntity {
            kind: (*kind).to_owned(),
            name: (*name).to_owned(),
            ..ExtractedEntity::default()
        };
        let facts = (1..entities.len()).map(|to| ExtractedFact {
            kind: fact.to_owned(),
            from: to - 1,
            to,
            properties: BTreeMap::new(),
            confidence: 1.0,
            span: Span::default(),
        });
        Extraction {
            entities: entities.iter().map(entity).collect(),
            facts: facts.collect(),
            ..Extraction::default()
        }
    }

    fn admitted(documents: &[Extraction], ontology: &Ontology) -> Vec<String> {
        let (extended, new) = admit(ontology, &documents.iter().collect::<Vec<_>>());
        assert!(extended.check().iter().all(|found| found.severity != graphwright_ontology::Severity::Error));
        new.into_iter().map(|new| format!("{} {} {}", new.name, new.documents, new.example)).collect()
    }

    #[test]
    fn the_most_frequent_come_in_with_the_ends_that_were_seen() {
        let mut ontology = Ontology::default();
        ontology.nodes.insert("Team".to_owned(), NodeType::default());
        let documents = [
            document(&[("Team", "A"), ("Invoice", "I-1")], "PAID"),
            document(&[("Team", "B"), ("Invoice", "I-2")], "PAID"),
            document(&[("Team", "B"), ("Mood", "joy")], "FELT"),
        ];
        assert_eq!(admitted(&documents, &ontology), ["Invoice 2 I-1", "PAID 2 A to I-1"]);
        let (extended, _) = admit(&ontology, &documents.iter().collect::<Vec<_>>());
        assert_eq!(
            (&*extended.relationships["PAID"].from, &*extended.relationships["PAID"].to),
            (&["Team".to_owned()][..], &["Invoice".to_owned()][..])
        );
    }

    #[test]
    fn no_more_come_in_than_there_is_room_for() {
        let many: Vec<String> = (0..9).map(|number| format!("Kind{number}")).collect();
        let entities: Vec<(&str, &str)> = many.iter().map(|kind| (kind.as_str(), "x")).collect();
        let documents = [document(&entities, "KNOWS"), document(&entities, "KNOWS")];
        let (extended, new) = admit(&Ontology::default(), &documents.iter().collect::<Vec<_>>());
        assert_eq!(
            (extended.nodes.len(), extended.relationships.len(), new.len()),
            (MOST_NEW_TYPES, 1, MOST_NEW_TYPES + 1)
        );
        assert_eq!(admitted(&documents, &extended), Vec::<String>::new());
    }
}
