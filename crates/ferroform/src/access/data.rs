//! A value with its type, read and written by path.

use std::borrow::Borrow;
use std::sync::Arc;

use ferroform_value::{Error, NfcString, Path, Type, Typed, Value};

use super::build::IntoData;
use super::convert::{read, written};
use super::paths::{found, rule_at, type_at, value_at, writable, write};
use ferroform_engine::type_mismatch::mismatch;

use crate::Pattern;
use crate::attr::{Attr, Unhandled};
use crate::schema::Block;
use crate::{Diagnostics, Result};

/// A value with its type, and with the schema that it stands under, where there is one.
///
/// Equality is that of the values and types.
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
    /// A value under a schema. What is written into it later obeys the types of the schema's attributes.
    ///
    /// # Errors
    ///
    /// Where it is not an object of the schema.
    pub fn new(block: impl Into<Arc<Block>>, value: Value) -> Result<Data> {
        let block = block.into();
        Ok(Data { block: Some(block.clone()), ..Data::typed(block.ty(), value)? })
    }

    /// A value of the type.
    ///
    /// # Errors
    ///
    /// Where it is not one, with the place.
    pub fn typed(ty: Type, value: Value) -> Result<Data> {
        let value = written(&value, &ty, &ty)?;
        Ok(Data::trusted(ty, value))
    }

    /// A value of the type, without a check.
    pub(crate) fn trusted(ty: Type, value: Value) -> Data {
        Data { ty, value, block: None }
    }

    /// A model, or whatever else is an attribute's type, as a value under its own schema.
    pub fn of<T: Attr>(it: &T) -> Data {
        Data { block: T::block().map(Arc::new), ..Data::trusted(T::ty(), it.to_value()) }
    }

    /// The type of the value.
    pub fn ty(&self) -> &Type {
        &self.ty
    }

    /// The value.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// The value.
    pub fn into_value(self) -> Value {
        self.value
    }

    /// True where the value is null.
    pub fn is_null(&self) -> bool {
        self.value.is_null()
    }

    /// True where the value is unknown as a whole; parts of a known one may be unknown all the same.
    pub fn is_unknown(&self) -> bool {
        self.value.is_unknown()
    }

    /// The value at that place, as a Rust type. What is not there is null: an element that the list does not
    /// have, whatever is inside a null. What is inside an unknown is unknown.
    ///
    /// # Errors
    ///
    /// Where the type has no such place, or the value is not one of the Rust type: another kind, a number
    /// out of range, an attribute without a field, a field without an attribute, a null or unknown that the
    /// type cannot hold.
    pub fn get<T: Attr>(&self, place: impl Borrow<Path>) -> Result<T> {
        self.get_or(place, Unhandled::default())
    }

    /// Reads like [`get`](Data::get), with a choice of what becomes of null and unknown.
    ///
    /// # Errors
    ///
    /// As [`get`](Data::get).
    pub fn get_or<T: Attr>(&self, place: impl Borrow<Path>, unhandled: Unhandled) -> Result<T> {
        let place = place.borrow();
        let (ty, value) = found(&self.ty, &self.value, place)?;
        Ok(read(value, ty, unhandled).map_err(|e| e.under(place))?)
    }

    /// The whole value as a Rust type.
    ///
    /// # Errors
    ///
    /// As [`get`](Data::get).
    pub fn read<T: Attr>(&self) -> Result<T> {
        self.get(Path::ROOT)
    }

    /// The value at that place, with its type.
    ///
    /// # Errors
    ///
    /// Where the type has no such place.
    pub fn at(&self, place: impl Borrow<Path>) -> Result<Data> {
        let (ty, value) = found(&self.ty, &self.value, place.borrow())?;
        Ok(Data::trusted(ty.clone(), value.clone()))
    }

    /// Writes a value to that place, and makes what is not there on the way: a null or unknown object on the
    /// way becomes one whose attributes are null or unknown, a null or unknown collection becomes one of this
    /// element. A list takes an index that it has or the next one, a map any key, a set any element. Where any
    /// type may be, only the whole can be written.
    ///
    /// # Errors
    ///
    /// Where the type has no such place, the value does not fit there, or a set would have an element twice;
    /// nothing is changed then.
    pub fn set(&mut self, place: impl Borrow<Path>, it: impl IntoData) -> Result<()> {
        let place = place.borrow();
        let ty = type_at(&self.ty, place)?;
        let given = it.into_data();
        let new = written(&given.value, &given.ty, ty).map_err(|e| e.under(place))?;
        writable(&self.value, place)?;
        let rule = self.block.as_deref().and_then(|it| rule_at(it, place.steps()));
        let Some((rule, depth)) = rule else {
            return Ok(write(&mut self.value, &self.ty, place.steps(), new)?);
        };
        // The rule judges the attribute as a whole, so that is made first.
        let (outside, inside) = place.steps().split_at(depth);
        let outside: Path = outside.iter().cloned().collect();
        let mut attribute = value_at(&self.value, &outside).clone();
        write(&mut attribute, type_at(&self.ty, &outside)?, inside, new).map_err(|e| e.under(&outside))?;
        rule(&attribute).map_err(|e| e.under(&outside))?;
        Ok(write(&mut self.value, &self.ty, outside.steps(), attribute)?)
    }

    /// Every place that the pattern matches and that there is. Where there is none because something on the
    /// way is null or unknown, the place of that.
    ///
    /// # Errors
    ///
    /// Where the pattern cannot match anything of this type.
    pub fn matches(&self, pattern: &Pattern) -> Result<Vec<Path>> {
        Ok(pattern.find(&self.ty, &self.value)?)
    }

    /// The attributes of an object, each with its name.
    ///
    /// # Errors
    ///
    /// Where it is not a known object.
    pub fn attributes(&self) -> Result<Vec<(Arc<str>, Data)>> {
        match (&self.ty, &self.value) {
            (Type::Object(types), Value::Object(it)) => {
                let pairs = it.paired(types)?;
                Ok(pairs
                    .map(|(name, it, ty)| (name.clone(), Data::trusted(ty.clone(), it.clone())))
                    .collect())
            }
            _ => Err(self.no("a known object")),
        }
    }

    /// The elements of a list, set or tuple.
    ///
    /// # Errors
    ///
    /// Where it is none of these, or not known.
    pub fn elements(&self) -> Result<Vec<Data>> {
        let each = |ty: &Type, it: &Value| Data::trusted(ty.clone(), it.clone());
        match (&self.ty, &self.value) {
            (Type::List(ty), Value::List(it)) => Ok(it.iter().map(|it| each(ty, it)).collect()),
            (Type::Set(ty), Value::Set(it)) => Ok(it.iter().map(|it| each(ty, it)).collect()),
            (Type::Tuple(types), Value::Tuple(it)) => {
                Ok(types.iter().zip(it).map(|(ty, it)| each(ty, it)).collect())
            }
            _ => Err(self.no("a known list, set or tuple")),
        }
    }

    /// The elements of a map, each with its key.
    ///
    /// # Errors
    ///
    /// Where it is not a known map.
    pub fn entries(&self) -> Result<Vec<(Arc<str>, Data)>> {
        match (&self.ty, &self.value) {
            (Type::Map(ty), Value::Map(entries)) => {
                let each = |(key, it): (&NfcString, &Value)| {
                    (key.clone().into(), Data::trusted((**ty).clone(), it.clone()))
                };
                Ok(entries.iter().map(each).collect())
            }
            _ => Err(self.no("a known map")),
        }
    }

    fn no(&self, wanted: &str) -> Diagnostics {
        mismatch(wanted, &self.value).into()
    }

    /// How many elements or attributes there are; none where it is not a known value that has such.
    pub fn len(&self) -> Option<usize> {
        match &self.value {
            Value::List(it) | Value::Tuple(it) => Some(it.len()),
            Value::Set(it) => Some(it.len()),
            Value::Map(it) => Some(it.len()),
            Value::Object(it) => Some(it.len()),
            _ => None,
        }
    }

    /// True for a known collection without elements, or an object without attributes.
    pub fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }

    /// The same value as another type, by the rules of Terraform's language: a number as its text, a tuple as
    /// a list. Unlike [`get`](Data::get) and [`set`](Data::set), which convert nothing.
    ///
    /// # Errors
    ///
    /// Where there is no such conversion, or it fails on this value.
    pub fn convert(&self, to: &Type) -> Result<Data> {
        let value = Typed { ty: self.ty.clone(), value: self.value.clone() }.fit(to)?;
        Ok(Data::trusted(to.without_optional(), value))
    }
}

/// A checked result of the value's own kind becomes a diagnostic at its place.
impl From<Data> for Typed {
    fn from(data: Data) -> Typed {
        Typed { ty: data.ty, value: data.value }
    }
}

impl TryFrom<Typed> for Data {
    type Error = Error;

    fn try_from(it: Typed) -> Result<Data, Error> {
        let value = written(&it.value, &it.ty, &it.ty)?;
        Ok(Data::trusted(it.ty, value))
    }
}
