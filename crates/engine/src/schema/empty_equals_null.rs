//! Optional attributes in which null and the empty value are the same, as in SDKv2.
//!
//! ```text
//! prior state    { keepers = null }
//! configuration  { keepers = {} }      a change of the state only: no replacement, and no call of `update`
//! ```

use std::sync::Arc;

use super::{Block, Mode, Nested, Schema};

impl Schema {
    /// Declares that null and the empty value, which is an empty string, list, set or map, are the same in optional
    /// attributes at every depth, as in SDKv2: a change from one to the other changes the state only.
    #[must_use]
    pub fn with_empty_equals_null(mut self) -> Schema {
        self.block = with_empty_equals_null(self.block);
        self
    }
}

fn with_empty_equals_null(block: Block) -> Block {
    let inside = |it: Arc<Block>| Arc::new(with_empty_equals_null(Arc::unwrap_or_clone(it)));
    block.with(|it| {
        for attribute in &mut it.attributes {
            attribute.empty_is_null = attribute.nullable && attribute.mode == Mode::Optional;
            attribute.nested =
                attribute.nested.take().map(|it| Box::new(Nested { block: inside(it.block), ..*it }));
        }
        for block in &mut it.blocks {
            block.block = inside(block.block.clone());
            block.attribute.nested = Some(Box::new(Nested::new(block.nesting, block.block.clone())));
        }
    })
}
