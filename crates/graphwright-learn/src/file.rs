//! What was learned, as a file.

use std::{
    collections::BTreeMap,
    fs,
    io::{self, Write},
    path::Path,
};

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{
    asked::AskedFor,
    features::Weights,
    model::{Model, Quality},
    parts::Parts,
    schema::{Schema, Way},
    shapes::{self, Limits},
};

/// The version of the file's form.
const VERSION: u32 = 2;
/// The most bytes of a file that is read.
const MOST_BYTES: u64 = 256 << 20;

/// What is wrong with a file of what was learned.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FileError {
    /// It cannot be read or written.
    #[error("{file}: {source}")]
    Io {
        /// The file.
        file: String,
        /// What the system says.
        source: io::Error,
    },
    /// It is not as it was written.
    #[error("{file} is damaged ({reason}); learn again, or delete it with `graphwright learn --forget`")]
    Damaged {
        /// The file.
        file: String,
        /// What was found.
        reason: String,
    },
    /// An older version of the program wrote it.
    #[error("{file} was written by an older version (form {found}, this one reads {VERSION}); learn again")]
    Older {
        /// The file.
        file: String,
        /// The version of its form.
        found: u32,
    },
    /// A newer version of the program wrote it.
    #[error(
        "{file} was written by a newer version (form {found}, this one reads {VERSION}); update, or learn again"
    )]
    Newer {
        /// The file.
        file: String,
        /// The version of its form.
        found: u32,
    },
}

/// The head of the file: what it holds, without the weights.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Head {
    version: u32,
    schema: String,
    quality: Quality,
    threshold: f64,
    others: bool,
    steps: usize,
    forks: bool,
    asked: [bool; 3],
    /// Steps that are not taken: label, type, way, label.
    unused: Vec<(String, String, Way, String)>,
    known: Vec<String>,
}

/// Weights by part: features in hexadecimal with their weights.
type Body = BTreeMap<String, Vec<(String, f32)>>;

/// What was learned, read from a file.
#[derive(Debug)]
pub struct Kept {
    head: Head,
    body: Body,
}

impl Kept {
    /// Reads a file; none where there is none.
    ///
    /// # Errors
    /// Fails if it cannot be read, is damaged or was written by a newer version.
    pub fn read(file: &Path) -> Result<Option<Self>, FileError> {
        let name = file.display().to_string();
        let damaged = |reason: String| FileError::Damaged { file: name.clone(), reason };
        match fs::metadata(file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Ok(found) if found.len() > MOST_BYTES => return Err(damaged(format!("{} bytes", found.len()))),
            _ => {}
        }
        let text = fs::read_to_string(file).map_err(|source| match source.kind() {
            io::ErrorKind::InvalidData => damaged("it is no text".to_owned()),
            _ => FileError::Io { file: name.clone(), source },
        })?;
        let mut lines = text.lines();
        let head = lines.next().unwrap_or_default();
        let version: serde_json::Value =
            serde_json::from_str(head).map_err(|error| damaged(error.to_string()))?;
        match version["version"].as_u64() {
            Some(found) if found < u64::from(VERSION) => {
                return Err(FileError::Older { file: name, found: found as u32 });
            }
            Some(found) if found > u64::from(VERSION) => {
                return Err(FileError::Newer { file: name, found: found as u32 });
            }
            Some(_) => {}
            None => return Err(damaged("it has no version".to_owned())),
        }
        let head: Head = serde_json::from_value(version).map_err(|error| damaged(error.to_string()))?;
        let body = lines.next().unwrap_or_default();
        let sum = lines.next().unwrap_or_default();
        if sum != format!("{:016x}", crate::features::hash(body)) {
            return Err(damaged("its checksum differs".to_owned()));
        }
        let body: Body = serde_json::from_str(body).map_err(|error| damaged(error.to_string()))?;
        Ok(Some(Self { head, body }))
    }

    /// How well it reads questions, as it was found when it was learned.
    pub fn quality(&self) -> &Quality {
        &self.head.quality
    }

    /// The least confidence with which a question is answered.
    pub fn threshold(&self) -> f64 {
        self.head.threshold
    }

    /// Whether the graph had other labels, types, properties or connections when it was learned.
    pub fn is_of_other_schema(&self, schema: &Schema) -> bool {
        self.head.schema != schema.fingerprint()
    }

    /// Makes it ready to read questions about a graph. What the schema no longer has is left out.
    pub fn model(&self, schema: &Schema) -> Model {
        let head = &self.head;
        let parts = Parts::of(schema);
        let mut weights = Weights::default();
        for (part, row) in &self.body {
            let Some(part) = parts.named(part) else { continue };
            for (feature, value) in row {
                if let Ok(feature) = u64::from_str_radix(feature, 16) {
                    weights.set(feature, part, *value);
                }
            }
        }
        let is_unused = |at: &usize| head.unused.contains(&schema.told(*at));
        let unused: FxHashSet<u16> = (0..schema.steps.len()).filter(is_unused).map(|at| at as u16).collect();
        let limits = Limits { steps: head.steps, forks: head.forks, unused };
        let [ranks, counts, values] = head.asked;
        Model {
            weights,
            shapes: shapes::list(schema, &limits),
            limits,
            asked: AskedFor::of(schema, ranks, counts, values),
            asks: head.asked,
            known: head.known.iter().cloned().collect(),
            others: head.others,
            threshold: head.threshold,
            quality: head.quality.clone(),
            parts,
        }
    }
}

impl Model {
    /// Writes it into a file, which is replaced as a whole.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn write(&self, file: &Path, schema: &Schema) -> Result<(), FileError> {
        let failed = |source: io::Error| FileError::Io { file: file.display().to_string(), source };
        let mut known: Vec<String> = self.known.iter().cloned().collect();
        known.sort();
        let mut unused: Vec<_> =
            self.limits.unused.iter().map(|step| schema.told(usize::from(*step))).collect();
        unused.sort();
        let head = Head {
            version: VERSION,
            schema: schema.fingerprint(),
            quality: self.quality.clone(),
            threshold: self.threshold,
            others: self.others,
            steps: self.limits.steps,
            forks: self.limits.forks,
            asked: self.asks,
            unused,
            known,
        };
        let mut body = Body::new();
        for (feature, part, value) in self.weights.list() {
            let rounded = (value * 1e4).round() / 1e4;
            body.entry(self.parts.name(part).to_owned()).or_default().push((format!("{feature:x}"), rounded));
        }
        let json = |text: serde_json::Result<String>| text.map_err(|error| failed(error.into()));
        let body = json(serde_json::to_string(&body))?;
        let sum = crate::features::hash(&body);
        let text = format!("{}\n{body}\n{sum:016x}\n", json(serde_json::to_string(&head))?);
        let folder = file.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder).map_err(failed)?;
        let draft = file.with_extension("learned.new");
        let write = || {
            let mut target = fs::File::create(&draft)?;
            target.write_all(text.as_bytes())?;
            target.sync_all()?;
            fs::rename(&draft, file)
        };
        write().map_err(|error| {
            let _ = fs::remove_file(&draft);
            failed(error)
        })
    }
}
