//! Derives the graph from the claims.

use std::collections::{BTreeMap, BTreeSet};

use graphwright_core::{NodeKey, Properties, RelationshipKey, Span, Value, names};
use graphwright_documents::extraction::KnownEntity;
use graphwright_ontology::Ontology;

use super::{Affected, DocumentClaims, EntityClaims, FactKey, Ledger, Projection, PropertyClaim, Support};

/// Property of a mention or property statement: the document's key, if another entity stands for
/// it.
pub(super) const ORIGINAL: &str = "original";
/// Property of a property statement: the name of the property.
pub(super) const PROPERTY: &str = "property";
/// Property of a property statement: its value.
pub(super) const VALUE: &str = "value";
/// Property of a property statement: where it begins, in bytes of the document.
pub(super) const START: &str = "start";
/// Property of a property statement: where it ends.
pub(super) const END: &str = "end";
/// Property of a mention: the names that the document gives the entity.
pub(super) const NAMES: &str = "names";

impl Ledger {
    pub(super) fn project(&self, affected: &Affected) -> Projection {
        let mut projection = Projection::default();
        for entity in &affected.entities {
            projection.extend(self.project_entity(entity));
        }
        for (document, original) in &affected.mentions {
            if let Some(claims) = self.claims.get(document).and_then(|claims| claims.entities.get(original)) {
                self.project_mentions(document, original, claims, &mut projection);
            }
        }
        for fact in &affected.facts {
            projection.extend(self.project_fact(fact));
        }
        projection
    }

    /// Returns all claims about an entity: those under its own key first, then in the order of
    /// documents.
    fn claims_about(&self, entity: &NodeKey) -> Vec<(&NodeKey, &EntityClaims)> {
        let entries = self.by_entity.get(entity).into_iter().flatten();
        let mut about: Vec<_> = entries
            .filter_map(|(document, original)| {
                Some((original, self.claims.get(document)?.entities.get(original)?))
            })
            .collect();
        about.sort_by_key(|(original, _)| *original != entity);
        about
    }

    fn project_entity(&self, entity: &NodeKey) -> Projection {
        let mut projection = Projection::default();
        let about = self.claims_about(entity);
        if about.is_empty() {
            return projection;
        }
        let mut all_names = about.iter().flat_map(|(_, claims)| claims.names());
        let name = all_names.next().unwrap_or(&entity.id).to_owned();
        let given = std::iter::once(entity).chain(about.iter().map(|(original, _)| *original));
        let given = given.filter_map(|key| self.aliases.get(key)).flatten().map(String::as_str);
        // What documents give as `aliases` are names like others.
        let stated = about.iter().flat_map(|(_, claims)| &claims.properties);
        let stated = stated.filter(|claim| claim.name == names::ALIASES);
        let stated = stated.flat_map(|claim| claim.value.as_list().unwrap_or_default());
        let stated = stated.filter_map(Value::as_str);
        let aliases: BTreeSet<&str> =
            all_names.chain(given).chain(stated).filter(|alias| *alias != name).collect();

        let mut best: BTreeMap<&str, &PropertyClaim> = BTreeMap::new();
        for claim in about.iter().flat_map(|(_, claims)| &claims.properties) {
            let known = best.entry(&claim.name).or_insert(claim);
            // Of equal confidence the first document wins, so that the order of ingesting does not
            // matter.
            if claim.confidence > known.confidence {
                *known = claim;
            }
        }
        let mut properties: Properties =
            best.into_iter().map(|(name, claim)| (name.to_owned(), claim.value.clone())).collect();
        if !self.described.contains(&entity.label) {
            let claims = about.iter().flat_map(|(_, claims)| &claims.properties);
            let descriptions = claims.filter(|claim| claim.name == names::DESCRIPTION);
            properties.extend(joined(descriptions.filter_map(|claim| claim.value.as_str())));
        }
        if !aliases.is_empty() {
            properties.insert(names::ALIASES.to_owned(), aliases.into_iter().collect::<Vec<_>>().into());
        }
        if let Some(key) = self.key_properties.get(&entity.label) {
            properties.entry(key.clone()).or_insert_with(|| Value::from(name.as_str()));
        }
        properties.insert(names::NAME.to_owned(), name.into());
        if let Some(homonym) = self.homonym(entity) {
            properties.insert(names::MAY_BE_TWO.to_owned(), homonym.told().to_vec().into());
        }
        projection.node(entity.clone(), &[names::ENTITY], properties);
        projection
    }

    fn project_mentions(
        &self,
        document: &str,
        original: &NodeKey,
        claims: &EntityClaims,
        projection: &mut Projection,
    ) {
        let entity = self.canonical(original);
        let key = |chunk: &str, id: String| RelationshipKey {
            kind: names::FROM_CHUNK.to_owned(),
            from: entity.clone(),
            to: NodeKey::new(names::CHUNK, chunk),
            id,
        };
        let mut base = Properties::new();
        if original != entity {
            base.insert(ORIGINAL.to_owned(), original.id.as_str().into());
        }
        for (chunk, place) in &claims.mentions {
            let mut properties = base.clone();
            properties.insert(names::STARTS.to_owned(), offsets(place.spans.iter(), |span| span.start));
            properties.insert(names::ENDS.to_owned(), offsets(place.spans.iter(), |span| span.end));
            if !place.names.is_empty() {
                properties.insert(NAMES.to_owned(), place.names.clone().into());
            }
            projection.relationship(key(chunk, format!("{}|{chunk}", original.id)), properties);
        }
        for claim in &claims.properties {
            let mut properties = base.clone();
            properties.insert(PROPERTY.to_owned(), claim.name.as_str().into());
            properties.insert(VALUE.to_owned(), claim.value.clone());
            properties.insert(START.to_owned(), claim.span.start.into());
            properties.insert(END.to_owned(), claim.span.end.into());
            properties.insert(names::CONFIDENCE.to_owned(), claim.confidence.into());
            properties.insert(names::RECORDED_AT.to_owned(), claim.recorded_at.clone());
            let id =
                format!("{}|{}|{document}|{}-{}", original.id, claim.name, claim.span.start, claim.span.end);
            projection.relationship(key(&claim.chunk, id), properties);
        }
    }

    /// Returns the relationships of a fact. There are several if its statements contradict each
    /// other in properties.
    pub(super) fn project_fact(&self, fact: &FactKey) -> Projection {
        let mut projection = Projection::default();
        let entries = self.by_fact.get(fact).into_iter().flatten();
        let statements: Vec<(&FactKey, &Support)> = entries
            .filter_map(|(document, original)| {
                Some((original, self.claims.get(document)?.facts.get(original)?))
            })
            .flat_map(|(original, supports)| supports.iter().map(move |support| (original, support)))
            .collect();
        let described = self.described.contains(&fact.kind);
        for (index, group) in group(&statements, described).into_iter().enumerate() {
            // Only contradicting statements get a hash: the identifier of a plain fact must not
            // depend on what else is stated.
            let mut id = format!("{}|{}|{}", fact.from.id, fact.kind, fact.to.id);
            if index > 0 {
                let stated = json(&group.stated);
                id = format!("{id}|{}", &graphwright_documents::load::hash(stated.as_bytes())[..12]);
            }
            let key =
                RelationshipKey { kind: fact.kind.clone(), from: fact.from.clone(), to: fact.to.clone(), id };
            projection.relationship(key, group.properties(fact));
        }
        projection
    }
}

/// Statements of one fact that agree.
struct Group<'a> {
    stated: Properties,
    statements: Vec<(&'a FactKey, &'a Support)>,
}

/// Groups statements that agree: no property has two values within a group.
///
/// Statements with the most properties come first, so that the others join a group that they agree
/// with.
///
/// What is so now and what is not contradict each other. Descriptions do not, unless the ontology has them as a property
/// like any other (`described`).
fn group<'a>(statements: &[(&'a FactKey, &'a Support)], described: bool) -> Vec<Group<'a>> {
    let plain = |stated: &Properties| -> Properties {
        let mut stated = stated.clone();
        stated.retain(|name, _| described || name != names::DESCRIPTION);
        stated
    };
    let mut order: Vec<usize> = (0..statements.len()).collect();
    order.sort_by_key(|&index| std::cmp::Reverse(statements[index].1.stated.len()));
    let mut groups: Vec<(Group<'a>, Vec<usize>)> = Vec::new();
    for index in order {
        let stated = plain(&statements[index].1.stated);
        let fits = |group: &Group<'_>| {
            let status = |stated: &Properties| stated.get(names::STATUS).cloned();
            status(&stated) == status(&group.stated)
                && stated
                    .iter()
                    .all(|(name, value)| group.stated.get(name).is_none_or(|known| known == value))
        };
        match groups.iter_mut().find(|(group, _)| fits(group)) {
            Some((group, members)) => {
                group.stated.extend(stated);
                members.push(index);
            }
            None => groups.push((Group { stated, statements: Vec::new() }, vec![index])),
        }
    }
    for (group, members) in &mut groups {
        members.sort_unstable();
        group.statements = members.iter().map(|&index| statements[index]).collect();
    }
    // The group of the first statement comes first: it gets the identifier of a plain fact.
    groups.sort_by_key(|(_, members)| members[0]);
    groups.into_iter().map(|(group, _)| group).collect()
}

impl Group<'_> {
    fn properties(&self, fact: &FactKey) -> Properties {
        let supports = || self.statements.iter().map(|(_, support)| *support);
        let confidence = supports().map(|support| support.confidence).fold(0.0, f64::max);
        let recorded_at = supports()
            .map(|support| &support.recorded_at)
            .min_by(|left, right| left.order(right))
            .cloned()
            .unwrap_or_default();
        let list = |of: &dyn Fn(&Support) -> Value| Value::List(supports().map(of).collect());
        let mut properties = self.stated.clone();
        let described = supports().filter_map(|support| support.stated.get(names::DESCRIPTION)?.as_str());
        if !properties.contains_key(names::DESCRIPTION) {
            properties.extend(joined(described));
        }
        // What many state weighs more than each of them says: the chance that not all are wrong, were they independent.
        let doubt: f64 = supports().map(|support| 1.0 - support.confidence).product();
        properties.entry(names::WEIGHT.to_owned()).or_insert_with(|| (1.0 - doubt).into());
        properties.extend([
            (names::CONFIDENCE.to_owned(), confidence.into()),
            (names::RECORDED_AT.to_owned(), recorded_at),
            (names::CHUNKS.to_owned(), list(&|support| support.chunk.as_str().into())),
            (names::STARTS.to_owned(), list(&|support| support.span.start.into())),
            (names::ENDS.to_owned(), list(&|support| support.span.end.into())),
            (names::CONFIDENCES.to_owned(), list(&|support| support.confidence.into())),
        ]);
        if supports().any(|support| !support.stated.is_empty()) {
            properties.insert(names::STATED.to_owned(), list(&|support| json(&support.stated).into()));
        }
        if self.statements.iter().any(|(original, _)| *original != fact) {
            let keys = |of: fn(&FactKey) -> &NodeKey| {
                Value::List(
                    self.statements.iter().map(|(original, _)| of(original).id.as_str().into()).collect(),
                )
            };
            properties.insert(names::ORIGINAL_FROM.to_owned(), keys(|original| &original.from));
            properties.insert(names::ORIGINAL_TO.to_owned(), keys(|original| &original.to));
        }
        properties
    }
}

/// Joins what several passages say of a thing, each once, in the order of the documents.
fn joined<'a>(descriptions: impl Iterator<Item = &'a str>) -> Option<(String, Value)> {
    let mut known: Vec<&str> = Vec::new();
    for description in descriptions {
        if !known.iter().any(|known| known.contains(description)) {
            known.push(description);
        }
    }
    (!known.is_empty()).then(|| (names::DESCRIPTION.to_owned(), known.join(" ").into()))
}

fn offsets<'a>(spans: impl Iterator<Item = &'a Span>, of: fn(&Span) -> usize) -> Value {
    Value::List(spans.map(|span| of(span).into()).collect())
}

fn json(properties: &Properties) -> String {
    serde_json::to_string(properties).unwrap_or_default()
}

/// Queries about single entities.
impl Ledger {
    /// Returns the name of an entity.
    pub(crate) fn name_of(&self, entity: &NodeKey) -> String {
        let about = self.claims_about(entity);
        let name = about.iter().flat_map(|(_, claims)| claims.names()).next();
        name.unwrap_or(&entity.id).to_owned()
    }

    /// Returns all names that documents give an entity.
    pub(crate) fn names_of(&self, entity: &NodeKey) -> BTreeSet<String> {
        let about = self.claims_about(entity);
        about.iter().flat_map(|(_, claims)| claims.names()).map(str::to_owned).collect()
    }

    /// Returns some facts of an entity in words, in a fixed order.
    pub(crate) fn facts_of(&self, entity: &NodeKey, most: usize) -> Vec<String> {
        let facts = self.by_fact.keys().filter(|fact| fact.from == *entity || fact.to == *entity);
        let mut facts: Vec<&FactKey> = facts.collect();
        facts.sort();
        let shown = |fact: &&FactKey| {
            format!("{} {} {}", self.name_of(&fact.from), fact.kind, self.name_of(&fact.to))
        };
        facts.iter().take(most).map(shown).collect()
    }

    /// Returns the entities that documents name, by the documents' keys.
    pub(crate) fn known(&self) -> Vec<KnownEntity> {
        known(self.claims.values())
    }

    /// Returns the entities that one document names.
    pub(crate) fn known_of(&self, document: &str) -> Vec<KnownEntity> {
        known(self.claims.get(document))
    }

    /// Returns whether any document makes a claim about an entity.
    pub(crate) fn has_claims_about(&self, entity: &NodeKey) -> bool {
        self.by_entity.contains_key(entity)
    }

    /// Returns the number of passages that mention an entity.
    pub(crate) fn mentions_of(&self, entity: &NodeKey) -> usize {
        self.claims_about(entity).iter().map(|(_, claims)| claims.mentions.len()).sum()
    }

    /// Counts entities that lack a property which the ontology requires, by `Type.property`.
    pub(crate) fn incomplete(&self, ontology: &Ontology) -> BTreeMap<String, u64> {
        let mut incomplete = BTreeMap::new();
        for entity in self.entities() {
            let Some(node) = ontology.nodes.get(&entity.label) else { continue };
            let required = node.properties.iter().filter(|(name, property)| {
                property.required && *name != names::NAME && node.key.as_ref() != Some(*name)
            });
            let about = self.claims_about(entity);
            for (name, _) in required {
                if !about.iter().flat_map(|(_, claims)| &claims.properties).any(|claim| claim.name == *name) {
                    *incomplete.entry(format!("{}.{name}", entity.label)).or_default() += 1;
                }
            }
        }
        incomplete
    }
}

fn known<'a>(documents: impl IntoIterator<Item = &'a DocumentClaims>) -> Vec<KnownEntity> {
    let mut known: BTreeMap<&NodeKey, Vec<&str>> = BTreeMap::new();
    for (key, claims) in documents.into_iter().flat_map(|claims| &claims.entities) {
        let names = known.entry(key).or_default();
        for name in claims.names() {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    let entity = |(key, names): (&NodeKey, Vec<&str>)| {
        let mut names = names.into_iter().map(str::to_owned);
        Some(KnownEntity {
            kind: key.label.clone(),
            name: names.next()?,
            aliases: names.collect(),
            ..KnownEntity::default()
        })
    };
    known.into_iter().filter_map(entity).collect()
}
