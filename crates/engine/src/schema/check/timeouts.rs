//! What must not be said of timeouts.

use std::sync::Arc;

use ferroform_value::{Error, Step};

use crate::schema::timeouts::find;
use crate::schema::{Attribute, Block, Fault, Keep, Mode, NestedBlock, Replace};
use crate::timeouts::{Limits, Operation};

/// What is wrong with the timeouts of a schema, whoever has it.
pub(crate) fn faults(root: &Block) -> Vec<Fault> {
    let mut check = Check::default();
    check.block(root);
    check.faults
}

/// What is wrong with them in a data source, which is only read.
pub fn faults_of_data(root: &Block) -> Vec<Fault> {
    let mut check = Check::default();
    let cannot = |it: &Operation| !matches!(it, Operation::Read | Operation::Default);
    if let Some((name, limits, _)) = find(root) {
        check.place.push(Step::Attribute(name.clone()));
        for operation in limits.operations().filter(cannot) {
            check.fault(&format!("a data source has no operation \"{}\", it is only read", operation.name()));
        }
    }
    check.faults
}

/// What is wrong with them in the configuration of a provider and in what modules say to it.
pub fn faults_of_provider(root: &Block) -> Vec<Fault> {
    let mut check = Check::default();
    if let Some((name, ..)) = find(root) {
        check.place.push(Step::Attribute(name.clone()));
        check.fault(ELSEWHERE);
    }
    check.faults
}

const ELSEWHERE: &str = "timeouts stand at the root of a resource or data source";

#[derive(Default)]
struct Check {
    place: Vec<Step>,
    faults: Vec<Fault>,
}

/// What stands inside of attributes and blocks, by their names, and whether more is said of them.
fn inside(block: &Block) -> impl Iterator<Item = (&Arc<str>, &Block, bool)> {
    let attributes = block.attributes.iter();
    let attributes =
        attributes.filter_map(|it| Some((&it.name, &it.nested.as_ref()?.block, has_behaviour(it))));
    attributes.chain(block.blocks.iter().map(|it| (&it.name, &it.block, block_has_behaviour(it))))
}

impl Check {
    fn block(&mut self, block: &Block) {
        let mut seen = false;
        for (name, inside, behaves) in inside(block) {
            self.place.push(Step::Attribute(name.clone()));
            match &inside.limits {
                Some(limits) => self.timeouts(limits, behaves, std::mem::replace(&mut seen, true)),
                None => self.block(inside),
            }
            self.place.pop();
        }
    }

    fn timeouts(&mut self, limits: &Limits, behaves: bool, second: bool) {
        if self.place.len() > 1 {
            self.fault(ELSEWHERE);
        }
        if second {
            self.fault("there are timeouts already");
        }
        if behaves {
            self.fault("timeouts are optional, and nothing else can be said of them");
        }
        if limits.operations().next().is_none() {
            self.fault("the timeouts of no operation are named");
        }
    }

    fn fault(&mut self, message: &str) {
        let error = self.place.iter().rev().fold(Error::new(message), |it, step| it.below(step.clone()));
        self.faults.push(Fault { summary: "Invalid Schema Implementation", error });
    }
}

fn has_behaviour(it: &Attribute) -> bool {
    it.mode != Mode::Optional
        || it.sensitive
        || it.write_only
        || it.behaviour().keep != Keep::Recompute
        || it.behaviour().replace != Replace::Never
        || !it.behaviour().rules.is_empty()
}

fn block_has_behaviour(it: &NestedBlock) -> bool {
    it.replace != Replace::Never || it.computed || !it.rules.is_empty() || it.min_items + it.max_items > 0
}
