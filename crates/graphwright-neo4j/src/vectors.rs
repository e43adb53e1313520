//! Vectors are properties for Neo4j; here they are kept apart, where they can be told from other lists of numbers: under the
//! name that is usual, and under those of vector indexes.

use graphwright_core::{Result, Value, names};
use neo4j::{ValueSend, transaction::Transaction};

use crate::{
    call::Call,
    error::Failure,
    server::{self, Parameters, Server},
};

const KEYS: &str = "CALL db.propertyKeys() YIELD propertyKey WHERE propertyKey IN $names RETURN propertyKey";
const INDEXED: &str =
    "SHOW VECTOR INDEXES YIELD entityType, properties WHERE entityType = 'NODE' RETURN properties";

/// The names under which nodes may have vectors.
#[derive(Clone, Debug, Default)]
pub(crate) struct VectorNames(Vec<String>);

impl VectorNames {
    pub(crate) fn of(server: &Server, call: &Call) -> Result<Self> {
        server.read_transaction(call, Self::within)
    }

    pub(crate) fn within<'a>(transaction: &'a Transaction<'_, 'a>) -> Result<Self, Failure> {
        let (rows, _) = server::run(transaction, INDEXED, &Parameters::new())?;
        let indexed = rows.iter().flat_map(|row| row.first().and_then(Value::as_list).unwrap_or_default());
        let mut names: Vec<String> = indexed.filter_map(Value::as_str).map(str::to_owned).collect();
        names.push(names::EMBEDDING.to_owned());
        let parameters = Parameters::from([("names".to_owned(), list(&names))]);
        let (rows, _) = server::run(transaction, KEYS, &parameters)?;
        let known = rows.iter().filter_map(|row| row.first()?.as_str().map(str::to_owned));
        Ok(Self(known.collect()))
    }

    /// All properties of a node or relationship but the vectors: a map, or pairs of name and value.
    pub(crate) fn properties(&self, variable: &str, parameters: &mut Parameters) -> String {
        if self.0.is_empty() {
            return format!("properties({variable})");
        }
        self.pairs(variable, "true", parameters)
    }

    /// Pairs of name and value of the properties that fulfil a condition on `name`, but the vectors.
    pub(crate) fn pairs(&self, variable: &str, condition: &str, parameters: &mut Parameters) -> String {
        parameters.insert("vectors".to_owned(), list(&self.0));
        format!(
            "[name IN keys({variable}) WHERE {condition} AND NOT \
             (name IN $vectors AND valueType({variable}[name]) STARTS WITH 'LIST<FLOAT') | [name, {variable}[name]]]"
        )
    }
}

pub(crate) fn list(names: &[String]) -> ValueSend {
    ValueSend::List(names.iter().map(|name| name.clone().into()).collect())
}
