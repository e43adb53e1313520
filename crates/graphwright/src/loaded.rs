//! The graph as of one version of the store.

use std::{
    path::PathBuf,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
};

use graphwright_answer::Answerer;
use graphwright_core::GraphStore;
use graphwright_retrieve::{NameIndex, Topology, Vocabulary};
use graphwright_text2cypher::Text2Cypher;
use tokio::sync::{Mutex, OnceCell};

/// The snapshot of the graph as of one version of the store, with what is made from it when it is first needed.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) version: String,
    /// The folder of the snapshot.
    folder: PathBuf,
    pub(crate) topology: Arc<Topology>,
    /// Without a model.
    pub(crate) answerer: Arc<OnceCell<Answerer>>,
    /// With the model.
    pub(crate) flows: OnceCell<Text2Cypher>,
    names: OnceLock<Arc<NameIndex>>,
    vocabulary: OnceLock<Arc<Vocabulary>>,
}

impl Loaded {
    pub(crate) fn new(version: String, folder: PathBuf, topology: Topology) -> Self {
        let (answerer, flows) = (Arc::default(), OnceCell::new());
        let (names, vocabulary) = (OnceLock::new(), OnceLock::new());
        Self { version, folder, topology: Arc::new(topology), answerer, flows, names, vocabulary }
    }

    /// Makes names and words anew, in place of damaged ones.
    pub(crate) fn made_anew(self) -> Self {
        let names = NameIndex::build_in(&self.folder, &self.topology);
        let vocabulary = Vocabulary::build_in(&self.folder, &self.topology);
        Self { names: Arc::new(names).into(), vocabulary: Arc::new(vocabulary).into(), ..self }
    }

    /// Returns whether it shows this version of the store as it is today, undamaged.
    pub(crate) fn is_current(&self, version: &str) -> bool {
        self.version == version && self.topology.is_of_today() && self.damage().is_none()
    }

    /// Says what of the snapshot was found not to be as it was written, if something was.
    pub(crate) fn damage(&self) -> Option<&str> {
        let names = || self.names.get()?.damage();
        self.topology.damage().or_else(names).or_else(|| self.vocabulary.get()?.damage())
    }

    /// Returns the index of names.
    pub(crate) fn names(&self) -> &Arc<NameIndex> {
        self.names.get_or_init(|| Arc::new(NameIndex::open_or_build(&self.folder, &self.topology)))
    }

    /// Returns the words that questions are read by.
    pub(crate) fn vocabulary(&self) -> &Arc<Vocabulary> {
        self.vocabulary.get_or_init(|| Arc::new(Vocabulary::open_or_build(&self.folder, &self.topology)))
    }
}

/// Makes the next snapshot while the one before serves.
#[derive(Debug, Default)]
pub(crate) struct Renewal {
    runs: AtomicBool,
}

impl Renewal {
    /// Begins to make the snapshot of a version of the store, unless one is being made. It takes its place when it is whole.
    pub(crate) fn begin(
        self: &Arc<Self>,
        store: &Arc<dyn GraphStore>,
        folder: PathBuf,
        version: String,
        place: &Arc<Mutex<Option<Arc<Loaded>>>>,
    ) {
        if self.runs.swap(true, Ordering::AcqRel) {
            return;
        }
        let (renewal, store, place) = (Arc::clone(self), Arc::clone(store), Arc::clone(place));
        tokio::spawn(async move {
            match make(&*store, folder, version).await {
                Ok(loaded) => *place.lock().await = Some(loaded),
                Err(error) => tracing::warn!("{error}; the snapshot of before serves on"),
            }
            renewal.runs.store(false, Ordering::Release);
        });
    }
}

/// Makes a snapshot with what is needed for questions, so that none of them waits for it.
async fn make(store: &dyn GraphStore, folder: PathBuf, version: String) -> Result<Arc<Loaded>, String> {
    let topology = Topology::open_or_build(&folder, store).await.map_err(|error| error.to_string())?;
    let loaded = Arc::new(Loaded::new(version, folder, topology));
    let whole = Arc::clone(&loaded);
    let made = tokio::task::spawn_blocking(move || {
        whole.names();
        whole.vocabulary();
    });
    made.await.map_err(|error| error.to_string())?;
    Ok(loaded)
}
