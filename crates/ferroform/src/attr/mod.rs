//! How a Rust type is a Terraform value, and back.

mod choice;
mod collections;
mod document;
mod dynamic;
mod inside;
pub(crate) mod keep;
mod mac;
mod scalars;
mod shape;
mod tuples;
mod unhandled;
mod wrappers;

#[cfg(feature = "bigint")]
mod bigint;
#[cfg(feature = "decimal")]
mod decimal;
#[cfg(feature = "ip")]
mod ip;
#[cfg(feature = "json")]
mod json;
#[cfg(feature = "time")]
mod time;
#[cfg(feature = "url")]
mod url;
#[cfg(feature = "uuid")]
mod uuid;

pub use choice::{choose, chosen, is_undecided, ty};
pub use collections::{MapKey, Set};
pub use document::Json;
pub use dynamic::Dynamic;
pub use inside::{Inside, Said};
pub use mac::MacAddress;
pub use shape::Shape;
pub use unhandled::Unhandled;

use ferroform_value::{Error, Number, Object, Refinements, Step, Type, Value};

use crate::rule::{IntoRule, Rule};
use crate::schema::{Attribute, AttributeExt as _, Block, Nested};
use crate::view::View;
use ferroform_engine::type_mismatch::{empty, mismatch};

/// A Rust type that an attribute can have.
///
/// `#[derive(`[`Attr`](derive@crate::Attr)`)]` makes one of an enum or of a newtype. Any other custom type is one
/// `impl` of this trait: [`ty`](Attr::ty) says how it travels, [`from_value`](Attr::from_value)
/// parses, [`to_value`](Attr::to_value) prints, and its `PartialEq` is its semantic
/// equality: where two values are equal, Ferroform keeps the one that is already in the state.
///
/// ```
/// use ferroform::value::{Error, Type, Value};
/// use ferroform::{Attr, view::View};
///
/// /// A colour, written `#ff0000` in any case of letters.
/// #[derive(Clone, Debug, PartialEq)]
/// struct Colour(u32);
///
/// impl Attr for Colour {
///     type In<V: View> = Self;
///
///     fn ty() -> Type {
///         Type::String
///     }
///
///     fn from_value(value: &Value) -> Result<Self, Error> {
///         let text = String::from_value(value)?;
///         let hex = text.strip_prefix('#').unwrap_or(&text);
///         u32::from_str_radix(hex, 16).map(Colour).map_err(|_| Error::new("a colour such as #ff0000 is required"))
///     }
///
///     fn to_value(&self) -> Value {
///         format!("#{:06x}", self.0).into()
///     }
/// }
///
/// assert_eq!(Colour::from_value(&"#FF0000".into()), Ok(Colour(0xff0000)));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the type of an attribute",
    label = "not an attribute's type",
    note = "attributes are bool, String, numbers, Vec, Set, maps, Option, a `#[derive(Model)]` struct, a `#[derive(Attr)]` enum or newtype, or a type of yours with `impl Attr`"
)]
pub trait Attr: Clone + std::fmt::Debug + PartialEq + Send + Sync + 'static {
    /// The type as a view sees it. A scalar is itself: `type In<V: View> = Self`.
    type In<V: View>: Attr;

    /// True where null is one of the values, as for `Option`.
    const NULLABLE: bool = false;
    /// True where two values are equal only if their Terraform values are: no need to parse to compare.
    const EXACT: bool = false;
    /// True where the provider writes something inside: a nested model with computed attributes.
    const HOLDS_COMPUTED: bool = false;
    /// How it is built on the wire. A type of your own is taken for a bool, a number or a string unless it says
    /// otherwise.
    const SHAPE: Shape = Shape::Scalar;
    /// Used by the derive: what is inside, as far as schemas care. Of a type by hand only one whose
    /// [`ty`](Attr::ty) is [`Type::Dynamic`] has something to say here.
    #[doc(hidden)]
    const INSIDE: Inside = Inside::NOTHING;
    /// More about the type, in Markdown: stands below the description of every attribute that has it.
    const ABOUT: &'static str = "";

    /// The type on the wire.
    fn ty() -> Type;

    /// Reads a value of the type [`ty`](Attr::ty).
    ///
    /// # Errors
    ///
    /// Says what was wanted and what came, and where inside the value.
    fn from_value(value: &Value) -> Result<Self, Error>;

    /// Reads like [`from_value`](Attr::from_value), with a choice of what becomes of a null or unknown that
    /// the type cannot hold. Only a type that holds others has something to say here: it hands the choice on.
    ///
    /// # Errors
    ///
    /// As [`from_value`](Attr::from_value).
    fn from_value_or(value: &Value, unhandled: Unhandled) -> Result<Self, Error> {
        let default = unhandled.stand_in::<Self>(value).map(|it| Self::from_value(&it));
        match default {
            Some(Ok(it)) => Ok(it),
            // A type that has no default value says so of what came.
            _ => Self::from_value(value),
        }
    }

    /// The value of the type [`ty`](Attr::ty).
    ///
    /// What Terraform has no such value for (not-a-number, an integer of more than 512 significant bits, a map with
    /// two keys that are one in Unicode normal form C) becomes a value of another kind. It is refused then, with
    /// its place, wherever it goes: nothing is rounded or left out.
    fn to_value(&self) -> Value;

    /// `new`, but with what is `known` already in each place where the two mean the same. A custom type is
    /// kept or not as a whole; a collection goes through its elements.
    fn keep(known: &Value, new: &Value) -> Value {
        keep::whole::<Self>(known, new)
    }

    /// One value for all that mean the same, where the type can tell it: what it prints, as far as its
    /// [`to_value`](Attr::to_value) prints what means the same in the same way. Elements of sets are found by it.
    ///
    /// A type that keeps the text it has read, and has an equality of its own, says it here: else the elements
    /// of a set that differ are compared each with each, and no more than some hundreds of them.
    fn canonical(value: &Value) -> Value {
        keep::canonical::<Self>(value)
    }

    /// What stands in for a value in an object that was only half made when its method failed: something that
    /// [`from_value`](Attr::from_value) reads. By default the empty value of the type; a type that refuses it
    /// says another one, and a schema in which such a type is computed is refused until it does.
    fn placeholder() -> Value {
        empty(&Self::ty())
    }

    /// The schema of the object, for a nested model.
    fn block() -> Option<Block> {
        None
    }

    /// Used by the derive and by `Maybe`: true where a value of this type is not known yet, as far as the type can
    /// say anything of it.
    #[doc(hidden)]
    fn __is_unknown(value: &Value) -> bool {
        value.is_unknown()
    }

    /// Used by `Maybe`: what is wrong with a value that is not known, and will not be null, but of which this much is.
    #[doc(hidden)]
    fn __early(_: &Refinements) -> Result<(), Error> {
        Ok(())
    }

    /// A known value as messages show it, in the fewest digits that the type can tell apart.
    #[doc(hidden)]
    fn __print(value: &Value) -> String {
        value.summary()
    }

    /// True where an object may lack an attribute of this type, which is null then.
    #[doc(hidden)]
    const __MAY_BE_ABSENT: bool = false;

    /// Used by the derive: the attribute of that name of an object, or a null where the default value of all is
    /// wanted.
    ///
    /// Never inlined: a model with hundreds of attributes would become one function that takes minutes to
    /// optimise.
    #[doc(hidden)]
    #[inline(never)]
    fn __read(object: Option<&Object>, name: &'static str, unhandled: Unhandled) -> Result<Self, Error> {
        let absent = Self::__MAY_BE_ABSENT.then_some(&Value::Null);
        let value = object.map_or(Some(&Value::Null), |it| it.get(name).or(absent));
        let missing = || Error::new("there is no attribute for this field");
        let read = value.ok_or_else(missing).and_then(|it| Self::from_value_or(it, unhandled));
        read.map_err(|e| e.below(Step::Attribute(name.into())))
    }

    /// Used by the derive: reads those attributes of an object that are this model's, which is flattened into
    /// another.
    #[doc(hidden)]
    fn __part(value: &Value, unhandled: Unhandled) -> Result<Self, Error> {
        Self::from_value_or(value, unhandled)
    }

    /// Used by the derive: true where a model has a field for the attribute of that name.
    #[doc(hidden)]
    fn __has(_: &str) -> bool {
        false
    }

    /// Used by the derive: an attribute of this type.
    #[doc(hidden)]
    fn __attribute(name: &'static str) -> Attribute {
        Attribute::of::<Self>(name)
    }

    /// How the objects are nested, for a nested model or a collection of such.
    fn nested() -> Option<Nested> {
        Self::block().map(Nested::single)
    }
}

/// The error for a number that the wanted type cannot hold. It may have as many digits as fit into a message.
fn misfit(wanted: &str, got: &Number) -> Error {
    const MOST: usize = 80;
    let text = got.to_string();
    let shown = text.get(..MOST).map_or_else(|| text.clone(), |it| format!("{it}…"));
    Error::mismatch(wanted, shown)
}

/// Used by the derive: a rule of a newtype.
#[doc(hidden)]
pub fn rule<T: Attr, How>(rule: impl IntoRule<T, How>) -> Rule<T> {
    rule.into_rule()
}

/// Used by the derive: the verdict of the rules on what is inside a newtype, as it was read from a value.
#[doc(hidden)]
pub fn judge<T: Attr>(rules: &[Rule<T>], it: &T, from: &Value, unhandled: Unhandled) -> Result<(), Error> {
    match first_fault(rules, &it.to_value()) {
        // A default value that the rule refuses is nobody's: there is none, and so it is about what came.
        Some(_) if unhandled.covers(from) && T::from_value(from).is_err() => T::from_value(from).map(drop),
        Some(fault) => Err(fault),
        None => Ok(()),
    }
}

/// The same for a value of which only this much is known.
#[doc(hidden)]
pub fn judge_early<T: Attr>(rules: &[Rule<T>], known: &Refinements) -> Result<(), Error> {
    first_fault(rules, &Value::Unknown(Some(Box::new(known.clone())))).map_or(Ok(()), Err)
}

fn first_fault<T>(rules: &[Rule<T>], value: &Value) -> Option<Error> {
    let first = |rule| Some((rule, Rule::judge(rule, value).err()?.into_iter().next()?));
    let (rule, fault) = rules.iter().find_map(first)?;
    let message = if fault.detail.is_empty() { fault.summary } else { fault.detail };
    let error = Error::new(message).under(&fault.path.unwrap_or_default());
    Some(match rule.text() {
        _ if rule.is_constant() => {
            let message = error.message().to_owned();
            error.with_redacted(message)
        }
        "" => error,
        text => error.with_redacted(format!("{text} is required")),
    })
}

/// Used by the derive: an error where an unknown value can be none of an enum's texts.
#[doc(hidden)]
pub fn none_early(wanted: &str, texts: &[&str], known: &Refinements) -> Result<(), Error> {
    match &known.prefix {
        Some(prefix) if !texts.iter().any(|it| it.starts_with(prefix.as_str())) => {
            let error = Error::new(format!("{wanted} is required, but this begins with {prefix:?}"));
            Err(error.with_redacted(format!("{wanted} is required")))
        }
        _ => Ok(()),
    }
}

/// Used by the derive: the error for a value that no variant of an enum is.
#[doc(hidden)]
pub fn none_of(wanted: &str, value: &Value) -> Error {
    match value {
        Value::String(given) => Error::mismatch(wanted, format_args!("{given:?}")),
        _ => mismatch(wanted, value),
    }
}
