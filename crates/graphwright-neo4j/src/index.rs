//! Indexes and uniqueness constraints.

use std::collections::BTreeSet;

use graphwright_core::{
    Result, StoreError, Value, names,
    schema::{Constraint, Index, IndexKind, Similarity, Target},
};
use neo4j::ValueSend;

use crate::{
    call::Call,
    server::{self, Server},
    values::Parameters,
};

/// The time that the server may take to fill an index, in seconds.
const PATIENCE: i64 = 24 * 60 * 60;

const SHOW_INDEXES: &str = "SHOW INDEXES YIELD name, type, entityType, labelsOrTypes, properties, owningConstraint, \
                            options WHERE type <> 'LOOKUP' \
                            RETURN name, type, entityType, labelsOrTypes, properties, owningConstraint, \
                            options.indexConfig AS config ORDER BY name";
const SHOW_CONSTRAINTS: &str = "SHOW CONSTRAINTS YIELD name, type, entityType, labelsOrTypes, properties \
                                RETURN name, type, entityType, labelsOrTypes, properties ORDER BY name";
const SHOW_KEYS: &str = "SHOW INDEXES YIELD type, entityType, labelsOrTypes, properties \
                         WHERE type = 'RANGE' AND entityType = 'NODE' AND properties = $properties \
                         RETURN labelsOrTypes";

/// Quotes a name for a statement.
pub(crate) fn quoted(name: &str) -> Result<String> {
    graphwright_cypher::quote(name).map_err(|invalid| StoreError::Evaluation { message: invalid.to_string() })
}

/// Lists the indexes.
///
/// Left out are those that constraints own, those on our identifier, and Neo4j's own on labels and
/// types.
pub(crate) fn list(server: &Server, call: &Call) -> Result<Vec<Index>> {
    let rows = server.rows(call, SHOW_INDEXES, &Parameters::new())?;
    Ok(rows.iter().flat_map(|row| shown_indexes(row)).collect())
}

/// Reads a row of `SHOW INDEXES`. An index on several labels, which full text may have, shows once
/// for each.
fn shown_indexes(row: &[Value]) -> Vec<Index> {
    let [name, kind, entity, targets, properties, owner, config] = row else { return Vec::new() };
    let properties = texts(properties);
    if !owner.is_null() || properties == [names::ID] {
        return Vec::new();
    }
    let kind = match text(kind) {
        "FULLTEXT" => IndexKind::FullText,
        "VECTOR" => vector_kind(config),
        _ => IndexKind::Property,
    };
    let target = |target: String| match text(entity) {
        "RELATIONSHIP" => Target::RelationshipType(target),
        _ => Target::Label(target),
    };
    let targets = texts(targets).into_iter().map(target);
    targets
        .map(|target| Index { name: text(name).to_owned(), target, properties: properties.clone(), kind })
        .collect()
}

fn vector_kind(config: &Value) -> IndexKind {
    let setting = |name: &str| config.as_map().and_then(|map| map.get(name));
    let dimensions = setting("vector.dimensions").and_then(Value::as_integer);
    let similarity = setting("vector.similarity_function").and_then(Value::as_str).unwrap_or_default();
    IndexKind::Vector {
        dimensions: dimensions.and_then(|number| usize::try_from(number).ok()).unwrap_or_default(),
        similarity: if similarity.eq_ignore_ascii_case("euclidean") {
            Similarity::Euclidean
        } else {
            Similarity::Cosine
        },
    }
}

/// Lists the uniqueness constraints of nodes, without those on our identifier.
pub(crate) fn list_constraints(server: &Server, call: &Call) -> Result<Vec<Constraint>> {
    let rows = server.rows(call, SHOW_CONSTRAINTS, &Parameters::new())?;
    let constraints = rows.iter().filter_map(|row| {
        let [name, kind, entity, labels, properties] = row.as_slice() else { return None };
        let unique = text(kind).contains("UNIQUENESS") || text(kind) == "NODE_KEY";
        let properties = texts(properties);
        if text(entity) != "NODE" || !unique || properties == [names::ID] {
            return None;
        }
        let label = texts(labels).into_iter().next()?;
        Some(Constraint { name: text(name).to_owned(), label, properties })
    });
    Ok(constraints.collect())
}

/// Creates an index unless an equal one exists, and waits until it can be used.
pub(crate) fn create(server: &Server, call: &Call, index: &Index) -> Result<()> {
    let known = list(server, call)?.into_iter().find(|known| known.serves_same(index));
    let name = if let Some(known) = known {
        known.name
    } else {
        let name = name_of(index);
        change(server, call, &create_text(index, &name)?)?;
        name
    };
    let parameters =
        Parameters::from([("name".to_owned(), name.into()), ("seconds".to_owned(), PATIENCE.into())]);
    server.rows(call, "CALL db.awaitIndex($name, $seconds)", &parameters).map(drop)
}

fn create_text(index: &Index, name: &str) -> Result<String> {
    let name = quoted(name)?;
    let pattern = match &index.target {
        Target::Label(label) => format!("(x:{})", quoted(label)?),
        Target::RelationshipType(kind) => format!("()-[x:{}]-()", quoted(kind)?),
    };
    let properties = property_list(&index.properties)?;
    Ok(match index.kind {
        IndexKind::Property => format!("CREATE RANGE INDEX {name} FOR {pattern} ON ({properties})"),
        // As `Capabilities::full_text` promises, words are stemmed.
        IndexKind::FullText => format!(
            "CREATE FULLTEXT INDEX {name} FOR {pattern} ON EACH [{properties}] OPTIONS {{indexConfig: \
             {{`fulltext.analyzer`: 'english'}}}}"
        ),
        IndexKind::Vector { dimensions, similarity } => {
            let similarity = match similarity {
                Similarity::Cosine => "cosine",
                Similarity::Euclidean => "euclidean",
            };
            format!(
                "CREATE VECTOR INDEX {name} FOR {pattern} ON ({properties}) OPTIONS {{indexConfig: \
                 {{`vector.dimensions`: {dimensions}, `vector.similarity_function`: '{similarity}'}}}}"
            )
        }
    })
}

fn name_of(index: &Index) -> String {
    if !index.name.is_empty() {
        return index.name.clone();
    }
    let kind = match index.kind {
        IndexKind::Property => "index",
        IndexKind::FullText => "fulltext",
        IndexKind::Vector { .. } => "vector",
    };
    let (Target::Label(target) | Target::RelationshipType(target)) = &index.target;
    format!("{kind}_{target}_{}", index.properties.join("_"))
}

/// Removes an index by name.
pub(crate) fn remove(server: &Server, call: &Call, name: &str) -> Result<()> {
    if list(server, call)?.iter().all(|index| index.name != name) {
        return Err(StoreError::NotFound { what: format!("the index `{name}`") });
    }
    change(server, call, &format!("DROP INDEX {}", quoted(name)?))
}

/// Creates a uniqueness constraint unless an equal one exists.
pub(crate) fn create_constraint(server: &Server, call: &Call, constraint: &Constraint) -> Result<()> {
    if list_constraints(server, call)?.iter().any(|known| known.demands_same(constraint)) {
        return Ok(());
    }
    let name = if constraint.name.is_empty() {
        format!("unique_{}_{}", constraint.label, constraint.properties.join("_"))
    } else {
        constraint.name.clone()
    };
    change(server, call, &constraint_text(&name, &constraint.label, &constraint.properties)?)
}

fn constraint_text(name: &str, label: &str, properties: &[String]) -> Result<String> {
    let (name, label, properties) = (quoted(name)?, quoted(label)?, property_list(properties)?);
    Ok(format!("CREATE CONSTRAINT {name} IF NOT EXISTS FOR (x:{label}) REQUIRE ({properties}) IS UNIQUE"))
}

/// Removes a constraint by name.
pub(crate) fn remove_constraint(server: &Server, call: &Call, name: &str) -> Result<()> {
    if list_constraints(server, call)?.iter().all(|constraint| constraint.name != name) {
        return Err(StoreError::NotFound { what: format!("the constraint `{name}`") });
    }
    change(server, call, &format!("DROP CONSTRAINT {}", quoted(name)?))
}

/// Returns the labels whose nodes an index finds by a property.
pub(crate) fn list_keys(server: &Server, call: &Call, property: &str) -> Result<Vec<String>> {
    let properties = ValueSend::List(vec![property.to_owned().into()]);
    let parameters = Parameters::from([("properties".to_owned(), properties)]);
    let rows = server.rows(call, SHOW_KEYS, &parameters)?;
    Ok(rows.iter().filter_map(|row| row.first()).flat_map(texts).collect())
}

/// Makes nodes of each label unique by a property. If the data or another index forbids that, an
/// index serves.
pub(crate) fn create_keys(
    server: &Server,
    call: &Call,
    labels: &BTreeSet<String>,
    property: &str,
) -> Result<()> {
    let properties = [property.to_owned()];
    let unique = |label: &String| constraint_text(&format!("{property} of {label}"), label, &properties);
    // All at once first: each change of the schema makes the server forget how it runs statements.
    match change_all(server, call, &labels.iter().map(unique).collect::<Result<Vec<_>>>()?) {
        Err(StoreError::Constraint { .. }) => {}
        outcome => return outcome,
    }
    for label in labels {
        match change(server, call, &unique(label)?) {
            Err(StoreError::Constraint { .. }) => {
                let (label, properties) = (quoted(label)?, property_list(&properties)?);
                let text = format!("CREATE RANGE INDEX IF NOT EXISTS FOR (x:{label}) ON ({properties})");
                change(server, call, &text)?;
            }
            outcome => outcome?,
        }
    }
    Ok(())
}

fn property_list(properties: &[String]) -> Result<String> {
    let quoted: Vec<_> =
        properties.iter().map(|property| Ok(format!("x.{}", quoted(property)?))).collect::<Result<_>>()?;
    Ok(quoted.join(", "))
}

fn change(server: &Server, call: &Call, text: &str) -> Result<()> {
    change_all(server, call, &[text.to_owned()])
}

fn change_all(server: &Server, call: &Call, texts: &[String]) -> Result<()> {
    if texts.is_empty() {
        return Ok(());
    }
    server.write(call, None, |transaction| {
        texts.iter().try_for_each(|text| server::run(transaction, text, &Parameters::new()).map(drop))
    })?;
    server.hidden_vectors.forget();
    Ok(())
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn texts(value: &Value) -> Vec<String> {
    value.as_list().unwrap_or_default().iter().map(|item| text(item).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(kind: IndexKind) -> Index {
        let properties = vec!["full name".to_owned(), "born".to_owned()];
        Index { name: String::new(), target: Target::Label("Per`son".to_owned()), properties, kind }
    }

    #[test]
    fn names_are_quoted() {
        let index = index(IndexKind::Property);
        assert_eq!(
            create_text(&index, &name_of(&index)).unwrap(),
            "CREATE RANGE INDEX `index_Per``son_full name_born` FOR (x:`Per``son`) ON (x.`full name`, x.born)"
        );
        assert!(create_text(&index, "x\\u0060").is_err());
    }

    #[test]
    fn a_vector_index_says_how_it_compares() {
        let kind = IndexKind::Vector { dimensions: 3, similarity: Similarity::Euclidean };
        let text = create_text(&index(kind), "v").unwrap();
        assert!(
            text.ends_with("{`vector.dimensions`: 3, `vector.similarity_function`: 'euclidean'}}"),
            "{text}"
        );
    }
}
