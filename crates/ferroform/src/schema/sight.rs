//! What a function for values of any type sees of an attribute whose type is known at run time only.

use std::borrow::Cow;

use ferroform_value::{Type, Typed, Value};

use crate::Attr;

/// The type of the attribute, where it is of one and the function for all.
#[derive(Clone, Debug)]
pub(crate) struct Sight(Option<Type>);

impl Sight {
    /// That of a function for values of the type `T`.
    pub(crate) fn of<T: Attr>(ty: &Type) -> Sight {
        // Asked of each attribute with a behaviour: most types need not be made for it.
        let differs = T::INSIDE.dynamic && *ty != Type::Dynamic && T::ty() == Type::Dynamic;
        Sight(differs.then(|| ty.clone()))
    }

    /// That of a function for values of any type.
    pub(crate) fn any(ty: &Type) -> Sight {
        Sight(Some(ty.clone()))
    }

    /// True where the function is for values of any type, and the attribute of one.
    pub(crate) fn is_any(&self) -> bool {
        self.0.is_some()
    }

    /// The attribute's value, as the function takes it.
    pub(crate) fn given<'a>(&self, value: &'a Value) -> Cow<'a, Value> {
        match &self.0 {
            Some(ty) if !matches!(value, Value::Null | Value::Unknown(_)) => {
                let typed = Typed::resolve(value.clone(), ty);
                typed.map_or(Cow::Borrowed(value), |it| Cow::Owned(Value::dynamic(it.ty, it.value)))
            }
            _ => Cow::Borrowed(value),
        }
    }

    /// The function's answer, as the attribute takes it.
    pub(crate) fn taken(&self, answer: Value) -> Value {
        match (&self.0, answer) {
            (Some(_), Value::Dynamic(it)) => it.value,
            (_, answer) => answer,
        }
    }
}
