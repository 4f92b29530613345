//! Validators: what an attribute requires of its known values.

mod early;
mod sight;
mod size;

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use ferroform_value::{Error, Object, Refinements, Type, Value};

pub use self::early::{described, may_be, may_be_within, may_have, order};
pub use self::sight::Sight;
pub use self::size::{is_collection, items, size, sized, unless};
use crate::diagnostic::sentence;
use crate::diagnostic_kind::{DiagnosticKind, Unreadable};
use crate::type_mismatch::mismatch;
use crate::{Diagnostic, Diagnostics};

/// How a rule for values of any type takes an object whose type is known at run time only. Of several the last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Takes {
    /// As it is: it looks at the [`Value`] itself.
    #[default]
    Bare,
    /// With its type, as a `ferroform::Dynamic`.
    Typed,
    /// With its type and every default.
    Filled,
}

type Judge = dyn Fn(&Value) -> Result<(), Diagnostics> + Send + Sync;
type Early = dyn Fn(&Refinements) -> Result<(), Diagnostics> + Send + Sync;
type Fault = dyn Fn(&Type) -> Option<String> + Send + Sync;

/// A rule for the known values of an attribute of the type `T`.
pub struct Validator<T> {
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

impl<T> Validator<T> {
    /// A rule over the Terraform value: for values that are known to the last part. The text says what is
    /// required, for documentation: `at most 20 characters`.
    pub fn new(
        text: impl Into<Arc<str>>,
        judge: impl Fn(&Value) -> Result<(), Diagnostics> + Send + Sync + 'static,
    ) -> Validator<T> {
        Validator {
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
    ) -> Validator<T> {
        self.early = Some(Arc::new(judge));
        self
    }

    /// Refuses the rule itself, where it makes no sense: for values of this type, or at all. Found when the schema
    /// is checked.
    #[must_use]
    pub fn unless(mut self, fault: impl Fn(&Type) -> Option<String> + Send + Sync + 'static) -> Validator<T> {
        self.fault = Some(Arc::new(fault));
        self
    }

    /// Sees collections with unknown elements too, and elements that are null.
    #[must_use]
    pub fn partial(mut self) -> Validator<T> {
        self.partial = true;
        self
    }

    /// What is required, in a few words.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// True where what it says of a value cannot hold the value, so that it can be shown of a secret too.
    pub fn is_constant(&self) -> bool {
        self.constant
    }

    /// How it takes objects, where it is for values of any type.
    pub fn takes(&self) -> Takes {
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
        match (value.without_type(), &self.early) {
            (Value::Unknown(Some(known)), Some(early)) if known.is_not_null() => early(known),
            (Value::Null | Value::Unknown(_), _) => Ok(()),
            (it, _) if self.partial || it.is_wholly_known() => (self.judge)(value),
            _ => Ok(()),
        }
    }

    /// The same rule where the type is not known.
    pub fn erase(self) -> Validator<Value> {
        let Validator { judge, early, fault, partial, text, constant, takes, .. } = self;
        Validator { judge, early, fault, partial, text, constant, takes, of: PhantomData }
    }
}

impl Validator<Value> {
    /// The same rule, which sees values as a function for any type takes them.
    pub fn seeing(self, sight: Sight) -> Validator<Value> {
        let judge = self.judge;
        Validator { judge: Arc::new(move |value| judge(&sight.given(value))), ..self }
    }

    /// The same rule for objects that have these attributes and others: it sees these alone, with their type where it
    /// takes one.
    pub fn of_part(self, names: Arc<[Arc<str>]>, ty: &Type) -> Validator<Value> {
        let is_seen = move |name: &Arc<str>| names.contains(name);
        let seen = is_seen.clone();
        let inner =
            if self.takes == Takes::Bare { self.clone() } else { self.clone().seeing(Sight::any(ty)) };
        let rule = Validator::new(self.text.clone(), move |value| match value.without_type() {
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
        Validator { constant: self.constant, takes: self.takes, ..rule.partial() }
    }
}

impl<T> Clone for Validator<T> {
    fn clone(&self) -> Self {
        Validator {
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

impl<T> fmt::Debug for Validator<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Validator").field(&self.text).finish()
    }
}

impl<T> Validator<T> {
    /// Declares that what the rule reports cannot hold the value, so that it can be shown for a sensitive value too.
    #[must_use]
    pub fn constant(mut self, constant: bool) -> Validator<T> {
        self.constant = constant;
        self
    }

    /// Sets how a rule for values of any type takes an object.
    #[must_use]
    pub fn taking(mut self, takes: Takes) -> Validator<T> {
        self.takes = takes;
        self
    }
}

/// The error about a value that the Rust type of its attribute cannot hold. Every validator that reads the value reports
/// the same error.
pub fn unread(error: &Error) -> Diagnostics {
    let unreadable = Unreadable { redacted: sentence(&error.redacted()) };
    Diagnostic::error("Configuration Read Error")
        .detail(sentence(error.message()))
        .at(error.path().clone())
        .of_kind(DiagnosticKind::Unreadable(unreadable))
        .into()
}

/// True if the diagnostic is about a value that the Rust type of its attribute cannot hold.
pub fn is_unread(diagnostic: &Diagnostic) -> bool {
    matches!(diagnostic.kind(), DiagnosticKind::Unreadable(_))
}

/// Why something that is for values of one type is not for those of the other.
pub fn other_type(wanted: &Type, ty: &Type) -> Option<String> {
    let other = wanted != ty && !wanted.has_dynamic() && !ty.has_dynamic();
    let one = |ty: &Type| match ty {
        Type::Object(_) => format!("an {ty}"),
        _ => format!("a {ty}"),
    };
    other.then(|| format!("it is for {}, but this is {}", one(wanted), one(ty)))
}

/// The same for a value of another kind.
pub fn other_kind(wanted: &str, value: &Value) -> Diagnostics {
    unread(&mismatch(wanted, value))
}

/// An error with this summary, and a sentence.
pub fn invalid(summary: &str, detail: impl fmt::Display) -> Diagnostics {
    Diagnostic::error(summary).detail(sentence(&detail.to_string())).into()
}
