//! The modules of a crate: what each declares, brings in and refers to. Test code is left out.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use syn::{
    Attribute, ImplItem, Item, UseTree,
    visit::{self, Visit},
};

/// The names from the crate's root to a module or to something in it.
pub(super) type ModulePath = Vec<String>;

/// All modules of a crate; the root has an empty path.
#[derive(Debug, Default)]
pub(super) struct Modules {
    pub(super) by_path: BTreeMap<ModulePath, Module>,
}

#[derive(Debug, Default)]
pub(super) struct Module {
    pub(super) children: BTreeSet<String>,
    /// What is declared in it, other than modules.
    pub(super) items: BTreeSet<String>,
    /// What `use` brings in, by the name that it has here; paths as they are written.
    pub(super) imports: BTreeMap<String, ModulePath>,
    /// `use …::*`.
    pub(super) globs: Vec<ModulePath>,
    pub(super) references: Vec<Reference>,
}

/// A path that begins with `crate` or `super`.
#[derive(Debug)]
pub(super) struct Reference {
    pub(super) path: ModulePath,
    pub(super) file: PathBuf,
    pub(super) line: usize,
}

impl Modules {
    /// Reads a crate from its `lib.rs` or `main.rs`.
    pub(super) fn read(root: &Path) -> Result<Self> {
        let mut modules = Self::default();
        let folder = root.parent().context("a source has a folder")?;
        modules.read_file(Vec::new(), root, folder)?;
        Ok(modules)
    }

    /// Reads a crate that has no further files.
    #[cfg(test)]
    pub(super) fn parse(text: &str) -> Result<Self> {
        let mut modules = Self::default();
        modules.add(Vec::new(), &syn::parse_file(text)?.items, Path::new("lib.rs"), Path::new(""))?;
        Ok(modules)
    }

    /// `folder` holds the files of the module's children.
    fn read_file(&mut self, path: ModulePath, file: &Path, folder: &Path) -> Result<()> {
        let text = fs::read_to_string(file).with_context(|| file.display().to_string())?;
        let parsed = syn::parse_file(&text).with_context(|| file.display().to_string())?;
        self.add(path, &parsed.items, file, folder)
    }

    fn add(&mut self, path: ModulePath, items: &[Item], file: &Path, folder: &Path) -> Result<()> {
        let mut module = Module::default();
        for item in items {
            let (name, attributes) = name_and_attributes(item);
            if is_test(attributes) {
                continue;
            }
            if let Item::Mod(child) = item {
                let name = child.ident.to_string();
                module.children.insert(name.clone());
                let child_path = [path.clone(), vec![name.clone()]].concat();
                let child_folder = folder.join(&name);
                if let Some((_, items)) = &child.content {
                    self.add(child_path, items, file, &child_folder)?;
                } else {
                    let flat = folder.join(format!("{name}.rs"));
                    let file = if flat.exists() { flat } else { child_folder.join("mod.rs") };
                    self.read_file(child_path, &file, &child_folder)?;
                }
                continue;
            }
            module.items.extend(name.map(ToString::to_string));
            if let Item::Use(import) = item {
                each_use(&import.tree, &mut Vec::new(), &mut |used| match used.name {
                    Some(name) => _ = module.imports.insert(name.to_string(), texts(used.path)),
                    None => module.globs.push(texts(used.path)),
                });
            }
            References { found: &mut module.references, file }.visit_item(item);
        }
        self.by_path.insert(path, module);
        Ok(())
    }
}

fn name_and_attributes(item: &Item) -> (Option<&Ident>, &[Attribute]) {
    match item {
        Item::Const(item) => (Some(&item.ident), &item.attrs),
        Item::Enum(item) => (Some(&item.ident), &item.attrs),
        Item::Fn(item) => (Some(&item.sig.ident), &item.attrs),
        Item::Impl(item) => (None, &item.attrs),
        Item::Macro(item) => (item.ident.as_ref(), &item.attrs),
        Item::Mod(item) => (Some(&item.ident), &item.attrs),
        Item::Static(item) => (Some(&item.ident), &item.attrs),
        Item::Struct(item) => (Some(&item.ident), &item.attrs),
        Item::Trait(item) => (Some(&item.ident), &item.attrs),
        Item::Type(item) => (Some(&item.ident), &item.attrs),
        Item::Use(item) => (None, &item.attrs),
        _ => (None, &[]),
    }
}

/// Whether something is there only for tests: `#[cfg(test)]`, `#[test]`.
fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let cfg = attribute.meta.require_list().ok().filter(|list| list.path.is_ident("cfg"));
        attribute.path().is_ident("test") || cfg.is_some_and(|list| list.tokens.to_string() == "test")
    })
}

/// One leaf of a `use`; without a name it is a `*`.
struct Used<'a, 'b> {
    path: &'b [&'a Ident],
    name: Option<&'a Ident>,
}

fn each_use<'a>(tree: &'a UseTree, before: &mut Vec<&'a Ident>, leaf: &mut impl FnMut(Used<'a, '_>)) {
    match tree {
        UseTree::Path(path) => {
            before.push(&path.ident);
            each_use(&path.tree, before, leaf);
            before.pop();
        }
        UseTree::Group(group) => group.items.iter().for_each(|tree| each_use(tree, before, leaf)),
        UseTree::Glob(_) => leaf(Used { path: before, name: None }),
        UseTree::Name(used) if used.ident == "self" => {
            leaf(Used { path: before, name: before.last().copied() });
        }
        UseTree::Rename(used) if used.ident == "self" => {
            leaf(Used { path: before, name: Some(&used.rename) });
        }
        UseTree::Name(used) => named(&used.ident, &used.ident, before, leaf),
        UseTree::Rename(used) => named(&used.ident, &used.rename, before, leaf),
    }
}

fn named<'a>(
    ident: &'a Ident,
    name: &'a Ident,
    before: &mut Vec<&'a Ident>,
    leaf: &mut impl FnMut(Used<'a, '_>),
) {
    before.push(ident);
    leaf(Used { path: before, name: Some(name) });
    before.pop();
}

fn texts(path: &[&Ident]) -> ModulePath {
    path.iter().map(ToString::to_string).collect()
}

/// Collects the paths in code, in `use` and in what macros are given.
struct References<'a> {
    found: &'a mut Vec<Reference>,
    file: &'a Path,
}

impl References<'_> {
    fn add(&mut self, path: ModulePath, span: Span) {
        if path.len() > 1 && matches!(path[0].as_str(), "crate" | "super") {
            self.found.push(Reference { path, file: self.file.to_owned(), line: span.start().line });
        }
    }

    fn add_tokens(&mut self, tokens: TokenStream) {
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Group(group) => self.add_tokens(group.stream()),
                TokenTree::Ident(first) => {
                    let mut path = vec![first.to_string()];
                    let is_colon =
                        |token: &TokenTree| matches!(token, TokenTree::Punct(mark) if mark.as_char() == ':');
                    while tokens.next_if(is_colon).is_some() && tokens.next_if(is_colon).is_some() {
                        match tokens.next_if(|token| matches!(token, TokenTree::Ident(_))) {
                            Some(ident) => path.push(ident.to_string()),
                            None => break,
                        }
                    }
                    self.add(path, first.span());
                }
                _ => {}
            }
        }
    }
}

impl<'ast> Visit<'ast> for References<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        if !is_test(name_and_attributes(item).1) {
            visit::visit_item(self, item);
        }
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        if !matches!(item, ImplItem::Fn(function) if is_test(&function.attrs)) {
            visit::visit_impl_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        each_use(&item.tree, &mut Vec::new(), &mut |used| {
            if let Some(last) = used.path.last() {
                self.add(texts(used.path), last.span());
            }
        });
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if let Some(first) = path.segments.first() {
            let names = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
            self.add(names, first.ident.span());
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, called: &'ast syn::Macro) {
        self.add_tokens(called.tokens.clone());
        visit::visit_macro(self, called);
    }
}
