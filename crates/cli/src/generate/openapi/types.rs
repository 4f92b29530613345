//! The types of JSON schemas.
//!
//! | schema | type |
//! |---|---|
//! | `string` with `enum` or `const` | an enum; a string if only the response contains it |
//! | `string` with the format `uuid`, `ipv4`, `ipv6`, `date-time` | `Uuid`, `Ipv4Addr`, `Ipv6Addr`, `Timestamp` |
//! | `integer`, `number` | `i64`, or `i32` with the format `int32`; `f64` |
//! | `array`, with `uniqueItems` | a list, a set |
//! | `object` with `properties`, `additionalProperties` | a model, a map |
//! | `oneOf`, `anyOf` with several alternatives | an enum with data; next to `properties`, a model with all properties |
//! | anything else, and a schema inside itself | a JSON document |

use std::collections::{BTreeSet, HashSet};

use serde_json::Value;

use super::document::string;
use super::fields::FieldList;
use super::keywords::{default_value, item_limits, pattern_validator, validators};
use super::schemas::{Merged, Schemas};
use crate::generate::definition::{Collection, Description, Enum, Field, Form, Mode, Model, Type, Variant};
use crate::generate::names::snake_case;

/// A document that has no schema of its own.
const JSON: Type = Type::Scalar("Json");

/// The maximum number of references inside each other.
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
    /// The references that are being converted, to find cycles.
    references: Vec<&'d str>,
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
        TypeReader { schemas, references: Vec::new(), field_count: 0, warnings: BTreeSet::new() }
    }

    /// Returns the type of a schema.
    pub(super) fn ty(&mut self, schema: &'d Value, origin: Origin) -> Type {
        let (reference, resolved) = self.schemas.document.resolve(schema);
        let Some(reference) = reference else { return self.merged_type(resolved, origin) };
        let is_too_large = self.references.len() >= MAX_DEPTH || self.field_count >= MAX_FIELDS;
        let is_scalar = || {
            let name = self.schemas.merged(resolved).type_name();
            matches!(name, "string" | "integer" | "number" | "boolean")
        };
        if self.references.contains(&reference) || (is_too_large && !is_scalar()) {
            return JSON;
        }
        self.references.push(reference);
        let ty = self.merged_type(resolved, origin);
        self.references.pop();
        ty
    }

    fn merged_type(&mut self, schema: &'d Value, origin: Origin) -> Type {
        let merged = self.schemas.merged(schema);
        // Next to properties, alternatives only restrict them or add more: `anyOf: [{required: [a]}, {required: [b]}]`.
        if !merged.contains("properties")
            && let Some(alternatives) = self.schemas.alternatives(schema)
        {
            return match (alternatives.as_slice(), origin) {
                ([], _) => JSON,
                ([only], _) => self.ty(only, origin),
                (all, Origin::Configuration) => self.union(all, merged.get("discriminator")),
                // A computed attribute has no variant that the configuration selects.
                (_, Origin::Provider) => JSON,
            };
        }
        match merged.type_name() {
            "string" => string_type(&merged, origin),
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
        match self.ty(schema, origin) {
            Type::Collection(collection, inside) if inside.has_models() => {
                Type::Collection(collection, Box::new(JSON))
            }
            ty => ty,
        }
    }

    /// Returns a model with the properties of a schema.
    fn model(&mut self, schema: &'d Value, origin: Origin) -> Model {
        let properties = self.schemas.properties(schema);
        let required = self.schemas.required(schema);
        let mut fields = FieldList::default();
        for (name, property) in properties.iter() {
            let keywords = self.schemas.merged(property);
            let mode = match origin {
                // A response does not contain it.
                Origin::Provider if keywords.is_true("writeOnly") => continue,
                Origin::Provider => Mode::Computed,
                Origin::Configuration if keywords.is_true("readOnly") => Mode::Computed,
                Origin::Configuration if required.contains(name) => Mode::Required,
                Origin::Configuration => Mode::Optional,
            };
            let mut field = self.field(name, property, mode);
            field.is_always_set =
                origin == Origin::Provider && required.contains(name) && !self.schemas.is_nullable(property);
            if let Some(duplicate) = fields.add(field) {
                self.warnings.insert(format!(
                    "property {name}: omitted, because another property has the attribute name {}",
                    duplicate.name
                ));
            }
        }
        let mut fields = fields.into_vec();
        fields.sort_by_key(|it| it.mode);
        Model { fields, ..Model::default() }
    }

    /// Converts a property to a field.
    pub(super) fn field(&mut self, name: &str, property: &'d Value, mode: Mode) -> Field {
        self.field_count += 1;
        let merged = self.schemas.merged(property);
        let is_configured = mode != Mode::Computed;
        let ty = self.ty(property, if is_configured { Origin::Configuration } else { Origin::Provider });
        let default = merged.get("default").filter(|_| is_configured).and_then(|it| default_value(it, &ty));
        if ty.model().is_some() && merged.get("additionalProperties").is_some_and(Value::is_object) {
            self.warnings.insert(format!(
                "property {name}: `additionalProperties` is ignored, because `properties` is also set"
            ));
        }
        let mut validators = if is_configured { validators(&merged, &ty) } else { Vec::new() };
        if let (true, Type::Scalar("String"), Some(pattern)) = (is_configured, &ty, merged.string("pattern"))
        {
            match pattern_validator(pattern) {
                Ok(validator) => validators.push(validator),
                Err(_) => {
                    self.warnings.insert(format!(
                        "property {name}: the pattern {pattern:?} is ignored, because it is not supported"
                    ));
                }
            }
        }
        let is_password = merged.string("format") == Some("password");
        let is_secret = !is_password && is_secret(name, &ty);
        if is_secret {
            self.warnings
                .insert(format!("property {name}: marked as sensitive, because the name indicates a secret"));
        }
        let is_collection = matches!(ty, Type::Collection(..)) && is_configured;
        let (min_items, max_items) = if is_collection { item_limits(&merged) } else { (0, 0) };
        Field {
            description: self.description(&merged, &ty, is_configured),
            deprecated: merged.is_true("deprecated").then(String::new),
            form: if ty.has_models() { Form::NestedAttribute } else { Form::Attribute },
            is_sensitive: is_password || is_secret,
            min_items,
            max_items,
            validators,
            // A default makes an attribute optional.
            mode: if default.is_some() { Mode::Optional } else { mode },
            default,
            ..Field::new(snake_case(name), ty, mode)
        }
    }

    /// Returns the description of a property. That of a computed string contains the values in the document, because the
    /// API may return others in the future.
    fn description(&self, schema: &Merged<'d>, ty: &Type, is_configured: bool) -> Description {
        let mut content =
            schema.string("description").or(schema.string("title")).unwrap_or_default().trim().to_owned();
        let elements = ["items", "additionalProperties"].into_iter().find_map(|it| schema.get(it));
        let values = match (ty, elements) {
            _ if is_configured => Vec::new(),
            (Type::Scalar("String"), _) => schema.allowed_strings(),
            (Type::Collection(_, element), Some(elements)) if **element == Type::Scalar("String") => {
                self.schemas.merged(elements).allowed_strings()
            }
            _ => Vec::new(),
        };
        if !values.is_empty() {
            let code = |it: &&str| if it.is_empty() { "`\"\"`".to_owned() } else { format!("`{it}`") };
            let values: Vec<String> = values.iter().map(code).collect();
            let separator = if content.is_empty() { "" } else { "\n\n" };
            content = format!("{content}{separator}Known values: {}.", values.join(", "));
        }
        Description { content, is_plain: false }
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
        Type::Collection(_, element) => **element == Type::Scalar("String"),
        ty => *ty == Type::Scalar("String"),
    };
    let name = snake_case(name);
    let name = name.strip_suffix('s').unwrap_or(&name);
    let ends_with =
        |it: &&str| name.strip_suffix(*it).is_some_and(|rest| rest.is_empty() || rest.ends_with('_'));
    // A token for the next page of a list is not a secret.
    is_string && !name.ends_with("page_token") && name != "next_token" && SECRETS.iter().any(ends_with)
}

/// Returns the type of a string. The API may return other values than those in the document.
fn string_type(schema: &Merged<'_>, origin: Origin) -> Type {
    let values = schema.allowed_strings();
    if !values.is_empty() {
        let variants = values.into_iter().map(|it| Variant { name: it.to_owned(), data: None }).collect();
        return match origin {
            Origin::Configuration => Type::Enum(Enum { variants }),
            Origin::Provider => Type::Scalar("String"),
        };
    }
    Type::Scalar(match schema.string("format") {
        Some("uuid") => "Uuid",
        Some("ipv4") => "Ipv4Addr",
        Some("ipv6") => "Ipv6Addr",
        Some("date-time") => "Timestamp",
        _ => "String",
    })
}
