//! Relations between attributes: `conflicts_with(a, pattern!(owner.name))` on a field, `exactly_one_of(a, b)` on a
//! struct.

use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Expr, Ident, Token};

use crate::errors::Errors;
use crate::option_names;
use crate::options::Options;

/// A relation of an attribute to others.
pub(crate) struct Relation {
    pub(crate) kind: &'static Kind,
    pub(crate) option_name: Ident,
    pub(crate) others: RelatedAttributes,
}

/// A group of attributes.
pub(crate) struct Group {
    /// The variant of `ferroform::schema::GroupRule`.
    pub(crate) variant: &'static str,
    pub(crate) option_name: Ident,
    pub(crate) members: RelatedAttributes,
}

/// The attributes that a relation or group names: sibling fields, and path patterns.
pub(crate) struct RelatedAttributes {
    pub(crate) fields: Vec<Ident>,
    pub(crate) patterns: Vec<Expr>,
}

/// An option that defines a relation.
pub(crate) struct Kind {
    pub(crate) option_name: &'static str,
    /// The variant of `ferroform::schema::RelationKind`.
    pub(crate) variant: &'static str,
    pub(crate) subject: Subject,
}

/// The subject of a relation.
#[derive(PartialEq)]
pub(crate) enum Subject {
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

/// The variant of `required_together`.
pub(crate) const ALL_OR_NONE: &str = "AllOrNone";

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
    fn from(expressions: Vec<Expr>) -> RelatedAttributes {
        let mut others = RelatedAttributes { fields: Vec::new(), patterns: Vec::new() };
        for it in expressions {
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

impl Relation {
    /// Returns true if the relation needs an attribute that can be omitted.
    pub(crate) fn is_optional_required(&self) -> bool {
        self.kind.subject == Subject::Presence && self.kind.option_name != option_names::REQUIRES
    }
}

impl RelatedAttributes {
    /// The names of siblings in patterns: `pattern!(super.name)`.
    pub(crate) fn siblings_in_patterns(&self) -> impl Iterator<Item = Ident> {
        self.patterns.iter().filter_map(sibling)
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
