//! A value of any type.

use ferroform_value::{Error, Path, Type, Typed, Value};

use ferroform_engine::type_mismatch::mismatch;

use super::{Attr, Inside, Shape, Unhandled};
use crate::access::{Data, IntoData};
use crate::view::View;
use crate::{Diagnostics, Result};

/// A known value whose type is known only at run time: the type of an attribute that takes `any`.
///
/// What is inside may be null or unknown; that the attribute itself is, an `Option` or
/// [`Maybe`](crate::Maybe) around it says.
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
    typed: Typed,
}

impl Dynamic {
    /// A value of the type that it has in Rust.
    ///
    /// # Errors
    ///
    /// Where it is null or unknown: that is for an `Option` or `Maybe` around it to say.
    pub fn of(it: impl IntoData) -> Result<Dynamic> {
        Dynamic::try_from(it.into_data())
    }

    /// The type of the value.
    pub fn ty(&self) -> &Type {
        &self.typed.ty
    }

    /// The value.
    pub fn value(&self) -> &Value {
        &self.typed.value
    }

    /// The value as a Rust type.
    ///
    /// # Errors
    ///
    /// Where it is none of that type, or holds a null or unknown that the type cannot.
    pub fn get<T: Attr>(&self) -> Result<T> {
        self.data().get(Path::ROOT)
    }

    /// The value with its type, to go into it by path.
    pub fn data(&self) -> Data {
        Data::trusted(self.typed.ty.clone(), self.typed.value.clone())
    }
}

impl TryFrom<Data> for Dynamic {
    type Error = Diagnostics;

    fn try_from(data: Data) -> Result<Dynamic> {
        let ty = data.ty().clone();
        let value = Data::typed(ty.clone(), data.into_value())?.into_value();
        Ok(Dynamic::from_value(&Value::dynamic(ty, value))?)
    }
}

impl Attr for Dynamic {
    type In<V: View> = Self;
    const SHAPE: Shape = Shape::Other;
    const EXACT: bool = true;
    const INSIDE: Inside = Inside::DYNAMIC;

    fn ty() -> Type {
        Type::Dynamic
    }

    fn from_value(value: &Value) -> Result<Self, Error> {
        if value.is_null() || value.is_unknown() {
            return Err(mismatch("a value", value));
        }
        match value {
            Value::Dynamic(it) => Ok(Dynamic { typed: (**it).clone() }),
            // Primitive values need no type beside them.
            _ => Typed::resolve(value.clone(), &Type::Dynamic).map(|typed| Dynamic { typed }),
        }
    }

    /// There is no default value of any type.
    fn from_value_or(value: &Value, _: Unhandled) -> Result<Self, Error> {
        Self::from_value(value)
    }

    fn to_value(&self) -> Value {
        Value::dynamic(self.typed.ty.clone(), self.typed.value.clone())
    }
}
