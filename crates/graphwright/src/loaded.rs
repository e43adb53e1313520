//! The graph as of one version of the store.

use std::{
    path::PathBuf,
    sync::{Arc, OnceLock},
};

use graphwright_answer::Answerer;
use graphwright_retrieve::{NameIndex, Topology, Vocabulary};
use graphwright_text2cypher::Text2Cypher;
use tokio::sync::OnceCell;

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
