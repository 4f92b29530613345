//! Checks of nested blocks.

use ferroform_value::Type;

use super::checker::{SCHEMA, SchemaChecker, find};
use crate::kind::Kind;
use crate::schema::{Attribute, Block, Keep, Member, Mode, NestedBlock, Nesting, Replace};

impl SchemaChecker<'_> {
    pub(super) fn nested_block(&mut self, it: &NestedBlock, siblings: &Block) {
        if self.kind == Kind::StateStore {
            self.report(
                SCHEMA,
                "the configuration of a state store cannot have nested blocks: use a nested attribute",
            );
        }
        self.block_options(&it.attribute);
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
        if !it.behavior().validators.is_empty() {
            self.check_validators(&it.behavior().validators, it.ty());
        }
        if it.computed {
            self.computed_block(it);
        } else if it.behavior().keep != Keep::Recompute {
            self.report(
                SCHEMA,
                "`use_state_for_unknown` and `follows` require a computed attribute or block",
            );
        }
        self.check_followed_names(&it.name, &it.behavior().keep, siblings);
    }

    /// Reports the options of the attribute that a block does not support.
    fn block_options(&mut self, it: &Attribute) {
        let behavior = it.behavior();
        let has_other_option = it.key
            || behavior.suppress_diff.is_some()
            || behavior.semantic_equality.is_some()
            || behavior.plan_with.is_some()
            || matches!(behavior.replace, Replace::If(_));
        let options = [
            (it.nested.is_none(), "a block must be a model, or a list, set or map of models"),
            (it.sensitive, "a block cannot be sensitive; mark its attributes as sensitive"),
            (it.write_only, "a block cannot be write-only; mark its attributes as write-only"),
            (behavior.default.is_some(), "a block cannot have a default; add defaults to its attributes"),
            (has_other_option, "a block does not support this option; add it to the attributes of the block"),
            (it.mode == Mode::Computed, "a block cannot be computed-only; make it optional and computed"),
        ];
        for (_, message) in options.into_iter().filter(|(is_used, _)| *is_used) {
            self.report(SCHEMA, message);
        }
    }

    fn computed_block(&mut self, it: &NestedBlock) {
        if self.kind.is_set_by_practitioner() {
            self.report(SCHEMA, "the practitioner sets this block, so it cannot be computed");
        }
        if it.min_items > 0 {
            self.report(SCHEMA, "a computed block can be omitted, so it cannot have a minimum number");
        }
        for inside in it.block.members() {
            let (is_computed, noun) = match inside {
                Member::Attribute(it) => (it.mode.is_computed(), "attribute"),
                Member::Block(it) => (it.computed, "nested block"),
            };
            if !is_computed {
                let name = inside.name();
                self.report(
                    SCHEMA,
                    format!("every {noun} of a computed block must be computed, but it contains `{name}`"),
                );
            }
        }
        if let Some(inside) = find(&it.block, &|it| it.write_only) {
            self.report(
                SCHEMA,
                format!("a computed attribute or block cannot contain write-only attributes, but it contains `{inside}`"),
            );
        }
    }
}
