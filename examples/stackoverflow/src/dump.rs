//! Reads dumps of Stack Exchange sites, as archive.org has them: a folder with `Posts.xml`,
//! `Users.xml` and `Comments.xml`.
//!
//! A table is read row by row, and its rows are passed on in batches, so that memory does not
//! depend on the size of the dump. It is read three times: to check it as a whole, so that a dump
//! with a mistake changes nothing; for the nodes; and for the relationships, since a row may name
//! one that comes after it.

mod changes;
mod record;
mod rows;

use std::{
    collections::{BTreeMap, HashSet},
    path::{Path, PathBuf},
};

use graphwright::{
    exchange::ExchangeError,
    exchange::{InputProblem, ProblemKind, Skipped},
    store::Change,
};

pub use changes::Link;

use self::{
    changes::{links, node, tag},
    record::Record,
    rows::{Rows, problem},
};

/// Maximum bytes of text in one batch.
const BATCH_BYTES: usize = 8 << 20;
/// Number of example problems in the report, for each kind.
const EXAMPLES: usize = 5;

/// A table of a dump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Table {
    Users,
    Posts,
    Comments,
}

impl Table {
    const ALL: [Self; 3] = [Self::Users, Self::Posts, Self::Comments];

    fn file(self) -> &'static str {
        match self {
            Self::Users => "Users.xml",
            Self::Posts => "Posts.xml",
            Self::Comments => "Comments.xml",
        }
    }
}

/// A dump in a folder.
#[derive(Clone, Debug)]
pub struct Dump {
    tables: Vec<(Table, PathBuf)>,
    site: Option<String>,
}

/// What to read from a dump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// The nodes that rows become.
    Nodes,
    /// The relationships between the nodes.
    Links,
}

/// The changes for some rows.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// Nodes to write.
    pub nodes: Vec<Change>,
    /// Relationships to write.
    pub links: Vec<Link>,
    /// Number of rows.
    pub rows: usize,
    bytes: usize,
    /// Tags whose nodes are among `nodes`.
    tags: HashSet<String>,
}

/// Result of checking a dump.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Number of questions, answers, comments and users.
    pub rows: u64,
    /// Rows that are skipped, by reason.
    pub skipped: BTreeMap<ProblemKind, Skipped>,
    /// Posts that are neither question nor answer, by their `PostTypeId`.
    pub other_posts: BTreeMap<i64, u64>,
    /// Posts and comments that name no user, because the account was deleted.
    pub without_user: u64,
    /// Whether the dump has comments.
    pub has_comments: bool,
}

impl Dump {
    /// Opens the dump in a folder. `Comments.xml` may be missing.
    ///
    /// `site` is the host of the site, such as `cooking.stackexchange.com`, for links to posts.
    ///
    /// # Errors
    /// If a table is missing.
    pub fn open(folder: &Path, site: Option<String>) -> Result<Self, InputProblem> {
        let mut tables = Vec::new();
        for table in Table::ALL {
            let path = folder.join(table.file());
            if path.is_file() {
                tables.push((table, path));
            } else if table != Table::Comments {
                let message = format!("there is no {} in this folder", table.file());
                let hint = "a dump has Posts.xml, Users.xml and Comments.xml; unpack all of its archive into one folder";
                return Err(problem(&folder.display().to_string(), 0, ProblemKind::Form, message, hint));
            }
        }
        Ok(Self { tables, site })
    }

    /// Reads all rows and looks for mistakes. Calls `tell` with the number of rows from time to
    /// time.
    ///
    /// # Errors
    /// The first problem. With `skip_bad`, only a problem that ends the reading; others are
    /// counted.
    pub fn check(&self, skip_bad: bool, tell: &mut dyn FnMut(u64)) -> Result<Checked, InputProblem> {
        let has_comments = self.tables.iter().any(|(table, _)| *table == Table::Comments);
        let mut checked = Checked { has_comments, ..Checked::default() };
        for (table, path) in &self.tables {
            let mut rows = Rows::open(path)?;
            loop {
                match next_record(&mut rows, *table) {
                    Ok(None) => break,
                    Ok(Some((record, _))) => checked.take(&record),
                    Err(problem) if skip_bad && problem.kind != ProblemKind::Form => {
                        count(&mut checked.skipped, problem);
                    }
                    Err(problem) => return Err(problem),
                }
                if checked.rows.is_multiple_of(10_000) {
                    tell(checked.rows);
                }
            }
        }
        Ok(checked)
    }

    /// Reads all rows and passes on what they become, in batches of at most `size` rows, until
    /// `take` returns false.
    ///
    /// Skips rows in which the check found a mistake.
    ///
    /// # Errors
    /// If a table cannot be read.
    pub fn read(
        &self,
        reading: Reading,
        size: usize,
        take: &mut dyn FnMut(Batch) -> bool,
    ) -> Result<(), InputProblem> {
        for (table, path) in &self.tables {
            let mut rows = Rows::open(path)?;
            let mut batch = Batch::default();
            loop {
                match next_record(&mut rows, *table) {
                    Ok(None) => break,
                    Ok(Some((record, line))) => {
                        let site = self.site.as_deref();
                        batch.add(record, reading, table.file(), line, site).map_err(|error| {
                            problem(
                                table.file(),
                                line,
                                ProblemKind::Form,
                                error.to_string(),
                                "correct the row",
                            )
                        })?;
                    }
                    Err(problem) if problem.kind == ProblemKind::Form => return Err(problem),
                    Err(_) => {}
                }
                if (batch.rows >= size || batch.bytes >= BATCH_BYTES) && !take(std::mem::take(&mut batch)) {
                    return Ok(());
                }
            }
            if batch.rows > 0 && !take(batch) {
                return Ok(());
            }
        }
        Ok(())
    }
}

impl Batch {
    fn add(
        &mut self,
        record: Record,
        reading: Reading,
        file: &'static str,
        line: u64,
        site: Option<&str>,
    ) -> Result<(), ExchangeError> {
        self.rows += 1;
        match reading {
            Reading::Nodes => {
                self.bytes += record.bytes();
                self.nodes.extend(record.new_tags(&mut self.tags).map(tag));
                self.nodes.extend(node(record, site)?);
                Ok(())
            }
            Reading::Links => {
                links(&record, file, line, &mut self.links);
                Ok(())
            }
        }
    }
}

impl Checked {
    fn take(&mut self, record: &Record) {
        match record {
            Record::OtherPost(kind) => *self.other_posts.entry(*kind).or_default() += 1,
            record => {
                self.rows += 1;
                self.without_user += u64::from(record.lacks_user());
            }
        }
    }
}

fn next_record(rows: &mut Rows, table: Table) -> Result<Option<(Record, u64)>, InputProblem> {
    let Some(row) = rows.next_row()? else { return Ok(None) };
    Ok(Some((Record::read(table, &row)?, row.line)))
}

/// Counts a skipped row, and keeps the problem if it is among the first of its kind.
pub(crate) fn count(skipped: &mut BTreeMap<ProblemKind, Skipped>, problem: InputProblem) {
    let of_kind = skipped.entry(problem.kind).or_default();
    of_kind.count += 1;
    if of_kind.examples.len() < EXAMPLES {
        of_kind.examples.push(problem);
    }
}
