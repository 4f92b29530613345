//! The conversion of the schemas on the wire to the format of `terraform providers schema -json`.

use std::collections::BTreeMap;

use ferroform_proto::Bytes;
use ferroform_proto::tfplugin6::schema::nested_block::NestingMode;
use ferroform_proto::tfplugin6::schema::{self, object};
use ferroform_proto::tfplugin6::{self, StringKind, function};
use serde_json::Value;

use super::binary::ProviderSchemas;
use super::model::{
    ActionSchema, Attribute, Block, BlockType, ByName, Function, IdentityAttribute, IdentitySchema,
    NestedType, Parameter, ProviderSchema, Schema,
};

/// Converts all schemas of a provider.
pub(crate) fn convert(schemas: &ProviderSchemas) -> Result<ProviderSchema, String> {
    let response = &schemas.response;
    let decode = |bytes: &Bytes| -> Result<Schema, String> {
        let schema = schemas.decode_schema(bytes)?;
        let version = u64::try_from(schema.version)
            .map_err(|_| format!("invalid schema version {}", schema.version))?;
        Ok(Schema { version, block: schema.block.map(block).transpose()? })
    };
    let decode_all = |all| by_name(all, decode);
    Ok(ProviderSchema {
        provider: decode(&response.provider)?,
        resource_schemas: decode_all(&response.resource_schemas)?,
        data_source_schemas: decode_all(&response.data_source_schemas)?,
        ephemeral_resource_schemas: decode_all(&response.ephemeral_resource_schemas)?,
        list_resource_schemas: decode_all(&response.list_resource_schemas)?,
        functions: by_name(&response.functions, function)?,
        resource_identity_schemas: by_name(&schemas.identities, identity)?,
        action_schemas: by_name(&response.action_schemas, |it| {
            Ok(ActionSchema { block: decode(&it.schema)?.block })
        })?,
        state_store_schemas: decode_all(&response.state_store_schemas)?,
    })
}

/// Converts the values of a map. An error names the entry.
fn by_name<T, U>(
    all: &BTreeMap<String, T>,
    convert: impl Fn(&T) -> Result<U, String>,
) -> Result<ByName<U>, String> {
    let entry = |(name, it): (&String, &T)| match convert(it) {
        Ok(it) => Ok((name.clone(), it)),
        Err(error) => Err(format!("{name}: {error}")),
    };
    all.iter().map(entry).collect()
}

fn block(from: schema::Block) -> Result<Block, String> {
    Ok(Block {
        attributes: attributes(from.attributes)?,
        block_types: from.block_types.into_iter().map(nested_block).collect::<Result<_, _>>()?,
        description: from.description,
        description_kind: description_kind(from.description_kind),
        deprecated: from.deprecated,
        deprecation_message: from.deprecation_message,
    })
}

fn nested_block(from: schema::NestedBlock) -> Result<(String, BlockType), String> {
    let name = from.type_name;
    let nesting_mode = match NestingMode::try_from(from.nesting) {
        Ok(NestingMode::Single) => "single",
        Ok(NestingMode::List) => "list",
        Ok(NestingMode::Set) => "set",
        Ok(NestingMode::Map) => "map",
        Ok(NestingMode::Group) => "group",
        Ok(NestingMode::Invalid) | Err(_) => return Err(format!("{name}: invalid nesting mode")),
    };
    let count = |it: i64| u64::try_from(it).map_err(|_| format!("{name}: invalid number of items {it}"));
    let (min_items, max_items) = (count(from.min_items)?, count(from.max_items)?);
    let block = block(from.block.unwrap_or_default()).map_err(|error| format!("{name}: {error}"))?;
    Ok((name, BlockType { nesting_mode: nesting_mode.to_owned(), block, min_items, max_items }))
}

fn attributes(from: Vec<schema::Attribute>) -> Result<ByName<Attribute>, String> {
    let named = |it: schema::Attribute| {
        let name = it.name.clone();
        let converted = attribute(it).map_err(|error| format!("{name}: {error}"))?;
        Ok((name, converted))
    };
    from.into_iter().map(named).collect()
}

fn attribute(from: schema::Attribute) -> Result<Attribute, String> {
    Ok(Attribute {
        ty: if from.nested_type.is_some() { Value::Null } else { parse_type(&from.r#type)? },
        nested_type: from.nested_type.map(nested_type).transpose()?,
        description: from.description,
        description_kind: description_kind(from.description_kind),
        deprecated: from.deprecated,
        deprecation_message: from.deprecation_message,
        required: from.required,
        optional: from.optional,
        computed: from.computed,
        sensitive: from.sensitive,
        write_only: from.write_only,
    })
}

fn nested_type(from: schema::Object) -> Result<NestedType, String> {
    let nesting_mode = match object::NestingMode::try_from(from.nesting) {
        Ok(object::NestingMode::Single) => "single",
        Ok(object::NestingMode::List) => "list",
        Ok(object::NestingMode::Set) => "set",
        Ok(object::NestingMode::Map) => "map",
        Ok(object::NestingMode::Invalid) | Err(_) => return Err("invalid nesting mode".to_owned()),
    };
    Ok(NestedType { attributes: attributes(from.attributes)?, nesting_mode: nesting_mode.to_owned() })
}

fn function(from: &tfplugin6::Function) -> Result<Function, String> {
    let parameter = |it: &function::Parameter| {
        Ok::<_, String>(Parameter {
            name: it.name.clone(),
            description: it.description.clone(),
            is_nullable: it.allow_null_value,
            ty: parse_type(&it.r#type)?,
        })
    };
    let returned = from.r#return.as_ref().ok_or("the function has no return type")?;
    Ok(Function {
        description: from.description.clone(),
        summary: from.summary.clone(),
        deprecation_message: from.deprecation_message.clone(),
        return_type: parse_type(&returned.r#type)?,
        parameters: from.parameters.iter().map(parameter).collect::<Result<_, _>>()?,
        variadic_parameter: from.variadic_parameter.as_ref().map(parameter).transpose()?,
    })
}

fn identity(from: &tfplugin6::ResourceIdentitySchema) -> Result<IdentitySchema, String> {
    let version =
        u64::try_from(from.version).map_err(|_| format!("invalid identity version {}", from.version))?;
    let attribute = |it: &tfplugin6::resource_identity_schema::IdentityAttribute| {
        let attribute = IdentityAttribute {
            ty: parse_type(&it.r#type)?,
            description: it.description.clone(),
            required_for_import: it.required_for_import,
            optional_for_import: it.optional_for_import,
        };
        Ok::<_, String>((it.name.clone(), attribute))
    };
    let attributes = from.identity_attributes.iter().map(attribute).collect::<Result<_, _>>()?;
    Ok(IdentitySchema { version, attributes })
}

fn parse_type(json: &[u8]) -> Result<Value, String> {
    serde_json::from_slice(json).map_err(|error| format!("invalid type: {error}"))
}

fn description_kind(kind: i32) -> String {
    let is_markdown = kind == i32::from(StringKind::Markdown);
    (if is_markdown { "markdown" } else { "plain" }).to_owned()
}
