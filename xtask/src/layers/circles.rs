//! Circles of modules: modules under one parent of which each uses the next and the last the first, so that none can be
//! read, tested or moved without the others. A circle is either new, which is a breach, or known.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::{
    known_circles::KnownCircle,
    modules::{ModulePath, Modules, Reference},
};

/// By parent: which child uses which, and where it first does.
type Arrows<'a> = BTreeMap<ModulePath, BTreeMap<(String, String), &'a Reference>>;

/// All modules under one parent that reach each other.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Circle {
    /// The crate with the path of the parent: `graphwright-agent::question`.
    pub(super) inside: String,
    pub(super) modules: BTreeSet<String>,
    /// The shortest way round, for people: one line for each arrow.
    pub(super) shown: String,
}

impl Circle {
    pub(super) fn is(&self, known: &KnownCircle) -> bool {
        self.inside == known.inside && self.modules.iter().eq(known.modules)
    }
}

/// The circles of a crate. The way round that is shown goes through a module that is in no known circle, if one is.
pub(super) fn circles(crate_name: &str, modules: &Modules, known: &[KnownCircle]) -> Vec<Circle> {
    let mut circles = Vec::new();
    for (parent, arrows) in &arrows(modules) {
        let inside = [&[crate_name.to_owned()], parent.as_slice()].concat().join("::");
        let mut left: BTreeSet<&String> = arrows.keys().map(|(from, _)| from).collect();
        while let Some(first) = left.pop_first() {
            let back = |module: &&String| *module == first || reached(arrows, module).contains(first);
            let circle: BTreeSet<String> = reached(arrows, first).into_iter().filter(back).cloned().collect();
            if circle.is_empty() {
                continue;
            }
            left.retain(|module| !circle.contains(*module));
            let is_known = |module: &&String| {
                known.iter().any(|known| known.inside == inside && known.modules.contains(&module.as_str()))
            };
            let start = circle.iter().find(|module| !is_known(module)).unwrap_or(first);
            let shown = show(&shortest(arrows, start), arrows);
            circles.push(Circle { inside: inside.clone(), modules: circle, shown });
        }
    }
    circles
}

/// Circles that are not known, and known ones that are no more.
pub(super) fn breaches(found: &[Circle], known: &[KnownCircle]) -> Vec<String> {
    let new = found.iter().filter(|circle| !known.iter().any(|known| circle.is(known))).map(|circle| {
        let modules: Vec<&str> = circle.modules.iter().map(String::as_str).collect();
        format!("{}: modules go in a circle ({}):{}", circle.inside, modules.join(", "), circle.shown)
    });
    let gone = known.iter().filter(|known| !found.iter().any(|circle| circle.is(known))).map(|known| {
        let modules = known.modules.join(", ");
        format!("{}: the known circle ({modules}: {}) is no more as it is listed", known.inside, known.reason)
    });
    new.chain(gone).collect()
}

fn arrows(modules: &Modules) -> Arrows<'_> {
    let mut arrows = Arrows::new();
    for (path, module) in &modules.by_path {
        for reference in &module.references {
            if let Some((parent, to)) = modules.sibling(path, path, &reference.path, 0) {
                let from = path[parent.len()].clone();
                arrows.entry(parent).or_default().entry((from, to)).or_insert(reference);
            }
        }
    }
    arrows
}

/// What a module uses, and what that uses, and so on.
fn reached<'a>(arrows: &'a BTreeMap<(String, String), &Reference>, module: &String) -> BTreeSet<&'a String> {
    let mut reached = BTreeSet::new();
    let mut open = vec![module];
    while let Some(module) = open.pop() {
        for (_, to) in arrows.keys().filter(|(from, _)| from == module) {
            if reached.insert(to) {
                open.push(to);
            }
        }
    }
    reached
}

/// The shortest way from a module back to it: first and last are the same.
fn shortest<'a>(arrows: &'a BTreeMap<(String, String), &Reference>, start: &'a String) -> Vec<&'a String> {
    let mut open = VecDeque::from([vec![start]]);
    let mut seen = BTreeSet::new();
    while let Some(way) = open.pop_front() {
        for (_, to) in arrows.keys().filter(|(from, _)| way.last() == Some(&from)) {
            let longer = [way.as_slice(), &[to]].concat();
            if to == start {
                return longer;
            }
            if seen.insert(to) {
                open.push_back(longer);
            }
        }
    }
    Vec::new()
}

fn show(way: &[&String], arrows: &BTreeMap<(String, String), &Reference>) -> String {
    let steps = way.windows(2).filter_map(|step| {
        let reference = arrows.get(&(step[0].clone(), step[1].clone()))?;
        let place = format!("{}:{}", reference.file.display(), reference.line);
        Some(format!("\n    {} -> {} at {place}: `{}`", step[0], step[1], reference.path.join("::")))
    });
    steps.collect()
}

impl Modules {
    /// The module beside `from` or beside one of its ancestors that a path leads into, with the parent of both. `base` is
    /// the module that the path is written in, `from` or an ancestor that brings in what `from` names.
    fn sibling(
        &self,
        from: &[String],
        base: &[String],
        path: &[String],
        depth: usize,
    ) -> Option<(ModulePath, String)> {
        const LONGEST_CHAIN_OF_IMPORTS: usize = 16;
        if depth > LONGEST_CHAIN_OF_IMPORTS {
            return None;
        }
        let (mut module, mut rest) = start(base, path);
        while let Some((name, after)) = rest.split_first() {
            let here = self.by_path.get(&module)?;
            if here.children.contains(name) {
                if from == module {
                    return None;
                }
                if from[module.len()] != *name {
                    return Some((module, name.clone()));
                }
                module.push(name.clone());
                rest = after;
            } else {
                let brought_in = |import: &ModulePath| {
                    let path = [import.as_slice(), after].concat();
                    self.sibling(from, &module, &path, depth + 1)
                };
                return match here.imports.get(name) {
                    Some(import) => brought_in(import),
                    None if here.items.contains(name) => None,
                    None => {
                        let glob = here.globs.iter().find(|glob| self.offers(&module, glob, name))?;
                        self.sibling(from, &module, &[glob.as_slice(), rest].concat(), depth + 1)
                    }
                };
            }
        }
        None
    }

    /// Whether a `use glob::*` in a module brings in a name.
    fn offers(&self, module: &[String], glob: &[String], name: &String) -> bool {
        let (start, rest) = start(module, glob);
        let path = [start.as_slice(), rest].concat();
        self.by_path.get(&path).is_some_and(|it| {
            it.items.contains(name) || it.imports.contains_key(name) || it.children.contains(name)
        })
    }
}

/// The module at which a path that is written in `base` begins, and the names from there.
fn start<'a>(base: &[String], path: &'a [String]) -> (ModulePath, &'a [String]) {
    let mut module = base.to_vec();
    let mut rest = path;
    while let Some((first, after)) = rest.split_first() {
        match first.as_str() {
            "crate" => module.clear(),
            "super" => _ = module.pop(),
            "self" => {}
            _ => break,
        }
        rest = after;
    }
    (module, rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, known: &[KnownCircle]) -> Vec<(String, String, String)> {
        let modules = Modules::parse(text).unwrap();
        let found = circles("ship", &modules, known).into_iter();
        let names = |circle: &Circle| circle.modules.iter().cloned().collect::<Vec<_>>().join(" ");
        found.map(|circle| (circle.inside.clone(), names(&circle), circle.shown)).collect()
    }

    #[test]
    fn a_circle_is_shown_with_a_place_for_each_arrow() {
        let text = "
            mod deck { use crate::hull::Plank; }
            mod hull {
                fn drain() { crate::pump::start(); }
            }
            mod pump { mod valve { use super::super::deck; } }
            mod sail { use crate::deck; }
        ";
        let shown = "
    deck -> hull at lib.rs:2: `crate::hull::Plank`
    hull -> pump at lib.rs:4: `crate::pump::start`
    pump -> deck at lib.rs:6: `super::super::deck`";
        assert_eq!(found(text, &[]), [("ship".into(), "deck hull pump".into(), shown.into())]);
    }

    #[test]
    fn names_that_the_root_brings_in_lead_to_their_module() {
        for root in ["pub use hull::Plank;", "use self::hull::Plank;", "pub use hull::*;"] {
            let text = format!(
                "mod deck {{ use crate::Plank; }} mod hull {{ use crate::deck; pub struct Plank; }} {root}"
            );
            assert_eq!(found(&text, &[])[0].1, "deck hull", "{root}");
        }
        let own = "mod deck { use crate::Plank; } mod hull { use crate::deck; } pub struct Plank;";
        assert_eq!(found(own, &[]), []);
    }

    #[test]
    fn each_level_is_looked_at_by_itself() {
        let text = "
            mod ship {
                mod deck { use super::hull; }
                mod hull { fn drain() { println!(\"{}\", super::deck::LENGTH); } }
            }
            mod port { use crate::ship::deck; }
        ";
        let found = found(text, &[]);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].0.as_str(), found[0].1.as_str()), ("ship::ship", "deck hull"));
    }

    #[test]
    fn test_code_makes_no_circle() {
        let text = "
            mod deck { use crate::hull; }
            mod hull {
                #[cfg(test)] use crate::deck;
                #[cfg(test)] mod tests { use crate::deck; }
                #[test] fn floats() { crate::deck::walk(); }
                impl Hull { #[cfg(test)] fn look() { crate::deck::walk(); } }
            }
        ";
        assert_eq!(found(text, &[]), []);
    }

    #[test]
    fn a_known_circle_is_known_only_as_it_is() {
        let text = "
            mod deck { use crate::hull; use crate::sail; }
            mod hull { use crate::deck; }
            mod sail { use crate::deck; }
        ";
        let known = KnownCircle { inside: "ship", modules: &["deck", "hull"], reason: "built together" };
        let modules = Modules::parse(text).unwrap();
        let circles = circles("ship", &modules, std::slice::from_ref(&known));
        assert!(!circles[0].is(&known));
        assert!(circles[0].shown.starts_with("\n    sail -> deck"), "{}", circles[0].shown);
        let grown = KnownCircle { modules: &["deck", "hull", "sail"], ..known };
        assert!(circles[0].is(&grown));
        assert_eq!(breaches(&circles, &[grown]), Vec::<String>::new());
        let [new, gone] = breaches(&circles, &[known]).try_into().unwrap();
        assert!(
            new.starts_with("ship: modules go in a circle (deck, hull, sail):\n    sail -> deck"),
            "{new}"
        );
        assert_eq!(gone, "ship: the known circle (deck, hull: built together) is no more as it is listed");
    }
}
