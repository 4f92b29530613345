//! The trait of every Rust type that an attribute can have.

use std::marker::PhantomData;
use std::sync::Arc;

use ferroform_engine::Maybe;
use ferroform_engine::schema::{Attribute, Block, Nested, RustType};
use ferroform_engine::timeouts::TimeoutDefaults;
use ferroform_engine::type_mismatch::empty_value;
use ferroform_engine::validator::Hint;
use ferroform_value::{Error, NumberRange, Object, Refinements, Step, Type, Value};

use super::shape::Shape;
use super::timeouts;
use super::type_facts::TypeFacts;
use super::unhandled::Unhandled;
use super::view::{InArgs, InConfig, InProposed, View};

/// An attribute type whose values can be copied, compared and printed: every attribute type in a [view](crate::view).
///
/// It is implemented for each [`Attr`] that also implements `Clone`, `Debug`, `PartialEq`, `Send` and `Sync`. These are not
/// conditions of `Attr` itself: otherwise, a single missing `Clone` would be an error wherever the type is mentioned.
///
/// ```
/// use ferroform::AttrValue;
///
/// /// Prints a value of any attribute type.
/// fn describe<T: AttrValue>(value: &T) -> String {
///     format!("{value:?}")
/// }
///
/// assert_eq!(describe(&Some(7)), "Some(7)");
/// ```
pub trait AttrValue: Attr + Clone + std::fmt::Debug + PartialEq + Send + Sync {}

#[diagnostic::do_not_recommend]
impl<T: Attr + Clone + std::fmt::Debug + PartialEq + Send + Sync> AttrValue for T {}

/// A Rust type that an attribute can have.
///
/// `#[derive(`[`Attr`](derive@crate::Attr)`)]` implements it for an enum or a newtype. Any other custom type is one
/// `impl` of this trait: [`ty`](Attr::ty) returns the Terraform type, [`from_value`](Attr::from_value) parses a value,
/// and [`to_value`](Attr::to_value) prints it. `PartialEq` is the semantic equality of the type: if the prior value and
/// a new value are equal, Ferroform keeps the prior value.
///
/// ```
/// use ferroform::value::{Error, Type, Value};
/// use ferroform::{Attr, view::View};
///
/// /// A color such as `#ff0000`, in upper or lower case.
/// #[derive(Clone, Debug, PartialEq)]
/// struct Color(u32);
///
/// impl Attr for Color {
///     type In<V: View> = Self;
///
///     fn ty() -> Type {
///         Type::String
///     }
///
///     fn from_value(value: &Value) -> Result<Self, Error> {
///         let string = String::from_value(value)?;
///         let hex = string.strip_prefix('#').unwrap_or(&string);
///         let invalid = |_| Error::invalid_value("a color such as #ff0000", format_args!("{string:?}"));
///         u32::from_str_radix(hex, 16).map(Color).map_err(invalid)
///     }
///
///     fn to_value(&self) -> Value {
///         format!("#{:06x}", self.0).into()
///     }
/// }
///
/// assert_eq!(Color::from_value(&"#FF0000".into()), Ok(Color(0xff0000)));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be used as an attribute type",
    label = "not an attribute type",
    note = "attribute types are bool, String, numbers, Vec, Set, maps, Option, a `#[derive(Model)]` struct, a `#[derive(Attr)]` enum or newtype, and types with `impl Attr`"
)]
pub trait Attr: Sized + 'static {
    /// The type in a [view](crate::view). A scalar has the same type in every view: `type In<V: View> = Self`.
    type In<V: View>: AttrValue;

    /// Whether null is one of the values, as for `Option`.
    const NULLABLE: bool = false;
    /// Whether two values are equal only if their Terraform values are equal, so that they can be compared without
    /// parsing.
    const EXACT: bool = false;
    /// Whether the type contains computed attributes: a nested model that has some.
    const HAS_COMPUTED: bool = false;
    /// The shape of the Terraform type. The default is that of a bool, number or string. If [`ty`](Attr::ty)
    /// returns [`Type::Dynamic`], set it to [`Shape::Dynamic`]; otherwise, the derive accepts collections of the type.
    const SHAPE: Shape = Shape::Scalar;
    /// Used by the derive: the properties of the type that schemas depend on.
    #[doc(hidden)]
    const FACTS: TypeFacts = TypeFacts::of_shape(Self::SHAPE);
    /// A description of the type in Markdown. It is appended to the description of every attribute of this type.
    const DESCRIPTION: &'static str = "";
    /// Used by the derive: the doc comment of an enum, which describes attributes without a description of their own.
    #[doc(hidden)]
    const __DOC: &'static str = "";

    /// The Terraform type.
    fn ty() -> Type;

    /// Reads a value of the type [`ty`](Attr::ty).
    ///
    /// # Errors
    ///
    /// If the value is not valid. The error names what was expected, what the value is, and the path inside it.
    fn from_value(value: &Value) -> Result<Self, Error>;

    /// Reads a value as [`from_value`](Attr::from_value) does, except that `unhandled` determines how null and unknown
    /// values are read if the type cannot represent them. A type that contains other types overrides this method and
    /// passes `unhandled` on to them.
    ///
    /// # Errors
    ///
    /// As [`from_value`](Attr::from_value).
    fn from_value_or(value: &Value, unhandled: Unhandled) -> Result<Self, Error> {
        let default = default_value::<Self>(unhandled, value).map(|it| Self::from_value(&it));
        match default {
            Some(Ok(default)) => Ok(default),
            // The type rejects its default value, so the error is about the original value.
            _ => Self::from_value(value),
        }
    }

    /// Returns the value of the type [`ty`](Attr::ty).
    ///
    /// A few Rust values have no Terraform value: not-a-number, an integer with more than 512 significant bits, a map
    /// with two keys that are equal after Terraform normalizes them (Unicode normalization form C). For these, return a
    /// value of another type: Ferroform rejects it with its path, and nothing is rounded or dropped.
    fn to_value(&self) -> Value;

    /// Returns `new`, in which each value that is semantically equal to the corresponding value of `prior` is replaced
    /// with that prior value. Collections are compared element by element, other types as a whole.
    fn keep_prior(prior: &Value, new: &Value) -> Value {
        keep_whole::<Self>(prior, new)
    }

    /// Returns the canonical form of a value: the same one for all semantically equal values, if the type has one. The
    /// default is what [`to_value`](Attr::to_value) returns for the parsed value. Ferroform matches set elements by it.
    ///
    /// Override it for a type that keeps the original string and has an equality of its own. Otherwise, Ferroform
    /// compares changed set elements pairwise, and only up to a limit.
    ///
    /// ```
    /// use ferroform::value::{Error, Type, Value};
    /// use ferroform::{Attr, view::View};
    ///
    /// /// A name that is compared without regard to case, and keeps the original string.
    /// #[derive(Clone, Debug)]
    /// struct Name(String);
    ///
    /// impl PartialEq for Name {
    ///     fn eq(&self, other: &Name) -> bool {
    ///         self.0.eq_ignore_ascii_case(&other.0)
    ///     }
    /// }
    ///
    /// impl Attr for Name {
    ///     type In<V: View> = Self;
    ///
    ///     fn ty() -> Type {
    ///         Type::String
    ///     }
    ///
    ///     fn from_value(value: &Value) -> Result<Self, Error> {
    ///         String::from_value(value).map(Name)
    ///     }
    ///
    ///     fn to_value(&self) -> Value {
    ///         self.0.as_str().into()
    ///     }
    ///
    ///     fn canonical(value: &Value) -> Value {
    ///         value.as_str().map_or_else(|| value.clone(), |it| it.to_ascii_lowercase().into())
    ///     }
    /// }
    ///
    /// assert_eq!(Name::canonical(&"Web".into()), Name::canonical(&"WEB".into()));
    /// ```
    fn canonical(value: &Value) -> Value {
        canonical_form::<Self>(value)
    }

    /// Returns the value of a computed attribute in the state of a partially created object, if the method has failed
    /// before it has set the attribute. [`from_value`](Attr::from_value) must accept it. The default is the empty value
    /// of the type. A type that rejects the empty value must override this method to be usable for computed attributes:
    /// otherwise, the schema check reports an error.
    fn placeholder() -> Value {
        empty_value(&Self::ty())
    }

    /// Returns hints at values of the type, for tools that generate values, such as the function `check_provider` of the crate
    /// `ferroform-testing`. A type that most strings are not valid for, such as a version or an account number, should return
    /// some. The derive for an enum returns its variants.
    fn hints() -> Vec<Hint> {
        Vec::new()
    }

    /// Returns the schema of the object, for a nested model.
    fn block() -> Option<Block> {
        None
    }

    /// Used by the derive and by `Maybe`: whether a value of this type is unknown.
    #[doc(hidden)]
    fn __is_unknown(value: &Value) -> bool {
        value.is_unknown()
    }

    /// Used by the semantic equality of the type: whether two values are equal. The default compares them in a view,
    /// because the view of a type that contains no other types is the type itself.
    #[doc(hidden)]
    fn __are_equal(a: &Value, b: &Value) -> bool {
        let read = <Self::In<InArgs>>::from_value;
        matches!((read(a), read(b)), (Ok(a), Ok(b)) if a == b)
    }

    /// Used by `Maybe`: validates an unknown value that will not be null, by its refinements.
    #[doc(hidden)]
    fn __validate_refinements(_: &Refinements) -> Result<(), Error> {
        Ok(())
    }

    /// Prints a known value for messages, with no more digits than the type can represent.
    #[doc(hidden)]
    fn __display(value: &Value) -> String {
        value.summary()
    }

    /// Used by validators: the range of the numbers of this type, if it does not hold all numbers.
    #[doc(hidden)]
    fn __number_range() -> Option<NumberRange> {
        None
    }

    /// Whether an object may lack an attribute of this type. A missing attribute is null.
    #[doc(hidden)]
    const __MAY_BE_ABSENT: bool = false;

    /// Used by the derive: reads an attribute of an object, or null if default values are requested for all attributes.
    ///
    /// Never inlined: otherwise, a model with hundreds of attributes becomes one function that takes minutes to
    /// optimize.
    #[doc(hidden)]
    #[inline(never)]
    fn __read_attribute(
        object: Option<&Object>,
        name: &'static str,
        unhandled: Unhandled,
    ) -> Result<Self, Error> {
        let absent = Self::__MAY_BE_ABSENT.then_some(&Value::Null);
        let value = object.map_or(Some(&Value::Null), |it| it.get(name).or(absent));
        let missing = || Error::new("there is no attribute for this field");
        let read = value.ok_or_else(missing).and_then(|it| Self::from_value_or(it, unhandled));
        read.map_err(|e| e.below(Step::Attribute(name.into())))
    }

    /// Used by the derive: reads the attributes of a model that is flattened into another one.
    #[doc(hidden)]
    fn __read_flattened(value: &Value, unhandled: Unhandled) -> Result<Self, Error> {
        Self::from_value_or(value, unhandled)
    }

    /// Used by the derive: whether a model has a field for the attribute of that name.
    #[doc(hidden)]
    fn __has_attribute(_: &str) -> bool {
        false
    }

    /// Used by the derive: an attribute of this type.
    #[doc(hidden)]
    fn __attribute(name: &'static str) -> Attribute {
        attribute_of::<Self>(name.into())
    }

    /// Returns how the objects are nested, for a nested model or a collection of nested models.
    fn nested() -> Option<Nested> {
        Self::block().map(Nested::single)
    }
}

/// An attribute of the Rust type `T`: optional if `T` is an `Option`, otherwise required.
pub(crate) fn attribute_of<T: Attr>(name: Arc<str>) -> Attribute {
    // The schema of timeouts depends on the operations; without options, it has all of them.
    if timeouts::is_timeouts_field::<T>() {
        return Attribute::timeouts(name, TimeoutDefaults::all());
    }
    let nested = T::nested();
    let (text, kind) = nested
        .as_ref()
        .map(|it| (it.block().full_description().to_owned(), it.block().description_kind()))
        .unwrap_or_default();
    let is_described = nested.is_some() || !T::DESCRIPTION.is_empty();
    let deprecated = nested.as_ref().and_then(|it| it.block().deprecation().map(str::to_owned));
    // The type of nested objects is that of their block, so `T::ty` does not build the block a second time.
    let mut attribute = match nested {
        Some(nested) => Attribute::raw_nested(name, nested),
        None => Attribute::raw(name, T::ty()),
    }
    .rust_type(&Of::<T>::NATIVE);
    if T::NULLABLE {
        attribute = attribute.optional();
    } else {
        attribute = attribute.not_null();
    }
    if is_described {
        attribute = attribute.description_of_kind(text, kind);
    }
    match deprecated {
        Some(message) => attribute.deprecated(message),
        None => attribute,
    }
}

struct Of<T>(PhantomData<T>);

impl<T: Attr> Of<T> {
    const NATIVE: RustType = RustType {
        check: check_state_value::<T>,
        check_config: is_configurable::<T>,
        check_sets: check_sets::<T>,
        placeholder: T::placeholder,
        keep_prior: T::keep_prior,
        canonical: T::canonical,
        has_semantic_equality: !T::EXACT,
        hints: T::hints,
        type_doc: T::__DOC,
        type_description: T::DESCRIPTION,
    };
}

/// Checks that a value may be written to an attribute of this type: every part may be unknown, and the attribute may be
/// null.
fn check_state_value<T: Attr>(value: &Value) -> Result<(), Error> {
    <Maybe<Option<T::In<InProposed>>>>::from_value(value).map(drop)
}

/// Checks that a value may be configured for an attribute of this type, or null.
fn is_configurable<T: Attr>(value: &Value) -> Result<(), Error> {
    <Maybe<Option<T::In<InConfig>>>>::from_value(value).map(drop)
}

/// Checks that a configured value still has all elements of its sets once it has been read and printed. Otherwise, the
/// state would lose an element, and every plan would add it again.
fn check_sets<T: Attr>(value: &Value) -> Result<(), Error> {
    let read = if T::EXACT { None } else { <Option<T>>::from_value(value).ok() };
    let Some(read) = read.map(|it| it.to_value()) else { return Ok(()) };
    let mut errors = Vec::new();
    value.walk(&mut |path, part| {
        if let (Value::Set(part), Some(Value::Set(read))) = (part, read.at(path))
            && read.len() < part.len()
        {
            let error = Error::constant("two elements of the set are semantically equal");
            errors.push(error.with_path(path.clone()));
        }
        errors.is_empty()
    });
    errors.pop().map_or(Ok(()), Err)
}

/// The value to read instead of a null or unknown value that the type cannot represent.
fn default_value<T: Attr>(unhandled: Unhandled, value: &Value) -> Option<Value> {
    if T::NULLABLE {
        return unhandled.is_unknown_read_as_default(value).then_some(Value::Null);
    }
    unhandled.covers(value).then(|| super::unhandled::empty(&T::ty()))
}

/// The prior value, if the two are semantically equal as a whole.
fn keep_whole<T: Attr>(prior: &Value, new: &Value) -> Value {
    if !T::EXACT && T::__are_equal(prior, new) {
        return prior.clone();
    }
    new.clone()
}

/// The parsed value, printed again.
fn canonical_form<T: Attr>(value: &Value) -> Value {
    if T::EXACT {
        return value.clone();
    }
    T::from_value(value).map_or_else(|_| value.clone(), |it| it.to_value())
}
