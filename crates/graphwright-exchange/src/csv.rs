//! CSV files with the headers of `neo4j-admin database import`.

mod header;
mod read;
mod rows;
mod value;
mod write;

pub(super) use header::{Header, Role};
pub(super) use read::{read_nodes, read_relationships};
pub(super) use rows::{Row, Rows};
pub(super) use value::{BaseType, ColumnType, cell};
pub(super) use write::Folder;
