//! Types in the syntax of Terraform's type constraints.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::error::Error;
use crate::limits::MAX_DEPTH;
use crate::quote::hcl_string;
use crate::ty::{Attribute, ObjectType, Type};

/// Prints the type as a type constraint, in one line.
///
/// ```
/// use ferroform_value::Type;
///
/// let ty = Type::object([("tags", Type::map(Type::String)), ("port", Type::Number)]);
/// assert_eq!(ty.to_string(), "object({port = number, tags = map(string)})");
/// ```
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Bool | Type::Number | Type::String => f.write_str(self.kind()),
            Type::Dynamic => f.write_str("any"),
            Type::List(it) => write!(f, "list({it})"),
            Type::Set(it) => write!(f, "set({it})"),
            Type::Map(it) => write!(f, "map({it})"),
            Type::Tuple(it) => {
                f.write_str("tuple([")?;
                for (i, ty) in it.iter().enumerate() {
                    write!(f, "{}{ty}", if i > 0 { ", " } else { "" })?;
                }
                f.write_str("])")
            }
            Type::Object(it) => {
                f.write_str("object({")?;
                for (i, attribute) in it.attributes().iter().enumerate() {
                    f.write_str(if i > 0 { ", " } else { "" })?;
                    write_name(f, &attribute.name)?;
                    if attribute.optional {
                        write!(f, " = optional({})", attribute.ty)?;
                    } else {
                        write!(f, " = {}", attribute.ty)?;
                    }
                }
                f.write_str("})")
            }
        }
    }
}

impl fmt::Debug for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Writes an attribute name, in quotes if it is not an identifier.
fn write_name(f: &mut fmt::Formatter<'_>, name: &str) -> fmt::Result {
    let mut characters = name.chars();
    if characters.next().is_some_and(is_identifier_start) && characters.all(is_identifier_continue) {
        return f.write_str(name);
    }
    f.write_str(&hcl_string(name))
}

fn is_identifier_start(character: char) -> bool {
    character == '_' || character.is_alphabetic()
}

fn is_identifier_continue(character: char) -> bool {
    matches!(character, '_' | '-') || character.is_alphanumeric()
}

/// Parses a type constraint, such as `map(list(string))` or `object({port = optional(number)})`.
///
/// The result of printing a type with `Display` parses as the same type. Defaults of optional attributes are not part
/// of a type, so `optional(number, 80)` is an error here; the type constraint parser of `ferroform-lang` reads them.
///
/// ```
/// use ferroform_value::Type;
///
/// let ty: Type = "list(object({name = string, port = optional(number)}))".parse()?;
/// assert_eq!(ty.to_string(), "list(object({name = string, port = optional(number)}))");
///
/// let error = "list(strng)".parse::<Type>().unwrap_err();
/// assert_eq!(error.to_string(), "invalid type at column 6: unknown type \"strng\"");
/// # Ok::<(), ferroform_value::Error>(())
/// ```
///
/// # Errors
///
/// Returns an error with the column (in characters, from 1) if the string is not a type constraint, or if it is nested
/// more than 256 levels deep.
impl FromStr for Type {
    type Err = Error;

    fn from_str(text: &str) -> Result<Type, Error> {
        let mut parser = Parser { text, position: 0, depth: 0 };
        let ty = parser.ty()?;
        match parser.peek() {
            None => Ok(ty),
            Some(_) => Err(parser.error("expected the end of the type")),
        }
    }
}

struct Parser<'a> {
    text: &'a str,
    /// The position in bytes.
    position: usize,
    depth: u32,
}

impl<'a> Parser<'a> {
    fn error(&self, problem: impl fmt::Display) -> Error {
        self.error_at(self.position, problem)
    }

    fn error_at(&self, position: usize, problem: impl fmt::Display) -> Error {
        let column = self.text[..position].chars().count() + 1;
        Error::malformed(format!("invalid type at column {column}: {problem}"))
    }

    /// Skips white space and returns the next character.
    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.position..];
        self.position += rest.len() - rest.trim_start().len();
        self.text[self.position..].chars().next()
    }

    /// Skips the character if it is the next one.
    fn take(&mut self, character: char) -> bool {
        let is_next = self.peek() == Some(character);
        if is_next {
            self.position += character.len_utf8();
        }
        is_next
    }

    fn expect(&mut self, character: char) -> Result<(), Error> {
        if self.take(character) { Ok(()) } else { Err(self.error(format_args!("expected `{character}`"))) }
    }

    fn identifier(&mut self) -> Option<&'a str> {
        self.peek().filter(|it| is_identifier_start(*it))?;
        let rest = &self.text[self.position..];
        let length = rest.find(|it| !is_identifier_continue(it)).unwrap_or(rest.len());
        self.position += length;
        Some(&rest[..length])
    }

    fn ty(&mut self) -> Result<Type, Error> {
        if self.depth == MAX_DEPTH {
            return Err(Error::nested_too_deeply());
        }
        self.depth += 1;
        let ty = self.shallow();
        self.depth -= 1;
        ty
    }

    fn shallow(&mut self) -> Result<Type, Error> {
        self.peek();
        let start = self.position;
        let Some(keyword) = self.identifier() else { return Err(self.error("expected a type")) };
        Ok(match keyword {
            "string" => Type::String,
            "number" => Type::Number,
            "bool" => Type::Bool,
            "any" => Type::Dynamic,
            "list" => Type::list(self.argument()?),
            "set" => Type::set(self.argument()?),
            "map" => Type::map(self.argument()?),
            "tuple" => self.tuple()?,
            "object" => self.object()?,
            "optional" => return Err(self.error_at(start, "only an attribute of an object can be optional")),
            other => return Err(self.error_at(start, format_args!("unknown type {other:?}"))),
        })
    }

    fn argument(&mut self) -> Result<Type, Error> {
        self.expect('(')?;
        let ty = self.ty()?;
        self.expect(')')?;
        Ok(ty)
    }

    fn tuple(&mut self) -> Result<Type, Error> {
        self.expect('(')?;
        self.expect('[')?;
        let mut elements = Vec::new();
        while self.peek() != Some(']') {
            elements.push(self.ty()?);
            if !self.take(',') {
                break;
            }
        }
        self.expect(']')?;
        self.expect(')')?;
        Ok(Type::tuple(elements))
    }

    fn object(&mut self) -> Result<Type, Error> {
        self.expect('(')?;
        self.expect('{')?;
        let mut attributes: Vec<Attribute> = Vec::new();
        while self.peek() != Some('}') {
            let start = self.position;
            let name: Arc<str> = match self.identifier() {
                Some(name) => crate::NfcString::new(name).into(),
                None => self.quoted()?.into(),
            };
            if attributes.iter().any(|it| it.name == name) {
                return Err(
                    self.error_at(start, format_args!("attribute {name:?} is declared more than once"))
                );
            }
            self.expect('=')?;
            attributes.push(self.attribute(name)?);
            // As in HCL, a line break also separates attributes.
            let end = self.position;
            let has_comma = self.take(',');
            let has_line_break = self.text[end..self.position].contains('\n');
            if !has_comma && !has_line_break {
                break;
            }
        }
        self.expect('}')?;
        self.expect(')')?;
        Ok(Type::Object(Arc::new(ObjectType::new(attributes))))
    }

    fn attribute(&mut self, name: Arc<str>) -> Result<Attribute, Error> {
        self.peek();
        let start = self.position;
        if self.identifier() != Some("optional") {
            self.position = start;
            return Ok(Attribute::new(name, self.ty()?));
        }
        self.expect('(')?;
        let ty = self.ty()?;
        if self.peek() == Some(',') {
            return Err(self.error("the default of an optional attribute is not part of a type"));
        }
        self.expect(')')?;
        Ok(Attribute::new(name, ty).optional())
    }

    /// Parses a name in quotes, as `Display` writes it.
    fn quoted(&mut self) -> Result<crate::NfcString, Error> {
        if !self.take('"') {
            return Err(self.error("expected an attribute name"));
        }
        let mut name = String::new();
        loop {
            let rest = &self.text[self.position..];
            let Some(character) = rest.chars().next() else { return Err(self.error("expected `\"`")) };
            self.position += character.len_utf8();
            match character {
                '"' => return Ok(name.into()),
                '\\' => name.push(self.escape()?),
                '$' | '%' if rest[1..].starts_with(character) && rest[2..].starts_with('{') => {
                    self.position += 2;
                    name.extend([character, '{']);
                }
                '$' | '%' if rest[1..].starts_with('{') => {
                    return Err(self.error("an attribute name cannot contain a template"));
                }
                character => name.push(character),
            }
        }
    }

    fn escape(&mut self) -> Result<char, Error> {
        let rest = &self.text[self.position..];
        let (character, length) = match rest.as_bytes().first() {
            Some(b'n') => (Some('\n'), 1),
            Some(b'r') => (Some('\r'), 1),
            Some(b't') => (Some('\t'), 1),
            Some(quoted @ (b'"' | b'\\')) => (Some(char::from(*quoted)), 1),
            Some(b'u') => (code_point(rest.get(1..5)), 5),
            Some(b'U') => (code_point(rest.get(1..9)), 9),
            _ => (None, 0),
        };
        let character = character.ok_or_else(|| self.error("invalid escape sequence"))?;
        self.position += length;
        Ok(character)
    }
}

fn code_point(digits: Option<&str>) -> Option<char> {
    digits.and_then(|it| u32::from_str_radix(it, 16).ok()).and_then(char::from_u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_type_parses_as_the_same_type() {
        for text in [
            "any",
            "list(set(map(bool)))",
            "tuple([])",
            "tuple([string, number])",
            "object({})",
            "object({a = optional(any), b-c = object({d = list(string)})})",
            r#"object({"" = string, "a b" = string, "a\"$${x}" = string, é = string})"#,
        ] {
            assert_eq!(text.parse::<Type>().map(|it| it.to_string()), Ok(text.to_owned()));
        }
    }

    #[test]
    fn white_space_and_trailing_commas_are_accepted() {
        let text = "object({\n  a = string\n  b = tuple([ number , ]),\n})\n";
        assert_eq!(text.parse::<Type>().unwrap().to_string(), "object({a = string, b = tuple([number])})");
    }

    #[test]
    fn invalid_types_are_rejected_with_their_column() {
        for (text, message) in [
            ("", "invalid type at column 1: expected a type"),
            ("list", "invalid type at column 5: expected `(`"),
            ("list(string", "invalid type at column 12: expected `)`"),
            ("string)", "invalid type at column 7: expected the end of the type"),
            ("optional(string)", "invalid type at column 1: only an attribute of an object can be optional"),
            ("object({a = string b = string})", "invalid type at column 20: expected `}`"),
            ("object({a string})", "invalid type at column 11: expected `=`"),
            ("object({1 = string})", "invalid type at column 9: expected an attribute name"),
            (
                "object({a = string, a = bool})",
                "invalid type at column 21: attribute \"a\" is declared more than once",
            ),
            (
                "object({a = optional(string, \"x\")})",
                "invalid type at column 28: the default of an optional attribute is not part of a type",
            ),
            (
                "object({\"${a}\" = string})",
                "invalid type at column 11: an attribute name cannot contain a template",
            ),
            ("object({\"\\q\" = string})", "invalid type at column 11: invalid escape sequence"),
        ] {
            assert_eq!(text.parse::<Type>().unwrap_err().to_string(), message, "{text}");
        }
    }

    #[test]
    fn nesting_is_limited() {
        let deep = |depth| format!("{}string{}", "list(".repeat(depth), ")".repeat(depth));
        assert!(deep(255).parse::<Type>().is_ok());
        assert!(deep(256).parse::<Type>().unwrap_err().is_limit_exceeded());
    }
}
