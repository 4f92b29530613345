//! The properties of the type of a field, even if it is not an attribute type.
//!
//! The generated code refers to the type of a field in many functions and constants. If each of them required `Attr`, one
//! wrong type would be an error in each of them. Instead, they use [`Field`]: its inherent members exist for attribute types
//! only, and for any other type, the compiler finds those of the trait [`NotAnAttributeType`], which are never evaluated.
//! The field of the view requires `Attr`, so that is the only error.

use ferroform_engine::schema::Attribute;
use ferroform_value::{Error, Object, Value};
use std::marker::PhantomData;

use crate::attr::{Attr, Shape, TypeFacts, Unhandled};
use crate::schema::AttributeExt as _;

/// The type of a field.
#[derive(Debug)]
pub struct Field<T>(PhantomData<T>);

impl<T: Attr> Field<T> {
    /// [`Attr::SHAPE`]
    pub const SHAPE: Shape = T::SHAPE;
    /// [`Attr::HAS_COMPUTED`]
    pub const HAS_COMPUTED: bool = T::HAS_COMPUTED;
    /// [`Attr::FACTS`]
    pub const FACTS: TypeFacts = T::FACTS;

    /// The attribute of the schema.
    pub fn attribute(name: &'static str) -> Attribute {
        T::__attribute(name)
    }

    /// Reads the attribute of an object.
    ///
    /// # Errors
    ///
    /// As [`Attr::from_value`].
    pub fn read_attribute(
        object: Option<&Object>,
        name: &'static str,
        unhandled: Unhandled,
    ) -> Result<T, Error> {
        T::__read_attribute(object, name, unhandled)
    }

    /// The value of the attribute.
    pub fn to_value(field: &T) -> Value {
        field.to_value()
    }

    /// Sets the default of an attribute.
    pub fn default(attribute: Attribute, value: impl Fn() -> T + Send + Sync + 'static) -> Attribute {
        attribute.default::<T>(value)
    }
}

/// The members of [`Field`] for a type that is not an attribute type. The program does not compile, so they are never used.
pub trait NotAnAttributeType<T>: Sized {
    /// Not used.
    const SHAPE: Shape = Shape::Scalar;
    /// Not used.
    const HAS_COMPUTED: bool = false;
    /// Not used.
    const FACTS: TypeFacts = TypeFacts::SCALAR;

    /// Not used.
    fn attribute(name: &'static str) -> Attribute {
        <() as Attr>::__attribute(name)
    }

    /// Not used.
    ///
    /// # Errors
    ///
    /// Always returns an error.
    fn read_attribute(_: Option<&Object>, _: &'static str, _: Unhandled) -> Result<T, Error> {
        Err(Error::constant("not an attribute type"))
    }

    /// Not used.
    fn to_value(_: &T) -> Value {
        Value::Null
    }

    /// Not used.
    fn default(attribute: Attribute, _: impl Fn() -> T + Send + Sync + 'static) -> Attribute {
        attribute
    }
}

impl<T> NotAnAttributeType<T> for Field<T> {}
