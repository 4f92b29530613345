//! The types in the public signatures of a file.

use std::collections::{BTreeMap, BTreeSet};

use syn::visit::{self, Visit};
use syn::{Attribute, Field, ImplItem, Item, ItemImpl, ItemTrait, ItemUse, TraitItem, Variant, Visibility};

use crate::cycles::imports::{flatten, is_test};
use crate::token_paths::token_paths;

/// The types and traits of these crates that are in the public signatures of a file, such as `tokio::runtime::Handle`.
pub(super) fn foreign_types(file: &syn::File, crates: &BTreeSet<String>) -> BTreeSet<String> {
    let mut names = BTreeMap::new();
    for item in &file.items {
        if let Item::Use(item) = item {
            let mut found = Vec::new();
            flatten(&item.tree, Vec::new(), &mut found);
            names.extend(found.into_iter().filter_map(|(path, name)| Some((name?, path))));
        }
    }
    let private = file.items.iter().filter_map(|item| match item {
        Item::Struct(it) if !is_public(&it.vis) => Some(it.ident.to_string()),
        Item::Enum(it) if !is_public(&it.vis) => Some(it.ident.to_string()),
        _ => None,
    });
    let private = private.collect();
    let mut signatures = Signatures { crates, names, private, found: BTreeSet::new() };
    signatures.visit_file(file);
    signatures.found
}

struct Signatures<'a> {
    crates: &'a BTreeSet<String>,
    /// The imported names with their paths.
    names: BTreeMap<String, Vec<String>>,
    /// The private types that the file declares.
    private: BTreeSet<String>,
    found: BTreeSet<String>,
}

impl Signatures<'_> {
    fn add(&mut self, path: &[String]) {
        let Some((first, rest)) = path.split_first() else { return };
        let imported = self.names.get(first).cloned();
        let path: Vec<String> = match imported {
            Some(imported) => imported.into_iter().chain(rest.iter().cloned()).collect(),
            None => path.to_vec(),
        };
        // `url::Url::parse` mentions the type `url::Url`.
        let is_type = |step: &String| step.starts_with(char::is_uppercase);
        if let Some(end) = path.iter().position(is_type)
            && self.crates.contains(&path[0])
        {
            self.found.insert(path[..=end].join("::"));
        }
    }
}

impl<'ast> Visit<'ast> for Signatures<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        let (attributes, visibility): (&[Attribute], Option<&Visibility>) = match item {
            Item::Const(it) => (&it.attrs, Some(&it.vis)),
            Item::Enum(it) => (&it.attrs, Some(&it.vis)),
            Item::Fn(it) => (&it.attrs, Some(&it.vis)),
            Item::Static(it) => (&it.attrs, Some(&it.vis)),
            Item::Struct(it) => (&it.attrs, Some(&it.vis)),
            Item::Trait(it) => (&it.attrs, Some(&it.vis)),
            Item::Type(it) => (&it.attrs, Some(&it.vis)),
            Item::Use(it) => (&it.attrs, Some(&it.vis)),
            Item::Mod(it) => (&it.attrs, None),
            Item::Impl(it) => (&it.attrs, None),
            Item::Macro(it) => {
                // The definition of a macro is not an item yet, and a thread-local variable is private.
                let has_items = it.ident.is_none() && !it.mac.path.is_ident("thread_local");
                if has_items && !is_test(&it.attrs) {
                    // The tokens can become parts of public `impl`s.
                    token_paths(it.mac.tokens.clone()).iter().for_each(|path| self.add(path));
                }
                return;
            }
            _ => return,
        };
        if !is_test(attributes) && visibility.is_none_or(is_public) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        let mut found = Vec::new();
        flatten(&item.tree, Vec::new(), &mut found);
        for (path, _) in found {
            self.add(&path);
        }
    }

    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        if let syn::Type::Path(it) = &*item.self_ty
            && it.path.get_ident().is_some_and(|name| self.private.contains(&name.to_string()))
        {
            return;
        }
        let is_of_own_trait = item.trait_.is_none();
        for parameter in &item.generics.params {
            self.visit_generic_param(parameter);
        }
        if let Some((_, path, _)) = &item.trait_ {
            self.visit_path(path);
        }
        self.visit_type(&item.self_ty);
        for item in item.items.iter().filter(|_| is_of_own_trait) {
            match item {
                ImplItem::Fn(it) if is_public(&it.vis) => self.visit_signature(&it.sig),
                ImplItem::Const(it) if is_public(&it.vis) => self.visit_type(&it.ty),
                _ => {}
            }
        }
    }

    fn visit_item_trait(&mut self, item: &'ast ItemTrait) {
        self.visit_generics(&item.generics);
        item.supertraits.iter().for_each(|bound| self.visit_type_param_bound(bound));
        for item in &item.items {
            match item {
                TraitItem::Fn(it) => self.visit_signature(&it.sig),
                TraitItem::Const(it) => self.visit_type(&it.ty),
                TraitItem::Type(it) => it.bounds.iter().for_each(|bound| self.visit_type_param_bound(bound)),
                _ => {}
            }
        }
    }

    fn visit_field(&mut self, field: &'ast Field) {
        // A field of an enum variant has the visibility of the enum, and `visit_variant` visits its type.
        if is_public(&field.vis) {
            self.visit_type(&field.ty);
        }
    }

    fn visit_variant(&mut self, variant: &'ast Variant) {
        variant.fields.iter().for_each(|field| self.visit_type(&field.ty));
    }

    /// The body of a function and the value of a constant are not parts of signatures.
    fn visit_block(&mut self, _: &'ast syn::Block) {}
    fn visit_expr(&mut self, _: &'ast syn::Expr) {}
    fn visit_attribute(&mut self, _: &'ast Attribute) {}

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let steps: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        self.add(&steps);
        visit::visit_path(self, path);
    }
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(file: &str, expected: &[&str]) {
        let crates = ["url", "uuid"].map(str::to_owned).into();
        let found = foreign_types(&syn::parse_str(file).expect("Rust"), &crates);
        assert_eq!(found, expected.iter().map(|it| (*it).to_owned()).collect(), "{file}");
    }

    #[test]
    fn public_signatures_are_read() {
        check("use url::Url; pub fn f(_: &Url) {}", &["url::Url"]);
        check("pub fn f() -> Option<uuid::Uuid> { None }", &["uuid::Uuid"]);
        check("use url as u; pub struct S { pub a: u::Url, b: uuid::Uuid }", &["url::Url"]);
        check("pub enum E { A(url::Url) }", &["url::Url"]);
        check("pub trait T: url::A { fn f(&self) -> url::B; }", &["url::A", "url::B"]);
        check("impl S { pub fn f(_: url::A) {} fn g(_: url::B) {} }", &["url::A"]);
        check("impl From<uuid::Error> for S { fn from(_: uuid::Error) -> S { S } }", &["uuid::Error"]);
        check("attr!(url::Url, url::Url::parse);", &["url::Url"]);
        check("attr! { field: url::Url }", &["url::Url"]);
        check("pub use url::Url;", &["url::Url"]);
    }

    #[test]
    fn private_parts_are_not_signatures() {
        check("use url::Url; fn f(_: Url) {} pub(crate) fn g(_: Url) {}", &[]);
        check("pub fn f() { let _: url::Url; }", &[]);
        check("struct S; impl url::Visit for S {}", &[]);
        check("#[cfg(test)] mod tests { pub fn f(_: url::Url) {} }", &[]);
        check("thread_local! { static A: url::Url; }", &[]);
    }
}
