//! What must not be said of timeouts.

use ferroform_value::{Error, Step};

use crate::schema::{Attribute, Block, Fault, Keep, Mode, Replace};
use crate::timeouts::Operation;

/// Who has a schema.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    Resource,
    DataSource,
    /// The provider's configuration, and what modules say to it.
    Provider,
}

/// What is wrong with the timeouts of a schema.
pub(crate) fn faults(root: &Block, owner: Owner) -> Vec<Fault> {
    let mut check = Check { owner, place: Vec::new(), faults: Vec::new() };
    check.block(root);
    check.faults
}

struct Check {
    owner: Owner,
    place: Vec<Step>,
    faults: Vec<Fault>,
}

impl Check {
    fn block(&mut self, block: &Block) {
        let attributes = block
            .attributes
            .iter()
            .filter_map(|it| Some((&it.name, &it.nested.as_ref()?.block, has_behaviour(it))));
        let blocks = block.blocks.iter().map(|it| {
            let behaves =
                it.replace != Replace::Never || !it.rules.is_empty() || it.min_items + it.max_items > 0;
            (&it.name, &it.block, behaves)
        });
        let mut seen = false;
        for (name, inside, behaves) in attributes.chain(blocks) {
            self.place.push(Step::Attribute(name.clone()));
            if inside.limits.is_some() {
                self.timeouts(inside, behaves, std::mem::replace(&mut seen, true));
            } else {
                self.block(inside);
            }
            self.place.pop();
        }
    }

    fn timeouts(&mut self, block: &Block, behaves: bool, second: bool) {
        let operations = || block.limits.iter().flat_map(|it| it.operations());
        if self.owner == Owner::Provider || self.place.len() > 1 {
            self.fault("timeouts stand at the root of a resource or data source");
        }
        if second {
            self.fault("there are timeouts already");
        }
        if behaves {
            self.fault("timeouts are optional, and nothing else can be said of them");
        }
        if operations().next().is_none() {
            self.fault("the timeouts of no operation are named");
        }
        let can = |it: &Operation| matches!(it, Operation::Read | Operation::Default);
        for operation in
            operations().filter(|it| self.owner == Owner::DataSource && !can(it)).collect::<Vec<_>>()
        {
            self.fault(&format!("a data source has no operation \"{}\", it is only read", operation.name()));
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
        || it.keep != Keep::Recompute
        || it.replace != Replace::Never
        || !it.rules.is_empty()
}
