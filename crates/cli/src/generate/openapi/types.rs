//! The types of JSON schemas.
//!
//! | schema | type |
//! |---|---|
//! | `string` with `enum` or `const` | an enum; a string if the response can contain other values |
//! | `string` with the format `uuid`, `ipv4`, `ipv6`, `date-time` | `Uuid`, `Ipv4Addr`, `Ipv6Addr`, `Timestamp` |
//! | `integer`, `number` | `i64`, or `i32` with the format `int32`; `f64` |
//! | `array`, with `uniqueItems` | a list, a set |
//! | `object` with `properties`, `additionalProperties` | a model, a map |
//! | `oneOf`, `anyOf` with several alternatives | an enum with data; next to `properties`, a model with all properties |
//! | anything else, and a schema inside itself | a JSON document |

use std::collections::{BTreeSet, HashSet};

use serde_json::Value;

use super::document::string;
use super::fields::{FieldList, check_default};
use super::keywords::{item_limits, pattern_validator, validators};
use super::schemas::{Merged, Schemas};
use crate::generate::definition::{Collection, Description, Enum, Field, Form, Mode, Model, Type, Variant};
use crate::generate::names::snake_case;

/// A document that has no schema of its own.
const JSON: Type = Type::Scalar("Json");

/// The maximum number of references and `allOf` inside each other.
const MAX_DEPTH: usize = 8;

/// The maximum number of fields and variants of the objects of a path. In some documents, each schema refers to most of
/// the others.
const MAX_FIELDS: usize = 2_000;

/// The last words of the names of secrets.
const SECRETS: [&str; 14] = [
    "password",
    "passwd",
    "passphrase",
    "secret",
    "token",
    "private_key",
    "private_key_pem",
    "client_key",
    "encryption_key",
    "master_key",
    "connection_string",
    "secret_key",
    "access_key",
    "api_key",
];

/// Converts schemas to types.
#[derive(Debug)]
pub(super) struct TypeReader<'s, 'd> {
    pub(super) schemas: &'s Schemas<'d>,
    /// The schemas that are being converted and that references lead to, or that contain properties of others, to find cycles.
    active: Vec<*const Value>,
    field_count: usize,
    /// The warnings about schemas that the generated types omit or change, each with the name of the property.
    pub(super) warnings: BTreeSet<String>,
}

/// The origin of the values in a schema.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Origin {
    /// The configuration sets all properties that are not read-only.
    Configuration,
    /// The provider sets all properties.
    Provider,
}

impl<'s, 'd> TypeReader<'s, 'd> {
    pub(super) fn new(schemas: &'s Schemas<'d>) -> TypeReader<'s, 'd> {
        TypeReader { schemas, active: Vec::new(), field_count: 0, warnings: BTreeSet::new() }
    }

    /// Returns the type of a schema.
    pub(super) fn ty(&mut self, schema: &'d Value, origin: Origin) -> Type {
        let (reference, schema) = self.schemas.resolve(schema);
        let has = |keyword: &str| schema.get(keyword).is_some();
        let has_parts = has("$ref") || has("allOf") || (has("properties") && (has("oneOf") || has("anyOf")));
        // Only a reference, or the properties of another schema, can lead to the schema itself.
        if reference.is_none() && !has_parts {
            return self.merged_type(schema, origin);
        }
        let key = std::ptr::from_ref(schema);
        let is_too_large = self.active.len() >= MAX_DEPTH || self.field_count >= MAX_FIELDS;
        let is_scalar = || {
            let name = self.schemas.merged(schema).type_name();
            matches!(name, "string" | "integer" | "number" | "boolean")
        };
        if self.active.contains(&key) || (is_too_large && !is_scalar()) {
            return JSON;
        }
        self.active.push(key);
        let ty = self.merged_type(schema, origin);
        self.active.pop();
        ty
    }

    fn merged_type(&mut self, schema: &'d Value, origin: Origin) -> Type {
        let merged = self.schemas.merged(schema);
        // Next to properties, alternatives only restrict them or add more: `anyOf: [{required: [a]}, {required: [b]}]`.
        if !merged.contains("properties")
            && let Some(alternatives) = self.schemas.alternatives(schema)
        {
            let values: Vec<_> =
                alternatives.iter().map(|it| self.schemas.merged(it).allowed_strings()).collect();
            // Each value has a description.
            if !values.is_empty() && values.iter().all(|it| !it.is_empty()) {
                return enum_type(values.concat());
            }
            return match (alternatives.as_slice(), origin) {
                ([only], _) => self.ty(only, origin),
                (all @ [_, ..], Origin::Configuration) => self.union(all, merged.get("discriminator")),
                // A computed attribute has no variant that the configuration selects.
                _ => JSON,
            };
        }
        match merged.type_name() {
            "string" => string_type(&merged),
            "integer" => Type::Scalar(match merged.string("format") {
                Some("int32") => "i32",
                Some("uint32") => "u32",
                Some("uint64") => "u64",
                _ => "i64",
            }),
            "number" => Type::Scalar("f64"),
            "boolean" => Type::Scalar("bool"),
            "array" => {
                let collection =
                    if merged.is_true("uniqueItems") { Collection::Set } else { Collection::List };
                let element = merged.get("items").map_or(JSON, |it| self.element(it, origin));
                Type::Collection(collection, Box::new(element))
            }
            "object" if merged.contains("properties") => Type::Model(self.model(schema, origin)),
            "object" => match merged.get("additionalProperties").filter(|it| it.is_object()) {
                Some(it) => Type::Collection(Collection::Map, Box::new(self.element(it, origin))),
                None => JSON,
            },
            _ => JSON,
        }
    }

    /// Returns the type of the elements of a collection. In a collection of collections, the attributes of a model cannot
    /// have options, so it consists of JSON documents.
    fn element(&mut self, schema: &'d Value, origin: Origin) -> Type {
        let element = match self.ty(schema, origin) {
            Type::Collection(collection, inside) if inside.has_models() => {
                Type::Collection(collection, Box::new(JSON))
            }
            ty => ty,
        };
        if self.schemas.merged(schema).is_nullable { element.nullable() } else { element }
    }

    /// Returns a model with the properties of a schema.
    fn model(&mut self, schema: &'d Value, origin: Origin) -> Model {
        let properties = self.schemas.properties(schema);
        let required = self.schemas.required(schema);
        let mut fields = FieldList::default();
        for (&name, &property) in &*properties {
            let field = match origin {
                Origin::Provider => self.returned(name, property, &required),
                Origin::Configuration => {
                    let keywords = self.schemas.merged(property);
                    let mode = match required.contains(name) && !keywords.is_nullable {
                        _ if keywords.is_true("readOnly") => Mode::Computed,
                        true => Mode::Required,
                        false => Mode::Optional,
                    };
                    Some(self.field(name, property, mode))
                }
            };
            let Some(field) = field else { continue };
            if let Some(duplicate) = fields.add(field) {
                self.warnings.insert(format!(
                    "property {name}: omitted, because another property has the attribute name {}",
                    duplicate.name
                ));
            }
        }
        Model { fields: fields.into_vec(), ..Model::default() }
    }

    /// Converts a property of a response to a computed field. Returns `None` for a property that a response does not contain.
    /// A field is always set if the property is in `required` and cannot be null.
    pub(super) fn returned(
        &mut self,
        name: &str,
        property: &'d Value,
        required: &BTreeSet<&str>,
    ) -> Option<Field> {
        let keywords = self.schemas.merged(property);
        let is_always_set = required.contains(name) && !keywords.is_nullable;
        let is_returned = !keywords.is_true("writeOnly");
        is_returned.then(|| Field { is_always_set, ..self.field(name, property, Mode::Computed) })
    }

    /// Converts a property to a field.
    pub(super) fn field(&mut self, name: &str, property: &'d Value, mode: Mode) -> Field {
        self.field_count += 1;
        let merged = self.schemas.merged(property);
        let is_configured = mode != Mode::Computed;
        let ty = self.ty(property, if is_configured { Origin::Configuration } else { Origin::Provider });
        // Null as the default of a property that can be null only makes it optional.
        let default =
            merged.get("default").filter(|it| is_configured && !(merged.is_nullable && it.is_null()));
        if ty.model().is_some() && merged.get("additionalProperties").is_some_and(Value::is_object) {
            self.warnings.insert(format!(
                "property {name}: `additionalProperties` is ignored, because `properties` is also set"
            ));
        }
        let mut warn = |it: String| self.warnings.extend([format!("property {name}: {it}")]);
        let mut validators = if is_configured { validators(&merged, &ty, &mut warn) } else { Vec::new() };
        if let (true, Type::Scalar("String"), Some(pattern)) = (is_configured, &ty, merged.string("pattern"))
        {
            match pattern_validator(pattern) {
                Ok(validator) => validators.push(validator),
                Err(_) => warn(format!("the pattern {pattern:?} is ignored, because it is not supported")),
            }
        }
        let is_collection = matches!(ty, Type::Collection(..)) && is_configured;
        let (min_items, max_items) = if is_collection { item_limits(&merged, &mut warn) } else { (0, 0) };
        let description = merged.string("description").or(merged.string("title")).unwrap_or_default();
        let is_password = merged.string("format") == Some("password");
        let is_secret = !is_password && is_secret(name, &ty);
        if is_secret {
            self.warnings
                .insert(format!("property {name}: marked as sensitive, because the name indicates a secret"));
        }
        let mut field = Field {
            description: Description { content: description.trim().to_owned(), is_plain: false },
            deprecated: merged.is_true("deprecated").then(String::new),
            form: if ty.has_models() { Form::NestedAttribute } else { Form::Attribute },
            is_sensitive: is_password || is_secret,
            min_items,
            max_items,
            validators,
            default: default.cloned(),
            ..Field::new(snake_case(name), ty, mode)
        };
        check_default(&mut field, &mut |it| self.warnings.extend([it]));
        field
    }

    /// Returns an enum with data, with one variant for each alternative. The variants determine the value of the
    /// discriminator, so they do not contain it, and have its names.
    fn union(&mut self, alternatives: &[&'d Value], discriminator: Option<&Value>) -> Type {
        let mut variants: Vec<Variant> = Vec::new();
        let mut names = HashSet::new();
        for (index, alternative) in alternatives.iter().enumerate() {
            self.field_count += 1;
            let (reference, resolved) = self.schemas.document.resolve(alternative);
            let schema_name = reference.and_then(|it| it.rsplit('/').next());
            let mapping = discriminator.and_then(|it| it.get("mapping")?.as_object()).into_iter().flatten();
            let mapped = mapping
                .filter(|(_, it)| {
                    it.as_str().is_some_and(|it| Some(it) == reference || Some(it) == schema_name)
                })
                .map(|(name, _)| &**name)
                .next();
            let name = mapped.or(schema_name).or(string(resolved, "title"));
            let kind = self.schemas.merged(resolved).type_name();
            let name = match name {
                Some(name) => snake_case(name),
                None if kind.is_empty() || kind == "object" => format!("variant{}", index + 1),
                None => kind.to_owned(),
            };
            if !names.insert(name.clone()) {
                self.warnings
                    .insert(format!("alternative {name}: omitted, because another one has this name"));
                continue;
            }
            let mut ty = self.ty(alternative, Origin::Configuration);
            let property = discriminator.and_then(|it| string(it, "propertyName"));
            if let (Type::Model(model), Some(property)) = (&mut ty, property) {
                model.fields.retain(|it| it.name != snake_case(property));
            }
            variants.push(Variant { name, data: Some(ty) });
        }
        Type::Enum(Enum { variants })
    }
}

/// Returns true if the name of a string, or of a collection of strings, indicates a secret.
fn is_secret(name: &str, ty: &Type) -> bool {
    let is_string = match ty {
        Type::Collection(_, element) => *element.non_null() == Type::Scalar("String"),
        ty => *ty == Type::Scalar("String"),
    };
    let name = snake_case(name);
    let name = name.strip_suffix('s').unwrap_or(&name);
    let ends_with =
        |it: &&str| name.strip_suffix(*it).is_some_and(|rest| rest.is_empty() || rest.ends_with('_'));
    // A token for the next page of a list is not a secret.
    is_string && !name.ends_with("page_token") && name != "next_token" && SECRETS.iter().any(ends_with)
}

/// Returns the type of a string.
fn string_type(schema: &Merged<'_>) -> Type {
    let values = schema.allowed_strings();
    if !values.is_empty() {
        return enum_type(values);
    }
    Type::Scalar(match schema.string("format") {
        Some("uuid") => "Uuid",
        Some("ipv4") => "Ipv4Addr",
        Some("ipv6") => "Ipv6Addr",
        Some("date-time") => "Timestamp",
        _ => "String",
    })
}

/// Returns the enum of these strings, each once.
fn enum_type(values: Vec<&str>) -> Type {
    let mut known = HashSet::new();
    let values = values.into_iter().filter(|it| known.insert(*it));
    Type::Enum(Enum { variants: values.map(|it| Variant { name: it.to_owned(), data: None }).collect() })
}
