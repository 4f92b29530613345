//! What the configuration sets together: `conflicts_with(a, pattern!(owner.name))`, `exactly_one_of(a, b)`.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::spanned::Spanned;
use syn::{Expr, Ident, Token};

use crate::ast::{Field, Model, Role};
use crate::attr::Words;
use crate::errors::Errors;
use crate::symbol;

/// An attribute that bears on others.
pub(crate) struct Relation {
    kind: &'static Kind,
    word: Ident,
    others: Others,
}

/// Fields that go together.
pub(crate) struct Group {
    /// The variant of `ferroform::schema::GroupRule`.
    variant: &'static str,
    word: Ident,
    members: Others,
}

/// Fields beside it, and patterns of what stands elsewhere.
pub(crate) struct Others {
    fields: Vec<Ident>,
    patterns: Vec<Expr>,
}

/// What must be true of what is named.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Wanted {
    /// That it is there.
    Anything,
    /// That the configuration can set it.
    Configured,
    /// And that it can be without it.
    Absent,
    /// That it is never stored.
    WriteOnly,
}

/// A word for a relation.
struct Kind {
    word: &'static str,
    /// The variant of `ferroform::schema::Kind`.
    variant: &'static str,
    about: About,
}

#[derive(PartialEq)]
enum About {
    /// What is set, and what is not.
    Presence,
    Numbers,
    WriteOnly,
}

static KINDS: [Kind; 9] = [
    Kind { word: symbol::CONFLICTS_WITH, variant: "ConflictsWith", about: About::Presence },
    Kind { word: symbol::REQUIRES, variant: "Requires", about: About::Presence },
    Kind { word: symbol::EXACTLY_ONE_OF, variant: "ExactlyOneOf", about: About::Presence },
    Kind { word: symbol::AT_LEAST_ONE_OF, variant: "AtLeastOneOf", about: About::Presence },
    Kind { word: symbol::PREFER_WRITE_ONLY, variant: "PreferWriteOnly", about: About::WriteOnly },
    Kind { word: symbol::AT_LEAST_SUM_OF, variant: "AtLeastSumOf", about: About::Numbers },
    Kind { word: symbol::AT_MOST_SUM_OF, variant: "AtMostSumOf", about: About::Numbers },
    Kind { word: symbol::EQUAL_TO_SUM_OF, variant: "EqualToSumOf", about: About::Numbers },
    Kind { word: symbol::EQUAL_TO_PRODUCT_OF, variant: "EqualToProductOf", about: About::Numbers },
];

const GROUPS: [(&str, &str); 4] = [
    (symbol::EXACTLY_ONE_OF, "ExactlyOne"),
    (symbol::AT_LEAST_ONE_OF, "AtLeastOne"),
    (symbol::CONFLICTING, "AtMostOne"),
    (symbol::REQUIRED_TOGETHER, ALL_OR_NONE),
];

const ALL_OR_NONE: &str = "AllOrNone";

/// What a field says.
pub(crate) fn relations(words: &mut Words, errors: &mut Errors) -> Vec<Relation> {
    let mut all = Vec::new();
    for kind in &KINDS {
        let said = words.others(kind.word, errors).into_iter();
        all.extend(said.map(|(word, others)| Relation { kind, word, others: others.into() }));
    }
    all
}

/// What a struct says.
pub(crate) fn groups(words: &mut Words, errors: &mut Errors) -> Vec<Group> {
    let mut all = Vec::new();
    for (name, variant) in GROUPS {
        let said = words.others(name, errors).into_iter();
        all.extend(said.map(|(word, members)| Group { variant, word, members: members.into() }));
    }
    all
}

impl From<Vec<Expr>> for Others {
    /// A name alone is a field's.
    fn from(given: Vec<Expr>) -> Others {
        let mut others = Others { fields: Vec::new(), patterns: Vec::new() };
        for it in given {
            match &it {
                Expr::Path(path) if path.path.get_ident().is_some() => {
                    others.fields.extend(path.path.get_ident().cloned());
                }
                _ => others.patterns.push(it),
            }
        }
        others
    }
}

/// Refuses what names no field beside, or one of which the configuration says nothing of interest.
pub(crate) fn check(model: &Model, errors: &mut Errors) {
    for group in &model.groups {
        check_group(group, model, errors);
    }
    for field in &model.fields {
        for relation in &field.relations {
            check_relation(relation, field, model, errors);
        }
    }
}

/// A text is neither.
fn check_patterns(others: &Others, errors: &mut Errors) {
    for it in others.patterns.iter().filter(|it| matches!(it, Expr::Lit(_))) {
        errors.at(it, "a field beside it is named without quotes, a place elsewhere by `pattern!(…)`");
    }
}

fn check_group(group: &Group, model: &Model, errors: &mut Errors) {
    let fields = &group.members.fields;
    check_patterns(&group.members, errors);
    crate::check::siblings(fields, model, errors);
    for (i, name) in fields.iter().enumerate() {
        if fields[..i].contains(name) {
            errors.at(name, format!("`{name}` is named twice"));
        }
        let Some(field) = model.own().find(|it| it.ident == *name) else { continue };
        computed_only(name, field, errors);
        if group.variant != ALL_OR_NONE {
            always_set(name, field, errors);
        }
    }
    if fields.len() + group.members.patterns.len() < 2 {
        errors.at(&group.word, format!("`{}` is about two or more", group.word));
    }
}

fn check_relation(relation: &Relation, field: &Field, model: &Model, errors: &mut Errors) {
    let Relation { kind, word, others } = relation;
    if matches!(field.role, Role::Computed) {
        let why = "only the provider writes it: the configuration cannot set it together with others";
        errors.at(word, why);
    }
    if kind.about == About::Presence && kind.word != symbol::REQUIRES && is_always_set(field) {
        errors.at(word, "it is required, so it is always set");
    }
    check_patterns(others, errors);
    crate::check::siblings(&others.fields, model, errors);
    for (name, other) in &others.beside(model) {
        if other.ident == field.ident {
            errors.at(name, format!("`{word}` names the field itself"));
            continue;
        }
        computed_only(name, other, errors);
        if kind.about == About::Presence {
            always_set(name, other, errors);
        }
        if kind.about == About::WriteOnly && !matches!(other.role, Role::WriteOnly) {
            errors.at(name, format!("`{name}` is not write-only"));
        }
    }
    if kind.about == About::WriteOnly && matches!(field.role, Role::WriteOnly) {
        errors.at(word, "it is write-only itself");
    }
}

fn computed_only(name: &Ident, field: &Field, errors: &mut Errors) {
    if matches!(field.role, Role::Computed) {
        errors.at(name, format!("only the provider writes `{name}`: the configuration cannot set it"));
    }
}

fn always_set(name: &Ident, field: &Field, errors: &mut Errors) {
    if is_always_set(field) {
        errors.at(name, format!("`{name}` is required, so it is always set"));
    }
}

/// Of a block only rustc knows: one that is no `Option` may be a list without elements.
pub(crate) fn is_always_set(field: &Field) -> bool {
    let is_plain = matches!(field.role, Role::Plain) && field.behaviour.default_with.is_none();
    is_plain && !field.is_option() && field.block.is_none()
}

impl Relation {
    pub(crate) fn word(&self) -> &Ident {
        &self.word
    }

    /// True where it is said of what can be left out.
    pub(crate) fn is_of_the_absent(&self) -> bool {
        self.kind.about == About::Presence && self.kind.word != symbol::REQUIRES
    }

    /// What is named beside it, with the field where it is one, and what it must be.
    pub(crate) fn mentions<'a>(&self, model: &'a Model) -> Vec<(Ident, Option<&'a Field>, Wanted)> {
        let wanted = match self.kind.about {
            About::Presence => Wanted::Absent,
            About::Numbers => Wanted::Configured,
            About::WriteOnly => Wanted::WriteOnly,
        };
        self.others.named(model).map(|(name, field)| (name, field, wanted)).collect()
    }

    /// The call of the builder.
    pub(crate) fn expand(&self, model: &Model) -> TokenStream {
        let variant = Ident::new(self.kind.variant, self.word.span());
        let others = self.others.expand(model);
        quote!(.relation_to(::ferroform::schema::RelationKind::#variant, #others))
    }

    /// That it is about numbers, where it must be.
    pub(crate) fn asserts(&self, field: &Field, model: &Model) -> TokenStream {
        if self.kind.about != About::Numbers {
            return TokenStream::new();
        }
        let named = self.others.beside(model).into_iter();
        let all = named.chain([(self.word.clone(), field)]).map(|(name, field)| {
            let ty = &field.bare;
            quote_spanned!(name.span()=> const _: () = ::ferroform::__private::number::<#ty>();)
        });
        quote!(#(#all)*)
    }
}

impl Group {
    /// What is named in it, with the field where it is one, and what it must be.
    pub(crate) fn mentions<'a>(&self, model: &'a Model) -> Vec<(Ident, Option<&'a Field>, Wanted)> {
        let wanted = if self.variant == ALL_OR_NONE { Wanted::Configured } else { Wanted::Absent };
        self.members.named(model).map(|(name, field)| (name, field, wanted)).collect()
    }

    /// The call of the builder.
    pub(crate) fn expand(&self, model: &Model) -> TokenStream {
        let variant = Ident::new(self.variant, self.word.span());
        let members = self.members.expand(model);
        quote!(.group_with(::ferroform::schema::GroupRule::#variant, #members))
    }
}

impl Others {
    /// The fields beside the one that says it, each where it is named: also as `pattern!(super.name)`.
    fn beside<'a>(&self, model: &'a Model) -> Vec<(Ident, &'a Field)> {
        self.named(model).filter_map(|(name, field)| Some((name, field?))).collect()
    }

    /// All that stands beside it or should, with the field where it is one: the rest may be flattened.
    fn named<'a>(&self, model: &'a Model) -> impl Iterator<Item = (Ident, Option<&'a Field>)> {
        let fields = self.fields.iter().map(|it| (it.clone(), model.own().find(|field| field.ident == *it)));
        let patterns = self.patterns.iter().filter_map(beside);
        let patterns = patterns.map(|it| {
            let field = model.own().find(|field| it == field.name);
            (it, field)
        });
        fields.chain(patterns)
    }

    fn expand(&self, model: &Model) -> TokenStream {
        let names = crate::expand::names(&self.fields, model);
        let patterns = self.patterns.iter().filter(|it| !matches!(it, Expr::Lit(_))).map(|it| {
            let others = quote_spanned!(it.span()=> ::core::convert::Into::<::ferroform::Pattern>::into(#it));
            quote!(.and([#others]))
        });
        quote!(::ferroform::schema::RelatedAttributes::siblings(#names) #(#patterns)*)
    }
}

/// The name in `pattern!(super.name)`: of what stands beside the field that says it.
fn beside(pattern: &Expr) -> Option<Ident> {
    let Expr::Macro(it) = pattern else { return None };
    let is_pattern = it.mac.path.segments.last()?.ident == "pattern";
    let parse = |input: ParseStream<'_>| {
        input.parse::<Token![super]>()?;
        input.parse::<Token![.]>()?;
        input.call(Ident::parse_any)
    };
    it.mac.parse_body_with(parse).ok().filter(|_| is_pattern)
}
