//! Plans a run: which files are new, changed, unchanged, or gone.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    path::Path,
    sync::Arc,
};

use futures::StreamExt;
use graphwright_core::names;
use graphwright_documents::{
    Failure, Input, Language, ParsedDocument,
    headings::{self, RecurringHeadings},
    load::{self, Discovery, LoadError, SourceFile, with_parents},
};
use graphwright_llm::{LlmError, Usage};
use graphwright_ontology::Ontology;

use super::{Ingest, fail, processors};
use crate::{
    IngestError, Proposal, Result,
    ledger::{StoredDocument, load_documents},
    lexical,
    report::{OntologyOrigin, Progress},
};

/// Maximum bytes of text that are kept between the passes over the documents. Files beyond it are
/// loaded again.
const KEPT_BYTES: usize = 200_000_000;

/// From so many files on, the extractor is probed before they are read: reading fewer takes no longer than a request.
const MANY_FILES: usize = 50;

/// The plan of a run.
#[derive(Debug)]
pub(super) struct Plan {
    pub files: Vec<PlannedFile>,
    /// All documents in the store.
    pub stored: BTreeMap<String, StoredDocument>,
    /// Documents whose files are gone.
    pub gone: Vec<StoredDocument>,
    pub failed: Vec<Failure>,
    pub skipped: Vec<Failure>,
    pub remarks: Vec<Failure>,
    pub ontology: Arc<Ontology>,
    pub origin: OntologyOrigin,
    /// What proposing the ontology took.
    pub usage: Usage,
    /// What documents are read with: extractor, ontology and size of passages.
    pub extractor: String,
    /// Whether the extractor was found to work.
    probed: bool,
    /// Headings that many documents have.
    recurring: RecurringHeadings,
}

/// A readable file.
#[derive(Debug)]
pub(super) struct PlannedFile {
    pub file: SourceFile,
    pub stored: Option<StoredDocument>,
    /// Whether this run reads the file.
    pub read: bool,
    /// The passages that are read, by index: those that could not be read before. `None` if all are.
    pub only: Option<BTreeSet<usize>>,
    /// The document, if it is kept in memory.
    pub document: Option<Arc<ParsedDocument>>,
    hash: String,
    /// Its headings, as they are counted over all documents.
    headings: BTreeSet<String>,
    /// Its language, where that is known.
    language: Option<Language>,
}

impl Plan {
    pub(super) fn has_work(&self) -> bool {
        !self.gone.is_empty() || self.reading().next().is_some()
    }

    /// Counts the documents in other languages than English.
    pub(super) fn languages(&self) -> BTreeMap<String, u64> {
        let mut counts = BTreeMap::new();
        for language in
            self.files.iter().filter_map(|file| file.language).filter(|found| *found != Language::ENGLISH)
        {
            *counts.entry(language.code().to_owned()).or_default() += 1;
        }
        counts
    }

    /// Counts the headings of the documents in the store and in this run. Returns those that became sections, or no longer are.
    fn count_headings(&mut self, stored: &BTreeMap<String, StoredDocument>, prune: bool) -> BTreeSet<String> {
        let gone = self.gone.iter().filter(|_| prune).map(|document| document.id.as_str());
        let here: HashSet<&str> =
            self.files.iter().map(|file| file.file.source.as_str()).chain(gone).collect();
        let others = stored.values().filter(|document| !here.contains(document.id.as_str()));
        let of_others = others.map(|document| document.headings().collect::<Vec<_>>());
        let of_files = self.files.iter().map(|file| file.headings.iter().map(String::as_str).collect());
        self.recurring = RecurringHeadings::count(of_others.chain(of_files));
        let before = RecurringHeadings::count(stored.values().map(StoredDocument::headings));
        for document in self.files.iter_mut().filter_map(|file| file.document.as_mut()) {
            Arc::make_mut(document).set_recurring_headings(self.recurring.clone());
        }
        before.difference(&self.recurring).map(str::to_owned).collect()
    }

    fn set_ontology(
        &mut self,
        ontology: Ontology,
        origin: OntologyOrigin,
        progress: &(dyn Fn(Progress) + Send + Sync),
    ) {
        let (types, relationships) = (ontology.nodes.len(), ontology.relationships.len());
        progress(Progress::Inferred { types, relationships });
        self.origin = origin;
        self.ontology = Arc::new(ontology);
    }

    pub(super) fn reading(&self) -> impl Iterator<Item = (usize, &PlannedFile)> {
        self.files.iter().enumerate().filter(|(_, file)| file.read)
    }
}

impl Ingest {
    pub(super) async fn plan_reading(
        &self,
        inputs: &[Input],
        progress: &(dyn Fn(Progress) + Send + Sync),
    ) -> Result<Plan> {
        let stored = load_documents(self.store.as_ref()).await?;
        let (to_find, follow_links) = (inputs.to_vec(), self.limits.follow_links);
        let Discovery { files, failed, skipped, folders } =
            blocking(move || load::discover(&to_find, follow_links)).await.unwrap_or_default();
        progress(Progress::Found { files: files.len() });
        let mut plan = Plan {
            gone: gone(&stored, &files, &folders),
            files: Vec::new(),
            stored: BTreeMap::new(),
            failed: Vec::new(),
            skipped,
            remarks: Vec::new(),
            ontology: Arc::default(),
            origin: OntologyOrigin::Given,
            usage: Usage::default(),
            extractor: String::new(),
            probed: false,
            recurring: RecurringHeadings::default(),
        };
        for failure in failed {
            fail(&mut plan.failed, failure, progress);
        }
        self.look_at(identify(files, &stored), &stored, &mut plan, progress).await?;
        let changed = plan.count_headings(&stored, self.prune);
        self.choose_ontology(&mut plan, progress).await?;
        plan.extractor = format!(
            "{} ontology-{} size-{}",
            self.extractor.identity(),
            &plan.ontology.hash()[..16],
            self.splitter.size
        );
        for file in &mut plan.files {
            let same = |stored: &StoredDocument| {
                stored.text(lexical::HASH) == file.hash
                    && stored.text(lexical::EXTRACTOR) == plan.extractor
                    && stored.text(names::PATH) == file.file.path.to_string_lossy()
            };
            file.read = !file.stored.as_ref().is_some_and(same) || !file.headings.is_disjoint(&changed);
            let incomplete = file.stored.as_ref().map(lexical::incomplete).unwrap_or_default();
            if !file.read && !incomplete.is_empty() {
                (file.read, file.only) = (true, Some(incomplete));
            }
        }
        plan.stored = stored;
        Ok(plan)
    }

    /// Reads and hashes every file, and loads those that changed.
    async fn look_at(
        &self,
        files: Vec<SourceFile>,
        stored: &BTreeMap<String, StoredDocument>,
        plan: &mut Plan,
        progress: &(dyn Fn(Progress) + Send + Sync),
    ) -> Result<()> {
        let (total, limits) = (files.len(), self.limits.clone());
        let looks = files.into_iter().map(|file| {
            let known = stored.get(&file.source).cloned();
            let (shown, limits) = (file.shown(), limits.clone());
            let look = blocking(move || {
                let outcome = file.read(&limits).and_then(|bytes| {
                    let hash = load::hash(&bytes);
                    let same = known.as_ref().is_some_and(|known| known.text(lexical::HASH) == hash);
                    let document = if same { None } else { Some(file.load(&bytes, &limits)?) };
                    Ok((hash, document))
                });
                (file, known, outcome)
            });
            async move { look.await.ok_or(shown) }
        });
        let mut looks = futures::stream::iter(looks).buffered(self.concurrency.unwrap_or_else(processors));
        let (mut done, mut kept) = (0, 0);
        while let Some(look) = looks.next().await {
            self.check_cancelled()?;
            done += 1;
            let (file, stored, outcome) = match look {
                Ok(look) => look,
                Err(path) => {
                    let reason = "cannot be read: its reader broke off".to_owned();
                    fail(&mut plan.failed, Failure { path, reason }, progress);
                    continue;
                }
            };
            match outcome {
                Ok((hash, document)) => {
                    if document.is_some() {
                        self.probe(plan, total).await?;
                    }
                    let remark = document.as_ref().and_then(|document| document.remark());
                    let path = file.shown();
                    plan.remarks.extend(remark.map(|reason| Failure { path, reason: reason.to_owned() }));
                    let length = document.as_ref().map_or(0, |document| document.text.len());
                    let headings = match (&document, &stored) {
                        (Some(document), _) => headings::keys(document.blocks()),
                        (None, Some(stored)) => stored.headings().map(str::to_owned).collect(),
                        (None, None) => BTreeSet::new(),
                    };
                    let language = match (&document, &stored) {
                        (Some(document), _) => document.language(),
                        (None, Some(stored)) => Language::of_code(stored.text(lexical::LANGUAGE)),
                        (None, None) => None,
                    };
                    let document = document.filter(|_| kept + length <= KEPT_BYTES).map(Arc::new);
                    kept += document.as_ref().map_or(0, |document| document.text.len());
                    plan.files.push(PlannedFile {
                        file,
                        stored,
                        read: false,
                        only: None,
                        document,
                        hash,
                        headings,
                        language,
                    });
                }
                Err(LoadError::Failed(reason)) => {
                    fail(&mut plan.failed, Failure { path: file.shown(), reason }, progress);
                }
                Err(LoadError::Skipped(reason)) => plan.skipped.push(Failure { path: file.shown(), reason }),
            }
            progress(Progress::Read { done, total });
        }
        Ok(())
    }

    /// Finds out whether the extractor works, once and before it is given many files.
    pub(super) async fn probe(&self, plan: &mut Plan, files: usize) -> Result<()> {
        if !plan.probed && files >= MANY_FILES {
            plan.probed = true;
            plan.usage += self.extractor.probe().await?;
        }
        Ok(())
    }

    /// Chooses the ontology: the given one, else the graph's, else one that is proposed or inferred from the documents.
    ///
    /// An inferred one is inferred again once there are twice as many documents, and gives way to a proposed one.
    async fn choose_ontology(
        &self,
        plan: &mut Plan,
        progress: &(dyn Fn(Progress) + Send + Sync),
    ) -> Result<()> {
        let stored = Ontology::load(self.store.as_ref()).await?;
        if let Some(given) = &self.ontology {
            plan.origin =
                if stored.as_ref() == Some(given) { OntologyOrigin::Stored } else { OntologyOrigin::Given };
            plan.ontology = Arc::new(given.clone());
            if !self.open {
                return Ok(());
            }
            // What was added before is not paid for again.
            if let Some(stored) = stored.filter(|stored| extends(stored, given)) {
                plan.origin = OntologyOrigin::Stored;
                plan.ontology = Arc::new(stored);
                return Ok(());
            }
            return self.propose_ontology(plan, Some(given), progress).await.map(|_| ());
        }
        if let Some(stored) = &stored {
            let grown =
                stored.inferred_from.is_some_and(|documents| plan.files.len() >= 2 * documents.max(1));
            let proposed = self.proposer.is_some() && stored.inferred_from.is_some();
            if !grown && !proposed {
                plan.origin = OntologyOrigin::Stored;
                plan.ontology = Arc::new(stored.clone());
                return Ok(());
            }
        }
        if self.propose_ontology(plan, None, progress).await? {
            return Ok(());
        }
        let Some(infer) = self.infer.clone() else {
            // An ontology that was inferred once still serves where nothing can infer it anew.
            plan.ontology = Arc::new(stored.ok_or(IngestError::NoOntology)?);
            plan.origin = OntologyOrigin::Stored;
            return Ok(());
        };
        let documents = self.documents(plan).await;
        let inferred = blocking(move || infer(&documents)).await;
        let mut ontology = inferred.unwrap_or_default();
        ontology.inferred_from = Some(plan.files.len());
        plan.set_ontology(ontology, OntologyOrigin::Inferred, progress);
        Ok(())
    }

    /// Lets the model propose an ontology, or what to add to the given one. Returns false if there is no model, or it fails
    /// at this.
    async fn propose_ontology(
        &self,
        plan: &mut Plan,
        given: Option<&Ontology>,
        progress: &(dyn Fn(Progress) + Send + Sync),
    ) -> Result<bool> {
        let Some(proposer) = self.proposer.as_ref().filter(|_| !plan.files.is_empty()) else {
            return Ok(false);
        };
        let documents = self.documents(plan).await;
        match proposer.propose(&documents, given).await {
            Ok(Proposal { ontology, usage }) => {
                plan.usage += usage;
                plan.set_ontology(ontology, OntologyOrigin::Proposed, progress);
                Ok(true)
            }
            Err(
                error @ (LlmError::BadReply { .. }
                | LlmError::Refused { .. }
                | LlmError::ContextLength { .. }),
            ) => {
                plan.remarks.push(Failure { path: "the ontology".to_owned(), reason: error.to_string() });
                Ok(false)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Returns all documents of the plan.
    async fn documents(&self, plan: &Plan) -> Vec<Arc<ParsedDocument>> {
        let mut documents = Vec::new();
        for index in 0..plan.files.len() {
            documents.extend(self.document(plan, index).await);
        }
        documents
    }

    /// Returns the document of a file, and loads it again if it was not kept.
    ///
    /// Returns `None` if that fails now; the first time it succeeded.
    pub(super) async fn document(&self, plan: &Plan, index: usize) -> Option<Arc<ParsedDocument>> {
        let planned = &plan.files[index];
        if let Some(document) = &planned.document {
            return Some(Arc::clone(document));
        }
        let (file, limits, recurring) = (planned.file.clone(), self.limits.clone(), plan.recurring.clone());
        blocking(move || {
            let bytes = file.read(&limits).ok()?;
            let mut document = file.load(&bytes, &limits).ok()?;
            document.set_recurring_headings(recurring);
            Some(Arc::new(document))
        })
        .await
        .flatten()
    }
}

/// Returns whether an ontology has all of another as it is.
fn extends(larger: &Ontology, smaller: &Ontology) -> bool {
    smaller.nodes.iter().all(|(label, node)| larger.nodes.get(label) == Some(node))
        && smaller.relationships.iter().all(|(kind, own)| larger.relationships.get(kind) == Some(own))
        && (&larger.name, &larger.instructions, &larger.examples)
            == (&smaller.name, &smaller.instructions, &smaller.examples)
}

/// Runs blocking work on a thread. Returns `None` if the thread panicked or was shut down.
pub(super) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    tokio::task::spawn_blocking(work).await.ok()
}

/// Decides the source names of all files.
fn identify(files: Vec<SourceFile>, stored: &BTreeMap<String, StoredDocument>) -> Vec<SourceFile> {
    let mut by_path = HashMap::new();
    for known in stored.values() {
        by_path.entry(known.text(names::PATH)).or_insert(known.id.as_str());
    }
    let mut given = HashSet::new();
    let files = files.into_iter().map(|file| {
        let file = identify_one(file, stored, &by_path, &given);
        given.insert(file.source.clone());
        file
    });
    files.collect()
}

/// Decides the source name of a file.
///
/// A known file keeps the name under which it was ingested. A new file whose name is taken gets its
/// parent folders in front. A file with a known name, whose old place is gone, was moved.
fn identify_one(
    mut file: SourceFile,
    stored: &BTreeMap<String, StoredDocument>,
    by_path: &HashMap<&str, &str>,
    given: &HashSet<String>,
) -> SourceFile {
    let path = file.path.to_string_lossy().into_owned();
    if !path.is_empty()
        && let Some(known) = by_path.get(path.as_str())
    {
        (*known).clone_into(&mut file.source);
        return file;
    }
    let taken = |source: &str| {
        let elsewhere =
            stored.get(source).map(|known| known.text(names::PATH)).filter(|known| *known != path);
        given.contains(source)
            || elsewhere.is_some_and(|known| !known.is_empty() && Path::new(known).exists())
    };
    let mut depth = 1;
    while taken(&file.source) && depth < 64 && !path.is_empty() {
        file.source = with_parents(&file, 1);
        depth += 1;
    }
    file
}

/// Returns the documents that came from a searched folder and are no longer there.
fn gone(
    stored: &BTreeMap<String, StoredDocument>,
    files: &[SourceFile],
    folders: &[std::path::PathBuf],
) -> Vec<StoredDocument> {
    let there: HashSet<&Path> = files.iter().map(|file| file.path.as_path()).collect();
    let is_gone = |document: &&StoredDocument| {
        let path = Path::new(document.text(names::PATH));
        folders.iter().any(|folder| path.starts_with(folder)) && !there.contains(path)
    };
    stored.values().filter(is_gone).cloned().collect()
}
