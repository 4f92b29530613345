//! Tuples and arrays, which have a fixed number of elements. Tuples have up to twelve, as in the standard library.

use ferroform_value::{Error, Step, Type, Value};

use super::collections::{collection, elements};
use ferroform_engine::type_mismatch::mismatch;

use super::{Attr, Shape, TypeFacts, Unhandled};
use crate::model::view::View;
use ferroform_engine::schema::{Block, Nested};
use ferroform_engine::validator::Hint;

/// The elements of a list or tuple with exactly this number of elements; none if the default value is requested.
fn exactly(count: usize, value: &Value, unhandled: Unhandled) -> Result<(&[Value], Unhandled), Error> {
    match value {
        Value::List(it) | Value::Tuple(it) if it.len() == count => Ok((it, unhandled)),
        Value::List(it) | Value::Tuple(it) => {
            let (actual, kind) = (it.len(), value.kind());
            let error = Error::new(format!("{count} elements are required, but this {kind} has {actual}"));
            Err(error.with_redacted(format!("{count} elements are required")))
        }
        _ if unhandled.covers(value) => Ok((&[], unhandled.null_as_default())),
        _ => Err(mismatch(&format!("a list of {count} elements"), value)),
    }
}

impl<T: Attr, const N: usize> Attr for [T; N] {
    type In<V: View> = [V::Plain<T>; N];
    collection!(T, Type::list, Nested::list, T::SHAPE.list());

    fn from_value_or(value: &Value, unhandled: Unhandled) -> Result<Self, Error> {
        let (present, unhandled) = exactly(N, value, unhandled)?;
        let padded = present.iter().chain(std::iter::repeat_n(&Value::Null, N - present.len()));
        let values: Vec<T> = elements(padded, unhandled)?;
        values.try_into().map_err(|_| mismatch(&format!("a list of {N} elements"), value))
    }

    fn to_value(&self) -> Value {
        Value::List(self.iter().map(T::to_value).collect())
    }

    fn placeholder() -> Value {
        Value::List((0..N).map(|_| T::placeholder()).collect())
    }
}

macro_rules! tuples {
    ($($count:literal: $($element:ident $at:tt),+;)+) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($element: Attr),+> Attr for ($($element,)+) {
            type In<V: View> = ($(V::Plain<$element>,)+);
            const SHAPE: Shape = Shape::Other;
            const EXACT: bool = true $(&& $element::EXACT)+;
            const HAS_COMPUTED: bool = false $(|| $element::HAS_COMPUTED)+;
            const FACTS: TypeFacts = TypeFacts::SCALAR$(.tuple_with($element::FACTS))+;

            fn ty() -> Type {
                Type::tuple([$($element::ty()),+])
            }

            fn from_value(value: &Value) -> Result<Self, Error> {
                Self::from_value_or(value, Unhandled::default())
            }

            fn from_value_or(value: &Value, unhandled: Unhandled) -> Result<Self, Error> {
                let (present, unhandled) = exactly($count, value, unhandled)?;
                Ok(($(
                    $element::from_value_or(present.get($at).unwrap_or(&Value::Null), unhandled)
                        .map_err(|e| e.below(Step::Index($at)))?,
                )+))
            }

            fn to_value(&self) -> Value {
                Value::Tuple(vec![$(self.$at.to_value()),+])
            }

            fn placeholder() -> Value {
                Value::Tuple(vec![$($element::placeholder()),+])
            }

            fn hints() -> Vec<Hint> {
                [$($element::hints()),+].concat()
            }
        }
    )+};
}

tuples! {
    1: A 0;
    2: A 0, B 1;
    3: A 0, B 1, C 2;
    4: A 0, B 1, C 2, D 3;
    5: A 0, B 1, C 2, D 3, E 4;
    6: A 0, B 1, C 2, D 3, E 4, F 5;
    7: A 0, B 1, C 2, D 3, E 4, F 5, G 6;
    8: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7;
    9: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8;
    10: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9;
    11: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10;
    12: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11;
}
