//! What a nested block must not say.

use super::checker::{SCHEMA, SchemaChecker, find};
use crate::schema::{Keep, NestedBlock, Nesting};

impl SchemaChecker<'_> {
    pub(super) fn nested_block(&mut self, it: &NestedBlock) {
        for invalid_options in &it.invalid_options {
            self.report(SCHEMA, *invalid_options);
        }
        if matches!(it.nesting, Nesting::List | Nesting::Map) && it.block.ty().has_dynamic() {
            self.report(
                SCHEMA,
                "the elements of a collection are of one type, so no part of them can be of any",
            );
        }
        let bounds = (it.min_items, it.max_items);
        match it.nesting {
            Nesting::Single if !matches!(bounds, (0, 0) | (1, 1)) => {
                let (min, max) = bounds;
                self.report(
                    SCHEMA,
                    format!(
                        "a single block is there once or not at all, but there must be {min} to {max} of it"
                    ),
                );
            }
            Nesting::Single => {}
            _ => self.items(&it.ty(), it.min_items, it.max_items),
        }
        self.check_validators(&it.validators, &it.ty());
        if it.computed {
            self.computed_block(it);
        } else if it.keep != Keep::Recompute {
            self.report(SCHEMA, "only what the provider computes can be kept from the state");
        }
    }

    fn computed_block(&mut self, it: &NestedBlock) {
        if self.kind.is_written() {
            self.report(SCHEMA, "a block here is written by the user, so it cannot be computed");
        }
        if it.min_items > 0 {
            self.report(
                SCHEMA,
                "a block that the provider may write can be left out, so it has no least number",
            );
        }
        for inside in it.block.attributes.iter().filter(|it| !it.mode.is_computed()) {
            let name = &inside.name;
            self.report(
                SCHEMA,
                format!(
                    "in a block that the provider may write, it must be able to write every attribute, and so `{name}`"
                ),
            );
        }
        for inside in it.block.blocks.iter().filter(|it| !it.computed) {
            let name = &inside.name;
            self.report(
                SCHEMA,
                format!(
                    "in a block that the provider may write, it must be able to write every block, and so `{name}`"
                ),
            );
        }
        if let Some(inside) = find(&it.block, &|it| it.write_only) {
            self.report(
                SCHEMA,
                format!("what the provider writes cannot hold something write-only, such as `{inside}`"),
            );
        }
    }
}
