//! The resource `probe_fixed`: attributes that require replacement.

use std::collections::BTreeSet;

use ferroform::{ApplyCx, Model, Planned, Resource, Result};

use super::super::Probe;
use super::methods::state_only_methods;

#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Fixed {
    name: String,
    #[attr(requires_replace)]
    text: Option<String>,
    #[attr(requires_replace)]
    number: Option<i64>,
    #[attr(requires_replace)]
    flag: Option<bool>,
    #[attr(requires_replace, default = "d")]
    text_or: String,
    #[attr(requires_replace, optional, computed, use_state_for_unknown)]
    chosen: String,
    #[attr(requires_replace, suppress_diff = str::eq_ignore_ascii_case)]
    any_case: Option<String>,
    #[attr(requires_replace_if_configured)]
    configured: Option<String>,
    #[attr(requires_replace)]
    words: Option<Vec<String>>,
    /// A list of blocks that requires replacement.
    #[attr(block, requires_replace)]
    whole: Vec<Part>,
    /// A set of blocks that requires replacement.
    #[attr(block, requires_replace)]
    loose: BTreeSet<Part>,
    /// Blocks with an attribute that requires replacement.
    #[attr(block)]
    part: Vec<FixedPart>,
}

#[derive(Model, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    note: Option<String>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct FixedPart {
    note: Option<String>,
    #[attr(requires_replace)]
    kind: Option<String>,
}

impl Resource for Fixed {
    type Provider = Probe;

    async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<FixedComputed> {
        Ok(FixedComputed { chosen: plan.chosen.unwrap_or_else(|| "computed".to_owned()) })
    }

    async fn update(_: &ApplyCx<Self>, prior: Self, plan: Planned<Self>) -> Result<FixedComputed> {
        Ok(FixedComputed { chosen: plan.chosen.unwrap_or(prior.chosen) })
    }

    state_only_methods!();
}
