//! Dynamic values, read and built as [`Data`].

use ferroform_value::{Path, Value};

use super::{Data, IntoData};
use crate::attr::{Attr, Dynamic};
use crate::{Diagnostics, Result};

impl Dynamic {
    /// A dynamic value with the type of a Rust value.
    ///
    /// # Errors
    ///
    /// If the value is null or unknown: use an `Option` or `Maybe` around the `Dynamic` instead.
    pub fn of(value: impl IntoData) -> Result<Dynamic> {
        Dynamic::try_from(value.into_data())
    }

    /// Reads the value as a Rust type.
    ///
    /// # Errors
    ///
    /// If the value is not a `T`, or contains a null or unknown value that `T` cannot represent.
    pub fn get<T: Attr>(&self) -> Result<T> {
        self.data().get(Path::ROOT)
    }

    /// The value with its type, to read parts of it by attribute path.
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
