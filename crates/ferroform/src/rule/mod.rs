//! Rules for the values of attributes: what `#[attr(validate = …)]` takes.
//!
//! A rule is a function of a reference to the value, or one of those made here:
//!
//! ```
//! use ferroform::Model;
//! use ferroform::rule::{between, each, length_at_most, matches, one_of, size_at_least};
//!
//! /// A machine.
//! #[derive(Model, Clone, Debug, PartialEq)]
//! struct Machine {
//!     /// Its name.
//!     #[attr(validate = matches("^[a-z]+$", "only lowercase letters are allowed"))]
//!     name: String,
//!     /// How large it is.
//!     #[attr(validate = one_of(["small", "large"]))]
//!     size: Option<String>,
//!     /// How many of them.
//!     #[attr(default = 1, validate = between(1, 10))]
//!     count: i64,
//!     /// What they are for.
//!     #[attr(validate = size_at_least(1), validate = each(length_at_most(20)))]
//!     tags: Option<Vec<String>>,
//!     /// The user that owns it.
//!     #[attr(validate = not_root)]
//!     owner: Option<String>,
//! }
//!
//! fn not_root(user: &str) -> Result<(), &'static str> {
//!     if user == "root" { Err("a user other than root is required") } else { Ok(()) }
//! }
//! ```
//!
//! A rule sees known values only: null and unknown never reach it. What is in the `validators` packages of the
//! Go framework is here by the same names.

mod collections;
mod combine;
mod early;
mod kinds;
mod numbers;
mod objects;
mod strings;

use std::any::{Any, TypeId};
use std::borrow::Borrow;
use std::fmt;
use std::marker::PhantomData;
use std::sync::{Arc, LazyLock};

use ferroform_value::{Error, Object, Refinements, Type, Value};

use crate::diag::sentence;
use crate::engine::planning::defaults::{self, Which};
use crate::schema::{Nested, Sight};
use crate::{Attr, Diagnostic, Diagnostics};

pub(crate) use self::collections::items;
pub use self::collections::{
    Elements, Keyed, each, each_key, no_null_values, size_at_least, size_at_most, size_between, unique_values,
};
pub use self::combine::{all, any, any_with_all_warnings, not, warning};
pub use self::combine::{equals, none_of, one_of};
pub use self::kinds::{Numeric, Text, number};
pub use self::numbers::{at_least, at_most, between};
pub use self::objects::configured;
pub use self::strings::{
    json, length_at_least, length_at_most, length_between, matches, none_of_case_insensitive,
    one_of_case_insensitive, utf8_length_at_least, utf8_length_at_most, utf8_length_between,
};

/// How a rule for values of any type takes an object whose type is known at run time only. Of several the last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Takes {
    /// As it is: it looks at the [`Value`] itself.
    #[default]
    Bare,
    /// With its type, as a [`Dynamic`](crate::Dynamic).
    Typed,
    /// With its type and every default.
    Filled,
}

type Judge = dyn Fn(&Value) -> Result<(), Diagnostics> + Send + Sync;
type Early = dyn Fn(&Refinements) -> Result<(), Diagnostics> + Send + Sync;
type Fault = dyn Fn(&Type) -> Option<String> + Send + Sync;

/// A rule for the known values of an attribute of the type `T`.
pub struct Rule<T> {
    judge: Arc<Judge>,
    /// What is wrong with a value of which only this much is known.
    early: Option<Arc<Early>>,
    /// What is wrong with the rule itself, where it is for values of this type.
    fault: Option<Arc<Fault>>,
    partial: bool,
    text: Arc<str>,
    /// True where what it says of a value cannot hold the value.
    constant: bool,
    takes: Takes,
    of: PhantomData<fn(&T)>,
}

impl<T> Rule<T> {
    /// A rule over the Terraform value: for values that are known to the last part. The text says what is
    /// required, for documentation: `at most 20 characters`.
    pub fn new(
        text: impl Into<Arc<str>>,
        judge: impl Fn(&Value) -> Result<(), Diagnostics> + Send + Sync + 'static,
    ) -> Rule<T> {
        Rule {
            judge: Arc::new(judge),
            early: None,
            fault: None,
            partial: false,
            text: text.into(),
            constant: false,
            takes: Takes::Bare,
            of: PhantomData,
        }
    }

    /// Refuses a value that is not known yet, where what is known of it is enough: a URL that will begin with
    /// `http:` is not one that begins with `https:`.
    #[must_use]
    pub fn early(
        mut self,
        judge: impl Fn(&Refinements) -> Result<(), Diagnostics> + Send + Sync + 'static,
    ) -> Rule<T> {
        self.early = Some(Arc::new(judge));
        self
    }

    /// Refuses the rule itself, where it makes no sense: for values of this type, or at all. Found when the schema
    /// is checked.
    #[must_use]
    pub fn unless(mut self, fault: impl Fn(&Type) -> Option<String> + Send + Sync + 'static) -> Rule<T> {
        self.fault = Some(Arc::new(fault));
        self
    }

    /// Sees collections with unknown elements too, and elements that are null.
    #[must_use]
    pub fn partial(mut self) -> Rule<T> {
        self.partial = true;
        self
    }

    /// What is required, in a few words.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// True where what it says of a value cannot hold the value, so that it can be shown of a secret too.
    pub(crate) fn is_constant(&self) -> bool {
        self.constant
    }

    /// How it takes objects, where it is for values of any type.
    pub(crate) fn takes(&self) -> Takes {
        self.takes
    }

    /// What is wrong with the rule itself, where it is for values of this type.
    pub fn fault(&self, ty: &Type) -> Option<String> {
        self.fault.as_ref()?(ty)
    }

    /// What is wrong with the value. Null never is, and what is unknown only where enough is known of it all the
    /// same, and that it will not be null.
    ///
    /// # Errors
    ///
    /// Each fault, with its place inside the value.
    pub fn judge(&self, value: &Value) -> Result<(), Diagnostics> {
        match (value.bare(), &self.early) {
            (Value::Unknown(Some(known)), Some(early)) if known.not_null => early(known),
            (Value::Null | Value::Unknown(_), _) => Ok(()),
            (it, _) if self.partial || it.is_wholly_known() => (self.judge)(value),
            _ => Ok(()),
        }
    }

    /// The same rule where the type is not known, as in a schema. It makes no sense for values of another type.
    pub(crate) fn erase_for(self) -> Rule<Value>
    where
        T: Attr,
    {
        let inner = self.clone();
        let takes = if is_any::<T>() { self.takes } else { Takes::Bare };
        let rule = self.unless(move |ty| inner.fault(ty).or_else(|| other_type(&T::ty(), ty)));
        Rule { takes, ..rule.erase() }
    }

    /// The same rule where the type is not known.
    pub(crate) fn erase(self) -> Rule<Value> {
        let Rule { judge, early, fault, partial, text, constant, takes, .. } = self;
        Rule { judge, early, fault, partial, text, constant, takes, of: PhantomData }
    }
}

impl Rule<Value> {
    /// The same rule, which sees values as a function for any type takes them.
    pub(crate) fn seeing(self, sight: Sight) -> Rule<Value> {
        let judge = self.judge;
        Rule { judge: Arc::new(move |value| judge(&sight.given(value))), ..self }
    }

    /// The same rule for objects that have these attributes and others: it sees these alone, with their type where it
    /// takes one.
    pub(crate) fn of_part(self, names: Arc<[Arc<str>]>, ty: &Type) -> Rule<Value> {
        let is_seen = move |name: &Arc<str>| names.contains(name);
        let seen = is_seen.clone();
        let inner =
            if self.takes == Takes::Bare { self.clone() } else { self.clone().seeing(Sight::any(ty)) };
        let rule = Rule::new(self.text.clone(), move |value| match value.bare() {
            Value::Object(it) => {
                let part = it.iter().filter(|(name, _)| seen(name));
                let part: Object = part.map(|(name, it)| (name.clone(), it.clone())).collect();
                inner.judge(&Value::Object(part))
            }
            _ => inner.judge(value),
        });
        let (inner, seen) = (self.clone(), is_seen);
        let rule = rule.unless(move |ty| match ty {
            Type::Object(it) => {
                let part = it.attributes().iter().filter(|it| seen(&it.name));
                inner.fault(&Type::object(part.map(|it| (it.name.clone(), it.ty.clone()))))
            }
            _ => inner.fault(ty),
        });
        Rule { constant: self.constant, takes: self.takes, ..rule.partial() }
    }
}

impl<T> Clone for Rule<T> {
    fn clone(&self) -> Self {
        Rule {
            judge: self.judge.clone(),
            early: self.early.clone(),
            fault: self.fault.clone(),
            partial: self.partial,
            text: self.text.clone(),
            constant: self.constant,
            takes: self.takes,
            of: PhantomData,
        }
    }
}

impl<T> fmt::Debug for Rule<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Rule").field(&self.text).finish()
    }
}

/// What can be a rule for the type `T`: a [`Rule`], or a function of a reference to it that answers why a value
/// is refused.
///
/// `How` tells the two apart for the compiler.
#[diagnostic::on_unimplemented(
    message = "this cannot judge a `{T}`",
    label = "not a rule for `{T}`",
    note = "a rule is a function `fn(&{T}) -> Result<(), impl Display>`, or one of `ferroform::rule`"
)]
pub trait IntoRule<T, How> {
    /// The rule.
    fn into_rule(self) -> Rule<T>;
}

impl<T> IntoRule<T, Rule<T>> for Rule<T> {
    fn into_rule(self) -> Rule<T> {
        self
    }
}

impl<T, B, E, F> IntoRule<T, fn(&B) -> E> for F
where
    T: Attr + Borrow<B>,
    B: ?Sized,
    E: fmt::Display + 'static,
    F: Fn(&B) -> Result<(), E> + Send + Sync + 'static,
{
    fn into_rule(self) -> Rule<T> {
        let nested = LazyLock::new(T::nested);
        let rule = Rule::new("", move |value| {
            // In a `T` every attribute with a default has a value. One that has none is said elsewhere.
            let Some(Nested { nesting, block, .. }) = nested.as_ref().filter(|_| T::INSIDE.model) else {
                return self(read::<T>(value)?.borrow()).map_err(complaint);
            };
            let Ok(filled) = defaults::fill_nested(*nesting, block, value, Which::All) else { return Ok(()) };
            let judged = self(read::<T>(&filled)?.borrow()).map_err(complaint);
            judged.map_err(|it| defaults::as_written(*nesting, block, value, Which::All, it))
        });
        let rule = rule.unless(|_| {
            let sees = !T::HOLDS_COMPUTED && !T::INSIDE.write_only;
            (!sees).then(|| "it is a function of an object, but the configuration has no computed attributes and the state no write-only ones: use `rule::configured`".to_owned())
        });
        Rule { constant: is_constant::<E>(), takes: Takes::Filled, ..rule }
    }
}

/// Used by the derive: tells a closure what it judges.
#[doc(hidden)]
pub fn judges<T, E>(
    f: impl Fn(&T) -> Result<(), E> + Send + Sync + 'static,
) -> impl Fn(&T) -> Result<(), E> + Send + Sync + 'static {
    f
}

/// A text that is written in the program has nothing of the value in it.
fn is_constant<E: 'static>() -> bool {
    TypeId::of::<E>() == TypeId::of::<&'static str>()
}

/// An author's own error: a diagnostic as it is, any other as the detail of one.
fn complaint<E: fmt::Display + 'static>(error: E) -> Diagnostics {
    let any: &dyn Any = &error;
    if let Some(all) = any.downcast_ref::<Diagnostics>() {
        return all.clone();
    }
    if let Some(one) = any.downcast_ref::<Diagnostic>() {
        return one.clone().into();
    }
    invalid("Invalid Attribute Value", error)
}

/// The summary of an error for a value that its type cannot hold.
pub(crate) const MISFIT: &str = "Configuration Read Error";

/// What is said of a value that a rule cannot read: it is refused, and by every rule in the same words.
pub(crate) fn unread(error: &Error) -> Diagnostics {
    Diagnostic::error(MISFIT).detail(sentence(error.message())).at(error.path().clone()).into()
}

/// Why something that is for values of one type is not for those of the other.
pub(crate) fn other_type(wanted: &Type, ty: &Type) -> Option<String> {
    let other = wanted != ty && !wanted.has_dynamic() && !ty.has_dynamic();
    let one = |ty: &Type| match ty {
        Type::Object(_) => format!("an {ty}"),
        _ => format!("a {ty}"),
    };
    other.then(|| format!("it is for {}, but this is {}", one(wanted), one(ty)))
}

/// True for what holds values of any type. A model is never one, and may just be asked for its schema.
fn is_any<T: Attr>() -> bool {
    T::INSIDE.dynamic && !T::INSIDE.model && T::ty() == Type::Dynamic
}

/// The value as the type that a rule is for; of a value of any type, what it is.
fn read<T: Attr>(value: &Value) -> Result<T, Diagnostics> {
    let read = T::from_value(value);
    let bare = value.bare();
    let read = if std::ptr::eq(bare, value) { read } else { read.or_else(|_| T::from_value(bare)) };
    read.map_err(|it| unread(&it))
}

/// The same for a value of another kind.
fn other_kind(wanted: &str, value: &Value) -> Diagnostics {
    unread(&crate::attr::mismatch(wanted, value))
}

/// An error with this summary, and a sentence.
pub(crate) fn invalid(summary: &str, detail: impl fmt::Display) -> Diagnostics {
    Diagnostic::error(summary).detail(sentence(&detail.to_string())).into()
}
