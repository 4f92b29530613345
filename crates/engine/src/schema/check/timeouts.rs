//! What must not be said of timeouts.

use std::sync::Arc;

use ferroform_value::{Error, Step};

use crate::schema::timeouts::find;
use crate::schema::{Attribute, Block, Keep, Mode, NestedBlock, Replace, SchemaError};
use crate::timeouts::{Operation, TimeoutDefaults};

/// What is wrong with the timeouts of a schema, whoever has it.
pub(crate) fn timeout_errors(root: &Block) -> Vec<SchemaError> {
    let mut check = SchemaChecker::default();
    check.block(root);
    check.errors
}

/// What is wrong with them in a data source, which is only read.
pub fn check_data_source_timeouts(root: &Block) -> Vec<SchemaError> {
    let mut check = SchemaChecker::default();
    let cannot = |it: &Operation| !matches!(it, Operation::Read | Operation::Default);
    if let Some((name, limits, _)) = find(root) {
        check.path.push(Step::Attribute(name.clone()));
        for operation in limits.operations().filter(cannot) {
            check
                .report(&format!("a data source has no operation \"{}\", it is only read", operation.name()));
        }
    }
    check.errors
}

/// What is wrong with them in the configuration of a provider and in what modules say to it.
pub fn check_provider_timeouts(root: &Block) -> Vec<SchemaError> {
    let mut check = SchemaChecker::default();
    if let Some((name, ..)) = find(root) {
        check.path.push(Step::Attribute(name.clone()));
        check.report(ELSEWHERE);
    }
    check.errors
}

const ELSEWHERE: &str = "timeouts stand at the root of a resource or data source";

#[derive(Default)]
struct SchemaChecker {
    path: Vec<Step>,
    errors: Vec<SchemaError>,
}

/// What stands inside of attributes and blocks, by their names, and whether more is said of them.
fn inside(block: &Block) -> impl Iterator<Item = (&Arc<str>, &Block, bool)> {
    let attributes = block.attributes.iter();
    let attributes =
        attributes.filter_map(|it| Some((&it.name, &it.nested.as_ref()?.block, has_behavior(it))));
    attributes.chain(block.blocks.iter().map(|it| (&it.name, &it.block, block_has_behavior(it))))
}

impl SchemaChecker {
    fn block(&mut self, block: &Block) {
        let mut seen = false;
        for (name, inside, behaves) in inside(block) {
            self.path.push(Step::Attribute(name.clone()));
            match &inside.timeouts {
                Some(limits) => self.timeouts(limits, behaves, std::mem::replace(&mut seen, true)),
                None => self.block(inside),
            }
            self.path.pop();
        }
    }

    fn timeouts(&mut self, limits: &TimeoutDefaults, behaves: bool, second: bool) {
        if self.path.len() > 1 {
            self.report(ELSEWHERE);
        }
        if second {
            self.report("there are timeouts already");
        }
        if behaves {
            self.report("timeouts are optional, and nothing else can be said of them");
        }
        if limits.operations().next().is_none() {
            self.report("the timeouts of no operation are named");
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

fn block_has_behavior(it: &NestedBlock) -> bool {
    it.replace != Replace::Never
        || it.computed
        || !it.validators.is_empty()
        || it.min_items + it.max_items > 0
}
