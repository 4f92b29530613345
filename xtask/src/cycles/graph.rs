//! The import graph: the imports between files, and the cycles of files that depend on each other.

use std::collections::{BTreeMap, BTreeSet};

use super::imports::{self, Uses};
use super::modules::Modules;

/// An import of one file from another.
pub(super) struct Import {
    pub(super) from: usize,
    pub(super) to: usize,
    /// The first imported item, for messages.
    item: String,
}

impl Import {
    /// Returns the import as messages show it.
    pub(super) fn describe(&self, modules: &Modules) -> String {
        format!("{} imports {} from {}", modules.name(self.from), self.item, modules.name(self.to))
    }
}

/// All imports between files. An import of a re-exported item is an import of the file that defines the item.
pub(super) fn imports(modules: &Modules) -> Vec<Import> {
    let uses: Vec<Uses> = modules.files().map(|(_, it)| imports::of(it)).collect();
    let mut found = BTreeMap::new();
    for (from, module) in modules.files() {
        for path in &uses[from].paths {
            // A module file that re-exports the items of its submodules does not use them.
            let is_export =
                uses[from].exports.values().any(|it| it == path) || uses[from].globs.contains(path);
            let is_below = path.starts_with(&module.path);
            if is_export && is_below {
                continue;
            }
            if let Some(to) = definition(modules, &uses, path).filter(|to| *to != from) {
                found.entry((from, to)).or_insert_with(|| path.last().cloned().unwrap_or_default());
            }
        }
    }
    found.into_iter().map(|((from, to), item)| Import { from, to, item }).collect()
}

/// The file that defines the item of a path, through all re-exports.
fn definition(modules: &Modules, uses: &[Uses], path: &[String]) -> Option<usize> {
    // A cycle of re-exports does not compile, so the number of steps is bounded.
    const LONGEST: usize = 16;
    let mut path = path.to_vec();
    'path: for _ in 0..LONGEST {
        let depth = (0..=path.len()).rev().find(|depth| modules.at(&path[..*depth]).is_some())?;
        let file = modules.at(&path[..depth])?;
        let Some((item, rest)) = path[depth..].split_first() else { return Some(file) };
        if let Some(export) = uses[file].exports.get(item) {
            path = export.iter().chain(rest).cloned().collect();
            continue;
        }
        for glob in &uses[file].globs {
            if let Some(inside) = modules.at(glob)
                && (uses[inside].exports.contains_key(item) || has_definition(modules, inside, item))
            {
                path = glob.iter().chain([item]).chain(rest).cloned().collect();
                continue 'path;
            }
        }
        // The root does not define the item: the path begins with the name of another crate.
        return Some(file).filter(|_| depth > 0 || has_definition(modules, file, item));
    }
    None
}

fn has_definition(modules: &Modules, file: usize, item: &str) -> bool {
    modules.file(file).syntax.items.iter().any(|it| {
        let name = match it {
            syn::Item::Const(it) => &it.ident,
            syn::Item::Enum(it) => &it.ident,
            syn::Item::Fn(it) => &it.sig.ident,
            syn::Item::Static(it) => &it.ident,
            syn::Item::Struct(it) => &it.ident,
            syn::Item::Trait(it) => &it.ident,
            syn::Item::Type(it) => &it.ident,
            _ => return false,
        };
        name == item
    })
}

/// Returns the groups of at least two files in which each file depends on every other file.
pub(super) fn cycles(modules: &Modules, imports: &[Import]) -> Vec<Vec<usize>> {
    let mut next = vec![BTreeSet::new(); modules.len()];
    for it in imports {
        next[it.from].insert(it.to);
    }
    let reachable: Vec<BTreeSet<usize>> = (0..modules.len()).map(|start| reachable(&next, start)).collect();
    let mut cycles = Vec::new();
    let mut seen = BTreeSet::new();
    for file in 0..modules.len() {
        let cycle: Vec<usize> =
            reachable[file].iter().copied().filter(|other| reachable[*other].contains(&file)).collect();
        if cycle.len() > 1 && cycle.iter().all(|it| seen.insert(*it)) {
            cycles.push(cycle);
        }
    }
    cycles
}

fn reachable(next: &[BTreeSet<usize>], start: usize) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let mut open = vec![start];
    while let Some(file) = open.pop() {
        open.extend(next[file].iter().filter(|it| found.insert(**it)));
    }
    found
}
