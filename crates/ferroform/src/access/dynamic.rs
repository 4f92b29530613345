//! Values of any type, read and made like [`Data`].

use ferroform_value::{Path, Value};

use super::{Data, IntoData};
use crate::attr::{Attr, Dynamic};
use crate::{Diagnostics, Result};

impl Dynamic {
    /// A value of the type that it has in Rust.
    ///
    /// # Errors
    ///
    /// Where it is null or unknown: that is for an `Option` or `Maybe` around it to say.
    pub fn of(it: impl IntoData) -> Result<Dynamic> {
        Dynamic::try_from(it.into_data())
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
