//! What the configuration sets together: `conflicts_with(a, pattern!(owner.name))`, `exactly_one_of(a, b)`.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::spanned::Spanned;
use syn::{Expr, Ident, Token};

use crate::ast::{Field, Model, Role};
use crate::errors::Errors;
use crate::option_names;
use crate::options::Options;

/// An attribute that bears on others.
pub(crate) struct Relation {
    kind: &'static Kind,
    word: Ident,
    others: RelatedAttributes,
}

/// Fields that go together.
pub(crate) struct Group {
    /// The variant of `ferroform::schema::Together`.
    variant: &'static str,
    word: Ident,
    members: RelatedAttributes,
}

/// Fields beside it, and patterns of what stands elsewhere.
pub(crate) struct RelatedAttributes {
    fields: Vec<Ident>,
    patterns: Vec<Expr>,
}

/// What must be true of what is named.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Requirement {
    /// That it is there.
    Exists,
    /// That the configuration can set it.
    Configured,
    /// And that it can be without it.
    Omittable,
    /// That it is never stored.
    WriteOnly,
}

/// A word for a relation.
struct Kind {
    word: &'static str,
    /// The variant of `ferroform::schema::Kind`.
    variant: &'static str,
    subject: Subject,
}

#[derive(PartialEq)]
enum Subject {
    /// What is set, and what is not.
    Presence,
    Numbers,
    WriteOnly,
}

static KINDS: [Kind; 9] = [
    Kind { word: option_names::CONFLICTS_WITH, variant: "ConflictsWith", subject: Subject::Presence },
    Kind { word: option_names::REQUIRES, variant: "Requires", subject: Subject::Presence },
    Kind { word: option_names::EXACTLY_ONE_OF, variant: "ExactlyOneOf", subject: Subject::Presence },
    Kind { word: option_names::AT_LEAST_ONE_OF, variant: "AtLeastOneOf", subject: Subject::Presence },
    Kind { word: option_names::PREFER_WRITE_ONLY, variant: "PreferWriteOnly", subject: Subject::WriteOnly },
    Kind { word: option_names::AT_LEAST_SUM_OF, variant: "AtLeastSumOf", subject: Subject::Numbers },
    Kind { word: option_names::AT_MOST_SUM_OF, variant: "AtMostSumOf", subject: Subject::Numbers },
    Kind { word: option_names::EQUAL_TO_SUM_OF, variant: "EqualToSumOf", subject: Subject::Numbers },
    Kind { word: option_names::EQUAL_TO_PRODUCT_OF, variant: "EqualToProductOf", subject: Subject::Numbers },
];

const GROUPS: [(&str, &str); 4] = [
    (option_names::EXACTLY_ONE_OF, "ExactlyOne"),
    (option_names::AT_LEAST_ONE_OF, "AtLeastOne"),
    (option_names::CONFLICTING, "AtMostOne"),
    (option_names::REQUIRED_TOGETHER, ALL_OR_NONE),
];

const ALL_OR_NONE: &str = "AllOrNone";

/// What a field says.
pub(crate) fn relations(options: &mut Options, errors: &mut Errors) -> Vec<Relation> {
    let mut all = Vec::new();
    for kind in &KINDS {
        let specified = options.others(kind.word, errors).into_iter();
        all.extend(specified.map(|(word, others)| Relation { kind, word, others: others.into() }));
    }
    all
}

/// What a struct says.
pub(crate) fn groups(options: &mut Options, errors: &mut Errors) -> Vec<Group> {
    let mut all = Vec::new();
    for (name, variant) in GROUPS {
        let specified = options.others(name, errors).into_iter();
        all.extend(specified.map(|(word, members)| Group { variant, word, members: members.into() }));
    }
    all
}

impl From<Vec<Expr>> for RelatedAttributes {
    /// A name alone is a field's.
    fn from(given: Vec<Expr>) -> RelatedAttributes {
        let mut others = RelatedAttributes { fields: Vec::new(), patterns: Vec::new() };
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
fn check_patterns(others: &RelatedAttributes, errors: &mut Errors) {
    for it in others.patterns.iter().filter(|it| matches!(it, Expr::Lit(_))) {
        errors
            .at(it, "name a field of this struct without quotes, and any other attribute with `pattern!(…)`");
    }
}

fn check_group(group: &Group, model: &Model, errors: &mut Errors) {
    let fields = &group.members.fields;
    check_patterns(&group.members, errors);
    crate::check::siblings(fields, model, errors);
    for (i, name) in fields.iter().enumerate() {
        if fields[..i].contains(name) {
            errors.at(name, format!("`{name}` is named more than once"));
        }
        let Some(field) = model.own().find(|it| it.ident == *name) else { continue };
        computed_only(name, field, errors);
        if group.variant != ALL_OR_NONE {
            always_set(name, field, errors);
        }
    }
    if fields.len() + group.members.patterns.len() < 2 {
        errors.at(&group.word, format!("`{}` needs at least two members", group.word));
    }
}

fn check_relation(relation: &Relation, field: &Field, model: &Model, errors: &mut Errors) {
    let Relation { kind, word, others } = relation;
    if matches!(field.role, Role::Computed) {
        let why = "this option has no effect on a computed-only attribute: the configuration cannot set it";
        errors.at(word, why);
    }
    if kind.subject == Subject::Presence && kind.word != option_names::REQUIRES && is_always_set(field) {
        errors.at(
            word,
            "this option has no effect on a required attribute or block: the configuration always sets it",
        );
    }
    check_patterns(others, errors);
    crate::check::siblings(&others.fields, model, errors);
    for (name, other) in &others.beside(model) {
        if other.ident == field.ident {
            errors.at(name, format!("`{word}` cannot name its own field"));
            continue;
        }
        computed_only(name, other, errors);
        if kind.subject == Subject::Presence {
            always_set(name, other, errors);
        }
        if kind.subject == Subject::WriteOnly && !matches!(other.role, Role::WriteOnly) {
            errors.at(name, format!("`{name}` is not write-only"));
        }
    }
    if kind.subject == Subject::WriteOnly && matches!(field.role, Role::WriteOnly) {
        errors.at(word, "`prefer_write_only` cannot be used on a write-only attribute");
    }
}

fn computed_only(name: &Ident, field: &Field, errors: &mut Errors) {
    if matches!(field.role, Role::Computed) {
        errors.at(name, format!("`{name}` is computed only: the configuration cannot set it"));
    }
}

fn always_set(name: &Ident, field: &Field, errors: &mut Errors) {
    if is_always_set(field) {
        errors.at(name, format!("`{name}` is required, so the configuration always sets it"));
    }
}

/// Of a block only rustc knows: one that is no `Option` may be a list without elements.
pub(crate) fn is_always_set(field: &Field) -> bool {
    let is_plain = matches!(field.role, Role::Plain) && field.behavior.default_with.is_none();
    is_plain && !field.is_option() && field.block.is_none()
}

impl Relation {
    pub(crate) fn word(&self) -> &Ident {
        &self.word
    }

    /// True where it is specified of what can be left out.
    pub(crate) fn needs_optional(&self) -> bool {
        self.kind.subject == Subject::Presence && self.kind.word != option_names::REQUIRES
    }

    /// What is named beside it, with the field where it is one, and what it must be.
    pub(crate) fn mentions<'a>(&self, model: &'a Model) -> Vec<(Ident, Option<&'a Field>, Requirement)> {
        let requirement = match self.kind.subject {
            Subject::Presence => Requirement::Omittable,
            Subject::Numbers => Requirement::Configured,
            Subject::WriteOnly => Requirement::WriteOnly,
        };
        self.others.named(model).map(|(name, field)| (name, field, requirement)).collect()
    }

    /// The call of the builder.
    pub(crate) fn expand(&self, model: &Model) -> TokenStream {
        let variant = Ident::new(self.kind.variant, self.word.span());
        let others = self.others.expand(model);
        quote!(.relates_to(::ferroform::schema::Kind::#variant, #others))
    }

    /// That it is about numbers, where it must be.
    pub(crate) fn asserts(&self, field: &Field, model: &Model) -> TokenStream {
        if self.kind.subject != Subject::Numbers {
            return TokenStream::new();
        }
        let named = self.others.beside(model).into_iter();
        let all = named.chain([(self.word.clone(), field)]).map(|(name, field)| {
            let ty = &field.bare;
            quote_spanned!(name.span()=> const _: () = ::ferroform::__private::assert_number::<#ty>();)
        });
        quote!(#(#all)*)
    }
}

impl Group {
    /// What is named in it, with the field where it is one, and what it must be.
    pub(crate) fn mentions<'a>(&self, model: &'a Model) -> Vec<(Ident, Option<&'a Field>, Requirement)> {
        let requirement =
            if self.variant == ALL_OR_NONE { Requirement::Configured } else { Requirement::Omittable };
        self.members.named(model).map(|(name, field)| (name, field, requirement)).collect()
    }

    /// The call of the builder.
    pub(crate) fn expand(&self, model: &Model) -> TokenStream {
        let variant = Ident::new(self.variant, self.word.span());
        let members = self.members.expand(model);
        quote!(.together_with(::ferroform::schema::Together::#variant, #members))
    }
}

impl RelatedAttributes {
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
        quote!(::ferroform::schema::Others::siblings(#names) #(#patterns)*)
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
