//! Building values of run-time types, with checks.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use ferroform_engine::type_mismatch::empty_value;
use ferroform_value::{Error, Path, Step, Type, Value};

use super::convert::{Direction, convert};
use super::data::Data;
use crate::attr::Attr;
use crate::{Diagnostic, Diagnostics, Result};

/// A type that converts into [`Data`]: every attribute type, `&str`, and `Data` itself.
///
/// ```
/// use ferroform::IntoData;
/// use ferroform::value::Type;
///
/// assert_eq!("web".into_data().ty(), &Type::String);
/// assert_eq!(vec![80_u16].into_data().ty(), &Type::list(Type::Number));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be converted to a Terraform value",
    label = "not an attribute type",
    note = "use an attribute type (`Attr`), `&str` or `Data`"
)]
pub trait IntoData {
    /// Converts into a value with its type.
    fn into_data(self) -> Data;
}

impl<T: Attr> IntoData for T {
    fn into_data(self) -> Data {
        Data::trusted(T::ty(), self.to_value())
    }
}

impl IntoData for &str {
    fn into_data(self) -> Data {
        Data::trusted(Type::String, self.into())
    }
}

impl IntoData for Data {
    fn into_data(self) -> Data {
        self
    }
}

/// Converts each element, and collects the errors of all elements.
fn convert_elements<I: IntoData>(
    element: &Type,
    elements: impl Iterator<Item = (Step, I)>,
    mut keep: impl FnMut(Step, Value),
) -> Result<()> {
    let mut errors = Diagnostics::new();
    for (step, it) in elements {
        let it = it.into_data();
        match convert(&it.value, &it.ty, element, Direction::Write) {
            Ok(it) => keep(step, it),
            Err(error) => errors.extend(Diagnostics::from(error.below(step))),
        }
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// A collection whose elements have been checked one by one. Dynamic elements must all have the same type.
fn collection(ty: Type, value: Value) -> Result<Data> {
    if ty.has_dynamic() { Data::typed(ty, value) } else { Ok(Data::trusted(ty, value)) }
}

fn indexed<I>(elements: impl IntoIterator<Item = I>) -> impl Iterator<Item = (Step, I)> {
    elements.into_iter().enumerate().map(|(i, it)| (Step::Index(i), it))
}

/// # Building values of run-time types
impl Data {
    /// A null value of the type.
    pub fn null_of(ty: Type) -> Data {
        Data::trusted(ty, Value::Null)
    }

    /// An unknown value of the type.
    pub fn unknown_of(ty: Type) -> Data {
        Data::trusted(ty, Value::UNKNOWN)
    }

    /// The empty value of the type: false, 0, an empty string or collection, an object or tuple of empty values, and
    /// null for [`Type::Dynamic`].
    ///
    /// ```
    /// use ferroform::{Data, value::{Type, Value}};
    ///
    /// let ty = Type::object([("name", Type::String), ("ports", Type::list(Type::Number))]);
    /// let empty = Value::object([("name", "".into()), ("ports", Value::List(vec![]))]);
    /// assert_eq!(Data::empty_of(ty).into_value(), empty);
    /// ```
    pub fn empty_of(ty: Type) -> Data {
        let value = empty_value(&ty);
        Data::trusted(ty, value)
    }

    /// A list.
    ///
    /// ```
    /// use ferroform::{Data, value::Type};
    ///
    /// let ports = Data::list_of(Type::Number, [80, 443])?;
    /// assert_eq!(ports.read::<Vec<u16>>()?, [80, 443]);
    ///
    /// let wrong = Data::list_of(Type::Number, ["80"]).unwrap_err();
    /// assert_eq!(wrong.to_string(), "[0]: Value Conversion Error: A number is required, but got a string.");
    /// # Ok::<(), ferroform::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error for each element that does not have the type.
    pub fn list_of<I: IntoData>(element: Type, elements: impl IntoIterator<Item = I>) -> Result<Data> {
        let mut converted = Vec::new();
        convert_elements(&element, indexed(elements), |_, it| converted.push(it))?;
        collection(Type::list(element), Value::List(converted))
    }

    /// A set.
    ///
    /// # Errors
    /// Returns an error for each element that does not have the type or occurs twice.
    pub fn set_of<I: IntoData>(element: Type, elements: impl IntoIterator<Item = I>) -> Result<Data> {
        let mut converted = Vec::new();
        convert_elements(&element, indexed(elements), |_, it| converted.push(it))?;
        let set: ferroform_value::Set = converted.iter().cloned().collect();
        if set.len() < converted.len() {
            let mut seen = HashSet::new();
            let repeated = converted.iter().filter(|it| !seen.insert(*it));
            let error_at = |it: &Value| {
                Error::new("the set contains this element twice").below(Step::Element(Box::new(it.clone())))
            };
            let mut errors = Diagnostics::new();
            repeated.for_each(|it| errors.extend(Diagnostics::from(error_at(it))));
            return Err(errors);
        }
        collection(Type::set(element), Value::Set(set))
    }

    /// A map.
    ///
    /// # Errors
    /// Returns an error for each element that does not have the type or whose key occurs twice.
    pub fn map_of<K: AsRef<str>, I: IntoData>(
        element: Type,
        entries: impl IntoIterator<Item = (K, I)>,
    ) -> Result<Data> {
        let mut converted = std::collections::BTreeMap::new();
        let mut repeated = Diagnostics::new();
        let entries = entries.into_iter().map(|(key, it)| (Step::Key(key.as_ref().into()), it));
        convert_elements(&element, entries, |step, it| {
            if let Step::Key(key) = &step
                && converted.insert(key.clone(), it).is_some()
            {
                repeated.extend(Diagnostics::from(Error::new("the map contains this key twice").below(step)));
            }
        })?;
        if repeated.is_empty() {
            collection(Type::map(element), Value::Map(converted))
        } else {
            Err(repeated)
        }
    }

    /// A tuple.
    ///
    /// # Errors
    /// Returns an error if the numbers of elements and types differ, or for each element that does not have its type.
    pub fn tuple_of(
        types: impl IntoIterator<Item = Type>,
        elements: impl IntoIterator<Item = Data>,
    ) -> Result<Data> {
        let (types, elements): (Vec<_>, Vec<_>) =
            (types.into_iter().collect(), elements.into_iter().collect());
        if types.len() != elements.len() {
            let (expected, actual) = (types.len(), elements.len());
            let message =
                format!("{expected} elements are required, one for each type, but there are {actual}");
            return Err(Error::new(message).into());
        }
        let mut converted = Vec::new();
        let mut errors = Diagnostics::new();
        for (one, ty) in indexed(elements).zip(&types) {
            let result = convert_elements(ty, [one].into_iter(), |_, it| converted.push(it));
            errors.ok_or_extend(result);
        }
        if errors.is_empty() {
            Ok(Data::trusted(Type::tuple(types), Value::Tuple(converted)))
        } else {
            Err(errors)
        }
    }

    /// An object.
    ///
    /// ```
    /// use ferroform::{Data, IntoData, path, value::Type};
    ///
    /// let types = [("name", Type::String), ("size", Type::Number)];
    /// let disk = Data::object_of(types.clone(), [("name", "a".into_data()), ("size", 7.into_data())])?;
    /// assert_eq!(disk.get::<u32>(path!(size))?, 7);
    ///
    /// let wrong = Data::object_of(types, [("name", true.into_data()), ("sise", 7.into_data())]).unwrap_err();
    /// let messages: Vec<String> = wrong.iter().map(ToString::to_string).collect();
    /// assert_eq!(messages, [
    ///     "name: Value Conversion Error: A string is required, but got a bool.",
    ///     "sise: Value Conversion Error: There is no such attribute.",
    ///     "size: Value Conversion Error: The attribute is missing.",
    /// ]);
    /// # Ok::<(), ferroform::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error for each attribute that is missing, not in the type, set twice, or does not have its type.
    pub fn object_of<N: Into<Arc<str>>, K: AsRef<str> + fmt::Debug>(
        types: impl IntoIterator<Item = (N, Type)>,
        attributes: impl IntoIterator<Item = (K, Data)>,
    ) -> Result<Data> {
        let ty = Type::object(types);
        let Type::Object(types) = &ty else {
            return Err(Diagnostic::error("Invalid Object").into());
        };
        let mut converted = ferroform_value::Object::default();
        let mut errors = Diagnostics::new();
        let error_at =
            |name: &str, message: &str| Diagnostics::from(Error::new(message).at(Path::attribute(name)));
        for (name, it) in attributes {
            let name = name.as_ref();
            match types.get(name) {
                None => errors.extend(error_at(name, "there is no such attribute")),
                Some(_) if converted.get(name).is_some() => {
                    errors.extend(error_at(name, "the attribute is set twice"))
                }
                Some(expected) => match convert(&it.value, &it.ty, &expected.ty, Direction::Write) {
                    Ok(it) => drop(converted.insert(name, it)),
                    Err(error) => {
                        errors.extend(Diagnostics::from(error.at(Path::attribute(name))));
                        converted.insert(name, Value::Null);
                    }
                },
            }
        }
        for missing in types.attributes().iter().filter(|it| converted.get(&it.name).is_none()) {
            errors.extend(error_at(&missing.name, "the attribute is missing"));
        }
        if errors.is_empty() { Ok(Data::trusted(ty, Value::Object(converted))) } else { Err(errors) }
    }
}
