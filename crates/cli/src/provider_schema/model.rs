//! The format of `terraform providers schema -json`. Fields with a default value are omitted, and objects are sorted by
//! name, so the output is byte-stable.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The version of the format.
const FORMAT_VERSION: &str = "1.0";

/// The whole document: the schemas of one or more providers by address.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Schemas {
    pub(crate) format_version: String,
    #[serde(default)]
    pub(crate) provider_schemas: BTreeMap<String, ProviderSchema>,
}

impl Schemas {
    pub(crate) fn new(address: String, schema: ProviderSchema) -> Schemas {
        Schemas {
            format_version: FORMAT_VERSION.to_owned(),
            provider_schemas: BTreeMap::from([(address, schema)]),
        }
    }
}

/// Schemas by the name of their type.
pub(crate) type ByName<T> = BTreeMap<String, T>;

/// All schemas of a provider.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct ProviderSchema {
    pub(crate) provider: Schema,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) resource_schemas: ByName<Schema>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) data_source_schemas: ByName<Schema>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) ephemeral_resource_schemas: ByName<Schema>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) list_resource_schemas: ByName<Schema>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) functions: ByName<Function>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) resource_identity_schemas: ByName<IdentitySchema>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) action_schemas: ByName<ActionSchema>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) state_store_schemas: ByName<Schema>,
}

/// The schema of one object.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Schema {
    pub(crate) version: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) block: Option<Block>,
}

impl Schema {
    /// The block; an empty one for an object without attributes.
    pub(crate) fn block(&self) -> &Block {
        block_or_empty(self.block.as_ref())
    }
}

/// Returns an empty block for an object without attributes.
pub(crate) fn block_or_empty(block: Option<&Block>) -> &Block {
    static EMPTY: LazyLock<Block> = LazyLock::new(Block::default);
    block.unwrap_or(&EMPTY)
}

/// The schema of an action, which has no version.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct ActionSchema {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) block: Option<Block>,
}

/// The content of a block.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Block {
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) attributes: ByName<Attribute>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) block_types: ByName<BlockType>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) description: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) description_kind: String,
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) deprecated: bool,
    /// Terraform 1.14 and earlier do not print it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) deprecation_message: String,
}

/// A nested block.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct BlockType {
    pub(crate) nesting_mode: String,
    pub(crate) block: Block,
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) min_items: u64,
    /// Zero means no limit.
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) max_items: u64,
}

/// An attribute, which has either a type or a nested type.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Attribute {
    #[serde(rename = "type", skip_serializing_if = "Value::is_null")]
    pub(crate) ty: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) nested_type: Option<NestedType>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) description: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) description_kind: String,
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) deprecated: bool,
    /// Terraform 1.14 and earlier do not print it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) deprecation_message: String,
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) required: bool,
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) optional: bool,
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) computed: bool,
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) sensitive: bool,
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) write_only: bool,
}

/// The attributes of a nested attribute.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct NestedType {
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) attributes: ByName<Attribute>,
    pub(crate) nesting_mode: String,
}

/// The signature of a function.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Function {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) description: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) summary: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) deprecation_message: String,
    pub(crate) return_type: Value,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) parameters: Vec<Parameter>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) variadic_parameter: Option<Parameter>,
}

/// A parameter of a function.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) description: String,
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) is_nullable: bool,
    #[serde(rename = "type")]
    pub(crate) ty: Value,
}

/// The schema of a resource identity.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct IdentitySchema {
    pub(crate) version: u64,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) attributes: ByName<IdentityAttribute>,
}

/// An attribute of a resource identity.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct IdentityAttribute {
    #[serde(rename = "type")]
    pub(crate) ty: Value,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) description: String,
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) required_for_import: bool,
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) optional_for_import: bool,
}

/// Returns true for the value that is omitted.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
