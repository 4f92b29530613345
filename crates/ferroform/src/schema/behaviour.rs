//! How an attribute behaves in a plan, where a function of the author's says so.

use std::borrow::Borrow;
use std::fmt;
use std::sync::Arc;

use ferroform_value::convert::{Availability, availability};
use ferroform_value::{Type, Value};

use super::default::Default;
use super::relation::Relation;
use super::{Attribute, Keep, Mode, Planner, Replace, Sight};
use crate::rule::{Rule, other_type};
use crate::view::{InConfig, InProposed};
use crate::{Attr, Maybe};

/// What a function says of two values.
type Same = dyn Fn(&Value, &Value) -> bool + Send + Sync;

/// Tells whether there is nothing to be done for two values.
#[derive(Clone)]
pub(crate) struct Compare {
    /// The type that it compares.
    ty: fn() -> Type,
    same: Arc<Same>,
}

impl Compare {
    /// What the function says of these two.
    pub(crate) fn holds(&self, old: &Value, new: &Value) -> bool {
        (self.same)(old, new)
    }
}

/// Judges what the configuration says, what there was before, and what is planned.
type Judge = dyn Fn(&Value, &Value, &Value) -> bool + Send + Sync;

/// What compares two values of the type `T`: a function `fn(&T, &T) -> bool`.
///
/// `How` is what the function borrows: a `fn(&str, &str) -> bool` compares two `String`s.
#[diagnostic::on_unimplemented(
    message = "this cannot compare two values of the type `{T}`",
    label = "does not compare `{T}`",
    note = "what compares is a function `fn(&{T}, &{T}) -> bool`"
)]
pub trait Compares<T, How>: Send + Sync + 'static {
    /// The outcome for two values, the older first.
    fn compare(&self, old: &T, new: &T) -> bool;
}

impl<T, B, F> Compares<T, fn(&B)> for F
where
    T: Borrow<B>,
    B: ?Sized,
    F: Fn(&B, &B) -> bool + Send + Sync + 'static,
{
    fn compare(&self, old: &T, new: &T) -> bool {
        self(old.borrow(), new.borrow())
    }
}

/// Used by the derive: tells a closure what it compares.
#[doc(hidden)]
pub fn compares<T>(
    f: impl Fn(&T, &T) -> bool + Send + Sync + 'static,
) -> impl Fn(&T, &T) -> bool + Send + Sync + 'static {
    f
}

/// What does not parse is like nothing.
fn erase<T: Attr, How>(it: impl Compares<T, How>, of: &Type) -> Compare {
    let sight = Sight::of::<T>(of);
    let read = move |it: &Value| T::from_value(&sight.given(it));
    let same = move |old: &Value, new: &Value| match (read(old), read(new)) {
        (Ok(old), Ok(new)) => it.compare(&old, &new),
        _ => false,
    };
    Compare { ty: T::ty, same: Arc::new(same) }
}

/// A change of one attribute of the type `T`, for [`requires_replace_if`](Attribute::requires_replace_if) and
/// [`plan_with`](Attribute::plan_with).
#[derive(Clone, Debug, PartialEq)]
pub struct ValueChange<T: Attr> {
    /// What the configuration says: none where it says nothing.
    pub config: Maybe<Option<T::In<InConfig>>>,
    /// What it is; none where it is null, or its object is new.
    pub prior: Option<T>,
    /// What it will be; none where it will be null.
    pub plan: Maybe<Option<T::In<InProposed>>>,
}

/// Tells whether a change of an attribute needs a new object: [`Replace::If`].
#[derive(Clone)]
pub struct Condition {
    /// The type of the change that it judges.
    ty: fn() -> Type,
    judge: Arc<Judge>,
}

impl Condition {
    /// What the function says of the change from one value to the other.
    pub(crate) fn holds(&self, config: &Value, prior: &Value, planned: &Value) -> bool {
        (self.judge)(config, prior, planned)
    }
}

/// Two are equal where they are the same.
impl PartialEq for Condition {
    fn eq(&self, other: &Condition) -> bool {
        Arc::ptr_eq(&self.judge, &other.judge)
    }
}

impl fmt::Debug for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Condition")
    }
}

/// What is said of an attribute beyond its type and who writes it. Most have nothing of it.
// Providers with thousands of types make and drop a hundred thousand attributes: what few of them have stands apart.
#[derive(Clone)]
pub struct Behaviour {
    /// What to use instead, where it is deprecated.
    pub deprecated: Option<String>,
    /// What becomes of its computed value when something else changes.
    pub keep: Keep,
    /// When a change of it needs a new object.
    pub replace: Replace,
    /// What its known values must obey.
    pub rules: Vec<Rule<Value>>,
    /// How it bears on other attributes of the configuration.
    pub relations: Vec<Relation>,
    /// How many elements there must be at least, where the configuration sets it.
    pub min_items: u64,
    /// How many elements there may be at most; 0 for any number.
    pub max_items: u64,
    pub(crate) default: Option<Default>,
    pub(crate) suppress: Option<Compare>,
    pub(crate) suppress_on_refresh: bool,
    pub(crate) means: Option<Compare>,
    pub(crate) plan_with: Option<Planner>,
}

impl Behaviour {
    pub(super) const NOTHING: Behaviour = Behaviour {
        deprecated: None,
        keep: Keep::Recompute,
        replace: Replace::Never,
        rules: Vec::new(),
        relations: Vec::new(),
        min_items: 0,
        max_items: 0,
        default: None,
        suppress: None,
        suppress_on_refresh: false,
        means: None,
        plan_with: None,
    };
}

impl fmt::Debug for Behaviour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Behaviour")
            .field("keep", &self.keep)
            .field("replace", &self.replace)
            .field("default", &self.default)
            .finish_non_exhaustive()
    }
}

impl Attribute {
    /// Plans no change where the function answers true for the prior value and the new one.
    ///
    /// It is asked only of two values that differ, are known to the last part and not null: never of an object
    /// that is new. Where it answers true, the prior value is planned, which Terraform's core allows.
    #[must_use]
    pub fn suppress_diff<T: Attr, How: 'static>(mut self, f: impl Compares<T, How>) -> Attribute {
        let compare = erase::<T, How>(f, &self.ty);
        self.behaviour_mut().suppress = Some(compare);
        self
    }

    /// Asks the function of [`suppress_diff`](Attribute::suppress_diff) after a read too: where it answers true
    /// for what the state has and what was read, the state stays.
    #[must_use]
    pub fn suppress_on_refresh(mut self) -> Attribute {
        self.behaviour_mut().suppress_on_refresh = true;
        self
    }

    /// Says when two values mean the same, in addition to what their type says. Where they do, the one that is
    /// there already stays: in a plan, and after each method that answers a value.
    #[must_use]
    pub fn semantic_eq<T: Attr, How: 'static>(mut self, f: impl Compares<T, How>) -> Attribute {
        let compare = erase::<T, How>(f, &self.ty);
        self.behaviour_mut().means = Some(compare);
        self
    }

    /// A change of it needs a new object where the function answers true.
    ///
    /// What is not known yet may turn out to be anything: answer true for it, unless it cannot matter. An update
    /// that turns out to need a new object is one that Terraform refuses.
    #[must_use]
    pub fn requires_replace_if<T: Attr>(
        mut self,
        f: impl Fn(&ValueChange<T>) -> bool + Send + Sync + 'static,
    ) -> Attribute {
        let sight = Sight::of::<T>(&self.ty);
        let judge = move |config: &Value, prior: &Value, planned: &Value| {
            let config = Maybe::<Option<T::In<InConfig>>>::from_value(&sight.given(config));
            let prior = Option::<T>::from_value(&sight.given(prior));
            let plan = Maybe::<Option<T::In<InProposed>>>::from_value(&sight.given(planned));
            match (config, prior, plan) {
                (Ok(config), Ok(prior), Ok(plan)) => f(&ValueChange { config, prior, plan }),
                // A state that its own type cannot read: nothing is known of what may stay.
                _ => true,
            }
        };
        self.behaviour_mut().replace = Replace::If(Condition { ty: T::ty, judge: Arc::new(judge) });
        self
    }

    /// Tells which element of a list or set an object is, together with the other keys beside it: elements of
    /// the state and the configuration with the same keys are the same element.
    #[must_use]
    pub fn key(mut self) -> Attribute {
        self.key = true;
        self
    }

    /// What its behaviours must not be, with its mode or with each other.
    pub(super) fn wrong_behaviours(&self) -> Vec<String> {
        let only_computed = self.mode == Mode::Computed;
        let compares = self.behaviour().suppress.is_some() || self.behaviour().means.is_some();
        let text = self.behaviour().default.as_ref().is_some_and(|it| it.is_text);
        let all = [
            (
                only_computed && self.behaviour().suppress.is_some(),
                "only the provider writes it, so there is no change of the configuration to suppress",
            ),
            (
                self.write_only && compares,
                "what is write-only is not stored, so there is nothing to compare it with",
            ),
            (
                self.behaviour().suppress_on_refresh && self.behaviour().suppress.is_none(),
                "without `suppress_diff` there is nothing to suppress after a read",
            ),
            (
                only_computed && self.nested.is_some() && matches!(self.behaviour().replace, Replace::If(_)),
                "only the provider writes it: the configuration cannot change it",
            ),
            (
                self.key && (only_computed || self.write_only),
                "a key is what the configuration says and the state holds: it is neither computed nor write-only",
            ),
            (
                text && availability(&Type::String, &self.ty) == Availability::None,
                "an environment variable holds one text, which cannot become a value of its type",
            ),
        ];
        let wrong = all.into_iter().filter(|(is_wrong, _)| *is_wrong).map(|(_, why)| why);
        wrong.chain(self.wrong_plan()).map(str::to_owned).collect()
    }

    /// Which of the author's functions are for values of another type.
    pub(super) fn wrong_types(&self) -> Vec<String> {
        let said = self.behaviour();
        let condition = if let Replace::If(it) = &said.replace { Some(it.ty) } else { None };
        let all = [
            ("requires_replace_if", condition),
            ("suppress_diff", said.suppress.as_ref().map(|it| it.ty)),
            ("semantic_eq", said.means.as_ref().map(|it| it.ty)),
            ("plan_with", said.plan_with.as_ref().map(|it| it.ty)),
            ("default_with", said.default.as_ref().and_then(|it| it.ty)),
        ];
        let wrong = all.into_iter().filter_map(|(word, of)| {
            let why = other_type(&of?(), &self.ty)?;
            Some(format!("the function of `{word}` makes no sense: {why}"))
        });
        wrong.collect()
    }

    /// True where it says something that only an attribute can: a block has no value of its own.
    pub(super) fn is_more_than_block(&self) -> bool {
        self.key
            || self.behaviour().suppress.is_some()
            || self.behaviour().means.is_some()
            || self.behaviour().plan_with.is_some()
            || matches!(self.behaviour().replace, Replace::If(_))
    }

    /// True where its computed value may stay though something else changes.
    pub(crate) fn is_kept(&self) -> bool {
        self.behaviour().keep != Keep::Recompute
    }

    /// True where its value has parts, of which some may be known and others not.
    pub(crate) fn has_parts(&self) -> bool {
        !matches!(self.ty, Type::Bool | Type::Number | Type::String)
    }

    /// True where there is nothing to be done for the change of a value: both are known and not null.
    pub(crate) fn suppresses(&self, prior: &Value, new: &Value) -> bool {
        self.behaviour().suppress.as_ref().is_some_and(|f| {
            let comparable = |it: &Value| !it.is_null() && it.is_wholly_known();
            prior != new && comparable(prior) && comparable(new) && f.holds(prior, new)
        })
    }
}
