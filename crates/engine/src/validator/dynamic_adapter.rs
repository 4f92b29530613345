//! Adapts functions for values of any type to attributes of a concrete type.
//!
//! A function that takes a `ferroform::Dynamic` works on every attribute, but it expects a value together with its
//! type. If the attribute has the type `string`, its value `"a"` is passed as the dynamic value `string "a"`, and a
//! dynamic value that the function returns is unwrapped.

use std::borrow::Cow;

use ferroform_value::{Type, Typed, Value};

/// Converts between the values of an attribute and the dynamic values of a function.
#[derive(Clone, Debug)]
pub struct DynamicAdapter(Option<Type>);

impl DynamicAdapter {
    /// The adapter for a function that takes values of the attribute's type: it changes nothing.
    pub fn none() -> DynamicAdapter {
        DynamicAdapter(None)
    }

    /// The adapter for a function that takes dynamic values, and an attribute of this type.
    pub fn for_type(ty: &Type) -> DynamicAdapter {
        DynamicAdapter(Some(ty.clone()))
    }

    /// True if the adapter converts values.
    pub fn is_needed(&self) -> bool {
        self.0.is_some()
    }

    /// Converts a value of the attribute to the form that the function accepts.
    pub fn adapt_input<'a>(&self, value: &'a Value) -> Cow<'a, Value> {
        match &self.0 {
            Some(ty) if !matches!(value, Value::Null | Value::Unknown(_)) => {
                let typed = Typed::resolve(value.clone(), ty);
                typed.map_or(Cow::Borrowed(value), |it| Cow::Owned(Value::dynamic(it.ty, it.value)))
            }
            _ => Cow::Borrowed(value),
        }
    }

    /// Converts a value that the function returned to the form of the attribute.
    pub fn adapt_output(&self, value: Value) -> Value {
        match (&self.0, value) {
            (Some(_), Value::Dynamic(it)) => it.value,
            (_, value) => value,
        }
    }
}
