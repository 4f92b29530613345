//! The schema of relations and groups, and the conditions on the attributes that they name.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, Ident};

use super::common::attribute_names;
use crate::ast::{Field, Model};
use crate::relations::{ALL_OR_NONE, Group, RelatedAttributes, Relation, Subject};

/// A condition on a named attribute.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Requirement {
    /// It exists, and its changes can be detected.
    Comparable,
    /// The configuration can set it.
    Configured,
    /// The configuration can set it and can omit it.
    Omittable,
    /// It is write-only.
    WriteOnly,
}

impl Relation {
    /// The sibling attributes that are named, with their fields and the condition on them.
    pub(super) fn named_attributes<'a>(
        &self,
        model: &'a Model,
    ) -> Vec<(Ident, Option<&'a Field>, Requirement)> {
        let requirement = match self.kind.subject {
            Subject::Presence => Requirement::Omittable,
            Subject::Numbers => Requirement::Configured,
            Subject::WriteOnly => Requirement::WriteOnly,
        };
        model.related(&self.others).into_iter().map(|(name, field)| (name, field, requirement)).collect()
    }

    /// The call of the schema builder.
    pub(super) fn expand(&self, model: &Model) -> TokenStream {
        let variant = Ident::new(self.kind.variant, self.option_name.span());
        let others = self.others.expand(model);
        quote!(.relation_to(::ferroform::schema::RelationKind::#variant, #others))
    }

    /// Assertions that all attributes of a sum or product are numbers.
    pub(super) fn assertions(&self, field: &Field, model: &Model) -> TokenStream {
        if self.kind.subject != Subject::Numbers {
            return TokenStream::new();
        }
        let named = model.related_fields(&self.others).into_iter();
        let all = named.chain([(self.option_name.clone(), field)]).map(|(name, field)| {
            let ty = &field.bare;
            quote_spanned!(name.span()=> const _: () = <#ty as ::ferroform::validators::NumberAttr>::__CHECKED;)
        });
        quote!(#(#all)*)
    }
}

impl Group {
    /// The attributes that are named, with their fields and the condition on them.
    pub(super) fn named_attributes<'a>(
        &self,
        model: &'a Model,
    ) -> Vec<(Ident, Option<&'a Field>, Requirement)> {
        let requirement =
            if self.variant == ALL_OR_NONE { Requirement::Configured } else { Requirement::Omittable };
        model.related(&self.members).into_iter().map(|(name, field)| (name, field, requirement)).collect()
    }

    /// The call of the schema builder.
    pub(super) fn expand(&self, model: &Model) -> TokenStream {
        let variant = Ident::new(self.variant, self.option_name.span());
        let members = self.members.expand(model);
        quote!(.group_with(::ferroform::schema::GroupRule::#variant, #members))
    }
}

impl RelatedAttributes {
    fn expand(&self, model: &Model) -> TokenStream {
        let names = attribute_names(&self.fields, model);
        let patterns = self.patterns.iter().filter(|it| !matches!(it, Expr::Lit(_))).map(|it| {
            let others = quote_spanned!(it.span()=> ::core::convert::Into::<::ferroform::Pattern>::into(#it));
            quote!(.and([#others]))
        });
        quote!(::ferroform::schema::RelatedAttributes::siblings(#names) #(#patterns)*)
    }
}
