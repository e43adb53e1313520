//! Names the nodes of graphs made elsewhere, which call their names `productName` or `orderID`.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::Arc,
};

use graphwright_core::{Node, Value, names};

use crate::role::{Role, role_of};

/// Maximum length of a name, in characters.
const LONGEST_NAME: usize = 80;
/// Minimum number of distinct values among ten, so that a name tells nodes apart.
const DIFFERENT_OF_TEN: usize = 9;

/// Last words of properties that hold a name, a short description, or a number that people use as a
/// name; the earlier, the better.
const NAMING: [&[&str]; 3] = [
    &["name", "title", "label"],
    &["description", "heading", "caption", "subject", "term"],
    &["id", "number", "no", "code", "key"],
];

/// Index in [`NAMING`] of the words for numbers.
const NUMBERS: usize = 2;

/// Properties that make up a name: one, or the parts of a person's name.
type Source = Arc<[String]>;

/// Adds the property `name`, in memory, to entities that lack it.
///
/// Its value comes from the property that names nodes of their label best: a text, or an
/// identifying number, whose key ends in a word for names and whose values differ. Keys that repeat
/// the label come first.
pub(crate) fn name_nodes(nodes: &mut [Node]) {
    let mut by_label: BTreeMap<&str, Vec<&Node>> = BTreeMap::new();
    for node in nodes.iter().filter(|node| is_nameless(node)) {
        by_label.entry(node.kind()).or_default().push(node);
    }
    let sources: HashMap<String, Source> = by_label
        .into_iter()
        .filter_map(|(label, nodes)| Some((label.to_owned(), best_source(label, &nodes)?)))
        .collect();
    for node in nodes.iter_mut().filter(|node| is_nameless(node)) {
        let name = sources.get(node.kind()).and_then(|source| read(node, source));
        if let Some(name) = name {
            node.properties.insert(names::NAME.to_owned(), name.into());
        }
    }
}

fn is_nameless(node: &Node) -> bool {
    role_of(&node.labels) == Role::Entity && !node.properties.contains_key(names::NAME)
}

fn best_source(label: &str, nodes: &[&Node]) -> Option<Source> {
    let keys = nodes.iter().flat_map(|node| node.properties.keys()).map(String::as_str);
    let keys: HashSet<&str> = keys.filter(|key| !names::is_reserved(key)).collect();
    let label = words(label);
    let single = keys.iter().filter_map(|key| {
        let key_words = words(key);
        let (last, rest) = key_words.split_last()?;
        let tier = NAMING.iter().position(|naming| naming.contains(&last.as_str()))?;
        let own = rest.iter().all(|word| label.contains(word) || matches!(word.as_str(), "full" | "display"));
        let partial =
            rest.iter().any(|word| GIVEN.contains(&word.as_str()) || FAMILY.contains(&word.as_str()));
        Some(((tier, partial, !own, (*key).to_owned()), Source::from([(*key).to_owned()])))
    });
    let mut candidates: Vec<_> = single.chain(person(&keys)).collect();
    candidates.sort();
    // A title, however long, says more than a number.
    let has_titles = nodes.iter().filter(|node| node.name().is_some()).count() * 2 > nodes.len();
    let last = if has_titles { NUMBERS } else { NAMING.len() };
    let worth_it = candidates.into_iter().filter(|((tier, ..), _)| *tier < last);
    worth_it.map(|(_, source)| source).find(|source| tells_apart(source, nodes))
}

const GIVEN: [&str; 3] = ["first", "given", "fore"];
const FAMILY: [&str; 3] = ["last", "family", "sur"];

/// Finds `firstName` and `lastName`, to be used together.
fn person(keys: &HashSet<&str>) -> Option<((usize, bool, bool, String), Source)> {
    let part = |wanted: [&str; 3]| {
        let mut found: Vec<&&str> = keys
            .iter()
            .filter(|key| {
                let joined = words(key).concat();
                wanted.iter().any(|first| joined == format!("{first}name"))
            })
            .collect();
        found.sort_unstable();
        found.first().map(|key| (**key).to_owned())
    };
    let (given, family) = (part(GIVEN)?, part(FAMILY)?);
    Some(((0, false, false, String::new()), Source::from([given, family])))
}

fn tells_apart(source: &[String], nodes: &[&Node]) -> bool {
    let found: Vec<String> = nodes.iter().filter_map(|node| read(node, source)).collect();
    let short = found.iter().all(|name| name.chars().nth(LONGEST_NAME).is_none());
    let distinct: HashSet<&str> = found.iter().map(String::as_str).collect();
    let covers = found.len() * 2 > nodes.len();
    short && covers && distinct.len() * 10 >= found.len() * DIFFERENT_OF_TEN
}

fn read(node: &Node, source: &[String]) -> Option<String> {
    let part = |key: &String| match node.properties.get(key)? {
        Value::String(text) if !text.trim().is_empty() => Some(text.trim().to_owned()),
        Value::Integer(number) => Some(number.to_string()),
        _ => None,
    };
    let parts: Vec<String> = source.iter().map(part).collect::<Option<_>>()?;
    Some(parts.join(" "))
}

/// Splits `productName`, `product_name` or `ProductID` into words in lower case.
fn words(key: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = '_';
    for letter in key.chars() {
        let starts = letter.is_uppercase() && !before.is_uppercase();
        if !letter.is_alphanumeric() {
            before = '_';
            continue;
        }
        if starts || before == '_' || words.is_empty() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.extend(letter.to_lowercase());
        }
        before = letter;
    }
    words
}

#[cfg(test)]
mod tests {
    use graphwright_core::ElementId;

    use super::*;
    use crate::fixture::properties;

    fn named(label: &str, rows: &[&[(&str, Value)]]) -> Vec<String> {
        let nodes = rows.iter().enumerate().map(|(number, row)| Node {
            element_id: ElementId::new(number.to_string()),
            labels: vec![label.to_owned()],
            properties: properties(row),
        });
        let mut nodes: Vec<Node> = nodes.collect();
        name_nodes(&mut nodes);
        nodes.iter().map(|node| node.display_name().to_owned()).collect()
    }

    #[test]
    fn the_property_that_names_best_is_taken() {
        let products: [&[_]; 2] = [
            &[("productName", "Chai".into()), ("unitName", "box".into())],
            &[("productName", "Tofu".into()), ("unitName", "box".into())],
        ];
        assert_eq!(named("Product", &products), ["Chai", "Tofu"]);
        let people: [&[_]; 2] = [
            &[("lastName", "Davolio".into()), ("firstName", "Nancy".into()), ("title", "Clerk".into())],
            &[("lastName", "Fuller".into()), ("firstName", "Andrew".into()), ("title", "Clerk".into())],
        ];
        assert_eq!(named("Employee", &people), ["Nancy Davolio", "Andrew Fuller"]);
        let orders: [&[_]; 2] = [
            &[("orderID", "10248".into()), ("shipName", "A".into())],
            &[("orderID", "10249".into()), ("shipName", "A".into()), ("__id__", "Order:10249".into())],
        ];
        assert_eq!(named("Order", &orders), ["10248", "10249"]);
        let long = "How do I ".repeat(12);
        let questions: [&[_]; 2] = [
            &[("title", long.as_str().into()), ("question_id", 1_i64.into())],
            &[("title", "Why?".into()), ("question_id", 2_i64.into())],
        ];
        assert_eq!(named("Question", &questions), [long.as_str(), "Why?"]);
    }

    #[test]
    fn what_has_a_name_keeps_it_and_texts_are_none() {
        let rows: [&[_]; 2] =
            [&[("name", "ledger".into()), ("title", "The ledger".into())], &[("note", "nothing".into())]];
        assert_eq!(named("Service", &rows), ["ledger", "1"]);
    }
}
