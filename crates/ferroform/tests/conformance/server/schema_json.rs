//! Describes a schema in the JSON form of the cases.

use ferroform::schema::{Attribute, Block, Mode, NestedBlock, Nesting, Schema};
use ferroform::value::json;
use serde_json::{Value as Json, json as object};

pub fn schema(it: &Schema) -> Json {
    object!({ "version": it.version.to_string(), "block": block(&it.block) })
}

fn block(it: &Block) -> Json {
    let blocks = by_name(it.blocks().iter().map(nested_block));
    object!({
        "attributes": by_name(it.attributes().iter().map(attribute)),
        "blocks": blocks,
        "description": *it.full_description(),
        "deprecated": it.deprecation().is_some(),
        "deprecation_message": it.deprecation().unwrap_or_default(),
    })
}

fn attribute(it: &Attribute) -> Json {
    let mut described = object!({
        "name": **it.name(),
        "description": it.full_description(),
        "required": it.mode() == Mode::Required,
        "optional": matches!(it.mode(), Mode::Optional | Mode::OptionalComputed),
        "computed": it.mode().is_computed(),
        "sensitive": it.is_sensitive(),
        "write_only": it.is_write_only(),
        "deprecated": it.behavior().deprecated.is_some(),
        "deprecation_message": it.behavior().deprecated.as_deref().unwrap_or_default(),
    });
    match it.nested() {
        Some(nested) => {
            let attributes = by_name(nested.block().attributes().iter().map(attribute));
            described["nested"] = object!({ "nesting": nesting(nested.nesting()), "attributes": attributes });
        }
        None => described["type"] = serde_json::from_str(&json::type_to_string(it.ty())).unwrap(),
    }
    described
}

fn nested_block(it: &NestedBlock) -> Json {
    object!({ "name": **it.name(), "nesting": nesting(it.nesting()), "block": block(it.block()) })
}

fn nesting(it: Nesting) -> &'static str {
    match it {
        Nesting::Single => "single",
        Nesting::List => "list",
        Nesting::Set => "set",
        Nesting::Map => "map",
    }
}

fn by_name(all: impl Iterator<Item = Json>) -> Vec<Json> {
    let mut all: Vec<Json> = all.collect();
    all.sort_by_key(|it| it["name"].to_string());
    all
}
