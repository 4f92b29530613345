//! Dynamic values.

use ferroform_value::{Error, Type, Typed, Value};

use ferroform_engine::type_mismatch::mismatch;

use super::{Attr, Shape, Unhandled};
use crate::model::view::View;

/// A known value whose type is only known at run time: the type of a dynamic attribute.
///
/// Values inside it may be null or unknown. If the attribute itself may be null, use `Option<Dynamic>`.
///
/// ```
/// use ferroform::{Dynamic, Result, path};
///
/// let tags = Dynamic::of(vec!["a".to_owned(), "b".to_owned()])?;
/// assert_eq!(tags.get::<Vec<String>>()?, ["a", "b"]);
/// assert_eq!(tags.data().get::<String>([1].into_iter().map(Into::into).collect::<ferroform::value::Path>())?, "b");
/// assert!(tags.get::<String>().is_err());
/// # Ok::<(), ferroform::Diagnostics>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Dynamic {
    pub(crate) typed: Typed,
}

impl Dynamic {
    /// The type of the value.
    pub fn ty(&self) -> &Type {
        &self.typed.ty
    }

    /// The value.
    pub fn value(&self) -> &Value {
        &self.typed.value
    }
}

impl Attr for Dynamic {
    type In<V: View> = Self;
    const SHAPE: Shape = Shape::Dynamic;
    const EXACT: bool = true;

    fn ty() -> Type {
        Type::Dynamic
    }

    fn from_value(value: &Value) -> Result<Self, Error> {
        if value.is_null() || value.is_unknown() {
            return Err(mismatch("a value", value));
        }
        match value {
            Value::Dynamic(it) => Ok(Dynamic { typed: (**it).clone() }),
            // The value of a primitive type implies its type.
            _ => Typed::resolve(value.clone(), &Type::Dynamic).map(|typed| Dynamic { typed }),
        }
    }

    /// A dynamic type has no default value.
    fn from_value_or(value: &Value, _: Unhandled) -> Result<Self, Error> {
        Self::from_value(value)
    }

    fn to_value(&self) -> Value {
        Value::dynamic(self.typed.ty.clone(), self.typed.value.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A dynamic value with a conversion of its own.
    #[derive(Clone, Debug, PartialEq)]
    struct CustomDynamic(Dynamic);

    impl Attr for CustomDynamic {
        type In<V: View> = Self;
        const SHAPE: Shape = Shape::Dynamic;

        fn ty() -> Type {
            Type::Dynamic
        }

        fn from_value(value: &Value) -> Result<Self, Error> {
            Dynamic::from_value(value).map(CustomDynamic)
        }

        fn to_value(&self) -> Value {
            self.0.to_value()
        }
    }

    #[test]
    fn collection_of_custom_dynamic_type_is_rejected() {
        let facts = <Option<CustomDynamic>>::FACTS;
        assert!(facts.has_dynamic);
        assert_eq!(<CustomDynamic as Attr>::FACTS.rejection, None);
        assert_eq!(<Vec<CustomDynamic>>::FACTS.rejection, <Vec<Dynamic>>::FACTS.rejection);
        assert!(<Vec<CustomDynamic>>::FACTS.rejection.is_some());
    }
}
