//! A statement as the engine takes it.

use std::collections::HashMap;

use graphwright_core::{Result, Statement};
use kglite::api::Value as EngineValue;

use crate::values;

/// The text and parameters that the engine gets for a statement.
pub(crate) struct Translated {
    pub(crate) text: String,
    pub(crate) parameters: HashMap<String, EngineValue>,
}

pub(crate) fn translate(statement: &Statement) -> Result<Translated> {
    let parameters = statement
        .parameters()
        .iter()
        .map(|(name, value)| Ok((name.clone(), values::to_engine(value.clone())?)))
        .collect::<Result<_>>()?;
    Ok(Translated { text: statement.text().to_owned(), parameters })
}
