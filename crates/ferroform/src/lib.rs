//! Write Terraform and OpenTofu providers in Rust.

extern crate self as ferroform;

pub mod attr;
pub mod engine;
pub mod raw;
pub mod rpc;
pub mod schema;
pub mod view;

mod cx;
mod data_source;
mod diag;
mod maybe;
mod model;
mod panics;
mod provider;
mod resource;
mod serve;
mod stop;
mod typed;

pub use ferroform_macros::Model;
pub use ferroform_value as value;

pub use crate::attr::{Attr, Set};
pub use crate::cx::{CHECKPOINT, Call, Cx, ProviderData};
pub use crate::data_source::DataSource;
pub use crate::diag::{Context, Diagnostic, Diagnostics, Result, Severity};
pub use crate::maybe::Maybe::{self, Known, Unknown};
pub use crate::model::{Computed, Model};
pub use crate::provider::{Provider, Registry};
pub use crate::resource::{Change, Resource};
pub use crate::serve::{Protocol, serve, serve_protocols};
pub use crate::view::{Args, Config, Planned, Proposed};

/// What the derive's output refers to. Not for use by hand.
#[doc(hidden)]
pub mod __private {
    pub use crate::model::{assemble, object};
    pub use ferroform_value::{Error, Object, Type, Value};
}
