//! Which folders hold pages of one type.
//!
//! A folder is one of a kind (`guides`, `policies`), or stands for something that its pages tell of: `crates/hyper` with
//! `package = "hyper"` in each page, or one folder for each page. Pages of folders of the second sort belong together.

use std::collections::BTreeMap;

use graphwright_documents::ParsedDocument;
use graphwright_english::names::name_key;

use super::{Group, Page, place};
use crate::head::is_state;

/// A folder with the documents in it.
#[derive(Debug, Default)]
pub(super) struct Folder<'d> {
    /// Its path, with `/` at its end.
    path: &'d str,
    own: Vec<Page<'d>>,
    inner: BTreeMap<&'d str, Folder<'d>>,
}

impl<'d> Folder<'d> {
    /// The tree of folders that holds documents.
    pub(super) fn tree(documents: &[&'d ParsedDocument]) -> Self {
        let mut root = Self::default();
        for &document in documents {
            let (path, _) = place(&document.source);
            let mut folder = &mut root;
            for (at, _) in path.match_indices('/') {
                let start = folder.path.len();
                folder = folder.inner.entry(&path[start..at]).or_default();
                folder.path = &path[..=at];
            }
            folder.own.push(Page::new(document));
        }
        root
    }

    /// Adds the groups of pages of one type in it, the outer ones first.
    pub(super) fn group(&self, ending: &'d str, least: usize, groups: &mut Vec<Group<'d>>) {
        let whole = || Group::new(self.path, ending, self.all().into_iter().cloned().collect(), least);
        let own = match self.stands_for_many().then(whole).flatten() {
            Some(all) => return take(all, groups),
            None => Group::new(self.path, ending, self.own.clone(), least),
        };
        if let Some(own) = own {
            take(own, groups);
        }
        for inner in self.inner.values() {
            inner.group(ending, least, groups);
        }
    }

    /// Whether most of the folders in it are no kinds: they hold one page, or are named in the heads of their pages.
    fn stands_for_many(&self) -> bool {
        let things = self.inner.iter().filter(|(name, inner)| {
            let pages = inner.all();
            pages.len() == 1 || pages.iter().all(|page| page.names(name))
        });
        self.inner.len() > 1 && things.count() * 2 > self.inner.len()
    }

    fn all(&self) -> Vec<&Page<'d>> {
        let inner = self.inner.values().flat_map(Self::all);
        self.own.iter().chain(inner).collect()
    }
}

/// Adds a group, to one above that has its form, or one that is called as it, if there is one.
fn take<'d>(group: Group<'d>, groups: &mut Vec<Group<'d>>) {
    match groups.iter_mut().find(|other| other.has_form_of(&group) || other.is_called_as(&group)) {
        Some(above) => above.take_up(group),
        None => groups.push(group),
    }
}

impl Page<'_> {
    /// Whether a field of its head names something called so.
    fn names(&self, name: &str) -> bool {
        self.fields().any(|(key, _)| !is_state(&key) && self.says(&key, name))
    }

    /// Whether the field under a key has this name for a value.
    pub(super) fn says(&self, key: &str, name: &str) -> bool {
        let own = name_key(name);
        self.fields().any(|(other, values)| other == key && values.iter().any(|value| name_key(value) == own))
    }
}
