//! Write Terraform and OpenTofu providers in Rust.
//!
//! An author writes one plain struct for each resource, puts `#[derive(Model)]` on it, and implements
//! [`Resource`] with a few `async fn`s. The derive makes the schema, the conversions, and the
//! [views](guide::models_and_views) of the struct at the moments at which parts of it may be unknown. [`serve`] makes a
//! process of it that runs under the real `terraform` and `tofu`.
//!
//! Begin with [Writing a provider](guide::getting_started). The other pages are
//! [Views](guide::models_and_views), [What a schema says](guide::schemas), [How an attribute behaves](guide::attribute_behaviors),
//! [Element matching](guide::element_matching),
//! [Judging a configuration](guide::validation), [Identity and import](guide::resource_identity_and_import),
//! [When a state changes its shape](guide::state_upgrades), [Errors, warnings, panics and partial failures](guide::errors_and_partial_failures),
//! [Time, turns and what cannot be done yet](guide::timeouts_retries_and_deferral), [Testing](guide::testing),
//! [Running and debugging](guide::running_and_debugging) and [Coming from Go](guide::migrating_from_go).
//!
//! | to describe | write |
//! |---|---|
//! | a provider | `impl` [`Provider`] |
//! | an object that Terraform manages | `#[derive(`[`Model`](derive@Model)`)]` and `impl` [`Resource`] |
//! | something to look up | `#[derive(`[`Model`](derive@Model)`)]` and `impl` [`DataSource`] |
//! | an attribute's type of your own | `#[derive(`[`Attr`](derive@Attr)`)]`, or `impl` [`Attr`] |
//! | a provider that is made at run time | [`raw`], [`schema`] and [`access`] |

extern crate self as ferroform;

pub mod access;
pub mod attr;
pub mod defaults;
pub mod guide;
pub mod raw;
pub mod root;
pub mod schema;
pub mod validators;
pub mod wait;

mod cx;
mod data_source;
mod derive_support;
mod left_out;
mod model;
mod provider;
mod raw_state;
mod resource;
mod serve;
mod typed;

pub use ferroform_engine::{
    CHECKPOINT, Clock, Context, Deferral, Diagnostic, Diagnostics, Known, Maybe, ProviderData,
    RequestContext, Result, Severity, Unknown, UnknownConfig,
};
pub use ferroform_engine::{path, pattern};
pub use ferroform_macros::{Attr, Model};
pub use ferroform_server::Protocol;
pub use ferroform_value as value;

pub use crate::access::{Data, IntoData, Pattern};
pub use crate::attr::{Attr, Dynamic, MapKey, Set, Shape, Unhandled};
pub use crate::cx::{Call, Cx};
pub use crate::data_source::DataSource;
pub use crate::model::timeouts::Timeouts;
pub use crate::model::{Args, Computed, Config, Model, Planned, Proposed, timeouts, view};
pub use crate::provider::{Provider, Registry};
pub use crate::raw_state::RawState;
pub use crate::resource::{Change, Identity, MoveSource, Moves, Resource};
pub use crate::schema::Becomes;
pub use crate::serve::{log_layer, serve, serve_protocols, serve_raw, server};

/// What the derive's output refers to. Not for use by hand.
#[doc(hidden)]
pub mod __private {
    pub use crate::attr::{Inside, Said, choose, chosen, is_undecided, ty};
    pub use crate::derive_support::{judge, judge_early, none_early, none_of, rule, upgrades};
    pub use crate::model::{Name, Names, assemble, object, only};
    pub use crate::root::identity_root;
    pub use crate::schema::compares;
    pub use crate::validators::{judges, number};
    pub use ferroform_value::{Error, Object, Type, Value};
}
