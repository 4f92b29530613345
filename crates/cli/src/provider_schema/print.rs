//! The format of `terraform providers schema -json`. Properties with a default value are omitted, and objects are
//! sorted by name, so the output is byte-stable.

use std::borrow::Cow;
use std::io;

use ferroform_engine::schema::{Attribute, Block, DescriptionKind, IdentitySchema, Mode, Schema};
use ferroform_engine::{Definition, FunctionSignature, Kind};
use ferroform_value::{Type, json};
use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::{ProviderSchema, nesting_mode, sorted_attributes, sorted_blocks};

/// Writes the document with the schemas of one provider.
pub(crate) fn write(address: &str, schema: &ProviderSchema, out: impl io::Write) -> io::Result<()> {
    let document = object([
        ("format_version", "1.0".into()),
        ("provider_schemas", object([(address, provider(schema))])),
    ]);
    Ok(serde_json::to_writer_pretty(out, &document)?)
}

/// A JSON value whose objects keep the order of their properties, which is Terraform's.
enum Json<'a> {
    Object(Vec<(Cow<'a, str>, Json<'a>)>),
    Array(Vec<Json<'a>>),
    Type(&'a Type),
    Leaf(Value),
}

impl Json<'_> {
    fn is_default(&self) -> bool {
        match self {
            Json::Object(it) => it.is_empty(),
            Json::Array(it) => it.is_empty(),
            Json::Type(_) => false,
            Json::Leaf(it) => matches!(it, Value::Null | Value::Bool(false)) || it == "",
        }
    }
}

impl<T: Into<Value>> From<T> for Json<'_> {
    fn from(leaf: T) -> Self {
        Json::Leaf(leaf.into())
    }
}

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Json::Object(it) => serializer.collect_map(it.iter().map(|(name, it)| (name, it))),
            Json::Array(it) => serializer.collect_seq(it),
            Json::Type(it) => {
                // As a value, the type is indented like the rest.
                let ty: Value = serde_json::from_str(&json::type_to_string(it)).map_err(S::Error::custom)?;
                ty.serialize(serializer)
            }
            Json::Leaf(it) => it.serialize(serializer),
        }
    }
}

fn object<'a, N: Into<Cow<'a, str>>>(properties: impl IntoIterator<Item = (N, Json<'a>)>) -> Json<'a> {
    let properties = properties.into_iter().filter(|(_, it)| !it.is_default());
    Json::Object(properties.map(|(name, it)| (name.into(), it)).collect())
}

fn provider(it: &ProviderSchema) -> Json<'_> {
    let mut properties = vec![(Cow::from("provider"), schema(Kind::Provider, &it.provider))];
    for &kind in Definition::KINDS {
        if kind == Kind::Function {
            let functions = it.functions.iter().map(|(name, it)| (name.as_str(), function(it)));
            let identities = it.identities.iter().map(|(name, it)| (name.as_str(), identity(it)));
            properties.push(("functions".into(), object(functions)));
            properties.push(("resource_identity_schemas".into(), object(identities)));
            continue;
        }
        let schemas = it.of_kind(kind).iter().map(|(name, it)| (name.as_str(), schema(kind, it)));
        properties.push((kind.json_property().into(), object(schemas)));
    }
    object(properties)
}

fn schema(kind: Kind, it: &Schema) -> Json<'_> {
    // The schemas of actions have no version.
    let version = Some(it.version).filter(|_| kind != Kind::Action);
    object([("version", version.into()), ("block", block(&it.block))])
}

fn block(it: &Block) -> Json<'_> {
    let nested = sorted_blocks(it).into_iter().map(|it| {
        let properties = [
            ("nesting_mode", nesting_mode(it.nesting()).into()),
            ("block", block(it.block())),
            ("min_items", limit(it.min_items())),
            ("max_items", limit(it.max_items())),
        ];
        (&**it.name(), object(properties))
    });
    let properties = [("attributes", attributes(it)), ("block_types", object(nested))];
    let documentation = documentation(it.full_description(), it.description_kind(), it.deprecation());
    object(properties.into_iter().chain(documentation))
}

/// A number of blocks, of which zero is the default.
fn limit<'a>(items: u64) -> Json<'a> {
    Some(items).filter(|it| *it > 0).into()
}

fn attributes(it: &Block) -> Json<'_> {
    object(sorted_attributes(it).into_iter().map(|it| (&**it.name(), attribute(it))))
}

fn attribute(it: &Attribute) -> Json<'_> {
    let content = match it.nested() {
        Some(nested) => {
            let mode = nesting_mode(nested.nesting()).into();
            ("nested_type", object([("attributes", attributes(nested.block())), ("nesting_mode", mode)]))
        }
        None => ("type", Json::Type(it.ty())),
    };
    let flags = [
        ("required", it.mode() == Mode::Required),
        ("optional", matches!(it.mode(), Mode::Optional | Mode::OptionalComputed)),
        ("computed", it.mode().is_computed()),
        ("sensitive", it.is_sensitive()),
        ("write_only", it.is_write_only()),
    ];
    let deprecated = it.behavior().deprecated.as_deref();
    let documentation = documentation(&it.full_description(), it.description_kind(), deprecated);
    let flags = flags.map(|(name, is_set)| (name, is_set.into()));
    object([content].into_iter().chain(documentation).chain(flags))
}

fn documentation<'a>(
    description: &str,
    kind: DescriptionKind,
    deprecated: Option<&str>,
) -> [(&'static str, Json<'a>); 4] {
    let kind = if kind == DescriptionKind::Markdown { "markdown" } else { "plain" };
    [
        ("description", description.into()),
        ("description_kind", kind.into()),
        ("deprecated", deprecated.is_some().into()),
        // Terraform 1.14 and earlier do not print it.
        ("deprecation_message", deprecated.into()),
    ]
}

fn function(it: &FunctionSignature) -> Json<'_> {
    object([
        ("description", it.parameters.full_description().into()),
        ("summary", it.summary.as_str().into()),
        ("deprecation_message", it.parameters.deprecation().into()),
        ("return_type", Json::Type(&it.result)),
        ("parameters", Json::Array(it.positional_parameters().iter().map(parameter).collect())),
        ("variadic_parameter", it.variadic_parameter().map_or(Json::Leaf(Value::Null), parameter)),
    ])
}

fn parameter(it: &Attribute) -> Json<'_> {
    object([
        ("name", (&**it.name()).into()),
        ("description", it.full_description().as_str().into()),
        ("is_nullable", (it.mode() != Mode::Required).into()),
        ("type", Json::Type(it.ty())),
    ])
}

fn identity(it: &IdentitySchema) -> Json<'_> {
    let attributes = sorted_attributes(&it.block).into_iter().map(|it| {
        let properties = [
            ("type", Json::Type(it.ty())),
            ("description", it.full_description().as_str().into()),
            ("required_for_import", (it.mode() == Mode::Required).into()),
            ("optional_for_import", (it.mode() != Mode::Required).into()),
        ];
        (&**it.name(), object(properties))
    });
    object([("version", it.version.into()), ("attributes", object(attributes))])
}
