//! Removing one document, whether or not its file is still there.

use std::{collections::BTreeMap, time::Instant};

use graphwright_core::{Statement, text};
use graphwright_ontology::Ontology;

use super::{Graph, Ingest};
use crate::{
    IngestError, Result,
    ledger::{self, StoredDocument, load_documents},
    report::{IngestReport, OntologyOrigin},
};

impl Ingest {
    /// Removes a document, named as its node is, with what only it says. Its file stays; a later [run](Self::run) over
    /// it reads it again.
    ///
    /// # Errors
    /// [`UnknownDocument`](IngestError::UnknownDocument) when the graph has no such document; when the store fails.
    pub async fn delete(&self, document: &str) -> Result<IngestReport> {
        let started = Instant::now();
        let documents = load_documents(self.store.as_ref()).await?;
        let stored = documents.get(document).ok_or_else(|| unknown(document, &documents))?;
        let ontology = Ontology::load(self.store.as_ref()).await?.unwrap_or_default();
        let mut ledger = ledger::load(self.store.as_ref()).await?;
        ledger.set_ontology(&ontology);
        let before = ledger.sizes();
        let mut graph = Graph::new(ledger);
        self.remove(stored, &mut graph).await?;
        self.flush(&mut graph).await?;
        let Graph { ledger, tally, .. } = graph;
        let mut report = IngestReport { ontology: OntologyOrigin::Stored, ..IngestReport::default() };
        report.documents.unchanged = documents.len() as u64 - 1;
        report.chunks.unchanged = self.count(Statement::fixed("MATCH (c:Chunk) RETURN count(c)")).await?;
        tally.report(&before, &mut report);
        report.incomplete = ledger.incomplete(&ontology);
        crate::merge::suggest(self.store.as_ref(), &ledger, self.embedder.as_deref()).await?;
        self.link(&mut report).await?;
        report.suggestions = crate::merge::count_suggestions(self.store.as_ref()).await?;
        self.store.checkpoint().await?;
        report.elapsed_ms = started.elapsed().as_millis() as u64;
        Ok(report)
    }
}

/// The error for a document that is not there, with the one that is most likely meant: it ends in the same path, or it
/// is spelled most alike.
fn unknown(document: &str, documents: &BTreeMap<String, StoredDocument>) -> IngestError {
    let ends_alike = |known: &str| known.ends_with(document) || document.ends_with(known);
    let likeness = |known: &str| text::likeness(known, document);
    let nearest = documents.keys().max_by(|first, second| {
        let alike = ends_alike(first).cmp(&ends_alike(second));
        alike.then(likeness(first).total_cmp(&likeness(second)))
    });
    IngestError::UnknownDocument { document: document.to_owned(), nearest: nearest.cloned() }
}
