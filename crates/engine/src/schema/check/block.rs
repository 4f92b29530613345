//! Checks of nested blocks.

use ferroform_value::Type;

use super::checker::{SCHEMA, SchemaChecker, find};
use crate::kind::Kind;
use crate::schema::{Keep, NestedBlock, Nesting};

impl SchemaChecker<'_> {
    pub(super) fn nested_block(&mut self, it: &NestedBlock) {
        if self.kind == Kind::StateStore {
            self.report(
                SCHEMA,
                "the configuration of a state store cannot have nested blocks: use a nested attribute",
            );
        }
        for message in &it.invalid_options {
            self.report(SCHEMA, *message);
        }
        if matches!(it.nesting, Nesting::List | Nesting::Map) && it.block.facts().has_dynamic {
            self.report(
                SCHEMA,
                "a collection cannot contain dynamic values, because its elements have one type",
            );
        }
        let bounds = (it.min_items, it.max_items);
        match it.nesting {
            Nesting::Single if !matches!(bounds, (0, 0) | (1, 1)) => {
                let (min, max) = bounds;
                self.report(
                    SCHEMA,
                    format!("a single block occurs at most once, but the limits are {min} to {max}"),
                );
            }
            Nesting::Single => {}
            _ => self.items(&it.nesting.of(Type::Dynamic), it.min_items, it.max_items),
        }
        if !it.validators.is_empty() {
            self.check_validators(&it.validators, it.ty());
        }
        if it.computed {
            self.computed_block(it);
        } else if it.keep != Keep::Recompute {
            self.report(
                SCHEMA,
                "`use_state_for_unknown` and `follows` require a computed attribute or block",
            );
        }
    }

    fn computed_block(&mut self, it: &NestedBlock) {
        if self.kind.is_set_by_practitioner() {
            self.report(SCHEMA, "the practitioner sets this block, so it cannot be computed");
        }
        if it.min_items > 0 {
            self.report(SCHEMA, "a computed block can be omitted, so it cannot have a minimum number");
        }
        for inside in it.block.attributes.iter().filter(|it| !it.mode.is_computed()) {
            let name = &inside.name;
            self.report(
                SCHEMA,
                format!("every attribute of a computed block must be computed, but it contains `{name}`"),
            );
        }
        for inside in it.block.blocks.iter().filter(|it| !it.computed) {
            let name = &inside.name;
            self.report(
                SCHEMA,
                format!("every nested block of a computed block must be computed, but it contains `{name}`"),
            );
        }
        if let Some(inside) = find(&it.block, &|it| it.write_only) {
            self.report(
                SCHEMA,
                format!("a computed attribute or block cannot contain write-only attributes, but it contains `{inside}`"),
            );
        }
    }
}
