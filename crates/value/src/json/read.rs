//! Decoding of values from JSON, according to their types.
//!
//! Scalars are converted as Terraform does, because states of earlier versions can contain another type:
//!
//! | type | accepted JSON |
//! | --- | --- |
//! | `string` | a string, a number with its digits unchanged, a bool |
//! | `number` | a number, a string that contains a number |
//! | `bool` | a bool, `"true"`, `"false"`, `"1"`, `"0"`; in a stored state also the numbers 1 and 0 |
//!
//! ```
//! use ferroform_value::{Type, Value, json};
//!
//! assert_eq!(json::decode(b"5.10", &Type::String)?, Value::from("5.10"));
//! assert_eq!(json::decode_state(b"1", &Type::Bool, false)?, Value::from(true));
//! assert!(json::decode(b"1", &Type::Bool).is_err());
//! # Ok::<(), ferroform_value::Error>(())
//! ```

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::lexer::{Lexer, Token};
use super::types;
use crate::conformance::check_element_types;
use crate::convert;
use crate::error::Error;
use crate::nfc_string::NfcString;
use crate::number::Number;
use crate::path::Step;
use crate::ty::{ObjectType, Type};
use crate::value::{Object, Set, Typed, Value};

/// The Go decoder whose behavior applies.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Dialect {
    /// The decoder of Terraform's value library.
    Value,
    /// The decoder of stored states in Go's protocol library: equal elements of sets remain, and 0 and 1 are bools.
    State {
        /// Attributes that the type does not have are ignored, at every depth.
        ignore_undefined: bool,
    },
}

pub(super) struct Reader<'a> {
    pub(super) lexer: Lexer<'a>,
    pub(super) dialect: Dialect,
}

impl<'a> Reader<'a> {
    pub(super) fn value(&mut self, ty: &Type) -> Result<Value, Error> {
        let token = self.lexer.token()?;
        Ok(match (ty, token) {
            (_, Token::Null) => Value::Null,
            (Type::String, Token::String(it)) => Value::String(it.into()),
            (Type::String, Token::Number(it)) => Value::String(it.into()),
            (Type::String, Token::Bool(it)) => Value::String(it.to_string().into()),
            (Type::Number, Token::Number(it)) => self.number(it)?,
            (Type::Number, Token::String(it)) => self.number(&it)?,
            (Type::Bool, Token::Bool(it)) => Value::Bool(it),
            (Type::Bool, Token::String(it)) => Value::Bool(convert::parse_bool(&it)?),
            (Type::Bool, Token::Number(it @ ("0" | "1"))) if self.dialect != Dialect::Value => {
                Value::Bool(it == "1")
            }
            (Type::List(ty), Token::Array) => Value::List(self.elements(ty, Step::Index)?),
            (Type::Set(ty), Token::Array) => {
                // A set element that cannot be decoded has no value for its path step.
                let elements = self.elements(ty, |_| Step::Element(Box::new(Value::UNKNOWN)))?;
                Value::Set(match self.dialect {
                    Dialect::Value => Set::from_iter(elements),
                    Dialect::State { .. } => Set::with_duplicates(elements),
                })
            }
            (Type::Tuple(types), Token::Array) => self.tuple(types)?,
            (Type::Map(ty), Token::Object) => self.map(ty)?,
            (Type::Object(types), Token::Object) => self.object(types)?,
            (Type::Dynamic, Token::Object) => self.dynamic()?,
            (Type::Dynamic, other) => {
                return Err(Error::type_mismatch("dynamic value with its type", other.kind()));
            }
            (ty, other) => return Err(Error::type_mismatch(ty.kind(), other.kind())),
        })
    }

    fn number(&mut self, text: &str) -> Result<Value, Error> {
        let number = Number::parse(text)?;
        self.lexer.budget.add_exponent(number.exponent())?;
        Ok(Value::Number(number))
    }

    fn elements(&mut self, ty: &Type, step: impl Fn(usize) -> Step) -> Result<Vec<Value>, Error> {
        let mut elements = Vec::new();
        loop {
            let at = |e: Error| e.below(step(elements.len()));
            if !self.lexer.element(elements.is_empty()).map_err(|e| at(e.into()))? {
                break;
            }
            self.lexer.budget.add(1)?;
            elements.push(self.value(ty).map_err(at)?);
        }
        check_element_types(ty, elements.iter())?;
        Ok(elements)
    }

    fn tuple(&mut self, types: &[Type]) -> Result<Value, Error> {
        let mut elements = Vec::with_capacity(types.len());
        while self.lexer.element(elements.is_empty())? {
            self.lexer.budget.add(1)?;
            let i = elements.len();
            let ty = types.get(i).ok_or_else(|| Error::tuple_length(types.len(), i + 1))?;
            elements.push(self.value(ty).map_err(|e| e.below(Step::Index(i)))?);
        }
        if elements.len() == types.len() {
            Ok(Value::Tuple(elements))
        } else {
            Err(Error::tuple_length(types.len(), elements.len()))
        }
    }

    fn map(&mut self, ty: &Type) -> Result<Value, Error> {
        let mut entries = BTreeMap::new();
        while let Some(key) = self.lexer.key(entries.is_empty())? {
            self.lexer.budget.add_entries(1, entries.is_empty())?;
            let key = NfcString::from(key);
            let value = self.value(ty).map_err(|e| e.below(Step::Key(key.clone())))?;
            entries.insert(key, value);
        }
        check_element_types(ty, entries.values())?;
        Ok(Value::Map(entries))
    }

    /// Decodes an object. Missing attributes are null.
    fn object(&mut self, types: &ObjectType) -> Result<Value, Error> {
        self.lexer.budget.add(types.attributes().len())?;
        let mut values = vec![Value::Null; types.attributes().len()];
        let (mut first, mut next) = (true, 0);
        while let Some(name) = self.lexer.key(std::mem::take(&mut first))? {
            // Most encoders sort the attributes by name, as the type does.
            let Some(at) = types.position(name.as_bytes(), next) else {
                match self.dialect {
                    Dialect::Value => return Err(Error::unsupported_attribute(&*name)),
                    Dialect::State { ignore_undefined: true } => drop(self.lexer.raw()?),
                    Dialect::State { .. } => {
                        return Err(Error::unsupported_attribute(&*name)
                            .below(Step::Attribute(Cow::into_owned(name).into())));
                    }
                }
                continue;
            };
            let it = &types.attributes()[at];
            values[at] = self.value(&it.ty).map_err(|e| e.below(Step::Attribute(it.name.clone())))?;
            next = at + 1;
        }
        Ok(Value::Object(Object::of_type(types, values)))
    }

    /// Decodes a value with its type. The type and the value can occur in either order, so the value is first skipped
    /// and decoded when its type is known.
    fn dynamic(&mut self) -> Result<Value, Error> {
        let (mut ty, mut value) = (None, None);
        let mut first = true;
        while let Some(name) = self.lexer.key(std::mem::take(&mut first))? {
            match &*name {
                "type" => ty = Some(types::read(&mut self.lexer)?.without_optional()),
                "value" => value = Some(self.lexer.raw()?),
                _ => {
                    return Err(Error::malformed(format!(
                        "unexpected key {name:?} next to \"type\" and \"value\""
                    )));
                }
            }
        }
        let ty = ty.ok_or_else(|| Error::malformed("the \"type\" of this value is missing"))?;
        let value = value.ok_or_else(|| Error::malformed("the \"value\" of this type is missing"))?;
        let mut inside = Reader { lexer: self.lexer.inside(value), dialect: self.dialect };
        let value = inside.value(&ty)?;
        self.lexer.budget = inside.lexer.budget;
        let resolved = Typed::resolve(value, &ty)?;
        Ok(Value::dynamic(resolved.ty, resolved.value))
    }
}
