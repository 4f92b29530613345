//! Values with their type, read and written by attribute path.

use std::borrow::Borrow;
use std::sync::Arc;

use ferroform_value::{Error, NfcString, Path, Type, Typed, Value, convert as language};

use super::build::IntoData;
use super::convert::{convert_for_write, read};
use super::paths::{
    check_indexes, dynamic_prefix, native_check_at, resolved, type_at, typed_value_at, value_at, write,
};
use ferroform_engine::type_mismatch::mismatch;

use crate::Pattern;
use crate::attr::{Attr, Unhandled};
use crate::schema::Block;
use crate::{Diagnostics, Result};

/// The maximum number of errors of a conversion.
const MAX_ERRORS: usize = 64;

/// A value with its type, and optionally with its schema.
///
/// Two `Data` are equal if their values and types are equal.
///
/// ```
/// use ferroform::value::{Type, Value};
/// use ferroform::{Data, path};
///
/// let ty = Type::object([("name", Type::String), ("ports", Type::list(Type::Number))]);
/// let mut server = Data::typed(ty, Value::Null)?;
/// server.set(path!(name), "web")?;
/// server.set(path!(ports[0]), 80)?;
/// assert_eq!(server.get::<Vec<u16>>(path!(ports))?, [80]);
/// # Ok::<(), ferroform::Diagnostics>(())
/// ```
#[derive(Clone, Debug)]
pub struct Data {
    pub(super) ty: Type,
    pub(super) value: Value,
    block: Option<Arc<Block>>,
}

impl PartialEq for Data {
    fn eq(&self, other: &Data) -> bool {
        self.ty == other.ty && self.value == other.value
    }
}

impl Data {
    /// A value with a schema. Values that are set later must be valid for the Rust types of its attributes.
    ///
    /// # Errors
    ///
    /// If the value is not an object of the schema.
    pub fn new(block: impl Into<Arc<Block>>, value: Value) -> Result<Data> {
        let block = block.into();
        Ok(Data { block: Some(block.clone()), ..Data::typed(block.ty().clone(), value)? })
    }

    /// A value of the type.
    ///
    /// # Errors
    ///
    /// If the value does not have the type, with the attribute path.
    pub fn typed(ty: Type, value: Value) -> Result<Data> {
        let value = convert_for_write(&value, &ty, &ty)?;
        Ok(Data::trusted(ty, value))
    }

    /// A value that is known to have the type.
    pub(crate) fn trusted(ty: Type, value: Value) -> Data {
        Data { ty, value, block: None }
    }

    /// A model with its schema, or a value of another attribute type.
    pub fn of<T: Attr>(value: &T) -> Data {
        Data { block: T::block().map(Arc::new), ..Data::trusted(T::ty(), value.to_value()) }
    }

    /// The type of the value.
    pub fn ty(&self) -> &Type {
        &self.ty
    }

    /// The value.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// Converts into the value.
    pub fn into_value(self) -> Value {
        self.value
    }

    /// Returns true if the value is null.
    pub fn is_null(&self) -> bool {
        self.value.is_null()
    }

    /// Returns true if the value is unknown as a whole. A known value can have unknown parts.
    pub fn is_unknown(&self) -> bool {
        self.value.is_unknown()
    }

    /// Reads the value at an attribute path. An element that the list does not have is null, and so is everything
    /// inside a null. Everything inside an unknown value is unknown. A path can lead into a dynamic value. The dynamic
    /// value itself is a [`Dynamic`](crate::Dynamic), which reads its content as another type.
    ///
    /// ```
    /// use ferroform::{Data, Dynamic, path, value::{Type, Value}};
    ///
    /// let ty = Type::object([("settings", Type::Dynamic)]);
    /// let mut data = Data::typed(ty, Value::Null)?;
    /// data.set(path!(settings), vec!["a".to_owned()])?;
    /// assert_eq!(data.get::<String>(path!(settings[0]))?, "a");
    /// assert_eq!(data.get::<Dynamic>(path!(settings))?.get::<Vec<String>>()?, ["a"]);
    /// # Ok::<(), ferroform::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the type has no such path, or the value is not a `T`: another type, a number out of range, an attribute
    /// without a field, a field without an attribute, or a null or unknown value that `T` cannot represent.
    pub fn get<T: Attr>(&self, path: impl Borrow<Path>) -> Result<T> {
        self.get_or(path, Unhandled::default())
    }

    /// Reads a value as [`get`](Data::get) does; `unhandled` decides about null and unknown values.
    ///
    /// # Errors
    ///
    /// As [`get`](Data::get).
    pub fn get_or<T: Attr>(&self, path: impl Borrow<Path>, unhandled: Unhandled) -> Result<T> {
        let path = path.borrow();
        let (ty, value) = typed_value_at(&self.ty, &self.value, path)?;
        let is_untyped = *ty == Type::Dynamic && matches!(value, Value::Null | Value::Unknown(_));
        // Everything inside a null or unknown dynamic value is null or unknown, whatever its type would be.
        let read = if is_untyped && dynamic_prefix(&self.ty, path).is_some() {
            T::from_value_or(value, unhandled)
        } else {
            read(value, ty, unhandled)
        };
        Ok(read.map_err(|e| e.at(path.clone()))?)
    }

    /// Reads the whole value.
    ///
    /// # Errors
    ///
    /// As [`get`](Data::get).
    pub fn read<T: Attr>(&self) -> Result<T> {
        self.get(Path::ROOT)
    }

    /// Returns the value at an attribute path with its type.
    ///
    /// # Errors
    ///
    /// If the type has no such path.
    pub fn at(&self, path: impl Borrow<Path>) -> Result<Data> {
        let (ty, value) = typed_value_at(&self.ty, &self.value, path.borrow())?;
        Ok(Data::trusted(ty.clone(), value.clone()))
    }

    /// Writes a value to an attribute path, and creates missing objects and collections: a null or unknown object becomes
    /// an object with null or unknown attributes, and a null or unknown collection becomes one with this element. A
    /// list accepts an existing index or the next one, a map any key, and a set any element. A value inside a dynamic
    /// value keeps the type that it has; to change the type, write the dynamic value as a whole.
    ///
    /// # Errors
    ///
    /// If the type has no such path, the value does not have the type at the path, or a set would contain an element
    /// twice. In these cases, the value stays unchanged.
    pub fn set(&mut self, path: impl Borrow<Path>, value: impl IntoData) -> Result<()> {
        let path = path.borrow();
        if let Some(depth) = dynamic_prefix(&self.ty, path) {
            return self.set_inside_dynamic(path, depth, value.into_data());
        }
        let ty = type_at(&self.ty, path)?;
        let data = value.into_data();
        let new = convert_for_write(&data.value, &data.ty, ty).map_err(|e| e.at(path.clone()))?;
        check_indexes(&self.value, path)?;
        let check = self.block.as_deref().and_then(|it| native_check_at(it, path.steps()));
        let Some((check, depth)) = check else {
            return Ok(write(&mut self.value, &self.ty, path.steps(), new)?);
        };
        // The Rust type checks the attribute as a whole, so the new attribute is built first.
        let (outside, inside) = path.steps().split_at(depth);
        let outside: Path = outside.iter().cloned().collect();
        let mut attribute = value_at(&self.value, &outside).clone();
        write(&mut attribute, type_at(&self.ty, &outside)?, inside, new)
            .map_err(|e| e.at(outside.clone()))?;
        check(&attribute).map_err(|e| e.at(outside.clone()))?;
        Ok(write(&mut self.value, &self.ty, outside.steps(), attribute)?)
    }

    /// Writes a value inside the dynamic value to which the first steps of the path lead.
    fn set_inside_dynamic(&mut self, path: &Path, depth: usize, new: Data) -> Result<()> {
        let (outside, inside) = path.steps().split_at(depth);
        let (outside, inside): (Path, Path) =
            (outside.iter().cloned().collect(), inside.iter().cloned().collect());
        let mut dynamic = self.at(&outside)?;
        let (ty, value) = resolved(&dynamic.ty, &dynamic.value);
        if *ty == Type::Dynamic {
            let kind = if value.is_unknown() { "unknown" } else { "null" };
            let message = format!("a dynamic value that is {kind} has no type: write it as a whole");
            return Err(Error::new(message).at(outside).into());
        }
        dynamic = Data::trusted(ty.clone(), value.clone());
        dynamic.set(inside, new).map_err(|it| it.at(outside.clone()))?;
        self.set(outside, dynamic)
    }

    /// The value with its type, without the wrapper of a dynamic value.
    fn resolved(&self) -> (&Type, &Value) {
        resolved(&self.ty, &self.value)
    }

    /// Returns the existing attribute paths that match the pattern. If a value on the path is null or unknown, its path
    /// is returned instead.
    ///
    /// # Errors
    ///
    /// If the pattern cannot match any path of this type.
    pub fn matches(&self, pattern: &Pattern) -> Result<Vec<Path>> {
        Ok(pattern.find(&self.ty, &self.value)?)
    }

    /// Returns the attributes of an object with their names.
    ///
    /// # Errors
    ///
    /// If the value is not a known object.
    pub fn attributes(&self) -> Result<Vec<(Arc<str>, Data)>> {
        match self.resolved() {
            (Type::Object(types), Value::Object(it)) => {
                let pairs = it.typed_attributes(types)?;
                Ok(pairs
                    .map(|(name, it, ty)| (name.clone(), Data::trusted(ty.clone(), it.clone())))
                    .collect())
            }
            _ => Err(self.expected("a known object")),
        }
    }

    /// Returns the elements of a list, set or tuple.
    ///
    /// # Errors
    ///
    /// If the value is not a known list, set or tuple.
    pub fn elements(&self) -> Result<Vec<Data>> {
        let each = |ty: &Type, it: &Value| Data::trusted(ty.clone(), it.clone());
        match self.resolved() {
            (Type::List(ty), it @ Value::List(_)) | (Type::Set(ty), it @ Value::Set(_)) => {
                Ok(it.elements().map(|it| each(ty, it)).collect())
            }
            (Type::Tuple(types), Value::Tuple(it)) => {
                Ok(types.iter().zip(it).map(|(ty, it)| each(ty, it)).collect())
            }
            _ => Err(self.expected("a known list, set or tuple")),
        }
    }

    /// Returns the elements of a map with their keys.
    ///
    /// # Errors
    ///
    /// If the value is not a known map.
    pub fn entries(&self) -> Result<Vec<(Arc<str>, Data)>> {
        match self.resolved() {
            (Type::Map(ty), Value::Map(entries)) => {
                let each = |(key, it): (&NfcString, &Value)| {
                    (key.clone().into(), Data::trusted((**ty).clone(), it.clone()))
                };
                Ok(entries.iter().map(each).collect())
            }
            _ => Err(self.expected("a known map")),
        }
    }

    fn expected(&self, expected: &str) -> Diagnostics {
        mismatch(expected, &self.value).into()
    }

    /// Returns the number of elements or attributes; `None` if the value is unknown, null or a scalar.
    pub fn len(&self) -> Option<usize> {
        self.value.length()
    }

    /// Returns true for a known collection without elements, or an object without attributes.
    pub fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }

    /// Replaces each unknown value with the result of the function, which gets its attribute path and its type. A
    /// resource that is described at run time can construct its new state from the planned state in this way. The type
    /// of an unknown value inside a [`Dynamic`](crate::Dynamic) is [`Type::Dynamic`] if it is not known either.
    /// [`Data::empty_of`] returns the empty value of a type.
    ///
    /// ```
    /// use ferroform::value::{Type, Value};
    /// use ferroform::{Data, path};
    ///
    /// let ty = Type::object([("name", Type::String), ("id", Type::String), ("ports", Type::list(Type::Number))]);
    /// let planned = Value::object([("name", "web".into()), ("id", Value::UNKNOWN), ("ports", Value::UNKNOWN)]);
    /// let created = Data::typed(ty, planned)?.replace_unknown(|path, ty| {
    ///     if *path == path!(id) { "i-1".into() } else { Data::empty_of(ty.clone()).into_value() }
    /// })?;
    /// assert_eq!(created.get::<String>(path!(id))?, "i-1");
    /// assert!(created.get::<Vec<u16>>(path!(ports))?.is_empty());
    /// # Ok::<(), ferroform::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the function returns a value of another type, with the attribute path.
    pub fn replace_unknown(self, mut replace: impl FnMut(&Path, &Type) -> Value) -> Result<Data> {
        let original = self.value.clone();
        let mut known = |path: &Path, ty: &Type| {
            convert_for_write(&replace(path, ty), ty, ty).map_err(|error| error.at(path.clone()))
        };
        let value = self.value.transform(&mut |path, value| match value {
            Value::Unknown(_) => known(path, typed_value_at(&self.ty, &original, path)?.0),
            Value::Dynamic(it) if it.value.is_unknown() => {
                let value = known(path, &it.ty)?;
                Ok(Value::dynamic(it.ty, value))
            }
            value => Ok(value),
        })?;
        Ok(Data { value, ..self })
    }

    /// Converts the value to another type as the Terraform language does: a number to a string, a tuple to a list. Each
    /// `any` in the type becomes the concrete type that the elements have in common. In contrast, [`get`](Data::get) and
    /// [`set`](Data::set) do not convert between types.
    ///
    /// ```
    /// use ferroform::{Data, IntoData, value::Type};
    ///
    /// let mixed = Data::tuple_of([Type::String, Type::Number], ["a".into_data(), 1.into_data()])?;
    /// let list = mixed.convert(&Type::list(Type::Dynamic))?;
    /// assert_eq!(list.ty(), &Type::list(Type::String));
    /// assert_eq!(list.read::<Vec<String>>()?, ["a", "1"]);
    /// # Ok::<(), ferroform::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there is no such conversion, or it fails for this value. There is an error for each attribute and each element that
    /// cannot be converted, up to 64.
    pub fn convert(&self, to: &Type) -> Result<Data> {
        let value = convert_for_write(&self.value, &self.ty, &self.ty)?;
        match language::convert(value.clone(), &self.ty, to) {
            Ok(converted) => Ok(Data::trusted(converted.ty, converted.value)),
            Err(first) => {
                let errors = language::errors(&value, &self.ty, to, MAX_ERRORS);
                let errors = if errors.is_empty() { vec![first] } else { errors };
                Err(errors.into_iter().flat_map(Diagnostics::from).collect())
            }
        }
    }
}

impl From<Data> for Typed {
    fn from(data: Data) -> Typed {
        Typed { ty: data.ty, value: data.value }
    }
}

impl TryFrom<Typed> for Data {
    type Error = Error;

    fn try_from(it: Typed) -> Result<Data, Error> {
        let value = convert_for_write(&it.value, &it.ty, &it.ty)?;
        Ok(Data::trusted(it.ty, value))
    }
}
