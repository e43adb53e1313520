//! Resolves names to entities.

use std::collections::{BTreeMap, HashMap};

use graphwright_core::{NodeKey, names::NAME, text::identifier_words};
use graphwright_documents::extraction::{KnownEntities, KnownEntity};
use graphwright_english::names::name_key;
use graphwright_ontology::Ontology;

/// Returns the key of an entity with this type and name.
pub(crate) fn entity_key(kind: &str, name: &str) -> NodeKey {
    NodeKey::new(kind, format!("{kind}:{}", name_key(name)))
}

/// Joins what is known about entities to one entry for each type and name.
///
/// The first spelling of a name wins, so callers pass the ontology's names first, then the graph's,
/// then the documents'.
pub(crate) fn join_known(sources: impl IntoIterator<Item = KnownEntity>) -> KnownEntities {
    let mut joined: BTreeMap<NodeKey, KnownEntity> = BTreeMap::new();
    for mut entity in sources {
        if name_key(&entity.name).is_empty() {
            continue;
        }
        match joined.entry(entity_key(&entity.kind, &entity.name)) {
            std::collections::btree_map::Entry::Vacant(entry) => {
                entry.insert(entity);
            }
            std::collections::btree_map::Entry::Occupied(mut entry) => {
                let known = entry.get_mut();
                known.inferred &= entity.inferred;
                entity.aliases.push(entity.name);
                known.aliases.extend(entity.aliases);
                for (column, values) in entity.keys {
                    known.keys.entry(column).or_default().extend(values);
                }
            }
        }
    }
    let mut entities: Vec<KnownEntity> = joined.into_values().collect();
    for entity in &mut entities {
        entity.aliases.sort();
        entity.aliases.dedup();
        entity.aliases.retain(|alias| *alias != entity.name);
    }
    entities.sort();
    KnownEntities { entities: entities.into() }
}

/// Gives entities one name if they are of one type and have one value of the property that the ontology declares as its key:
/// that of the first which has a name beside this value. Their own names become its aliases.
pub(crate) fn name_by_keys(names: &mut [KnownEntity], ontology: &Ontology) {
    let mut keyed: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for entity in names.iter() {
        let Some((kind, node)) = ontology.nodes.get_key_value(&entity.kind) else { continue };
        let Some(key) = node.key.as_deref().filter(|key| *key != NAME).map(identifier_words) else {
            continue;
        };
        let values = entity.keys.iter().filter(|(column, _)| identifier_words(column) == key);
        for value in values.flat_map(|(_, values)| values) {
            keyed.entry((kind, value)).or_default().push(&entity.name);
        }
    }
    let mut other_names: HashMap<NodeKey, String> = HashMap::new();
    for ((kind, value), names) in keyed {
        let name = names.iter().find(|name| **name != value).unwrap_or(&names[0]);
        for other in names.iter().filter(|other| name_key(other) != name_key(name)) {
            other_names.entry(entity_key(kind, other)).or_insert_with(|| (*name).to_owned());
        }
    }
    for entity in names {
        if let Some(name) = other_names.get(&entity_key(&entity.kind, &entity.name)) {
            entity.aliases.push(std::mem::replace(&mut entity.name, name.clone()));
        }
    }
}

/// Names what is called by several values (`francte01, 2004, BOS`) by the names of what these identify elsewhere. The old
/// names become aliases.
pub(crate) fn name_by_references(names: &mut [KnownEntity]) {
    let mut named: HashMap<&str, Option<&str>> = HashMap::new();
    for entity in names.iter() {
        for value in entity.keys.values().flatten().filter(|value| value.parse::<f64>().is_err()) {
            let name = named.entry(value).or_insert(Some(&entity.name));
            if name.is_some_and(|name| name != entity.name) {
                *name = None;
            }
        }
    }
    let name_of = |value: &str| named.get(value).copied().flatten().unwrap_or(value).to_owned();
    let renamed = |name: &str| name.split(", ").map(name_of).collect::<Vec<_>>().join(", ");
    let renamed: Vec<Option<String>> = names
        .iter()
        .map(|entity| {
            Some(renamed(&entity.name)).filter(|name| entity.name.contains(", ") && *name != entity.name)
        })
        .collect();
    for (entity, name) in names.iter_mut().zip(renamed) {
        if let Some(name) = name {
            entity.aliases.push(std::mem::replace(&mut entity.name, name));
        }
    }
}

/// Returns the entities that an ontology names.
pub(crate) fn named_in(ontology: &Ontology) -> impl Iterator<Item = KnownEntity> {
    ontology.nodes.iter().flat_map(|(label, node)| {
        node.aliases.iter().map(|(name, aliases)| KnownEntity {
            kind: label.clone(),
            name: name.clone(),
            aliases: aliases.clone(),
            ..KnownEntity::default()
        })
    })
}

/// Resolves names to known entities.
#[derive(Debug, Default)]
pub(crate) struct Resolver {
    /// Names from the ontology and the documents of this run.
    introduced: Dictionary,
    /// Names in the graph from earlier runs. Used for names that nothing introduces.
    stored: Dictionary,
}

impl Resolver {
    pub(crate) fn new(introduced: &KnownEntities, stored: &KnownEntities) -> Self {
        Self { introduced: Dictionary::new(introduced), stored: Dictionary::new(stored) }
    }

    /// Resolves a name: to the entity of this name, else to the only one of the type with this
    /// alias, else to a new one.
    pub(crate) fn resolve(&self, kind: &str, name: &str) -> NodeKey {
        let key = entity_key(kind, name);
        let found = self.introduced.find(&key).or_else(|| self.stored.find(&key));
        found.cloned().unwrap_or(key)
    }

    /// Returns the name under which an entity is known.
    pub(crate) fn known_name(&self, key: &NodeKey) -> Option<&str> {
        self.introduced.names.get(key).or_else(|| self.stored.names.get(key)).map(|(_, name)| name.as_str())
    }
}

#[derive(Debug, Default)]
struct Dictionary {
    names: HashMap<NodeKey, (NodeKey, String)>,
    /// Entity of each alias; `None` if several entities share it.
    aliases: HashMap<NodeKey, Option<NodeKey>>,
}

impl Dictionary {
    fn new(known: &KnownEntities) -> Self {
        let mut dictionary = Self::default();
        for entity in known.entities.iter() {
            let target = entity_key(&entity.kind, &entity.name);
            for alias in &entity.aliases {
                let entry = dictionary.aliases.entry(entity_key(&entity.kind, alias));
                let known = entry.or_insert_with(|| Some(target.clone()));
                if known.as_ref() != Some(&target) {
                    *known = None;
                }
            }
            dictionary.names.insert(target.clone(), (target, entity.name.clone()));
        }
        dictionary
    }

    fn find(&self, key: &NodeKey) -> Option<&NodeKey> {
        let name = self.names.get(key).map(|(key, _)| key);
        name.or_else(|| self.aliases.get(key)?.as_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(kind: &str, name: &str, aliases: &[&str]) -> KnownEntity {
        let aliases = aliases.iter().map(|&alias| alias.to_owned()).collect();
        KnownEntity { kind: kind.to_owned(), name: name.to_owned(), aliases, ..KnownEntity::default() }
    }

    #[test]
    fn names_come_before_aliases_and_ambiguous_aliases_mean_nobody() {
        let known = join_known([
            known("Team", "Payments", &["pay", "PT"]),
            known("Team", "Platform", &["PT"]),
            known("Team", "Pay", &[]),
            known("Service", "payments", &[]),
        ]);
        let resolver = Resolver::new(&known, &KnownEntities::default());
        assert_eq!(resolver.resolve("Team", "PAYMENTS").id, "Team:payments");
        assert_eq!(resolver.resolve("Team", "pay").id, "Team:pay");
        assert_eq!(resolver.resolve("Team", "PT").id, "Team:pt");
        assert_eq!(resolver.resolve("Service", "Payments").id, "Service:payments");
    }

    #[test]
    fn what_is_introduced_now_comes_before_what_the_graph_has() {
        let introduced = join_known([known("Team", "Omega", &["Zed"])]);
        let stored = join_known([known("Team", "Zed", &[]), known("Team", "Blue", &["Zoe"])]);
        let resolver = Resolver::new(&introduced, &stored);
        assert_eq!(resolver.resolve("Team", "Zed").id, "Team:omega");
        assert_eq!(resolver.resolve("Team", "Zoe").id, "Team:blue");
    }

    #[test]
    fn the_first_spelling_holds_and_the_others_are_aliases() {
        let joined = join_known([known("Team", "Blue Team", &[]), known("Team", "blue-team", &["Blues"])]);
        assert_eq!(*joined.entities, [known("Team", "Blue Team", &["Blues", "blue-team"])]);
    }

    #[test]
    fn what_has_one_key_is_one() {
        let text = "nodes: {County: {key: fips, properties: {fips: {type: string}}}}\nrelationships: {}\n";
        let ontology = Ontology::parse(text, "counties.yaml".as_ref()).unwrap();
        let keyed = |name: &str, column: &str, value: &str| KnownEntity {
            keys: BTreeMap::from([(column.to_owned(), [value.to_owned()].into())]),
            ..known("County", name, &[])
        };
        let mut names = vec![
            keyed("Burt County", "FIPS", "31021"),
            keyed("BURT", "fips", "31021"),
            known("County", "Burt", &[]),
            keyed("Cass", "fips", "31025"),
            keyed("Cass County", "population", "31025"),
        ];
        name_by_keys(&mut names, &ontology);
        let found: Vec<&str> = names.iter().map(|entity| entity.name.as_str()).collect();
        assert_eq!(found, ["Burt County", "Burt County", "Burt County", "Cass", "Cass County"]);
        assert_eq!(names[1].aliases, ["BURT"]);
        // A name that is more than the key comes first.
        let mut names = vec![keyed("31021", "fips", "31021"), keyed("Burt", "fips", "31021")];
        name_by_keys(&mut names, &ontology);
        assert_eq!(names.iter().map(|entity| entity.name.as_str()).collect::<Vec<_>>(), ["Burt", "Burt"]);
    }

    #[test]
    fn keys_in_names_become_what_they_identify() {
        let keyed = |kind: &str, name: &str, value: &str| KnownEntity {
            keys: BTreeMap::from([("id".to_owned(), [value.to_owned()].into())]),
            ..known(kind, name, &[])
        };
        let mut names = vec![
            keyed("Person", "Ann Bo", "ann1"),
            keyed("Team", "Reds", "7"),
            keyed("Team", "Blues", "x"),
            keyed("Town", "Rome", "x"),
            known("Stay", "ann1, 7, x", &[]),
            known("Stay", "ann1", &[]),
        ];
        name_by_references(&mut names);
        let found: Vec<&str> = names.iter().map(|entity| entity.name.as_str()).collect();
        assert_eq!(found[4..], ["Ann Bo, 7, x", "ann1"]);
        assert_eq!(names[4].aliases, ["ann1, 7, x"]);
    }
}
