//! The Rust code of defaults.
//!
//! ```text
//! "default": ["a"]    default = vec!["a".to_owned()]
//! ```

use std::ops::RangeInclusive;

use serde_json::Value;

use super::definition::{Collection, Field, Item, Type};
use super::docs::string_literal;
use super::models::{Nested, is_ordered};
use super::names::{self, FieldNames, snake_case};

/// Returns the option `default` or `default_with` of a field; `None` if Rust code cannot express the default. `name` returns the name
/// of a nested type.
pub(super) fn option<'a>(field: &'a Field, name: &mut dyn FnMut(Nested<'a>) -> String) -> Option<String> {
    let default = field.default.as_ref()?;
    Some(match (default, &field.ty) {
        // The configuration does not set all attributes of such an object.
        _ if field.has_computed_inside() => return None,
        (Value::String(it), Type::Scalar("String")) => format!("default = {}", string_literal(it)),
        (it, Type::Scalar("Json")) => {
            format!("default_with = || Json::new({}).map(Some)", string_literal(&it.to_string()))
        }
        _ => format!("default = {}", expression(default, &field.ty, &field.name, name)?),
    })
}

/// Returns the Rust expression of a JSON value; `None` if the type cannot hold it.
fn expression<'a>(
    value: &Value,
    ty: &'a Type,
    attribute: &'a str,
    name: &mut dyn FnMut(Nested<'a>) -> String,
) -> Option<String> {
    Some(match (value, ty) {
        (Value::Null, Type::Nullable(_)) => "None".to_owned(),
        (_, Type::Nullable(inner)) => format!("Some({})", expression(value, inner, attribute, name)?),
        (Value::String(it), Type::Scalar("String")) => format!("{}.to_owned()", string_literal(it)),
        (Value::Bool(it), Type::Scalar("bool")) => it.to_string(),
        (Value::Number(it), Type::Scalar("f64")) => format!("{:?}", it.as_f64()?),
        (Value::Number(it), Type::Scalar(number)) => {
            it.as_i128().filter(|it| integers(number).contains(it))?.to_string()
        }
        (Value::String(it), Type::Enum(ty)) if !ty.has_data() => {
            let position = ty.variants.iter().position(|variant| variant.name == *it)?;
            format!("{}::{}", name((attribute, Item::Enum(ty))), names::variants(ty)[position])
        }
        (
            Value::Array(values),
            Type::Collection(collection @ (Collection::List | Collection::Set), element),
        ) => {
            let elements = values.iter().map(|it| expression(it, element, attribute, name));
            let elements = elements.collect::<Option<Vec<_>>>()?.join(", ");
            match collection {
                Collection::Set if is_ordered(element) => format!("BTreeSet::from([{elements}])"),
                Collection::Set => format!("Set::from([{elements}])"),
                _ => format!("vec![{elements}]"),
            }
        }
        (Value::Object(members), Type::Collection(Collection::Map, element)) => {
            let entries = members.iter().map(|(key, it)| {
                let value = expression(it, element, attribute, name)?;
                Some(format!("({}.to_owned(), {value})", string_literal(key)))
            });
            format!("BTreeMap::from([{}])", entries.collect::<Option<Vec<_>>>()?.join(", "))
        }
        (Value::Object(members), Type::Model(model)) => {
            let is_field = |key: &String| model.fields.iter().any(|it| it.name == snake_case(key));
            if !members.keys().all(is_field) {
                return None;
            }
            let mut idents = FieldNames::default();
            let fields = model.fields.iter().map(|field| {
                let member = members.iter().find(|(key, _)| snake_case(key) == field.name).map(|(_, it)| it);
                let value = match member.or(field.default.as_ref()) {
                    None | Some(Value::Null) if !field.is_never_null() => "None".to_owned(),
                    value => {
                        let value = expression(value?, &field.ty, &field.name, name)?;
                        if field.is_never_null() { value } else { format!("Some({value})") }
                    }
                };
                Some(format!("{}: {value}", idents.field(&field.name).0))
            });
            let fields = fields.collect::<Option<Vec<_>>>()?.join(", ");
            format!("{} {{ {fields} }}", name((attribute, Item::Model(model))))
        }
        _ => return None,
    })
}

/// Returns the range of an integer type; an empty one for another type.
pub(super) fn integers(name: &str) -> RangeInclusive<i128> {
    match name {
        "i32" => i128::from(i32::MIN)..=i128::from(i32::MAX),
        "u32" => 0..=i128::from(u32::MAX),
        "i64" => i128::from(i64::MIN)..=i128::from(i64::MAX),
        "u64" => 0..=i128::from(u64::MAX),
        _ => RangeInclusive::new(1, 0),
    }
}
