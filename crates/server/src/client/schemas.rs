//! Decodes the schema messages of a provider, whatever language it is written in.
//!
//! ```text
//! Attribute { name: "name", type: "\"string\"", required: true, … }
//!
//! Attribute::raw("name", Type::String)
//! ```
//!
//! The messages contain no defaults, validators or other options of the framework.

use ferroform_engine::schema::{
    Attribute, Block, DescriptionKind, IdentitySchema, Mode, Nested, Nesting, Schema,
};
use ferroform_engine::{FunctionSignature, Kind};
use ferroform_proto::tfplugin6::schema::nested_block::NestingMode as BlockNesting;
use ferroform_proto::tfplugin6::schema::object::NestingMode;
use ferroform_proto::tfplugin6::{self as wire, StringKind, function, schema as message};
use ferroform_proto::{Message as _, tfplugin5};
use ferroform_value::{Error, Step, json};

use crate::protocol::Protocol;
use crate::provider_messages::schemas_mut;
use crate::schema_translation::schema_to_protocol_6;

/// Decodes a schema of GetProviderSchema.
///
/// # Errors
///
/// If it is not a schema that Terraform accepts. The error has the attribute path.
pub fn decode_schema(protocol: Protocol, bytes: &[u8]) -> Result<Schema, Error> {
    let message = match protocol {
        Protocol::V5 => tfplugin5::Schema::decode(bytes).map(schema_to_protocol_6),
        Protocol::V6 => wire::Schema::decode(bytes),
    };
    let message = message.map_err(|error| Error::new(format!("cannot decode the schema: {error}")))?;
    Ok(Schema::new(block(message.block.unwrap_or_default())?).version(message.version))
}

/// Decodes the schemas of the objects of a kind in the response to GetProviderSchema. Returns the name of each object, and its
/// schema, or the error if it is not a schema that Terraform accepts.
pub fn decode_schemas(
    protocol: Protocol,
    response: &mut wire::get_provider_schema::Response,
    kind: Kind,
) -> Vec<(String, Result<Schema, Error>)> {
    schemas_mut(response, kind).map(|(name, it)| (name.clone(), decode_schema(protocol, it))).collect()
}

/// Decodes the signature of a function.
///
/// # Errors
///
/// If a type is missing or invalid.
pub fn decode_function(message: wire::Function) -> Result<FunctionSignature, Error> {
    let result = message.r#return.ok_or_else(|| Error::constant("the function has no return type"))?;
    let is_variadic = message.variadic_parameter.is_some();
    let unknown_allowed = message.parameters.iter().chain(&message.variadic_parameter);
    let unknown_allowed = unknown_allowed.filter(|it| it.allow_unknown_values);
    let unknown_allowed = unknown_allowed.map(|it| it.name.as_str().into()).collect();
    let parameters = message.parameters.into_iter().chain(message.variadic_parameter);
    let block = Block::new().with_attributes(parameters.map(parameter).collect::<Result<Vec<_>, Error>>()?);
    let deprecated = Some(message.deprecation_message).filter(|it| !it.is_empty());
    let block = described(block, message.description, message.description_kind, deprecated);
    let mut signature =
        FunctionSignature::new(block, json::type_from_slice(&result.r#type)?).summary(message.summary);
    signature.is_variadic = is_variadic;
    signature.unknown_allowed = unknown_allowed;
    Ok(signature)
}

fn parameter(it: function::Parameter) -> Result<Attribute, Error> {
    let mode = if it.allow_null_value { Mode::Optional } else { Mode::Required };
    let ty = json::type_from_slice(&it.r#type).map_err(inside(&it.name))?;
    let attribute = Attribute::raw(it.name, ty).with_mode(mode);
    Ok(attribute.description_of_kind(it.description, description_kind(it.description_kind)))
}

/// Decodes the identity schema of a resource.
///
/// # Errors
///
/// If a type is invalid. The error has the name of the attribute.
pub fn decode_identity(message: wire::ResourceIdentitySchema) -> Result<IdentitySchema, Error> {
    let attribute = |it: wire::resource_identity_schema::IdentityAttribute| {
        let mode = if it.required_for_import { Mode::Required } else { Mode::Optional };
        let ty = json::type_from_slice(&it.r#type).map_err(inside(&it.name))?;
        Ok(Attribute::raw(it.name, ty).with_mode(mode).description(it.description))
    };
    let attributes = message.identity_attributes.into_iter().map(attribute);
    let block = Block::new().with_attributes(attributes.collect::<Result<Vec<_>, Error>>()?);
    Ok(IdentitySchema::raw(block).version(message.version))
}

/// Adds the name of an attribute or block to the path of an error.
fn inside(name: &str) -> impl Fn(Error) -> Error + use<> {
    let step = Step::Attribute(name.into());
    move |error| error.below(step.clone())
}

fn block(it: message::Block) -> Result<Block, Error> {
    let nested = it.block_types.into_iter().map(|it| {
        let inside = inside(&it.type_name);
        nested_block(it).map_err(inside)
    });
    let block = attributes(it.attributes)?.nested_blocks(nested.collect::<Result<Vec<_>, Error>>()?);
    let deprecated = it.deprecated.then_some(it.deprecation_message);
    Ok(described(block, it.description, it.description_kind, deprecated))
}

fn described(block: Block, description: String, kind: i32, deprecated: Option<String>) -> Block {
    let block = block.description_of_kind(description, description_kind(kind));
    if let Some(message) = deprecated { block.deprecated(message) } else { block }
}

fn nested_block(it: message::NestedBlock) -> Result<Attribute, Error> {
    let nesting = match it.nesting() {
        BlockNesting::Single => Nesting::Single,
        BlockNesting::List => Nesting::List,
        BlockNesting::Set => Nesting::Set,
        BlockNesting::Map => Nesting::Map,
        // The engine does not have the nesting mode `group`, because no SDK can declare such a block.
        BlockNesting::Group | BlockNesting::Invalid => {
            return Err(Error::constant("the nesting mode of the block is not supported"));
        }
    };
    let limit = |items: i64| {
        u64::try_from(items).map_err(|_| Error::invalid_value("a number of blocks", items.to_string()))
    };
    let (min_items, max_items) = (limit(it.min_items)?, limit(it.max_items)?);
    let message = it.block.unwrap_or_default();
    let is_computed = message.computed;
    let nested = Nested::new(nesting, block(message)?);
    let attribute = Attribute::raw_block(it.type_name, nested, min_items, max_items);
    Ok(if is_computed { attribute.optional_computed() } else { attribute })
}

fn attributes(all: Vec<message::Attribute>) -> Result<Block, Error> {
    let decode = |it: message::Attribute| {
        let inside = inside(&it.name);
        attribute(it).map_err(inside)
    };
    Ok(Block::new().with_attributes(all.into_iter().map(decode).collect::<Result<Vec<_>, Error>>()?))
}

fn attribute(it: message::Attribute) -> Result<Attribute, Error> {
    let mode = Mode::from_flags(it.required, it.optional, it.computed)?;
    let attribute = match it.nested_type {
        Some(object) => {
            let nesting = match object.nesting() {
                NestingMode::Single => Nesting::Single,
                NestingMode::List => Nesting::List,
                NestingMode::Set => Nesting::Set,
                NestingMode::Map => Nesting::Map,
                NestingMode::Invalid => {
                    return Err(Error::constant("the nesting mode of the attribute is not supported"));
                }
            };
            Attribute::raw_nested(it.name, Nested::new(nesting, attributes(object.attributes)?))
        }
        None => Attribute::raw(it.name, json::type_from_slice(&it.r#type)?),
    };
    let attribute =
        attribute.with_mode(mode).description_of_kind(it.description, description_kind(it.description_kind));
    let attribute = if it.sensitive { attribute.sensitive() } else { attribute };
    let attribute = if it.write_only { attribute.write_only() } else { attribute };
    Ok(if it.deprecated { attribute.deprecated(it.deprecation_message) } else { attribute })
}

fn description_kind(kind: i32) -> DescriptionKind {
    if kind == i32::from(StringKind::Markdown) { DescriptionKind::Markdown } else { DescriptionKind::Plain }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_schema_message_returns_error_with_attribute_path() {
        let attribute = |ty: &'static [u8], optional| message::Attribute {
            name: "size".to_owned(),
            r#type: ty.into(),
            optional,
            ..Default::default()
        };
        let error = |attribute, nesting: BlockNesting| {
            let inner = message::Block { attributes: vec![attribute], ..Default::default() };
            let disk = message::NestedBlock {
                type_name: "disk".to_owned(),
                block: Some(inner),
                nesting: nesting.into(),
                ..Default::default()
            };
            let block = Some(message::Block { block_types: vec![disk], ..Default::default() });
            let bytes = wire::Schema { version: 0, block }.encode_to_vec();
            decode_schema(Protocol::V6, &bytes).unwrap_err().to_string()
        };
        let number: &[u8] = b"\"number\"";
        let invalid = [
            error(attribute(b"\"text\"", true), BlockNesting::List),
            error(attribute(number, false), BlockNesting::List),
            error(attribute(number, true), BlockNesting::Group),
        ];
        expect_test::expect![[r#"
            disk.size: unknown type "text"
            disk.size: the attribute must be required, optional, computed, or optional and computed
            disk: the nesting mode of the block is not supported"#]]
        .assert_eq(&invalid.join("\n"));
    }
}
