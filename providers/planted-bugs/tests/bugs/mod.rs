//! The bugs, by the method or the kind of object with the mistake.

pub mod create;
pub mod data_and_lists;
pub mod delete;
pub mod functions;
pub mod normalization;
pub mod open_and_invoke;
pub mod plan;
pub mod read;
pub mod secrets;
pub mod state;
pub mod state_stores;
pub mod time;
pub mod update;
pub mod validation;

/// What the providers use.
mod prelude {
    pub use std::collections::{BTreeMap, BTreeSet, HashSet};
    pub use std::time::Duration;

    pub use ferroform::*;
    pub use ferroform_testing::mock::{Fault, Pagination, Request, Response, Service};
    pub use ferroform_testing::{Harness, config, unknown};
    pub use serde::{Deserialize, Serialize};
    pub use serde_json::{Value, json};

    pub use super::super::PLANTED;
    pub use crate::backend::{Remote, Settings, Table, decode, encode};
    pub(crate) use crate::backend::{cloud_in_memory, cloud_over_http, correct};
    pub use crate::{Bug, Invariant};
}
