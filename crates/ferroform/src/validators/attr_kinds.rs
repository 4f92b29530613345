//! Traits that limit validators to attribute types: a string validator on a number does not compile.

use std::num::{
    NonZeroI8, NonZeroI16, NonZeroI32, NonZeroI64, NonZeroI128, NonZeroIsize, NonZeroU8, NonZeroU16,
    NonZeroU32, NonZeroU64, NonZeroU128, NonZeroUsize,
};
use std::sync::Arc;

use ferroform_value::Number;

use crate::attr::Json;
use crate::{Attr, MapKey, Maybe};

/// An attribute type that is a string in Terraform, for string validators such as [`matches()`](super::matches).
///
/// Every [`MapKey`] is one. For a type that is not a `MapKey`, write `impl StringAttr for Color {}`. The validators check the
/// string of the configuration.
///
/// ```
/// use ferroform::validators::{length_at_most, StringAttr};
///
/// /// Limits the length of any string type.
/// fn short<T: StringAttr>() -> ferroform::validators::Validator<T> {
///     length_at_most(10)
/// }
/// # let _ = short::<String>();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a string type",
    label = "not a string",
    note = "string validators support `String`, `#[derive(Attr)]` newtypes and enums of strings, and types with `impl MapKey` or `impl StringAttr`"
)]
pub trait StringAttr: Attr {}

#[diagnostic::do_not_recommend]
impl<T: MapKey> StringAttr for T {}

#[diagnostic::do_not_recommend]
impl StringAttr for Json {}

/// An attribute type that is a number in Terraform, for number validators such as [`between`](super::between).
///
/// A `#[derive(Attr)]` newtype of a number is one. For another type, write `impl NumberAttr for Percent {}`.
///
/// ```
/// use ferroform::validators::NumberAttr;
/// use ferroform::value::{Error, Type, Value};
/// use ferroform::{Attr, view::View};
///
/// /// A percentage, which is a number in Terraform.
/// #[derive(Clone, Debug, PartialEq)]
/// struct Percent(u8);
///
/// impl Attr for Percent {
///     type In<V: View> = Self;
///
///     fn ty() -> Type {
///         Type::Number
///     }
///
///     fn from_value(value: &Value) -> Result<Self, Error> {
///         u8::from_value(value).map(Percent)
///     }
///
///     fn to_value(&self) -> Value {
///         self.0.to_value()
///     }
/// }
///
/// impl NumberAttr for Percent {}
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a number type",
    label = "not a number",
    note = "number validators and sums support integers, floats, `Number`, `#[derive(Attr)]` newtypes of these, and types with `impl NumberAttr`"
)]
pub trait NumberAttr: Attr {
    /// Used by the derive: naming this constant checks that the type is a number.
    #[doc(hidden)]
    const __CHECKED: () = ();
}

macro_rules! numeric {
    ($($number:ty),+) => {$(
        impl NumberAttr for $number {}
    )+};
}

numeric!(i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize, f32, f64, Number);
numeric!(NonZeroI8, NonZeroI16, NonZeroI32, NonZeroI64, NonZeroI128, NonZeroIsize);
numeric!(NonZeroU8, NonZeroU16, NonZeroU32, NonZeroU64, NonZeroU128, NonZeroUsize);
#[cfg(feature = "bigint")]
numeric!(num_bigint::BigInt);
#[cfg(feature = "decimal")]
numeric!(rust_decimal::Decimal);

/// Wrappers have the kind of their content.
macro_rules! wrapped {
    ($($wrapper:ident),+) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: StringAttr> StringAttr for $wrapper<T> {}
        #[diagnostic::do_not_recommend]
        impl<T: NumberAttr> NumberAttr for $wrapper<T> {}
    )+};
}

wrapped!(Option, Maybe, Arc);
