//! Which columns of a list are relationships, and which lists are nothing else (join tables).

use std::collections::{BTreeSet, HashMap, HashSet};

use graphwright_core::{names, text::identifier_words};
use graphwright_english::{
    codes,
    derivation::{Derivation, derivations, names_people},
    inflection::{base_stem, is_plural},
    names::name_key,
    words,
};

use super::{Column, Listed, MOST_LISTED, property_name, singular_of};
use crate::{
    columns, headers,
    infer::{
        records::{Link, RecordType},
        types::{in_words, label},
    },
};

/// Calls what several columns name by the header of one of them, where others say more and hold the same: a `ship country` is a
/// country.
pub(super) fn call_generally(types: &mut [RecordType]) {
    let mut named: HashMap<String, HashSet<String>> = HashMap::new();
    for link in types.iter().flat_map(|own| &own.links) {
        named.entry(link.label.clone()).or_default().extend(link.names.iter().cloned());
    }
    let general = |link: &Link| {
        let words = in_words(&link.label);
        let mut ends = words.match_indices(' ').map(|(at, _)| label(&words[at + 1..]));
        let shared = |end: &String| {
            named.get(end).is_some_and(|known| {
                let hits = link.names.iter().filter(|name| known.contains(*name)).count();
                hits > 1 && hits * 2 >= link.names.len()
            })
        };
        ends.find(shared)
    };
    for link in types.iter_mut().flat_map(|own| &mut own.links) {
        if let Some(end) = general(link) {
            link.label = end;
        }
    }
}

/// So many rows that a column of names has more than two.
const MANY_ROWS: usize = 20;

/// The relationship that a column is.
pub(super) fn link(
    at: usize,
    own: &Listed<'_>,
    listed: &[Listed<'_>],
    used: &HashSet<String>,
) -> Option<Link> {
    let column = &own.sheet.columns[at];
    let words = singular_of(&column.header);
    if column.of_rows || property_name(&column.header) == names::ALIASES || is_translation(at, own) {
        return None;
    }
    if let Some(reference) = reference(at, own, listed) {
        return Some(reference.link);
    }
    // `teamIDretro` is another `teamID`.
    let is_other_key = |key: &Column| {
        headers::is_identifying(&key.header) && columns::role(&column.header, &key.header).is_some()
    };
    if headers::is_identifying(&words) || own.sheet.columns.iter().any(is_other_key) {
        return None;
    }
    let named = |label: &str| Link::new(label, &words);
    // What the records hold under this key.
    let held = listed.iter().find(|other| other.sheet.nested && other.sheet.name == column.header);
    if let Some(held) = held {
        return Some(named(&held.label));
    }
    let different = column.different();
    // Any numbers may be equal: the header says that these mean a thing.
    let numbers = different.iter().filter(|value| value.parse::<f64>().is_ok()).count() * 2 > different.len();
    // `household_size` is a size, `home_team` a team.
    let head = words.rsplit(' ').find(|word| !headers::is_identifying(word)).unwrap_or_default();
    let means = |other: &Listed<'_>, key: &str| {
        let called = identifier_words(&format!("{} {key}", other.label));
        called.iter().any(|word| *word == head)
    };
    let share = |other: &Listed<'_>| {
        let keys = other.keys.iter().filter(|(key, _)| !numbers || means(other, key));
        keys.map(|(_, keys)| different.iter().filter(|value| keys.contains(**value)).count()).max()
    };
    let is_named = |other: &Listed<'_>| label(&words) == other.label;
    let best = listed
        .iter()
        .map(|other| (share(other).unwrap_or(0), other))
        .max_by_key(|(hits, other)| (*hits, is_named(other)))
        .filter(|(hits, _)| *hits > 1 && hits * 5 >= different.len() * 4);
    // Each may have one of its own of what the header says.
    let is_link = |hits: usize, other: &Listed<'_>| {
        let several = column.cells.iter().any(|cell| cell.len() > 1);
        let are_its_codes = || column.holds_codes() && hits == different.len();
        !column.is_unique() || several || other.label != own.label && (is_named(other) || are_its_codes())
    };
    if let Some((_, other)) = best.filter(|(hits, other)| is_link(*hits, other)) {
        // `borders` says what the one does to the other, `owner` what the other is.
        let said = is_plural(&column.header) && label(&words) != other.label;
        let kind = said.then(|| identifier_words(&column.header).join("_").to_uppercase());
        return Some(Link { kind, ..named(&other.label) });
    }
    let target = label(&words);
    let used =
        || different.iter().filter(|value| used.contains(&name_key(value))).count() * 2 >= different.len();
    let names = column.of_things || column.holds_names() && (!column.is_unique() || used());
    // Two values divide many rows, as `yes` and `no` would.
    let divides = different.len() <= 2 && own.sheet.rows >= MANY_ROWS;
    let names = names && !divides && !target.is_empty() && target != own.label;
    names.then(|| Link {
        names: different.iter().take(MOST_LISTED).map(|&name| name.to_owned()).collect(),
        ..named(&target)
    })
}

/// Whether a column holds in one language what others hold in others: `seat fr` beside `seat nl`.
fn is_translation(at: usize, own: &Listed<'_>) -> bool {
    let words = identifier_words(&own.sheet.columns[at].header);
    let Some((base, _)) = codes::in_language(&words) else { return false };
    own.sheet.columns.iter().enumerate().any(|(other, column)| {
        let words = identifier_words(&column.header);
        other != at
            && words.starts_with(base)
            && codes::in_language(&words).is_some_and(|(own, _)| own == base)
    })
}

/// A column that refers to the records of another list.
struct Reference {
    link: Link,
    at: usize,
    /// What its header says beside that of the key, if anything.
    role: String,
    /// All columns that refer to them together.
    columns: Vec<usize>,
}

impl Reference {
    fn new(other: &Listed<'_>, at: usize, role: &str, columns: Vec<usize>) -> Self {
        let role = identifier_words(role).join(" ");
        let words = if role.is_empty() { in_words(&other.label) } else { role.clone() };
        let kind = says_to_what(&role).then(|| role.replace(' ', "_").to_uppercase());
        Self { link: Link { kind, ..Link::new(&other.label, &words) }, at, role, columns }
    }
}

/// What a column refers to that holds, alone or together with others, what identifies the records of another list under the
/// same header: `playerID`, `teamIDwinner` beside `yearID`.
fn reference(at: usize, own: &Listed<'_>, listed: &[Listed<'_>]) -> Option<Reference> {
    single_reference(at, own, listed).or_else(|| joint_reference(at, own, &others(own, listed)))
}

fn others<'l, 's>(own: &Listed<'_>, listed: &'l [Listed<'s>]) -> Vec<&'l Listed<'s>> {
    listed.iter().filter(|other| !std::ptr::eq(other.sheet, own.sheet) && other.label != own.label).collect()
}

fn single_reference(at: usize, own: &Listed<'_>, listed: &[Listed<'_>]) -> Option<Reference> {
    let column = &own.sheet.columns[at];
    // Lists of numbers identify what they list.
    let several = column.cells.iter().any(|cell| cell.len() > 1) && holds_numbers(&column.different());
    let headers = own.sheet.columns.iter().map(|column| column.header.as_str());
    let numbered = headers::without_number(&column.header, headers);
    let numbered = numbered.filter(|_| holds_numbers(&column.different()));
    let is_key = headers::is_identifying(&column.header) || several;
    if !is_key && numbered.is_none() && !says_to_what(&column.header) || column.is_unique() {
        return None;
    }
    let different = column.different();
    let hits = |values: &HashSet<&str>| different.iter().filter(|value| values.contains(**value)).count();
    for other in others(own, listed).into_iter().filter(|_| is_key) {
        for (key, values) in other.keys.iter().filter(|(key, _)| headers::is_identifying(key)) {
            let role = columns::role(&column.header, key).filter(|_| !headers::is_general_key(key));
            let hits = hits(values);
            if let Some(role) = role.filter(|_| hits > 1 && hits * 2 >= different.len()) {
                return Some(Reference::new(other, at, role, vec![at]));
            }
        }
    }
    let role = match (columns::keyed(&column.header), numbered) {
        (_, Some(base)) => singular_of(base),
        (Some(words), _) if is_key => words,
        _ if several => singular_of(&column.header),
        _ if is_key => return None,
        _ => identifier_words(&column.header).join(" "),
    };
    let ids = listed.iter().flat_map(|other| other.keys.iter().map(move |key| (other, key)));
    let ids = ids.filter_map(|(other, (key, values))| {
        let is_general = headers::is_general_key(key);
        let is_own = || {
            columns::keyed(key).is_some_and(|words| {
                label(&singular_of(&words)) == other.label
                    || columns::abbreviates(&words, &in_words(&other.label))
            })
        };
        let covers = different.len() > 1 && hits(values) == different.len();
        ((is_general || is_own()) && covers).then_some(Id { other, is_general, size: values.len() })
    });
    let ids: Vec<Id<'_, '_>> = ids.collect();
    if numbered.is_some() {
        // `station1` is a station, or any number.
        let meant = ids.iter().find(|id| is_called(id.other, &role))?.other;
        return Some(Reference::new(meant, at, &role, vec![at]));
    }
    meant_by(&role, is_key, own, &ids, listed).map(|(other, role)| Reference::new(other, at, role, vec![at]))
}

/// A column that identifies the records of a list, among which are all values of another column.
struct Id<'l, 's> {
    other: &'l Listed<'s>,
    /// Whether it is called `id`, of whatever.
    is_general: bool,
    size: usize,
}

/// The list of whose records a column has the ids, with its role: the artists for `artist_id`; somebody for `manager_id`; the list
/// itself for `parent_id`; else the fewest things among which all are.
fn meant_by<'l, 's, 'r>(
    role: &'r str,
    is_key: bool,
    own: &Listed<'_>,
    ids: &[Id<'l, 's>],
    listed: &[Listed<'_>],
) -> Option<(&'l Listed<'s>, &'r str)> {
    if let Some(id) = ids.iter().find(|id| is_called(id.other, role)) {
        return Some((id.other, ""));
    }
    // Shippers are what orders `ship via`.
    let verb = role.split(' ').next().map(base_stem).unwrap_or_default();
    let does = |id: &&Id<'_, '_>| {
        derivations(&in_words(&id.other.label)).contains(&(verb.clone(), Derivation::Agent))
    };
    if let Some(id) = ids.iter().find(does).filter(|_| says_to_what(role)) {
        return Some((id.other, role));
    }
    let is_itself = |id: &&Id<'_, '_>| std::ptr::eq(id.other.sheet, own.sheet);
    if !is_key || role.split(' ').any(words::is_of_whole) {
        return ids.iter().find(is_itself).map(|id| (id.other, role));
    }
    let is_somebody = |id: &&Id<'_, '_>| {
        let called = in_words(&id.other.label);
        let acts = || called.rsplit(' ').next().is_some_and(words::is_actor_noun);
        names_people(role) && (names_people(&called) || acts())
    };
    if let Some(id) = ids.iter().filter(is_somebody).min_by_key(|id| id.size) {
        return Some((id.other, role));
    }
    let general = || ids.iter().filter(|id| id.is_general);
    let fewest = general().min_by_key(|id| id.size)?;
    let alone = general().filter(|id| id.size == fewest.size).count() == 1;
    (alone && !listed.iter().any(|other| is_called(other, role))).then_some((fewest.other, role))
}

/// Whether what a list has is called so: in full, in short, or as the last words of what it is called.
fn is_called(other: &Listed<'_>, role: &str) -> bool {
    let called = in_words(&other.label);
    let said = singular_of(role);
    label(&said) == other.label
        || columns::abbreviates(role, &called)
        || called.strip_suffix(&said).is_some_and(|before| before.ends_with(' '))
}

/// Whether all values are numbers, but for what says that there is none.
fn holds_numbers(values: &BTreeSet<&str>) -> bool {
    let mut given = values.iter().filter(|value| !words::is_no_value(&value.to_lowercase())).peekable();
    given.peek().is_some() && given.all(|value| value.parse::<f64>().is_ok())
}

/// Whether a header is a verb that says to what something is done: `reports_to`, `owned_by`.
fn says_to_what(header: &str) -> bool {
    let words = identifier_words(header);
    words.len() > 1
        && words
            .last()
            .is_some_and(|last| matches!(last.as_str(), "to" | "by" | "of" | "from" | "for" | "via"))
}

fn joint_reference(at: usize, own: &Listed<'_>, others: &[&Listed<'_>]) -> Option<Reference> {
    let column = &own.sheet.columns[at];
    others.iter().flat_map(|other| other.sheet.joint.iter().map(move |key| (other, key))).find_map(
        |(other, key)| {
            let parts: Vec<&Column> = key.iter().map(|part| &other.sheet.columns[*part]).collect();
            parts.iter().find_map(|part| {
                let role = columns::role(&column.header, &part.header)?;
                let is_part = |other: &&Column| std::ptr::eq(*other, *part);
                let beside: Vec<&Column> = parts.iter().copied().filter(|other| !is_part(other)).collect();
                let place = |other: &&Column| {
                    if is_part(other) { Some(at) } else { own.sheet.position(&other.header) }
                };
                let places: Vec<usize> = parts.iter().map(place).collect::<Option<_>>()?;
                let columns: Vec<&Column> = places.iter().map(|place| &own.sheet.columns[*place]).collect();
                let is_meant = part.tells_more_than(&beside) && are_taken_from(&columns, &parts);
                is_meant.then(|| Reference::new(other, at, role, places))
            })
        },
    )
}

/// The relationship that the records of a list are, with the type that it starts from: they refer to two things, to no two
/// of them twice, and nothing names them.
pub(super) fn join(own: &Listed<'_>, listed: &[Listed<'_>]) -> Option<(String, Link)> {
    let sheet = own.sheet;
    if sheet.has_names || sheet.nested {
        return None;
    }
    let references: Vec<Reference> =
        (0..sheet.columns.len()).filter_map(|at| reference(at, own, listed)).collect();
    let [from, to] = references.as_slice() else { return None };
    let in_roles = !from.role.is_empty() && !to.role.is_empty();
    if from.link.label == to.link.label && !in_roles {
        return None;
    }
    let ends: BTreeSet<usize> = from.columns.iter().chain(&to.columns).copied().collect();
    // The number of the line on which two stations follow each other.
    let beside = others(own, listed);
    let is_third = |column: &Column| {
        let different = column.different();
        let has_all = |keys: &HashSet<&str>| different.iter().all(|value| keys.contains(*value));
        let is_of = |other: &&Listed<'_>| {
            is_called(other, &column.header) && other.keys.iter().any(|(_, keys)| has_all(keys))
        };
        !different.is_empty() && beside.iter().any(is_of)
    };
    let mut further = sheet.columns.iter().enumerate().filter(|(at, _)| !ends.contains(at));
    if further.any(|(_, column)| is_third(column)) {
        return None;
    }
    let mut seen = HashSet::new();
    let cells = |row: usize| ends.iter().map(|end| sheet.columns[*end].cells.get(row)).collect::<Vec<_>>();
    if !(0..sheet.rows).all(|row| seen.insert(cells(row))) {
        return None;
    }
    // The year of a year and a team is said of the relationship as well.
    let is_own = |at: usize| ![from.at, to.at].contains(&at) && sheet.named != Some(at);
    let properties = sheet.columns.iter().enumerate();
    let properties = properties.filter(|(at, column)| is_own(*at) && column.values().next().is_some());
    let properties =
        properties.map(|(_, column)| (property_name(&column.header), column.property())).collect();
    let words = singular_of(&sheet.name);
    // Of a list of managers the one end is the manager that the other has.
    let holder = names_people(&words).then_some([from, to]).and_then(|[one, other]| {
        match [one, other].map(|end| names_people(&in_words(&end.link.label))) {
            [true, false] => Some((other, one)),
            [false, true] => Some((one, other)),
            _ => None,
        }
    });
    let kind = holder.is_none().then(|| identifier_words(&sheet.name).join("_").to_uppercase());
    let (from, to) = holder.unwrap_or((from, to));
    let link = Link { words, kind, properties, ..to.link.clone() };
    Some((from.link.label.clone(), link))
}

/// Whether most of what some columns hold together are values of a key.
fn are_taken_from(columns: &[&Column], key: &[&Column]) -> bool {
    let rows = |columns: &[&Column]| -> HashSet<Vec<String>> {
        let row = |row: usize| columns.iter().map(|column| column.cells.get(row)?.first().cloned()).collect();
        (0..columns[0].cells.len()).filter_map(row).collect()
    };
    let (known, values) = (rows(key), rows(columns));
    let hits = values.intersection(&known).count();
    hits > 1 && hits * 2 >= values.len()
}
