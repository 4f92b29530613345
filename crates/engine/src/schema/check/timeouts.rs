//! Checks of timeouts.

use std::sync::Arc;

use ferroform_value::{Error, Step};

use crate::schema::timeouts::find;
use crate::schema::{Attribute, Block, Keep, Mode, NestedBlock, Replace, SchemaError};
use crate::timeouts::{Operation, TimeoutDefaults};

/// The errors in the timeouts of a schema of any kind.
pub(crate) fn timeout_errors(root: &Block) -> Vec<SchemaError> {
    let mut check = TimeoutChecker::default();
    check.block(root);
    check.errors
}

/// The errors in the timeouts of a data source, which supports only `read`.
pub fn check_data_source_timeouts(root: &Block) -> Vec<SchemaError> {
    check_operations(root, Operation::Read, "a data source", "it is only read")
}

/// The errors in the timeouts of an action, which supports only `invoke`.
pub fn check_action_timeouts(root: &Block) -> Vec<SchemaError> {
    check_operations(root, Operation::Invoke, "an action", "it is only invoked")
}

/// The errors about operations other than the given one and the default.
fn check_operations(root: &Block, supported: Operation, subject: &str, reason: &str) -> Vec<SchemaError> {
    let mut check = TimeoutChecker::default();
    let is_unsupported = |it: &Operation| *it != supported && *it != Operation::Default;
    if let Some((name, limits, _)) = find(root) {
        check.path.push(Step::Attribute(name.clone()));
        for operation in limits.operations().filter(is_unsupported) {
            let name = operation.name();
            check.report(&format!("{subject} has no operation \"{name}\", because {reason}"));
        }
    }
    check.errors
}

/// The errors about timeouts in a provider's configuration or in `provider_meta`, which support none.
pub fn check_provider_timeouts(root: &Block) -> Vec<SchemaError> {
    let mut check = TimeoutChecker::default();
    if let Some((name, ..)) = find(root) {
        check.path.push(Step::Attribute(name.clone()));
        check.report(NOT_AT_ROOT);
    }
    check.errors
}

const NOT_AT_ROOT: &str = "timeouts are supported only at the root of a resource, data source or action";

#[derive(Default)]
struct TimeoutChecker {
    path: Vec<Step>,
    errors: Vec<SchemaError>,
}

/// The blocks inside attributes and blocks, with their names and whether the attribute or block has other options.
fn inside(block: &Block) -> impl Iterator<Item = (&Arc<str>, &Block, bool)> {
    let attributes = block.attributes.iter();
    let attributes =
        attributes.filter_map(|it| Some((&it.name, &*it.nested.as_ref()?.block, has_behavior(it))));
    attributes.chain(block.blocks.iter().map(|it| (&it.name, &*it.block, has_block_behavior(it))))
}

impl TimeoutChecker {
    fn block(&mut self, block: &Block) {
        let mut seen = false;
        for (name, inside, has_options) in inside(block) {
            self.path.push(Step::Attribute(name.clone()));
            match &inside.timeouts {
                Some(limits) => self.timeouts(limits, has_options, std::mem::replace(&mut seen, true)),
                None => self.block(inside),
            }
            self.path.pop();
        }
    }

    fn timeouts(&mut self, limits: &TimeoutDefaults, has_options: bool, is_repeated: bool) {
        if self.path.len() > 1 {
            self.report(NOT_AT_ROOT);
        }
        if is_repeated {
            self.report("timeouts are declared more than once");
        }
        if has_options {
            self.report("timeouts must be optional and support no other option");
        }
        if limits.operations().next().is_none() {
            self.report("timeouts must name at least one operation");
        }
    }

    fn report(&mut self, message: &str) {
        let error = self.path.iter().rev().fold(Error::new(message), |it, step| it.below(step.clone()));
        self.errors.push(SchemaError { summary: "Invalid Schema Implementation", error });
    }
}

fn has_behavior(it: &Attribute) -> bool {
    it.mode != Mode::Optional
        || it.sensitive
        || it.write_only
        || it.behavior().keep != Keep::Recompute
        || it.behavior().replace != Replace::Never
        || !it.behavior().validators.is_empty()
}

fn has_block_behavior(it: &NestedBlock) -> bool {
    it.replace != Replace::Never
        || it.computed
        || !it.validators.is_empty()
        || it.min_items + it.max_items > 0
}
