//! Which rules are for which types: a rule for text on a number does not compile.

use std::sync::Arc;

use ferroform_value::Number;

use crate::{Attr, MapKey, Maybe};

/// A type that is text on the wire: what rules for strings are for.
///
/// Every [`MapKey`] is one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not text",
    label = "not text",
    note = "rules about lengths and letters are for `String`, `#[derive(Attr)]` newtypes and enums of text, and types with `impl MapKey`"
)]
pub trait StringAttr: Attr {}

#[diagnostic::do_not_recommend]
impl<T: MapKey> StringAttr for T {}

/// A type that is a number on the wire: what rules for numbers are for. So is a `#[derive(Attr)]` newtype of one;
/// for another type `impl NumberAttr for Percent {}` says so.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a number",
    label = "not a number",
    note = "rules about bounds and sums are for integers, floats, `Number`, `#[derive(Attr)]` newtypes of such, and types with `impl NumberAttr`"
)]
pub trait NumberAttr: Attr {}

macro_rules! numeric {
    ($($number:ty),+) => {$(
        impl NumberAttr for $number {}
    )+};
}

numeric!(i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize, f32, f64, Number);
#[cfg(feature = "bigint")]
numeric!(num_bigint::BigInt);
#[cfg(feature = "decimal")]
numeric!(rust_decimal::Decimal);

/// Used by the derive: checks that a field is a number.
#[doc(hidden)]
pub const fn assert_number<T: NumberAttr>() {}

/// Around a type it is still the same kind.
macro_rules! wrapped {
    ($($wrapper:ident),+) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: StringAttr> StringAttr for $wrapper<T> {}
        #[diagnostic::do_not_recommend]
        impl<T: NumberAttr> NumberAttr for $wrapper<T> {}
    )+};
}

wrapped!(Option, Maybe, Arc);
