//! The trait of every Rust type that an attribute can have.

use std::marker::PhantomData;
use std::sync::Arc;

use ferroform_engine::Maybe;
use ferroform_engine::schema::{Attribute, Block, Mode, NativeType, Nested};
use ferroform_engine::timeouts::TimeoutDefaults;
use ferroform_engine::type_mismatch::empty_value;
use ferroform_value::{Error, Object, Refinements, Step, Type, Value};

use super::inside::Inside;
use super::shape::Shape;
use super::timeouts;
use super::unhandled::Unhandled;
use super::view::{InConfig, InProposed, View};

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
        let default = stand_in::<Self>(unhandled, value).map(|it| Self::from_value(&it));
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
        whole::<Self>(known, new)
    }

    /// One value for all that mean the same, where the type can tell it: what it prints, as far as its
    /// [`to_value`](Attr::to_value) prints what means the same in the same way. Elements of sets are found by it.
    ///
    /// A type that keeps the text it has read, and has an equality of its own, says it here: else the elements
    /// of a set that differ are compared each with each, and no more than some hundreds of them.
    fn canonical(value: &Value) -> Value {
        canonical::<Self>(value)
    }

    /// What stands in for a value in an object that was only half made when its method failed: something that
    /// [`from_value`](Attr::from_value) reads. By default the empty value of the type; a type that refuses it
    /// says another one, and a schema in which such a type is computed is refused until it does.
    fn placeholder() -> Value {
        empty_value(&Self::ty())
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
        attribute_of::<Self>(name.into())
    }

    /// How the objects are nested, for a nested model or a collection of such.
    fn nested() -> Option<Nested> {
        Self::block().map(Nested::single)
    }
}

/// An attribute of the Rust type `T`: optional if `T` is an `Option`, otherwise required.
pub(crate) fn attribute_of<T: Attr>(name: Arc<str>) -> Attribute {
    // Their schema is that of the operations, and without a word on them they are all there.
    if timeouts::is::<T>() {
        return Attribute::timeouts(name, TimeoutDefaults::all());
    }
    let mut made = Attribute::raw(name, T::ty());
    made.nullable = T::NULLABLE;
    if T::NULLABLE {
        made.mode = Mode::Optional;
    }
    made.native = Some(&Of::<T>::NATIVE);
    made.description = T::ABOUT.to_owned();
    if let Some(nested) = T::nested() {
        made.description.clone_from(&nested.block.description);
        made.description_kind = nested.block.description_kind;
        if let Some(instead) = &nested.block.deprecated {
            made = made.deprecated(instead);
        }
        made.nested = Some(Box::new(nested));
    }
    made
}

struct Of<T>(PhantomData<T>);

impl<T: Attr> Of<T> {
    const NATIVE: NativeType = NativeType {
        check: is_readable::<T>,
        check_config: is_configurable::<T>,
        placeholder: T::placeholder,
        prefer_known: T::keep,
        canonical: T::canonical,
        has_semantic_equality: !T::EXACT,
        type_description: T::ABOUT,
    };
}

/// What a plan may hold of the type is what may be written to it: anything may be unknown, and an attribute
/// that nobody has written yet is null.
fn is_readable<T: Attr>(value: &Value) -> Result<(), Error> {
    <Maybe<Option<T::In<InProposed>>>>::from_value(value).map(drop)
}

/// What the configuration may hold of it, where an attribute may be null.
fn is_configurable<T: Attr>(value: &Value) -> Result<(), Error> {
    <Maybe<Option<T::In<InConfig>>>>::from_value(value).map(drop)
}

/// The value to read instead of this one.
fn stand_in<T: Attr>(unhandled: Unhandled, value: &Value) -> Option<Value> {
    if T::NULLABLE {
        return unhandled.covers_unknown(value).then_some(Value::Null);
    }
    unhandled.covers(value).then(|| super::unhandled::empty(&T::ty()))
}

/// The known value where the two mean the same as a whole.
fn whole<T: Attr>(known: &Value, new: &Value) -> Value {
    if !T::EXACT && matches!((T::from_value(known), T::from_value(new)), (Ok(a), Ok(b)) if a == b) {
        return known.clone();
    }
    new.clone()
}

/// What the type prints of a value that it reads.
fn canonical<T: Attr>(value: &Value) -> Value {
    if T::EXACT {
        return value.clone();
    }
    T::from_value(value).map_or_else(|_| value.clone(), |it| it.to_value())
}
