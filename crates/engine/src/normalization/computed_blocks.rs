//! Computed blocks: blocks that the configuration may omit, so that the provider sets them.
//!
//! Terraform sends an omitted block as null when it plans and as an empty collection when it validates. The engine uses
//! null for both. Terraform before 1.16 does not support computed blocks: with it, the configuration must contain them.
//!
//! Example: a list of blocks `endpoint` that is optional and computed, and a configuration without such blocks.
//!
//! ```text
//! Terraform sends   { endpoint = [] }        in a validation
//!                   { endpoint = null }      in a plan
//! configuration     { endpoint = null }      in the engine, for both
//! planned state     { endpoint = unknown }   for a new object
//! new state         { endpoint = [] }        if the creation fails before the provider sets the blocks
//!
//! Terraform 1.15    validation error at `endpoint`: Computed Block Not Allowed
//! ```

use ferroform_value::Value;

use crate::schema::{Block, BlockFacts, Member, NestedBlock};
use crate::{Diagnostic, Diagnostics};

/// An error for each computed block that the configuration omits.
pub(crate) fn omitted_block_errors(block: &Block, config: &Value) -> Diagnostics {
    let mut errors = Diagnostics::new();
    block.walk(config, &mut |path, member, value| {
        if let Member::Block(NestedBlock { computed: true, name, .. }) = member
            && member.is_absent(value)
        {
            let detail = format!(
                "The block \"{name}\" can be omitted only with Terraform 1.16 or later. Add the block to the configuration."
            );
            errors.push(Diagnostic::error("Computed Block Not Allowed").detail(detail).at(path.clone()));
        }
        member.nested().is_some_and(|(_, it)| it.facts().has_computed_blocks)
    });
    errors
}

/// The configuration with null for each computed block that it omits.
pub(crate) fn with_null_for_omitted(block: &Block, config: Value) -> Value {
    let is_affected = |it: &BlockFacts| it.has_computed_blocks;
    replace_blocks(block, config, is_affected, &|nested, value| {
        (nested.computed && nested.is_absent(value)).then_some(Value::Null)
    })
}

/// The object with placeholders for computed blocks that are still unknown, and for missing blocks that the Rust type
/// requires, as in an import.
pub(crate) fn with_placeholders(block: &Block, object: Value) -> Value {
    let is_affected = |it: &BlockFacts| it.has_computed_blocks || it.has_required_blocks;
    replace_blocks(block, object, is_affected, &|nested, value| {
        let is_unknown = nested.computed && value.is_unknown();
        match nested.is_required() {
            // The attributes of the empty object get placeholders as well.
            true => (is_unknown || value.is_null()).then(|| nested.block.object_of(&Value::Null)),
            false => is_unknown.then(|| nested.absent()),
        }
    })
}

/// The value with replaced blocks, at every depth. Values of unaffected schemas are returned as they are.
fn replace_blocks(
    block: &Block,
    value: Value,
    is_affected: fn(&BlockFacts) -> bool,
    replacement: &dyn Fn(&NestedBlock, &Value) -> Option<Value>,
) -> Value {
    if !is_affected(block.facts()) {
        return value;
    }
    block.map_members(value, &|member, value| {
        let Member::Block(nested) = member else { return value };
        let value = replacement(nested, &value).unwrap_or(value);
        replace_blocks(&nested.block, value, is_affected, replacement)
    })
}
