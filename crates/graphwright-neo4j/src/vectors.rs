//! Vectors of nodes.
//!
//! To Neo4j they are properties. Here they are kept apart where they can be told from other lists
//! of numbers: under the name that is usual, and under those of vector indexes.

use graphwright_core::{Node, Record, Result, Value, names};
use neo4j::{ValueSend, transaction::Transaction};

use crate::{
    call::Call,
    error::Failure,
    hidden_vectors::HiddenVectors,
    server::{self, Server},
    values::Parameters,
};

const KEYS: &str = "CALL db.propertyKeys() YIELD propertyKey WHERE propertyKey IN $names RETURN propertyKey";
const INDEXED: &str =
    "SHOW VECTOR INDEXES YIELD entityType, properties WHERE entityType = 'NODE' RETURN properties";

impl HiddenVectors {
    pub(crate) fn hide(&self, server: &Server, call: &Call, mut record: Record) -> Result<Record> {
        for value in &mut record {
            self.hide_in(server, call, value)?;
        }
        Ok(record)
    }

    fn hide_in(&self, server: &Server, call: &Call, value: &mut Value) -> Result<()> {
        match value {
            Value::Node(node) => self.hide_of(server, call, node),
            Value::Path(path) => path.nodes.iter_mut().try_for_each(|node| self.hide_of(server, call, node)),
            Value::List(items) => items.iter_mut().try_for_each(|item| self.hide_in(server, call, item)),
            Value::Map(map) => map.values_mut().try_for_each(|item| self.hide_in(server, call, item)),
            _ => Ok(()),
        }
    }

    fn hide_of(&self, server: &Server, call: &Call, node: &mut Node) -> Result<()> {
        let vectors = node.properties.iter().filter(|(_, value)| is_vector(value));
        for name in vectors.map(|(name, _)| name.clone()).collect::<Vec<_>>() {
            if self.is_hidden(server, call, &name)? {
                node.properties.remove(&name);
            }
        }
        Ok(())
    }

    fn is_hidden(&self, server: &Server, call: &Call, name: &str) -> Result<bool> {
        if name == names::EMBEDDING {
            return Ok(true);
        }
        // One worker asks, and the others wait for it: each has a connection already, and the pool
        // one more for this.
        let mut known = self.lock();
        let known = match &mut *known {
            Some(known) => known,
            unknown => unknown.insert(indexed(&server.rows(call, INDEXED, &Parameters::new())?).collect()),
        };
        Ok(known.iter().any(|known| known == name))
    }
}

/// Returns whether a value may be a vector. Its first element tells: those of a list in the graph
/// are of one kind.
fn is_vector(value: &Value) -> bool {
    value.as_list().is_some_and(|items| matches!(items.first(), Some(Value::Float(_))))
}

/// Returns the names in the rows of [`INDEXED`].
fn indexed(rows: &[Record]) -> impl Iterator<Item = String> + '_ {
    let names = rows.iter().flat_map(|row| row.first().and_then(Value::as_list).unwrap_or_default());
    names.filter_map(Value::as_str).map(str::to_owned)
}

/// The names under which nodes may have vectors.
#[derive(Clone, Debug, Default)]
pub(crate) struct VectorNames(Vec<String>);

impl VectorNames {
    pub(crate) fn load(server: &Server, call: &Call) -> Result<Self> {
        server.read_transaction(call, |transaction| Self::within(transaction, &server.hidden_vectors))
    }

    pub(crate) fn into_sorted(mut self) -> Vec<String> {
        self.0.sort_unstable();
        self.0
    }

    /// Asks the server for the names, and lets its answer about indexes hold for nodes in results
    /// from now on.
    pub(crate) fn within<'a>(
        transaction: &'a Transaction<'_, 'a>,
        hidden: &HiddenVectors,
    ) -> Result<Self, Failure> {
        let (rows, _) = server::run(transaction, INDEXED, &Parameters::new())?;
        let mut names: Vec<String> = indexed(&rows).collect();
        *hidden.lock() = Some(names.clone());
        names.push(names::EMBEDDING.to_owned());
        let parameters = Parameters::from([("names".to_owned(), list(&names))]);
        let (rows, _) = server::run(transaction, KEYS, &parameters)?;
        let known = rows.iter().filter_map(|row| row.first()?.as_str().map(str::to_owned));
        Ok(Self(known.collect()))
    }

    /// Writes the expression for all properties of a node or relationship but the vectors.
    ///
    /// Its value is a map, or pairs of name and value.
    pub(crate) fn properties(&self, variable: &str, parameters: &mut Parameters) -> String {
        if self.0.is_empty() {
            return format!("properties({variable})");
        }
        self.pairs(variable, "true", parameters)
    }

    /// Writes the expression for the properties that fulfil a condition on `name`, but the vectors.
    ///
    /// Its value is pairs of name and value.
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
