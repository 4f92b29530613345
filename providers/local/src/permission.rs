//! Permission bits in octal.

use ferroform::value::{Error, Type, Value};
use ferroform::{Attr, view::View};

/// Permission bits as three or four octal digits: `"0644"` and `"644"` are equal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Permission(pub(crate) u32);

impl Attr for Permission {
    type In<V: View> = Self;

    fn ty() -> Type {
        Type::String
    }

    fn from_value(value: &Value) -> Result<Self, Error> {
        let text = String::from_value(value)?;
        let bits = u32::from_str_radix(&text, 8).ok().filter(|it| *it <= 0o777);
        let bits = bits.filter(|_| matches!(text.len(), 3 | 4) && !text.starts_with('+'));
        bits.map(Permission).ok_or_else(|| {
            Error::new(format!("three or four octal digits such as \"0644\" are required, but got {text:?}"))
        })
    }

    fn to_value(&self) -> Value {
        format!("{:04o}", self.0).into()
    }
}
