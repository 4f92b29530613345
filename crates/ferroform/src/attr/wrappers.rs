//! Wrapper types: `Option` for null, `Maybe` for unknown, `Box`, `Arc` and `()`.

use std::sync::Arc;

use ferroform_value::{Error, NumberRange, Refinements, Type, Value};

use super::{Attr, Shape, TypeFacts, Unhandled};
use crate::model::view::View;
use crate::{Known, Maybe, Unknown};
use ferroform_engine::schema::{Block, Nested};
use ferroform_engine::validator::Hint;

/// The items of `Attr` that a wrapper has in common with the type inside.
macro_rules! same_as {
    ($inner:ident) => {
        const SHAPE: Shape = $inner::SHAPE;
        const __MAY_BE_ABSENT: bool = $inner::__MAY_BE_ABSENT;
        const EXACT: bool = $inner::EXACT;
        const HAS_COMPUTED: bool = $inner::HAS_COMPUTED;
        const FACTS: TypeFacts = $inner::FACTS;
        const DESCRIPTION: &'static str = $inner::DESCRIPTION;
        const __DOC: &'static str = $inner::__DOC;

        fn from_value(value: &Value) -> Result<Self, Error> {
            Self::from_value_or(value, Unhandled::default())
        }

        fn keep_prior(prior: &Value, new: &Value) -> Value {
            $inner::keep_prior(prior, new)
        }

        fn canonical(value: &Value) -> Value {
            $inner::canonical(value)
        }

        fn __is_unknown(value: &Value) -> bool {
            $inner::__is_unknown(value)
        }

        fn __validate_refinements(known: &Refinements) -> Result<(), Error> {
            $inner::__validate_refinements(known)
        }

        fn __display(value: &Value) -> String {
            $inner::__display(value)
        }

        fn __number_range() -> Option<NumberRange> {
            $inner::__number_range()
        }

        fn hints() -> Vec<Hint> {
            $inner::hints()
        }

        fn ty() -> Type {
            $inner::ty()
        }

        fn block() -> Option<Block> {
            $inner::block()
        }

        fn nested() -> Option<Nested> {
            $inner::nested()
        }
    };
}

impl<T: Attr> Attr for Option<T> {
    type In<V: View> = Option<T::In<V>>;
    const NULLABLE: bool = true;
    same_as!(T);

    fn from_value_or(value: &Value, unhandled: Unhandled) -> Result<Self, Error> {
        if value.is_null() || unhandled.is_unknown_read_as_default(value) {
            return Ok(None);
        }
        T::from_value_or(value, unhandled).map(Some)
    }

    fn to_value(&self) -> Value {
        self.as_ref().map_or(Value::Null, T::to_value)
    }

    fn placeholder() -> Value {
        Value::Null
    }
}

impl<T: Attr> Attr for Maybe<T> {
    type In<V: View> = Maybe<T::In<V>>;
    const NULLABLE: bool = T::NULLABLE;
    same_as!(T);

    fn from_value_or(value: &Value, unhandled: Unhandled) -> Result<Self, Error> {
        if !T::__is_unknown(value) {
            return T::from_value_or(value, unhandled).map(Known);
        }
        match value.without_type() {
            Value::Unknown(Some(known)) if known.is_not_null() => {
                T::__validate_refinements(known).map(|()| Unknown)
            }
            _ => Ok(Unknown),
        }
    }

    fn to_value(&self) -> Value {
        self.as_known().map_or(Value::UNKNOWN, T::to_value)
    }

    fn placeholder() -> Value {
        T::placeholder()
    }
}

/// Smart pointers have the type of their content.
macro_rules! pointers {
    ($($pointer:ident),+) => {$(
        impl<T: Attr> Attr for $pointer<T> {
            type In<V: View> = $pointer<T::In<V>>;
            const NULLABLE: bool = T::NULLABLE;
            same_as!(T);

            fn from_value_or(value: &Value, unhandled: Unhandled) -> Result<Self, Error> {
                T::from_value_or(value, unhandled).map($pointer::new)
            }

            fn to_value(&self) -> Value {
                (**self).to_value()
            }

            fn placeholder() -> Value {
                T::placeholder()
            }
        }
    )+};
}

pointers!(Box, Arc);

/// The type of an attribute that is absent from a view.
impl Attr for () {
    type In<V: View> = ();
    const SHAPE: Shape = Shape::Record;
    const NULLABLE: bool = true;
    const EXACT: bool = true;

    fn ty() -> Type {
        Type::Dynamic
    }

    fn from_value(_: &Value) -> Result<Self, Error> {
        Ok(())
    }

    fn to_value(&self) -> Value {
        Value::Null
    }
}
