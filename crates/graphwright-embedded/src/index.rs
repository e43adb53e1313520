//! Indexes and uniqueness constraints.

use std::collections::{HashMap, HashSet};

use graphwright_core::{
    Result, StoreError, Value,
    schema::{Constraint, Index, IndexKind, Similarity, Target},
};
use kglite::api::{
    DirGraph, embeddings,
    session::{ExecuteOptions, execute_read},
};

use crate::{
    error::{self, Context},
    query,
    query_text::{id_property, quoted},
    rewrite::reserved,
    translate::Translated,
    values::{self, unsupported},
    vectors,
};

/// Lists the indexes that people made, without those that serve our own look-ups and constraints.
pub(crate) fn list(graph: &DirGraph) -> Result<Vec<Index>> {
    let mut indexes: Vec<Index> = list_vector(graph).collect();
    for entry in shown(graph, SHOW_INDEXES)? {
        let Some(index) = entry.index() else { continue };
        if indexes.iter().all(|known| !known.serves_same(&index)) {
            indexes.push(index);
        }
    }
    Ok(indexes)
}

/// Lists the uniqueness constraints.
pub(crate) fn list_constraints(graph: &DirGraph) -> Result<Vec<Constraint>> {
    let entries = shown(graph, SHOW_CONSTRAINTS)?;
    Ok(entries.into_iter().filter_map(Shown::constraint).collect())
}

/// Returns the types of relationships with an index or constraint.
pub(crate) fn relationship_types(graph: &DirGraph) -> Result<HashSet<String>> {
    let entries = shown(graph, SHOW_INDEXES)?.into_iter().chain(shown(graph, SHOW_CONSTRAINTS)?);
    Ok(entries.filter(|entry| entry.entity == "RELATIONSHIP").map(|entry| entry.target).collect())
}

/// Creates an index unless an equal one exists.
pub(crate) fn create(graph: &mut DirGraph, index: &Index) -> Result<()> {
    if index.properties.is_empty() {
        return Err(StoreError::Evaluation { message: "an index needs a property".to_owned() });
    }
    if list(graph)?.iter().any(|known| known.serves_same(index)) {
        return Ok(());
    }
    if let Target::Label(label) = &index.target {
        require_first_label(graph, label)?;
    }
    let name = quoted(&name_of(&index.name, &index.kind, &index.target, &index.properties));
    let (pattern, variable) = match &index.target {
        Target::Label(label) => (format!("(x:{})", quoted(&reserved::label_to_engine(label))), "x"),
        Target::RelationshipType(kind) => (format!("()-[x:{}]-()", quoted(kind)), "x"),
    };
    let properties = property_list(variable, &index.properties);
    let text = match (&index.kind, &index.target) {
        (IndexKind::Property, _) if index.properties.len() > 1 => {
            format!("CREATE INDEX {name} FOR {pattern} ON ({properties})")
        }
        (IndexKind::Property, Target::Label(_)) => {
            format!("CREATE RANGE INDEX {name} FOR {pattern} ON ({properties})")
        }
        (IndexKind::Property, Target::RelationshipType(_)) => {
            format!("CREATE INDEX {name} FOR {pattern} ON ({properties})")
        }
        (IndexKind::FullText, _) if index.properties.len() > 1 => {
            return Err(unsupported("a full-text index on several properties", "make one for each property"));
        }
        (IndexKind::FullText, _) => {
            format!("CREATE FULLTEXT INDEX {name} FOR {pattern} ON EACH [{properties}]")
        }
        (IndexKind::Vector { dimensions, similarity }, Target::Label(label)) => {
            return create_vector(graph, index, label, *dimensions, *similarity);
        }
        (IndexKind::Vector { .. }, Target::RelationshipType(_)) => {
            return Err(unsupported("a vector index on relationships", "keep the vectors on nodes"));
        }
    };
    run(graph, text)
}

/// Removes an index by name.
pub(crate) fn remove(graph: &mut DirGraph, name: &str) -> Result<()> {
    let index = list(graph)?.into_iter().find(|index| index.name == name);
    match index {
        None => Err(StoreError::NotFound { what: format!("the index `{name}`") }),
        Some(Index { kind: IndexKind::Vector { .. }, target: Target::Label(label), properties, .. }) => {
            let mark = reserved::vector_mark(properties.first().map_or("", String::as_str));
            let label = reserved::label_to_engine(&label);
            // Otherwise an index that is made here later would take over the name.
            graph.set_instructions("", Some(&vector_name_slot(&label, &mark)));
            graph.remove_embedding_store(&label, &mark);
            Ok(())
        }
        Some(_) => run(graph, format!("DROP INDEX {}", quoted(name))),
    }
}

/// Creates a uniqueness constraint unless an equal one exists.
pub(crate) fn create_constraint(graph: &mut DirGraph, constraint: &Constraint) -> Result<()> {
    if list_constraints(graph)?.iter().any(|known| known.demands_same(constraint)) {
        return Ok(());
    }
    require_first_label(graph, &constraint.label)?;
    let name = if constraint.name.is_empty() {
        format!("unique_{}_{}", constraint.label, constraint.properties.join("_"))
    } else {
        constraint.name.clone()
    };
    let label = quoted(&reserved::label_to_engine(&constraint.label));
    let properties = property_list("x", &constraint.properties);
    run(
        graph,
        format!("CREATE CONSTRAINT {} FOR (x:{label}) REQUIRE ({properties}) IS UNIQUE", quoted(&name)),
    )
}

/// Refuses a label that is the first label of no node: the engine indexes nodes by their first
/// label only.
fn require_first_label(graph: &DirGraph, label: &str) -> Result<()> {
    graph.reject_secondary_only_index_type(&reserved::label_to_engine(label)).map_err(|_| {
        let hint = "make it for each label that comes first on such nodes; matching by a further label needs no index";
        unsupported(format!("an index or constraint on `{label}`, which is the first label of no node,"), hint)
    })
}

/// Removes a constraint by name.
pub(crate) fn remove_constraint(graph: &mut DirGraph, name: &str) -> Result<()> {
    if list_constraints(graph)?.iter().all(|constraint| constraint.name != name) {
        return Err(StoreError::NotFound { what: format!("the constraint `{name}`") });
    }
    run(graph, format!("DROP CONSTRAINT {}", quoted(name)))
}

fn create_vector(
    graph: &mut DirGraph,
    index: &Index,
    label: &str,
    dimensions: usize,
    similarity: Similarity,
) -> Result<()> {
    let [property] = index.properties.as_slice() else {
        return Err(unsupported("a vector index on several properties", "make one for each property"));
    };
    let label = reserved::label_to_engine(label);
    let mark = reserved::vector_mark(property);
    graph.set_instructions(&index.name, Some(&vector_name_slot(&label, &mark)));
    vectors::create_index(graph, &label, &mark, dimensions, similarity)
}

/// Returns the key under which the graph keeps the name of a vector index.
///
/// The engine keeps no name for an index over its embedding store, but it keeps texts for readers
/// of the graph under any key.
fn vector_name_slot(label: &str, mark: &str) -> String {
    format!("name of the vector index {label} {mark}")
}

fn list_vector(graph: &DirGraph) -> impl Iterator<Item = Index> + '_ {
    embeddings::list_embeddings(graph).into_iter().filter_map(move |store| {
        let property = store.text_column.strip_prefix(reserved::VECTOR_MARK)?.to_owned();
        let target = Target::Label(reserved::label_from_engine(&store.node_type)?.to_owned());
        let similarity = if store.metric == "euclidean" { Similarity::Euclidean } else { Similarity::Cosine };
        let kind = IndexKind::Vector { dimensions: store.dimension, similarity };
        let properties = vec![property];
        let given = graph.get_instructions(Some(&vector_name_slot(&store.node_type, &store.text_column)));
        let name = name_of(given.unwrap_or_default(), &kind, &target, &properties);
        Some(Index { name, target, properties, kind })
    })
}

fn property_list(variable: &str, properties: &[String]) -> String {
    let properties: Vec<_> = properties
        .iter()
        .map(|property| format!("{variable}.{}", quoted(&reserved::property_to_engine(property))))
        .collect();
    properties.join(", ")
}

fn run(graph: &mut DirGraph, text: String) -> Result<()> {
    query::run_on(graph, &Translated::own(text, HashMap::new()), None, None).map(drop)
}

fn name_of(name: &str, kind: &IndexKind, target: &Target, properties: &[String]) -> String {
    if !name.is_empty() {
        return name.to_owned();
    }
    let kind = match kind {
        IndexKind::Property => "index",
        IndexKind::FullText => "fulltext",
        IndexKind::Vector { .. } => "vector",
    };
    let (Target::Label(target) | Target::RelationshipType(target)) = target;
    format!("{kind}_{target}_{}", properties.join("_"))
}

const SHOW_INDEXES: &str =
    "SHOW INDEXES YIELD name, type, entityType, labelsOrTypes, properties, owningConstraint";
const SHOW_CONSTRAINTS: &str = "SHOW CONSTRAINTS YIELD name, type, entityType, labelsOrTypes, properties";

/// A row of `SHOW INDEXES` or `SHOW CONSTRAINTS`.
struct Shown {
    name: String,
    kind: String,
    entity: String,
    target: String,
    properties: Vec<String>,
    owner: Option<String>,
}

impl Shown {
    fn index(self) -> Option<Index> {
        if self.owner.is_some() || self.properties == [id_property()] {
            return None;
        }
        let kind = match self.kind.as_str() {
            "FULLTEXT" => IndexKind::FullText,
            "VECTOR" => return None,
            _ => IndexKind::Property,
        };
        let properties = outside(&self.properties)?;
        let target = if self.entity == "RELATIONSHIP" {
            Target::RelationshipType(self.target)
        } else {
            Target::Label(reserved::label_from_engine(&self.target)?.to_owned())
        };
        Some(Index { name: self.name, target, properties, kind })
    }

    fn constraint(self) -> Option<Constraint> {
        if self.entity != "NODE" || !self.kind.contains("UNIQUE") {
            return None;
        }
        Some(Constraint {
            label: reserved::label_from_engine(&self.target)?.to_owned(),
            properties: outside(&self.properties)?,
            name: self.name,
        })
    }
}

fn outside(properties: &[String]) -> Option<Vec<String>> {
    properties.iter().map(|name| reserved::property_from_engine(name).map(str::to_owned)).collect()
}

fn shown(graph: &DirGraph, text: &str) -> Result<Vec<Shown>> {
    let parameters = HashMap::new();
    let outcome = execute_read(graph, text, &ExecuteOptions::eager(&parameters))
        .map_err(|error| error::from_engine(error, Context::default()))?;
    let columns = outcome.result.columns;
    outcome
        .result
        .rows
        .into_iter()
        .map(|row| {
            let values = values::row_from_engine(row)?;
            let mut cells: HashMap<_, _> = columns.iter().map(String::as_str).zip(values).collect();
            let mut take = |name: &str| cells.remove(name).unwrap_or_default();
            Ok(Shown {
                name: text_of(&take("name")),
                kind: text_of(&take("type")),
                entity: text_of(&take("entityType")),
                target: texts_of(&take("labelsOrTypes")).into_iter().next().unwrap_or_default(),
                properties: texts_of(&take("properties")),
                owner: take("owningConstraint").as_str().map(str::to_owned),
            })
        })
        .collect()
}

fn text_of(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn texts_of(value: &Value) -> Vec<String> {
    value.as_list().unwrap_or_default().iter().map(text_of).collect()
}
