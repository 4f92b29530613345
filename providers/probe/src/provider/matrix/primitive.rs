//! The resources `probe_primitive` and `probe_required`: primitives with and without a default.

use std::collections::BTreeSet;

use ferroform::{ApplyCx, Model, Planned, Resource, Result};

use super::super::Probe;
use super::methods::state_only_methods;

#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Primitive {
    name: String,
    flag: Option<bool>,
    text: Option<String>,
    number: Option<i64>,
    ratio: Option<f64>,
    #[attr(default = true)]
    flag_or: bool,
    #[attr(default = "d")]
    text_or: String,
    #[attr(default = 7)]
    number_or: i64,
    #[attr(default = 1.5)]
    ratio_or: f64,
    #[attr(default = false)]
    flag_or_zero: bool,
    #[attr(default = "")]
    text_or_zero: String,
    #[attr(default = 0)]
    number_or_zero: i64,
    #[attr(default = 0.0)]
    ratio_or_zero: f64,
    #[attr(block)]
    part: BTreeSet<Part>,
}

#[derive(Model, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    note: Option<String>,
    #[attr(default = "d")]
    kind: String,
}

impl Resource for Primitive {
    type Provider = Probe;

    async fn create(_: &ApplyCx<Self>, _: Planned<Self>) -> Result<PrimitiveComputed> {
        Ok(PrimitiveComputed {})
    }

    async fn update(_: &ApplyCx<Self>, _: Self, _: Planned<Self>) -> Result<PrimitiveComputed> {
        Ok(PrimitiveComputed {})
    }

    state_only_methods!();
}

#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Required {
    name: String,
    text: String,
}

impl Resource for Required {
    type Provider = Probe;

    async fn create(_: &ApplyCx<Self>, _: Planned<Self>) -> Result<RequiredComputed> {
        Ok(RequiredComputed {})
    }

    async fn update(_: &ApplyCx<Self>, _: Self, _: Planned<Self>) -> Result<RequiredComputed> {
        Ok(RequiredComputed {})
    }

    state_only_methods!();
}
