//! Types in JSON, and the implied type of a JSON value.
//!
//! | type | JSON |
//! | --- | --- |
//! | `string`, `number`, `bool` | `"string"`, `"number"`, `"bool"` |
//! | `any` | `"dynamic"` |
//! | `list(string)`, `set(string)`, `map(string)` | `["list","string"]`, `["set","string"]`, `["map","string"]` |
//! | `tuple([string, bool])` | `["tuple",["string","bool"]]` |
//! | `object({a = string, b = optional(bool)})` | `["object",{"a":"string","b":"bool"},["b"]]` |
//!
//! ```
//! use ferroform_value::json;
//!
//! let ty = json::type_from_slice(br#"["object",{"a":"string","b":"bool"},["b"]]"#)?;
//! assert_eq!(ty.to_string(), "object({a = string, b = optional(bool)})");
//! assert_eq!(json::implied_type(br#"[1, {"a": null}]"#)?.to_string(), "tuple([number, object({a = any})])");
//! # Ok::<(), ferroform_value::Error>(())
//! ```

use std::collections::BTreeMap;
use std::sync::Arc;

use super::lexer::{Lexer, Token};
use super::string::write_string;
use crate::error::Error;
use crate::nfc_string::NfcString;
use crate::ty::{Attribute, ObjectType, Type};

pub(super) fn write(out: &mut String, ty: &Type) {
    match ty {
        Type::Bool | Type::Number | Type::String | Type::Dynamic => {
            out.push('"');
            out.push_str(ty.kind());
            out.push('"');
        }
        Type::List(it) | Type::Set(it) | Type::Map(it) => {
            out.push_str("[\"");
            out.push_str(ty.kind());
            out.push_str("\",");
            write(out, it);
            out.push(']');
        }
        Type::Tuple(it) => {
            out.push_str("[\"tuple\",[");
            for (i, ty) in it.iter().enumerate() {
                out.push_str(if i > 0 { "," } else { "" });
                write(out, ty);
            }
            out.push_str("]]");
        }
        Type::Object(it) => {
            out.push_str("[\"object\",{");
            for (i, it) in it.attributes().iter().enumerate() {
                out.push_str(if i > 0 { "," } else { "" });
                write_string(out, &it.name);
                out.push(':');
                write(out, &it.ty);
            }
            out.push('}');
            let mut optional = it.attributes().iter().filter(|it| it.optional).peekable();
            if optional.peek().is_some() {
                out.push(',');
                for (i, it) in optional.enumerate() {
                    out.push(if i > 0 { ',' } else { '[' });
                    write_string(out, &it.name);
                }
                out.push(']');
            }
            out.push(']');
        }
    }
}

pub(super) fn read(lexer: &mut Lexer<'_>) -> Result<Type, Error> {
    match lexer.token()? {
        Token::String(name) => match &*name {
            "bool" => Ok(Type::Bool),
            "number" => Ok(Type::Number),
            "string" => Ok(Type::String),
            "dynamic" => Ok(Type::Dynamic),
            _ => Err(Error::malformed(format!("unknown type {name:?}"))),
        },
        Token::Array => {
            let Token::String(kind) = next(lexer, true)? else {
                return Err(Error::malformed("invalid type: expected the kind of the type as a string"));
            };
            // The parser of each kind reads its element type.
            if !lexer.element(false)? {
                return Err(Error::malformed(format!("invalid type: {kind} without an element type")));
            }
            let ty = match &*kind {
                "list" => Type::list(read(lexer)?),
                "set" => Type::set(read(lexer)?),
                "map" => Type::map(read(lexer)?),
                "tuple" => tuple(lexer)?,
                "object" => return object(lexer),
                _ => return Err(Error::malformed(format!("unknown kind of type {kind:?}"))),
            };
            end_of_array(lexer)?;
            Ok(ty)
        }
        other => Err(Error::malformed(format!(
            "invalid type: expected a string or an array, but got {}",
            other.kind()
        ))),
    }
}

/// Reads the next element of an array, which must exist.
fn next<'a>(lexer: &mut Lexer<'a>, first: bool) -> Result<Token<'a>, Error> {
    if lexer.element(first)? {
        Ok(lexer.token()?)
    } else {
        Err(Error::malformed("invalid type: unexpected end of the array"))
    }
}

fn end_of_array(lexer: &mut Lexer<'_>) -> Result<(), Error> {
    if lexer.element(false)? {
        Err(Error::malformed("invalid type: unexpected element at the end"))
    } else {
        Ok(())
    }
}

fn tuple(lexer: &mut Lexer<'_>) -> Result<Type, Error> {
    let Token::Array = lexer.token()? else {
        return Err(Error::malformed("invalid type: expected an array of element types"));
    };
    let mut types = Vec::new();
    while lexer.element(types.is_empty())? {
        lexer.budget.add(1)?;
        types.push(read(lexer)?);
    }
    Ok(Type::tuple(types))
}

fn object(lexer: &mut Lexer<'_>) -> Result<Type, Error> {
    let Token::Object = lexer.token()? else {
        return Err(Error::malformed("invalid type: expected an object of attribute types"));
    };
    let mut attributes: Vec<Attribute> = Vec::new();
    while let Some(name) = lexer.key(attributes.is_empty())? {
        lexer.budget.add(1)?;
        let ty = read(lexer)?;
        attributes.push(Attribute::new(NfcString::from(name), ty));
    }
    if lexer.element(false)? {
        let Token::Array = lexer.token()? else {
            return Err(Error::malformed("invalid type: expected an array of optional attribute names"));
        };
        let mut first = true;
        while lexer.element(first)? {
            first = false;
            let Token::String(name) = lexer.token()? else {
                return Err(Error::malformed(
                    "invalid type: expected an optional attribute name as a string",
                ));
            };
            let name = Arc::from(NfcString::from(name));
            let mut optional = attributes.iter_mut().filter(|it| it.name == name).peekable();
            if optional.peek().is_none() {
                return Err(Error::malformed(format!(
                    "invalid type: optional attribute {name:?} has no type"
                )));
            }
            optional.for_each(|it| it.optional = true);
        }
        end_of_array(lexer)?;
    }
    Ok(Type::Object(Arc::new(ObjectType::new(attributes))))
}

/// Returns the implied type of the next value: arrays are tuples and objects are objects.
pub(super) fn implied(lexer: &mut Lexer<'_>) -> Result<Type, Error> {
    Ok(match lexer.token()? {
        Token::Null => Type::Dynamic,
        Token::Bool(_) => Type::Bool,
        Token::Number(_) => Type::Number,
        Token::String(_) => Type::String,
        Token::Array => {
            let mut types = Vec::new();
            while lexer.element(types.is_empty())? {
                lexer.budget.add(1)?;
                types.push(implied(lexer)?);
            }
            Type::tuple(types)
        }
        Token::Object => {
            // Names are compared before normalization, as Terraform does.
            let mut attributes = BTreeMap::new();
            while let Some(name) = lexer.key(attributes.is_empty())? {
                lexer.budget.add(1)?;
                let ty = implied(lexer)?;
                match attributes.get(&name) {
                    Some(previous) if *previous != ty => {
                        return Err(Error::malformed(format!(
                            "object key {name:?} has values of different types"
                        )));
                    }
                    _ => attributes.insert(name, ty),
                };
            }
            Type::object(attributes.into_iter().map(|(name, ty)| (NfcString::from(name), ty)))
        }
    })
}
