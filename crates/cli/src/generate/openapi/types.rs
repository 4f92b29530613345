//! The types of JSON schemas.
//!
//! | schema | type |
//! |---|---|
//! | `string` with `enum` or `const` | an enum |
//! | `string` with the format `uuid`, `ipv4`, `ipv6`, `date-time` | `Uuid`, `Ipv4Addr`, `Ipv6Addr`, `Timestamp` |
//! | `integer`, `number` | `i64`, or `i32` with the format `int32`; `f64` |
//! | `array`, with `uniqueItems` | a list, a set |
//! | `object` with `properties`, `additionalProperties` | a model, a map |
//! | `oneOf`, `anyOf` with several alternatives | an enum with data; next to `properties`, a model with all properties |
//! | anything else, and a schema inside itself | a JSON document |

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex_lite::Regex;
use serde_json::{Map, Value, json};

use super::document::{Document, is_true, string};
use crate::generate::definition::{
    Collection, DefaultValue, Description, Enum, Field, Form, Mode, Model, Type, Variant,
};
use crate::generate::docs::string_literal;
use crate::generate::names::{pascal_case, snake_case};

/// A document that has no schema of its own.
const JSON: Type = Type::Scalar("Json");

/// The maximum number of references inside each other.
const MAX_DEPTH: usize = 8;

/// The maximum number of fields of the objects of a path. In some documents, each schema refers to most of the others.
const MAX_FIELDS: usize = 2_000;

/// Converts schemas to types.
#[derive(Debug)]
pub(super) struct TypeReader<'d> {
    pub(super) document: &'d Document,
    /// The references that are being converted, to find cycles.
    references: Vec<&'d str>,
    field_count: usize,
    /// The parts of the schemas that the generated types do not contain, each with the name of its property.
    pub(super) omissions: BTreeSet<String>,
}

/// The origin of the values in a schema.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Origin {
    /// The configuration sets all properties that are not read-only.
    Configuration,
    /// The provider sets all properties.
    Provider,
}

impl<'d> TypeReader<'d> {
    pub(super) fn new(document: &'d Document) -> TypeReader<'d> {
        TypeReader { document, references: Vec::new(), field_count: 0, omissions: BTreeSet::new() }
    }

    /// Returns the type of a schema.
    pub(super) fn ty(&mut self, schema: &'d Value, origin: Origin) -> Type {
        let (reference, resolved) = self.document.resolve(schema);
        let Some(reference) = reference else { return self.merged_type(resolved, origin) };
        let is_too_large = self.references.len() >= MAX_DEPTH || self.field_count >= MAX_FIELDS;
        let is_object = || type_name(&self.document.merged(resolved)) == "object";
        if self.references.contains(&reference) || (is_too_large && is_object()) {
            return JSON;
        }
        self.references.push(reference);
        let ty = self.merged_type(resolved, origin);
        self.references.pop();
        ty
    }

    fn merged_type(&mut self, schema: &'d Value, origin: Origin) -> Type {
        let merged = self.document.merged(schema);
        // Next to properties, alternatives only restrict them or add more: `anyOf: [{required: [a]}, {required: [b]}]`.
        if !merged.contains_key("properties")
            && let Some(alternatives) = alternatives(self.document, schema)
        {
            let discriminator = merged.get("discriminator");
            return match alternatives.as_slice() {
                [only] => self.ty(only, origin),
                all => self.union(all, discriminator, origin),
            };
        }
        match type_name(&merged) {
            "string" => string_type(&merged),
            "integer" => Type::Scalar(match merged.get("format").and_then(Value::as_str) {
                Some("int32") => "i32",
                Some("uint32") => "u32",
                Some("uint64") => "u64",
                _ => "i64",
            }),
            "number" => Type::Scalar("f64"),
            "boolean" => Type::Scalar("bool"),
            "array" => {
                let is_set = merged.get("uniqueItems") == Some(&Value::Bool(true));
                let items = find(self.document, schema, "items");
                let element = items.map_or(JSON, |it| self.ty(it, origin));
                let collection = if is_set { Collection::Set } else { Collection::List };
                Type::Collection(collection, Box::new(element))
            }
            "object" if merged.contains_key("properties") => Type::Model(self.model(schema, origin)),
            "object" => match find(self.document, schema, "additionalProperties") {
                Some(it) if it.is_object() => {
                    Type::Collection(Collection::Map, Box::new(self.ty(it, origin)))
                }
                _ => JSON,
            },
            _ => JSON,
        }
    }

    /// Returns a model with the properties of a schema.
    fn model(&mut self, schema: &'d Value, origin: Origin) -> Model {
        let mut properties = Vec::new();
        collect_properties(self.document, schema, &mut properties, 0);
        let required = required(self.document, schema);
        let mut fields: Vec<Field> = Vec::new();
        for (name, property) in properties {
            let is_read_only = is_true(self.document.resolve(property).1, "readOnly");
            let mode = match origin {
                Origin::Provider => Mode::Computed,
                Origin::Configuration if is_read_only => Mode::Computed,
                Origin::Configuration if required.contains(&name.to_owned()) => Mode::Required,
                Origin::Configuration => Mode::Optional,
            };
            let mut field = self.field(name, property, mode);
            field.is_always_set = origin == Origin::Provider
                && required.contains(&name.to_owned())
                && !is_nullable(self.document, property);
            if fields.iter().any(|it| it.name == field.name) {
                self.omissions.insert(format!(
                    "property {name}: omitted, because another property has the attribute name {}",
                    field.name
                ));
            } else {
                fields.push(field);
            }
        }
        fields.sort_by_key(|it| it.mode);
        Model { fields, ..Model::default() }
    }

    /// Converts a property to a field.
    pub(super) fn field(&mut self, name: &str, property: &'d Value, mode: Mode) -> Field {
        self.field_count += 1;
        let merged = self.document.merged(property);
        let origin = if mode == Mode::Computed { Origin::Provider } else { Origin::Configuration };
        let ty = self.ty(property, origin);
        let is_nested = ty.model().is_some() || matches!(&ty, Type::Enum(it) if it.has_data());
        let text = |name: &str| merged.get(name).and_then(Value::as_str);
        let content = text("description").or(text("title")).unwrap_or_default().trim().to_owned();
        let is_deprecated = merged.get("deprecated") == Some(&Value::Bool(true));
        let is_configured = mode != Mode::Computed;
        let default =
            merged.get("default").filter(|_| matches!(mode, Mode::Optional | Mode::OptionalComputed));
        if ty.model().is_some() && merged.get("additionalProperties").is_some_and(Value::is_object) {
            self.omissions.insert(format!(
                "property {name}: `additionalProperties` is ignored, because `properties` is also set"
            ));
        }
        let mut validators = if is_configured { validators(&merged, &ty) } else { Vec::new() };
        if let (true, Type::Scalar("String"), Some(pattern)) = (is_configured, &ty, text("pattern")) {
            // JSON schemas use the regular expressions of JavaScript, some of which the validator does not support.
            match Regex::new(pattern) {
                Ok(_) => validators.push(pattern_validator(pattern)),
                Err(_) => {
                    self.omissions.insert(format!(
                        "property {name}: the pattern {pattern:?} is ignored, because it is not supported"
                    ));
                }
            }
        }
        let limit = |name: &str| merged.get(name).and_then(Value::as_u64).filter(|_| is_configured);
        let is_collection = matches!(ty, Type::Collection(..));
        Field {
            description: Description { content, is_plain: false },
            deprecated: is_deprecated.then(String::new),
            form: if is_nested { Form::NestedAttribute } else { Form::Attribute },
            is_sensitive: text("format") == Some("password"),
            min_items: limit("minItems").filter(|_| is_collection).unwrap_or(0),
            max_items: limit("maxItems").filter(|_| is_collection).unwrap_or(0),
            default: default.and_then(|it| default_value(it, &ty)),
            validators,
            ..Field::new(snake_case(name), ty, mode)
        }
    }

    /// Returns an enum with data, with one variant for each alternative. The variants determine the value of the
    /// discriminator, so they do not contain it, and have its names.
    fn union(&mut self, alternatives: &[&'d Value], discriminator: Option<&Value>, origin: Origin) -> Type {
        let mut variants: Vec<Variant> = Vec::new();
        for (index, alternative) in alternatives.iter().enumerate() {
            let (reference, resolved) = self.document.resolve(alternative);
            let schema_name = reference.and_then(|it| it.rsplit('/').next());
            let mapping = discriminator.and_then(|it| it.get("mapping")?.as_object()).into_iter().flatten();
            let mapped = mapping
                .filter(|(_, it)| {
                    it.as_str().is_some_and(|it| Some(it) == reference || Some(it) == schema_name)
                })
                .map(|(name, _)| &**name)
                .next();
            let name = mapped.or(schema_name).or(string(resolved, "title"));
            let kind = type_name(&self.document.merged(resolved)).to_owned();
            let name = match name {
                Some(name) => snake_case(name),
                None if kind.is_empty() || kind == "object" => format!("variant{}", index + 1),
                None => kind,
            };
            let mut ty = self.ty(alternative, origin);
            let property = discriminator.and_then(|it| string(it, "propertyName"));
            if let (Type::Model(model), Some(property)) = (&mut ty, property) {
                model.fields.retain(|it| it.name != snake_case(property));
            }
            if variants.iter().all(|it| it.name != name) {
                variants.push(Variant { name, data: Some(ty) });
            }
        }
        // A computed attribute has no variant that the configuration selects.
        match origin {
            Origin::Configuration => Type::Enum(Enum { variants }),
            Origin::Provider => JSON,
        }
    }
}

/// Returns the alternatives of `oneOf` or `anyOf` that are not null.
fn alternatives<'d>(document: &'d Document, schema: &'d Value) -> Option<Vec<&'d Value>> {
    let all = schema.get("oneOf").or(schema.get("anyOf"))?.as_array()?;
    let is_null = |it: &&Value| string(document.resolve(it).1, "type") == Some("null");
    Some(all.iter().filter(|it| !is_null(it)).collect())
}

/// Returns the first value of a keyword in a schema or in its `allOf`.
fn find<'d>(document: &'d Document, schema: &'d Value, keyword: &str) -> Option<&'d Value> {
    let (_, schema) = document.resolve(schema);
    schema.get(keyword).or_else(|| {
        let parts = schema.get("allOf")?.as_array()?;
        parts.iter().find_map(|it| document.resolve(it).1.get(keyword))
    })
}

/// Collects the properties of a schema, of the schemas in its `allOf`, where later ones replace earlier ones, and of its
/// alternatives.
pub(super) fn collect_properties<'d>(
    document: &'d Document,
    schema: &'d Value,
    properties: &mut Vec<(&'d str, &'d Value)>,
    depth: usize,
) {
    let (_, schema) = document.resolve(schema);
    if depth > 16 {
        return;
    }
    for part in schema.get("allOf").and_then(Value::as_array).into_iter().flatten() {
        collect_properties(document, part, properties, depth + 1);
    }
    for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        properties.retain(|(it, _)| it != name);
        properties.push((name, property));
    }
    for alternative in alternatives(document, schema).into_iter().flatten() {
        let mut more = Vec::new();
        collect_properties(document, alternative, &mut more, depth + 1);
        for (name, property) in more {
            match properties.iter_mut().find(|(it, _)| *it == name) {
                // A discriminator has another value in each alternative.
                Some((_, existing)) if *existing != property => {
                    let is_string = |it: &Value| type_name(&document.merged(it)) == "string";
                    if is_string(existing) && is_string(property) {
                        *existing = &ANY_STRING;
                    }
                }
                Some(_) => {}
                None => properties.push((name, property)),
            }
        }
    }
}

/// The schema of a property that is a different string in each alternative.
static ANY_STRING: LazyLock<Value> = LazyLock::new(|| json!({ "type": "string" }));

/// Returns the names of the required properties, including those that every alternative requires.
pub(super) fn required(document: &Document, schema: &Value) -> Vec<String> {
    let names = |it: &Value| {
        let merged = document.merged(it);
        let names = merged.get("required").and_then(Value::as_array).into_iter().flatten();
        names.filter_map(|it| it.as_str().map(str::to_owned)).collect::<Vec<_>>()
    };
    let mut found = names(schema);
    let alternatives = alternatives(document, document.resolve(schema).1).unwrap_or_default();
    if let Some((first, others)) = alternatives.split_first() {
        let mut common = names(first);
        for other in others {
            let other = names(other);
            common.retain(|it| other.contains(it));
        }
        found.extend(common);
    }
    found
}

/// Returns true if a property that exists can be null.
pub(super) fn is_nullable(document: &Document, schema: &Value) -> bool {
    let merged = document.merged(schema);
    let is_null = |it: &Value| it.is_null() || it == "null";
    let has_null = |it: &Map<String, Value>, keyword: &str| match it.get(keyword) {
        Some(Value::Array(values)) => values.iter().any(is_null),
        other => other.is_some_and(is_null),
    };
    let is_null_schema = |it: &Map<String, Value>| {
        it.get("nullable") == Some(&Value::Bool(true)) || has_null(it, "type") || has_null(it, "enum")
    };
    let alternatives = ["oneOf", "anyOf"].into_iter().filter_map(|it| merged.get(it)?.as_array()).flatten();
    is_null_schema(&merged) || alternatives.into_iter().any(|it| is_null_schema(&document.merged(it)))
}

/// Returns the type of a schema: the only one that is not `null`, or the one that follows from its keywords.
fn type_name(schema: &Map<String, Value>) -> &str {
    let name = match schema.get("type") {
        Some(Value::String(name)) => Some(&**name),
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).find(|it| *it != "null"),
        _ => None,
    };
    match name {
        Some(name) => name,
        None if schema.contains_key("properties") => "object",
        None if schema.contains_key("items") => "array",
        None => match allowed_values(schema).first() {
            Some(Value::String(_)) => "string",
            Some(Value::Bool(_)) => "boolean",
            Some(Value::Number(it)) if it.is_i64() => "integer",
            Some(Value::Number(_)) => "number",
            _ => "",
        },
    }
}

/// Returns the values of `enum`, or the one of `const`.
fn allowed_values(schema: &Map<String, Value>) -> Vec<&Value> {
    match schema.get("enum") {
        Some(Value::Array(values)) => values.iter().filter(|it| !it.is_null()).collect(),
        _ => schema.get("const").into_iter().collect(),
    }
}

fn string_type(schema: &Map<String, Value>) -> Type {
    let strings = allowed_values(schema).into_iter().filter_map(Value::as_str);
    let variants: Vec<Variant> = strings.map(|it| Variant { name: it.to_owned(), data: None }).collect();
    if !variants.is_empty() {
        return Type::Enum(Enum { variants });
    }
    Type::Scalar(match schema.get("format").and_then(Value::as_str) {
        Some("uuid") => "Uuid",
        Some("ipv4") => "Ipv4Addr",
        Some("ipv6") => "Ipv6Addr",
        Some("date-time") => "Timestamp",
        _ => "String",
    })
}

/// Converts a default; `None` if the type has no literals.
fn default_value(value: &Value, ty: &Type) -> Option<DefaultValue> {
    Some(match (value, ty) {
        (Value::String(it), Type::Enum(ty)) if ty.variants.iter().any(|variant| variant.name == *it) => {
            DefaultValue::Variant(pascal_case(it))
        }
        (Value::String(it), Type::Scalar("String")) => DefaultValue::Expression(string_literal(it)),
        (Value::Bool(it), Type::Scalar("bool")) => DefaultValue::Expression(it.to_string()),
        (Value::Number(it), Type::Scalar("i32" | "i64")) if it.is_i64() => {
            DefaultValue::Expression(it.to_string())
        }
        (Value::Number(it), Type::Scalar("u32" | "u64")) if it.is_u64() => {
            DefaultValue::Expression(it.to_string())
        }
        (Value::Number(it), Type::Scalar("f64")) => DefaultValue::Expression(format!("{:?}", it.as_f64()?)),
        _ => return None,
    })
}

/// Returns the validator for a regular expression.
fn pattern_validator(pattern: &str) -> String {
    let message = string_literal(&format!("a match of {pattern} is required"));
    format!("validators::matches({}, {message})", string_literal(pattern))
}

/// Returns the validators of a schema.
fn validators(schema: &Map<String, Value>, ty: &Type) -> Vec<String> {
    let mut found = Vec::new();
    let mut range = |function: &str, min: Option<String>, max: Option<String>| match (min, max) {
        (Some(min), Some(max)) => found.push(format!("validators::{function}between({min}, {max})")),
        (Some(min), None) => found.push(format!("validators::{function}at_least({min})")),
        (None, Some(max)) => found.push(format!("validators::{function}at_most({max})")),
        (None, None) => {}
    };
    match ty {
        Type::Scalar(name @ ("i32" | "i64" | "u32" | "u64")) => {
            let values_of_type = match *name {
                "i32" => i128::from(i32::MIN)..=i128::from(i32::MAX),
                "u32" => 0..=i128::from(u32::MAX),
                "u64" => 0..=i128::from(u64::MAX),
                _ => i128::from(i64::MIN)..=i128::from(i64::MAX),
            };
            let integer = |it: &Value| it.as_number()?.as_i128();
            // An exclusive limit is a number, or in OpenAPI 3.0 a property of the limit.
            let limit = |keyword: &str, exclusive: &str, step: i128| {
                let is_exclusive = schema.get(exclusive) == Some(&Value::Bool(true));
                let limit = schema.get(keyword).and_then(integer);
                let exclusive_limit = schema.get(exclusive).and_then(integer);
                let inclusive = limit.map(|it| if is_exclusive { it + step } else { it });
                let found = inclusive.or(exclusive_limit.map(|it| it + step));
                found.filter(|it| values_of_type.contains(it)).map(|it| it.to_string())
            };
            range("", limit("minimum", "exclusiveMinimum", 1), limit("maximum", "exclusiveMaximum", -1));
            let values = allowed_values(schema).into_iter().filter_map(integer);
            let values: Vec<String> =
                values.filter(|it| values_of_type.contains(it)).map(|it| format!("{it}_{name}")).collect();
            if !values.is_empty() {
                found.push(format!("validators::one_of([{}])", values.join(", ")));
            }
        }
        Type::Scalar("f64") => {
            let limit = |name| schema.get(name)?.as_f64().map(|it| format!("{it:?}"));
            range("", limit("minimum"), limit("maximum"));
        }
        Type::Scalar("String") => {
            // A JSON schema counts characters.
            let limit = |name| schema.get(name)?.as_u64().map(|it| it.to_string());
            range("utf8_length_", limit("minLength"), limit("maxLength"));
        }
        _ => {}
    }
    found
}
