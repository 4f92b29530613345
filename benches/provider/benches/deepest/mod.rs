//! The resource type of a provider whose blocks are nested most deeply, and a configuration of it: one block on each
//! level, along the longest path, and all required blocks.

use ferroform::value::{Type, Value, json, msgpack};
use ferroform_proto::Message as _;
use ferroform_proto::tfplugin6::schema::nested_block::NestingMode;
use ferroform_proto::tfplugin6::schema::{Attribute, Block, NestedBlock};
use ferroform_proto::tfplugin6::{self, get_provider_schema};
use plugin_client::Channel;

/// A resource type with its object type and a configuration.
pub(crate) struct Deepest {
    pub(crate) name: String,
    pub(crate) levels: usize,
    pub(crate) ty: Type,
    pub(crate) config: Value,
    /// The configuration with unknown computed values.
    pub(crate) proposed: Value,
}

impl Deepest {
    /// The deepest resource type of the provider; of equally deep ones, that with most blocks.
    pub(crate) async fn of(channel: &Channel) -> Deepest {
        let response = channel.provider().get_provider_schema(get_provider_schema::Request {}).await;
        let schemas = response.unwrap().into_inner().resource_schemas;
        let schemas = schemas.into_iter().map(|(name, schema)| {
            (name, tfplugin6::Schema::decode(&schema[..]).unwrap().block.unwrap_or_default())
        });
        let (name, block) = schemas.max_by_key(|(_, block)| (levels(block), blocks(block))).unwrap();
        let levels = levels(&block);
        let value = |computed| object(&block, computed);
        Deepest { name, levels, ty: ty(&block), config: value(Value::Null), proposed: value(Value::UNKNOWN) }
    }

    /// The size of the configuration in MessagePack.
    pub(crate) fn size(&self) -> usize {
        msgpack::encode(&self.config, &self.ty).unwrap().len()
    }
}

fn inside(it: &NestedBlock) -> &Block {
    it.block.as_ref().unwrap()
}

fn levels(block: &Block) -> usize {
    block.block_types.iter().map(|it| 1 + levels(inside(it))).max().unwrap_or_default()
}

fn blocks(block: &Block) -> usize {
    block.block_types.iter().map(|it| 1 + blocks(inside(it))).sum()
}

fn ty(block: &Block) -> Type {
    let attributes = block.attributes.iter().map(|it| (it.name.as_str(), attribute_type(it)));
    let blocks = block.block_types.iter().map(|it| {
        let ty = ty(inside(it));
        let ty = match it.nesting() {
            NestingMode::List => Type::list(ty),
            NestingMode::Set => Type::set(ty),
            NestingMode::Map => Type::map(ty),
            _ => ty,
        };
        (it.type_name.as_str(), ty)
    });
    Type::object(attributes.chain(blocks))
}

fn attribute_type(it: &Attribute) -> Type {
    assert!(it.nested_type.is_none(), "the deepest type has the nested attribute {}", it.name);
    json::type_from_slice(&it.r#type).unwrap()
}

/// An object whose computed values are all `computed`.
fn object(block: &Block, computed: Value) -> Value {
    let attribute = |it: &Attribute| match (it.computed, it.required, attribute_type(it)) {
        (true, ..) => computed.clone(),
        (false, true, _) | (false, false, Type::String | Type::Number | Type::Bool) => {
            sample(&attribute_type(it))
        }
        _ => Value::Null,
    };
    let attributes = block.attributes.iter().map(|it| (it.name.as_str(), attribute(it)));
    let deepest = block.block_types.iter().max_by_key(|it| levels(inside(it)));
    let blocks = block.block_types.iter().map(|it| {
        let is_deepest = deepest.is_some_and(|deepest| deepest.type_name == it.type_name);
        let is_used = is_deepest || it.min_items > 0;
        let objects = is_used.then(|| object(inside(it), computed.clone()));
        let value = match it.nesting() {
            NestingMode::List => Value::List(objects.into_iter().collect()),
            NestingMode::Set => Value::set(objects),
            NestingMode::Map => Value::map(objects.map(|it| ("label", it))),
            _ => objects.unwrap_or(Value::Null),
        };
        (it.type_name.as_str(), value)
    });
    Value::object(attributes.chain(blocks))
}

fn sample(ty: &Type) -> Value {
    match ty {
        Type::Bool => true.into(),
        Type::Number => 7.into(),
        Type::String => "a configured value".into(),
        Type::List(element) => Value::List(vec![sample(element)]),
        Type::Set(element) => Value::set([sample(element)]),
        Type::Map(element) => Value::map([("key", sample(element))]),
        _ => Value::Null,
    }
}
