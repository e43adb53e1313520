//! First pass of an import: checks the form of all files, unique identifiers, and relationship
//! ends.

use std::{collections::BTreeMap, sync::Arc};

use tokio::sync::mpsc;

use super::{join, progress_of, read};
use crate::{
    ExchangeError, ImportOptions, ImportPhase, ImportProgress, InputProblem, ProblemKind, Result, Skipped,
    Source,
    item::{Item, Place, Reference, Sink},
    problem::count,
    registry::Registry,
};

/// The most properties of a node or relationship. A store pays for each name on each node: with 20,000 of them a file of
/// 60 MB takes gigabytes.
const MOST_PROPERTIES: usize = 10_000;

/// Progress is reported each time this many nodes and relationships were read.
const PROGRESS_STEP: u64 = 50_000;

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) nodes: u64,
    pub(super) relationships: u64,
}

/// Result of the first pass.
#[derive(Debug, Default)]
pub(super) struct Checked {
    pub(super) registry: Registry,
    pub(super) skipped: BTreeMap<ProblemKind, Skipped>,
    pub(super) pending: Vec<Pending>,
    pub(super) counts: Counts,
}

/// A relationship with at least one end that no file contains.
#[derive(Debug)]
pub(super) struct Pending {
    /// Number of the item among all items, from 1.
    pub(super) item: u64,
    pub(super) file: String,
    pub(super) line: u64,
    pub(super) missing: Vec<Reference>,
    pub(super) optional: bool,
}

pub(super) async fn check(
    sources: Arc<[Source]>,
    options: &ImportOptions,
    progress: &mut (dyn FnMut(ImportProgress) + Send),
) -> Result<Checked> {
    let (sender, mut receiver) = mpsc::channel(8);
    let options = options.clone();
    let task = tokio::task::spawn_blocking(move || {
        let mut check = Check { found: Checked::default(), item: 0, options: &options, progress: &sender };
        for source in sources.iter() {
            read(source, &options, &mut check)?;
        }
        Ok(check.found)
    });
    while let Some(Counts { nodes, relationships }) = receiver.recv().await {
        progress(progress_of(ImportPhase::Checking, nodes, relationships, None));
    }
    join(task).await
}

struct Check<'a> {
    found: Checked,
    item: u64,
    options: &'a ImportOptions,
    progress: &'a mpsc::Sender<Counts>,
}

impl Check<'_> {
    /// Returns how many properties an item has, if they are too many.
    fn excess(item: &Item) -> Option<usize> {
        let properties = match item {
            Item::Node(node) => &node.properties,
            Item::Relationship(relationship) => &relationship.properties,
            _ => return None,
        };
        Some(properties.len()).filter(|number| *number > MOST_PROPERTIES)
    }

    fn leave_out(&mut self, problem: InputProblem) -> Result<()> {
        self.found.registry.skip(self.item);
        self.problem(problem)
    }

    fn tell(&self) -> Result<()> {
        let counts = self.found.counts;
        if (counts.nodes + counts.relationships).is_multiple_of(PROGRESS_STEP) {
            // A closed channel only means that nobody watches the progress any more.
            let _ = self.progress.blocking_send(counts);
            if self.options.cancel.is_cancelled() {
                return Err(ExchangeError::Cancelled);
            }
        }
        Ok(())
    }
}

impl Sink for Check<'_> {
    fn item(&mut self, place: &Place<'_>, item: Item) -> Result<()> {
        // `Feed` counts in the same way: by these numbers it knows what to leave out.
        self.item += 1;
        if let Some(number) = Self::excess(&item) {
            let message = format!("it has {number} properties, and at most {MOST_PROPERTIES} are imported");
            let hint = "make nodes of what it has, and relationships to them, or leave such items out";
            return self.leave_out(place.problem(ProblemKind::TooManyProperties, message, hint));
        }
        match item {
            Item::Node(node) => {
                if !self.found.registry.add(&node) && !node.merge {
                    let id = node.reference.map(|reference| reference.id).unwrap_or_default();
                    let message = format!("a node with the identifier `{id}` came before");
                    let hint =
                        "make identifiers unique, or name separate spaces in the headers, as :ID(Person)";
                    return self.leave_out(place.problem(ProblemKind::DuplicateNode, message, hint));
                }
                self.found.counts.nodes += 1;
            }
            Item::Relationship(relationship) => {
                self.found.counts.relationships += 1;
                let ends = [relationship.from, relationship.to];
                let missing: Vec<Reference> =
                    ends.into_iter().filter(|end| !self.found.registry.knows(end)).collect();
                if !missing.is_empty() {
                    // The end may still follow, or be in the store: it is looked for again.
                    self.found.pending.push(Pending {
                        item: self.item,
                        file: place.file.to_owned(),
                        line: place.line,
                        missing,
                        optional: relationship.optional,
                    });
                }
            }
            Item::Vector { node, .. } => {
                if !self.found.registry.knows(&node) {
                    let message = format!("there is no node `{}` for this vector", node.id);
                    let hint = "put nodes before their vectors";
                    return self.leave_out(place.problem(ProblemKind::DanglingRelationship, message, hint));
                }
            }
            Item::Constraint(_) | Item::Index(_) => {}
        }
        self.tell()
    }

    fn problem(&mut self, problem: InputProblem) -> Result<()> {
        if !self.options.skip_bad || !problem.kind.is_skippable() {
            return Err(problem.into());
        }
        count(&mut self.found.skipped, problem);
        Ok(())
    }

    fn note(&mut self, problem: InputProblem) {
        count(&mut self.found.skipped, problem);
    }
}
