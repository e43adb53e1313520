//! Access for a process that only reads.
//!
//! It takes no lease. At the first call that needs the graph it loads the last checkpoint and applies
//! what the log holds beyond it, and at each call it looks whether either file has changed. What the
//! last commit is, it tells without loading. So it sees the last committed state beside a
//! living writer and after one that was killed.

use std::{
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use graphwright_core::{Result, StoreError};
use kglite::api::{
    DirGraph,
    durable::apply_frames,
    io::{GraphFileIdentity, load_file},
    make_dir_graph_mut,
};

use crate::{
    commit, error,
    location::{Location, exists},
    log, vectors,
};

/// The most times that loading starts over when a writer replaces the checkpoint meanwhile.
const ATTEMPTS: usize = 20;

/// A reader of the last committed state of a store.
pub(crate) struct SnapshotReader {
    location: Location,
    loaded: Mutex<Option<Loaded>>,
    told: Mutex<Option<Told>>,
}

/// The last commit of files, known without loading them.
struct Told {
    commit: u64,
    checkpoint: GraphFileIdentity,
    log: GraphFileIdentity,
}

#[derive(Clone)]
struct Loaded {
    graph: Arc<DirGraph>,
    /// The number of the last commit in `graph`.
    commit: u64,
    checkpoint: GraphFileIdentity,
    log: GraphFileIdentity,
}

impl SnapshotReader {
    pub(crate) fn open(location: Location) -> Result<Self> {
        location.require()?;
        let reader = Self { location, loaded: Mutex::default(), told: Mutex::default() };
        // What is damaged or not yet there is told now, and not at the first use.
        if reader.commit().is_none() {
            reader.current()?;
        }
        Ok(reader)
    }

    pub(crate) fn location(&self) -> &Location {
        &self.location
    }

    /// Returns what was loaded if it still is the last commit. Costs two looks at the directory.
    pub(crate) fn unchanged(&self) -> Option<(Arc<DirGraph>, u64)> {
        // Does not wait: a thread of the async runtime calls this, and another call may be loading.
        let loaded = self.loaded.try_lock().ok()?;
        let loaded = loaded.as_ref()?;
        let (checkpoint, log) = identities(&self.location).ok()?;
        (checkpoint == loaded.checkpoint && log == loaded.log)
            .then(|| (Arc::clone(&loaded.graph), loaded.commit))
    }

    /// Returns the graph as last committed, and the number of that commit.
    pub(crate) fn current(&self) -> Result<(Arc<DirGraph>, u64)> {
        if let Some(unchanged) = self.unchanged() {
            return Ok(unchanged);
        }
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        // If another call has loaded meanwhile, this only reads the log again.
        let now = load(&self.location, loaded.as_ref())?;
        let current = (Arc::clone(&now.graph), now.commit);
        *loaded = Some(now);
        Ok(current)
    }

    /// Returns the number of the last commit without loading the graph, if the files tell it.
    pub(crate) fn commit(&self) -> Option<u64> {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        for _ in 0..ATTEMPTS {
            let (checkpoint, log) = identities(&self.location).ok()?;
            if let Some(told) = told.as_ref().filter(|told| told.checkpoint == checkpoint && told.log == log)
            {
                return Some(told.commit);
            }
            let commit = commit::last(&self.location);
            // A log that was read beside another checkpoint tells nothing.
            if identities(&self.location).ok()? == (checkpoint.clone(), log.clone()) {
                *told = commit.map(|commit| Told { commit, checkpoint, log });
                return commit;
            }
        }
        None
    }
}

/// Loads the store, building on what was loaded `before` if only the log has grown.
fn load(location: &Location, before: Option<&Loaded>) -> Result<Loaded> {
    for _ in 0..ATTEMPTS {
        // Before the files are read: what is committed in between makes the next call load again.
        let (checkpoint, log) = identities(location)?;
        let known = before.filter(|before| before.checkpoint == checkpoint);
        let read = match known {
            Some(before) => Ok((Arc::clone(&before.graph), before.commit)),
            None => base(location),
        };
        let read = read.and_then(|(graph, commit)| Ok((graph, commit, log::read(location, commit)?)));
        // A log read beside a new checkpoint may no longer hold what the old one lacks, and what is
        // read while a writer empties the log may look damaged.
        let now = identities(location)?;
        if now.0 != checkpoint || (read.is_err() && now.1 != log) {
            continue;
        }
        let (mut graph, commit, frames) = read?;
        let mut last = commit;
        if frames.iter().any(|frame| frame.lsn > commit) {
            let graph = make_dir_graph_mut(&mut graph);
            last = apply_frames(graph, &frames, commit).map_err(|message| StoreError::Corrupt {
                address: location.address(),
                message,
                repairable: false,
            })?;
            vectors::restore(graph)?;
        }
        return Ok(Loaded { graph, commit: last, checkpoint, log });
    }
    Err(StoreError::Unavailable {
        address: location.address(),
        message: "the writer replaces the checkpoint faster than it can be read".to_owned(),
        hint: "try again when the writer is less busy".to_owned(),
    })
}

fn base(location: &Location) -> Result<(Arc<DirGraph>, u64)> {
    let path = location.checkpoint();
    if !exists(&path)? {
        return Err(log::without_checkpoint(location));
    }
    let graph = load_file(&path.to_string_lossy()).map_err(|source| error::from_io(source, &path))?;
    let commit = graph.checkpoint_lsn;
    Ok((graph, commit))
}

fn identities(location: &Location) -> Result<(GraphFileIdentity, GraphFileIdentity)> {
    let capture =
        |path: &Path| GraphFileIdentity::capture(path).map_err(|source| error::from_io(source, path));
    Ok((capture(&location.checkpoint())?, capture(&location.log())?))
}
