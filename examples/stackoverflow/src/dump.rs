//! Dumps of Stack Exchange sites, as archive.org has them: a folder with `Posts.xml`, `Users.xml` and `Comments.xml`.
//!
//! A table is read row by row, and batches of what its rows become are passed on, so that the memory this takes does not depend on
//! the size of the dump. It is read three times: to check it as a whole, so that a dump with a mistake in it changes nothing; for the
//! nodes; and for what connects them, since a row may name one that comes after it.

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

/// Bytes of text in one batch.
const BATCH_BYTES: usize = 8 << 20;
/// How many examples of a problem the report shows.
const EXAMPLES: usize = 5;

/// The tables that are read.
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

/// What a reading is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// What rows become by themselves.
    Nodes,
    /// What connects them.
    Links,
}

/// What some rows become.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// Nodes.
    pub nodes: Vec<Change>,
    /// What connects nodes.
    pub links: Vec<Link>,
    /// How many rows they were.
    pub rows: usize,
    bytes: usize,
    /// Tags whose nodes are among the nodes.
    tags: HashSet<String>,
}

/// What the check of a dump found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Rows of questions, answers, comments and users.
    pub rows: u64,
    /// Rows that are left out, by reason.
    pub skipped: BTreeMap<ProblemKind, Skipped>,
    /// Posts that are neither question nor answer, by their `PostTypeId`.
    pub other_posts: BTreeMap<i64, u64>,
    /// Posts and comments that name no user: their accounts were deleted.
    pub without_user: u64,
    /// Whether the dump has comments.
    pub has_comments: bool,
}

impl Dump {
    /// The dump in a folder; `site` is the host of the site, as `cooking.stackexchange.com`, for links to posts. `Comments.xml` may be missing.
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

    /// Reads all rows and looks for mistakes. `tell` is told how many rows there were, now and then.
    ///
    /// # Errors
    /// The first problem; with `skip_bad` only one that ends the reading, and the others are counted.
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

    /// Reads all rows and passes on what they become, in batches of so many rows at most, for as long as `take` wants more. Rows in which
    /// the check found a mistake are passed over.
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

/// Counts what is left out.
pub(crate) fn count(skipped: &mut BTreeMap<ProblemKind, Skipped>, problem: InputProblem) {
    let of_kind = skipped.entry(problem.kind).or_default();
    of_kind.count += 1;
    if of_kind.examples.len() < EXAMPLES {
        of_kind.examples.push(problem);
    }
}
