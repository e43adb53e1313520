//! Translates statements for the engine, and the engine's columns to those that the user named.

use std::collections::HashMap;

use graphwright_core::{Position, QueryType, Record, Result, Statement, StoreError, store::QueryMode};
use kglite::api::{DirGraph, Value as EngineValue};

use crate::{
    catalogue,
    keys::Keys,
    rewrite::{ADDED, RewriteError, Rewritten, for_engine},
    values,
};

/// The text and parameters that the engine gets for a statement.
#[derive(Debug)]
pub(crate) struct Translated {
    pub(crate) text: String,
    pub(crate) parameters: HashMap<String, EngineValue>,
    /// The keyword before the statement in the text.
    prefix: &'static str,
    /// The text as it was given.
    original: String,
    rewritten: Rewritten,
}

pub(crate) fn translate(statement: &Statement) -> Result<Translated> {
    let original = statement.text().to_owned();
    let mut rewritten = for_engine(statement).map_err(|error| refused(error, &original))?;
    let parameters = std::mem::take(&mut rewritten.parameters);
    let parameters = parameters
        .into_iter()
        .map(|(name, value)| Ok((name, values::to_engine(value)?)))
        .collect::<Result<_>>()?;
    let text = std::mem::take(&mut rewritten.text);
    Ok(Translated { text, parameters, prefix: "", original, rewritten })
}

/// The engine's columns that are the user's.
#[derive(Debug)]
pub(crate) enum Kept {
    All,
    These(Vec<usize>),
}

impl Kept {
    pub(crate) fn take(&self, row: Vec<EngineValue>) -> Vec<EngineValue> {
        match self {
            Self::All => row,
            Self::These(places) => row
                .into_iter()
                .enumerate()
                .filter(|(place, _)| places.contains(place))
                .map(|(_, value)| value)
                .collect(),
        }
    }
}

impl Translated {
    /// Creates a statement in the engine's own dialect.
    pub(crate) fn own(text: String, parameters: HashMap<String, EngineValue>) -> Self {
        Self { original: text.clone(), text, parameters, prefix: "", rewritten: Rewritten::default() }
    }

    /// Sets the mode in which the engine runs the statement.
    pub(crate) fn in_mode(self, mode: QueryMode) -> Self {
        Self { text: self.text_for(mode), prefix: mode.prefix(), ..self }
    }

    /// Returns the text that the engine runs in this mode.
    pub(crate) fn text_for(&self, mode: QueryMode) -> String {
        let bare = self.text.get(self.prefix.len()..).unwrap_or_default();
        format!("{}{bare}", mode.prefix())
    }

    /// Returns the kind of the statement.
    pub(crate) fn query_type(&self) -> Option<QueryType> {
        graphwright_cypher::query_type(&self.original)
    }

    /// Tells the engine of properties that a label does not have yet, which it otherwise refuses in
    /// a pattern.
    pub(crate) fn declare(&self, graph: &mut DirGraph) {
        for (label, property) in &self.rewritten.declares {
            let is_new =
                graph.get_node_type_metadata(label).is_some_and(|known| !known.contains_key(property));
            if is_new {
                let unknown = HashMap::from([(property.clone(), "mixed".to_owned())]);
                graph.upsert_node_type_metadata(label, unknown);
            }
        }
    }

    /// Returns the user's names of the columns, and which of the engine's columns they are.
    pub(crate) fn columns(&self, engine: &[String]) -> (Vec<String>, Kept) {
        match &self.rewritten.columns {
            Some(names) if names.len() == engine.len() => (names.clone(), Kept::All),
            _ => {
                let ours = engine.iter().enumerate().filter(|(_, name)| !name.starts_with(ADDED));
                let (places, names) = ours.map(|(place, name)| (place, name.clone())).unzip();
                (names, Kept::These(places))
            }
        }
    }

    /// Returns the check for rows that must differ.
    pub(crate) fn keys(&self) -> Keys {
        Keys::new(&self.rewritten.keys)
    }

    /// Refuses rows that are equal where they must differ.
    pub(crate) fn check(&self, columns: &[String], rows: &[Vec<EngineValue>]) -> Result<()> {
        if self.rewritten.keys.is_empty() {
            return Ok(());
        }
        let (_, kept) = self.columns(columns);
        self.keys().check(&self.rows(rows.to_vec(), &kept)?)
    }

    /// Translates rows of the engine to the user's.
    pub(crate) fn rows(&self, rows: Vec<Vec<EngineValue>>, kept: &Kept) -> Result<Vec<Record>> {
        let rows = rows.into_iter().map(|row| values::row_from_engine(kept.take(row)));
        if catalogue::is_asked(&self.original) {
            return rows.filter_map(|row| row.map(catalogue::row).transpose()).collect();
        }
        rows.collect()
    }

    /// Returns the place in the user's text of a line and column (from 1) in the engine's text.
    pub(crate) fn position(&self, line: usize, column: usize) -> Position {
        let before: usize = self.text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
        let rest = self.text.get(before..).unwrap_or_default();
        let within =
            rest.char_indices().nth(column.saturating_sub(1)).map_or(rest.len(), |(offset, _)| offset);
        position(&self.original, self.rewritten.origin((before + within).saturating_sub(self.prefix.len())))
    }
}

fn refused(error: RewriteError, text: &str) -> StoreError {
    match error {
        RewriteError::Syntax { message, span } => {
            StoreError::Syntax { message, position: Some(position(text, span.start)) }
        }
        RewriteError::Unsupported { construct, hint, .. } => values::unsupported(construct, hint),
        RewriteError::Evaluation { message, .. } => StoreError::Evaluation { message },
    }
}

fn position(text: &str, offset: usize) -> Position {
    let offset = text.floor_char_boundary(offset);
    let before = text.get(..offset).unwrap_or_default();
    let line_start = before.rfind('\n').map_or(0, |end| end + 1);
    let column = before.get(line_start..).unwrap_or_default().chars().count() + 1;
    Position { line: before.matches('\n').count() + 1, column, offset }
}
