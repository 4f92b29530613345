//! What is said of a field. A new behaviour is a variant, a place in [`GROUPS`], where it [fits](Behavior::fits) and
//! [what is called](Behavior::say) for it; that it comes up is asserted by itself.

use std::collections::{BTreeMap, BTreeSet};

use ferroform::schema::{Attribute, AttributeExt as _, Mode, ValueChange};
use ferroform::value::Type;
use ferroform::{Attr, Known, Maybe, Unknown};

use crate::schema::{Field, Kind, Place, name};

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
    /// The field that is declared before it.
    Follows,
    PlanWith,
    RequiresReplace,
    RequiresReplaceIfConfigured,
}

use Behavior::*;

/// Of each group one at most is said, and how often, in percent of the fields that one of it fits.
pub(crate) const GROUPS: [(u64, &[Behavior]); 5] = [
    (60, &[Default, DefaultWith, WriteOnly]),
    (30, &[Key]),
    (35, &[SuppressDiff, SuppressOnRefresh, SemanticEq]),
    (80, &[UseState, UseNonNullState, Follows, PlanWith]),
    (15, &[RequiresReplace, RequiresReplaceIfConfigured]),
];

impl Behavior {
    /// True where it can be said of the field, beside what was said of it before.
    pub(crate) fn fits(self, field: &Field, place: &Place) -> bool {
        let is_text = matches!(field.kind, Kind::Text);
        let is_stored = !field.says(WriteOnly);
        let is_configurable = field.mode.is_configurable() && is_stored;
        let is_simple = !field.is_nested();
        match self {
            // With a default that others have written two elements of a set may be the same, which is refused; of a
            // bool there is no other.
            Default => {
                let would_be_same = place.in_set && matches!(field.kind, Kind::Bool);
                field.mode == Mode::Optional && is_simple && !would_be_same
            }
            DefaultWith => field.mode == Mode::Optional && is_text,
            // Of what is in a set nothing can be write-only, a set as a whole neither.
            WriteOnly => {
                field.mode == Mode::Optional && is_simple && !place.in_set && !matches!(field.kind, Kind::Set)
            }
            Key => {
                !place.is_root && is_configurable && field.is_scalar() && !matches!(field.kind, Kind::Bool)
            }
            SuppressDiff | SuppressOnRefresh => is_text && is_configurable,
            SemanticEq => is_stored && (is_text || matches!(field.kind, Kind::List)),
            UseState | UseNonNullState => field.mode.is_computed(),
            Follows => field.mode.is_computed() && field.index > 0,
            PlanWith => field.mode.is_computed() && is_text,
            RequiresReplace => is_configurable,
            RequiresReplaceIfConfigured => is_configurable && !field.is_block,
        }
    }

    /// Says it of the attribute.
    pub(crate) fn say(self, field: &Field, it: Attribute) -> Attribute {
        match self {
            Default => with_default(&field.kind, it),
            DefaultWith => it.default_with::<String, _>(|| Some("found".to_owned())),
            WriteOnly => it.write_only(),
            Key => it.key(),
            SuppressDiff => it.suppress_diff::<String, _>(str::eq_ignore_ascii_case),
            SuppressOnRefresh => {
                it.suppress_diff::<String, _>(str::eq_ignore_ascii_case).suppress_on_refresh()
            }
            SemanticEq if it.ty == Type::String => it.semantic_eq::<String, _>(str::eq_ignore_ascii_case),
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

/// A text in any case of letters, as its type says.
#[derive(Attr, Clone, Debug)]
pub(crate) struct AnyCase(String);

impl PartialEq for AnyCase {
    fn eq(&self, other: &AnyCase) -> bool {
        self.0.eq_ignore_ascii_case(&other.0)
    }
}

fn in_any_order(old: &[String], new: &[String]) -> bool {
    let sorted = |it: &[String]| it.iter().cloned().collect::<BTreeSet<_>>();
    old.len() == new.len() && sorted(old) == sorted(new)
}

/// Plans something of its own, keeps to what is planned, or leaves it open: each now and then.
fn longer(it: &ValueChange<String>) -> Maybe<Option<String>> {
    match (&it.plan, &it.prior) {
        (Unknown, Some(prior)) if prior.len() < 4 => Known(Some(format!("{prior}!"))),
        _ => it.as_planned(),
    }
}

/// Nothing that a configuration says: see [`Behavior::fits`].
fn with_default(kind: &Kind, it: Attribute) -> Attribute {
    match kind {
        Kind::Text => it.default::<String>(|| "given".to_owned()),
        Kind::AnyCase => it.default::<AnyCase>(|| AnyCase("Given".to_owned())),
        Kind::Number => it.default::<u64>(|| 7),
        Kind::Bool => it.default::<bool>(|| false),
        Kind::List => it.default::<Vec<String>>(|| vec!["x".to_owned()]),
        Kind::Set => it.default::<BTreeSet<String>>(|| BTreeSet::from(["x".to_owned()])),
        Kind::Map => {
            it.default::<BTreeMap<String, String>>(|| BTreeMap::from([("k".to_owned(), "x".to_owned())]))
        }
        Kind::Objects(..) => unreachable!("it fits no nested object"),
    }
}
