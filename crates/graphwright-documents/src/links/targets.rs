//! The documents to which links lead.

use std::collections::{BTreeMap, BTreeSet};

/// Extensions that follow one another where pages are made from documents, as in `page.html.md.erb`.
const PAGES: [&str; 6] = ["html", "htm", "md", "markdown", "mdx", "erb"];
/// So many links must show that a folder of a site is the folder of the documents.
const LEAST_LINKS: usize = 3;
/// How well a folder names the document that describes it. It names everything else better.
const INDEX: usize = 10;
const README: usize = 11;
/// The same of the address of a folder on the site. Its own path names it better.
const SERVED: usize = 20;

/// A map from link targets to documents.
#[derive(Debug, Default)]
pub struct LinkTargets {
    by_path: BTreeMap<String, Named>,
    /// Folders of a site whose pages are the documents.
    roots: BTreeSet<String>,
}

/// Where a link leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lead<'t> {
    /// To the document with this identifier.
    Document(&'t str),
    /// To one of several documents.
    Several,
    /// To no document.
    Nothing,
}

/// What a path names.
#[derive(Debug)]
struct Named {
    /// How much was left out of the document's path; the least wins.
    left_out: usize,
    /// `None` if it names several as well.
    document: Option<String>,
}

impl LinkTargets {
    /// Creates a map from the identifiers and sources of all documents, and the targets of their links.
    pub fn new<'a>(
        documents: impl Iterator<Item = (&'a str, &'a str)>,
        targets: impl Iterator<Item = &'a str>,
    ) -> Self {
        let mut made = Self::default();
        for (id, source) in documents {
            for (path, left_out) in paths(source) {
                made.name(path, left_out, id);
            }
            // Jekyll serves the folder `_docs` as `docs`.
            let served = source.split('/').map(|part| part.strip_prefix('_').unwrap_or(part));
            let served = served.collect::<Vec<_>>().join("/");
            if served != source {
                for (path, left_out) in paths(&served) {
                    made.name(path, left_out + SERVED, id);
                }
            }
        }
        made.roots = made.roots_of(targets);
        made
    }

    fn name(&mut self, path: &str, left_out: usize, id: &str) {
        let named = || Named { left_out, document: Some(id.to_owned()) };
        let known = self.by_path.entry(path.to_owned()).or_insert_with(named);
        if left_out < known.left_out {
            *known = named();
        } else if left_out == known.left_out && known.document.as_deref() != Some(id) {
            known.document = None;
        }
    }

    /// Finds the folders of a site most of whose pages, as far as links lead to them, are documents.
    fn roots_of<'a>(&self, targets: impl Iterator<Item = &'a str>) -> BTreeSet<String> {
        let mut found: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        let distinct: BTreeSet<&str> = targets.filter_map(|target| target.strip_prefix('/')).collect();
        for (folder, page) in distinct.into_iter().filter_map(|target| target.rsplit_once('/')) {
            let (documents, all) = found.entry(folder).or_default();
            *documents += usize::from(matches!(self.exact(page), Lead::Document(_)));
            *all += 1;
        }
        found.retain(|_, (documents, all)| *documents >= LEAST_LINKS && *documents * 2 > *all);
        found.into_keys().map(str::to_owned).collect()
    }

    /// Finds the document that a target leads to, with or without its extension.
    ///
    /// A target that starts with `/` is an address on a site whose root is unknown. So leading parts are dropped until one
    /// fits, as long as two remain, or one where the links show that its folder holds the documents.
    pub fn find(&self, target: &str) -> Lead<'_> {
        let Some(whole) = target.strip_prefix('/') else { return self.exact(target) };
        let parents = whole.match_indices('/').map(|(at, _)| (&whole[..at], &whole[at + 1..]));
        let known = |(folder, path): &(&str, &str)| path.contains('/') || self.roots.contains(*folder);
        let shorter = parents.filter(known).map(|(_, path)| path);
        let mut leads = std::iter::once(whole).chain(shorter).map(|path| self.exact(path));
        leads.find(|lead| *lead != Lead::Nothing).unwrap_or(Lead::Nothing)
    }

    fn exact(&self, path: &str) -> Lead<'_> {
        let page = || path.strip_suffix(".html").or_else(|| path.strip_suffix(".htm"));
        match self.by_path.get(path).or_else(|| self.by_path.get(page()?)) {
            Some(Named { document: Some(id), .. }) => Lead::Document(id),
            Some(Named { document: None, .. }) => Lead::Several,
            None => Lead::Nothing,
        }
    }
}

/// Returns the paths by which a document may be linked, with how much each leaves out.
fn paths(source: &str) -> Vec<(&str, usize)> {
    let mut paths = vec![(source, 0)];
    let mut stem = source;
    while let Some((shorter, extension)) = stem.rsplit_once('.')
        && !extension.contains('/')
        && (stem == source || PAGES.contains(&extension))
    {
        stem = shorter;
        paths.push((stem, paths.len()));
    }
    for (name, left_out) in [("/index", INDEX), ("/README", README), ("/readme", README)] {
        paths.extend(stem.strip_suffix(name).map(|folder| (folder, left_out)));
    }
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    fn targets(sources: &'static [&str], links: &'static [&str]) -> LinkTargets {
        LinkTargets::new(sources.iter().map(|source| (*source, *source)), links.iter().copied())
    }

    #[test]
    fn targets_are_found_by_path_stem_folder_and_site_address() {
        let targets =
            targets(&["docs/e.md", "docs/guide/index.md", "docs/guide/README.md", "a.md", "v1.2/x"], &[]);
        assert_eq!(targets.find("docs/e.md"), Lead::Document("docs/e.md"));
        assert_eq!(targets.find("docs/e.html"), Lead::Document("docs/e.md"));
        assert_eq!(targets.find("docs/guide"), Lead::Document("docs/guide/index.md"));
        assert_eq!(targets.find("/site/docs/e"), Lead::Document("docs/e.md"));
        for nothing in ["/site/other/a", "docs/f.md", "v1"] {
            assert_eq!(targets.find(nothing), Lead::Nothing, "{nothing}");
        }
    }

    #[test]
    fn a_folder_with_an_underscore_is_served_without() {
        let targets = targets(&["_docs/ops/a.md", "docs/ops/b.md", "_docs/ops/b.md"], &[]);
        assert_eq!(targets.find("/docs/ops/a.md"), Lead::Document("_docs/ops/a.md"));
        assert_eq!(targets.find("/docs/ops/b.md"), Lead::Document("docs/ops/b.md"));
    }

    #[test]
    fn pages_that_are_made_from_documents_are_found() {
        let targets = targets(&["on-call.html.md", "alerts/disk.html.md.erb"], &[]);
        for link in ["on-call.html", "on-call"] {
            assert_eq!(targets.find(link), Lead::Document("on-call.html.md"), "{link}");
        }
        assert_eq!(targets.find("/manual/alerts/disk.html"), Lead::Document("alerts/disk.html.md.erb"));
    }

    #[test]
    fn a_path_that_fits_several_documents_leads_to_none() {
        let targets = targets(&["a.md", "a.txt", "b.md", "b.html"], &[]);
        assert_eq!(targets.find("a"), Lead::Several);
        assert_eq!(targets.find("a.html"), Lead::Several);
        assert_eq!(targets.find("a.txt"), Lead::Document("a.txt"));
        assert_eq!(targets.find("b.html"), Lead::Document("b.html"));
    }

    #[test]
    fn a_folder_of_a_site_holds_the_documents_where_most_links_into_it_lead_to_some() {
        let links = &[
            "/manual/a.html",
            "/manual/b.html",
            "/manual/c.html",
            "/manual/gone.html",
            "/code/a.html",
            "/code/z",
        ];
        let targets = targets(&["a.md", "b.md", "c.md", "d.md"], links);
        assert_eq!(targets.find("/manual/d.html"), Lead::Document("d.md"));
        assert_eq!(targets.find("/manual/gone.html"), Lead::Nothing);
        assert_eq!(targets.find("/code/a.html"), Lead::Nothing);
    }
}
