//! The resource `probe_group`: relations between attributes, and numbers of elements. Each validator is in its own
//! block, so that a configuration is validated by only one of them.

use ferroform::{ApplyCx, Model, Planned, Resource, Result};

use super::super::Probe;
use super::methods::state_only_methods;

#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Group {
    name: String,
    #[attr(block)]
    conflicts: Option<Conflicts>,
    #[attr(block)]
    exactly: Option<Exactly>,
    #[attr(block)]
    at_least: Option<AtLeast>,
    #[attr(block)]
    with: Option<With>,
    #[attr(block)]
    limits: Option<Limits>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Conflicts {
    #[attr(conflicts_with(b))]
    a: Option<String>,
    b: Option<String>,
}

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(exactly_one_of(a, b))]
struct Exactly {
    a: Option<String>,
    b: Option<String>,
}

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(at_least_one_of(a, b))]
struct AtLeast {
    a: Option<String>,
    b: Option<String>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct With {
    #[attr(requires(b))]
    a: Option<String>,
    b: Option<String>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Limits {
    #[attr(min_items = 1, max_items = 2)]
    words: Option<Vec<String>>,
    #[attr(block, min_items = 1, max_items = 2)]
    part: Vec<Part>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Part {
    note: Option<String>,
}

impl Resource for Group {
    type Provider = Probe;

    async fn create(_: &ApplyCx<Self>, _: Planned<Self>) -> Result<GroupComputed> {
        Ok(GroupComputed {})
    }

    async fn update(_: &ApplyCx<Self>, _: Self, _: Planned<Self>) -> Result<GroupComputed> {
        Ok(GroupComputed {})
    }

    state_only_methods!();
}
