//! What a function for values of any type sees of an attribute whose type is known at run time only.

use std::borrow::Cow;

use ferroform_value::{Type, Typed, Value};

/// The type of the attribute, where it is of one and the function for all.
#[derive(Clone, Debug)]
pub struct Sight(Option<Type>);

impl Sight {
    /// That of a function for values of one type.
    pub fn typed() -> Sight {
        Sight(None)
    }

    /// That of a function for values of any type.
    pub fn any(ty: &Type) -> Sight {
        Sight(Some(ty.clone()))
    }

    /// True where the function is for values of any type, and the attribute of one.
    pub fn is_any(&self) -> bool {
        self.0.is_some()
    }

    /// The attribute's value, as the function takes it.
    pub fn given<'a>(&self, value: &'a Value) -> Cow<'a, Value> {
        match &self.0 {
            Some(ty) if !matches!(value, Value::Null | Value::Unknown(_)) => {
                let typed = Typed::resolve(value.clone(), ty);
                typed.map_or(Cow::Borrowed(value), |it| Cow::Owned(Value::dynamic(it.ty, it.value)))
            }
            _ => Cow::Borrowed(value),
        }
    }

    /// The function's answer, as the attribute takes it.
    pub fn taken(&self, answer: Value) -> Value {
        match (&self.0, answer) {
            (Some(_), Value::Dynamic(it)) => it.value,
            (_, answer) => answer,
        }
    }
}
