//! Checks of timeouts.

use std::sync::Arc;

use ferroform_value::{Error, Step};

use crate::kind::Kind;
use crate::schema::timeouts::find;
use crate::schema::{Block, Keep, Member, Mode, Replace, SchemaError};
use crate::timeouts::{Operation, TimeoutDefaults};

/// The errors in the timeouts of a schema, including those about operations that its kind does not have.
pub(crate) fn timeout_errors(root: &Block, kind: Kind) -> Vec<SchemaError> {
    let mut check = TimeoutChecker::default();
    check.block(root);
    if let Some((name, limits, _)) = find(root) {
        check.path.push(Step::Attribute(name.clone()));
        match kind.operations() {
            [] => check.report(NOT_AT_ROOT),
            supported => check.operations(limits, supported, kind),
        }
    }
    check.errors
}

const NOT_AT_ROOT: &str = "timeouts are supported only at the root of a resource, data source, ephemeral resource, list \
     resource, action or state store";

#[derive(Default)]
struct TimeoutChecker {
    path: Vec<Step>,
    errors: Vec<SchemaError>,
}

/// The blocks inside attributes and blocks, with their names and whether the attribute or block has other options.
fn inside(block: &Block) -> impl Iterator<Item = (&Arc<str>, &Block, bool)> {
    block.members().filter_map(|it| Some((it.name(), &**it.nested()?.1, has_options(it))))
}

impl TimeoutChecker {
    /// Reports the operations other than the supported ones and the default.
    fn operations(&mut self, limits: &TimeoutDefaults, supported: &[Operation], kind: Kind) {
        let names: Vec<&str> = supported.iter().map(|it| it.name()).collect();
        let is_unsupported = |it: &Operation| !supported.contains(it) && *it != Operation::Default;
        for operation in limits.operations().filter(is_unsupported) {
            let (subject, name) = (kind.described(), operation.name());
            self.report(&format!("{subject} has no operation \"{name}\", only {}", names.join(", ")));
        }
    }

    fn block(&mut self, block: &Block) {
        let mut seen = false;
        for (name, inside, has_options) in inside(block) {
            self.path.push(Step::Attribute(name.clone()));
            match inside.timeouts() {
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

fn has_options(it: Member<'_>) -> bool {
    let behavior = it.behavior();
    let has_other_option = match it {
        Member::Attribute(it) => {
            it.mode != Mode::Optional || it.sensitive || it.write_only || behavior.keep != Keep::Recompute
        }
        Member::Block(it) => it.computed || it.min_items + it.max_items > 0,
    };
    has_other_option || behavior.replace != Replace::Never || !behavior.validators.is_empty()
}
