//! Attribute behaviors. A new behavior needs a variant, a position in [`GROUPS`], the fields for which it is valid
//! ([`Behavior::is_valid_for`]) and the call that adds it ([`Behavior::add_to`]). The coverage check then requires that
//! it is generated.

use std::collections::{BTreeMap, BTreeSet};

use ferroform::schema::{Attribute, AttributeExt as _, Mode, ValueChange};
use ferroform::value::Type;
use ferroform::{Attr, Known, Maybe, Unknown};

use crate::schema::{Field, FieldContext, Kind, name};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Behavior {
    Default,
    DefaultWith,
    WriteOnly,
    Key,
    SuppressDiff,
    SuppressOnRefresh,
    SemanticEq,
    UseState,
    UseNonNullState,
    /// Follows the previous field.
    Follows,
    PlanWith,
    RequiresReplace,
    RequiresReplaceIfConfigured,
}

use Behavior::*;

/// Groups of behaviors that exclude each other, with the percentage of fields that get one of them.
pub(crate) const GROUPS: [(u64, &[Behavior]); 5] = [
    (60, &[Default, DefaultWith, WriteOnly]),
    (30, &[Key]),
    (35, &[SuppressDiff, SuppressOnRefresh, SemanticEq]),
    (80, &[UseState, UseNonNullState, Follows, PlanWith]),
    (15, &[RequiresReplace, RequiresReplaceIfConfigured]),
];

impl Behavior {
    /// Returns true if the behavior is valid for the field in addition to its previous ones.
    pub(crate) fn is_valid_for(self, field: &Field, context: &FieldContext) -> bool {
        let is_string = matches!(field.kind, Kind::String);
        let is_stored = !field.has(WriteOnly);
        let is_configurable = field.mode.is_configurable() && is_stored;
        let is_simple = !field.is_nested();
        match self {
            // The default must differ from every configured value, because equal set elements are rejected. There is no
            // such bool.
            Default => {
                let equals_configured_value = context.in_set && matches!(field.kind, Kind::Bool);
                field.mode == Mode::Optional && is_simple && !equals_configured_value
            }
            DefaultWith => field.mode == Mode::Optional && is_string,
            // Terraform does not support write-only values in sets.
            WriteOnly => {
                field.mode == Mode::Optional
                    && is_simple
                    && !context.in_set
                    && !matches!(field.kind, Kind::Set)
            }
            Key => {
                !context.is_root && is_configurable && field.is_scalar() && !matches!(field.kind, Kind::Bool)
            }
            SuppressDiff | SuppressOnRefresh => is_string && is_configurable,
            SemanticEq => is_stored && (is_string || matches!(field.kind, Kind::List)),
            UseState | UseNonNullState => field.mode.is_computed(),
            Follows => field.mode.is_computed() && field.index > 0,
            PlanWith => field.mode.is_computed() && is_string,
            RequiresReplace => is_configurable,
            RequiresReplaceIfConfigured => is_configurable && !field.is_block,
        }
    }

    /// Adds the behavior to the attribute.
    pub(crate) fn add_to(self, field: &Field, it: Attribute) -> Attribute {
        match self {
            Default => with_default(&field.kind, it),
            DefaultWith => it.default_with::<String, _>(|| Some("found".to_owned())),
            WriteOnly => it.write_only(),
            Key => it.key(),
            SuppressDiff => it.suppress_diff::<String, _>(str::eq_ignore_ascii_case),
            SuppressOnRefresh => {
                it.suppress_diff::<String, _>(str::eq_ignore_ascii_case).suppress_on_refresh()
            }
            SemanticEq if *it.ty() == Type::String => it.semantic_eq::<String, _>(str::eq_ignore_ascii_case),
            SemanticEq => it.semantic_eq::<Vec<String>, _>(in_any_order),
            UseState => it.use_state_for_unknown(),
            UseNonNullState => it.use_non_null_state_for_unknown(),
            Follows => it.follows([name(field.index - 1)]),
            PlanWith => it.plan_with::<String, _>(longer),
            RequiresReplace => it.requires_replace(),
            RequiresReplaceIfConfigured => it.requires_replace_if_configured(),
        }
    }
}

/// A string that is compared without regard to case.
#[derive(Attr, Clone, Debug)]
pub(crate) struct CaseInsensitive(String);

impl PartialEq for CaseInsensitive {
    fn eq(&self, other: &CaseInsensitive) -> bool {
        self.0.eq_ignore_ascii_case(&other.0)
    }
}

fn in_any_order(old: &[String], new: &[String]) -> bool {
    let sorted = |it: &[String]| it.iter().cloned().collect::<BTreeSet<_>>();
    old.len() == new.len() && sorted(old) == sorted(new)
}

/// Plans another value or keeps the planned one, depending on the prior value.
fn longer(it: &ValueChange<String>) -> Maybe<Option<String>> {
    match (&it.plan, &it.prior) {
        (Unknown, Some(prior)) if prior.len() < 4 => Known(Some(format!("{prior}!"))),
        _ => it.as_planned(),
    }
}

/// Returns a default that no configuration contains; see [`Behavior::is_valid_for`].
fn with_default(kind: &Kind, it: Attribute) -> Attribute {
    match kind {
        Kind::String => it.default::<String>(|| "default".to_owned()),
        Kind::CaseInsensitive => it.default::<CaseInsensitive>(|| CaseInsensitive("Default".to_owned())),
        Kind::Number => it.default::<u64>(|| 7),
        Kind::Bool => it.default::<bool>(|| false),
        Kind::List => it.default::<Vec<String>>(|| vec!["x".to_owned()]),
        Kind::Set => it.default::<BTreeSet<String>>(|| BTreeSet::from(["x".to_owned()])),
        Kind::Map => {
            it.default::<BTreeMap<String, String>>(|| BTreeMap::from([("k".to_owned(), "x".to_owned())]))
        }
        Kind::Objects(..) => unreachable!("a default does not fit nested objects"),
    }
}
