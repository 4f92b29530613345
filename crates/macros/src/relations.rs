//! Relations between attributes: `conflicts_with(a, pattern!(owner.name))` on a field, `exactly_one_of(a, b)` on a struct.

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

/// A relation of an attribute to others.
pub(crate) struct Relation {
    kind: &'static Kind,
    option_name: Ident,
    others: RelatedAttributes,
}

/// A group of attributes.
pub(crate) struct Group {
    /// The variant of `ferroform::schema::GroupRule`.
    variant: &'static str,
    option_name: Ident,
    members: RelatedAttributes,
}

/// The attributes that a relation or group names: sibling fields, and path patterns.
pub(crate) struct RelatedAttributes {
    fields: Vec<Ident>,
    patterns: Vec<Expr>,
}

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

/// An option that defines a relation.
struct Kind {
    option_name: &'static str,
    /// The variant of `ferroform::schema::Kind`.
    variant: &'static str,
    subject: Subject,
}

#[derive(PartialEq)]
enum Subject {
    /// Whether attributes are set.
    Presence,
    Numbers,
    WriteOnly,
}

static KINDS: [Kind; 9] = [
    Kind { option_name: option_names::CONFLICTS_WITH, variant: "ConflictsWith", subject: Subject::Presence },
    Kind { option_name: option_names::REQUIRES, variant: "Requires", subject: Subject::Presence },
    Kind { option_name: option_names::EXACTLY_ONE_OF, variant: "ExactlyOneOf", subject: Subject::Presence },
    Kind { option_name: option_names::AT_LEAST_ONE_OF, variant: "AtLeastOneOf", subject: Subject::Presence },
    Kind {
        option_name: option_names::PREFER_WRITE_ONLY,
        variant: "PreferWriteOnly",
        subject: Subject::WriteOnly,
    },
    Kind { option_name: option_names::AT_LEAST_SUM_OF, variant: "AtLeastSumOf", subject: Subject::Numbers },
    Kind { option_name: option_names::AT_MOST_SUM_OF, variant: "AtMostSumOf", subject: Subject::Numbers },
    Kind { option_name: option_names::EQUAL_TO_SUM_OF, variant: "EqualToSumOf", subject: Subject::Numbers },
    Kind {
        option_name: option_names::EQUAL_TO_PRODUCT_OF,
        variant: "EqualToProductOf",
        subject: Subject::Numbers,
    },
];

const GROUPS: [(&str, &str); 4] = [
    (option_names::EXACTLY_ONE_OF, "ExactlyOne"),
    (option_names::AT_LEAST_ONE_OF, "AtLeastOne"),
    (option_names::CONFLICTING, "AtMostOne"),
    (option_names::REQUIRED_TOGETHER, ALL_OR_NONE),
];

const ALL_OR_NONE: &str = "AllOrNone";

/// Parses the relations of a field.
pub(crate) fn relations(options: &mut Options, errors: &mut Errors) -> Vec<Relation> {
    let mut all = Vec::new();
    for kind in &KINDS {
        let found = options.others(kind.option_name, errors).into_iter();
        all.extend(found.map(|(option_name, others)| Relation { kind, option_name, others: others.into() }));
    }
    all
}

/// Parses the groups of a struct.
pub(crate) fn groups(options: &mut Options, errors: &mut Errors) -> Vec<Group> {
    let mut all = Vec::new();
    for (name, variant) in GROUPS {
        let found = options.others(name, errors).into_iter();
        all.extend(found.map(|(option_name, members)| Group {
            variant,
            option_name,
            members: members.into(),
        }));
    }
    all
}

impl From<Vec<Expr>> for RelatedAttributes {
    /// A single identifier names a field; any other expression is a path pattern.
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

/// Rejects unknown fields, and attributes that cannot take part in the relation.
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

/// Rejects string literals.
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
        errors.at(&group.option_name, format!("`{}` needs at least two members", group.option_name));
    }
}

fn check_relation(relation: &Relation, field: &Field, model: &Model, errors: &mut Errors) {
    let Relation { kind, option_name, others } = relation;
    if matches!(field.role, Role::Computed) {
        let why = "this option has no effect on a computed-only attribute: the configuration cannot set it";
        errors.at(option_name, why);
    }
    if kind.subject == Subject::Presence && kind.option_name != option_names::REQUIRES && is_always_set(field)
    {
        errors.at(
            option_name,
            "this option has no effect on a required attribute or block: the configuration always sets it",
        );
    }
    check_patterns(others, errors);
    crate::check::siblings(&others.fields, model, errors);
    for (name, other) in &others.fields_of(model) {
        if other.ident == field.ident {
            errors.at(name, format!("`{option_name}` cannot name its own field"));
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
        errors.at(option_name, "`prefer_write_only` cannot be used on a write-only attribute");
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

/// Returns true if every configuration sets the attribute. For a block, this depends on its type: a collection may be empty.
pub(crate) fn is_always_set(field: &Field) -> bool {
    let is_plain = matches!(field.role, Role::Plain) && field.behavior.default_with.is_none();
    is_plain && !field.is_option() && field.block.is_none()
}

impl Relation {
    pub(crate) fn option_name(&self) -> &Ident {
        &self.option_name
    }

    /// Returns true if the relation needs an attribute that can be omitted.
    pub(crate) fn needs_optional(&self) -> bool {
        self.kind.subject == Subject::Presence && self.kind.option_name != option_names::REQUIRES
    }

    /// The sibling attributes that are named, with their fields and the condition on them.
    pub(crate) fn mentions<'a>(&self, model: &'a Model) -> Vec<(Ident, Option<&'a Field>, Requirement)> {
        let requirement = match self.kind.subject {
            Subject::Presence => Requirement::Omittable,
            Subject::Numbers => Requirement::Configured,
            Subject::WriteOnly => Requirement::WriteOnly,
        };
        self.others.named(model).map(|(name, field)| (name, field, requirement)).collect()
    }

    /// The call of the schema builder.
    pub(crate) fn expand(&self, model: &Model) -> TokenStream {
        let variant = Ident::new(self.kind.variant, self.option_name.span());
        let others = self.others.expand(model);
        quote!(.relation_to(::ferroform::schema::RelationKind::#variant, #others))
    }

    /// Assertions that all attributes of a sum or product are numbers.
    pub(crate) fn assertions(&self, field: &Field, model: &Model) -> TokenStream {
        if self.kind.subject != Subject::Numbers {
            return TokenStream::new();
        }
        let named = self.others.fields_of(model).into_iter();
        let all = named.chain([(self.option_name.clone(), field)]).map(|(name, field)| {
            let ty = &field.bare;
            quote_spanned!(name.span()=> const _: () = ::ferroform::__private::assert_number::<#ty>();)
        });
        quote!(#(#all)*)
    }
}

impl Group {
    /// The attributes that are named, with their fields and the condition on them.
    pub(crate) fn mentions<'a>(&self, model: &'a Model) -> Vec<(Ident, Option<&'a Field>, Requirement)> {
        let requirement =
            if self.variant == ALL_OR_NONE { Requirement::Configured } else { Requirement::Omittable };
        self.members.named(model).map(|(name, field)| (name, field, requirement)).collect()
    }

    /// The call of the schema builder.
    pub(crate) fn expand(&self, model: &Model) -> TokenStream {
        let variant = Ident::new(self.variant, self.option_name.span());
        let members = self.members.expand(model);
        quote!(.group_with(::ferroform::schema::GroupRule::#variant, #members))
    }
}

impl RelatedAttributes {
    /// The named sibling fields, including those of `pattern!(super.name)`.
    fn fields_of<'a>(&self, model: &'a Model) -> Vec<(Ident, &'a Field)> {
        self.named(model).filter_map(|(name, field)| Some((name, field?))).collect()
    }

    /// The named siblings, with their fields; a sibling without a field may belong to a flattened model.
    fn named<'a>(&self, model: &'a Model) -> impl Iterator<Item = (Ident, Option<&'a Field>)> {
        let fields = self.fields.iter().map(|it| (it.clone(), model.own().find(|field| field.ident == *it)));
        let patterns = self.patterns.iter().filter_map(sibling);
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

/// The name in `pattern!(super.name)`, which names a sibling.
fn sibling(pattern: &Expr) -> Option<Ident> {
    let Expr::Macro(it) = pattern else { return None };
    let is_pattern = it.mac.path.segments.last()?.ident == "pattern";
    let parse = |input: ParseStream<'_>| {
        input.parse::<Token![super]>()?;
        input.parse::<Token![.]>()?;
        input.call(Ident::parse_any)
    };
    it.mac.parse_body_with(parse).ok().filter(|_| is_pattern)
}
