//! The paths that a file uses, as absolute paths within its crate.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemMod, ItemUse, Macro, MetaList, UseTree, Visibility};

use super::modules::{Module, ModulePath};
use crate::token_paths::token_paths;

/// The paths that a file uses and re-exports.
#[derive(Default)]
pub(super) struct Uses {
    /// Every path into the crate, from its root.
    pub(super) paths: Vec<ModulePath>,
    /// The re-exported items with their paths.
    pub(super) exports: BTreeMap<String, ModulePath>,
    /// The modules whose items are all re-exported.
    pub(super) globs: Vec<ModulePath>,
}

/// Collects the paths of a file.
pub(super) fn of(module: &Module) -> Uses {
    let mut reader = Reader { module: module.path.clone(), names: BTreeMap::new(), uses: Uses::default() };
    // Imported names can occur in every path of the file, so imports are read first.
    for item in &module.syntax.items {
        if let Item::Use(it) = item
            && !is_test(&it.attrs)
        {
            reader.import(it);
        }
    }
    reader.visit_file(&module.syntax);
    reader.uses
}

struct Reader {
    /// The module that paths are relative to: that of the file, or an inline module.
    module: ModulePath,
    names: BTreeMap<String, ModulePath>,
    uses: Uses,
}

impl Reader {
    fn import(&mut self, item: &ItemUse) {
        let is_export = !matches!(item.vis, Visibility::Inherited);
        let mut found = Vec::new();
        flatten(&item.tree, Vec::new(), &mut found);
        for (path, name) in found {
            let Some(path) = self.absolute(&path) else { continue };
            match name {
                Some(name) => {
                    if is_export {
                        self.uses.exports.insert(name.clone(), path.clone());
                    }
                    self.names.insert(name, path.clone());
                }
                None if is_export => self.uses.globs.push(path.clone()),
                None => {}
            }
            // Declaring a module and re-exporting its items is not a use of them.
            self.uses.paths.push(path);
        }
    }

    /// The arguments of a macro are not syntax yet, so only paths that begin at a module of this crate are read.
    fn macro_arguments(&mut self, tokens: TokenStream) {
        for path in token_paths(tokens) {
            if path.len() > 1 && matches!(path[0].as_str(), "crate" | "self" | "super") {
                self.uses.paths.extend(self.absolute(&path));
            }
        }
    }

    /// The path from the root of the crate; `None` for paths into other crates and for local names.
    fn absolute(&self, path: &[String]) -> Option<ModulePath> {
        let (first, rest) = path.split_first()?;
        let mut absolute = match first.as_str() {
            "crate" => Vec::new(),
            "self" => self.module.clone(),
            "super" => self.module.split_last()?.1.to_vec(),
            name => self.names.get(name).cloned().or_else(|| {
                // `mod a; use a::B;`
                let child: ModulePath = self.module.iter().cloned().chain([name.to_owned()]).collect();
                Some(child).filter(|_| !rest.is_empty())
            })?,
        };
        for step in rest {
            if step == "super" {
                absolute.pop()?;
            } else {
                absolute.push(step.clone());
            }
        }
        Some(absolute)
    }
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item(&mut self, item: &'ast Item) {
        let attributes: &[Attribute] = match item {
            Item::Fn(it) => &it.attrs,
            Item::Impl(it) => &it.attrs,
            Item::Mod(it) => &it.attrs,
            Item::Use(it) => &it.attrs,
            _ => &[],
        };
        if !is_test(attributes) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        self.module.push(item.ident.to_string());
        visit::visit_item_mod(self, item);
        self.module.pop();
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        // Inline modules of the file are read already.
        let is_inside = |uses: &Uses, path: &ModulePath| uses.paths.contains(path);
        let mut found = Vec::new();
        flatten(&item.tree, Vec::new(), &mut found);
        if found.iter().any(|(path, _)| self.absolute(path).is_some_and(|it| !is_inside(&self.uses, &it))) {
            self.import(item);
        }
    }

    /// A visibility such as `pub(super)` is not a use of the module.
    fn visit_visibility(&mut self, _: &'ast Visibility) {}

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.leading_colon.is_none() {
            let steps: Vec<String> = path.segments.iter().map(|it| it.ident.to_string()).collect();
            self.uses.paths.extend(self.absolute(&steps));
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, it: &'ast Macro) {
        self.macro_arguments(it.tokens.clone());
        visit::visit_macro(self, it);
    }

    /// An attribute with arguments, which can be those of a derive macro.
    fn visit_meta_list(&mut self, it: &'ast MetaList) {
        self.macro_arguments(it.tokens.clone());
        visit::visit_meta_list(self, it);
    }
}

/// Returns true for items that are compiled only for tests.
pub(crate) fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|it| {
        it.path().is_ident("cfg")
            && it.parse_args::<syn::Path>().is_ok_and(|condition| condition.is_ident("test"))
    })
}

/// Each path of a `use` with the name that it introduces; `None` for `*` and `_`.
pub(crate) fn flatten(tree: &UseTree, above: Vec<String>, found: &mut Vec<(Vec<String>, Option<String>)>) {
    let with = |name: String| above.iter().cloned().chain([name]).collect::<Vec<_>>();
    match tree {
        UseTree::Path(it) => flatten(&it.tree, with(it.ident.to_string()), found),
        UseTree::Name(it) if it.ident == "self" => found.push((above.clone(), above.last().cloned())),
        UseTree::Name(it) => found.push((with(it.ident.to_string()), Some(it.ident.to_string()))),
        UseTree::Rename(it) => {
            let path = if it.ident == "self" { above } else { with(it.ident.to_string()) };
            found.push((path, Some(it.rename.to_string()).filter(|it| it != "_")));
        }
        UseTree::Glob(_) => found.push((above, None)),
        UseTree::Group(it) => it.items.iter().for_each(|it| flatten(it, above.clone(), found)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(file: &str, expected: &[&str]) {
        let module = Module {
            path: vec!["schema".into(), "block".into()],
            syntax: syn::parse_str(file).expect("Rust"),
        };
        let found: Vec<String> = of(&module).paths.iter().map(|it| it.join("::")).collect();
        assert_eq!(found, expected, "{file}");
    }

    #[test]
    fn paths_in_code_are_read() {
        check("use crate::planning::defaults;", &["planning::defaults"]);
        check("fn f() { super::g() }", &["schema::g"]);
        check("mod a { fn f() { super::super::g() } }", &["schema::g"]);
        check("fn f(_: ::serde::A) {}", &[]);
    }

    #[test]
    fn paths_in_macro_arguments_are_read() {
        check("fn f() { g(vec![crate::planning::x]) }", &["planning::x"]);
        check("fn f() { assert!(is(super::x(1)), \"{}\", self::y) }", &["schema::x", "schema::block::y"]);
        check("attr! { field: crate::planning::X }", &["planning::X"]);
        check("struct S { #[attr(validate = crate::rules::x)] a: u8 }", &["rules::x"]);
        check("macro_rules! m { () => { $crate::planning::x() } }", &["planning::x"]);
    }

    #[test]
    fn other_tokens_are_not_paths_into_the_crate() {
        check("fn f(&self) { vec![self.x, ::serde::x(), serde::y()] }", &[]);
    }
}
